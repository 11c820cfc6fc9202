"""Follows the feed with httpx-sse, and prints each event as a line of JSON; connects again with Last-Event-ID."""

import json
import sys
import time

import httpx
import httpx_sse

position, last = "", "?"
with httpx.Client(timeout=httpx.Timeout(10, read=30)) as client:
    while True:
        headers = {"Last-Event-ID": position} if position else {}
        try:
            with httpx_sse.connect_sse(client, "GET", sys.argv[1], headers=headers) as source:
                for event in source.iter_sse():
                    # The last ID is given with each event; only a new one ends a commit.
                    new = event.id if event.id != position else ""
                    position = event.id or position
                    print(json.dumps([event.event, new, event.data]), flush=True)
        except (httpx.HTTPError, httpx_sse.SSEError):
            pass
        time.sleep(0.1)
