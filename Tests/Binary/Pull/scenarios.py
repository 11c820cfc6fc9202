"""What the merge of reference must do in small cases, rule by rule, and over the days of the generator."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

from entries import read
from generator import START, World
from merge import Calendar, Event, Town
from replay import Replay
from source import Source, calendar

Claims = Iterator[tuple[str, object, object]]  # what, what is so, what must be
HALL = "Community Hall"


class Story:
    """A town of two calendars and times in hours; 0 and 1 are trusted unless told otherwise."""

    def __init__(self, **calendars: Calendar) -> None:
        self.town = Town({"playhouse": "Playhouse"})
        self.town.calendars = {0: Calendar(accepted=True), 1: Calendar(accepted=True, host="playhouse")}
        self.town.calendars |= {int(name[1:]): value for name, value in calendars.items()}

    def fetch(self, hours: float, *events: Source, number: int = 0, status: int = 200, body: bytes = b"-") -> None:
        body = calendar(list(events)) if body == b"-" else body
        self.town.fetch(number, status, body, START + timedelta(hours=hours))

    def settle(self, hours: float, answer: str) -> None:
        self.town.settle(0, answer, START + timedelta(hours=hours))

    def is_second(self) -> bool:
        """Whether of two calendars of one host the first one stays the source."""
        self.fetch(0, event("a", "Play", place="Playhouse"), number=1)
        self.fetch(1, event("b", "Play", place="Playhouse"), number=2)
        return (self["a"].calendar, self["a"].others) == (1, [(2, "b")])

    def twin_of_withdrawn(self) -> int:
        self.fetch(0, event("a", "Play"))
        for hours in (6, 12, 18, 32):
            self.fetch(hours)
        self.fetch(33, event("b", "Play"), number=1)
        return len(self.town.events)

    def __getitem__(self, key: str) -> Event:
        return next(event for event in self.town.events if event.key == key)

    @property
    def keys(self) -> list[str]:
        return [event.key for event in self.town.events if not event.withdrawn_at]


def event(uid: str, title: str = "", days: float = 9, place: str = HALL, **fields: object) -> Source:
    start = START.replace(tzinfo=None, hour=19, minute=0) + timedelta(days=days)
    return Source(uid, title or f"Jam {uid}", start, place=place, **fields)


def answers() -> Claims:
    """An answer that is no calendar changes nothing; an empty calendar is one."""
    for name, status, body in (("a web page", 200, b"<html>"), ("no bytes", 200, b""), ("503", 503, calendar([])),
                               ("half a file", 200, calendar([event("b")])[:-9]), ("none", 0, b"")):
        story = Story()
        story.fetch(0, event("a"))
        for hours in (6, 12, 40, 46):
            story.fetch(hours, status=status, body=body)
        yield name, (story.keys, story["a"].missed), (["a"], 0)
    story = Story()
    story.fetch(0, event("a"))
    story.fetch(6)
    yield "an empty calendar", story["a"].missed, 1


def entries() -> Claims:
    """Only what is coming; an entry with an error leaves its event as it is, and is no reason to miss it."""
    story = Story()
    story.fetch(0, event("past", days=-3), event("old series", days=-30, rule="FREQ=WEEKLY"), event("a"), event("b"),
                event("ended", days=-30, rule="FREQ=WEEKLY;UNTIL=20270215T000000Z"), event("odd", broken=True),
                event("single", single=True))
    single = "single 20270310T090000"
    yield "what comes", story.keys, ["old series", "a", "b", single]
    story.fetch(6, event("a", "New", broken=True))
    yield "an error is seen", (story["a"].missed, story["a"].ours["name"], story["b"].missed), (0, "Jam a", 1)
    story.fetch(9, event("a"), event("b", broken=True))
    yield "an error ends a mark", story["b"].missed, 0
    story.fetch(12, event("a", days=-2), event("b"))
    yield "moved to a date that is over", (story["a"].missed, story["a"].is_coming(START)), (0, False)
    story.fetch(15, event("a", "Late words", days=-2), event("b"))
    yield "what is over is not touched", story["a"].ours["name"], "Jam a"
    story.fetch(18, event("a", days=30))
    yield "and to one that comes", (len(story.town.events), story["a"].is_coming(START)), (4, True)
    story = Story()
    story.fetch(0, *(event(f"u{number:04}", days=1 + number / 4) for number in range(2_100)))
    story.fetch(6, *(event(f"u{number:04}", days=1 + number / 4) for number in range(2_100)))
    yield "at most 2,000", (len(story.town.events), story.keys[-1], story["u1999"].missed), (2_000, "u1999", 0)


def identity() -> Claims:
    """Another UID: one came and one is gone with the same name, start and place, in the same answer."""
    story = Story()
    story.fetch(0, event("main", "Story Time", place="Main"), event("north", "Story Time", place="North"), event("a"))
    story.fetch(6, event("m2", "STORY time", place="Main"), event("n2", "Story Time", place="North"), event("a"))
    yield "two branches", (story["m2"].identity, story["n2"].identity, len(story.town.events)), (0, 1, 3)
    north = event("n2", "Story Time", place="North")
    story.fetch(12, event("m3", "Story Time", days=10, place="Main"), north, event("a"))
    yield "at another time it is another event", (story["m3"].identity, story["m2"].missed), (3, 1)
    story.fetch(18, event("m4", "Story Time", place="Main"), event("n2", "Story Time", place="North"), event("a"))
    yield "what was missing before", (story["m4"].identity, story["m2"].missed), (4, 2)
    story.fetch(24, event("m2", "Story Time", place="Main"), event("n2", "Story Time", place="North"), event("a"))
    story.fetch(30, event("m5", "Story Time", place="Main"), event("n2", "Story Time", place="North"), event("a"))
    yield "one that is missing, or back and gone", (story["m5"].identity, story["m4"].missed), (0, 2)
    story = Story()
    story.fetch(0, event("x1", "Swim"), event("x2", "Swim"))
    story.fetch(6, event("x3", "Swim"), event("x4", "Swim"))
    yield "two that are alike", (story.keys, story["x1"].missed), (["x1", "x2", "x3", "x4"], 1)
    story = Story()
    story.fetch(0, event("a", "Jam"))
    story["a"].ours["name"] = "Our jam"
    story.fetch(6, event("b", "CANCELLED: Jam"))
    b = story["b"]
    yield "edited here, cancelled there", (b.identity, b.ours["name"], b.status), (0, "Our jam", "cancelled")


def fields() -> Claims:
    """Whoever edited a field here keeps it."""
    story = Story()
    story.fetch(0, event("a", "Jam", text="one"))
    story["a"].ours["name"] = "Our jam"
    story.fetch(6, event("a", "Jam", text="two", place="Hall <b>2</b> &amp; yard"))
    a = story["a"]
    yield "an edit beside changes", (a.ours["name"], a.ours["description"], a.ours["place"], a.theirs), (
        "Our jam", "two", "Hall 2 & yard", {"name": "Jam"})
    story.fetch(12, event("a", "Big jam", text="two"))
    yield "both changed", (a.ours["name"], a.theirs["name"]), ("Our jam", "Big jam")
    story.fetch(18, event("a", "Our jam", text="two"))
    yield "they take ours", (a.ours["name"], a.theirs), ("Our jam", {})
    story.fetch(24, event("a", "Jam again", days=11))
    yield "then theirs is taken", (a.ours["name"], a.ours["times"].start.day), ("Jam again", 13)


def statuses() -> Claims:
    """A cancel of the source ends with it; one made here stays; what waits is not cancelled."""
    story = Story(_0=Calendar())
    story.fetch(0, event("a"), event("no", cancelled="by status"))
    yield "it waits, and no cancelled one is made", [(one.key, one.status) for one in story.town.events], [
        ("a", "pending_review")]
    story.fetch(6, event("a", cancelled="by title"))
    yield "what waits", story["a"].status, "pending_review"
    story.town.accept(0)
    story.fetch(12, event("a", cancelled="by title"), event("b"))
    yield "after the tap", [(one.ours["name"], one.status) for one in story.town.events], [
        ("Jam a", "cancelled"), ("Jam b", "approved")]
    story.fetch(18, event("a"), event("b"))
    yield "confirmed again", story["a"].status, "approved"
    story["b"].status, story["b"].cancelled_here = "cancelled", True
    story.fetch(24, event("a"), event("b", cancelled="by status"))
    story.fetch(30, event("a"), event("b"))
    yield "cancelled here", (story["b"].status, story["b"].theirs), ("cancelled", {"status": "approved"})
    story = Story(_0=Calendar(trust="queue", accepted=True))
    story.fetch(0, event("a"))
    yield "always the queue", story["a"].status, "pending_review"


def vanishing() -> Claims:
    """Three good answers and 24 hours; back by itself; 304 counts what is marked."""
    story, rest = Story(), [event(f"r{number}") for number in range(4)]
    story.fetch(0, event("a"), event("soon", days=0.2), *rest)
    for hours in (6, 12, 18):
        story.fetch(hours, *rest)
    story.fetch(20, status=404)
    yield "three answers, 12 hours", (story["a"].missed, "a" in story.keys), (3, True)
    story.fetch(30, status=304, body=b"")
    yield "and 24 hours", (story["a"].missed, "a" in story.keys), (4, False)
    yield "304 marks nothing", story["r0"].missed, 0
    yield "what is over", (story["soon"].missed, "soon" in story.keys), (2, True)
    story.fetch(36, *rest)
    yield "withdrawn once", (story["a"].missed, story["r0"].missed), (4, 0)
    story.fetch(42, event("a"), *rest)
    yield "back", (story["a"].identity, story["a"].missed, "a" in story.keys), (1, 0, True)
    story = Story()
    story.fetch(0, event("a"), *rest)
    story.fetch(6, *rest)
    story.fetch(36, *rest)
    yield "two answers", (story["a"].missed, "a" in story.keys), (2, True)


def half_gone() -> Claims:
    """More than half and more than three wait for a person."""
    def lost(left: int, of: int) -> Story:
        story = Story()
        story.fetch(0, *(event(f"e{number}") for number in range(of)))
        for hours in (6, 12, 18, 30):
            story.fetch(hours, *(event(f"e{number}") for number in range(left)))
        return story

    for left, of, waiting in ((2, 13, (11, 13)), (0, 4, (4, 4)), (0, 3, None), (4, 8, None), (3, 7, (4, 7))):
        story = lost(left, of)
        kept = of if waiting else left
        yield f"{left} of {of} left", (story.town.calendars[0].waiting, len(story.keys)), (waiting, kept)
    story = lost(2, 13)
    story.settle(31, "gone")
    yield "they are gone", (len(story.keys), story.town.calendars[0].waiting), (2, None)
    story = lost(2, 13)
    story.settle(31, "keep")
    yield "settled", story.town.calendars[0].waiting, None
    story.fetch(36, event("e0"), event("e1"), event("e2"))
    yield "keep them", (len(story.keys), story["e3"].missed, story["e3"].kept, story["e2"].kept), (
        13, 0, True, False)
    story.fetch(42, event("e0"), event("e1"))
    yield "until seen again", (story["e2"].missed, story["e3"].missed), (1, 0)
    story.fetch(48, event("e0"), event("e1"), event("new e3", "Jam e3"))
    yield "under another UID", (story["new e3"].identity, story["new e3"].kept), (3, False)
    story = lost(2, 13)
    story.fetch(36, *(event(f"e{number}") for number in range(8)))
    yield "most are back, the rest waits", (story.town.calendars[0].waiting, len(story.keys)), ((5, 13), 13)


def twins() -> Claims:
    """The same in two calendars is one event; the host's own calendar wins; two can be told apart."""
    story = Story()
    hall = event("b", "Play", place=HALL)
    story.fetch(0, event("a", "Play", place="Playhouse, 1 Main St"), hall, event("q", "Other"))
    story.fetch(1, event("t", "PLAY", place="Playhouse"), event("n", "Play", days=10), event("q"), number=1)
    a = story["a"]
    yield "contained", (a.others, len(story.town.events)), ([(1, "t")], 5)
    story.fetch(7, event("t", "Another name", place="Elsewhere"), number=1)
    yield "a second source changes nothing", (a.ours["name"], len(story.town.events)), ("Play", 5)
    story.town.separate(a, 1, "t")
    story.fetch(13, event("t", "PLAY", place="Playhouse"), number=1)
    yield "two events", (a.others, a.apart, story["t"].identity), ([], ["t"], 5)
    story = Story()
    story.fetch(0, event("a", "Play", place="Playhouse", text="theirs"), *(event(f"r{number}") for number in range(3)))
    story.fetch(1, event("t", "Play", place="Playhouse", text="of the host"), number=1)
    t = story["t"]
    yield "the host wins", (t.identity, t.calendar, t.ours["description"], t.others), (0, 1, "of the host", [(0, "a")])
    for hours in (7, 13, 19, 32):
        story.fetch(hours, number=1)
    yield "a calendar of the same host", Story(_2=Calendar(accepted=True, host="playhouse")).is_second(), True
    yield "the host lost it", (story["a"].identity, story["a"].calendar, story["a"].withdrawn_at), (0, 0, None)
    story = Story()
    for number, place in enumerate((HALL, "", "Elsewhere")):
        story.town.calendars[number] = Calendar(accepted=True)
        story.fetch(number, event("a", "Jam", place=place), number=number)
    yield "a twin of what is withdrawn is made", Story().twin_of_withdrawn(), 2
    yield "empty is equal, others are not", [(one.calendar, one.others) for one in story.town.events], [
        (0, [(1, "a")]), (2, [])]


def days() -> Claims:
    """What the issue promises holds for the merge of reference itself, over the days of the generator."""
    replay = Replay(World(7, 36, 4))
    while replay.world.step < replay.world.steps:
        before = {event.identity: (event.ours["name"], event.withdrawn_at) for event in replay.town.events}
        replay.advance()
        roots = {}
        for event in replay.town.events:
            if event.calendar is not None and "o-branch-1" not in event.key and event.missed == 0:
                root = event.calendar, re.sub(r"^(new-|o-|\d+~)+", "", event.key)
                roots.setdefault(root, set()).add(event.identity)
        twice = [root for root, identities in roots.items() if len(identities) > 1]
        yield f"step {replay.world.step}: no event twice", twice, []
        yield f"step {replay.world.step}: titles edited here", [
            name for identity, name in replay.titles.items() if replay.town.events[identity].ours["name"] != name], []
        held = {(one.calendar, one.key) for one in replay.town.events if not one.withdrawn_at}
        held |= {other for one in replay.town.events for other in one.others}
        lost = [(number, entry.key) for number, (status, body) in replay.outcomes.items() if status == 200
                and replay.was_good[number] for entry in read(body) if not entry.problem
                and entry.is_coming(replay.now) and entry.said["status"] != "cancelled"
                and (number, entry.key) not in held]
        yield f"step {replay.world.step}: every coming entry is here", lost, []
        bad = {number for number in replay.outcomes if not replay.was_good[number]}
        touched = [one.key for one in replay.town.events if one.calendar in bad and one.identity not in replay.touched
                   and one.identity in before and before[one.identity] != (one.ours["name"], one.withdrawn_at)]
        yield f"step {replay.world.step}: a bad answer changes nothing", touched, []


SCENARIOS: list[Callable[[], Claims]] = [
    answers, entries, identity, fields, statuses, vanishing, half_gone, twins, days]
