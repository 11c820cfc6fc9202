#!/usr/bin/env python3
"""Mends the count and the checksum in the last line of data/sooke.json and data/week.json, the town of `sooke demo`. To be
run after they have changed.
"""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(root / "Tests" / "Binary" / "Support"))
from harness import crc32c  # noqa: E402


def mend(name: str) -> None:
    """Makes the last line of a file of the data fit what stands before it."""
    path = root / "data" / name
    json = path.read_text(encoding="utf-8")
    json = json[:json.rindex('"end":')]
    json += f'"end":{{"lines":{json.count(chr(10))},"checksum":"{crc32c(json.encode()):08x}"}}}}\n'
    path.write_text(json, encoding="utf-8")


for file in ("sooke.json", "week.json"):
    mend(file)
