#!/usr/bin/env python3
"""Writes Sources/sooke/Demo/SeedData.swift from data/sooke.json and data/week.json. To be run after they have changed; it
also mends the count and the checksum in the last line of each.

As string literals they compile in a second; embedded as resources they would take most of a minute.
"""
import pathlib


def crc32c(data: bytes) -> int:
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def mended(name: str) -> str:
    """The text of a file of the data, whose last line fits what stands before it from now on."""
    path = root / "data" / name
    json = path.read_text(encoding="utf-8")
    json = json[:json.rindex('"end":')]
    json += f'"end":{{"lines":{json.count(chr(10))},"checksum":"{crc32c(json.encode()):08x}"}}}}\n'
    path.write_text(json, encoding="utf-8")
    return json


root = pathlib.Path(__file__).resolve().parents[3]
town, week = mended("sooke.json"), mended("week.json")
hashes = "#"
while any('"""' + hashes in json or "\\" + hashes in json for json in (town, week)):
    hashes += "#"
swift = f'''// Made by Tests/Generators/SeedData/generate.py from files in data/: change those and run the script.
// swift-format-ignore-file

/// The town that `sooke demo` shows.
enum SeedData {{
    /// The bytes of data/sooke.json.
    static let town: StaticString = {hashes}"""
{town}
"""{hashes}

    /// The bytes of data/week.json.
    static let week: StaticString = {hashes}"""
{week}
"""{hashes}
}}
'''
(root / "Sources/sooke/Demo/SeedData.swift").write_text(swift, encoding="utf-8")
