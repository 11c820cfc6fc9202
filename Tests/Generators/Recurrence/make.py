#!/usr/bin/env python3
"""Writes random recurrence rules with what python-dateutil (of PyPI) makes of them: `make.py COUNT [SEED] > FILE`.

One line a rule: zone, start, rule, the first starts before 2120 in UTC (`…` when there are more), tab-separated.

Left out is what dateutil does otherwise than RFC 5545: BYWEEKNO without BYDAY (it takes all days of the week, the
standard that of the start), BYDAY that mixes days with and without a number (it takes what is both), BYSETPOS in the
first, incomplete week of a weekly rule (it counts from the start), and week numbers above 51 (it takes the first days of
some years for another week: 2022-01-02 for one of week 53, 2011-01-01 too, though both are of week 52).
"""

import random
import sys
import warnings
from datetime import datetime, timedelta, timezone
from itertools import islice
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

ZONES = ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "UTC"]
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
LAST = datetime(2120, 1, 1)
SHOWN = 10


def some(pick, most):
    return sorted({pick() for _ in range(random.randint(1, most))})


def signed(most, backwards=None):
    return random.randint(1, most) if random.random() < .75 else -random.randint(1, backwards or most)


def listed(name, values):
    return f"{name}={','.join(str(value) for value in values)}"


def rule(start):
    """A random rule, and a start that suits it."""
    frequency = random.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    parts, first = [f"FREQ={frequency}"], random.choice([0, 0, 0, 6, 5, 2])
    if random.random() < .5:
        parts.append(f"INTERVAL={random.choice([1, 2, 2, 3, 4, 5, 6, 10, 13, 26, 100])}")
    chance = {"DAILY": .25, "WEEKLY": .2, "MONTHLY": .2, "YEARLY": .5}[frequency]
    if random.random() < chance:
        parts.append(listed("BYMONTH", some(lambda: random.randint(1, 12), 4)))
    chosen = len(parts) > 2
    if frequency == "YEARLY" and random.random() < .2:
        parts.append(listed("BYWEEKNO", some(lambda: signed(51), 6)))
        parts.append(listed("BYDAY", some(lambda: random.choice(DAYS), 4)))
        chosen = True
    else:
        if frequency == "YEARLY" and random.random() < .25:
            parts.append(listed("BYYEARDAY", some(lambda: signed(366), 8)))
            chosen = True
        if frequency != "WEEKLY" and random.random() < .35:
            parts.append(listed("BYMONTHDAY", some(lambda: signed(31), 8)))
            chosen = True
        if random.random() < .5:
            if frequency in ("MONTHLY", "YEARLY") and random.random() < .5:
                most = 5 if frequency == "MONTHLY" or any(part.startswith("BYMONTH=") for part in parts) else 53
                days = some(lambda: f"{signed(most)}{random.choice(DAYS)}", 4)
            else:
                days = some(lambda: random.choice(DAYS), 5)
            parts.append(listed("BYDAY", days))
            chosen = True
    if chosen and random.random() < .25:
        parts.append(listed("BYSETPOS", some(lambda: signed(4), 3)))
        if frequency == "WEEKLY":
            start -= timedelta(days=(start.weekday() - first) % 7)
    if first or random.random() < .2:
        parts.append(f"WKST={DAYS[first]}")
    end = random.random()
    if end < .3:
        parts.append(f"COUNT={random.choice([1, 2, 3, 5, 8, 12, 40, 200])}")
    elif end < .5:
        until = start + timedelta(days=random.choice([0, 1, 10, 100, 400, 3000]), hours=random.randint(-12, 12))
        parts.append(f"UNTIL={until:%Y%m%d}" if random.random() < .5 else f"UNTIL={until:%Y%m%dT%H%M%SZ}")
    head, tail = parts[0], parts[1:]
    random.shuffle(tail)
    return ";".join([head] + tail), start


def occurrences(text, start, zone):
    """The first starts in UTC, and whether there are more."""
    kept, until = [], None
    for part in text.split(";"):
        if part.startswith("UNTIL="):
            value = part.removeprefix("UNTIL=")
            # A date is the end of that day on the clocks; a time is compared in UTC.
            until = (datetime.strptime(value, "%Y%m%d") + timedelta(days=1, microseconds=-1)).replace(tzinfo=zone) \
                if len(value) == 8 else datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
        else:
            kept.append(part)
    found = []
    for local in rrulestr(";".join(kept), dtstart=start).replace(until=LAST + timedelta(days=1)):
        # Python's fold=0 is the choice of RFC 5545, section 3.3.5, for times that clocks skip or show twice.
        moment = local.replace(tzinfo=zone).astimezone(timezone.utc)
        if moment >= LAST.replace(tzinfo=timezone.utc) or until and moment > until:
            return found, False
        if len(found) == SHOWN:
            return found, True
        found.append(moment)
    return found, False


def main():
    # Of COUNT with the end that keeps dateutil from searching to the year 9999.
    warnings.simplefilter("ignore")
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20261124
    random.seed(seed)
    for _ in range(count):
        name = random.choice(ZONES)
        hour = random.choice([0, 1, 2, 2, 2, 9, 12, 19, 23])
        start = datetime(random.randint(2008, 2030), 1, 1, hour, random.choice([0, 0, 15, 30, 45]))
        text, start = rule(start + timedelta(days=random.randint(0, 365)))
        found, goes_on = occurrences(text, start, ZoneInfo(name))
        starts = [f"{moment:%Y-%m-%dT%H:%M:%SZ}" for moment in found] + ["…"] * goes_on
        print(name, f"{start:%Y-%m-%dT%H:%M:%S}", text, " ".join(starts), sep="\t")


main()
