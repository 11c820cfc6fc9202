#!/usr/bin/env python3
"""Writes states.tsv: opening hours, and when an independent library (opening-hours-py of PyPI) sees a place open.

usage: python3 -m venv V && V/bin/pip install opening-hours-py && V/bin/python Tests/Hours/make.py > Tests/Hours/states.tsv

Left out is what is decided otherwise here: a time after midnight belongs to the day on which it starts, so a rule of the
next day does not end it.
"""

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
2028 Mo 10:00-12:00""".split("\n")
STARTS = [datetime(2026, 11, 22), datetime(2026, 12, 22), datetime(2028, 2, 26), datetime(2027, 4, 1)]
DAYS = 12


def changes(hours: OpeningHours, start: datetime) -> str:
    """The changes of the state from a moment on, minute by minute of every half hour."""
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
    for expression in EXPRESSIONS:
        for start in STARTS:
            print(f"{expression}\t{start:%Y-%m-%d}\t{changes(OpeningHours(expression), start)}")
