"""What clients may take from the others: memory for what they do not read, places they have left, the network of all, and
the processor.

Everything here is counted in bytes, answers and processor time; no check says how soon something must be done.
"""

import contextlib
import json
import select
import socket
import struct
import threading
import time
import urllib.parse
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from base import DESCRIPTORS, Load, limited, make_town, memory, pinned
from harness import Server, send
from bodies import raise_limit
from checks import Row

LIST = "/api/v1/businesses?per_page=100"
MOST_MIB = 84  # more than before, for any responses that are not read
MOST_LEFT_MIB = 20  # more than before, when the readers have left
STREAM_RATE, BURST = 32_000_000, 4_000_000  # bytes a second of all streams together, and beyond that at once
UNREAD = 8_000_000  # bytes that may have been sent before a check begins to count


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    raise_limit()
    rows = []
    for name, path, count, times in [
            ("in short pipelines", LIST, 1000 if short else 4000, 4),
            ("in long ones", LIST, 500 if short else 3500, 64),
            ("of streams", "/api/v1/changes", 800 if short else 3500, 64)]:
        rows.append(slow_readers(binary, folder / f"readers-{len(rows)}", path, count, times, name))
    rows.append(places(binary, folder / "places", 20 if short else 200))
    rows.append(paced(binary, folder / "paced", 100 if short else 300))
    rows.append(work(binary, folder / "work", 5 if short else 20))
    return rows


def connect(server: Server, buffer: int = 0) -> socket.socket:
    client = socket.socket()
    if buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    client.connect(("127.0.0.1", int(server.url.rsplit(":", 1)[1])))
    return client


def get(path: str, *fields: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode()


def slow_readers(binary: Path, data: Path, path: str, count: int, times: int, name: str) -> Row:
    """Clients that ask for the same in a row and read nothing, and then leave."""
    row = Row(f"budgets: {count:,} readers that read nothing, {name}")
    server = make_town(binary, data, prefix=limited(DESCRIPTORS))
    clients: list[socket.socket] = []
    try:
        for _ in range(50):
            send(server.url, LIST)
        before = memory(server.pid, "VmRSS")
        with contextlib.suppress(OSError):
            for _ in range(count):
                clients.append(connect(server, 1024))
                clients[-1].sendall(times * get(path))
        seen = settled(server)
        most = memory(server.pid, "VmHWM")
        row.check(len(clients) == count, "all are there", len(clients))
        row.check(most - before <= MOST_MIB, f"at most {MOST_MIB} MiB more than before", f"{before} before, {most} at most")
        row.check(send(server.url, LIST).status == 200, "another client is served")
        for client in clients:
            client.close()
        left = settled(server, before + MOST_LEFT_MIB)
        row.check(left - before <= MOST_LEFT_MIB, f"they leave at most {MOST_LEFT_MIB} MiB", f"{before} before, {left} now")
        row.check(server.stop() == 0, "it ends as ever", server.said)
    finally:
        for client in clients:
            client.close()
        server.kill()
    row.figures = f"{before} MiB before, {most} at most, {seen} with all of them, {left} when they had left"
    return row


def settled(server: Server, aim: int = 0) -> int:
    """The memory of a process once it does not change for two seconds, or is as little as wanted; in MiB."""
    last, same = memory(server.pid, "VmRSS"), 0
    while same < 8 and last > aim:
        time.sleep(0.25)
        now = memory(server.pid, "VmRSS")
        last, same = now, same + 1 if now == last else 0
    return last


def places(binary: Path, data: Path, count: int) -> Row:
    """Streams of changes with requests behind them, whose clients leave: by a reset, and in the ordinary way."""
    row = Row("budgets: places of streams whose clients have left")
    server = make_town(binary, data, prefix=limited(DESCRIPTORS))
    fields = ("Accept: text/event-stream",)
    try:
        for how in ["reset", "closed"]:
            clients = [connect(server) for _ in range(count)]
            for client in clients:
                client.sendall(get("/api/v1/changes", *fields))
            row.check(wait_for(lambda: subscribers(server) == count), "all follow", subscribers(server))
            for client in clients:
                read_all(client)
                client.sendall(1000 * get("/api/v1/categories"))
            row.check(subscribers(server) == count, "all follow with requests behind", subscribers(server))
            for client in clients:
                if how == "reset":
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()
            # The server would see it at the next heartbeat in any case, after 25 s.
            row.check(wait_for(lambda: subscribers(server) == 0), f"{how}: every place is free again", subscribers(server))
        row.check(server.stop() == 0, "it ends as ever", server.said)
    finally:
        server.kill()
    row.figures = f"{2 * count} streams"
    return row


def subscribers(server: Server) -> int:
    return int(server.ask("GET", "/api/v1/admin/status").json()["feed"]["subscribers"])


def wait_for(condition: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def read_all(client: socket.socket) -> int:
    """Reads what is there; its length."""
    client.setblocking(False)
    count = 0
    with contextlib.suppress(BlockingIOError):
        while data := client.recv(1 << 20):
            count += len(data)
    client.setblocking(True)
    return count


def paced(binary: Path, data: Path, count: int) -> Row:
    """Streams that all get a large change: a few bytes of a client that make the server send them many megabytes."""
    row = Row(f"budgets: {count} streams that all get a large change")
    server = make_town(binary, data, prefix=limited(DESCRIPTORS))
    streams: list[socket.socket] = []
    try:
        server.ask("POST", "/api/v1/admin/import?format=ndjson", businesses("first"), timeout=120)
        streams = [connect(server) for _ in range(count)]
        for client in streams:
            client.sendall(get("/api/v1/changes", "Accept: text/event-stream"))
        whole = receive(streams, 240_000 * count, 60)
        row.check(min(whole.values()) >= 240_000, "each gets the whole town", min(whole.values()))
        receive(streams, None, 3)
        began = time.monotonic()
        server.ask("POST", "/api/v1/admin/import?format=ndjson", businesses("second"), timeout=120)
        got = receive(streams, 240_000 * count, 60)
        took = time.monotonic() - began
        total = sum(got.values())
        row.check(min(got.values()) >= 240_000, "each gets the change, and none is closed", min(got.values()))
        row.check(total <= STREAM_RATE * took + BURST + UNREAD, "together at most 32 MB a second",
                  f"{total:,} bytes in {took:.2f} s")
        row.check(subscribers(server) == count, "all still follow", subscribers(server))
        row.check(server.stop() == 0, "it ends as ever", server.said)
    finally:
        for client in streams:
            client.close()
        server.kill()
    row.figures = f"{total / 1e6:,.0f} MB in {took:.1f} s, {total / 1e6 / took:.0f} MB/s"
    return row


def businesses(word: str, count: int = 250) -> bytes:
    rows = ({"name": f"Shop {n}", "slug": f"shop-{n}", "category": "restaurants", "description": f"{word} " * 150,
             "address": f"{n} West Coast Rd", "latitude": 48.37, "longitude": -123.7} for n in range(count))
    return b"".join(json.dumps({"business": row}).encode() + b"\n" for row in rows)


def receive(streams: list[socket.socket], wanted: int | None, seconds: float) -> dict[int, int]:
    """Reads from all until so many bytes have come, or nothing for some seconds; how many came on each."""
    counts = dict.fromkeys((client.fileno() for client in streams), 0)
    poller = select.epoll()
    by_number = {client.fileno(): client for client in streams}
    for number in by_number:
        poller.register(number, select.EPOLLIN)
    last = time.monotonic()
    while (wanted is None or min(counts.values()) < wanted / len(streams)) and time.monotonic() < last + seconds:
        for number, _ in poller.poll(0.2):
            data = by_number[number].recv(1 << 18)
            if not data:
                poller.unregister(number)
                continue
            counts[number] += len(data)
            last = time.monotonic()
    poller.close()
    return counts


def work(binary: Path, data: Path, seconds: int) -> Row:
    """A stranger behind a proxy who asks for as much as is answered, beside readers: it waits and is refused, and others
    are not."""
    row = Row("budgets: a stranger who costs much")
    server = make_town(binary, data, "--proxy", "127.0.0.1", prefix=[*limited(DESCRIPTORS), *pinned(0)])
    # More targets than the cache holds, in a town where each of them takes some time.
    dear = [f"/api/v1/businesses?per_page=100&q=firs+harbuor+{n}" for n in range(8000)]
    # A customer of a provider has many networks, of which none uses its share.
    customer = [f"2001:db8:1:{n:x}::1" for n in range(256)]
    health: Counter[int] = Counter()
    try:
        server.ask("POST", "/api/v1/admin/import?format=ndjson", businesses("first", 4000), timeout=120)
        wait_for(lambda: send(server.url, "/api/v1/businesses?q=a").status == 200, 60)  # the search is ready
        # The readers are the proxy itself, which has no share. They keep the event loop busy.
        readers = Load(server.url + LIST, "--connections", "8", "--seconds", str(seconds), prefix=pinned(1))
        with (Stranger(server.url, ["192.0.2.1"], dear, connections=32, at_once=60) as stranger,
              Stranger(server.url, customer, dear[::-1], connections=32, at_once=60) as rotating,
              Stranger(server.url, ["198.51.100.1"], ["/api/v1/categories"], rate=20, connections=1) as other):
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                health[send(server.url, "/api/v1/health", headers={"X-Forwarded-For": "192.0.2.1"}).status] += 1
                time.sleep(0.1)
        figures = readers.figures()
        row.check(set(stranger.statuses) == {200, 429}, "it is served or told to wait", stranger.statuses)
        row.check(set(rotating.statuses) == {200, 429}, "so is one of many networks", rotating.statuses)
        row.check(set(other.statuses) == {200}, "another network is served", other.statuses)
        row.check(set(health) == {200}, "health is answered whoever asks", health)
        row.check(set(figures.statuses) == {"200"} and figures.failed == 0, "the readers are served", figures)
        row.check(server.stop() == 0, "it ends as ever", server.said)
    finally:
        server.kill()
    row.figures = (f"{stranger.statuses[200]:,} answered and {stranger.statuses[429]:,} refused, "
                   f"of many networks {rotating.statuses[200]:,} and {rotating.statuses[429]:,}, "
                   f"{figures.requests:,} of readers, {other.count} of another network")
    return row


@dataclass
class Stranger:
    """A client behind a proxy with addresses of its own, used in turn, and some connections: each sends one request after
    the other."""

    url: str
    addresses: list[str]
    targets: list[str]
    rate: float | None = None  # requests a second; None for as many as are answered
    connections: int = 2
    at_once: int = 1  # requests that a connection sends before it reads their answers
    statuses: Counter[int] = field(default_factory=Counter)

    def __enter__(self) -> "Stranger":
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(number,), daemon=True)
                         for number in range(self.connections)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join(70)

    @property
    def count(self) -> int:
        return sum(self.statuses.values())

    def _work(self, number: int) -> None:
        host = urllib.parse.urlsplit(self.url)
        client = socket.create_connection((host.hostname, host.port), timeout=60)
        answers = client.makefile("rb", buffering=2**16)
        turn, next_at = 251 * number, time.monotonic()
        with client, answers:
            while not self._is_over.is_set():
                turns = range(turn, turn + self.at_once)
                turn += self.at_once
                client.sendall("".join(
                    f"GET {self.targets[n % len(self.targets)]} HTTP/1.1\r\nHost: {host.netloc}\r\n"
                    f"X-Forwarded-For: {self.addresses[n % len(self.addresses)]}\r\n\r\n" for n in turns).encode())
                for _ in turns:
                    self.statuses[self._status(answers)] += 1
                if self.rate:
                    next_at = max(next_at + self.connections / self.rate, time.monotonic() - 1)
                    self._is_over.wait(max(0, next_at - time.monotonic()))

    @staticmethod
    def _status(answers: BinaryIO) -> int:
        """Reads a whole answer."""
        status = int(answers.readline().split()[1])
        fields = dict(line.lower().split(b": ", 1) for line in iter(answers.readline, b"\r\n"))
        if b"transfer-encoding" in fields:
            while count := int(answers.readline(), 16):
                answers.read(count + 2)
            answers.readline()
        else:
            answers.read(int(fields.get(b"content-length", b"0")))
        return status
