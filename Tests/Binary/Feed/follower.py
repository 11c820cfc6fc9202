"""A client of the feed: what it has built of the town, and how it keeps it up to date."""

import http.client
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from town import ADMIN, Town, business, good

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
        self.slugs: list[str] = []  # of changes, in order
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
            self.counts["cut snapshots"] += 1
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
                self.faults.append(f"{position}: {change['action']} {key}, which it {'has' if has else 'lacks'}")
            if change["action"] == "deleted":
                self.records.pop(key, None)
            else:
                self.records[key] = json.dumps(change["record"], sort_keys=True)
                self.slugs += [] if self._is_whole else [change["record"]["slug"]]
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


def open_stream(port: int, token: str | None = None, position: str = "") -> http.client.HTTPResponse:
    """A stream of events; raises OSError when it is refused."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": position} if position else {})
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    connection.request("GET", "/api/v1/changes", headers=headers)
    response = connection.getresponse()
    if response.status != 200:
        raise OSError(f"{response.status} {response.read()[:200]!r}")
    return response


def add(town: Town, sessions: dict[str, str], name: str) -> None:
    good(town.ask("POST", "/businesses", business(name, slug=name.lower()), sessions[ADMIN]), 201)


def until(holds: Callable[[], object], seconds: float = 30) -> bool:
    """Whether something holds in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
