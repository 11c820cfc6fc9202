"""What those cost who follow the changes, how soon a change is with all of them, and how fast the log is replayed."""

import json
import resource
import select
import signal
import socket
import time
import urllib.parse
from pathlib import Path

from bench import Bench
from generator import ask, wrk
from results import Bound, Result, Side, compare
from checks import Skip
from harness import Server
from scale import resident
from writing import make_token, town_to_change

SUBSCRIBERS = {2_000: Bound(50, 20, at_most=True), 8_000: Bound(500, 150, at_most=True)}  # ms
MEMORY = Bound(4, 2, at_most=True)  # KiB
CATCH_UP = Bound(50_000, 150_000)  # changes a second
BESIDE = Bound(0.95, 1)
COMMITS = 40  # of a round
BUSINESSES = 20_000  # so that as many commits are rather replayed than a snapshot sent


class Subscribers:
    """Clients of one server, which one thread reads."""

    def __init__(self, bench: Bench, url: str, count: int, position: str) -> None:
        self.address = urllib.parse.urlsplit(url)
        self.epoll, self.all = select.epoll(), {}
        for number in range(count):
            self._open(position)
            if number % 500 == 0:
                bench.tell(f"{number:,} subscribers")
        self.drain(0.5)

    def _open(self, position: str) -> None:
        connection = socket.create_connection((self.address.hostname, self.address.port), timeout=10)
        connection.sendall(follow(position))
        head = connection.recv(4096)
        if not head.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(f"a subscriber was refused: {head[:100]!r}")
        connection.setblocking(False)
        self.epoll.register(connection, select.EPOLLIN)
        self.all[connection.fileno()] = connection

    def drain(self, seconds: float) -> None:
        """Reads until nothing has come for a while."""
        while ready := self.epoll.poll(seconds):
            for number, _ in ready:
                self.all[number].recv(1 << 16)

    def times(self, change: bytes, writer: socket.socket) -> list[float]:
        """Makes a change; the milliseconds from its being sent until each has it."""
        waiting, times = set(self.all), []
        began = time.monotonic()
        writer.sendall(change)
        while waiting:
            ready = self.epoll.poll(10)
            if not ready:
                raise RuntimeError(f"{len(waiting)} subscribers did not get a change within 10 s")
            for number, _ in ready:
                if b"\ndata:" in self.all[number].recv(1 << 16):
                    waiting.discard(number)
                    times.append((time.monotonic() - began) * 1000)
        if not writer.recv(1 << 16).startswith(b"HTTP/1.1 200 "):
            raise RuntimeError("a change was refused")
        return times

    def close(self) -> None:
        for connection in self.all.values():
            connection.close()
        self.epoll.close()


def follow(position: str) -> bytes:
    return (f"GET /api/v1/changes?since={position} HTTP/1.1\r\nHost: localhost\r\n"
            "Accept: text/event-stream\r\n\r\n").encode()


def subscribers(bench: Bench) -> list[Result]:
    """From a change until all have it, and what one of them costs."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    data = town_to_change(bench, "feed", 1000)
    token = make_token(bench, data)
    return [result for count in SUBSCRIBERS for result in spread(bench, data, token, count, most)]


def spread(bench: Bench, data: Path, token: str, count: int, most: int) -> list[Result]:
    what = f"from a change to all of {count:,} subscribers, p99"
    if most < 2 * count + 200:
        return [Result(what, skipped=f"a process may open only {most} files")]
    server = Server(bench.binary, data, "--max-connections", str(2 * count + 100), "--write-limit", "1000000")
    try:
        server.ready()
        url = urllib.parse.urlsplit(server.url)
        Subscribers(bench, server.url, 50, position(server)).close()
        before = resident(server)
        everybody = Subscribers(bench, server.url, count, position(server))
        each = Side("sooke", "KiB", [(resident(server) - before) / count / 1024])
        side = Side("sooke", "ms p99")
        with socket.create_connection((url.hostname, url.port), timeout=10) as writer:
            times: list[float] = []
            for number in range(COMMITS):
                bench.tell(f"change {number} of {COMMITS} to {count:,}")
                times += everybody.times(patch(number, token), writer)
                everybody.drain(0.02)
        times.sort()
        side.values.append(times[len(times) * 99 // 100])
        everybody.close()
    finally:
        server.stop(signal.SIGKILL)
    remark = f"median {times[len(times) // 2]:.1f} ms; with the commit itself and one thread of Python that reads all"
    return [Result(what, SUBSCRIBERS[count], side.median, "ms", [side], remark),
            Result(f"memory of a subscriber, of {count:,}", MEMORY, each.median, "KiB", [each],
                   "with its connection, without the kernel's part")]


def patch(number: int, token: str) -> bytes:
    body = json.dumps({"phone": f"250-555-{number:04}-{time.monotonic_ns()}"[:40]})
    return (f"PATCH /api/v1/businesses/town-1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
            f"If-Match: *\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode()


def position(server: Server) -> str:
    return str(server.ask("GET", "/api/v1/admin/status").json()["position"])


def catch_up(bench: Bench) -> list[Result]:
    """A client that was away gets as many commits from the log as there are businesses."""
    data = town_to_change(bench, "catch-up", BUSINESSES)
    token = make_token(bench, data)
    body = json.dumps({"phone": "250-{n}"})
    with bench.serve(data, "--write-limit", "1000000") as server:
        start = position(server)
        first = int(start.partition(".")[0])
        while (last := server.sequence()) - first < BUSINESSES * 4 // 5:
            bench.tell(f"{last - first:,} commits")
            ask(bench, server.url, [f"/api/v1/businesses/town-{{1..{BUSINESSES}}}"], 64, 1, rate=2000, body=body,
                token=token)
        last -= first
    if last > BUSINESSES:
        raise Skip(f"{last:,} commits were made, which a client gets as a snapshot")
    with bench.serve(data) as server:
        side = Side("sooke", "changes/s", [replay(server.url, start, last) for _ in range(bench.runs)])
    return [Result("catch-up from the log", CATCH_UP, side.median, "changes/s", [side], f"{last:,} commits")]


def replay(url: str, start: str, commits: int) -> float:
    """How many changes a second a client receives that was away."""
    address = urllib.parse.urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        began = time.monotonic()
        connection.sendall(follow(start))
        got, rest = 0, b""
        while got < commits:
            piece = connection.recv(1 << 18)
            if not piece or b"event: reset" in piece:
                raise RuntimeError(f"the replay ended after {got} changes")
            text = rest + piece
            got += text.count(b"\ndata: ")
            rest = text[-6:]
        return got / (time.monotonic() - began)


def beside(bench: Bench) -> list[Result]:
    """Lists while many follow and nothing changes, against lists alone."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    data = town_to_change(bench, "beside", 1000)
    server = Server(bench.binary, data, "--max-connections", "4200")
    try:
        server.ready()
        url = f"{server.url}/api/v1/businesses"
        with bench.serve(town_to_change(bench, "alone", 1000)) as other:
            alone_url = f"{other.url}/api/v1/businesses"
            everybody = Subscribers(bench, server.url, 2_000, position(server))
            for each in (url, alone_url):
                wrk(each, 64, 1)
            ours, alone = bench.alternate("req/s", {
                "with 2,000 subscribers": lambda: wrk(url, 64, bench.seconds).rate,
                "alone": lambda: wrk(alone_url, 64, bench.seconds).rate})
            everybody.close()
    finally:
        server.stop(signal.SIGKILL)
    return [compare("cached list with 2,000 idle subscribers, against alone", BESIDE, ours, alone)]
