"""Follows the feed with httpx-sse, and prints each event as it came; connects again with Last-Event-ID."""

import sys
import time

import httpx
import httpx_sse

position = ""
with httpx.Client(timeout=httpx.Timeout(10, read=30)) as client:
    while True:
        headers = {"Last-Event-ID": position} if position else {}
        try:
            with httpx_sse.connect_sse(client, "GET", sys.argv[1], headers=headers) as source:
                for event in source.iter_sse():
                    # The last ID is given with each event; only a new one ends a commit.
                    new = event.id if event.id != position else ""
                    position = event.id or position
                    print(f"event: {event.event}\nid: {new}\ndata: {event.data}\n", flush=True)
        except (httpx.HTTPError, httpx_sse.SSEError):
            pass
        time.sleep(0.1)
