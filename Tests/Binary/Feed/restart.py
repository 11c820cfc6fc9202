"""Thousands of clients over restarts: none is reset, and each gets exactly what it missed. And what an old position costs."""

import resource
import selectors
import signal
import socket
import time
from collections import Counter
from pathlib import Path

from checks import Row
from town import ADMIN, Town, business, good, peopled
from follower import Replica, events, whole

OPTIONS = ["--keep-history", "0", "--write-limit", "1000000"]


class Client:
    """A stream on a socket of its own, of which one thread has thousands."""

    def __init__(self) -> None:
        self.replica = Replica()
        self.rest = b""
        self.kinds: Counter[str] = Counter()
        self.names: list[str] = []
        self.socket: socket.socket | None = None

    def connect(self, port: int, selector: selectors.BaseSelector) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        position = f"Last-Event-ID: {self.replica.position}\r\n" if self.replica.position else ""
        self.socket.sendall(f"GET /api/v1/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n{position}\r\n"
                            .encode())
        self.socket.setblocking(False)
        self.rest = b""
        selector.register(self.socket, selectors.EVENT_READ, self)

    def close(self, selector: selectors.BaseSelector) -> None:
        if self.socket is not None:
            selector.unregister(self.socket)
            self.socket.close()
            self.socket = None
            self.replica.disconnect()

    def read(self, selector: selectors.BaseSelector) -> None:
        assert self.socket is not None
        try:
            piece = self.socket.recv(1 << 18)
        except OSError:
            piece = b""
        if not piece:
            return self.close(selector)
        self.rest += piece
        # A chunk of the body begins and ends with lines of its own, which no event has.
        end = self.rest.rfind(b"\n\n")
        if end < 0:
            return None
        text, self.rest = self.rest[:end + 2].decode(), self.rest[end + 2:]
        lines = [line for line in text.split("\n") if line == "" or line.split(":")[0] in ("event", "id", "data")]
        for event in events(iter(lines)):
            self.kinds[event.kind or "bookmark"] += 1
            if event.data and event.kind != "reset":
                self.names.append(event.data)
            self.replica.receive(event)
        return None


class Crowd:
    """Clients that follow a town, and read when they are told to."""

    def __init__(self, count: int) -> None:
        self.clients = [Client() for _ in range(count)]
        self.selector = selectors.DefaultSelector()

    def connect(self, town: Town) -> None:
        for client in self.clients:
            if client.socket is None:
                client.connect(town.port, self.selector)
                self.read(0)

    def read(self, timeout: float) -> None:
        for key, _ in self.selector.select(timeout):
            key.data.read(self.selector)

    def read_to(self, position: str, clients: list[Client]) -> bool:
        """Reads until these clients are at a position; false when one of them does not get there."""
        end = time.monotonic() + 60
        while any(client.replica.position != position for client in clients):
            if time.monotonic() > end:
                return False
            self.read(0.5)
        return True

    def read_to_end(self) -> None:
        """Reads until all streams have ended."""
        while any(client.socket for client in self.clients):
            self.read(0.5)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    return [restarts(binary, folder / "restarts", 200 if short else 2000),
            old_position(binary, folder / "old", 300 if short else 500)]


def write(town: Town, token: str, names: list[str]) -> None:
    for name in names:
        good(town.ask("POST", "/businesses", business(name, slug=name), token), 201)


def newest(town: Town) -> str:
    return good(town.ask("GET", "/changes")).json()["position"]


def restarts(binary: Path, data: Path, count: int) -> Row:
    """Some clients leave before the last changes, the others when the server ends; all continue after the start."""
    row = Row(f"{count:,} clients over restarts")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 3 * count + 200)), hard))
    town, sessions = peopled(binary, data)
    town.stop()
    crowd = Crowd(count)
    missed = 0
    # Each way to end, and one start without a change between it and the next.
    for step, how in enumerate([signal.SIGTERM, signal.SIGKILL, signal.SIGTERM]):
        town.start(*OPTIONS)
        crowd.connect(town)
        row.check(crowd.read_to(newest(town), crowd.clients), "all are at the newest position")
        for client in crowd.clients:
            client.kinds.clear()
            client.names.clear()
        for client in crowd.clients[step::3]:
            client.close(crowd.selector)
        names = [f"before-{step}-{each}" for each in range(20)]
        write(town, sessions[ADMIN], names)
        row.check(town.stop(how) == (0 if how == signal.SIGTERM else -how), f"the server ends on {how.name}")
        crowd.read_to_end()
        if how == signal.SIGTERM:
            town.start(*OPTIONS)
            row.check(town.stop() == 0, "a start and a stop without a change")
        town.start(*OPTIONS)
        crowd.connect(town)
        later = [f"after-{step}-{each}" for each in range(5)]
        write(town, sessions[ADMIN], later)
        end = newest(town)
        row.check(crowd.read_to(end, crowd.clients), "all get to the newest position")
        resets = sum(client.kinds["reset"] for client in crowd.clients)
        row.check(resets == 0, f"{how.name}: nobody is reset", resets)
        for client in crowd.clients:
            got = [part.split('"slug":"')[1].split('"')[0] for part in client.names]
            row.check(got == names + later, "each gets exactly what it missed, in order", got)
        missed += len(names + later) * count
        for client in crowd.clients:
            client.close(crowd.selector)
        town.stop()
    town.start()
    fresh = whole(town, None)
    for client in crowd.clients:
        row.check(client.replica.records == fresh and not client.replica.faults, "it has what a fresh client gets",
                  client.replica.faults[:3])
    town.stop()
    row.figures = f"{missed:,} changes, no reset"
    return row


def cpu(town: Town) -> float:
    """Seconds of CPU that the server has used."""
    fields = Path(f"/proc/{town.server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def old_position(binary: Path, data: Path, changes: int) -> Row:
    """A stranger's request with a position that is far back costs no more than one for a snapshot."""
    row = Row("an old position")
    town, sessions = peopled(binary, data, *OPTIONS)
    start = newest(town)
    long = "word " * 900
    menus = [{"name": f"Menu {each}", "items": [{"name": "Soup", "description": long, "price": "4.50"}] * 5}
             for each in range(10)]
    good(town.ask("POST", "/businesses", business("Long", slug="long") | {"menus": menus}, sessions[ADMIN]), 201)
    for each in range(changes):
        good(town.local("PATCH", "/businesses/long", {"phone": str(each)}, {"If-Match": "*"}))
    size = sum(path.stat().st_size for path in town.data.glob("wal-*.log"))
    seconds = []
    for query in ["?topics=event", f"?since={start}&topics=event"]:
        began = cpu(town)
        for _ in range(10):
            good(town.ask("GET", f"/changes{query}", timeout=600))
        seconds.append(cpu(town) - began)
    answer = good(town.ask("GET", f"/changes?since={start}&topics=event", timeout=600)).json()
    row.check(answer["reset"] or size < 64 << 20, "it is told to start over", answer["position"])
    row.check(seconds[1] <= 1.5 * seconds[0] + 0.1, "it costs no more than a snapshot", seconds)
    row.figures = (f"a log of {size / 1e6:.0f} MB: 10 snapshots {seconds[0] * 1000:.0f} ms of CPU, 10 old positions "
                   f"{seconds[1] * 1000:.0f} ms")
    town.stop()
    return row
