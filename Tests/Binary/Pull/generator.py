"""What the calendars of a town answer over some days, four times a day: the same for the same seed.

The rates are those of 660 real calendars. Every kind of fault and change is counted, so that a run can say how often
it met each.
"""

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from hashlib import sha256

from entries import ZONE
from source import LONG, Source, calendar as written, utc

# Events begin and end at a full or half hour, which no step is within six minutes before: so long one may take.
START = datetime(2027, 3, 1, 16, 3, tzinfo=timezone.utc)
STEP = timedelta(hours=6, minutes=10)
STEPS_A_DAY = 4
VANISHES, RENAMED, RETURNS, CHANGES, COMES = 0.008, 0.5, 0.3, 0.010, 0.012  # a day; of those that vanish
STORIES = ("plain", "empty for hours", "empty for days", "loses 11 of 13", "new UIDs at each fetch", "outage",
           "two branches", "first of twins", "second of twins", "first of the host's", "the host's", "new DTSTAMP each")
HOURS, DAYS = 3, 10  # how many steps a calendar is empty
BAD = ("web page", "error in JSON", "no bytes", "half a file", "cut connection", "403", "503 with an empty calendar",
       "silence", "reset", "404", "500 with the whole calendar")
PAGE = b"<!doctype html><html><head><title>Oops</title></head><body><h1>Down for maintenance</h1></body></html>"
WORDS = ("Kelp", "Drift", "Salt & Fog", "Cedar", "Tide", "Café", "Heron", "Otter", "Fern", "Slack, Tide; Co", "Zwölf")
NOUNS = ("Jam", "Walk", "Quiz", "Story Time", "Market", "Choir", "Lecture", "Open House", "Swap", "Film Night")
PLACES = ("Library", "Community Hall, 2037 Shields Rd", "Whiffin Spit", "School Gym", "", "Town Hall; upper floor")
TEXTS = ("", "Bring a friend.", "Doors at seven.\nFree; donations, please.", "<p>Bring <b>friends</b> &amp; chairs</p>",
         '<b>By foot</b><br>or bus, <a href="https://walk.example/a?b=1">map</a>', "Ünïcode " * 30 + "end", "A \\ B, C")


@dataclass(frozen=True)
class Answer:
    """What a server does when it is asked."""

    status: int
    headers: dict[str, str]
    body: bytes
    behaviour: str = ""  # silence, cut, reset, redirect; empty for an answer as it should be

    @property
    def validator(self) -> tuple[str, str] | None:
        return next(((name, self.headers[name]) for name in ("ETag", "Last-Modified") if name in self.headers), None)

    def outcome(self, known: tuple[str, str] | None) -> tuple[int, bytes]:
        """Status and bytes as a client sees them that has an answer with this validator."""
        if self.behaviour in ("silence", "cut", "reset"):
            return 0, b""
        return (304, b"") if self.status == 200 and known and known == self.validator else (self.status, self.body)


@dataclass
class Calendar:
    number: int
    story: str
    begins: int  # the step at which its story begins
    validator: str
    events: list[Source] = field(default_factory=list)
    hidden: list[Source] = field(default_factory=list)  # they come back
    shown: set[str] = field(default_factory=set)  # the UIDs of its last good answer
    shown_before: set[str] = field(default_factory=set)
    modified: tuple[bytes, datetime] = (b"", START)


class World:
    """The calendars, step by step; `counts` says what happened how often."""

    def __init__(self, seed: int, calendars: int, days: int) -> None:
        self.random, self.counts, self.step, self._serial, self._bad = random.Random(seed), Counter(), 0, 0, 0
        self.steps, self._bad_share = days * STEPS_A_DAY, 0.05 if calendars > 100 else 0.1
        self.provoked: set[tuple[int, str]] = set()  # events by calendar and UID, whose titles change next
        self.calendars = []
        for number in range(calendars):
            story = STORIES[number % len(STORIES)]
            validator = "" if story.startswith("new ") else self.random.choice(("ETag", "ETag", "Last-Modified", ""))
            calendar = Calendar(number, story, self.random.randint(1, max(1, self.steps // 4)), validator)
            count = 13 if story == "loses 11 of 13" else min(150, int(self.random.lognormvariate(2.8, 0.8)) + 5)
            calendar.events = [self._event(calendar) for _ in range(count)]
            if story in ("plain", "outage"):
                single = replace(self._event(calendar), form="zone", rule="", single=True)
                calendar.events += [single, replace(self._event(calendar), broken=True, rule="")]
                self.counts.update(("single date without its series", "entry with an error"))
            self.calendars.append(calendar)

    @property
    def now(self) -> datetime:
        return START + self.step * STEP

    @property
    def clock(self) -> datetime:
        """Now, on the clocks of the town."""
        return self.now.astimezone(ZONE).replace(tzinfo=None)

    def businesses(self) -> dict[int, str]:
        """The business whose own calendar one is: no other place has words of its name."""
        return {calendar.number: f"Playhouse {calendar.number}" for calendar in self.calendars
                if calendar.story == "the host's"}

    def answers(self) -> dict[int, Answer]:
        """What each calendar answers now, which may be asked for once; then `step` goes on."""
        answers = {}
        for calendar in self.calendars:
            if self.step:
                before = {event.uid for event in calendar.events}
                self._live(calendar)
                if calendar.story == "plain":
                    self.counts["UIDs after a fetch"] += len(before)
                    self.counts["UIDs that stayed"] += len(before & {event.uid for event in calendar.events})
                self._tell(calendar, self.step - calendar.begins)
            answers[calendar.number] = self._answer(calendar)
        self.step += 1
        return answers

    def _event(self, calendar: Calendar) -> Source:
        self._serial += 1
        number, chance, is_first = self._serial, self.random, calendar.story.startswith("first")
        form = "zone" if is_first else chance.choices(("zone", "utc", "floating", "day"), (50, 25, 10, 15))[0]
        days = chance.randint(12, 60) if is_first or "11" in calendar.story else int(chance.expovariate(1 / 25)) - 2
        start = self.clock.replace(hour=0, minute=0) + timedelta(days=days + (3 if self.step else 0))
        start += timedelta(minutes=0 if form == "day" else 30 * chance.randint(16, 42))
        rule, place = "", chance.choice(PLACES)
        if "host" in calendar.story:
            place = f"Playhouse {calendar.number + is_first}"
        if form != "day" and not is_first and chance.random() < 0.1:
            until = utc(start + timedelta(weeks=chance.randint(2, 30), hours=6))
            rule = chance.choice(("FREQ=WEEKLY", f"FREQ=WEEKLY;UNTIL={until}"))
            self.counts["series"] += 1
        minutes = chance.choice((0, 0, 0, LONG)) if form == "day" else chance.choice((None, 60, 90, 120))
        uid = f"{number}-{sha256(str(number).encode()).hexdigest()[:12]}@c{calendar.number}.example"
        noun, text = "Festival" if is_first else chance.choice(NOUNS), chance.choice(TEXTS)
        self.counts["HTML in a text"] += int(text.startswith("<"))
        title = f"{chance.choice(WORDS)} {noun} {calendar.number}-{number}"
        return Source(uid, title, start, form, minutes, place, text, rule)

    def _live(self, calendar: Calendar) -> None:
        """A quarter of a day in the life of a calendar."""
        now, chance, listed = self.clock, self.random, []
        for event in calendar.events:
            chances, is_coming = chance.random() * STEPS_A_DAY, event.start > now or event.rule
            is_steady = event.broken or event.single or "Festival" in event.title
            if not event.rule and now - event.start > timedelta(days=2) and chance.random() < 0.02:
                continue  # calendars go on to list what is over, for a while
            often = 30 if event.cancelled else 3 if event.rule else 1
            if (calendar.number, event.uid) in self.provoked:
                self.provoked.remove((calendar.number, event.uid))
                self.counts["changed: a title that was edited here"] += 1
                listed.append(replace(event, title=f"New {event.title}"))
            elif not is_coming or is_steady or chances > (VANISHES + CHANGES) * often:
                listed.append(event)
            elif chances > VANISHES or event.cancelled:
                listed.append(self._changed(event))
            elif chances < VANISHES * RENAMED:
                self.counts["new UID"] += 1
                listed.append(replace(event, uid="new-" + event.uid))
            else:
                self.counts["vanishes"] += 1
                if chance.random() < RETURNS:
                    calendar.hidden.append(replace(event, back=self.step + chance.randint(1, 12)))
        back = [event for event in calendar.hidden if event.back == self.step and event.start > now]
        self.counts["comes back"] += len(back)
        new = [self._event(calendar) for _ in calendar.events if chance.random() * STEPS_A_DAY < COMES]
        self.counts["comes"] += len(new)
        calendar.events = listed + back + new

    def _changed(self, event: Source) -> Source:
        """Changed in place. Dates that are soon stay: an outage could hide the change until the former date is over."""
        kinds, chance = ["text", "title", "place", "cancelled by title", "cancelled by status"], self.random
        kinds += ["date"] * 3 if event.start - self.clock > timedelta(days=5) and not event.rule else []
        kinds = ["date left out", "single date moved"] if event.rule else kinds
        kind = "confirmed again" if event.cancelled and chance.random() < 0.8 else chance.choice(kinds)
        self.counts[f"changed: {kind}"] += 1
        later = event.start + timedelta(weeks=1)
        if event.form == "utc":  # a rule in UTC has the date at the same time in UTC
            week_after = event.start.replace(tzinfo=ZONE).astimezone(timezone.utc) + timedelta(weeks=1)
            later = week_after.astimezone(ZONE).replace(tzinfo=None)
        return replace(event, **{
            "text": {"text": chance.choice(TEXTS) + "."}, "title": {"title": f"{chance.choice(WORDS)} {event.title}"},
            "place": {"place": event.place + " (new entrance)"}, "cancelled by title": {"cancelled": "by title"},
            "cancelled by status": {"cancelled": "by status"}, "confirmed again": {"cancelled": ""},
            "date": {"start": event.start + timedelta(days=chance.choice((-1, 1, 2, 7)))},
            "date left out": {"left_out": (later,), "moved": ()},
            "single date moved": {"moved": (later,), "left_out": ()}}[kind])

    def _tell(self, calendar: Calendar, at: int) -> None:
        """What happens to whole calendars, `at` steps after its begin."""
        story, number, events = calendar.story, calendar.number, calendar.events
        if story == "two branches" and at in (0, 1):
            for branch in ("Main Branch", "North Branch") if at == 0 else ("", ""):
                start = self.clock.replace(hour=10, minute=0) + timedelta(days=20)
                uid = f"branch-{at}{len(events)}@c{number}.example"
                events.append(Source(uid, f"Story Time at {number}", start, place=branch))
        elif story == "two branches" and at in (3, 5):
            self.counts["two branches with new UIDs" if at == 3 else "two that are alike with new UIDs"] += 1
            branches = [event for event in events if "branch" in event.uid]
            calendar.events = [event for event in events if event not in branches]
            calendar.events += [replace(event, uid=f"o-{event.uid}") for event in branches]
        elif story == "new UIDs at each fetch":
            self.counts[story] += 1
            calendar.events = [replace(event, uid=f"{self.step}~{event.uid.rpartition('~')[2]}") for event in events]
        elif story in ("second of twins", "the host's") and at == 2:
            first = self.calendars[number - 1]
            for index, event in enumerate([event for event in first.events if event.uid in first.shown_before][:3]):
                places = event.place, "", event.place.partition(",")[0]
                place = event.place if story == "the host's" else places[index]
                events.append(replace(event, uid=f"twin-{event.uid}", place=place))
                self.counts["twin, in the host's calendar" if story == "the host's" else "twin"] += 1
        elif story == "first of twins" and at == 12:
            self.counts["first of twins vanishes"] += 1
            events.remove(next(event for event in events if "Festival" in event.title))
        elif story == "loses 11 of 13" and at == 0:
            self.counts[story] += 1
            calendar.hidden += [replace(event, back=self.step + 14) for event in events[2:] if number % 24 < 12]
            del events[2:]
        elif story.startswith(("empty", "outage")) and at == 0:
            self.counts[story] += 1

    # Answers

    def _answer(self, calendar: Calendar) -> Answer:
        at = self.step - calendar.begins
        is_empty = at >= 0 and at < {"empty for hours": HOURS, "empty for days": DAYS}.get(calendar.story, 0)
        events = [] if is_empty else calendar.events
        stamp = f"{self.now:%Y%m%dT%H%M%SZ}" if calendar.story == "new DTSTAMP each" else "20270101T000000Z"
        body = written(events, stamp, "\n" if calendar.number % 7 == 3 else "\r\n")
        if calendar.story == "outage" and 0 <= at < 6 or self.random.random() < self._bad_share:
            return self._bad_answer(calendar, body)
        calendar.shown_before, calendar.shown = calendar.shown, {event.uid for event in events}
        if body != calendar.modified[0]:
            calendar.modified = body, self.now
        headers = {"Content-Type": "text/calendar; charset=utf-8"}
        if calendar.validator == "ETag":
            headers["ETag"] = f'"{sha256(body).hexdigest()[:16]}"'
        elif calendar.validator:
            headers["Last-Modified"] = f"{calendar.modified[1]:%a, %d %b %Y %H:%M:%S GMT}"
        self.counts["good answer"] += 1
        return Answer(200, headers, body, "redirect" if calendar.number % 10 == 7 else "")

    def _bad_answer(self, calendar: Calendar, body: bytes) -> Answer:
        kind = BAD[self._bad % len(BAD)]
        self._bad += 1
        self.counts[kind] += 1
        status, kinds = 200, {"Content-Type": "text/html"}
        if kind[:3].isdigit():
            status, body = int(kind[:3]), {"500": body, "503": written([])}.get(kind[:3], PAGE)
        elif kind in ("web page", "error in JSON", "no bytes"):
            body = {"web page": PAGE, "error in JSON": b'{"error":{"code":429}}', "no bytes": b""}[kind]
        elif kind == "half a file":
            body = body[:len(body) // 2]
        tag = {"ETag": f'"{sha256(body).hexdigest()[:16]}"'}  # also of what is no calendar
        behaviours = {"silence": "silence", "reset": "reset", "cut connection": "cut"}
        return Answer(status, kinds | tag, body, behaviours.get(kind, ""))
