"""An event as a calendar has it, and the calendars that are written of such events."""

import html
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from entries import ZONE

LONG = 1440  # minutes


@dataclass(frozen=True)
class Source:
    """An event of a calendar; times are on the clocks of the town."""

    uid: str
    title: str
    start: datetime
    form: str = "zone"  # zone, utc, floating, day
    minutes: int | None = 60
    place: str = ""
    text: str = ""
    rule: str = ""
    left_out: tuple[datetime, ...] = ()
    moved: tuple[datetime, ...] = ()
    single: bool = False  # a date of a series that the calendar does not have
    cancelled: str = ""  # by title, by status
    broken: bool = False
    back: int = 0  # the step at which it is listed again

    def lines(self, stamp: str) -> list[str]:
        title = html.escape(self.title, quote=False) if self.text.startswith("<") else self.title
        lines = ["BEGIN:VEVENT", f"UID:{self.uid}", f"DTSTAMP:{stamp}",
                 "DTSTART:when the tide is out" if self.broken else "DTSTART" + self._time(self.start)]
        if self.single:
            lines.append("RECURRENCE-ID" + self._time(self.start.replace(hour=9, minute=0)))
        if self.form == "day" and self.minutes:
            lines.append("DTEND" + self._time(self.start + timedelta(days=1 + self.minutes // LONG)))
        elif self.minutes:
            is_length = self.form == "zone" and self.minutes == 90
            end = "DTEND" + self._time(self.start + timedelta(minutes=self.minutes))
            lines.append("DURATION:PT1H30M" if is_length else end)
        lines.append("SUMMARY:" + escaped(f"CANCELLED: {title}" if self.cancelled == "by title" else title))
        texts = ("LOCATION", self.place), ("DESCRIPTION", self.text)
        lines += [f"{name}:{escaped(value)}" for name, value in texts if value]
        if self.cancelled == "by status" or self.minutes == 90:
            lines.append("STATUS:" + ("CANCELLED" if self.cancelled == "by status" else "CONFIRMED"))
        lines += [f"RRULE:{self.rule}"] if self.rule else []
        lines += ["EXDATE" + self._time(time) for time in self.left_out] + ["END:VEVENT"]
        for time in self.moved:
            lines += ["BEGIN:VEVENT", f"UID:{self.uid}", f"DTSTAMP:{stamp}", "RECURRENCE-ID" + self._time(time),
                      "DTSTART" + self._time(time + timedelta(hours=1)), f"SUMMARY:{escaped(title)}", "END:VEVENT"]
        return lines

    def _time(self, time: datetime) -> str:
        if self.form == "day":
            return f";VALUE=DATE:{time:%Y%m%d}"
        if self.form == "utc":
            return f":{utc(time)}"
        return f"{';TZID=America/Vancouver' if self.form == 'zone' else ''}:{time:%Y%m%dT%H%M%S}"


def utc(time: datetime) -> str:
    """What the clocks of the town show, in UTC."""
    return f"{time.replace(tzinfo=ZONE).astimezone(timezone.utc):%Y%m%dT%H%M%SZ}"


def calendar(events: list[Source], stamp: str = "20270101T000000Z", end: str = "\r\n") -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//A plugin//EN", "X-WR-CALNAME:Events",
             "X-WR-TIMEZONE:America/Vancouver"]
    for event in events:
        lines += event.lines(stamp)
    return "".join(folded(line, end) + end for line in [*lines, "END:VCALENDAR"]).encode("utf-8", "surrogateescape")


def folded(line: str, end: str) -> str:
    """Lines of at most 75 bytes (RFC 5545, section 3.1), which may be cut within a character."""
    bytes_ = line.encode()
    parts = [bytes_[:75]] + [bytes_[start:start + 74] for start in range(75, len(bytes_), 74)]
    return (end.encode() + b" ").join(parts).decode("utf-8", "surrogateescape")


def escaped(text: str) -> str:
    for letter, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(letter, written)
    return text
