#!/usr/bin/env python3
"""Writes holidays.tsv: the holidays of Canada's provinces and territories by an independent library (holidays of PyPI).

usage: python3 -m venv V && V/bin/pip install holidays && V/bin/python Tests/Generators/Hours/make-holidays.py > Tests/Generators/Hours/holidays.tsv

A line has a date, a name and the regions. Statutory days only: none that is observed on another day, and not the funeral of
Elizabeth II, which was no holiday by the laws of employment. Where two fall on a day, the first one names it.
"""

import collections

import holidays

REGIONS = "AB BC MB NB NL NS NT NU ON PE QC SK YT".split()

if __name__ == "__main__":
    regions = collections.defaultdict(list)
    for region in REGIONS:
        days = holidays.CA(subdiv=region, years=range(1990, 2061), observed=False, language="en_CA")
        for date, names in days.items():
            name = names.split("; ")[0]
            if not name.startswith("Funeral"):
                regions[f"{date:%Y-%m-%d}", name].append(region)
    for (date, name), found in sorted(regions.items()):
        print(f"{date}\t{name}\t{' '.join(found)}")
