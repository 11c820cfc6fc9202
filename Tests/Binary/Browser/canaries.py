"""What is private is on no page, in no feed, no calendar and no map for search engines, compressed or not."""

import gzip
import re
from pathlib import Path
from typing import Any

from town import ADMIN, good
from checks import Row
from towns import Pages, crawl, town_of

MARK = "zq7vk"  # what every canary begins with; no other text has it, nor a random key
FIRST = ["/", "/businesses?q=zq", "/events?when=week", "/businesses/not-here", "/sitemap.xml", "/robots.txt",
         "/site.webmanifest", "/events/moved-away"]
FEEDS = ["/api/v1/changes", "/api/v1/events.ics", "/api/v1/events/fair.ics", "/api/v1/events/moved-away.ics"]


# An event shows the name, slug and coordinates of its place to programs, as the service did that this one replaces, and
# nothing else of a place that is not listed. Pages show not even these.
SHOWN = [f"{MARK}-hidden", f"{MARK}hidden", "48.77771", "-123.77771"]


def dataset() -> dict[str, Any]:
    """A town in which everything that is not public carries a canary."""
    hidden = {"id": 2, "name": f"{MARK}hidden", "slug": f"{MARK}-hidden", "category": None, "address": f"{MARK}street",
              "description": f"{MARK}words", "phone": f"{MARK}555", "email": f"{MARK}shop@x.example", "owner_id": 2,
              "website": f"https://{MARK}.example", "latitude": 48.77771, "longitude": -123.77771,
              "menus": [{"id": 1, "name": f"{MARK}menu", "items": [{"id": 1, "name": f"{MARK}soup", "price": "1.00"}]}]}
    events = [{"id": 1, "name": "Fair", "slug": "fair", "status": "approved", "business": "open-house"},
              {"id": 2, "name": "Moved away", "slug": "moved-away", "status": "approved", "business": hidden["slug"]}]
    for number, status in enumerate(["draft", "pending_review", "rejected"], 3):
        events.append({"id": number, "name": f"{MARK}{status}", "slug": f"{MARK}-{number}", "status": status,
                       "description": f"{MARK}about", "business": "open-house",
                       **({"reason": f"{MARK}because"} if status == "rejected" else {})})
    return {
        "settings": [{"id": 1, "name": "Harbour", "theme": "cedar", "contact_email": "hello@harbour.example"}],
        "categories": [{"id": 1, "name": "Shops", "slug": "shops"}],
        "event_types": [{"id": 1, "name": "Fairs", "slug": "fairs"}],
        "users": [{"id": n, "role": role, "email": f"{MARK}person{n}@x.example", "display_name": f"{MARK}person{n}",
                   "clerk_id": f"{MARK}clerk{n}"} for n, role in [(1, "general_user"), (2, "business_owner")]],
        "businesses": [{"id": 1, "name": "Open House", "slug": "open-house", "category": "shops", "address": "1 A St",
                        "owner_id": 2, "latitude": 48.37, "longitude": -123.7}, hidden],
        "events": [{"event_type": "fairs", "submitted_by": 1, "starts_at": "2027-01-09T20:00:00Z", **event}
                   for event in events],
    }


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = town_of(binary, folder / "data", dataset())
    secrets = [MARK, *private(town)]
    row, feeds = Row("canaries on pages"), Row("canaries in the feed and in calendars")
    whole = town.sooke("export").stdout
    row.check(whole.count(MARK) > 20, "they are planted", whole.count(MARK))
    for coding in ("identity", "gzip"):
        pages = [path for path in crawl(town, FIRST, 300) if not path.startswith(("/api/", "/docs", "/openapi"))]
        for path in pages:
            look(town, row, path, coding, secrets)
        for path in FEEDS:
            look(town, feeds, path, coding, secrets, SHOWN)
    row.figures = f"{whole.count(MARK)} of them, {len(pages)} addresses"
    return [row, feeds, direct(town)]


def private(town: Pages) -> list[str]:
    """What becomes private while the town is used: tokens, and who is invited; and where a hidden business is."""
    token = good(town.ask("POST", "/admin/tokens", {"name": f"{MARK}token"}, town.admin), 201).json()["token"]
    town.change("/businesses/open-house", phone="250-555-0100")
    good(town.ask("POST", "/invitations", {"email": f"{MARK}new@x.example", "role": "general_user"}, town.admin), 201)
    return [town.admin, token, token.split("_")[-1], ADMIN, "48.77771", "123.77771"]


def look(town: Pages, row: Row, path: str, coding: str, secrets: list[str], shown: list[str] | None = None) -> None:
    answer = town.get(path, Accept_Encoding=coding)
    body = gzip.decompress(answer.body) if answer.headers["Content-Encoding"] == "gzip" else answer.body
    text = (str(answer.headers) + body.decode(errors="replace")).lower()
    for known in shown or []:
        text = text.replace(known, "")
    # A page may repeat what was asked for: its own address.
    found = sorted({secret for secret in secrets if secret.lower() in text})
    around = re.findall(f".{{0,60}}{re.escape(found[0].lower())}.{{0,40}}", text) if found else []
    row.check(not found, f"{path} ({coding}) has nothing private", (found, around[:2]))
    if coding == "gzip" and answer.status == 200 and len(body) > 1500 and "html" in answer.headers["Content-Type"]:
        # A page with a form may have what somebody typed, and its length would tell of it.
        expected = None if answer.headers["Cache-Control"] == "no-store" else "gzip"
        row.check(answer.headers["Content-Encoding"] == expected, f"{path} is compressed unless it has a form")


def direct(town: Pages) -> Row:
    """Whoever knows the address of something private gets what an address of nothing gets."""
    row = Row("addresses of what is private")
    nothing = town.get("/businesses/nothing").body
    for path in [f"/businesses/{MARK}-hidden", *(f"/events/{MARK}-{number}" for number in (3, 4, 5))]:
        answer = town.get(path)
        row.check(answer.status == 404 and answer.body == nothing, f"{path} is not there", answer.status)
    for path in [f"/events?business={MARK}-hidden", f"/businesses?q={MARK}hidden", f"/businesses?q={MARK}soup"]:
        body = town.get(path).body.decode()
        row.check(f"{MARK}-hidden\"" not in body and 'class="row"' not in body.split("<main")[1] or "business=" in path,
                  f"{path} finds nothing", body[-1500:])
    return row
