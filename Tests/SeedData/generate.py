#!/usr/bin/env python3
"""Writes Sources/sooke/Demo/SeedData.swift from data/sooke.json. To be run after the data has changed.

As a string literal the town compiles in a second; embedded as a resource it would take most of a minute.
"""
import pathlib

root = pathlib.Path(__file__).resolve().parents[2]
json = (root / "data/sooke.json").read_text(encoding="utf-8")
hashes = "#"
while '"""' + hashes in json or "\\" + hashes in json:
    hashes += "#"
swift = f'''// Made by Tests/SeedData/generate.py from data/sooke.json: change that file and run the script.
// swift-format-ignore-file

/// The town that `sooke demo` shows: the bytes of data/sooke.json.
enum SeedData {{
    static let json: StaticString = {hashes}"""
{json}
"""{hashes}
}}
'''
(root / "Sources/sooke/Demo/SeedData.swift").write_text(swift, encoding="utf-8")
