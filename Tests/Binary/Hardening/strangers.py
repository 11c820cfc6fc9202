#!/usr/bin/env python3
"""Measures what two strangers take from the other readers of a town.

The server has one core, the clients the other. Two strangers with addresses of their own, behind a proxy, send the
dearest requests again and again, each the next as soon as it is answered. Then they send cached lists, as many a second as
before. Beside the dear requests the other readers must get at least half of the answers that they get beside the cheap
ones.

With --rotate each of them has the 256 /64 of an IPv6 customer and uses them in turn.

The requests are those that `dearest.py --output FILE` has found, one `GET /path?query` a line, in its town of 20,000.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))
import dearest  # noqa: E402
from base import DESCRIPTORS, READS, Figures, Load, limited, middle, pinned, stop_all  # noqa: E402
from harness import Server, end_cleanly_when_told, executable, load  # noqa: E402
from budgets import Stranger  # noqa: E402

DEAR = ["/api/v1/events?when=week", "/api/v1/events?from=0001-01-01&to=9999-12-31", "/api/v1/changes?topics=nope",
        "/api/v1/businesses?all=true&q=ba&fields=id", "/api/v1/businesses?search=e&page=150", "/api/v1/businesses?q=b+c+d+f+g",
        "/api/v1/events?business=nope", "/api/v1/businesses?bbox=-180,-90,180,90&sort=distance&near=0,0",
        "/api/v1/businesses?open_at=2031-01-01T03:00:00Z&search=zzz", "/api/v1/events?q=rare"]
CACHED = ["/api/v1/businesses?page=1", "/api/v1/businesses?page=2", "/api/v1/categories", "/api/v1/events?per_page=10"]
READERS = 4  # connections of the other readers
LEAST = 0.5  # of the answers that they get beside cheap requests


def serve(binary: Path, folder: Path) -> Server:
    """The town of the dearest requests, served on one core behind a proxy."""
    file = folder / "town.json"
    file.write_text(json.dumps(dearest.town(random.Random(1))))
    load(binary, folder / "town", file)
    return Server(binary, folder / "town", "--now", dearest.NOW, "--proxy", "127.0.0.1",
                   prefix=[*limited(DESCRIPTORS), *pinned(0)]).ready()


ADDRESSES = [["192.0.2.1"], ["198.51.100.1"]]
ROTATING = [[f"2001:db8:{site}:{n:x}::1" for n in range(256)] for site in (1, 2)]


def beside(server: Server, targets: Path, seconds: int, requests: list[str], addresses: list[list[str]],
           rate: float | None = None) -> tuple[Figures, list[Stranger]]:
    """What the readers get beside two strangers."""
    with (Stranger(server.url, addresses[0], requests, rate) as one,
          Stranger(server.url, addresses[1], requests, rate) as two):
        time.sleep(1)
        readers = Load(server.url, "--connections", str(READERS), "--seconds", str(seconds), "--targets", targets,
                       prefix=pinned(1)).figures()
    return readers, [one, two]


def measure(server: Server, folder: Path, requests: list[str], addresses: list[list[str]], seconds: int,
            rounds: int) -> float:
    """Prints each round; the middle share of the answers that readers get beside the dear requests."""
    targets = folder / "targets"
    targets.write_text("".join(path + "\n" for path in READS[:2]))
    shares = []
    for number in range(rounds):
        began = time.monotonic()
        dear, strangers = beside(server, targets, seconds, requests, addresses)
        rate = sum(stranger.count for stranger in strangers) / (time.monotonic() - began) / 2
        cheap, others = beside(server, targets, seconds, CACHED, ADDRESSES, rate)
        shares.append(dear.good / max(1, cheap.good))
        statuses = sum((stranger.statuses for stranger in strangers), Counter())
        print(f"round {number + 1}: strangers {2 * rate:,.0f}/s {dict(sorted(statuses.items()))}, "
              f"then {sum(other.count for other in others) / (seconds + 1):,.0f}/s; readers {dear.good:,.0f}/s "
              f"(p50 {dear.latency['p50']:.2f} ms, p99 {dear.latency['p99']:.1f} ms) beside dear requests, "
              f"{cheap.good:,.0f}/s (p50 {cheap.latency['p50']:.2f} ms, p99 {cheap.latency['p99']:.1f} ms) "
              f"beside cheap ones: {shares[-1]:.0%}", flush=True)
    return middle(shares)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=executable, help="the server to measure: the executable sooke")
    parser.add_argument("--requests", type=Path, metavar="FILE", help="the dear requests, one GET /path?query a line")
    parser.add_argument("--rotate", action="store_true", help="each stranger uses the networks of a /56 in turn")
    parser.add_argument("--seconds", type=int, default=8, metavar="N", help="how long the readers ask each time")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of which the one in the middle counts")
    options = parser.parse_args()
    end_cleanly_when_told()
    requests = DEAR
    if options.requests:
        requests = [line.removeprefix("GET ") for line in options.requests.read_text().splitlines() if line]
    folder = Path(tempfile.mkdtemp(prefix="sooke-strangers-"))
    try:
        server = serve(options.binary, folder)
        dearest.wait_until_searchable(server)
        if len(os.sched_getaffinity(0)) > 1:
            os.sched_setaffinity(0, {1})
        addresses = ROTATING if options.rotate else ADDRESSES
        share = measure(server, folder, requests, addresses, options.seconds, options.rounds)
        server.stop()
    finally:
        stop_all()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"the other readers get {share:.0%} of what they get beside cheap requests; at least {LEAST:.0%} is wanted")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
