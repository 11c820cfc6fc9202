"""Many clients over restarts: none is reset, each gets exactly what it missed. And how streams end."""

import http.client
import resource
import signal
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

from checks import Row
from follower import Event, Replica, add, events, open_stream, until, whole
from town import Town, good, peopled

OPTIONS = ["--keep-history", "0", "--write-limit", "1000000"]


class Client:
    """A stream, read when it is told to."""

    def __init__(self) -> None:
        self.replica = Replica()
        self.stream: http.client.HTTPResponse | None = None

    def connect(self, town: Town) -> "Client":
        self.stream = open_stream(town.port, position=self.replica.position)
        return self

    def read(self, position: str | None = None) -> None:
        """Reads to a position, or to the end of the stream."""
        if self.stream is None or position and self.replica.position == position:
            return
        for event in self.events(self.stream):
            self.replica.receive(event)
            if position and self.replica.position == position:
                return
        self.leave()

    def events(self, stream: http.client.HTTPResponse) -> Iterator[Event]:
        def lines() -> Iterator[str]:
            try:
                while line := stream.readline():
                    yield line.decode().rstrip("\n")
            except (OSError, http.client.HTTPException):  # it was killed
                return
        return events(lines())

    def leave(self) -> None:
        if self.stream:
            self.stream.close()
        self.stream = None
        self.replica.disconnect()


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    return [restarts(binary, folder / "restarts", 100 if short else 2000), endings(binary, folder / "endings")]


def newest(town: Town) -> str:
    return good(town.ask("GET", "/changes")).json()["position"]


def restarts(binary: Path, data: Path, count: int) -> Row:
    """Some clients leave before the last changes, the others when the server ends; all continue after the start."""
    row = Row(f"{count:,} clients over restarts")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 3 * count + 200)), hard))
    town, sessions = peopled(binary, data)
    town.restart()
    clients = [Client().connect(town) for _ in range(count)]
    for client in clients:
        client.read(newest(town))
    # Each way to end, and one start without a change between it and the next.
    for step, how in enumerate([signal.SIGTERM, signal.SIGKILL, signal.SIGTERM]):
        for client in clients:
            client.replica.slugs.clear()
            client.replica.counts.clear()
        for client in clients[step::3]:
            client.leave()
        names = [f"before-{step}-{each}" for each in range(20)]
        for name in names:
            add(town, sessions, name)
        row.check(town.stop(how) == (0 if how == signal.SIGTERM else -how), f"the server ends on {how.name}")
        for client in clients:
            client.read()
        if how == signal.SIGTERM:
            town.start(*OPTIONS)
            row.check(town.stop() == 0, "a start and a stop without a change")
        town.start(*OPTIONS)
        for client in clients:
            client.connect(town)
        for name in (later := [f"after-{step}-{each}" for each in range(5)]):
            add(town, sessions, name)
        end, fresh = newest(town), whole(town, None)
        for client in clients:
            client.read(end)
            replica = client.replica
            row.check(replica.counts["resets"] == 0, f"{how.name}: nobody is reset", replica.counts)
            row.check(replica.slugs == names + later, "each gets exactly what it missed, in order", replica.slugs)
            row.check(replica.records == fresh and not replica.faults, "it has what a fresh client gets",
                      replica.faults[:3])
    row.figures = f"{75 * count:,} changes, no reset"
    town.stop()
    return row


def endings(binary: Path, data: Path) -> Row:
    """Clients that leave in any way count no more at once; a server that stops ends streams as complete responses."""
    row = Row("how streams end")
    town, _ = peopled(binary, data)

    def subscribers() -> int:
        return good(town.local("GET", "/admin/status")).json()["feed"]["subscribers"]

    for way in ["is reset", "is closed", "closes its side"]:
        stream = open_stream(town.port)
        row.check(until(lambda: subscribers() == 1, 5), "it is counted", subscribers())
        if way == "closes its side":
            stream.fp.raw._sock.shutdown(socket.SHUT_WR)
            while stream.readline():  # an error if it does not end as a complete response
                pass
        elif way == "is reset":
            stream.fp.raw._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        stream.close()
        row.check(until(lambda: subscribers() == 0, 5), f"a stream that {way} counts no more", subscribers())
    streams = [open_stream(town.port) for _ in range(20)]
    row.check(town.stop() == 0, "the server ends as ever")
    for stream in streams:
        row.check(stream.read().endswith(b"\n"), "a stream ends as a complete response")
    return row
