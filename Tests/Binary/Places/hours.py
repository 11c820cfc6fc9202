"""Opening hours and what pages say of them, read minute by minute: an oracle that shares nothing with the server.

It reads what `holidays.py` makes: rows of a week, special hours, and texts in the syntax of OpenStreetMap whose last
rule for a day decides. Times are minutes since the first day of its window, on clocks that are not changed.
"""

import datetime
import itertools
import re
from bisect import bisect_right
from typing import Any, NamedTuple

DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DAY = 1440
AHEAD = 400  # how many days ahead the next opening is looked for
SHUT, OPEN = 0, 1  # what holds in a minute; from 2 on: usually open on the holiday of that index
_MONTH, _DAYS = "|".join(MONTHS), "|".join([*DAYS, "PH"])
RULE = re.compile(rf"(?:(\d{{4}}) )?(?:({_MONTH})(?: (\d+))?(?:-(?:({_MONTH})(?: (\d+))?|(\d+)))? )?"
                  rf"(?:((?:{_DAYS})(?:[-,](?:{_DAYS}))*) )?(off|24/7|[\d:,-]+)")
Span = tuple[int, int]


class Rule(NamedTuple):
    year: int | None
    dates: tuple[Span, Span] | None  # the months and days from and to which it holds
    has_days: bool
    weekdays: set[int] | None
    of_holidays: bool
    spans: list[Span]
    reason: str = ""

    def holds(self, day: datetime.date, is_holiday: bool) -> bool:
        if self.year not in (None, day.year):
            return False
        if self.dates:
            (first, last), date = self.dates, (day.month, day.day)
            if not (first <= date <= last if first <= last else date >= first or date <= last):
                return False
        on_weekday = day.weekday() in self.weekdays if self.weekdays is not None else not self.of_holidays
        return on_weekday or self.of_holidays and is_holiday

    @property
    def is_weekly(self) -> bool:
        return self.year is None and self.dates is None


def minute(text: str) -> int:
    hours, minutes = text.split(":")[:2]
    return int(hours) * 60 + int(minutes)


def span(first: str, last: str) -> Span:
    start, end = minute(first), minute(last)
    return start, end if end > start else end + DAY


def weekdays(text: str) -> set[int]:
    found = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        start, end = DAYS.index(first), DAYS.index(last or first)
        found |= set(range(start, end + 1)) if start <= end else {*range(start, 7), *range(end + 1)}
    return found


def rules(text: str) -> list[Rule]:
    """The rules of a text."""
    found = []
    for part in text.split("; "):
        if not (match := RULE.fullmatch(part)):
            raise ValueError(f"the oracle does not read {part!r}")
        year, month, day, last_month, last_day, same_month, days, times = match.groups()
        dates = None
        if month:
            first = MONTHS.index(month) + 1
            last = MONTHS.index(last_month) + 1 if last_month else first
            end = last_day or same_month or (day if not last_month else None)
            dates = ((first, int(day or 1)), (last, int(end or 31)))
        names = [name for name in (days or "").split(",") if name]
        of_week = ",".join(name for name in names if name != "PH")
        spans = [(0, DAY)] if times == "24/7" else [] if times == "off" else [
            span(*time.split("-")) for time in times.split(",")]
        found.append(Rule(int(year) if year else None, dates, bool(day or last_day or same_month),
                          weekdays(of_week) if of_week else None, "PH" in names, sorted(spans)))
    return found


class DayHours(NamedTuple):
    spans: list[Span]
    is_special: bool
    remark: str
    unconfirmed: int  # the index of a holiday of which the hours say nothing, or None as -1


class Place:
    """A place, and what holds there in each minute of a window that begins with a day."""

    def __init__(self, record: dict[str, Any], first: datetime.date, holidays: dict[datetime.date, str]) -> None:
        self.id, self.name, self.slug = record["id"], record["name"], record["slug"]
        self.first, self.holidays = first, holidays
        self.names = sorted(set(holidays.values()))
        self.special = record.get("special_hours", [])
        self.rules = rules(record["opening_hours"]) if "opening_hours" in record else [
            Rule(None, None, False, {(row["day_of_week"] + 6) % 7}, False,
                 [] if row.get("is_closed") else [span(row["open_time"], row["close_time"])])
            for row in record.get("hours", [])]
        self.is_known = bool(self.rules)
        weekly = [[rule for rule in self.rules if rule.is_weekly and rule.weekdays is None and not rule.of_holidays
                   or rule.is_weekly and day in (rule.weekdays or ())] for day in range(7)]
        self.is_always_open = all(each and each[-1].spans == [(0, DAY)] for each in weekly)
        minutes = bytearray(DAY * (AHEAD + 10))
        self.days = [self.day(first + datetime.timedelta(index)) for index in range(AHEAD + 8)]
        for index, day in enumerate(self.days):
            # What began the day before gives way to what the day says.
            for start, end in day.spans:
                what = day.unconfirmed + 2 if day.unconfirmed >= 0 else OPEN
                minutes[index * DAY + start:index * DAY + end] = bytes([what]) * (end - start)
        self.starts, self.kinds = [], []
        at = 0
        for kind, group in itertools.groupby(minutes):
            self.starts.append(at)
            self.kinds.append(kind)
            at += len(list(group))

    def day(self, date: datetime.date) -> DayHours:
        """The hours of a day. Of special hours the range that begins last counts."""
        holiday = self.holidays.get(date)
        holding = [rule for rule in self.rules if rule.holds(date, holiday is not None)]
        said = any(rule.of_holidays or rule.has_days for rule in holding)
        rule = holding[-1] if holding else None
        rows = [row for row in self.special if row["from"] <= date.isoformat() <= row.get("to", "9999")]
        if rows:
            first, last = max(rows, key=lambda row: row["from"])["from"], min(
                row.get("to", "9999") for row in rows if row["from"] == max(row["from"] for row in rows))
            rows = [row for row in rows if (row["from"], row.get("to", "9999")) == (first, last)]
            spans = sorted(span(row["open_time"], row["close_time"]) for row in rows if not row.get("is_closed"))
            return DayHours(spans, True, rows[0].get("reason", ""), -1)
        if rule is None:
            return DayHours([], False, "", -1)
        of_holiday = holiday is not None and rule.of_holidays
        unsaid = holiday if rule.spans and not said and not self.is_always_open else None
        return DayHours(rule.spans, of_holiday or not rule.is_weekly, holiday or "" if of_holiday else "",
                        self.names.index(unsaid) if unsaid else -1)

    # MARK: - What pages say

    def at(self, now: int) -> int:
        """What holds in a minute."""
        return self.kinds[bisect_right(self.starts, now) - 1]

    def holiday(self, kind: int) -> str | None:
        return self.names[kind - 2] if kind > OPEN else None

    def state(self, now: int) -> tuple[str, str, str]:
        """The class of the state, its words in a row, with those for who listens, and the sentence of the page."""
        if not self.is_known:
            return "unknown", "hours unknown", "Hours unknown"
        run = bisect_right(self.starts, now) - 1
        kind, words = self.kinds[run], Words(self.first, now)
        if kind != SHUT:
            end = self.starts[run + 1] if run + 1 < len(self.starts) else None
            if end is not None and end > (now // DAY + AHEAD) * DAY:
                end = None
            if holiday := self.holiday(kind):
                text = f"usually until {words.when(end, True)}" if end else "usually open"
                doubt = f" · not confirmed for {holiday}"
                return "soon unconfirmed", text + doubt, text.replace("usually", "Usually open").replace(
                    "open open", "open") + doubt
            if end is None:
                return "open", "open", "Open"
            time = words.when(end, True)
            # One that goes on, confirmed otherwise, does not close.
            if end - now <= 60 and self.kinds[run + 1] == SHUT:
                return "soon", f"closes {time}", f"Closes at {time}"
            return "open", f"open until {time}", f"Open until {time}"
        remark = self.days[now // DAY].remark
        why = f": {remark}" if remark else ""
        if run + 1 == len(self.starts) or self.starts[run + 1] >= (now // DAY + AHEAD) * DAY:
            return "closed", "closed", f"Closed{why}"
        start = self.starts[run + 1]
        time = words.when(start, False)
        if holiday := self.holiday(self.kinds[run + 1]):
            if start // DAY == now // DAY + 1:
                time = "tomorrow " + clock(start)
            text = f"opens {time} · not confirmed for {holiday}"
            return "soon unconfirmed", "usually " + text, f"Closed{why}. Usually {text}"
        if start - now <= 60:
            return "soon", f"opens {time}", f"Opens at {time}"
        return "closed", f"closed, opens {time}", f"Closed{why}. Opens {time}"

    def table(self, now: int) -> list[tuple[str, str]]:
        """The rows of the week on the page, each with its class."""
        found = []
        for ahead in range(7):
            day, date = self.days[now // DAY + ahead], self.first + datetime.timedelta(now // DAY + ahead)
            name = f"{date:%A}" if ahead else "Today"
            doubt = f"not confirmed for {self.names[day.unconfirmed]}" if day.unconfirmed >= 0 else ""
            text = " ".join(length(*each) for each in day.spans) or "closed"
            style = "today special" if not ahead and doubt else "today" if not ahead else (
                "special" if doubt or day.is_special else "usual")
            found.append((style, " ".join(filter(None, [name, "usually" if doubt else "", text, day.remark, doubt]))))
        return found

    def next_change(self, now: int) -> int:
        """When the state or the table of the page say something else."""
        run, shown = bisect_right(self.starts, now), (self.state(now), self.table(now))
        edges = self.starts[run:run + 2]
        for edge in sorted({(now // DAY + 1) * DAY, *edges, *(edge - 60 for edge in edges)}):
            if edge > now and (self.state(edge), self.table(edge)) != shown:
                return edge
        return (now // DAY + 1) * DAY


class Words:
    """Times as pages have them, seen from a minute."""

    def __init__(self, first: datetime.date, now: int) -> None:
        self.first, self.today = first, now // DAY

    def date(self, day: int) -> datetime.date:
        return self.first + datetime.timedelta(day)

    def when(self, moment: int, is_end: bool) -> str:
        day, ahead = moment // DAY, moment // DAY - self.today
        if ahead == 0 or ahead == 1 and is_end and moment % DAY <= 360:
            return clock(moment)
        date = self.date(day)
        if ahead <= 6:
            return f"{date:%a} {clock(moment)}"
        year = f" {date.year}" if date.year != self.date(self.today).year else ""
        return f"{date:%a} {date.day} {date:%b}{year}"

    def day(self, ahead: int) -> str:
        """A day of the week as its heading has it."""
        date = self.date(self.today + ahead)
        year = f" {date.year}" if date.year != self.date(self.today).year else ""
        name = ["Today", "Tomorrow"][ahead] + f" {date:%A}" if ahead < 2 else f"{date:%A}"
        return f"{name} {date.day} {date:%B}{year}"


def clock(moment: int) -> str:
    hour, rest = divmod(moment % DAY, 60)
    if rest == 0 and hour in (0, 12):
        return "noon" if hour else "midnight"
    return f"{hour % 12 or 12}{f':{rest:02}' if rest else ''} {'am' if hour < 12 else 'pm'}"


def length(start: int, end: int) -> str:
    """A span: the half of the day is said once, unless noon or midnight is a part of it."""
    if end - start == DAY:
        return "24 hours"
    first, last = clock(start), clock(end)
    if end - start < 720 and first[-3:] == last[-3:] and first[-3:] in (" am", " pm"):
        return f"{first[:-3]} – {last}"
    return f"{first} – {last}"
