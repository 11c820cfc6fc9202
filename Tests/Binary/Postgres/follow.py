"""The follower for Postgres: every row as in a fresh export, also after changes, stops and wrong messages."""

import json
import os
import random
import re
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import IO, Any

import awkward
from database import Database
from harness import Local, Server, Tally, most_memory, sooke, write_places
from reference import program_folder, run, unprivileged_user

Place = tuple[Path, dict[str, str]]  # the folder of a Postgres' socket, and the environment of its clients
POSITION = "SELECT sequence || '.' || chain FROM sooke_position"
# What is compared; roles by name, since their IDs are the database's own.
ROWS = {
    "users": "SELECT u.id, clerk_id, r.name, email, display_name, u.created_at, u.updated_at FROM users u "
             "JOIN user_roles r ON r.id = role_id ORDER BY 1",
    **{table: f"SELECT * FROM {table} ORDER BY 1, 2" for table in (
        "business_categories", "event_types", "businesses", "business_hours", "menus", "menu_items", "events",
        "sooke_documents", "sooke_position")},
}
SEQUENCES = "SELECT sequencename, last_value FROM pg_sequences WHERE sequencename <> 'user_roles_id_seq' AND " \
            "sequencename NOT LIKE 'goose%' ORDER BY 1"


def rows(database: Database) -> dict[str, str]:
    return {table: database.must(query) for table, query in ROWS.items()}


def exported(binary: Path, data: Path, place: Place, name: str) -> Database:
    """A database with a fresh export of a town, private records included."""
    database = Database(*place, name)
    done = subprocess.run([binary, "export", "--format", "postgres", "--schema", "--private", "--data", data],
                          capture_output=True)
    result = database.psql(done.stdout)
    if done.returncode or result.returncode:
        raise RuntimeError(f"the export failed: {(done.stderr + result.stderr).decode()}")
    return database


def script(binary: Path, data: Path, since: str) -> bytes:
    """The transactions since a position."""
    done = subprocess.run([binary, "export", "--format", "postgres", "--private", "--since", since, "--data", data],
                          capture_output=True)
    if done.returncode:
        raise RuntimeError(f"the follower left with {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def compare(binary: Path, data: Path, database: Database, place: Place, name: str, tally: Tally) -> None:
    """Each row, and each sequence, as in a fresh export."""
    fresh = exported(binary, data, place, name)
    got, want = rows(database), rows(fresh)
    for table in ROWS:
        tally.check(got[table] == want[table], f"{name}: the rows of {table}", first_difference(got[table], want[table]))
    had = dict(line.split("|") for line in database.must(SEQUENCES).splitlines())
    for line in fresh.must(SEQUENCES).splitlines():
        sequence, last = line.split("|")
        if sequence in had:  # tables that were there may share one
            tally.check(int(had[sequence] or 0) >= int(last or 0), f"{name}: {sequence}", f"{had[sequence]}, not {last}")


def first_difference(got: str, want: str) -> str:
    pairs = list(zip(got.splitlines(), want.splitlines()))
    return next((f"{a!r}, not {b!r}" for a, b in pairs if a != b), f"{got.count(chr(10))} and {want.count(chr(10))} lines")


def check(binary: Path, data: Path, place: Place, tally: Tally, short: bool) -> None:
    """All of it, on a town that an export has."""
    changes(binary, data, place, tally)
    refused(binary, data, place, tally, short)
    foreign(binary, data, place, tally)
    hand_over(binary, data, place, tally)
    large(binary, data, place, tally, 20_000 if short else 100_000)
    Soak(binary, data, place, tally).run(60 if short else 600)


# Every kind of change

def changes(binary: Path, data: Path, place: Place, tally: Tally) -> None:
    database = exported(binary, data, place, "changes")
    server = Server(binary, data).ready()
    local = Local(data, server.url)

    def patch(path: str, body: Any) -> Any:
        return local.must("PATCH", f"/api/v1/{path}", body, If_Match="*")

    try:
        patch("town", {"center": "48.1,-123.1"})  # moves the place without a location
        patch("businesses/place-14", {"name": awkward.SIGNS[1].split("\n")[0], "phone": awkward.SIGNS[2][:20]})
        patch("businesses/place-14", {"latitude": 48.5, "longitude": -123.5, "category": "bars"})
        patch("town", {"center": None})
        patch("town", {"center": "48.3742,-123.7276", "tagline": awkward.SIGNS[0][:100]})
        patch("businesses/place-14", {"latitude": None, "longitude": None})
        patch("categories/bars", {"name": "Taverns"})
        patch("event-types/walks", {"name": "Strolls"})
        patch("events/event-51", {"business": None, "latitude": 48.2, "longitude": -123.2})
        patch("events/event-52", {"business": "place-16", "latitude": None, "longitude": None})
        patch("businesses/place-16", {"hours": [
            {"day_of_week": day, "open_time": "09:00", "close_time": "24:00"} for day in range(7)]})
        patch("businesses/place-16", {"hours": [
            {"day_of_week": 6 - day, "open_time": "10:00", "close_time": "20:00"} for day in range(6)]})
        patch("businesses/place-16", {"menus": [
            {"name": "Wines", "items": [{"name": "Red", "price": "8.00"}, {"name": "White", "price": "7.00"}]},
            {"name": "Taps", "items": [{"name": "Ale", "price": "8.50"}]}]})
        for path, body in (("categories", {"name": "Later; '\\"}), ("event-types", {"name": "Later"}),
                           ("users", {"email": "later@town.example", "role": "editor"}),
                           ("businesses", {"name": "Later", "address": "x", "category": "bars"} | AT),
                           ("events", {"name": "Later", "event_type": "walks", "starts_at": "2035-01-01T00:00:00Z"})):
            local.must("POST", f"/api/v1/{path}", body)
        user = local.must("POST", "/api/v1/users", {"email": "going@town.example"})
        patch(f"users/{user['id']}", {"role": "business_owner"})
        local.must("POST", f"/api/v1/users/{user['id']}/password", {"new_password": "correct horse battery"})
        patch("businesses/later", {"owner_id": user["id"]})
        for path in ("events/later", f"users/{user['id']}", "businesses/later", "event-types/later"):
            local.must("DELETE", f"/api/v1/{path}")
        for path, fields in (("categories/bars", {"slug": "x"}), ("categories/café-bakery", {"slug": "bars"}),
                             ("categories/x", {"slug": "café-bakery", "name": "Café & more"}),
                             ("businesses/place-11", {"slug": "x"}), ("businesses/place-16", {"slug": "place-11"}),
                             ("businesses/x", {"slug": "place-16"}), ("events/event-51", {"slug": "x"}),
                             ("events/event-52", {"slug": "event-51"}), ("users/7", {"email": "x@town.example"}),
                             ("users/13", {"email": "ada@town.example"})):
            patch(path.replace("é", "%C3%A9"), fields)
        menus = local.must("GET", f"/api/v1/businesses/{slug(binary, data, 16)}")["menus"]
        patch(f"businesses/{slug(binary, data, 16)}", {"menus": [
            {"id": menus[0]["id"], "name": menus[1]["name"], "items": menus[0]["items"]},
            {"id": menus[1]["id"], "name": menus[0]["name"], "items": menus[1]["items"]}]})
    finally:
        server.stop()
    text = script(binary, data, database.must(POSITION))
    done = database.psql(text)
    tally.check(done.returncode == 0 and not done.stdout, "every kind of change", done.stdout + done.stderr)
    compare(binary, data, database, place, "fresh", tally)
    before = rows(database)
    tally.check(database.psql(script(binary, data, database.must(POSITION))).returncode == 0, "nothing more to do")
    tally.check(rows(database) == before, "which changes nothing")


AT = {"latitude": 48.37, "longitude": -123.73}


def slug(binary: Path, data: Path, identity: int) -> str:
    town = json.loads(awkward.export(binary, data))
    return next(row["slug"] for row in town["businesses"] if row["id"] == identity)


# What is sent wrongly

def status(binary: Path, data: Path) -> str:
    """The position of a town."""
    return json.loads(sooke(binary, "status", "--format", "json", "--data", data).stdout)["position"]


def refused(binary: Path, data: Path, place: Place, tally: Tally, short: bool) -> None:
    """A transaction that is missing, swapped or repeated, one of another town, a second stream: nothing is changed. Cut
    at any byte of a transaction, nothing is half done."""
    database = exported(binary, data, place, "refused")
    steps = []
    server = Server(binary, data).ready()
    local = Local(data, server.url)
    try:
        for number in range(4):
            since = status(binary, data)
            local.must("POST", "/api/v1/categories", {"name": f"Part {number}; ''\\"})
            steps.append(script(binary, data, since))
        for given in ("1.0000000000000000", "999999" + since[since.index("."):]):
            done = subprocess.run([binary, "export", "--format", "postgres", "--since", given, "--data", data],
                                  capture_output=True)
            tally.check(done.returncode == 65 and not done.stdout, "a foreign position", done.stderr)
    finally:
        server.stop()
    one, two, three, four = steps
    identity = re.search(rb"sooke_advance\('([0-9a-f]{32})'", one)[1]
    foreign = one.replace(identity, identity[::-1])
    for name, sent in (("without the one before", two), ("swapped", two + one), ("of another town", foreign),
                       ("with a step of no kind", one.replace(b"\tbusiness_categories\t", b"\tGONE\t", 1))):
        fails(database, sent, name, tally)
    tally.check(one.count(b"SET lock_timeout = '5s'") == one.count(b"SET idle_in_transaction_session_timeout = '5s'") == 1,
                "nothing is waited for without an end")
    holder = subprocess.Popen(["psql", "-Xq"], env=database.environment, stdin=subprocess.PIPE)
    assert holder.stdin is not None
    holder.stdin.write(one.replace(b"COMMIT;", b"SELECT pg_sleep(1)\\g /dev/null\nCOMMIT;"))
    holder.stdin.close()
    time.sleep(0.5)
    done = database.psql(one)
    tally.check(done.returncode == 3 and b"sooke: the database is at" in done.stderr, "a second stream waits, and fails",
                done.stderr)
    tally.check(holder.wait() == 0, "the first one goes on")
    # One that stands still while it is sent holds up nobody.
    stopped = subprocess.Popen(["psql", "-Xq"], env=database.environment, stdin=subprocess.PIPE)
    assert stopped.stdin is not None
    stopped.stdin.write(two[:two.index(b"CALL sooke_advance")])
    stopped.stdin.flush()
    time.sleep(0.5)
    for name, sent in (("repeated", one), ("that skips one", three), ("repeated after others", two + three + three)):
        fails(database, sent, name, tally, changed=name == "repeated after others")
    tally.check(database.must(POSITION) == since, "a stream that stands still holds no lock", database.must(POSITION))
    stopped.kill()
    stopped.wait()
    cut(database, four, tally, short)
    compare(binary, data, database, place, "after what was wrong", tally)


def fails(database: Database, sent: bytes, name: str, tally: Tally, changed: bool = False) -> None:
    before = rows(database)
    done = database.psql(sent)
    tally.check(done.returncode == 3, f"a transaction {name} is refused", done.stderr)
    if not changed:
        tally.check(rows(database) == before, f"a transaction {name} changes nothing")


def cut(database: Database, sent: bytes, tally: Tally, short: bool) -> None:
    """psql gets the first bytes only, as many as there are, and one more each time."""
    query = f"{POSITION}; SELECT count(*) FROM business_categories; SELECT count(*) FROM sooke_documents"
    before = database.must(query)
    end = sent.rindex(b"COMMIT")
    for count in range(sent.index(b"BEGIN\\;"), end + len("COMMIT")):
        if short and count % 13 and count < end - 30:
            continue
        database.psql(sent[:count])
        if not tally.check(database.must(query) == before, f"cut after {count} bytes", sent[max(0, count - 40):count]):
            return
    done = database.psql(sent)
    tally.check(done.returncode == 0 and database.must(query) != before, "and whole it is done", done.stderr)


# Rows of others

def foreign(binary: Path, data: Path, place: Place, tally: Tally) -> None:
    """What others inserted with an ID or a name that Sooke gives later stops the follower. It stays regardless of what is named, and
    after it is gone the follower goes on. The rows that failed are not in the log of Postgres."""
    database = exported(binary, data, place, "foreign")
    since, log = database.must(POSITION), place[0] / "log"
    length, town = log.stat().st_size, json.loads(awkward.export(binary, data))
    server = Server(binary, data).ready()
    local = Local(data, server.url)
    try:
        place_id = local.must("POST", "/api/v1/businesses", {
            "name": "Ours", "slug": "ours", "address": "planted-secret", "hours": [
                {"day_of_week": 1, "open_time": "09:00", "close_time": "10:00"}], "menus": [
                {"name": "M", "items": [{"name": "I", "price": "1.00"}]}]} | AT)["id"]
        user = local.must("POST", "/api/v1/users", {"email": "planted-secret@town.example"})["id"]
        local.must("POST", f"/api/v1/users/{user}/password", {"new_password": "correct horse battery"})
        local.must("POST", f"/api/v1/categories", {"name": "Ours", "slug": "ours"})
    finally:
        server.stop()
    sent = script(binary, data, since)
    menu, hours, item = (max(re.findall(rb'\t%s\t\{"(\d+)"' % table, sent)).decode() for table in (
        b"menus", b"business_hours", b"menu_items"))
    other = town["businesses"][-1]["id"]
    for table, values, named in (
            ("businesses", f"(id, name, slug, address, latitude, longitude) VALUES ({place_id}, 'T', 't', '', 0, 0)",
             f"businesses has a row with the ID {place_id}"),
            ("menus", f"(id, business_id, name) VALUES ({menu}, {other}, 'T')", f"menus has a row with the ID {menu}"),
            ("menu_items", f"(id, menu_id, name, price) SELECT {item}, min(id), 'T', 1 FROM menus",
             f"menu_items has a row with the ID {item}"),
            ("business_hours", f"(id, business_id, day_of_week, open_time, close_time) SELECT {hours}, {other}, "
             f"min(day), '01:00', '02:00' FROM generate_series(0, 6) day WHERE day NOT IN (SELECT day_of_week FROM "
             f"business_hours WHERE business_id = {other})", f"business_hours has a row with the ID {hours}"),
            ("users", f"(id, clerk_id, role_id, email, display_name) SELECT {user}, 't', min(id), 't', '' FROM user_roles",
             f"users has a row with the ID {user}"),
            ("business_categories", "(id, name, slug) VALUES (99999, 'Theirs', 'ours')", "Key (slug)=(ours)")):
        database.must(f"INSERT INTO {table} {values}")
        before = rows(database)
        done = database.psql(sent)
        said = done.stderr.decode()
        tally.check(done.returncode == 3 and named in said and "enter it there, and delete it here" in said,
                    f"a row of others in {table} stops the follower", said)
        tally.check(rows(database) == before, f"a row of others in {table} stays")
        database.must(f"DELETE FROM {table} WHERE id = {named.split('ID ')[-1] if 'ID' in named else 99999}")
    database.must("ALTER TABLE sooke_documents ADD CHECK (kind <> 'password' OR length(document) < 9) NOT VALID")
    done = database.psql(sent)
    tally.check(done.returncode == 3 and b"violates check constraint" in done.stderr, "a row that is refused", done.stderr)
    written = log.read_bytes()[length:] + done.stderr
    tally.check(b"ERROR" in written and not re.search(rb"planted-secret|\$y\$|argon|scrypt", written),
                "the log of Postgres has no row", written[-800:])
    database.must("ALTER TABLE sooke_documents DROP CONSTRAINT sooke_documents_check")
    done = database.psql(sent)
    tally.check(done.returncode == 0, "without the rows of others it goes on", done.stderr)
    compare(binary, data, database, place, "without others", tally)


# The hand-over, as the page for operators has it

# What stands in for root's commands: here everybody may be everybody in Postgres, whose superuser is `town`.
STANDS_IN = {
    "runuser": 'user=$2; shift 3; [ "$user" = postgres ] && user=town\nPGUSER=$user exec "$@"',
    "systemctl": "exit 0",  # a loop is the service
    "install": 'exec /usr/bin/install -m "$6" "${@:7}"',
}


def recipes(binary: Path, data: Path) -> list[str]:
    """The blocks of the page, for this folder."""
    page = (Path(__file__).resolve().parents[3] / "Sources/Exchange/Postgres/README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S)
    for old, new in (("/var/lib/sooke", str(data)), ("/usr/local/sbin", str(data.parent)), ("/etc/systemd/system", str(
            data.parent)), ("/etc/default/", f"{data.parent}/default.")):
        blocks = [block.replace(old, new) for block in blocks]
    return blocks


def hand_over(binary: Path, data: Path, place: Place, tally: Tally) -> None:
    """Writers are refused for two commands, readers never; Postgres has each acknowledged write. Until then nobody else
    writes there, and nobody else reads the documents afterwards either."""
    folder = data.parent
    for name, text in STANDS_IN.items():
        (folder / name).write_text(f"#!/bin/bash\n{text}\n")
        (folder / name).chmod(0o755)
    (folder / "sooke").symlink_to(binary)
    environment = {**place[1], "PGHOST": str(place[0]), "PATH": f"{folder}:{os.environ['PATH']}"}
    environment.pop("DATABASE_URL", None)

    def follow(block: str, status: int = 0) -> str:
        done = subprocess.run(["bash", "-c", block], env=environment, capture_output=True, text=True, timeout=120)
        tally.check(done.returncode == status, f"the recipe {block.splitlines()[0][:50]}", done.stderr)
        return done.stdout + done.stderr

    def app(statement: str) -> str:
        """What Postgres says to the role of the Go service."""
        done = subprocess.run(["psql", "-XAtqc", statement, "postgresql:///town"], env={**environment, "PGUSER": "app"},
                              capture_output=True, text=True)
        return done.stdout + done.stderr

    script_of_service, first, unit, hand, elsewhere = recipes(binary, data)[:5]
    insert = "INSERT INTO business_categories (name, slug) VALUES ('app', 'app') RETURNING slug"
    server = Server(binary, data, "--write-limit", "1000000").ready()
    local = Local(data, server.url)
    acknowledged, refusals, slow, done = [], [], [], threading.Event()

    def write(number: int) -> None:
        for step in range(1_000_000):
            if done.is_set():
                return
            name = f"handed-{number}-{step}"
            answer = local.ask("POST", "/api/v1/categories", {"name": name, "slug": name})
            (acknowledged if answer.status == 201 else refusals).append((name, answer.status))
            time.sleep(0.01 if answer.status == 201 else 0.05)

    def read() -> None:
        while not done.is_set():
            answer = local.ask("GET", "/api/v1/businesses")
            if answer.status != 200:
                slow.append(answer.status)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)] + [threading.Thread(target=read)]
    follower = None
    try:
        for thread in threads:
            thread.start()
        follow(script_of_service)
        follow(first)
        follow(unit)
        tally.check("\nStartLimitIntervalSec=0\n\n[Service]" in (folder / "sooke-to-postgres.service").read_text(),
                    "the service never gives up")
        # Postgres has not the last position, and the time is over: nothing is handed over.
        follow(hand.replace("timeout 60 ", "timeout 1 "))
        tally.check("denied" in app(f"BEGIN READ WRITE; {insert}") and local.ask("POST", "/api/v1/event-types", {"name": "Late"}).status == 201,
                    "without Postgres it is not handed over, and changes are accepted")
        time.sleep(0.2)
        refusals.clear()
        follower = subprocess.Popen(
            ["bash", "-c", f"while sleep 0.1; do runuser -u sooke -- {folder}/sooke-to-postgres; done"],
            env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(2)
        tally.check(app("SELECT count(*) > 3 FROM business_categories") == "t\n", "the Go service reads", app("SELECT 1"))
        database = Database.existing(environment | {"PGOPTIONS": "-c search_path=public,sooke"}, "town")
        tally.check(b"read-only" in database.psql(f"{insert};".encode()).stderr, "nobody writes but the follower")
        began, before = time.monotonic(), len(acknowledged)
        tally.check(before > 100 and not refusals, "until then all writes are accepted", (before, refusals[:3]))
        follow(hand)
        tally.check(app(f"BEGIN; {insert}; ALTER TABLE events ADD COLUMN later text; ROLLBACK") == "app\n",
                    "the Go service writes, and has the tables")
        tally.check(database.must("SELECT has_table_privilege('app', 'sooke_documents', 'SELECT')") == "f",
                    "and reads no secrets")
        seconds = time.monotonic() - began
        time.sleep(0.5)
    finally:
        done.set()
        for thread in threads:
            thread.join()
        if follower:
            os.killpg(follower.pid, signal.SIGKILL)
            follower.wait()
    names = set(database.must("SELECT slug FROM business_categories").split())
    missing = [name for name, _ in acknowledged if name not in names]
    tally.check(not missing, "Postgres has every acknowledged write", missing[:3])
    tally.check({status for _, status in refusals} == {503} and not slow, "writers get 503, readers nothing", slow[:3])
    tally.check(not names & {name for name, _ in refusals}, "and nothing that was refused")
    compare(binary, data, database, place, "handed over", tally)
    follow(elsewhere)
    tally.check((folder / "default.sooke-to-postgres.password").stat().st_mode & 0o777 == 0o600, "the password is secret")
    done = subprocess.run([folder / "sooke-to-postgres", "position"], capture_output=True, text=True,
                          env={**environment, "PGHOSTADDR": "127.0.0.1", "PGPORT": "1"})
    tally.check(done.returncode == 2 and "Connection refused" in done.stderr, "the address is valid", done.stderr)
    server.stop()
    sooke(binary, "read-only", "off", "--data", data)
    print(f"handed over in {seconds:.1f} s: {len(acknowledged):,} writes, {len(refusals)} refused")


# An import in one commit

def large(binary: Path, data: Path, place: Place, tally: Tally, count: int) -> None:
    """A commit of many records passes, with three times the memory of its line at most."""
    database = exported(binary, data, place, "large")
    since = database.must(POSITION)
    file, output = data.parent / "large.csv", data.parent / "large.sql"
    write_places(file, count)
    server = Server(binary, data).ready()
    try:
        done = sooke(binary, "import", "--data", data, file)
        tally.check(done.returncode == 0, "a large import", done.stderr)
        lines = sooke(binary, "log", "--since", since, "--data", data).stdout.splitlines()
        with output.open("wb") as out:
            follower = subprocess.Popen([binary, "export", "--format", "postgres", "--private", "--since", since, "--data",
                                         data], stdout=out)
            used = most_memory(follower)
        length, ended = max(map(len, lines)), follower.wait()
        tally.check(ended == 0 and used <= 3 * length + (16 << 20), "the follower's memory", (ended, used, length))
    finally:
        server.stop()
    with output.open("rb") as script:
        done = subprocess.run(["psql", "-Xq"], env=database.environment, stdin=script, capture_output=True)
    tally.check(done.returncode == 0, "it is in Postgres", done.stderr)
    compare(binary, data, database, place, "after a large import", tally)
    print(f"a commit of {count:,} records, {length / 1e6:.0f} MB: the follower took {used / 1e6:.0f} MB")


# For minutes, with everything killed

class Soak:
    """Writers, and a follower between them and Postgres, of which something is killed again and again."""

    def __init__(self, binary: Path, data: Path, place: Place, tally: Tally) -> None:
        self.binary, self.data, self.place, self.tally = binary, data, place, tally
        self.random = random.Random(3)
        self.errors = data.parent / "follow.txt"
        self.done, self.closed = threading.Event(), False
        self.writes = self.kills = self.restarts = 0
        self.lock = threading.Lock()
        self.pipe: list[subprocess.Popen[bytes]] = []

    def run(self, seconds: int) -> None:
        self.database = exported(self.binary, self.data, self.place, "soak")
        self.server = Server(self.binary, self.data, "--write-limit", "1000000").ready()
        Local(self.data, self.server.url).must("POST", "/api/v1/categories", {"name": "Live", "slug": "live"})
        threads = [threading.Thread(target=self.write, args=(number,)) for number in range(32)]
        threads.append(threading.Thread(target=self.follow))
        for thread in threads:
            thread.start()
        end = time.monotonic() + seconds
        ways = [self.kill_server, self.kill_sink, self.kill_psql, self.kill_backend, self.stop_postgres]
        while time.monotonic() < end:
            time.sleep(self.random.uniform(0.5, 3))
            ways[self.kills % len(ways)]()
            self.kills += 1
        self.done.set()
        for thread in threads[:-1]:
            thread.join()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.reached() != status(self.binary, self.data):
            time.sleep(0.2)
        self.tally.check(self.reached() == status(self.binary, self.data), "it catches up",
                         (self.reached(), self.errors.read_text(errors="replace")[-500:]))
        self.closed = True
        self.close()
        threads[-1].join()
        self.server.stop()
        compare(self.binary, self.data, self.database, self.place, "after all kills", self.tally)
        print(f"{self.writes:,} writes, {self.kills} kills, {self.restarts} starts of the follower")

    # The follower, as its recipe runs it

    def follow(self) -> None:
        while not self.closed:
            if since := self.reached():
                with self.errors.open("ab") as errors:
                    self.start(since, errors)
                while not self.closed and all(process.poll() is None for process in self.pipe):
                    time.sleep(0.02)
                self.close()
            time.sleep(0.1)

    def start(self, since: str, errors: IO[bytes]) -> None:
        sink = subprocess.Popen([self.binary, "export", "--format", "postgres", "--private", "--follow", "--since",
                                 since, "--data", self.data], stdout=subprocess.PIPE, stderr=errors)
        psql = subprocess.Popen(["psql", "-Xq"], env=self.database.environment, stdin=sink.stdout,
                                stdout=subprocess.DEVNULL, stderr=errors)
        sink.stdout.close()
        self.pipe = [sink, psql]
        self.restarts += 1

    def close(self) -> None:
        """Ends both, as a unit that restarts the pipe does."""
        for process in self.pipe:
            process.kill()
            process.wait()

    def reached(self) -> str | None:
        """The position of the database; None while Postgres does not answer."""
        try:
            return self.database.must(POSITION)
        except RuntimeError:
            return None

    # What is killed

    def kill_server(self) -> None:
        self.server.stop(signal.SIGKILL)
        self.server = Server(self.binary, self.data, "--write-limit", "1000000").ready()

    def kill_sink(self) -> None:
        if self.pipe:
            self.pipe[0].kill()

    def kill_psql(self) -> None:
        if self.pipe:
            self.pipe[1].kill()

    def kill_backend(self) -> None:
        try:
            self.database.must("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'soak' AND "
                               "pid <> pg_backend_pid()")
        except RuntimeError:
            pass

    def stop_postgres(self) -> None:
        folder, environment = self.place
        user = unprivileged_user()
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        for action in (["-m", "immediate", "stop"], ["-w", "-l", folder / "log", "-o", options, "start"]):
            run([program_folder() / "pg_ctl", "-D", folder / "data", *action], user, environment)

    # The writers

    def write(self, number: int) -> None:
        source = random.Random(number)
        step = 0
        while not self.done.is_set():
            step += 1
            try:
                answer = self.change(source, f"w{number}-{step}")
            except Exception:  # the server is being killed
                time.sleep(0.05)
                continue
            if answer.status < 300:
                with self.lock:
                    self.writes += 1

    def change(self, source: random.Random, name: str) -> Any:
        local = Local(self.data, self.server.url)
        mine = name.split("-")[0]
        of = f"{mine}-{source.randint(1, 30)}"
        pick = source.random()
        if pick < 0.35:
            # Few, so that a transaction that rewrites them all ends before the next kill.
            place = {} if source.random() < 0.02 else AT
            category = "live" if source.random() < 0.02 else None
            return local.ask("POST", "/api/v1/businesses", {"name": f"{name} ;'\\", "slug": name, "address": "x",
                                                            "category": category, **place})
        if pick < 0.6:
            return local.ask("PATCH", f"/api/v1/businesses/{of}", source.choice([
                {"phone": name}, {"slug": f"{mine}-{source.randint(1, 30)}"},
                {"hours": [{"day_of_week": day, "open_time": f"{source.randint(0, 11):02}:00", "close_time": "24:00"}
                           for day in range(source.randint(0, 7))]},
                {"menus": [{"name": f"Menu {n}", "items": [{"name": name, "price": "1.50"}] * source.randint(0, 3)}
                           for n in range(source.randint(0, 3))]}]), If_Match="*")
        if pick < 0.7:
            return local.ask("POST", "/api/v1/events", {"name": name, "slug": name, "event_type": "walks",
                                                        "business": of, "starts_at": "2035-01-01T00:00:00Z"})
        if pick < 0.8:
            return local.ask("DELETE", f"/api/v1/{source.choice(['businesses', 'events'])}/{of}")
        # A new center rewrites all places without a location, a new slug of a category all its businesses.
        if pick < 0.998:
            return local.ask("POST", "/api/v1/users", {"email": f"{name}@town.example"})
        if pick < 0.999:
            return local.ask("PATCH", "/api/v1/town", {"center": f"48.{source.randint(10, 99)},-123.5"}, If_Match="*")
        return local.ask("PATCH", f"/api/v1/categories/{source.choice(['live', 'alive'])}",
                         {"slug": source.choice(["live", "alive"]), "name": source.choice(["Live", "Alive"])}, If_Match="*")
