"""Durable changes against Redis, and against the disk itself."""

import json
import os
import time
from collections.abc import Iterator

import peers
from bench import Bench
from reading import LIST
from results import Bound, Result, compare

CONNECTIONS, BUSINESSES = 64, 1000
ACCOUNTS = 32  # each may add 64 MiB to the log in a day
# A new text every time, so that each is a change.
BODY = json.dumps({"description": "Coffee, cake and a fire on wet days; the kitchen closes at nine, and dogs are "
                                  "welcome on the terrace. Note %015d."})
APPENDED = 300  # bytes of a write by the thread that only writes and syncs


def patch(bench: Bench) -> Iterator[Result]:
    """Changes of a description that are answered when they are on the disk; Redis with `appendfsync always`."""
    data = bench.copy("patch", BUSINESSES)
    tokens = " ".join(bench.token(data, number) for number in range(ACCOUNTS))
    paths = [f"{LIST}/town-{number}" for number in range(1, BUSINESSES + 1)]
    size = len(BODY % 1)
    with bench.serve(data, "--write-limit", "1000000") as server, \
            peers.redis(bench, size, CONNECTIONS, BUSINESSES) as sets:
        many, others, one, disk = bench.alternate("/s", {
            "64 connections": bench.rate(server.url, CONNECTIONS, *paths, body=BODY, tokens=tokens), "redis": sets,
            "1 connection": bench.rate(server.url, 1, *paths, body=BODY, tokens=tokens),
            "write + fdatasync": lambda: syncs(bench)})
    yield compare("durable PATCH, 64 connections, against Redis", Bound(0.4, 0.8), many, others, f"{size} bytes each")
    yield compare("durable PATCH, 1 connection, against write + fdatasync", Bound(0.45, 0.8), one, disk,
                  f"{APPENDED} bytes appended")


def syncs(bench: Bench) -> float:
    """How often a second one thread appends to a file and syncs it, as a plain log is written: nothing is reserved."""
    path = bench.scratch / "synced"
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    content, count, began = os.urandom(APPENDED), 0, time.monotonic()
    while (took := time.monotonic() - began) < bench.seconds:
        os.write(handle, content)
        os.fdatasync(handle)
        count += 1
    os.close(handle)
    path.unlink()
    return count / took
