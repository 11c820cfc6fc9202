"""Cached reads of a small town against files sent by nginx, and against a loop that sends fixed bytes."""

import json
import socket
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import peers
from bench import CONTRACT, Bench
from generator import wrk
from harness import send
from results import Bound, Result, compare

CONNECTIONS = 64
PLAIN, KEPT_OPEN = Bound(1.2, 1.5), Bound(1.2, 1.5)
QUERY, SURFACE = Bound(0.9, 1.3), Bound(0.75, 0.9)
QUERIES = {"category": "category=retail", "search": "search=caf", "page": "page=2"}
LIST = "/api/v1/businesses"


def front(bench: Bench) -> list[Result]:
    """The list that the app begins with."""
    return against_files(bench, "cached list of 20 businesses", f"{LIST}?tz=America%2FVancouver", PLAIN, KEPT_OPEN)


def detail(bench: Bench) -> list[Result]:
    """The business with the most hours and menus."""
    businesses = json.loads((CONTRACT / "dataset.json").read_text())["businesses"]
    fullest = max(businesses, key=lambda each: len(json.dumps([each["hours"], each["menus"]])))
    path = f"{LIST}/{urllib.parse.quote(fullest['slug'])}"
    return against_files(bench, "cached detail with hours and menus", path, PLAIN, None)


def queries(bench: Bench) -> list[Result]:
    """Lists that are chosen from; nginx has each ready in a file."""
    return [row for name, query in QUERIES.items()
            for row in against_files(bench, f"cached list by {name}", f"{LIST}?{query}", QUERY)]


def against_files(bench: Bench, what: str, path: str, bound: Bound, *kept_open: Bound | None) -> list[Result]:
    """The server against nginx with the same bytes in a file, and against one that keeps its files open."""
    body = send(bench.contract, path).body
    files = {urllib.parse.unquote(path.split("?")[0]): body}
    folder = bench.scratch / what.replace(" ", "-")
    with peers.nginx(bench, folder, files) as plain, peers.nginx(bench, folder, files, peers.FILE_CACHE) as open_files:
        servers = {"sooke": bench.contract, "nginx": plain} | ({"nginx, open_file_cache": open_files} if kept_open else {})
        for name, url in servers.items():
            if (answer := send(url, path)).status != 200 or answer.body != body:
                raise RuntimeError(f"{name} answers {path} with {answer.status} and other bytes")
        ours, nginx, *rest = bench.alternate("req/s", {name: rate(bench, url + path) for name, url in servers.items()})
    results = [compare(f"{what}, against nginx", bound, ours, nginx, f"{len(body):,} bytes")]
    return results + [compare(f"{what}, against nginx with open_file_cache", each, ours, other)
                      for each, other in zip(kept_open, rest)]


def rate(bench: Bench, url: str, paths: Path | None = None) -> Callable[[], float]:
    """A turn: how many requests a second are answered over 64 connections. The first, to warm up, is thrown away."""
    wrk(url, CONNECTIONS, 1, paths)
    return lambda: wrk(url, CONNECTIONS, bench.seconds, paths).rate


def surface(bench: Bench) -> list[Result]:
    """All good reads of the contract, one after the other, against a loop that sends the very same answers."""
    cases = [json.loads(line) for line in (CONTRACT / "cases.jsonl").read_bytes().splitlines()]
    wanted = dict.fromkeys(case["path"] for case in cases
                           if case["method"] == "GET" and case["status"] == 200 and not case["request_headers"])
    answers = {path: whole_answer(bench.contract, path) for path in [*wanted, "/api/v1/health"]}
    answers = {path: answer for path, answer in answers.items() if answer.startswith(b"HTTP/1.1 200 ")}
    paths = bench.scratch / "surface"
    paths.write_text("".join(f"{path}\n" for path in answers))
    with peers.bare_loop(bench, [*answers.values()]) as loop:
        turns = {"sooke": rate(bench, bench.contract, paths), "bare loop": rate(bench, loop, paths)}
        ours, bare = bench.alternate("req/s", turns)
    mean = sum(map(len, answers.values())) / len(answers)
    what = "all public reads, cached, against a bare epoll loop"
    return [compare(what, SURFACE, ours, bare, f"{len(answers)} requests, {mean:,.0f} bytes in the mean")]


def whole_answer(url: str, path: str) -> bytes:
    """Head and body as they come when the connection is to stay open."""
    address = urllib.parse.urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
        connection.shutdown(socket.SHUT_WR)  # an answer that is under way is still sent
        answer = b""
        while piece := connection.recv(1 << 16):
            answer += piece
    return answer
