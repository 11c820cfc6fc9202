"""Reads against nginx, which sends the same bytes from files, and against a loop that sends fixed bytes.

*Cached* reads ask for the same again and again; *first-time* ones for more than the cache of responses holds, in turn.
"""

import gzip
import http.client
import json
import socket
import urllib.parse
from collections.abc import Iterator

import peers
from bench import Bench
from harness import send
from results import Bound, Result, compare

LIST = "/api/v1/businesses"
CACHED_CONNECTIONS, CONNECTIONS = 64, 32
QUERIES = {"category": "category=bakeries", "search": "search=caf", "page": "page=2"}
LISTS = [f"{LIST}?page={number}" for number in range(1, 3001)]
DETAILS = [f"{LIST}/town-{number}" for number in range(1, 4001)]
# More than the cache of responses holds, also when they are compressed.
PAGES = [f"/businesses?{which}page={number}" for which, count in (("", 5000), ("open=1&", 2500))
         for number in range(1, count + 1)]
PLACES = [f"/businesses/town-{number}" for number in range(1, 12_001)]


def cached(bench: Bench) -> Iterator[Result]:
    """The list that the app begins with, the business with the most hours and menus, and lists that are chosen from."""
    fullest = max((send(bench.small, f"{LIST}/{slug}").body for slug in slugs(bench)), key=len)
    paths = {"list of 20 businesses": f"{LIST}?tz=America%2FVancouver",
             "detail with hours and menus": f"{LIST}/{json.loads(fullest)['slug']}"}
    for what, path in paths.items():
        yield against_nginx(bench, bench.small, f"cached {what}", [path], Bound(1.2, 1.5), more="")
        yield against_nginx(bench, bench.small, f"cached {what}", [path], Bound(1.1, 1.5))
    for what, query in QUERIES.items():
        yield against_nginx(bench, bench.small, f"cached list by {what}", [f"{LIST}?{query}"], Bound(0.9, 1.3), more="")


def slugs(bench: Bench) -> list[str]:
    return [row["slug"] for row in send(bench.small, f"{LIST}?per_page=100").json()["items"]]


def first_time(bench: Bench) -> Iterator[Result]:
    """Lists and details."""
    yield against_nginx(bench, bench.large, "first-time lists", LISTS, Bound(0.6, 1.2))
    yield against_nginx(bench, bench.large, "first-time details", DETAILS, Bound(0.8, 1.3))


def pages(bench: Bench) -> Iterator[Result]:
    """A list and the page of a business, as they are and compressed; and the list in JSON, in the same run."""
    for coding in ("", "gzip"):
        for what, path, paths in (("list", "/businesses", PAGES), ("business", PLACES[0], PLACES)):
            yield against_nginx(bench, bench.large, f"cached page, {what}", [path], Bound(1, 1.3), coding)
            yield against_nginx(bench, bench.large, f"first-time page, {what}", paths, Bound(0.5, 0.9), coding)
    turns = {name: bench.rate(bench.large, CONNECTIONS, *paths)
             for name, paths in (("HTML", PAGES[:3000]), ("JSON", LISTS))}
    yield compare("first-time list in HTML, against JSON", Bound(0.8, 1.1), *bench.alternate("req/s", turns))


def against_nginx(bench: Bench, url: str, what: str, paths: list[str], bound: Bound, coding: str = "",
                  more: str = peers.FILE_CACHE) -> Result:
    """The server against nginx with a file for each path, which it keeps open and has compressed with FILE_CACHE."""
    bench.tell(f"fetching {len(paths):,}: {what}")
    files = {f"/{number}": body for number, body in enumerate(bodies(url, paths))}
    mean = sum(map(len, files.values())) / len(files)
    targets, connections = [*files], CONNECTIONS if len(paths) > 1 else CACHED_CONNECTIONS
    if coding:
        files |= {f"{path}.gz": gzip.compress(body, 1, mtime=0) for path, body in files.items()}
        if send(url, paths[0], "GET", {"Accept-Encoding": coding}).headers.get("Content-Encoding") != coding:
            raise RuntimeError(f"{paths[0]} is not compressed")
    folder = bench.scratch / "".join(letter for letter in what + coding + str(bool(more)) if letter.isalnum())
    with peers.nginx(folder, files, more) as other:
        name = "nginx, open_file_cache" if more else "nginx"
        sides = bench.alternate("req/s", {"sooke": bench.rate(url, connections, *paths, coding=coding),
                                          name: bench.rate(other, connections, *targets, coding=coding)})
    return compare(f"{what}{coding and ', gzip'}, against {name}", bound, *sides, f"{mean:,.0f} bytes")


def bodies(url: str, paths: list[str]) -> Iterator[bytes]:
    """What a server sends for each path."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=30)
    for path in paths:
        connection.request("GET", path)
        answer = connection.getresponse()
        yield answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path} got {answer.status}")
    connection.close()


def surface(bench: Bench) -> Iterator[Result]:
    """Every kind of public read, one after the other, against a loop that sends the very same answers."""
    paths = ["/api/v1/health", "/api/v1/categories", "/api/v1/event-types", "/api/v1/events", LIST,
             *(f"{LIST}?{query}" for query in QUERIES.values()), *(f"{LIST}/{slug}" for slug in slugs(bench))]
    answers = [whole_answer(bench.small, path) for path in paths]
    if not all(answer.startswith(b"HTTP/1.1 200 ") for answer in answers):
        raise RuntimeError("a public read is refused")
    with peers.bare_loop(bench, answers) as loop:
        sides = bench.alternate("req/s", {name: bench.rate(url, CACHED_CONNECTIONS, *paths)
                                          for name, url in (("sooke", bench.small), ("bare loop", loop))})
    yield compare("public reads, cached, against a bare epoll loop", Bound(0.75, 0.9), *sides)


def whole_answer(url: str, path: str) -> bytes:
    """Head and body as they come when the connection is to stay open."""
    address = urllib.parse.urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
        connection.shutdown(socket.SHUT_WR)  # an answer that is under way is still sent
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))
