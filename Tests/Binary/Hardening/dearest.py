#!/usr/bin/env python3
"""Looks for the dearest requests that a stranger can send, among the parameters of every public route of /openapi.json
and of the pages, and among the fields of forms.

The town has 20,000 businesses with words, hours and menus, and 1,000 events whose rule has an occurrence every few years.
Random requests are tried first; the dearest of each route are then changed, one parameter at a time, as long as that makes
them dearer. What counts is the processor time of all threads of the server. A request may take 5 ms; a list that is sent in
parts may take more, but 1 ms for each part, since the other clients have their turn between them. On a machine that is
slower than the one on which these bounds were set, they are higher, by the time of a loop in Python.

The ten dearest requests are printed, of those that are sent in parts and of the others. With --output the ten dearest
of all are also written to a file, one `GET /path?query` a line: the requests that a test sends whose strangers want to
slow the others down.
"""

import argparse
import json
import random
import re
import shutil
import socket
import sys
import tempfile
import time
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))
from base import DESCRIPTORS, limited, make_token  # noqa: E402
from harness import Server, end_cleanly_when_told, executable, load, send  # noqa: E402
from checks import Row  # noqa: E402

BUSINESSES, SERIES, SINGLES = 20_000, 1_000, 2_000
RARE = "FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR;BYMONTH=2,3"
MOST, MOST_OF_PART = 0.005, 0.001  # seconds of processor time: of a request, and of a part of a list
LOOP = 0.021  # seconds that `slowness` takes on the machine for which these are
NOW = "2026-11-21T09:30:00Z"
KEPT, SHOWN = 6, 10  # the dearest requests of a route that are changed further, and of all that are shown


# The town

def words(source: random.Random, vocabulary: list[str], count: int) -> str:
    """A text whose first words are much more frequent than the last, as in any language."""
    return " ".join(vocabulary[int(len(vocabulary) ** source.random()) - 1] for _ in range(count))


def vocabulary(source: random.Random, count: int) -> list[str]:
    parts = ["ba", "co", "di", "fu", "ge", "har", "is", "jo", "kel", "lu", "mar", "no", "or", "pe", "quin", "ros", "sal", "ti"]
    found = {"".join(source.choice(parts) for _ in range(source.randint(1, 4))) for _ in range(4 * count)}
    return source.sample(sorted(found), count)


def town(source: random.Random) -> dict[str, Any]:
    """A dataset. The same seed gives the same town."""
    known = vocabulary(source, 4_000)
    categories = [{"name": f"Category {n}", "slug": f"category-{n}"} for n in range(30)]
    types = [{"name": f"Type {n}", "slug": f"type-{n}"} for n in range(10)]
    zones = [None] * 20 + ["Europe/Paris", "Asia/Tokyo", "America/Toronto"]

    def hours() -> list[dict[str, Any]]:
        opens, closes = source.randint(5, 12), source.randint(14, 25)
        return [{"day_of_week": day, "open_time": f"{opens:02}:00", "close_time": f"{closes % 24:02}:{source.choice([0, 30]):02}"}
                for day in range(source.randint(0, 7))]

    def menus() -> list[dict[str, Any]]:
        return [{"name": words(source, known, 2), "items": [
            {"name": words(source, known, 2), "description": words(source, known, 6), "price": "9.50"} for _ in range(6)]}]

    def place() -> dict[str, float]:
        return {"latitude": round(48.3 + source.random() / 5, 5), "longitude": round(-123.8 + source.random() / 5, 5)}

    businesses = [{"name": words(source, known, 3), "slug": f"b{n}", "category": categories[n % 30]["slug"],
                   "description": words(source, known, 40), "address": f"{n} {words(source, known, 2)}", **place(),
                   "hours": hours(), "time_zone": source.choice(zones), "menus": menus() if n % 2 else []}
                  for n in range(BUSINESSES)]
    events = [{"name": f"Rare {words(source, known, 2)}", "slug": f"rare-{n}", "event_type": types[n % 10]["slug"],
               "business": f"b{n}", "description": words(source, known, 20), "status": "approved",
               "starts_at": f"2026-{1 + n % 12:02}-{1 + n % 28:02}T{n % 24:02}:00:00Z", "rrule": RARE} for n in range(SERIES)]
    events += [{"name": words(source, known, 3), "slug": f"once-{n}", "event_type": types[n % 10]["slug"],
                "description": words(source, known, 20), "status": source.choice(["approved"] * 9 + ["cancelled"]), **place(),
                "starts_at": f"{2026 + n % 3}-{1 + n % 12:02}-{1 + n % 28:02}T19:00:00Z"} for n in range(SINGLES)]
    events += [{"name": words(source, known, 3), "slug": f"often-{n}", "event_type": types[n % 10]["slug"], "status": "approved",
                "business": f"b{n}", "starts_at": "2026-01-05T19:00:00Z", "ends_at": "2026-01-05T21:00:00Z",
                "rrule": source.choice(["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=MONTHLY;BYDAY=-1SU"])}
               for n in range(100)]
    return {"format": "sooke/1", "categories": categories, "event_types": types, "businesses": businesses, "events": events}


def make_town(binary: Path, folder: Path) -> Server:
    """The town, served."""
    file = folder / "town.json"
    file.write_text(json.dumps(town(random.Random(1))))
    load(binary, folder / "town", file)
    return Server(binary, folder / "town", "--now", NOW, "--write-limit", "1000000", prefix=limited(DESCRIPTORS)).ready()


# Requests

def values(source: random.Random, known: list[str]) -> dict[str, list[str]]:
    """What each parameter is tried with: what is usual, what matches most, what matches nothing, what is long."""
    common, rare = known[:40], known[-200:]
    moments = ["0001-01-01", "9999-12-31", "2026-11-21", "2027-01-01", "2400-01-01", "2032-02-13", "2026-11-21T09:30:00Z", "1950-06-01"]
    return {
        "q": [*common[:6], "b", "category", "rare", "b c d f g", " ".join(common[:8]), f'"{common[0]} {common[1]}"',
              f'"{common[0]}"', "-".join(common[:4]), "harbuor", *source.sample(rare, 4), "ba co di fu ge har is jo", "type",
              "aaaaaaaaaaaaaaaaaaaaaaaa", " ".join(word[:2] for word in common[:10])],
        "search": ["a", "ba", "zzz", common[0], "marmar", "rare", "e" * 200],
        "category": ["category-1", "nope"], "event_type": ["type-1", "nope"], "type": ["type-2"],
        "open_now": ["true", "false"], "open_at": ["2026-12-24T18:00:00-08:00", "2031-01-01T03:00:00Z", "0001-01-01T00:00:00Z"],
        "near": ["48.37,-123.72", "48.3,-123.8", "0,0", "-48.4,56.3"], "radius_m": ["100", "5000", "20000000"],
        "bbox": ["-123.8,48.3,-123.6,48.5", "-180,-90,180,90", "170,-90,-170,90", "-123.71,48.37,-123.7,48.38"],
        "updated_since": ["2020-01-01T00:00:00Z", "2026-11-21T00:00:00Z", "2099-01-01T00:00:00Z"],
        "sort": ["name", "distance", "updated", "relevance"], "tz": ["Asia/Tokyo", "UTC"],
        "fields": ["id", "id,slug,name", "name", "status,today_hours,matches", "distance_m"], "all": ["true", "false"],
        "page": ["1", "2", "150", "999999"], "per_page": ["1", "20", "100"], "cursor": [],
        "business": ["b1", "b999", "b19999", "nope"], "from": moments, "to": moments, "when": ["today", "weekend", "week"],
        "open": ["1", "0"], "part": ["1", "2", "3"],
        "status": ["approved", "cancelled", "draft"], "since": ["0"],
        "topics": ["business", "event", "nope", "b1", "event,nope", "category", "b1,b2,b3,rare-1", "event_type"],
    }


SLUGS = {"businesses": ["b1", "b19999", "b1.geojson", "nope"], "categories": ["category-1", "nope"],
         "event-types": ["type-1", "nope"], "events": ["rare-1", "often-1", "once-1", "rare-1.ics", "often-2.ics", "nope"]}


PAGES = {"/": [], "/businesses": ["q", "category", "open", "near", "page"], "/businesses/{slug}": [],
         "/events": ["when", "type", "business", "from"], "/events/{slug}": [], "/week": [], "/sitemap.xml": ["part"],
         "/robots.txt": [], "/site.webmanifest": [], "/nowhere": []}


# Forms of visitors, and of people with an account. Those whose passwords are compared have a queue of their own.
FORMS = ["/new-event", "/businesses/b1/report", "/account/businesses/b1", "/account/businesses/b1/hours",
         "/account/businesses/b1/menus", "/account/new-event"]
TEXTS = ["", "x", "yes", "true", "x" * 2_000, "ά" * 1_000, "8 pm", "2026-12-24", "2026-12-24\n" * 180, "Mo-Fr 08:00-12:00;" * 60,
         "a, " * 700]
MOST_FORM, MOST_FIELDS = 32 << 10, 4_900  # bytes, and fields


@dataclass(frozen=True)
class Request:
    """A request of a public route, or a form."""

    path: str
    pairs: tuple[tuple[str, str], ...] = ()
    form: bytes = b""

    @property
    def target(self) -> str:
        return self.path + ("?" + urllib.parse.urlencode(self.pairs) if self.pairs else "")


@dataclass
class Answer:
    """What a request cost, in seconds of processor time, and what came back."""

    request: Request
    cost: float
    status: int
    size: int
    parts: int  # in which it was sent; 0 when it was sent as a whole

    def is_cheap(self, factor: float) -> bool:
        return self.cost <= MOST * factor or self.cost <= MOST_OF_PART * factor * self.parts

    def __str__(self) -> str:
        size = f"{self.size / 1024:,.0f} KiB" + (f" in {self.parts:,}" if self.parts else "")
        form = f"  {len(self.request.form):,} bytes: {self.request.form[:80].decode()}" if self.request.form else ""
        return f"{1000 * self.cost:8.2f} ms  {self.status}  {size:>20}  {self.request.target[:200]}{form}"


@dataclass
class Route:
    path: str
    parameters: list[str]
    found: dict[Request, Answer] = field(default_factory=dict)

    @property
    def dearest(self) -> list[Answer]:
        return sorted(self.found.values(), key=lambda answer: -answer.cost)


class Server:
    """The server, and the parameters that it describes."""

    def __init__(self, process: Server, token: str, source: random.Random, known: list[str]) -> None:
        self._process, self._source, self._values = process, source, values(source, known)
        # A client with an account: responses to strangers come from a cache when they are repeated.
        host = urllib.parse.urlsplit(process.url)
        self._fields = f"HTTP/1.1\r\nHost: {host.netloc}\r\nAuthorization: Bearer {token}\r\n\r\n"
        self._socket = socket.create_connection((host.hostname, host.port), timeout=60)
        self._input = self._socket.makefile("rb", buffering=2**18)
        # The clock of the processor time that the threads of a process have taken together (clock_getcpuclockid).
        self._clock = (~process.pid << 3) | 2

    def routes(self) -> list[Route]:
        """The public routes, with their parameters. One that answers later what it cannot answer now is asked for now."""
        paths = send(self._process.url, "/openapi.json").json()["paths"]
        described = [Route(path, [p["name"] for p in methods["get"].get("parameters", []) if p["in"] == "query"])
                     for path, methods in paths.items() if "get" in methods and not methods["get"].get("security")]
        return described + [Route(path, names) for path, names in PAGES.items()]

    def ask(self, request: Request) -> Answer:
        before = time.clock_gettime(self._clock)
        if request.form:
            fields = "Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            head = self._fields.replace("\r\n\r\n", f"\r\n{fields}Content-Length: {len(request.form)}\r\n\r\n")
            self._socket.sendall(f"POST {request.target} {head}".encode() + request.form)
        else:
            self._socket.sendall(f"GET {request.target} {self._fields}".encode())
        status = int(self._input.readline().split()[1])
        fields = dict(line.lower().split(b": ", 1) for line in iter(self._input.readline, b"\r\n"))
        size, parts = 0, 0
        if b"transfer-encoding" in fields:
            while count := int(self._input.readline(), 16):
                self._input.read(count + 2)
                size, parts = size + count, parts + 1
            self._input.readline()
        else:
            size = len(self._input.read(int(fields[b"content-length"])))
        return Answer(request, time.clock_gettime(self._clock) - before, status, size, parts)

    def least(self, request: Request, times: int) -> Answer:
        """The cheapest of some answers: the server does other things at times."""
        return min((self.ask(request) for _ in range(times)), key=lambda answer: answer.cost)

    def fairly(self, request: Request, factor: float) -> Answer:
        """What a request costs. One that looks dear is asked again: another process had the core, or its caches."""
        answer = self.least(request, 4)
        for pause in (0, 1, 5):
            if not answer.is_cheap(factor):
                time.sleep(pause)
                answer = min(answer, self.least(request, 16), key=lambda answer: answer.cost)
        return answer

    def random(self, route: Route, density: float) -> Request:
        path = route.path
        if "{" in path:
            kind = path.split("{")[0].split("/")[-2]
            path = path.split("{")[0] + self._source.choice(SLUGS.get(kind, ["1"]))
        names = [name for name in route.parameters if self._source.random() < density]
        return Request(path, tuple(pair for name in names if (pair := self._pair(name))))

    def _pair(self, name: str) -> tuple[str, str] | None:
        known = self._values.get(name, ["1"])
        return (name, self._source.choice(known)) if known else None

    def changed(self, request: Request, route: Route) -> Request:
        """The request with one parameter more, less or with another value."""
        pairs = list(request.pairs)
        name = self._source.choice(route.parameters)
        others = [pair for pair in pairs if pair[0] != name]
        pair = self._pair(name)
        if pair is None or len(others) < len(pairs) and self._source.random() < 0.4:
            return Request(request.path, tuple(others))
        return Request(request.path, (*others, pair))

    def search(self, route: Route, tries: int, rounds: int) -> None:
        """Looks for the dearest requests of a route."""
        tried = {self.random(route, density) for density in (0, 0.15, 0.3, 0.6) for _ in range(tries)}
        for _ in range(rounds + 1):
            for request in sorted(tried - route.found.keys(), key=lambda request: request.target):
                answer = self.ask(request)
                kept = route.dearest[KEPT - 1 : KEPT]
                if not kept or answer.cost > kept[0].cost:
                    answer = min(answer, self.ask(request), key=lambda answer: answer.cost)
                route.found[request] = answer
            if not route.parameters:
                return
            tried = {self.changed(answer.request, route) for answer in route.dearest[:KEPT] for _ in range(tries // 4)}


def forms(server: Server, url: str, fields: dict[str, str], tries: int, source: random.Random) -> list[Answer]:
    """The dearest answers to random forms: some fields of a page, most of them once, one of them very often."""
    found = []
    for path in FORMS:
        names = sorted(set(re.findall(r' name="([^"]+)"', send(url, path, headers=fields).body.decode())))
        for _ in range(tries):
            pairs = [(name, source.choice(TEXTS)) for name in names if source.random() < 0.7]
            often, text = source.choice([*names, "f"]), source.choice(TEXTS[:4])
            pairs += [(often, text)] * source.choice([0, 0, 900, MOST_FIELDS])
            source.shuffle(pairs)
            form = urllib.parse.urlencode(pairs).encode()
            found.append(server.ask(Request(path, form=form[:MOST_FORM].rpartition(b"&")[0] or b"f=")))
    return sorted(found, key=lambda answer: -answer.cost)[: 2 * KEPT]


def slowness() -> float:
    """How much slower this machine is than the one for which the bounds were set; at least 1."""
    taken = []
    for _ in range(5):
        began = time.process_time()
        sum(n * n % 7 for n in range(400_000))
        taken.append(time.process_time() - began)
    return max(1, min(taken) / LOOP)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    return search(binary, folder, *((12, 3) if short else (80, 12)))


def search(binary: Path, folder: Path, tries: int, rounds: int, output: Path | None = None) -> list[Row]:
    """Searches, prints the dearest requests, and checks that none of them is dearer than it may be."""
    row = Row("dearest: the dearest requests of every public route")
    source = random.Random(2)
    process = make_town(binary, folder)
    try:
        token = make_token(binary, process)
        server = Server(process, token, source, vocabulary(random.Random(1), 4_000))
        wait_until_searchable(process)
        routes = server.routes()
        for route in routes:
            server.search(route, tries, rounds)
        factor = slowness()
        dear = [answer.request for route in routes for answer in route.dearest[:KEPT]]
        fields = {"Authorization": f"Bearer {token}"}
        dear += [answer.request for answer in forms(server, process.url, fields, 2 * tries, source)]
        found = [server.fairly(request, factor) for request in dear]
        found.sort(key=lambda answer: -answer.cost)
        for shown in ([a for a in found if a.parts], [a for a in found if not a.parts]):
            print(*shown[:SHOWN], sep="\n")
        for answer in found:
            row.check(answer.is_cheap(factor), f"at most {1000 * MOST * factor:.0f} ms", answer)
        row.check(len(routes) > 10, "there are public routes", routes)
        row.check(process.stop() == 0, "it ends as ever", process.said)
        if output:
            targets = [answer.request.target for answer in found if not answer.request.form]
            output.write_text("".join(f"GET {target}\n" for target in targets[:SHOWN]))
    finally:
        process.kill()
    count = sum(len(route.found) for route in routes)
    whole = max((answer for answer in found if not answer.parts), key=lambda answer: answer.cost)
    parts = max((answer.cost / answer.parts for answer in found if answer.parts), default=0)
    row.figures = (f"{count:,} requests of {len(routes)} routes; {1000 * whole.cost:.1f} ms of processor time at most, "
                   f"{1000 * parts:.2f} ms for a part of a list")
    return [row]


def wait_until_searchable(process: Server) -> None:
    end = time.monotonic() + 60
    while send(process.url, "/api/v1/businesses?q=a").status == 503 and time.monotonic() < end:
        time.sleep(0.2)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=executable, help="the server to test: the executable sooke")
    parser.add_argument("--tries", type=int, default=80, metavar="N", help="how many requests of a route are tried first")
    parser.add_argument("--rounds", type=int, default=12, metavar="N", help="how often the dearest are changed")
    parser.add_argument("--output", type=Path, metavar="FILE", help="where to write the ten dearest requests")
    options = parser.parse_args()
    end_cleanly_when_told()
    folder = Path(tempfile.mkdtemp(prefix="sooke-dearest-"))
    try:
        row = search(options.binary, folder, options.tries, options.rounds, options.output)[0]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{row.figures}; {row.failed} of {row.cases} checks failed")
    return 1 if row.failed else 0


if __name__ == "__main__":
    sys.exit(main())
