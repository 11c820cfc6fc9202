"""How streams end or are refused: a server that stops, too many of them, and a town that went back to an earlier time."""

import http.client
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path

from checks import Row
from town import ADMIN, Town, business, good, peopled
from follower import Replica, events, number, open_stream, whole


def lines(stream: http.client.HTTPResponse) -> Iterator[str]:
    while line := stream.readline():
        yield line.decode().rstrip("\n")


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    return [stopping(binary, folder / "stopping"), limit(binary, folder / "limit"), places(binary, folder / "places"),
            leaving(binary, folder / "leaving"),
            branch(binary, folder)]


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
        found = rest(stream)
        row.check(found == b"", "a stream ends as a complete response", found)
    row.figures = f"{seconds * 1000:.0f} ms with {len(streams)} streams"
    return row


def rest(stream: http.client.HTTPResponse) -> bytes | Exception:
    """What comes until the end of the response, or what came instead of an end."""
    try:
        return stream.read()
    except (OSError, http.client.HTTPException) as error:
        return error


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
    row.check(subscribers(town) == 20, "the status counts them", subscribers(town))
    reset(streams.pop())
    row.check(soon(town, 19), "one that leaves makes room", subscribers(town))
    streams.append(open_stream(town.port))
    town.stop()
    return row


def places(binary: Path, data: Path) -> Row:
    """One client behind a proxy takes every place; others behind it get places all the same."""
    row = Row("places of the feed by network")
    town, _ = peopled(binary, data, "--max-connections", "200", "--proxy", "127.0.0.1")

    def follow_from(address: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", town.port, timeout=20)
        connection.request("GET", "/api/v1/changes",
                           headers={"Accept": "text/event-stream", "X-Forwarded-For": address})
        return connection.getresponse()

    streams = [follow_from("192.0.2.1") for _ in range(100)]
    row.check(all(stream.status == 200 for stream in streams), "one network takes all places")
    row.check(follow_from("192.0.2.1").status == 503, "and gets no more")
    for stream in streams:
        next(event for event in events(lines(stream)) if event.is_position)
    others = [follow_from(f"198.51.100.{each}") for each in range(50)]
    row.check(all(stream.status == 200 for stream in others), "the networks of another site get half of them",
              [stream.status for stream in others])
    row.check(follow_from("198.51.100.99").status == 503, "but no more than the first")
    ended = [rest(stream) for stream in reversed(streams[50:])]
    row.check(all(found == b"" for found in ended), "the others' streams end as complete responses", ended)
    row.check(subscribers(town) == 100, "the places are all taken", subscribers(town))
    good(town.local("POST", "/categories", {"name": "Still there"}), 201)
    heard = [next(event for event in events(lines(stream)) if event.data) for stream in streams[:50]]
    row.check(all("Still there" in event.data for event in heard), "50 streams go on")
    row.figures = f"{len(others)} of 100 places for 50 other networks"
    town.stop()
    return row


def leaving(binary: Path, data: Path) -> Row:
    """Streams that end in each way count no more, long before the next bookmark."""
    row = Row("clients that leave")
    town, _ = peopled(binary, data)
    began = time.monotonic()
    for way in ["is reset", "is closed", "closes its side"]:
        stream = open_stream(town.port, timeout=5)
        next(event for event in events(lines(stream)) if event.is_position)
        row.check(soon(town, 1), "it is counted", subscribers(town))
        if way == "closes its side":
            stream.fp.raw._sock.shutdown(socket.SHUT_WR)
            row.check(rest(stream) == b"", "a stream that closes its side ends as a complete response")
        else:
            (reset if way == "is reset" else http.client.HTTPResponse.close)(stream)
        row.check(soon(town, 0), f"a stream that {way} counts no more", subscribers(town))
    row.figures = f"{(time.monotonic() - began) * 1000:.0f} ms for 3 streams"
    town.stop()
    return row


def subscribers(town: Town) -> int:
    return good(town.local("GET", "/admin/status")).json()["feed"]["subscribers"]


def soon(town: Town, count: int) -> bool:
    """Whether so many clients are counted within a few seconds."""
    end = time.monotonic() + 5
    while subscribers(town) != count:
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def reset(stream: http.client.HTTPResponse) -> None:
    """Ends the connection with a reset."""
    stream.fp.raw._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.close()


def branch(binary: Path, folder: Path) -> Row:
    """A client of a town that is then restored to an earlier time, where the same numbers are other commits."""
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
            row.check(page["reset"], "a poll is told to start over")
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
