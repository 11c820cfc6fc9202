"""The export for Postgres: into tables of the Go service and into none, refused where a town is."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import awkward
from database import TABLES, Database
from harness import Server, Tally

SEQUENCES = {"users": "user", "business_categories": "category", "event_types": "event_type", "businesses": "business",
             "business_hours": "hours", "menus": "menu", "menu_items": "menu_item", "events": "event"}
# A row for each table that has no other reason to be refused.
ROWS = {
    "users": "(clerk_id, role_id, email, display_name) SELECT 'new', min(id), 'new', '' FROM user_roles",
    "business_categories": "(name, slug) VALUES ('new', 'new')", "event_types": "(name, slug) VALUES ('new', 'new')",
    "businesses": "(name, slug, address, latitude, longitude) VALUES ('new', 'new', '', 0, 0)",
    "business_hours": "(business_id, day_of_week, open_time, close_time) VALUES (14, 3, '01:00', '24:00')",
    "menus": "(business_id, name) VALUES (14, 'new')",
    "menu_items": "(menu_id, name, price) SELECT min(id), 'new', 1 FROM menus",
    "events": "(event_type_id, submitted_by, name, slug, starts_at) VALUES (2, 0, 'new', 'new', now())",
}


def whole(binary: Path, data: Path, *options: str) -> tuple[bytes, str]:
    """An export for Postgres, and what it says."""
    done = subprocess.run([binary, "export", "--data", data, "--format", "postgres", *options], capture_output=True)
    if done.returncode:
        raise RuntimeError(f"the export left with {done.returncode}: {done.stderr.decode()}")
    return done.stdout, done.stderr.decode()


def check(binary: Path, data: Path, folder: Path, server: tuple[Path, dict[str, str]], tally: Tally) -> None:
    town = json.loads(awkward.export(binary, data))
    numbers = awkward.highest(binary, data, folder)
    script, said = whole(binary, data)
    for words in ("1 business without a location", "1 day with several openings", "2 events without a submitter",
                  "1 event in a series", "1 editor", "3 private records left out"):
        tally.check(f"sooke: {words}" in said, f"it says: {words}", said)
    tally.check(b"yescrypt" not in script and b"$y$" not in script, "no secret is in it")
    migrated = Database(*server, "migrated", tables=True)
    migrated.must("CREATE TABLE stranger (place bigint REFERENCES businesses);"
                  "CREATE VIEW strange AS SELECT id, email FROM users GROUP BY id")
    before = migrated.must(KEYS)
    tally.check((done := migrated.psql(script)).returncode == 0, "into the tables of the Go service", done.stderr)
    tally.check(migrated.must(KEYS) == before, "the constraints are as they were", migrated.must(KEYS))
    rows(migrated, town, tally, "migrated")
    alone, said = whole(binary, data, "--schema", "--private")
    own = Database(*server, "own")
    own.must("ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC")
    tally.check((done := own.psql(alone)).returncode == 0, "with tables of its own", done.stderr)
    tally.check(own.must("SELECT relname FROM pg_class, aclexplode(relacl) WHERE grantee = 0 AND relname IN "
                         "('users', 'sooke_documents')") == "users", "not everybody reads the documents")
    same = before.replace("\nstranger stranger_place_fkey FOREIGN KEY (place) REFERENCES businesses(id)", "")
    tally.check(own.must(KEYS) == same, "with the same constraints", own.must(KEYS))
    facts = migrated.must(FACTS).splitlines(), own.must(FACTS).splitlines()
    tally.check(facts[0] == facts[1] and len(facts[0]) > 80, "with the same columns and indexes",
                set(facts[0]) ^ set(facts[1]))
    tally.check(own.must("SELECT version_id FROM goose_db_version WHERE is_applied ORDER BY id").split() == MIGRATIONS,
                "no migration is to run")
    rows(own, town, tally, "own")
    private = own.must("SELECT string_agg(DISTINCT kind, ' ' ORDER BY kind) FROM sooke_documents")
    tally.check({"password", "grant", "proposal"} <= set(private.split()), "with the private records", private)
    refusals(server, script, alone, (migrated, own), tally)
    highest(migrated, numbers, tally, "migrated")
    highest(own, numbers, tally, "own")
    position(own, tally)
    served(binary, data, script, tally)


KEYS = """SELECT string_agg(conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid), E'\n'
    ORDER BY conrelid::regclass::text, conname) FROM pg_constraint
    WHERE conrelid::regclass::text NOT LIKE 'sooke_%' AND conrelid::regclass::text <> 'goose_db_version'"""


FACTS = f"""SELECT indexdef FROM pg_indexes WHERE tablename IN {TABLES} UNION ALL
    SELECT concat_ws(' ', table_name, column_name, data_type, numeric_precision, numeric_scale, is_nullable,
        split_part(column_default, '(', 1))
    FROM information_schema.columns WHERE table_name IN {TABLES} ORDER BY 1"""
MIGRATIONS = ["0", *(f"20260324{time}" for time in (
    "002144", "002210", "003045", "003104", "003121", "003129", "003147", "003157", "003203"))]


def rows(database: Database, town: dict[str, Any], tally: Tally, name: str) -> None:
    """Compares the rows with an export, column by column."""
    places = {place["slug"]: place["id"] for place in town["businesses"]}
    center = [float(part) for part in town["settings"][0]["center"].split(",")]
    people = {person["id"]: (person["clerk_id"] or f"sooke:{person['id']}", person["email"],
                             person["role"].replace("editor", "general_user"), person["display_name"] or "")
              for person in town["users"]} | {0: ("sooke:nobody", "nobody@sooke.invalid", "general_user", "")}
    found = read(database, "u.id, clerk_id, email, r.name, display_name",
                 "users u JOIN user_roles r ON r.id = role_id")
    tally.check({row[0]: tuple(row[1:]) for row in found} == people, f"{name}: users", found)
    for collection, table in (("categories", "business_categories"), ("event_types", "event_types")):
        found = read(database, "id, name, slug", f"{table} ORDER BY id")
        want = [[row["id"], row["name"], row["slug"]] for row in town[collection]]
        tally.check(found == want, f"{name}: {table}", found)
    found = read(database, "b.id, owner_id, c.slug, b.name, b.slug, description, phone, email, website, address, "
                 "latitude, longitude",
                 "businesses b LEFT JOIN business_categories c ON c.id = category_id ORDER BY b.id")
    want = [[b["id"], b["owner_id"], b["category"], b["name"], b["slug"], b["description"], b["phone"], b["email"],
             b["website"], b["address"], *([b["latitude"], b["longitude"]] if b["latitude"] is not None else center)]
            for b in town["businesses"]]
    tally.check(found == want, f"{name}: businesses", found)
    found = read(database, "business_id, id, day_of_week, open_time::text, close_time::text, is_closed",
                 "business_hours ORDER BY business_id, day_of_week")
    tally.check(found == days(town), f"{name}: business_hours", found)
    found = read(database, "business_id, m.id, m.name, m.description, i.id, i.name, i.description, price::text",
                 "menus m LEFT JOIN menu_items i ON i.menu_id = m.id ORDER BY business_id, m.id, i.id")
    want = [[b["id"], m["id"], m["name"], m["description"], *item] for b in town["businesses"] for m in b["menus"]
            for item in [[i["id"], i["name"], i["description"], i["price"]] for i in m["items"]] or [[None] * 4]]
    tally.check(found == want, f"{name}: menus and items", found)
    found = read(database, "e.id, t.slug, submitted_by, business_id, e.name, e.slug, description, latitude, longitude, "
                 "extract(epoch FROM starts_at), extract(epoch FROM ends_at), status",
                 "events e JOIN event_types t ON t.id = event_type_id ORDER BY e.id")
    want = [[e["id"], e["event_type"], e["submitted_by"] or 0, places.get(e["business"]), e["name"], e["slug"],
             e["description"], e["latitude"], e["longitude"], epoch(database, e["starts_at"]),
             epoch(database, e["ends_at"]), e["status"]] for e in town["events"]]
    tally.check(found == want, f"{name}: events", found)


def days(town: dict[str, Any]) -> list[list[Any]]:
    """A row a day, from the first opening to the last closing."""
    rows = []
    for place in town["businesses"]:
        for day in range(7):
            if hours := [row for row in place["hours"] if row["day_of_week"] == day]:
                rows.append([place["id"], hours[0]["id"], day, hours[0]["open_time"], hours[-1]["close_time"],
                             hours[0]["is_closed"]])
    return rows


def read(database: Database, columns: str, source: str) -> list[list[Any]]:
    lines = database.must(f"SELECT json_build_array({columns}) FROM {source}").split("\n")
    return [json.loads(line) for line in lines if line]


def epoch(database: Database, moment: str | None) -> float | None:
    if moment is None:
        return None
    if moment.startswith("0000"):
        moment = "0001" + moment[4:] + " BC"
    return float(database.must(f"SELECT extract(epoch FROM '{moment}'::timestamptz)"))


def refusals(server: tuple[Path, dict[str, str]], script: bytes, alone: bytes, towns: tuple[Database, ...],
             tally: Tally) -> None:
    """A database with a town, or with only a row of one, stays as it is."""
    for name, text in (("with tables", script), ("alone", alone)):
        for town in towns:
            before = town.contents()
            done = town.psql(text)
            tally.check(done.returncode == 3 and b"nothing was changed" in done.stderr, f"refused {name}", done.stderr)
            tally.check(town.contents() == before, f"nothing is changed by a refused export {name}")
    empty = Database(*server, "empty")
    before = empty.contents()
    done = empty.psql(script)
    tally.check(done.returncode == 3 and b"no table users" in done.stderr, "refused without tables", done.stderr)
    tally.check(empty.contents() == before, "and nothing is changed")
    used = Database(*server, "used", tables=True)
    used.must("INSERT INTO event_types (name, slug) VALUES ('a', 'a')")
    before = used.contents()
    done = used.psql(script)
    tally.check(done.returncode == 3 and b"in the table event_types" in done.stderr, "refused with one row",
                done.stderr)
    tally.check(used.contents() == before, "and nothing is changed by it")
    # Without the flag in the script, psql would take the lines after the error for commands; cut, it runs nothing.
    for cut in (script.index(b"COPY businesses"), script.index(b"\\.\nCOPY events"), script.index(b"COMMIT;")):
        part = Database(*server, f"cut{cut}", tables=True)
        before = part.contents()
        part.psql(script[:cut])
        after = part.contents()
        # Sequences are outside of transactions, and are only ever moved forward.
        same = re.sub(rb"setval.*", b"", after) == re.sub(rb"setval.*", b"", before)
        tally.check(same, "a cut script changes nothing")


def highest(database: Database, numbers: dict[str, int], tally: Tally, name: str) -> None:
    """A plain INSERT gets an ID above every ID ever given."""
    for table, kind in SEQUENCES.items():
        given = int(database.must(f"INSERT INTO {table} {ROWS[table]} RETURNING id"))
        tally.check(given > numbers[kind], f"{name}: a new ID of {table}", f"{given} after {numbers[kind]}")


def position(database: Database, tally: Tally) -> None:
    """The procedure of followers takes the position it was told, and no other."""
    store, now = database.must("SELECT store || ' ' || sequence || '.' || chain FROM sooke_position").split()
    for arguments in (f"'other', '{now}', '99.ab'", f"'{store}', '1.ab', '99.ab'"):
        done = database.psql(f"CALL sooke_advance({arguments}, now());".encode())
        tally.check(b"ERROR" in done.stderr, "another position is refused", done.stderr)
    database.must(f"CALL sooke_advance('{store}', '{now}', '99.ab', now())")
    tally.check(database.must("SELECT sequence, chain FROM sooke_position") == "99|ab", "the position moves")


def served(binary: Path, data: Path, script: bytes, tally: Tally) -> None:
    """A running server gives the same script, and refuses what is for other formats."""
    server = Server(binary, data).ready()
    try:
        tally.check(whole(binary, data)[0] == script, "the same through a server")
        tally.check(b"proposal\t" in whole(binary, data, "--private")[0], "private records through a server")
        done = subprocess.run([binary, "export", "--data", data, "--private"], capture_output=True)
        tally.check(done.returncode == 64, "--private is for postgres", done.stderr)
    finally:
        server.stop()
