"""The dearest requests that a stranger can send, among the parameters of every public route of /openapi.json and of the
pages; and what two strangers who send them in a loop take from the other readers.

The town has 20,000 businesses with words, hours and menus, and 1,000 events whose rule has an occurrence every few
years. Random requests are tried first; the dearest of each route are then changed, one parameter at a time, as long as
that makes them dearer. What counts is the processor time of all threads of the server. A request may take 5 ms; a list
that is sent in parts may take more, but 1 ms for each part, since the other clients have their turn between them. They
have it also after each 64 businesses of which none is in the list, which may take 0.1 ms: nothing is sent then. On a
machine that is slower than the one of these bounds, they are higher, by the time of a loop in Python.

Words with `open_at` or `search`, which match all of the town, take 8 to 11 ms: a fault that is known, so that --short bounds
three times as much. What grows with the square of the town is seen all the same, and what strangers take from others.
"""

import contextlib
import json
import random
import socket
import statistics
import subprocess
import threading
import time
import urllib.parse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from base import LIST, Figures, Load, cpu_seconds, limited, make_token, make_town, pinned, wait_for
from checks import Row
from harness import NOW, Server, send

BUSINESSES, SERIES, SINGLES = 20_000, 1_000, 2_000
MOST, MOST_OF_PART = 0.005, 0.001  # seconds of processor time: of a request, and of a part of a list
MOST_OF_NOTHING = 0.0001 * BUSINESSES / 64  # of a list that is sent in parts, and visits all for nothing
LOOP = 0.021  # seconds that `slowness` takes on the machine for which these are
KEPT, SHOWN = 6, 10  # the dearest requests of a route that are changed further, and of all that are shown
LEAST = 0.5  # of the answers that readers get beside cached lists, they get beside dear requests


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    source, file = random.Random(1), folder / "town.json"
    known = vocabulary(source, 4_000)
    file.write_text(json.dumps(town(source, known)))
    server = make_town(binary, folder / "town", "--now", NOW, prefix=[*limited(), *uninterrupted()], of=file)
    token = make_token(binary, server)
    found, row = search(server, Client(server, token), Tries(random.Random(2), known), short)
    row.check(server.stop() == 0, "it ends as ever", server.said)
    server = Server(binary, server.data, "--now", NOW, "--proxy", "127.0.0.1", prefix=[*limited(), *pinned(0)]).ready()
    return [row, strangers(server, [cost.request.target for cost in found[:50]], short)]


# The town

def vocabulary(source: random.Random, count: int) -> list[str]:
    parts = "ba co di fu ge har is jo kel lu mar no or pe quin ros sal ti".split()
    found = {"".join(source.choice(parts) for _ in range(source.randint(1, 4))) for _ in range(4 * count)}
    return source.sample(sorted(found), count)


def town(source: random.Random, known: list[str]) -> dict[str, Any]:
    """A dataset. The same seed gives the same town."""
    zones = [None] * 20 + ["Europe/Paris", "Asia/Tokyo", "America/Toronto"]

    def words(count: int) -> str:
        """A text whose first words are much more frequent than the last, as in any language."""
        return " ".join(known[int(len(known) ** source.random()) - 1] for _ in range(count))

    def place() -> dict[str, Any]:
        return {"latitude": round(48.3 + source.random() / 5, 5), "longitude": round(-123.8 + source.random() / 5, 5)}

    def hours() -> list[dict[str, Any]]:
        opens, closes = source.randint(5, 12), source.randint(14, 25)
        return [{"day_of_week": day, "open_time": f"{opens:02}:00", "close_time": f"{closes % 24:02}:30"}
                for day in range(source.randint(0, 7))]

    def event(kind: str, n: int, **fields: Any) -> dict[str, Any]:
        return {"name": f"{kind} {words(2)}", "slug": f"{kind}-{n}", "event_type": f"type-{n % 10}",
                "status": "approved", "description": words(20), **fields}

    businesses = [{"name": words(3), "slug": f"b{n}", "category": f"category-{n % 30}", "description": words(40),
                   "address": f"{n} {words(2)}", **place(), "hours": hours(), "time_zone": source.choice(zones),
                   "menus": [{"name": words(2), "items": [{"name": words(8), "price": "9.50"}]}]}
                  for n in range(BUSINESSES)]
    events = [event("rare", n, business=f"b{n}", rrule="FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR;BYMONTH=2,3",
                    starts_at=f"2026-{1 + n % 12:02}-{1 + n % 28:02}T{n % 24:02}:00:00Z") for n in range(SERIES)]
    events += [event("once", n, status=source.choice(["approved"] * 9 + ["cancelled"]), **place(),
                     starts_at=f"{2026 + n % 3}-{1 + n % 12:02}-{1 + n % 28:02}T19:00:00Z") for n in range(SINGLES)]
    events += [event("often", n, business=f"b{n}", starts_at="2026-01-05T19:00:00Z", ends_at="2026-01-05T21:00:00Z",
                     rrule=source.choice(["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=MONTHLY;BYDAY=-1SU"]))
               for n in range(100)]
    return {"format": "sooke/1", "businesses": businesses, "events": events,
            "categories": [{"name": f"Category {n}", "slug": f"category-{n}"} for n in range(30)],
            "event_types": [{"name": f"Type {n}", "slug": f"type-{n}"} for n in range(10)]}


# Requests

SLUGS = {"businesses": ["b1", "b19999", "b1.geojson", "nope"], "categories": ["category-1", "nope"],
         "event-types": ["type-1", "nope"], "events": ["rare-1", "often-1", "once-1", "rare-1.ics", "often-2.ics"]}
PAGES = {"/": [], "/businesses": ["q", "category", "open", "near", "page"], "/businesses/{slug}": [],
         "/events": ["when", "type", "business", "from"], "/events/{slug}": [], "/week": [], "/sitemap.xml": ["part"],
         "/robots.txt": [], "/site.webmanifest": [], "/nowhere": []}
MOMENTS = ["0001-01-01", "9999-12-31", "2026-11-21", "2027-01-01", "2400-01-01", "2032-02-13", "2026-11-21T09:30:00Z"]
# What each parameter is tried with: what is usual, what matches most, what matches nothing, what is long.
VALUES = {
    "search": ["a", "ba", "zzz", "marmar", "rare", "e" * 200], "category": ["category-1", "nope"],
    "event_type": ["type-1", "nope"], "type": ["type-2"], "open_now": ["true", "false"], "all": ["true", "false"],
    "open_at": ["2026-12-24T18:00:00-08:00", "2031-01-01T03:00:00Z", "0001-01-01T00:00:00Z"],
    "near": ["48.37,-123.72", "48.3,-123.8", "0,0", "-48.4,56.3"], "radius_m": ["100", "5000", "20000000"],
    "bbox": ["-123.8,48.3,-123.6,48.5", "-180,-90,180,90", "170,-90,-170,90", "-123.71,48.37,-123.7,48.38"],
    "updated_since": ["2020-01-01T00:00:00Z", "2026-11-21T00:00:00Z", "2099-01-01T00:00:00Z"],
    "sort": ["name", "distance", "updated", "relevance"], "tz": ["Asia/Tokyo", "UTC"],
    "fields": ["id", "id,slug,name", "name", "status,today_hours,matches", "distance_m"],
    "page": ["1", "2", "150", "999999"], "per_page": ["1", "20", "100"],
    "business": ["b1", "b999", "b19999", "nope"], "from": MOMENTS, "to": MOMENTS, "when": ["today", "weekend", "week"],
    "open": ["1", "0"], "part": ["1", "2", "3"], "status": ["approved", "cancelled", "draft"], "since": ["0"],
    "topics": ["business", "event", "nope", "b1", "event,nope", "category", "b1,b2,b3,rare-1", "event_type"],
}


@dataclass(frozen=True)
class Request:
    """A request of a public route."""

    path: str
    pairs: tuple[tuple[str, str], ...] = ()

    @property
    def target(self) -> str:
        return self.path + ("?" + urllib.parse.urlencode(self.pairs) if self.pairs else "")


@dataclass
class Cost:
    """What a request cost, in seconds of processor time, and what came back."""

    request: Request
    seconds: float
    status: int
    size: int
    parts: int  # in which it was sent; 0 when it was sent as a whole

    def is_cheap(self, factor: float) -> bool:
        most = max(MOST, MOST_OF_PART * self.parts, MOST_OF_NOTHING if self.parts else 0)
        return self.seconds <= most * factor

    def __str__(self) -> str:
        size = f"{self.size / 1024:,.0f} KiB" + (f" in {self.parts:,}" if self.parts else "")
        return f"{1000 * self.seconds:8.2f} ms  {self.status}  {size:>20}  {self.request.target[:200]}"


class Client:
    """A client with an account: responses to strangers come from a cache when they are repeated."""

    def __init__(self, server: Server, token: str) -> None:
        self._pid = server.pid
        host = urllib.parse.urlsplit(server.url)
        self._head = f"HTTP/1.1\r\nHost: {host.netloc}\r\nAuthorization: Bearer {token}\r\n\r\n"
        self._socket = socket.create_connection((host.hostname, host.port), timeout=60)
        self._input = self._socket.makefile("rb", buffering=2**18)

    def ask(self, request: Request) -> Cost:
        before = cpu_seconds(self._pid)
        self._socket.sendall(f"GET {request.target} {self._head}".encode())
        status, size, parts = read(self._input)
        return Cost(request, cpu_seconds(self._pid) - before, status, size, parts)

    def least(self, request: Request, times: int) -> Cost:
        """The cheapest of some answers: the server does other things at times."""
        return min((self.ask(request) for _ in range(times)), key=lambda cost: cost.seconds)


def read(answers: BinaryIO) -> tuple[int, int, int]:
    """Reads a whole answer: its status, its size, and in how many parts it came."""
    status = int(answers.readline().split()[1])
    fields = dict(line.lower().split(b": ", 1) for line in iter(answers.readline, b"\r\n"))
    if b"transfer-encoding" not in fields:
        return status, len(answers.read(int(fields.get(b"content-length", b"0")))), 0
    size = parts = 0
    while count := int(answers.readline(), 16):
        answers.read(count + 2)
        size, parts = size + count, parts + 1
    answers.readline()
    return status, size, parts


class Tries:
    """Random requests of a route, which is a path and its parameters, and random changes of them."""

    def __init__(self, source: random.Random, known: list[str]) -> None:
        self._source, common, rare = source, known[:40], known[-200:]
        self._values = {**VALUES, "q": [
            *common[:6], "b", "category", "rare", "b c d f g", " ".join(common[:8]), f'"{common[0]} {common[1]}"',
            f'"{common[0]}"', "-".join(common[:4]), "harbuor", *source.sample(rare, 4), "ba co di fu ge har is jo",
            "type", "a" * 24, " ".join(word[:2] for word in common[:10])]}

    def request(self, path: str, names: list[str], density: float) -> Request:
        before, opened, after = path.partition("{")
        if opened:
            path = before + self._source.choice(SLUGS.get(before.split("/")[-2], ["1"]))
        return Request(path, tuple(self._pair(name) for name in names if self._source.random() < density))

    def _pair(self, name: str) -> tuple[str, str]:
        return name, self._source.choice(self._values.get(name, ["1"]))

    def changed(self, request: Request, names: list[str]) -> Request:
        """The request with one parameter more, less or with another value."""
        pair = self._pair(self._source.choice(names))
        others = [other for other in request.pairs if other[0] != pair[0]]
        is_less = len(others) < len(request.pairs) and self._source.random() < 0.4
        return Request(request.path, tuple(others if is_less else [*others, pair]))


def search(server: Server, client: Client, tries: Tries, short: bool) -> tuple[list[Cost], Row]:
    """Looks for the dearest requests, prints them, and checks that none of them is dearer than it may be."""
    row = Row("dearest: the dearest requests of every public route")
    (count, rounds), tests = (12, 3) if short else (80, 12), 0
    wait_for(lambda: send(server.url, "/api/v1/businesses?q=a").status == 200, 60)  # the search is ready
    paths = send(server.url, "/openapi.json").json()["paths"]
    routes = {path: [each["name"] for each in methods["get"].get("parameters", [])
                     if each["in"] == "query" and each["name"] != "cursor"]
              for path, methods in paths.items() if "get" in methods and not methods["get"].get("security")}
    row.check(len(routes) > 10, "there are public routes", routes)
    dear: list[Request] = []
    for path, names in (routes | PAGES).items():
        costs: dict[Request, Cost] = {}
        tried = {tries.request(path, names, density) for density in (0, 0.15, 0.3, 0.6) for _ in range(count)}
        for _ in range(rounds + 1):
            for request in sorted(tried - costs.keys(), key=lambda request: request.target):
                costs[request] = client.least(request, 2)
            dearest = sorted(costs, key=lambda request: -costs[request].seconds)[:KEPT]
            tried = {tries.changed(request, names) for request in dearest for _ in range(count // 4) if names}
        dear += dearest
        tests += len(costs)
    factor = slowness() * (3 if short else 1)
    found = [client.least(request, 2) for request in dear]
    for pause in (0, 1, 5):  # those that look dear are asked again: another process had the core, or its caches
        dear = [cost.request for cost in found if not cost.is_cheap(factor)]
        time.sleep(pause if dear else 0)
        again = {request: client.least(request, 16) for request in dear}
        found = [min(cost, again.get(cost.request, cost), key=lambda cost: cost.seconds) for cost in found]
    found.sort(key=lambda cost: -cost.seconds)
    whole, parts = [cost for cost in found if not cost.parts], [cost for cost in found if cost.parts]
    print(*parts[:SHOWN], *whole[:SHOWN], sep="\n")
    for cost in found:
        row.check(cost.is_cheap(factor), f"at most {1000 * MOST * factor:.0f} ms", cost)
    row.figures = (f"{tests:,} requests of {len(routes | PAGES)} routes; "
                   f"{1000 * whole[0].seconds:.1f} ms of processor time at most, "
                   f"{1000 * max(cost.seconds / cost.parts for cost in parts):.2f} ms for a part of a list")
    return found, row


def uninterrupted() -> list[str]:
    """In front of a program, lets no other take its core, where that is allowed."""
    first = ["chrt", "--fifo", "1"]
    return first if subprocess.run([*first, "true"], capture_output=True).returncode == 0 else []


def slowness() -> float:
    """How much slower this machine is than the one for which the bounds were set; at least 1."""
    taken = []
    for _ in range(5):
        began = time.process_time()
        sum(n * n % 7 for n in range(400_000))
        taken.append(time.process_time() - began)
    return max(1, min(taken) / LOOP)


# In a loop

@contextlib.contextmanager
def stranger(url: str, address: str, targets: list[str], rate: float | None = None) -> Iterator[Counter[int]]:
    """A client with an address of its own behind a proxy, which sends requests without end, or so many a second; the
    statuses of the answers."""
    host, end, statuses = urllib.parse.urlsplit(url), threading.Event(), Counter[int]()
    clients = [socket.create_connection((host.hostname, host.port), timeout=60) for _ in range(1 if rate else 32)]

    def work(client: socket.socket, turn: int, at_once: int) -> None:
        answers = client.makefile("rb", buffering=2**16)
        with contextlib.suppress(OSError, IndexError, ValueError):  # it has left, perhaps in the middle of an answer
            while not end.wait(1 / rate if rate else 0):
                turns = range(turn, turn + at_once)
                turn = turns.stop
                client.sendall("".join(f"GET {targets[n % len(targets)]} HTTP/1.1\r\nHost: {host.netloc}\r\n"
                                       f"X-Forwarded-For: {address}\r\n\r\n" for n in turns).encode())
                for _ in turns:
                    statuses[read(answers)[0]] += 1

    threads = [threading.Thread(target=work, args=(client, 251 * number, 1 if rate else 60))
               for number, client in enumerate(clients)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        end.set()
        for client, thread in zip(clients, threads):
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
            thread.join()
            client.close()


def strangers(server: Server, dear: list[str], short: bool) -> Row:
    """They wait and are refused, and others are not. Readers get at least half of what they get beside cached lists."""
    row = Row("dearest: strangers who send them in a loop")
    wait_for(lambda: send(server.url, "/api/v1/businesses?q=a").status == 200, 60)
    # More targets than the cache holds.
    figures, statuses = beside(row, server, [f"{LIST}&q=firs+harbuor+{n}" for n in range(8000)])
    row.check(all(set(each) == {200, 429} for each in statuses), "they are served or told to wait", statuses)
    row.figures = f"{sum(each[429] for each in statuses):,} requests refused, {figures.requests:,} of readers answered"
    if not short:
        cached = ["/api/v1/categories"]
        rounds = [[beside(row, server, targets)[0].good for targets in (dear, cached)] for _ in range(3)]
        share = statistics.median(one / other for one, other in rounds)
        row.check(share >= LEAST, f"readers get {LEAST:.0%} of what they get beside cached lists", rounds)
        row.figures += f"; readers get {share:.0%} beside the dearest"
    row.check(server.stop() == 0, "it ends as ever", server.said)
    return row


def beside(row: Row, server: Server, targets: list[str]) -> tuple[Figures, list[Counter[int]]]:
    """What readers get beside two strangers who ask for as much as is answered, and what these get."""
    health: Counter[int] = Counter()
    # The readers are the proxy itself, which has no share. They keep the event loop busy.
    readers = Load(server.url + LIST, "--connections", "8", "--seconds", "5", prefix=pinned(1))
    with (stranger(server.url, "192.0.2.1", targets) as one, stranger(server.url, "192.0.2.2", targets[::-1]) as two,
          stranger(server.url, "198.51.100.1", ["/api/v1/categories"], rate=20) as other):
        for _ in range(40):
            health[send(server.url, "/api/v1/health", headers={"X-Forwarded-For": "192.0.2.1"}).status] += 1
            time.sleep(0.1)
        figures = readers.figures()
    row.check(set(other) == {200}, "another network is served", other)
    row.check(set(health) == {200}, "health is answered whoever asks", health)
    row.check(set(figures.statuses) == {"200"} and figures.failed == 0, "the readers are served", figures)
    return figures, [one, two]
