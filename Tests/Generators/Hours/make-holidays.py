#!/usr/bin/env python3
"""Writes holidays.tsv: the holidays of British Columbia by an independent library (holidays of PyPI).

usage: python3 -m venv V && V/bin/pip install holidays && V/bin/python Tests/Generators/Hours/make-holidays.py > Tests/Generators/Hours/holidays.tsv

Statutory days only: none that is observed on another day, and not the funeral of Elizabeth II, which was no holiday by the
Employment Standards Act.
"""

import holidays

if __name__ == "__main__":
    days = holidays.CA(subdiv="BC", years=range(1990, 2061), observed=False)
    for date, name in sorted(days.items()):
        if not name.startswith("Funeral"):
            print(f"{date:%Y-%m-%d}\t{name}")
