"""How streams end or are refused: a server that stops, too many of them, and a town that went back to an earlier moment."""

import http.client
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path

from base import ADMIN, Row, Town, business, good, peopled
from follower import Replica, events, number, open_stream, whole


def lines(stream: http.client.HTTPResponse) -> Iterator[str]:
    while line := stream.readline():
        yield line.decode().rstrip("\n")


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    return [stopping(binary, folder / "stopping"), limit(binary, folder / "limit"), branch(binary, folder)]


def stopping(binary: Path, data: Path) -> Row:
    row = Row("a server that stops")
    town, _ = peopled(binary, data)
    streams = [open_stream(town.port) for _ in range(20)]
    for stream in streams:
        next(event for event in events(lines(stream)) if event.is_position)
    began = time.monotonic()
    row.check(town.stop() == 0, "it ends as ever")
    seconds = time.monotonic() - began
    row.check(seconds < 3, "it ends at once", seconds)
    for stream in streams:
        try:
            rest = stream.read()
        except (OSError, http.client.HTTPException) as error:
            rest = error
        row.check(rest == b"", "a stream ends as a complete response", rest)
    row.figures = f"{seconds * 1000:.0f} ms with {len(streams)} streams"
    return row


def limit(binary: Path, data: Path) -> Row:
    row = Row("more streams than half of all connections")
    town, sessions = peopled(binary, data, "--max-connections", "40")
    streams = [open_stream(town.port) for _ in range(20)]
    for _ in range(3):
        answer = town.ask("GET", "/changes", headers={"Accept": "text/event-stream"})
        row.answered(answer, 503, "one more")
        row.check(answer.headers.get("Retry-After", "").isdigit(), "with Retry-After", answer)
    for path in ["/businesses", "/events", "/changes"]:
        row.answered(town.ask("GET", path), 200, f"{path} is still answered")
    leave(streams.pop())
    end = time.monotonic() + 5
    while True:
        try:
            streams.append(open_stream(town.port))
            break
        except OSError as error:
            if time.monotonic() > end:
                row.check(False, "one that leaves makes room", error)
                break
            time.sleep(0.05)
    row.check(len(streams) == 20, "one that leaves makes room")
    feed = good(town.local("GET", "/admin/status")).json()["feed"]
    row.check(feed["subscribers"] == 20, "the status counts them", feed)
    town.stop()
    return row


def leave(stream: http.client.HTTPResponse) -> None:
    """Resets the connection: after a mere end of what the client sends, the response would still be sent."""
    stream.fp.raw._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.close()


def branch(binary: Path, folder: Path) -> Row:
    """A client of a town that is then restored to an earlier moment, where the same numbers are other commits."""
    row = Row("a town that went back")
    town, sessions = peopled(binary, folder / "first")
    add(town, sessions, "Before")
    town.sooke("backup", folder / "backup.json")
    add(town, sessions, "Lost")
    replica = Replica()
    stream = open_stream(town.port)
    follow(replica, stream)
    town.stop()
    done = Town(binary, folder / "second").sooke("restore", folder / "backup.json")
    row.check(done.returncode == 0, "it is restored", done.stderr)
    town = Town(binary, folder / "second").start()
    session = {ADMIN: town.session(ADMIN)}
    while number(good(town.local("GET", "/admin/status")).json()["position"]) <= number(replica.position):
        add(town, session, "Other")
    resets = replica.counts["resets"]
    for ask in ["stream", "poll"]:
        again = Replica()
        again.records, again.position, again.counts["resets"] = dict(replica.records), replica.position, resets
        if ask == "stream":
            follow(again, open_stream(town.port, position=again.position))
        else:
            page = good(town.ask("GET", f"/changes?since={again.position}")).json()
            row.check(page["reset"], "a poll is told to begin anew")
            again.forget()
            again.apply(page["changes"], page["position"])
        row.check(again.counts["resets"] == resets + 1, f"{ask}: one reset", again.counts)
        row.check(again.records == whole(town, None), f"{ask}: it has what a fresh client gets")
        row.check(not any("Lost" in each for each in again.records.values()), f"{ask}: nothing of the other branch")
    town.stop()
    return row


def add(town: Town, sessions: dict[str, str], name: str) -> None:
    good(town.ask("POST", "/businesses", business(name), sessions[ADMIN]), 201)


def follow(replica: Replica, stream: http.client.HTTPResponse) -> None:
    """Reads to the first position."""
    for event in events(lines(stream)):
        replica.receive(event)
        if event.is_position:
            break
    stream.close()
