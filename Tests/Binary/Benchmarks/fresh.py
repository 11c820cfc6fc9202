"""Pages that are asked for for the first time: more different ones than the cache of responses holds, one after the other.

nginx sends the same bytes from files that it keeps open.
"""

import http.client
import threading
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import peers
from bench import Bench
from generator import ask, wrk
from reading import LIST
from results import Bound, Result, compare
from writing import BODY, make_token, town_to_change

BUSINESSES, CONNECTIONS = 100_000, 32
LISTS = [f"{LIST}?page={number}" for number in range(1, 3001)]
DETAILS = [f"{LIST}/town-{number}" for number in range(1, 4001)]
FILE_CACHE = "open_file_cache max=10000;"
COMMITS = 50  # a second


def pages(bench: Bench) -> list[Result]:
    """Lists and details."""
    return [*against_files(bench, "list", LISTS, Bound(0.8, 1.2)), *against_files(bench, "detail", DETAILS, Bound(1, 1.3))]


def against_files(bench: Bench, what: str, paths: list[str], bound: Bound) -> list[Result]:
    """The server against nginx with a file for each page."""
    url = bench.town(BUSINESSES).url
    bench.tell(f"fetching {len(paths):,} different {what} pages")
    files = {f"/{what}/{number}": body for number, body in enumerate(bodies(url, paths))}
    with peers.nginx(bench, bench.scratch / f"first-{what}", files, FILE_CACHE) as other:
        sides = bench.alternate("req/s", {
            "sooke": turn(bench, url, paths, what), "nginx, open_file_cache": turn(bench, other, [*files], f"{what}-files")})
    mean = sum(map(len, files.values())) / len(files)
    return [compare(f"first-time {what} pages, against nginx with open_file_cache", bound, *sides,
                    f"{len(files):,} pages, {mean:,.0f} bytes in the mean")]


def bodies(url: str, paths: list[str]) -> list[bytes]:
    """What a server sends for each path."""
    address = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=30)
    found = []
    for path in paths:
        connection.request("GET", path)
        answer = connection.getresponse()
        found.append(answer.read())
        if answer.status != 200:
            raise RuntimeError(f"{path} got {answer.status}")
    connection.close()
    return found


def turn(bench: Bench, url: str, paths: list[str], name: str) -> Callable[[], float]:
    """How many of the pages are sent in a second, one after the other over all connections."""
    file: Path = bench.scratch / f"{name}-paths"
    file.write_text("".join(f"{path}\n" for path in paths))
    wrk(url, CONNECTIONS, 1, file)
    return lambda: wrk(url, CONNECTIONS, bench.seconds, file).rate


def beside_commits(bench: Bench) -> list[Result]:
    """List pages while everybody's cached responses become worthless 50 times a second."""
    data = town_to_change(bench, "commits", BUSINESSES)
    token = make_token(bench, data)
    with bench.serve(data, "--write-limit", "1000000", timeout=120) as server:
        alone = turn(bench, server.url, LISTS, "list")

        def beside() -> float:
            path = [f"{LIST}/town-{{1..{BUSINESSES}}}"]
            writer = threading.Thread(target=ask, args=(bench, server.url, path, 4, bench.seconds + 1),
                                      kwargs={"rate": COMMITS, "body": BODY, "token": token})
            writer.start()
            try:
                return alone()
            finally:
                writer.join()
        sides = bench.alternate("req/s", {"beside": beside, "alone": alone})
    return [compare(f"first-time list pages during {COMMITS} commits a second, against alone", Bound(0.9, 1), *sides)]
