"""A town with all that the tables of the Go service cannot hold."""

import json
import re
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from harness import Local, Server, load, sooke

# Ends of lines, statements and values, of JSON and of COPY, and what psql replaces.
SIGNS = ["a;\nDROP TABLE users;\n-- :name :'name' :\"name\"", "tab\tin\r\nlines\n\\.\n\\N\n\\q",
         "O'Brien \"quoted\" \\",
         "$$ $sooke$ /* é 湖 🎻 e\u0301", "\b\v\f\x7f \u2028"]
WEEK = {"name": "Awkward \\ Town; '", "tagline": SIGNS[2], "theme": "kelp", "contact_email": "us@town.example",
        "map_link": "google", "time_zone": "America/Vancouver", "holidays": "CA-BC", "center": "48.3742,-123.7276"}


def hours(identity: int, day: int, opens: str, closes: str, closed: bool = False) -> dict[str, Any]:
    return {"id": identity, "day_of_week": day, "open_time": opens, "close_time": closes, "is_closed": closed}


def business(identity: int, name: str, **fields: Any) -> dict[str, Any]:
    return {"id": identity, "name": name, "slug": f"place-{identity}", "address": "1 Main", "latitude": 48.37,
            "longitude": -123.7, "category": "bars", **fields}


def event(identity: int, name: str, **fields: Any) -> dict[str, Any]:
    return {"id": identity, "name": name, "slug": f"event-{identity}", "event_type": "live-music",
            "starts_at": "2035-06-02T02:00:00.25Z", "status": "approved", **fields}


DATASET = {
    "settings": [WEEK],
    "categories": [{"id": 3, "name": "Café & Bakery", "slug": "café-bakery"},
                   {"id": 5, "name": "Bars", "slug": "bars"}],
    "event_types": [{"id": 2, "name": "Live Music", "slug": "live-music"}, {"id": 4, "name": "Walks", "slug": "walks"}],
    "users": [
        {"id": 7, "clerk_id": "user_1", "role": "super_admin", "email": "ada@town.example", "display_name": SIGNS[2]},
        {"id": 8, "clerk_id": "sooke:9", "role": "general_user", "email": "sly@town.example", "display_name": ""},
        {"id": 12, "role": "editor", "email": "ed@town.example", "display_name": None},
        {"id": 13, "role": "business_owner", "email": "olga@town.example", "display_name": "Olga\\Ø"}],
    "businesses": [
        business(11, SIGNS[0], description=SIGNS[1], phone="", email="", website="https://a.example/?b=1&c='2'",
                 address=SIGNS[3], owner_id=13, category="café-bakery", latitude=48.3577777777777,
                 former_slugs=["zed", "old"],
                 hours=[hours(21, 0, "00:00", "24:00"), hours(22, 1, "09:00", "12:00"), hours(23, 1, "13:00", "24:00"),
                        hours(24, 2, "00:00", "00:00", True), hours(25, 5, "18:30", "01:30")],
                 menus=[{"id": 31, "name": "Taps", "items": []},
                        {"id": 32, "name": SIGNS[0], "description": SIGNS[1], "items": [
                            {"id": 41, "name": SIGNS[2], "description": None, "price": "0.00"},
                            {"id": 42, "name": "soup", "description": SIGNS[3], "price": "99999999.99"}]}],
                 special_hours=[{"from": "2035-12-24", "to": "2035-12-26", "is_closed": True, "reason": SIGNS[0]},
                                {"from": "2036-01-01", "open_time": "10:00", "close_time": "24:00"}],
                 confirmed_at="2026-01-02T03:04:05.678Z", confirmed_by=12),
        business(14, "Shed", latitude=None, longitude=None, category=None),
        business(15, SIGNS[3], description=SIGNS[4], latitude=-0.0, longitude=-1e-7, time_zone="Europe/Dublin",
                 opening_hours="Mo-Fr 09:00-17:00; Sa[1] 10:00-12:00; PH off \"by ; 'appointment'\""),
        business(16, "Swap", menus=[
            {"id": 33, "name": "Taps", "items": [{"id": 43, "name": "Ale", "price": "7.50"}]}])],
    "events": [
        event(51, SIGNS[0], description=SIGNS[1], business="place-11", submitted_by=13, ends_at="2035-06-02T08:30:00Z",
              former_slugs=["old-event"]),
        event(52, "Regatta", latitude=48.36, longitude=-123.72, status="rejected", reason=SIGNS[2]),
        event(53, "Weekly", business="place-16", submitted_by=8, rrule="FREQ=WEEKLY;BYDAY=TU",
              time_zone="Europe/Dublin",
              starts_at="2035-05-01T16:00:00Z", ends_at="2035-05-01T17:00:00Z", exdates=["2035-05-08T16:00:00Z"],
              rdates=["2035-05-10T16:00:00Z"], event_type="walks",
              overrides=[{"occurrence": "2035-05-15T16:00:00Z", "is_cancelled": True}]),
        event(54, "Pending", status="pending_review", pending_slug="e-54-x7", submitted_by=7),
        event(55, "Year 0", starts_at="0000-02-29T12:00:00Z", status="draft"),
        event(56, "Cancelled", status="cancelled", submitted_by=12)],
}


def make(binary: Path, folder: Path) -> Path:
    """A data folder with the town, with secrets and a proposal."""
    file, data = folder / "awkward.json", folder / "awkward"
    file.write_text(json.dumps(DATASET))
    load(binary, data, file)
    server = Server(binary, data).ready()
    try:
        local = Local(data, server.url)
        local.must("POST", "/api/v1/users/7/password", {"new_password": "correct horse battery"})
        local.must("POST", "/api/v1/admin/tokens", {"name": "till; '", "email": "ada@town.example", "scope": "read"})
        propose(server.url)
    finally:
        server.stop()
    return data


def propose(url: str) -> None:
    """Sends the form of a report without an account, as slowly as a person does."""
    page = urllib.request.urlopen(f"{url}/businesses/place-16/report").read().decode()
    fields = dict(re.findall(r'<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"', page))
    time.sleep(4)
    body = urllib.parse.urlencode({**fields, "message": SIGNS[0], "sign": "closed", "day": "mon", "key": "awkward"})
    headers = {"Origin": url, "Content-Type": "application/x-www-form-urlencoded"}
    urllib.request.urlopen(urllib.request.Request(f"{url}/businesses/place-16/report", body.encode(), headers))


def export(binary: Path, data: Path, *options: str) -> bytes:
    """The export of a folder."""
    done = sooke(binary, "export", "--data", data, *options)
    if done.returncode:
        raise RuntimeError(f"the export left with {done.returncode}: {done.stderr}")
    return done.stdout.encode()


def backup(binary: Path, data: Path, folder: Path) -> dict[str, Any]:
    """A backup of a folder, which has the private records and the highest IDs ever given, too."""
    file = folder / "backup.json"
    if (done := sooke(binary, "backup", "--data", data, file)).returncode:
        raise RuntimeError(f"the backup left with {done.returncode}: {done.stderr}")
    return json.loads(file.read_text())
