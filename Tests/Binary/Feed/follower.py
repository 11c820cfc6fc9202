"""A client of the feed: what it has built of the town, and how it keeps it up to date."""

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from town import Town, exchange

Records = dict[tuple[str, int], str]  # of a kind and an ID: the record as JSON


class Event(NamedTuple):
    """A server-sent event; a bookmark has an ID and no data."""

    kind: str
    id: str
    data: str

    @property
    def is_position(self) -> bool:
        """A reset takes the position: its ID is 0."""
        return self.id not in ("", "0")


def events(lines: Iterator[str]) -> Iterator[Event]:
    """The events of a stream of lines, as HTML's section 9.2.6 has them."""
    kind = identity = data = ""
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            kind = value if name == "event" else kind
            identity = value if name == "id" else identity
            data = value if name == "data" else data
            continue
        if kind or identity or data:
            yield Event(kind, identity, data)
        kind = identity = data = ""


class Replica:
    """What a client has of the town, and what it was sent twice or never."""

    def __init__(self) -> None:
        self.records: Records = {}
        self.position = ""
        self.faults: list[str] = []
        self.counts: Counter[str] = Counter()
        self._commit: list[dict[str, Any]] = []
        self._is_whole = False

    def forget(self) -> None:
        """Starts over: the next changes create a snapshot."""
        self.records, self._commit, self._is_whole = {}, [], True
        self.counts["resets"] += 1

    def disconnect(self) -> None:
        """A commit of which only a part has come comes again; so does a snapshot."""
        if self._is_whole:
            self.position = ""
        self._commit = []

    def receive(self, event: Event) -> None:
        if event.kind == "reset":
            self.position = ""
            self.forget()
        elif event.data:
            self._commit.append(json.loads(event.data))
        if event.is_position:
            self.apply(self._commit, event.id)
            self._commit = []

    def apply(self, changes: list[dict[str, Any]], position: str) -> None:
        """Applies the changes up to a position."""
        if changes and not self._is_whole and self.position and number(position) <= number(self.position):
            self.faults.append(f"{position} came after {self.position}")
        for change in changes:
            key = (change["kind"], change["id"])
            has = key in self.records
            if has != (change["action"] != "created"):
                self.faults.append(f"{position}: {change['action']} {key}, which the client {'has' if has else 'lacks'}")
            if change["action"] == "deleted":
                self.records.pop(key, None)
            else:
                self.records[key] = json.dumps(change["record"], sort_keys=True)
        self.counts["changes"] += len(changes)
        self.position, self._is_whole = position, False


def number(position: str) -> int:
    return int(position.partition(".")[0])


def whole(town: Town, token: str | None) -> Records:
    """A fresh snapshot for a caller."""
    replica = Replica()
    replica.forget()
    answer = town.ask("GET", "/changes", token=token).json()
    replica.apply(answer["changes"], answer["position"])
    return replica.records


def open_stream(port: int, token: str | None = None, position: str = "", timeout: float = 20,
                query: str = "") -> http.client.HTTPResponse:
    """A stream of events; raises OSError when it is refused."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": position} if position else {})
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    connection.request("GET", f"/api/v1/changes{query}", headers=headers)
    response = connection.getresponse()
    if response.status != 200:
        raise OSError(f"{response.status} {response.read()[:200]!r}")
    return response


class TownConnection(http.client.HTTPConnection):
    """A connection that is kept for many requests, and that finds the server of a town again after a restart.

    With a connection for each request, the system would run out of ports: each stays taken for a minute.
    """

    def __init__(self, town: Town, timeout: float = 10) -> None:
        super().__init__("127.0.0.1", timeout=timeout)
        self._town = town

    def request(self, *arguments: Any, **options: Any) -> None:
        if self.sock is None:
            self.port = self._town.port
        super().request(*arguments, **options)


class Follower(threading.Thread):
    """A client that follows, loses its connection, and continues.

    `way` is `stream`, `slow` (a stream that is read with pauses) or `poll`; `token` gives the secret of its caller, and
    is called again when that was revoked.
    """

    def __init__(self, town: Town, way: str, token: Callable[[], str | None], seed: int) -> None:
        super().__init__(daemon=True)
        self.replica, self.way, self.seen = Replica(), way, bytearray()
        self.is_calm, self.keeps_bytes = threading.Event(), False
        self.errors: Counter[str] = Counter()
        self._town, self._token, self._dice = town, token, random.Random(seed)
        self._ended = threading.Event()
        self._connection = TownConnection(town)

    def stop(self) -> None:
        self._ended.set()

    def run(self) -> None:
        while not self._ended.is_set():
            try:
                (self._poll if self.way == "poll" else self._follow)()
            except (OSError, http.client.HTTPException, RuntimeError, ValueError) as error:
                self.errors[type(error).__name__] += 1
                self._ended.wait(0.1)
            self.replica.disconnect()
            self._connection.close()
            self.replica.counts["connections"] += 1

    def _follow(self) -> None:
        stream = open_stream(self._town.port, self._token(), self.replica.position)
        try:
            end = time.monotonic() + self._dice.uniform(0.2, 6)
            for event in events(self._lines(stream)):
                if event.kind == "revoked":
                    self.replica.counts["revocations"] += 1
                    return
                self.replica.receive(event)
                if self._ended.is_set() or time.monotonic() > end and not self.is_calm.is_set():
                    return
        finally:
            stream.close()

    def _lines(self, stream: http.client.HTTPResponse) -> Iterator[str]:
        rest = b""
        while piece := stream.read1(1 << 16):
            if self.keeps_bytes:
                self.seen += piece
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield line.decode()
            if self.way == "slow" and not self.is_calm.is_set():
                self._ended.wait(self._dice.uniform(0.2, 2))

    def _poll(self) -> None:
        end = time.monotonic() + self._dice.uniform(0.2, 6)
        while not self._ended.is_set() and (time.monotonic() < end or self.is_calm.is_set()):
            self._poll_once()

    def _poll_once(self) -> None:
        query = f"?since={self.replica.position}" if self.replica.position else ""
        answer = exchange(self._connection, "GET", f"/changes{query}", token=self._token(), close=False)
        if answer.status != 200:
            raise OSError(f"{answer.status}")
        if self.keeps_bytes:
            self.seen += answer.body
        page = answer.json()
        if page["reset"]:
            self.replica.forget()
        self.replica.apply(page["changes"], page["position"])
        if not page["more"]:
            self._ended.wait(0.2)
