"""The cases of the contract, answered from an exported database by SQL that stands for the Go service's queries."""

import json
import subprocess
import urllib.parse
from pathlib import Path
from typing import Any

from database import Database
from harness import Tally, difference, load
from reference import Reference, session

CONTRACT = Path(__file__).resolve().parent.parent / "Contract"
HOME_ZONE = "America/Vancouver"


def check(binary: Path, folder: Path, place: tuple[Path, dict[str, str]], tally: Tally) -> None:
    data = folder / "contract"
    load(binary, data, CONTRACT / "dataset.json")
    script = subprocess.run([binary, "export", "--format", "postgres", "--data", data], capture_output=True)
    database = Database(*place, "contract", tables=True)
    done = database.psql(script.stdout)
    tally.check(done.returncode == 0, "the town of the contract", script.stderr + done.stderr)
    cases = [json.loads(line) for line in (CONTRACT / "cases.jsonl").open(encoding="utf-8")]
    answered = 0
    for now in sorted({case["now"] for case in cases}):
        with session(*place, "contract") as psql:
            reference = Reference(psql, now)
            if not answered:
                reference.take()
            for case in cases:
                if case["now"] == now and asks_for_rows(case):
                    wrong = fault(case, reference)
                    tally.check(wrong is None, f"{case['name']}, by SQL: {case['path']}", wrong)
                    answered += 1
    print(f"{answered} of the contract's {len(cases)} cases are questions to the tables, and answered by SQL")


def asks_for_rows(case: dict[str, Any]) -> bool:
    """Whether the Go service would ask its tables: not for what it refuses, or answers without them."""
    path = urllib.parse.urlsplit(case["path"]).path
    return case["method"] == "GET" and case["rule"] != "status" and path.split("/")[3:4] in (
        ["businesses"], ["events"], ["categories"], ["event-types"]) and (
        case["status"] == 200 or case["status"] == 404 and len(path.split("/")) == 5 and not path.endswith("/"))


def fault(case: dict[str, Any], reference: Reference) -> str | None:
    """What is wrong with the answer of the tables; None when it is right."""
    parts = urllib.parse.urlsplit(case["path"])
    kind, *rest = [urllib.parse.unquote(part) for part in parts.path.split("/")[3:]]
    query = urllib.parse.parse_qs(parts.query, keep_blank_values=True)
    if rest and rest[0]:
        found = (reference.business if kind == "businesses" else reference.event)(rest[0])
        if case["status"] == 404:
            return None if found is None else f"there is {found}"
        return "there is none" if found is None else difference(case["json"], found)
    if kind in ("categories", "event-types"):
        table = "business_categories" if kind == "categories" else "event_types"
        return difference(case["json"]["items"], reference.terms(table))
    # A page beyond all others, and a search whose rows the contract finds by itself, have no numbers.
    pages = case.get("json", {}).get("pagination")
    beyond = "page=" in parts.query and pages is None
    place = (pages["per_page"], (pages["page"] - 1) * pages["per_page"]) if pages else (100, 2**62 if beyond else 0)
    first = {name: values[0] for name, values in query.items()}
    if kind == "businesses":
        zone = first.get("tz") or HOME_ZONE
        got = reference.businesses(first.get("search") or None, first.get("category") or None, zone, *place)
    else:
        types = [value for name in ("event_type", "type") for value in query.get(name, []) if value]
        got = reference.events(first.get("search") or None, types, *place)
    if case["rule"] == "literal":
        wrong = [item["name"] for item in got.items if first["search"].lower() not in item["name"].lower()]
        return f"{wrong} do not hold {first['search']!r}" if wrong else None
    if pages and got.total != pages["total_items"]:
        return f"{got.total} instead of {pages['total_items']}"
    return difference(case["json"]["items"], got.items)
