"""What 100,000 businesses cost beside a thousand: requests, searches, the start, memory, an import."""

import random
import re
import shutil
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import towns
from bench import Bench
from generator import ask
from harness import Server, send, sooke
from reading import CONNECTIONS, LIST
from results import Bound, Result, Side, compare

TOWN, SMALL, PER_PAGE = 100_000, 1_000, 20
SAME_TIME = Bound(1.3, 1.1, at_most=True)
GROWTH = Bound(1.5, 1.2, at_most=True)
SEARCH = Bound(10, 2, at_most=True)  # ms
START = Bound(0.8, 0.5, at_most=True)  # s
MEMORY = Bound(5, 3, at_most=True)  # kB a business
IMPORT = Bound(50_000, 100_000)  # rows a second
LONGEST = 60.0  # seconds that all starts may take: with slow ones there are fewer

# A parameter that no route reads makes each target another one: no cached response of the small town is sent in the place of
# one that is put together.
NEW = "new={1..1000000000}"


def size(bench: Bench) -> list[Result]:
    """Lists, details and lists of a category, all of them at random, so that no cache has them."""
    kinds = {"list": lists, "detail": details, "list of a category": lists_of_categories}
    return [times(bench, f"{what} at {TOWN:,} businesses, against a thousand", GROWTH, {
        f"{TOWN:,}": (bench.town(TOWN), paths(TOWN)), "thousand": (bench.town(SMALL), paths(SMALL))})
        for what, paths in kinds.items()]


def lists(businesses: int) -> list[str]:
    return [f"{LIST}?page={{1..{businesses // PER_PAGE}}}&{NEW}"]


def details(businesses: int) -> list[str]:
    return [f"{LIST}/town-{{1..{businesses}}}?{NEW}"]


def lists_of_categories(businesses: int) -> list[str]:
    """Full pages of any category; all have the same number of businesses."""
    pages = businesses // len(towns.CATEGORIES) // PER_PAGE
    slugs = [urllib.parse.quote(name.lower()) for name in towns.CATEGORIES]
    return [f"{LIST}?category={slug}&page={{1..{pages}}}&{NEW}" for slug in slugs]


def deep_page(bench: Bench) -> list[Result]:
    """Pages from 4,000 on against the first ones."""
    server = bench.town(TOWN)
    return [times(bench, "page 4,000 of 100,000 businesses, against page 1", SAME_TIME, {
        "page 4,000": (server, [f"{LIST}?page={{4000..4499}}&{NEW}"]),
        "page 1": (server, [f"{LIST}?page={{1..500}}&{NEW}"])})]


def times(bench: Bench, what: str, bound: Bound, sides: dict[str, tuple[Server, list[str]]]) -> Result:
    """How much longer a request takes of one kind than of the other, with 64 connections."""
    def turn(server: Server, paths: list[str]) -> Callable[[], float]:
        ask(bench, server.url, paths, CONNECTIONS, 1)  # to warm up
        return lambda: 1e6 / ask(bench, server.url, paths, CONNECTIONS, bench.seconds).rate
    one, other = bench.alternate("µs", {name: turn(*side) for name, side in sides.items()})
    return compare(what, bound, one, other)


def search(bench: Bench) -> list[Result]:
    """Three letters and more: what many names have, what few have, and what none has."""
    dice = random.Random(1)
    common = [word[:dice.randint(3, len(word))].lower() for word in towns.QUALITIES + towns.THINGS + towns.TRADES]
    few = [towns.surname(dice.randrange(8000)).lower() for _ in range(120)]
    none = ["".join(dice.choices("bcdfghjkmnpqrstvwxz", k=dice.randint(3, 12))) for _ in range(120)]
    terms = [term for three in zip(common * 2, few, none) for term in three]
    url = bench.town(TOWN).url
    paths = [f"{LIST}?search={urllib.parse.quote(term)}" for term in terms]
    ask(bench, url, paths, 1, 1)  # to warm up
    sides = bench.alternate("ms p99", {
        "one connection": lambda: ask(bench, url, paths, 1, bench.seconds).p99,
        "200 a second": lambda: ask(bench, url, paths, CONNECTIONS, bench.seconds, rate=200).p99})
    return [Result(f"search of 100,000 names, {side.name}", SEARCH, side.median, "ms", [side],
                   f"p99 of {len(set(terms))} terms") for side in sides]


def start(bench: Bench) -> list[Result]:
    """From the start of the process to the first good answer, and the memory that it has by then."""
    data = towns.town(bench, TOWN)
    taken, memory = Side("sooke", "s"), Side("sooke", "kB")
    with bench.serve(bench.scratch / "empty") as empty:
        send(empty.url, LIST)
        base = resident(empty)
    began = time.monotonic()
    while len(taken.values) < bench.runs and (not taken.values or time.monotonic() - began < LONGEST):
        bench.tell(f"start {len(taken.values) + 1} of {bench.runs}")
        first = time.monotonic()
        server = Server(bench.binary, data)
        try:
            server.ready(timeout=300)
            if send(server.url, f"{LIST}/town-{TOWN}").status != 200:
                raise RuntimeError("the last business is not there")
            taken.values.append(time.monotonic() - first)
            memory.values.append((resident(server) - base) / TOWN / 1000)
        finally:
            server.stop(timeout=60)
    remark = f"{len(taken.values)} starts, the files in the page cache"
    return [Result(f"start with {TOWN:,} businesses to the first answer", START, taken.median, "s",
                   [taken], remark),
            Result(f"memory of a business, of {TOWN:,}", MEMORY, memory.median, "kB", [memory],
                   f"an empty town has {base / 1e6:.1f} MB")]


def import_table(bench: Bench) -> list[Result]:
    """A table of 100,000 businesses, as a spreadsheet saves it, imported into an empty folder."""
    table, terms = bench.scratch / "businesses.csv", bench.scratch / "categories.ndjson"
    export = sooke(bench.binary, "export", "--data", towns.town(bench, TOWN), "--format", "csv", timeout=300)
    if export.returncode:
        raise RuntimeError(f"the export left with {export.returncode}: {export.stderr[-500:]}")
    table.write_text(export.stdout)
    terms.write_text("".join(towns.lines(1, 0)))
    taken = Side("sooke", "rows/s")
    for number in range(bench.runs):
        data = bench.scratch / f"imported-{number}"
        began = time.monotonic()
        result = sooke(bench.binary, "import", "--data", data, terms, table, timeout=300)
        if result.returncode:
            raise RuntimeError(f"the import left with {result.returncode}: {result.stderr[-500:]}")
        taken.values.append(TOWN / (time.monotonic() - began))
        shutil.rmtree(data)
    return [Result("import of a table of 100,000 rows", IMPORT, taken.median, "rows/s", [taken])]


def resident(server: Server) -> int:
    """The memory of a process that is in use, in bytes."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.M)
    assert found
    return int(found[1]) * 1024
