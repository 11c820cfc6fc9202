#!/usr/bin/env python3
"""Writes Sources/sooke/Demo/SeedData.swift from data/sooke.json. To be run after the data has changed; it also mends the
count and the checksum in the last line of the data.

As a string literal the town compiles in a second; embedded as a resource it would take most of a minute.
"""
import pathlib


def crc32c(data: bytes) -> int:
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


root = pathlib.Path(__file__).resolve().parents[3]
path = root / "data/sooke.json"
json = path.read_text(encoding="utf-8")
json = json[:json.rindex('"end":')]
json += f'"end":{{"lines":{json.count(chr(10))},"checksum":"{crc32c(json.encode()):08x}"}}}}\n'
path.write_text(json, encoding="utf-8")
hashes = "#"
while '"""' + hashes in json or "\\" + hashes in json:
    hashes += "#"
swift = f'''// Made by Tests/Generators/SeedData/generate.py from data/sooke.json: change that file and run the script.
// swift-format-ignore-file

/// The town that `sooke demo` shows: the bytes of data/sooke.json.
enum SeedData {{
    static let json: StaticString = {hashes}"""
{json}
"""{hashes}
}}
'''
(root / "Sources/sooke/Demo/SeedData.swift").write_text(swift, encoding="utf-8")
