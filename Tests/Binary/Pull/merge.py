"""The merge of pulled calendars, written from its description and from nothing else: what a town must be afterwards.

An event has what stands here (`ours`), what its source said last (`base`), and what the source says where somebody
keeps another value (`theirs`).
"""

from dataclasses import dataclass, field
from datetime import datetime

from entries import DAY, Entry, is_calendar, read

MOST = 2_000  # coming events of a calendar


@dataclass
class Event:
    identity: int  # of its slug and its ID
    calendar: int | None  # None: made by hand
    key: str
    ours: dict[str, object]
    base: dict[str, object]
    status: str
    host: str | None = None
    theirs: dict[str, object] = field(default_factory=dict)
    missed: int = 0
    missing_since: datetime | None = None
    withdrawn_at: datetime | None = None
    kept: bool = False
    cancelled_here: bool = False
    others: list[tuple[int, str]] = field(default_factory=list)
    apart: list[str] = field(default_factory=list)

    def is_coming(self, now: datetime) -> bool:
        return Entry(self.key, self.ours).is_coming(now)

    def clear_marks(self) -> None:
        self.missed, self.missing_since, self.withdrawn_at, self.kept = 0, None, None, False


@dataclass
class Calendar:
    trust: str = "publish"
    host: str | None = None
    accepted: bool = False
    waiting: tuple[int, int] | None = None  # how many would go, of how many


class Town:
    def __init__(self, businesses: dict[str, str] | None = None) -> None:
        self.calendars: dict[int, Calendar] = {}
        self.events: list[Event] = []
        self._businesses = {fold(name): slug for slug, name in (businesses or {}).items()}

    def coming(self, number: int, now: datetime) -> list[Event]:
        """Those of a calendar that are not over; past ones are never marked or withdrawn."""
        return [event for event in self.events if event.calendar == number and event.is_coming(now)]

    def fetch(self, number: int, status: int, body: bytes, now: datetime) -> None:
        if status == 304:  # the same answer as before
            lacking = [event for event in self.coming(number, now) if event.missed]
        elif status == 200 and is_calendar(body):
            lacking = self._merge(number, read(body), now)
        else:
            return
        for event in lacking:
            if not event.kept and not event.withdrawn_at:
                event.missed, event.missing_since = event.missed + 1, event.missing_since or now
        self._withdraw(number, now)

    def _merge(self, number: int, entries: list[Entry], now: datetime) -> list[Event]:
        """Merges the entries of an answer; the coming events that it lacks."""
        mine = {event.key: event for event in self.events if event.calendar == number}
        joined = {key for event in self.events for other, key in event.others if other == number}
        listed = {entry.key for entry in entries}  # also with an error, one too many, or over now
        for event in self.coming(number, now):
            if event.key in listed:
                event.clear_marks()
        sound = [entry for entry in entries if not entry.problem]
        coming = sorted((entry for entry in sound if entry.is_coming(now)), key=lambda entry: entry.said["times"].start)
        for entry in sound:
            event = mine.get(entry.key)
            if event and (event.is_coming(now) or entry.is_coming(now)):
                event.clear_marks()
                merge_fields(event, entry)
        gone = [event for event in self.coming(number, now) if event.key not in listed]
        new = [entry for entry in coming[:MOST] if entry.key not in mine and entry.key not in joined]
        renamed = pairs(new, [event for event in gone if not event.missed])
        for entry, event in renamed:
            event.key, event.kept = entry.key, False
            merge_fields(event, entry)
        for entry in new:
            if entry.key not in {other.key for other, _ in renamed}:
                self._insert(number, entry)
        return [event for event in gone if event.key not in listed]

    def _insert(self, number: int, entry: Entry) -> None:
        calendar, said = self.calendars[number], entry.said
        if said["status"] == "cancelled":
            return
        if twin := self._twin(number, entry):
            return self._join(number, entry, twin)
        status = "approved" if calendar.trust == "publish" and calendar.accepted else "pending_review"
        self.events.append(Event(len(self.events), number, entry.key, dict(said), dict(said), status, calendar.host))

    def _twin(self, number: int, entry: Entry) -> Event | None:
        """The first event here that another calendar, or a person, has made of the same."""
        said = entry.said
        for event in self.events:
            ours, is_here = event.ours, event.status in ("approved", "cancelled", "pending_review")
            if (event.calendar != number and is_here and not event.withdrawn_at and entry.key not in event.apart
                    and ours["times"].start == said["times"].start and fold(ours["name"]) == fold(said["name"])
                    and (fold(ours["place"]) in fold(said["place"]) or fold(said["place"]) in fold(ours["place"]))):
                return event
        return None

    def _join(self, number: int, entry: Entry, event: Event) -> None:
        """A second source; the host's own calendar becomes the first one."""
        host = self.calendars[number].host
        former = self.calendars[event.calendar].host if event.calendar is not None else None
        place = self._businesses.get(fold(event.ours["place"]))
        if host is None or host == former or host not in (place, event.host):
            return event.others.append((number, entry.key))
        if event.calendar is not None:
            event.others.append((event.calendar, event.key))
        event.calendar, event.key, event.host = number, entry.key, host
        event.base, event.ours, event.theirs = dict(entry.said), dict(entry.said), {}
        event.clear_marks()

    def _withdraw(self, number: int, now: datetime, asks: bool = True) -> None:
        for event in self._due(number, now):
            if event.others:  # another calendar has it still
                event.calendar, event.key = event.others.pop(0)
                event.clear_marks()
        due = self._due(number, now)
        here = [event for event in self.coming(number, now) if not event.withdrawn_at]
        is_waiting = bool(due) and self.calendars[number].waiting is not None
        is_over_bound = is_waiting or len(due) > 3 and 2 * len(due) > len(here)
        self.calendars[number].waiting = (len(due), len(here)) if asks and is_over_bound else None
        if not (asks and is_over_bound):
            for event in due:
                event.withdrawn_at = now

    def _due(self, number: int, now: datetime) -> list[Event]:
        return [event for event in self.coming(number, now)
                if not event.withdrawn_at and event.missed >= 3 and now - event.missing_since >= DAY]

    # What people do

    def accept(self, number: int) -> None:
        self.calendars[number].accepted = True
        for event in self.events:
            if event.calendar == number and event.status == "pending_review":
                event.status = "approved"

    def settle(self, number: int, answer: str, now: datetime) -> None:
        if answer == "gone":
            return self._withdraw(number, now, asks=False)
        for event in self._due(number, now):
            event.clear_marks()
            event.kept = True  # until it is seen again
        self.calendars[number].waiting = None

    def separate(self, event: Event, number: int, key: str) -> None:
        event.others.remove((number, key))
        event.apart.append(key)


def pairs(new: list[Entry], gone: list[Event]) -> list[tuple[Entry, Event]]:
    """The same event under another key: exactly one came, and one is gone, with this name, start and place."""
    came: dict[object, list[Entry]] = {}
    went: dict[object, list[Event]] = {}
    for entry in new:
        came.setdefault(likeness(entry.said), []).append(entry)
    for event in gone:
        went.setdefault(likeness(event.base), []).append(event)
    return [(came[like][0], went[like][0]) for like in came if len(came[like]) == len(went.get(like, [])) == 1]


def merge_fields(event: Event, entry: Entry) -> None:
    """Three ways, field by field: whoever edited a field here keeps it."""
    event.ours["status"] = event.status
    for name, theirs in entry.said.items():
        if name == "status" and event.status not in ("approved", "cancelled"):
            continue  # nobody outside has seen it yet
        is_edited = event.ours[name] != event.base[name] or name == "status" and event.cancelled_here
        if theirs != event.base[name] and not is_edited:
            event.ours[name] = theirs
        event.theirs.pop(name, None)
        if event.ours[name] != theirs:
            event.theirs[name] = theirs
        event.base[name] = theirs
    event.status = event.ours["status"]


def likeness(said: dict[str, object]) -> tuple[str, object, str]:
    return fold(said["name"]), said["times"].start, fold(said["place"])


def fold(text: object) -> str:
    return str(text).lower()
