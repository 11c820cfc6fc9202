"""Towns that are very large or empty, and records with the longest and strangest texts: their pages render and fit."""

from pathlib import Path
from typing import Any

import shots
from browser import DESKTOP, NARROW, PHONE, Browser
from checks import Row
from markup import faults
from standards import overflow
from towns import Pages, town_of

LONG = ("The Extraordinarily Long Name of a Shop at the Corner " * 10)[:500].strip()
SOLID = ("Donaudampfschifffahrtsgesellschaft" * 15)[:500]
NAMES = {
    "long": LONG, "solid": SOLID, "french": "Pâtisserie « L’Œuvre d’Été » – crêpes à l’ancienne",
    "inuktitut": "ᐃᓄᒃᑎᑐᑦ ᓂᐅᕐᕕᒃ ᓄᓇᕗᑦ",
    "arabic": "مطعم الميناء (الفرع 2) – مأكولات بحرية", "hebrew": "מאפיית הנמל, רחוב 12 Main",
    "short": "X", "emoji": "👩‍👩‍👧 🦦🌊",
}
PATHS = ["/", "/businesses", "/businesses?q=name", "/events", "/events?when=week", "/week"]


def awkward() -> dict[str, Any]:
    """Few records, each awkward in its own way."""
    businesses = [business(number, name, slug) for number, (slug, name) in enumerate(NAMES.items(), 1)]
    businesses[0] |= {"description": SOLID * 4, "address": SOLID, "phone": "1" * 50,
                      "email": f"{'a' * 60}@{'b' * 60}.example", "website": "https://x.example/" + "y" * 1900}
    businesses[1]["special_hours"] = [
        {"from": f"2027-0{month}-{day:02}", "to": f"2027-0{month}-{day + 1:02}", "is_closed": True,
         "reason": (SOLID if day == 3 else LONG)[:200]} for month in (1, 2, 3) for day in range(1, 27, 2)]
    spans = "06:00-07:15,08:30-10:45,11:00-14:10,15:20-18:25,20:00-02:30"
    businesses[2] |= {"menus": menu(100), "opening_hours": f"Mo-Su {spans}"}
    businesses[3] |= {"opening_hours": None, "phone": None}
    businesses[6] |= {"opening_hours": "24/7"}
    events = [{"id": number, "name": name, "slug": f"e-{slug}", "event_type": "long", "business": slug, "status": "approved",
               "description": name, "starts_at": f"2027-01-{9 + number % 4:02}T20:00:00Z",
               "ends_at": f"2027-0{1 + number % 3}-28T22:00:00Z"} for number, (slug, name) in enumerate(NAMES.items(), 1)]
    events[1] |= {"rrule": "FREQ=DAILY", "ends_at": "2027-01-11T21:00:00Z"}
    return {"settings": [{"id": 1, "name": LONG[:100], "theme": "heather",
                          "contact_email": f"{'c' * 60}@{'d' * 60}.example"}],
            "categories": [{"id": 1, "name": LONG[:400], "slug": "long"}, {"id": 2, "name": SOLID[:400], "slug": "solid"}],
            "event_types": [{"id": 1, "name": LONG[:400], "slug": "long"}, {"id": 2, "name": SOLID[:400], "slug": "solid"}],
            "businesses": businesses, "events": events}


def business(number: int, name: str, slug: str) -> dict[str, Any]:
    return {"id": number, "name": name, "slug": slug, "category": "long" if number % 2 else "solid", "address": name,
            "description": name, "latitude": 48.37, "longitude": -123.7, "opening_hours": "Mo-Su 09:00-17:00"}


def menu(count: int) -> list[dict[str, Any]]:
    items = [{"id": number, "name": f"{LONG if number % 20 == 0 else 'Soup'} {number}"[:500], "price": f"{number * 99_999}.95",
              "description": SOLID if number % 30 == 0 else None} for number in range(1, count + 1)]
    return [{"id": 1, "name": LONG, "description": LONG, "items": items}]


def large(count: int) -> dict[str, Any]:
    """Many businesses, and events on each of the next days."""
    return {"categories": [{"id": n, "name": f"Kind {n}", "slug": f"kind-{n}"} for n in range(1, 61)],
            "event_types": [{"id": n, "name": f"Type {n}", "slug": f"type-{n}"} for n in range(1, 41)],
            "businesses": [business(n, f"Name {n}", f"n-{n}") | {"category": f"kind-{n % 60 + 1}"}
                           for n in range(1, count + 1)],
            "events": [{"id": n, "name": f"Event {n}", "slug": f"e-{n}", "event_type": f"type-{n % 40 + 1}",
                        "business": f"n-{n}", "status": "approved",
                        "starts_at": f"2027-01-{9 + n % 20:02}T{n % 24:02}:00:00Z"} for n in range(1, min(count, 900))]}


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    browser = Browser()
    number = 500 if short else 10_000
    records = [f"/businesses/{slug}" for slug in NAMES] + [f"/events/e-{slug}" for slug in NAMES]
    towns = [("empty", "a town without records", {}, ["/businesses?open=1&q=x"]),
             ("awkward", "the longest and strangest texts", awkward(), records),
             ("large", f"{number:,} places", large(number),
              ["/businesses?page=3&open=1", "/businesses/n-7", "/events/e-7"])]
    rows = []
    for name, title, dataset, more in towns:
        town = town_of(binary, folder / name, dataset)
        rows.append(look(town, browser, name, Row(title), [*PATHS, *more]))
        town.stop()
    browser.stop()
    return rows


def look(town: Pages, browser: Browser, name: str, row: Row, paths: list[str]) -> Row:
    """Looks at some pages on three screens."""
    for path in paths:
        answer = town.get(path)
        row.check(answer.status == 200 and not faults(answer.body.decode()), f"{path} is there and valid", answer.status)
        row.check(len(answer.body) < 400_000, f"{path} is not too large", len(answer.body))
        browser.open(town.url + path)
        for width in (NARROW, PHONE, DESKTOP):
            browser.size(width)
            row.check(overflow(browser) == [], f"{path} fits into {width} px", overflow(browser))
            row.check(bool(browser.text), f"{path} has its content")
    shots.take(browser, town.url, name, paths)
    return row
