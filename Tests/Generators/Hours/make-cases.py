#!/usr/bin/env python3
"""Writes cases.tsv: opening hours in use, times, and what an independent library (opening-hours-py of PyPI) says.

usage: python3 -m venv V && V/bin/pip install opening-hours-py && V/bin/python Tests/Generators/Hours/make-cases.py > Tests/Generators/Hours/cases.tsv

The columns are hours, zone, moment, status, reason, until and next opening. The library evaluates local time; Python's
zoneinfo makes moments of it. Left out is what is decided otherwise here: a time after midnight belongs to the day on which
it starts, so a rule of the next day does not end it. Those cases, clock changes and holidays are in by-hand.tsv.
"""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from opening_hours import OpeningHours

ZONES = ["America/Vancouver", "Europe/Berlin", "Australia/Lord_Howe"]
NEVER = datetime(2900, 1, 1)
SPECIAL = re.compile(r"\b(20\d\d|week|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b")

HOURS = """24/7
Mo-Fr 08:30-16:30
Mo-Sa 08:30-18:00, Su off
Mo-Fr 08:00-12:00,13:00-17:30; Sa 08:00-12:00
Mo-Th 11:00-23:00; Fr-Sa 11:00-02:00; Su 12:00-22:00
Tu-Su 17:00-01:30
We-Mo 07:00-14:00
Mo,We,Fr 10:00-16:00
Mo-Fr 22:00-26:00
Mo-Su 22:00-02:00
Mo-Su 06:00-24:00
Sa-Su 00:00-24:00
Su-Th 18:00-24:00; Fr-Sa 18:00-24:00
Mo-Fr 09:00-12:00, We 14:00-18:00
Mo-Fr 10:00-18:00; Mo-Fr 12:00-13:00 off
Mo-Su 00:00-24:00; Su 03:00-05:00 off
Apr-Oct: Mo-Su 10:00-18:00; Nov-Mar: Sa-Su
Apr-Oct Mo-Su 10:00-18:00; Nov-Mar Sa-Su 10:00-16:00
Nov 01-Mar 31 Mo-Fr 10:00-15:00; Apr 01-Oct 31 Mo-Sa 09:00-18:00
Jun-Aug 08:00-20:00; Sep-May Tu-Su 10:00-16:00
Mo-Su 09:00-21:00; Dec 24 09:00-15:00; Dec 25-26 off
Mo-Su 09:00-21:00; Dec 24-Jan 02 off
2026 Dec 24-2027 Jan 02 10:00-11:00
2028 Feb 29 12:00-14:00
Feb 29 10:00-12:00
Feb 28-Mar 01 10:00-12:00
Jan-Mar,Nov-Dec 10:00-12:00
We[1] 18:00-20:00
Su[-1] 10:00-14:00
We[1] 18:00-20:00; We[-1] 10:00-11:00
Sa[1,3] 09:00-12:00
Th[1-2] 09:00-12:00
Mo-Fr 08:00-18:00; Fr[2] 12:00-18:00
week 01-53/2 Mo-Fr 09:00-12:00
week 02-52/2 Fr 14:00-18:00
week 53 Mo-Su 10:00-12:00
2026-2027 Mo 10:00-12:00
2027+ Mo 10:00-12:00
Mo-Fr 09:00-17:00; Sa unknown
Mo-Fr 09:00-12:00 unknown; Sa 10:00-11:00
off
unknown
Mo-Fr 00:00-24:00
Fr 18:00-24:00; Sa 00:00-03:00
Fr-Mo 08:00-10:00,20:00-22:00
Mo-Su 10:00-10:00
Mo 09:00-09:30,09:30-11:00""".split("\n")
MOMENTS = """2026-11-23 08:00
2026-11-25 12:30
2026-11-28 00:45
2026-12-24 14:30
2026-12-31 23:30
2028-02-29 11:59""".split("\n")


def state(hours: OpeningHours, moment: datetime) -> str:
    """Open, closed or unknown."""
    return str(hours.state(moment)[0]).rpartition(".")[2].lower()


def change(hours: OpeningHours, moment: datetime, wanted: str | None = None) -> datetime | None:
    """The next time with another state, or with the wanted one; none within 400 days."""
    now, first = state(hours, moment), moment
    while (moment := hours.next_change(moment) or NEVER) < first + timedelta(days=398):
        if state(hours, moment) == wanted if wanted else state(hours, moment) != now:
            return moment
    return None


def reason(text: str, moment: datetime) -> str:
    """Whether the last rule of the day is for certain dates."""
    found = "regular"
    for rule in re.split("; |, (?=[A-Z])", text):
        if "unknown" in rule and state(OpeningHours(text), moment) == "unknown":
            return "unknown"
        days = re.sub(r"\d\d?:\d\d-\d\d?:\d\d,?|\boff\b|\bunknown\b|24/7", "", rule).strip().rstrip(":")
        noon = moment.replace(hour=12, minute=0)
        if state(OpeningHours(f"{days} 00:00-24:00"), noon) == "open":
            found = "special" if SPECIAL.search(days) else "regular"
    return found


def case(text: str, local: datetime, zone: ZoneInfo) -> str:
    """A line of the table."""
    hours = OpeningHours(text)
    status = state(hours, local)
    until = change(hours, local)
    opening = None
    if status == "open":
        if until:
            opening = until if state(hours, until) == "open" else change(hours, until, "open")
    else:
        opening = change(hours, local, "open")
    soon = timedelta(hours=1)
    now = local.replace(tzinfo=zone)
    moments = [moment and moment.replace(tzinfo=zone) for moment in (until, opening)]
    if status == "open" and moments[0] and moments[0].timestamp() - now.timestamp() <= soon.total_seconds():
        status = "closing_soon"
    elif status == "closed" and moments[1] and moments[1].timestamp() - now.timestamp() <= soon.total_seconds():
        status = "opens_soon"
    cells = [text, str(zone), now.isoformat(timespec="minutes"), status, reason(text, local)]
    return "\t".join(cells + [moment.isoformat(timespec="minutes") if moment else "-" for moment in moments])


if __name__ == "__main__":
    for index, text in enumerate(HOURS):
        for step, moment in enumerate(MOMENTS):
            zone = ZoneInfo(ZONES[(index + step) % len(ZONES)])
            print(case(text, datetime.fromisoformat(moment), zone))
