#!/usr/bin/env python3
"""Writes states.tsv: opening hours, and when an independent library (opening-hours-py of PyPI) sees a place open.

usage: python3 -m venv V && V/bin/pip install opening-hours-py && V/bin/python Tests/Generators/Hours/make.py > Tests/Generators/Hours/states.tsv

After a list of hours come random ones. Left out is what is decided otherwise here:

- A time after midnight belongs to the day on which it starts, so a rule of the next day does not end it.
- After an open end (`17:00+`, `13:00-17:00+`) it is unknown until 05:00 or the next opening; there it is closed, for
  `17:00+` from midnight on.
- Words alone (`10:00-12:00 "by appointment"`) mean unknown, as the specification says; there they mean open.
- A range that begins on a day of the week (`Mar Su[-1]-Sep 30`) and sunrise and the like are unknown; there they are
  evaluated. Years with a later one than 2999 are unknown as well.
- A range until a day of the week that lies before its first day (`Aug 02-Aug Mo[1]` when the month begins with a Monday)
  is empty in that year.
- `Jan 01-31/8` and `"summer": Mo-Fr 10:00-12:00` are stored as unknown; there they are refused.
"""

import random
from datetime import datetime, timedelta

from opening_hours import OpeningHours

EXPRESSIONS = """24/7
Mo-Fr 09:00-17:00
Mo-Fr 08:00-12:00,13:00-17:30; Sa 08:00-12:00
Mo-Fr 09:00-17:00, Sa 10:00-14:00
Mo-Su 10:00-20:00; We off
Mo-Fr 10:00-18:00; Mo-Fr 12:00-13:00 off
Mo-Sa 22:00-02:00
Mo-Su 11:00-01:30
Tu-Su 17:00-24:00
We[1] 18:00-20:00; We[-1] 10:00-11:00
Jan 01-Mar 31 Mo-Fr 10:00-16:00; Apr 01-Dec 31 Mo-Fr 09:00-18:00
Mo-Su 09:00-21:00; Dec 24 09:00-15:00; Dec 25-26 off
Mo-Su 09:00-21:00; Dec 24-Jan 02 off
week 01-53/2 Mo-Fr 09:00-12:00
week 02-52/2 Fr 14:00-18:00
Sa-Mo 08:00-10:00
Mo-Fr 07:00-15:30; Sa-Su 08:00-15:00; Dec 31 10:00-12:00
Feb 29 10:00-12:00
Mo-Fr 06:00-22:00; Sa,Su 08:00-20:00
Nov-Feb Mo-Su 10:00-16:00; Mar-Oct Mo-Su 09:00-19:00
Mo,Th 10:00-12:00,14:00-18:00
2026 Dec 20-2027 Jan 05 10:00-11:00
Mo-Fr 09:00-17:00; Sa unknown
Mo-Su 00:00-24:00; Su 03:00-05:00 off
Fr 18:00-24:00; Sa 00:00-03:00
Mo-Fr 08:00-18:00; Fr[2] 12:00-14:00 off
Apr-Sep Sa[1,3] 10:00-14:00; Oct-Mar Sa[-1] 11:00-13:00
2028 Mo 10:00-12:00
Aug 02-Aug Mo[1] 10:00-12:00
Jan 20-Jan Su[-1] 10:00-12:00
Nov 20-Dec Fr[1]
Dec 20-Jan Su[1] Tu-Su 09:00-12:00
2027 Mar 01-Apr Mo[1] 10:00-12:00; Apr 02 off""".split("\n")
STARTS = [datetime(2026, 11, 22), datetime(2026, 12, 22), datetime(2028, 2, 26), datetime(2027, 4, 1)]
DAYS = 12


WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def rule(dice: random.Random) -> str:
    """A random rule whose times end on their day."""
    month = dice.choice(MONTHS)
    day = f"{month} {dice.randint(1, 28):02}"
    until = f"{dice.choice(MONTHS)} {dice.randint(1, 28):02}"
    ordinal = f"{dice.choice(WEEKDAYS)}[{dice.choice([1, 2, 3, 4, -1, -2])}]"
    dates = dice.choice(["", "", "", day, f"{day}-{until}", f"{dice.choice(MONTHS)}-{dice.choice(MONTHS)}",
                         f"{day}-{dice.choice([other for other in MONTHS if other != month])} {ordinal}", f"{dice.randint(2026, 2028)}",
                         f"week {dice.randint(1, 20):02}-{dice.randint(21, 53)}/2"])
    days = dice.choice(["", dice.choice(WEEKDAYS), "-".join(dice.sample(WEEKDAYS, 2)),
                        ",".join(dice.sample(WEEKDAYS, 3)), "" if "[" in dates else ordinal])
    hours = sorted(dice.sample(range(0, 49), 4))
    clock = [f"{half // 2:02}:{half % 2 * 30:02}" for half in hours]
    times = dice.choice(["", f"{clock[0]}-{clock[1]}", f"{clock[0]}-{clock[1]}", f"{clock[0]}-{clock[1]},{clock[2]}-{clock[3]}"])
    kind = dice.choice(["", "", "", "", "off", "unknown"])
    return " ".join(part for part in (dates, days, times, kind) if part) or "24/7"


def random_hours(count: int) -> list[str]:
    """Random rules, joined in random ways."""
    dice = random.Random(29)
    hours = []
    for _ in range(count):
        text = rule(dice)
        for _ in range(dice.randint(0, 2)):
            # A comma after days would continue them.
            text += (dice.choice(["; ", ", "]) if ":" in text.split("; ")[-1].split(", ")[-1] else "; ") + rule(dice)
        hours.append(text)
    return hours


def changes(hours: OpeningHours, start: datetime) -> str:
    """The changes of the state from a time on, minute by minute of every half hour."""
    found: list[str] = []
    last = ""
    for step in range(DAYS * 48):
        moment = start + timedelta(minutes=30 * step)
        state = str(hours.state(moment)[0]).rpartition(".")[2].lower()
        if state != last:
            found.append(f"{moment:%m-%d %H:%M} {state}")
            last = state
    return ", ".join(found)


if __name__ == "__main__":
    rules = random_hours(400)
    for index, expression in enumerate(EXPRESSIONS + rules):
        for start in STARTS if index < len(EXPRESSIONS) else STARTS[index % 4:][:1]:
            print(f"{expression}\t{start:%Y-%m-%d}\t{changes(OpeningHours(expression), start)}")
