"""What a million businesses cost beside a thousand: requests, searches, the start and memory."""

import random
import re
import resource
import signal
import socket
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import towns
from bench import Bench
from generator import generate
from harness import send
from reading import LIST, rate
from results import Bound, Result, Side, compare
from rig import Process, Skip

LARGE, SMALL, PER_PAGE = 1_000_000, 1_000, 20
SAME_TIME = Bound(1.3, 1.1, at_most=True)
SEARCH = Bound(10, 2, at_most=True)  # ms
START = Bound(10, 4, at_most=True)  # s
MEMORY = Bound(1.6, 1.0, at_most=True)  # kB a business
IDLE = Bound(8, 2, at_most=True)  # KiB a connection
IDLE_CONNECTIONS = 10_000
LONGEST = 60.0  # seconds that all starts may take: with slow ones there are fewer


def size(bench: Bench) -> list[Result]:
    """Lists, details and lists of a category, all of them at random, so that no cache has them."""
    results = []
    for what, path in (("list", list_path), ("detail", detail_path), ("list of a category", category_path)):
        large, small = (file_of_paths(bench, f"{what}-{businesses}", [path(businesses) for _ in range(20_000)])
                        for businesses in (LARGE, SMALL))
        results.append(times(bench, f"{what} at a million businesses, against a thousand", {
            "million": (bench.town(LARGE), large), "thousand": (bench.town(SMALL), small)}))
    return results


def list_path(businesses: int) -> str:
    return f"{LIST}?page={random.randint(1, businesses // PER_PAGE)}"


def detail_path(businesses: int) -> str:
    return f"{LIST}/town-{random.randint(1, businesses)}"


def category_path(businesses: int) -> str:
    """A full page of any category; all have the same number of businesses."""
    pages = businesses // len(towns.CATEGORIES) // PER_PAGE
    category = urllib.parse.quote(random.choice(towns.CATEGORIES).lower())
    return f"{LIST}?category={category}&page={random.randint(1, pages)}"


def deep_page(bench: Bench) -> list[Result]:
    """Pages from 40,000 on against those from 1 on."""
    server = bench.town(LARGE)
    deep, first = (file_of_paths(bench, f"pages-{start}", [f"{LIST}?page={start + step}" for step in range(500)])
                   for start in (40_000, 1))
    return [times(bench, "page 40,000 of a million businesses, against page 1", {
        "page 40,000": (server, deep), "page 1": (server, first)})]


def times(bench: Bench, what: str, servers: dict[str, tuple[Process, Path]]) -> Result:
    """How much longer a request takes at one than at the other, with 64 connections."""
    def turn(server: Process, paths: Path) -> Callable[[], float]:
        measured = rate(bench, server.url, paths)
        return lambda: 1e6 / measured()
    one, other = bench.alternate("µs", {name: turn(*each) for name, each in servers.items()})
    return compare(what, SAME_TIME, one, other)


def file_of_paths(bench: Bench, name: str, paths: list[str]) -> Path:
    file = bench.scratch / name.replace(" ", "-")
    file.write_text("".join(f"{path}\n" for path in paths))
    return file


def search(bench: Bench) -> list[Result]:
    """Three letters and more: what many names have, what few have, and what none has."""
    dice = random.Random(1)
    common = [word[:dice.randint(3, len(word))].lower() for word in towns.QUALITIES + towns.THINGS + towns.TRADES]
    few = [towns.surname(dice.randrange(8000)).lower() for _ in range(120)]
    none = ["".join(dice.choices("bcdfghjkmnpqrstvwxz", k=dice.randint(3, 12))) for _ in range(120)]
    terms = [term for three in zip(common * 2, few, none) for term in three]
    paths = file_of_paths(bench, "searches", [f"{LIST}?search={urllib.parse.quote(term)}" for term in terms])
    url = bench.town(LARGE).url
    generate(url, 1, 1, paths)
    sides = bench.alternate("ms p99", {
        "one connection": lambda: generate(url, 1, bench.seconds, paths).p99,
        "200 a second": lambda: generate(url, 4, bench.seconds, paths, pause=20).p99})
    return [Result(f"search of a million names, {side.name}", SEARCH, side.median, "ms", [side],
                   f"p99 of {len(set(terms))} terms") for side in sides]


def start(bench: Bench) -> list[Result]:
    """From the start of the process to the first good answer, and the memory that it has by then."""
    data = towns.town(bench, LARGE)
    taken, memory = Side("sooke", "s"), Side("sooke", "kB")
    with bench.serve(bench.scratch / "empty") as empty:
        send(empty.url, LIST)
        base = resident(empty)
    began = time.monotonic()
    while len(taken.values) < bench.runs and (not taken.values or time.monotonic() - began < LONGEST):
        bench.tell(f"start {len(taken.values) + 1} of {bench.runs}")
        first = time.monotonic()
        server = Process(bench.binary, data)
        try:
            server.ready(timeout=300)
            if send(server.url, f"{LIST}/town-{LARGE}").status != 200:
                raise RuntimeError("the last business is not there")
            taken.values.append(time.monotonic() - first)
            memory.values.append((resident(server) - base) / LARGE / 1000)
        finally:
            server.stop(timeout=60)
    remark = f"{len(taken.values)} starts, the files in the page cache"
    return [Result("start with a million businesses to the first answer", START, taken.median, "s", [taken], remark),
            Result("memory of a business, of a million", MEMORY, memory.median, "kB", [memory],
                   f"an empty town has {base / 1e6:.1f} MB")]


def resident(server: Process) -> int:
    """The memory of a process that is in use, in bytes."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.M)
    assert found
    return int(found[1]) * 1024


def idle(bench: Bench) -> list[Result]:
    """Connections that are kept open after a request each."""
    if "--max-connections" not in bench.options:
        raise Skip("the server has no option --max-connections")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < IDLE_CONNECTIONS + 200:
        raise Skip(f"a process may open only {most} files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # More than are used: a server that is nearly full lets idle ones go sooner.
    limit = min(most - 100, 2 * IDLE_CONNECTIONS)
    server = Process(bench.binary, bench.scratch / "idle", "--max-connections", str(limit))
    connections: list[socket.socket] = []
    try:
        server.ready()
        ask(server.url).close()
        before = resident(server)
        for number in range(IDLE_CONNECTIONS):
            connections.append(ask(server.url))
            if number % 500 == 0:
                bench.tell(f"{number:,} connections")
        after = resident(server)
        for connection in connections[::100]:
            ask_again(connection)  # they are still there
    finally:
        for connection in connections:
            connection.close()
        server.stop(signal.SIGKILL)
    each = Side("sooke", "KiB", [(after - before) / IDLE_CONNECTIONS / 1024])
    return [Result(f"memory of an idle connection, of {IDLE_CONNECTIONS:,}", IDLE, each.median, "KiB", [each],
                   "without the kernel's part")]


def ask(url: str) -> socket.socket:
    """A new connection that has had one answer."""
    address = urllib.parse.urlsplit(url)
    connection = socket.create_connection((address.hostname, address.port), timeout=10)
    ask_again(connection)
    return connection


def ask_again(connection: socket.socket) -> None:
    connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    if not connection.recv(65536).startswith(b"HTTP/1.1 200 "):
        raise RuntimeError("an idle connection was not answered")
