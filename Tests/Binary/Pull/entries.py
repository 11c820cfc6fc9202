"""Reads the calendars that `generator.py` writes, no others: the entries of an answer, for the merge of reference."""

import html
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import NamedTuple
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("America/Vancouver")  # of the town
CANCELS = re.compile(r"^cancell?ed\s*[:–—-]\s*(.+)$|^(.+?)\s*\(cancell?ed\)$", re.IGNORECASE)
DAY = timedelta(days=1)


class Times(NamedTuple):
    """One field: an event is moved as a whole."""

    start: datetime
    end: datetime | None
    all_day: bool
    rule: str
    left_out: tuple[datetime, ...]
    moved: tuple[tuple[str, datetime], ...]  # the single dates of a series that are at another time
    over: datetime | None  # the end of its last date, or the next morning where it has no end; None where no date is the last


@dataclass
class Entry:
    """An event as an answer has it; one with a problem says nothing but its key."""

    key: str
    said: dict[str, object] = field(default_factory=dict)
    problem: str = ""

    def is_coming(self, now: datetime) -> bool:
        over = self.said["times"].over
        return over is None or over > now


def is_calendar(body: bytes) -> bool:
    """Whether it has a begin, and is complete; without events it is a calendar, too."""
    lines = [line.strip() for line in body.split(b"\n")]
    return 0 < lines.count(b"BEGIN:VCALENDAR") == lines.count(b"END:VCALENDAR")


def read(body: bytes) -> list[Entry]:
    """The events; single dates belong to their series, and are events of their own where the answer lacks it."""
    parts = []
    for line in body.replace(b"\r\n", b"\n").replace(b"\n ", b"").decode().split("\n"):
        name, _, value = line.partition(":")
        name, *parameters = name.split(";")
        if line == "BEGIN:VEVENT":
            parts.append({})
        elif parts:
            parts[-1].setdefault(name, (value, ";".join(parameters)))
    series = {part["UID"][0] for part in parts if "RECURRENCE-ID" not in part}
    found = []
    for part in parts:
        uid, single = part["UID"][0], part.get("RECURRENCE-ID", ("", ""))[0]
        if single and uid in series:
            continue
        changes = [other for other in parts if "RECURRENCE-ID" in other and other["UID"] == part["UID"]]
        found.append(entry(f"{uid} {single}".strip(), part, [] if single else changes))
    return found


def entry(key: str, part: dict[str, tuple[str, str]], changes: list[dict[str, tuple[str, str]]]) -> Entry:
    if "DTSTART" not in part or not re.fullmatch(r"\d{8}(T\d{6}Z?)?", part["DTSTART"][0]):
        return Entry(key, problem="DTSTART")
    name = plain(text(part["SUMMARY"][0]))
    cancelled = CANCELS.match(name)
    said = {"name": (cancelled[1] or cancelled[2]) if cancelled else name,
            "description": plain(text(part.get("DESCRIPTION", ("", ""))[0])),
            "place": plain(text(part.get("LOCATION", ("", ""))[0])), "url": part.get("URL", ("", ""))[0],
            "status": "cancelled" if cancelled or part.get("STATUS", ("", ""))[0] == "CANCELLED" else "approved",
            "times": times(part, changes)}
    return Entry(key, said)


def times(part: dict[str, tuple[str, str]], changes: list[dict[str, tuple[str, str]]]) -> Times:
    start, end, all_day = instant(*part["DTSTART"]), None, len(part["DTSTART"][0]) == 8
    if all_day:
        next_day = f"{datetime.strptime(part['DTSTART'][0], '%Y%m%d') + DAY:%Y%m%d}"
        end = instant(part.get("DTEND", (next_day, ""))[0]) - timedelta(minutes=1)
    elif "DTEND" in part:
        end = instant(*part["DTEND"])
    elif "DURATION" in part:
        hours, minutes = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?", part["DURATION"][0]).groups(default="0")
        end = start + timedelta(hours=int(hours), minutes=int(minutes))
    rule, length = part.get("RRULE", ("", ""))[0], (end or start) - start
    left_out = tuple(instant(*part[name]) for name in part if name == "EXDATE")
    moved = tuple((change["RECURRENCE-ID"][0], instant(*change["DTSTART"])) for change in changes)
    over = last_moment(start, end)
    if limit := re.search(r"UNTIL=(\w+)", rule):
        last = start
        while week_after(last) <= instant(limit[1]):
            last = week_after(last)
        over = last_moment(last, last + length if end else None)
    elif rule:
        over = None
    return Times(start, end, all_day, rule, left_out, moved, over)


def last_moment(start: datetime, end: datetime | None) -> datetime:
    """Its end, else the next four o'clock in the morning, when a night is over."""
    local = start.astimezone(ZONE)
    morning = local.replace(hour=4, minute=0, second=0, fold=0) + (0 if local.hour < 4 else 1) * DAY
    return end or morning.astimezone(timezone.utc)


def week_after(time: datetime) -> datetime:
    """At the same time on the clocks of the town."""
    return (time.astimezone(ZONE) + 7 * DAY).astimezone(timezone.utc)


def instant(value: str, parameters: str = "") -> datetime:
    """Times without a zone, and days, are those of the town."""
    time = datetime.strptime(value.rstrip("Z"), "%Y%m%dT%H%M%S" if "T" in value else "%Y%m%d")
    zone = re.search(r"TZID=([^;]+)", parameters)
    if value.endswith("Z"):
        return time.replace(tzinfo=timezone.utc)
    return time.replace(tzinfo=ZoneInfo(zone[1]) if zone else ZONE).astimezone(timezone.utc)


def text(value: str) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] in "nN" else found[1], value)


def plain(text: str) -> str:
    """Without the little HTML that the generator writes."""
    text = re.sub(r'<a href="([^"]+)">([^<]*)</a>', r"\2 (\1)", text)
    text = re.sub(r"<br ?/?>", "\n", text)
    text = re.sub(r"</p>", "\n\n", text)
    return html.unescape(re.sub(r"</?(?:b|i|em|strong|span|p)>", "", text)).strip()
