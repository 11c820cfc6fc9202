"""The way back: a dump of the database becomes a town, with or without edits in between."""

import json
import subprocess
from pathlib import Path
from typing import Any

import awkward
import out
from database import Database
from harness import Server, Tally, sooke

# What the Go service may do to the town, and what the town must have then.
EDITS = """
    UPDATE menu_items SET price = 8.25, updated_at = now() WHERE id = 43;
    UPDATE business_hours SET open_time = '10:00', updated_at = now() WHERE business_id = 11 AND day_of_week = 5;
    UPDATE businesses SET name = E'Zed\\'s; "new"\\n\\\\.', slug = 'zeds-new', owner_id = 7 WHERE id = 11;
    UPDATE events SET business_id = NULL, latitude = 48.5, longitude = -123.5 WHERE id = 51;
    UPDATE users SET clerk_id = 'user_12', role_id = (SELECT id FROM user_roles WHERE name = 'super_admin')
        WHERE id = 12;
    UPDATE business_categories SET slug = 'pubs' WHERE id = 5;
    INSERT INTO businesses (name, slug, address, latitude, longitude, category_id)
        VALUES ('New', 'new-one', 'n', 1, 2, 5);
    INSERT INTO events (event_type_id, submitted_by, business_id, name, slug, starts_at)
        SELECT 2, 7, id, 'Opening', 'opening', '2035-01-01 12:00-08' FROM businesses WHERE slug = 'new-one';
    DELETE FROM events WHERE id = 56;
"""


def bring(binary: Path, dump: bytes, data: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    """Imports a dump from standard input."""
    command = [str(binary), "import", "--data", str(data), "--format", "postgres", *options, "-"]
    return subprocess.run(command, input=dump, capture_output=True)


def check(binary: Path, data: Path, folder: Path, server: tuple[Path, dict[str, str]], tally: Tally) -> None:
    script, _ = out.whole(binary, data, "--schema", "--private")
    database = Database(*server, "back")
    tally.check((done := database.psql(script)).returncode == 0, "a town goes to Postgres", done.stderr)
    unchanged(binary, data, folder, database, tally)
    forms(binary, folder, database, tally)
    database.must(EDITS)
    edited(binary, data, folder, database, tally)
    served(binary, data, folder, database, tally)


def unchanged(binary: Path, data: Path, folder: Path, database: Database, tally: Tally) -> None:
    """The same bytes come back, regardless of the time zone of the dump."""
    want = awkward.export(binary, data)
    numbers = awkward.highest(binary, data, folder)
    for zone in ("UTC", "America/Vancouver", "Asia/Kathmandu"):
        database.must(f"ALTER DATABASE back SET timezone = '{zone}'")
        town = folder / zone.replace("/", "-")
        done = bring(binary, database.dump(), town, "--dry-run")
        tally.check(done.returncode == 0 and not town.exists(), "a dry run changes nothing", done.stderr)
        done = bring(binary, database.dump(), town)
        tally.check(done.returncode == 0 and not done.stderr, f"it comes back from {zone}", done.stderr)
        tally.check(awkward.export(binary, town) == want, f"byte for byte from {zone}")
        tally.check(awkward.highest(binary, town, folder) == numbers, "with the highest IDs",
                    f"{awkward.highest(binary, town, folder)} {numbers}")
        done = bring(binary, database.dump(), town)
        tally.check(b"nothing changed" in done.stdout, "a second import changes nothing", done.stdout)
    secrets = [records(folder / "highest.json", name) for name in ("passwords", "grants", "proposals")]
    sooke(binary, "backup", "--data", data, folder / "highest.json")
    tally.check(secrets == [records(folder / "highest.json", name) for name in ("passwords", "grants", "proposals")]
                and all(secrets), "the private records come back", secrets)
    tally.check(sooke(binary, "verify", "--data", folder / "UTC").returncode == 0, "the folder is sound")


def records(backup: Path, collection: str) -> list[dict[str, Any]]:
    return json.loads(backup.read_text()).get(collection, [])


def forms(binary: Path, folder: Path, database: Database, tally: Tally) -> None:
    """Dumps that cannot be read get a message with the command to use, and change nothing."""
    dump, never = database.dump(), folder / "never"
    for name, text, words in (
            ("inserts", database.dump("--inserts"), b"pg_dump --encoding=UTF8"),
            ("custom", database.dump("-Fc"), b"pg_restore -f town.sql"),
            ("tar", database.dump("-Ft"), b"pg_restore -f town.sql"),
            ("schema only", database.dump("--schema-only"), b"has no rows"),
            ("one table", database.dump("-t", "users"), b"is missing in the dump"),
            ("cut in a table", dump[:dump.index(b"\n\\.\n", dump.index(b"COPY public.events"))], b"ends too early"),
            ("cut at the end", dump[:dump.index(b"ADD CONSTRAINT")], b"ends too early"),
            ("Latin", dump.replace(b"client_encoding = 'UTF8'", b"client_encoding = 'LATIN1'"), b"not in UTF-8")):
        done = bring(binary, text, never)
        tally.check(done.returncode == 65 and words in done.stderr, f"refused: {name}", done.stderr)
        tally.check(not never.exists(), "nothing is changed")


def edited(binary: Path, data: Path, folder: Path, database: Database, tally: Tally) -> None:
    """The edits arrive, and all that the tables cannot hold stays, with and without a town that is there."""
    want = changed(json.loads(awkward.export(binary, data)))
    town = folder / "edited"
    done = bring(binary, database.dump(), town)
    tally.check(done.returncode == 0 and b"event 56 was deleted in the database" in done.stderr, "edits come back",
                done.stderr)
    got = json.loads(awkward.export(binary, town))
    compare(want, got, tally, "into an empty folder")
    here = folder / "here"
    sooke(binary, "backup", "--data", data, folder / "town.json")
    sooke(binary, "restore", "--data", here, folder / "town.json")
    done = bring(binary, database.dump(), here)
    tally.check(done.returncode == 0 and b"--delete-missing" in done.stderr, "a deletion is reported", done.stderr)
    compare(want | {"events": want["events"] + [event for event in json.loads(awkward.export(binary, data))["events"]
                                                if event["id"] == 56]},
            json.loads(awkward.export(binary, here)), tally, "into the town itself")
    dry = bring(binary, database.dump(), here, "--dry-run", "--delete-missing")
    tally.check(b"deleted: Cancelled (event-56)" in dry.stdout, "a dry run names what it would delete", dry.stdout)
    done = bring(binary, database.dump(), here, "--delete-missing")
    tally.check(b"events: 1 deleted" in done.stdout, "it is deleted on demand", done.stdout)
    compare(want, json.loads(awkward.export(binary, here)), tally, "with the deletion")
    tally.check(sooke(binary, "verify", "--data", here).returncode == 0, "the folder is sound after edits")


def changed(town: dict[str, Any]) -> dict[str, Any]:
    """A town with the edits."""
    by_id = {name: {record["id"]: record for record in town[name]} for name in ("users", "businesses", "events")}
    by_id["businesses"][16]["menus"][0]["items"][0]["price"] = "8.25"
    zeds = by_id["businesses"][11]
    next(day for day in zeds["hours"] if day["day_of_week"] == 5)["open_time"] = "10:00:00"
    zeds |= {"name": "Zed's; \"new\"\n\\.", "slug": "zeds-new", "owner_id": 7,
             "former_slugs": ["zed", "old", "place-11"]}
    by_id["events"][51] |= {"business": None, "latitude": 48.5, "longitude": -123.5}
    by_id["users"][12] |= {"role": "super_admin", "clerk_id": "user_12"}
    for place in town["businesses"]:
        if place["category"] == "bars":
            place["category"] = "pubs"
    next(term for term in town["categories"] if term["id"] == 5)["slug"] = "pubs"
    new = {"name": "New", "slug": "new-one", "address": "n", "latitude": 1, "longitude": 2, "category": "pubs"}
    town["businesses"].append(new)
    opening = {"name": "Opening", "slug": "opening", "business": "new-one", "submitted_by": 7,
               "starts_at": "2035-01-01T20:00:00Z", "status": "draft"}
    town["events"] = [event for event in town["events"] if event["id"] != 56] + [opening]
    return town


def compare(want: dict[str, Any], got: dict[str, Any], tally: Tally, how: str) -> None:
    """Compares the records by their slugs: each member that is wanted, and no other record."""
    for name in ("settings", "categories", "event_types", "users", "businesses", "events"):
        key = "email" if name == "users" else "name" if name == "settings" else "slug"
        found = {record[key]: record for record in got[name]}
        tally.check(found.keys() == {record[key] for record in want[name]}, f"the {name} {how}", list(found))
        for record in want[name]:
            other = found.get(record[key], {})
            lost = {member: other.get(member) for member, value in record.items() if other.get(member) != value}
            tally.check(not lost, f"{record[key]} {how}", lost)


def served(binary: Path, data: Path, folder: Path, database: Database, tally: Tally) -> None:
    """A running server takes the same dump."""
    sooke(binary, "restore", "--data", folder / "served", folder / "town.json")
    server = Server(binary, folder / "served").ready()
    try:
        done = bring(binary, database.dump(), folder / "served", "--delete-missing")
        tally.check(done.returncode == 0 and b"events: 1 new, 1 changed, 1 deleted" in done.stdout, "through a server",
                    done.stdout + done.stderr)
        tally.check(awkward.export(binary, folder / "served") == awkward.export(binary, folder / "here"),
                    "the same as without one")
    finally:
        server.stop()
