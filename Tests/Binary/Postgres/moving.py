"""A town moves to Postgres, into tables of the Go service and into none, and comes back from a dump."""

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import awkward
from checks import Row
from database import TABLES, Case, Database, Place
from harness import Server, sooke

KEYS = """SELECT string_agg(conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid), E'\n'
    ORDER BY conrelid::regclass::text, conname) FROM pg_constraint
    WHERE conrelid::regclass::text NOT LIKE 'sooke_%' AND conrelid::regclass::text <> 'goose_db_version'"""
FACTS = f"""SELECT indexdef FROM pg_indexes WHERE tablename IN {TABLES} UNION ALL
    SELECT concat_ws(' ', table_name, column_name, data_type, numeric_precision, numeric_scale, is_nullable,
        split_part(column_default, '(', 1))
    FROM information_schema.columns WHERE table_name IN {TABLES} ORDER BY 1"""
MIGRATIONS = ["0", *(f"20260324{time}" for time in (
    "002144", "002210", "003045", "003104", "003121", "003129", "003147", "003157", "003203"))]


def whole(binary: Path, data: Path, *options: str) -> tuple[bytes, str]:
    """An export for Postgres, and what it says."""
    done = subprocess.run([binary, "export", "--data", data, "--format", "postgres", *options], capture_output=True)
    if done.returncode:
        raise RuntimeError(f"the export left with {done.returncode}: {done.stderr.decode()}")
    return done.stdout, done.stderr.decode()


def export(case: Case) -> None:
    """Into tables that are there and into none, with the same rows; refused where a town is."""
    binary, data, place, row = case.binary, case.data, case.place, case.row
    script, said = whole(binary, data)
    for words in ("1 business without a location", "1 day with several openings", "2 events without a submitter",
                  "1 event in a series",
                  "1 event with a place in words, a link", "1 editor", "4 private records left out"):
        row.check(f"sooke: {words}" in said, f"it says: {words}", said)
    row.check(b"yescrypt" not in script and b"$y$" not in script, "no secret is in it")
    migrated, own = Database(*place, "migrated", tables=True), Database(*place, "own")
    migrated.must("CREATE VIEW strange AS SELECT id, email FROM users GROUP BY id")
    before = migrated.must(KEYS)
    row.check((done := migrated.psql(script)).returncode == 0, "into the tables of the Go service", done.stderr)
    alone, _ = whole(binary, data, "--schema", "--private")
    own.must("ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC")
    row.check((done := own.psql(alone)).returncode == 0, "with tables of its own", done.stderr)
    row.check(own.must("SELECT relname FROM pg_class, aclexplode(relacl) WHERE grantee = 0 AND relname IN "
                       "('users', 'sooke_documents')") == "users", "not everybody reads the documents")
    row.check(migrated.must(KEYS) == before == own.must(KEYS), "the constraints are as they were", own.must(KEYS))
    facts = migrated.must(FACTS).splitlines(), own.must(FACTS).splitlines()
    row.check(facts[0] == facts[1] and len(facts[0]) > 80, "the same columns", set(facts[0]) ^ set(facts[1]))
    row.check(own.must("SELECT version_id FROM goose_db_version WHERE is_applied ORDER BY id").split() == MIGRATIONS,
              "no migration is to run")
    for table, lines in migrated.rows().items():
        row.check(lines == own.rows()[table] or table.startswith("sooke_"), f"the same rows of {table}")
    refusals(place, script, alone, (migrated, own), row)
    server = Server(binary, data).ready()
    row.check(whole(binary, data)[0] == script, "the same through a server")
    row.check(server.stop() == 0, "which ends", server.said)


def refusals(place: Place, script: bytes, alone: bytes, towns: tuple[Database, ...], row: Row) -> None:
    """A database with a town, or with only a row of one, stays as it is; a cut script changes nothing."""
    empty, used, part = Database(*place, "empty"), Database(*place, "used", True), Database(*place, "part", True)
    used.must("INSERT INTO event_types (name, slug) VALUES ('a', 'a')")
    for database, sent, words in (*((town, text, b"nothing was changed") for town in towns for text in (script, alone)),
                                  (empty, script, b"no table users"), (used, script, b"in the table event_types")):
        before = database.contents()
        done = database.psql(sent)
        row.check(done.returncode == 3 and words in done.stderr, f"refused: {words.decode()}", done.stderr)
        row.check(database.contents() == before, "a refused export changes nothing")
    # Without the flag in the script, psql would take the lines after the error for commands; cut, it runs nothing.
    before = part.contents()
    for cut in (script.index(b"COPY businesses"), script.index(b"\\.\nCOPY events"), script.index(b"COMMIT;")):
        part.psql(script[:cut])
        # Sequences are outside of transactions, and are only ever moved forward.
        same = re.sub(rb"setval.*", b"", part.contents()) == re.sub(rb"setval.*", b"", before)
        row.check(same, "a cut script changes nothing")


# The way back

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


def changed(town: dict[str, Any]) -> dict[str, Any]:
    """A town with the edits."""
    by_id = {name: {record["id"]: record for record in town[name]} for name in ("users", "businesses", "events")}
    by_id["businesses"][16]["menus"][0]["items"][0]["price"] = "8.25"
    zeds = by_id["businesses"][11]
    next(day for day in zeds["hours"] if day["day_of_week"] == 5)["open_time"] = "10:00:00"
    zeds |= {"name": "Zed's; \"new\"\n\\.", "slug": "zeds-new", "owner_id": 7,
             "former_slugs": ["zed", "old", "place-11"]}
    by_id["events"][51] |= {"business": None, "latitude": 48.5, "longitude": -123.5}
    by_id["events"][57]["host"] = "zeds-new"
    by_id["users"][12] |= {"role": "super_admin", "clerk_id": "user_12"}
    for place in town["businesses"]:
        if place["category"] == "bars":
            place["category"] = "pubs"
    next(term for term in town["categories"] if term["id"] == 5)["slug"] = "pubs"
    town["businesses"].append(
        {"name": "New", "slug": "new-one", "address": "n", "latitude": 1, "longitude": 2, "category": "pubs"})
    opening = {"name": "Opening", "slug": "opening", "business": "new-one", "submitted_by": 7,
               "starts_at": "2035-01-01T20:00:00Z", "status": "draft"}
    town["events"] = [event for event in town["events"] if event["id"] != 56] + [opening]
    return town


class Back:
    """Dumps of one database, imported into folders."""

    def __init__(self, case: Case) -> None:
        self.binary, self.data, self.folder, self.row = case.binary, case.data, case.folder, case.row
        script, _ = whole(self.binary, self.data, "--schema", "--private")
        self.database = Database(*case.place, "back")
        self.row.check((done := self.database.psql(script)).returncode == 0, "a town goes to Postgres", done.stderr)

    def bring(self, data: Path, dump: bytes, options: str, status: int, says: bytes) -> None:
        """Imports a dump from standard input."""
        command = [self.binary, "import", "--data", data, "--format", "postgres", *shlex.split(options), "-"]
        done = subprocess.run(command, input=dump, capture_output=True)
        said = done.stdout + done.stderr
        self.row.check(done.returncode == status and says in said, f"import {options}: {status}, {says!r}", said)

    def unchanged(self) -> None:
        """The same bytes come back, private records too, regardless of the time zone of the dump."""
        want = awkward.backup(self.binary, self.data, self.folder)
        for zone in ("UTC", "Asia/Kathmandu"):
            self.database.must(f"ALTER DATABASE back SET timezone = '{zone}'")
            town, dump = self.folder / zone.replace("/", "-"), self.database.dump()
            self.bring(town, dump, "--dry-run", 0, b"")
            self.row.check(not town.exists(), "a dry run changes nothing")
            self.bring(town, dump, "", 0, b"")
            self.row.check(awkward.export(self.binary, town) == awkward.export(self.binary, self.data),
                           f"byte for byte from {zone}")
            got = awkward.backup(self.binary, town, self.folder)
            for name in ("id_sequences", "passwords", "grants", "proposals"):
                self.row.check(bool(want[name]) and got[name] == want[name], f"{name} from {zone}", got[name])
            self.bring(town, dump, "", 0, b"nothing changed")
        self.row.check(sooke(self.binary, "verify", "--data", town).returncode == 0, "the folder is sound")

    def edited(self) -> None:
        """The edits arrive, and what the tables cannot hold stays: in an empty folder, and in a town that is served."""
        self.database.must(EDITS)
        empty, here, dump = self.folder / "edited", self.folder / "here", self.database.dump()
        self.bring(empty, dump, "", 0, b"event 56 was deleted in the database")
        sooke(self.binary, "backup", "--data", self.data, self.folder / "town.json")
        sooke(self.binary, "restore", "--data", here, self.folder / "town.json")
        server = Server(self.binary, here).ready()
        self.bring(here, dump, "--dry-run --delete-missing", 0, b"deleted: Cancelled (event-56)")
        self.bring(here, dump, "", 0, b"--delete-missing")
        self.bring(here, dump, "--delete-missing", 0, b"events: 1 deleted")
        server.stop()
        want = changed(json.loads(awkward.export(self.binary, self.data)))
        for folder in (empty, here):
            got = json.loads(awkward.export(self.binary, folder))
            for name in ("settings", "categories", "event_types", "users", "businesses", "events"):
                key = "email" if name == "users" else "name" if name == "settings" else "slug"
                found = {record[key]: record for record in got[name]}
                self.row.check(found.keys() == {record[key] for record in want[name]}, f"{name}, {folder.name}", found)
                for record in want[name]:
                    other = found.get(record[key], {})
                    lost = {member: other.get(member) for member in record if other.get(member) != record[member]}
                    self.row.check(not lost, f"{record[key]}, {folder.name}", lost)
            self.row.check(sooke(self.binary, "verify", "--data", folder).returncode == 0, "the folder is sound")


def back(case: Case) -> None:
    """A dump becomes a town, with or without edits in between."""
    town = Back(case)
    town.unchanged()
    town.edited()
