"""The cases of the app's contract, answered from an exported town by SQL in place of the Go service's queries."""

import json
import re
import urllib.parse
from pathlib import Path
from typing import Any

import out
from database import Database
from harness import Tally, difference, load
from reference import Reference, session

CONTRACT = Path(__file__).resolve().parent.parent / "Contract"


def check(binary: Path, folder: Path, server: tuple[Path, dict[str, str]], tally: Tally) -> None:
    load(binary, folder / "contract", CONTRACT / "dataset.json")
    script, _ = out.whole(binary, folder / "contract", "--schema")
    database = Database(*server, "contract")
    tally.check((done := database.psql(script)).returncode == 0, "the town of the contract goes to Postgres",
                done.stderr)
    answered = 0
    with session(*server, "contract") as psql:
        Reference(psql, "2026-01-01T00:00:00Z").add_views()
        zones = set(Reference(psql, "2026-01-01T00:00:00Z").zones()) | {"UTC"}
        for line in (CONTRACT / "cases.jsonl").read_text(encoding="utf-8").strip().split("\n"):
            case = json.loads(line)
            answer = respond(Reference(psql, case["now"]), zones, case["path"])
            if answer is None:
                continue
            answered += 1
            tally.check((found := fault(case, *answer)) is None, f"by SQL: {case['path'][:100]}", found)
    # The others are of routes that answer without the town, such as /health.
    tally.check(answered >= 221, "nearly all cases are answered by SQL", answered)
    print(f"{answered} cases of the contract by SQL")


def fault(case: dict[str, Any], status: int, body: Any) -> str | None:
    """What contradicts a case."""
    # 304 is the answer of a cache, HEAD that to GET without the body.
    if status != case["status"] and not (case["status"] == 304 and status == 200):
        return f"status {status} instead of {case['status']}"
    if case["rule"] == "error":
        return None if body == case["error_code"] else f"{body} instead of {case['error_code']}"
    if case["rule"] == "literal":
        text = urllib.parse.parse_qs(case["path"].split("?")[1])["search"][0].lower()
        return next((item["name"] for item in body["items"] if text not in item["name"].lower()), None)
    return difference(case["json"], body) if case["rule"] == "superset" else None


def respond(reference: Reference, zones: set[str], path: str) -> tuple[int, Any] | None:
    """Status and body by the rules of the contract; an error is its code. None for a route without the town."""
    route, _, query = path.partition("?")
    if not (found := re.fullmatch(r"/api/v1/(businesses|events|categories|event-types)(?:/([^/]*))?", route)):
        return None
    kind, slug = found[1], found[2]
    try:
        values = urllib.parse.parse_qs(query, keep_blank_values=True, errors="strict")
        slug = urllib.parse.unquote(slug, errors="strict") if slug is not None else None
    except UnicodeDecodeError:
        return 400, "invalid_parameter"
    if "\0" in (slug or "") or any("\0" in text for texts in values.values() for text in texts):
        return 400, "invalid_parameter"
    if kind in ("categories", "event-types"):
        table = "business_categories" if kind == "categories" else "event_types"
        return (404, "not_found") if slug is not None else (200, {"items": reference.terms(table)})
    if slug is not None:
        body = reference.business(slug) if kind == "businesses" else reference.event(slug)
        return (200, body) if body else (404, "not_found")
    return listing(reference, zones, kind, values)


def listing(reference: Reference, zones: set[str], kind: str, values: dict[str, list[str]]) -> tuple[int, Any]:
    """A page of a list."""
    first = {name: texts[0] for name, texts in values.items() if texts[0]}
    page, size = number(first.get("page"), 1, 1, 10**30), number(first.get("per_page"), 20, 1, 100)
    offset = min((page - 1) * size, 10**18)
    if kind == "businesses":
        zone = first.get("tz", "America/Vancouver")
        if zone not in zones:
            return 400, "invalid_parameter"
        found = reference.businesses(first.get("search"), first.get("category"), zone, size, offset)
    else:
        found = reference.events(first.get("search"), values.get("event_type", []), size, offset)
    pages = -(-found.total // size)
    pagination = {"page": page, "per_page": size, "total_items": found.total, "total_pages": pages}
    return 200, {"items": found.items, "pagination": pagination}


def number(text: str | None, default: int, low: int, high: int) -> int:
    """A number in its range; anything else is the default."""
    if not re.fullmatch(r"[+-]?[0-9]+", text or "", re.ASCII):
        return default
    return int(text or "") if low <= int(text or "") <= high else default
