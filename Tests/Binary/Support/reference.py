"""The reference: a private Postgres that holds the same town and answers by SQL what the Go service answers."""

import contextlib
import json
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

LOCALE = "en_US.UTF-8"
HELP = "install Debian's postgresql and locales packages to run it"

SCHEMA = """
CREATE TABLE users (id bigint PRIMARY KEY, clerk_id text UNIQUE, role text, email text, display_name text);
CREATE TABLE business_categories (id bigint PRIMARY KEY, name text NOT NULL, slug text NOT NULL UNIQUE);
CREATE TABLE event_types (id bigint PRIMARY KEY, name text NOT NULL, slug text NOT NULL UNIQUE);
CREATE TABLE businesses (
    id bigint PRIMARY KEY, owner_id bigint REFERENCES users, category_id bigint REFERENCES business_categories,
    name text NOT NULL, slug text NOT NULL UNIQUE, description text, phone text, email text, website text,
    address text NOT NULL, latitude double precision NOT NULL, longitude double precision NOT NULL);
CREATE TABLE business_hours (
    id bigint PRIMARY KEY, business_id bigint NOT NULL REFERENCES businesses, day_of_week int NOT NULL,
    open_time time NOT NULL, close_time time NOT NULL, is_closed boolean NOT NULL, UNIQUE (business_id, day_of_week));
CREATE TABLE menus (
    id bigint PRIMARY KEY, business_id bigint NOT NULL REFERENCES businesses, name text NOT NULL, description text);
CREATE TABLE menu_items (
    id bigint PRIMARY KEY, menu_id bigint NOT NULL REFERENCES menus, name text NOT NULL, description text,
    price numeric(10,2) NOT NULL);
CREATE TABLE events (
    id bigint PRIMARY KEY, event_type_id bigint NOT NULL REFERENCES event_types, submitted_by bigint REFERENCES users,
    business_id bigint REFERENCES businesses, name text NOT NULL, slug text NOT NULL UNIQUE, description text,
    latitude double precision, longitude double precision, starts_at timestamptz NOT NULL, ends_at timestamptz,
    status text NOT NULL);
"""

# What replaces the queries of the Go service.
VIEWS = """
CREATE FUNCTION utc(moment timestamptz) RETURNS text LANGUAGE sql AS $$
    SELECT regexp_replace(to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '\\.?0+$', '') || 'Z' $$;

CREATE VIEW public_businesses AS
    SELECT b.id, b.name, b.slug, b.description, c.name AS category_name, c.slug AS category_slug, b.address,
           b.latitude, b.longitude, b.phone, b.email, b.website
    FROM businesses b JOIN business_categories c ON c.id = b.category_id;
CREATE VIEW hour_rows AS
    SELECT business_id, day_of_week, jsonb_build_object('day_of_week', day_of_week, 'open_time', open_time::text,
           'close_time', close_time::text, 'is_closed', is_closed) AS hour
    FROM business_hours;
CREATE VIEW menu_rows AS
    SELECT m.business_id, m.id, jsonb_build_object('id', m.id, 'name', m.name, 'description', m.description, 'items',
           COALESCE((SELECT jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name, 'description', i.description,
                                      'price', i.price::text) ORDER BY i.name, i.id)
                     FROM menu_items i WHERE i.menu_id = m.id), '[]')) AS menu
    FROM menus m;
CREATE VIEW all_events AS
    SELECT e.id, e.name, e.slug, e.description, t.name AS event_type_name, t.slug AS event_type_slug,
           COALESCE(e.latitude, b.latitude) AS latitude, COALESCE(e.longitude, b.longitude) AS longitude,
           e.starts_at, e.ends_at, e.status, b.name AS business_name, b.slug AS business_slug
    FROM events e JOIN event_types t ON t.id = e.event_type_id LEFT JOIN businesses b ON b.id = e.business_id;
CREATE VIEW event_answers AS
    SELECT id, slug, status,
           to_jsonb(e) || jsonb_build_object('starts_at', utc(starts_at), 'ends_at', utc(ends_at)) AS answer
    FROM all_events e;
"""

# The town arrives as one JSON document in the temporary table `town`.
LOADING = """
INSERT INTO users SELECT * FROM json_populate_recordset(NULL::users, (SELECT doc->'users' FROM town));
INSERT INTO business_categories
    SELECT * FROM json_populate_recordset(NULL::business_categories, (SELECT doc->'categories' FROM town));
INSERT INTO event_types SELECT * FROM json_populate_recordset(NULL::event_types, (SELECT doc->'event_types' FROM town));
INSERT INTO businesses
    SELECT b.id, b.owner_id, c.id, b.name, b.slug, b.description, b.phone, b.email, b.website, b.address, b.latitude,
           b.longitude
    FROM json_array_elements((SELECT doc->'businesses' FROM town)) r CROSS JOIN
         json_populate_record(NULL::businesses, r) b LEFT JOIN business_categories c ON c.slug = r->>'category';
INSERT INTO business_hours
    SELECT h.id, (r->>'id')::bigint, h.day_of_week, h.open_time, h.close_time, h.is_closed
    FROM json_array_elements((SELECT doc->'businesses' FROM town)) r CROSS JOIN
         json_populate_recordset(NULL::business_hours, r->'hours') h;
INSERT INTO menus
    SELECT m.id, (r->>'id')::bigint, m.name, m.description
    FROM json_array_elements((SELECT doc->'businesses' FROM town)) r CROSS JOIN
         json_populate_recordset(NULL::menus, r->'menus') m;
INSERT INTO menu_items
    SELECT i.id, (menu->>'id')::bigint, i.name, i.description, i.price
    FROM json_array_elements((SELECT doc->'businesses' FROM town)) r CROSS JOIN
         json_array_elements(r->'menus') menu CROSS JOIN json_populate_recordset(NULL::menu_items, menu->'items') i;
INSERT INTO events
    SELECT e.id, t.id, e.submitted_by, b.id, e.name, e.slug, e.description, e.latitude, e.longitude, e.starts_at,
           e.ends_at, e.status
    FROM json_array_elements((SELECT doc->'events' FROM town)) r CROSS JOIN
         json_populate_record(NULL::events, r) e LEFT JOIN event_types t ON t.slug = r->>'event_type'
         LEFT JOIN businesses b ON b.slug = r->>'business';
ANALYZE;
"""


class Unavailable(Exception):
    """Why Postgres cannot be had on this machine."""


class Found(NamedTuple):
    """One page of a list, and how much there is in all."""

    items: list[dict[str, Any]]
    total: int


class Reference:
    """Answers from SQL; `now` is an RFC 3339 text."""

    def __init__(self, psql: subprocess.Popen[str], now: str) -> None:
        self._psql = psql
        self._now = f"{quoted(now)}::timestamptz"

    def load(self, dataset: dict[str, Any]) -> None:
        """Creates the tables and fills them."""
        document = quoted(json.dumps(dataset, ensure_ascii=False))
        self._write(f"{SCHEMA} {VIEWS} CREATE TEMPORARY TABLE town AS SELECT {document}::json AS doc; {LOADING}")

    def version(self) -> str:
        """The Postgres and the C library that decide the order of names."""
        library = os.confstr("CS_GNU_LIBC_VERSION") or "an unknown C library"
        return f"PostgreSQL {self._ask('SELECT to_json(split_part(version(), chr(32), 2))')}, {library}, {LOCALE}"

    def zones(self) -> list[str]:
        """The time zones of the tz database."""
        return self._ask("SELECT json_agg(name ORDER BY name) FROM pg_timezone_names"
                         " WHERE name !~ '^(posix|right)/' AND name NOT IN ('localtime', 'posixrules')")

    def terms(self, table: str) -> list[dict[str, Any]]:
        """All rows of `business_categories` or `event_types`, by name."""
        return self._ask(f"SELECT jsonb_agg(to_jsonb(t) ORDER BY name, id) FROM {table} t")

    def businesses(self, search: str | None, category: str | None, zone: str, limit: int, offset: int) -> Found:
        """A page of the businesses that have a category, with the hours of the day it is in a zone."""
        today = f"EXTRACT(DOW FROM {self._now} AT TIME ZONE {quoted(zone)})"
        conditions = [name_holds(search)] + ([f"category_slug = {quoted(category)}"] if category is not None else [])
        row = f"""to_jsonb(p) || jsonb_build_object('today_hours',
            (SELECT hour FROM hour_rows h WHERE h.business_id = p.id AND h.day_of_week = {today}))"""
        return self._page("public_businesses", row, conditions, "name, id", limit, offset)

    def events(self, search: str | None, types: list[str], zone: str, limit: int, offset: int) -> Found:
        """A page of the events that are approved and not over."""
        # Unlike the Go service: without an end it is listed until the next four o'clock in the morning.
        night = f"date_trunc('day', starts_at AT TIME ZONE {quoted(zone)} - interval '4 hours') + interval '28 hours'"
        over = f"COALESCE(ends_at, ({night}) AT TIME ZONE {quoted(zone)})"
        conditions = [name_holds(search), "status = 'approved'", f"{over} >= {self._now}"]
        if types:
            conditions.append(f"event_type_slug IN ({', '.join(map(quoted, types))})")
        row = "(SELECT answer FROM event_answers a WHERE a.id = p.id)"
        return self._page("all_events", row, conditions, "starts_at, id", limit, offset)

    def business(self, slug: str) -> dict[str, Any] | None:
        """A business with its week and menus; None when the public cannot see it."""
        hours = "SELECT jsonb_agg(hour ORDER BY day_of_week) FROM hour_rows WHERE business_id = b.id"
        menus = "SELECT jsonb_agg(menu ORDER BY m.id) FROM menu_rows m WHERE business_id = b.id"
        return self._ask(f"""SELECT to_jsonb((
            SELECT to_jsonb(b) || jsonb_build_object('hours', COALESCE(({hours}), '[]'),
                                                     'menus', COALESCE(({menus}), '[]'))
            FROM public_businesses b WHERE slug = {quoted(slug)}))""")

    def event(self, slug: str) -> dict[str, Any] | None:
        """An event; None when the public cannot see it."""
        return self._ask(f"SELECT to_jsonb((SELECT answer FROM event_answers WHERE slug = {quoted(slug)}"
                         " AND status IN ('approved', 'cancelled')))")

    def _page(self, view: str, row: str, conditions: list[str], order: str, limit: int, offset: int) -> Found:
        answer = self._ask(f"""WITH found AS (SELECT * FROM {view} WHERE {' AND '.join(conditions)}),
            page AS (SELECT * FROM found ORDER BY {order} LIMIT {limit} OFFSET {offset})
            SELECT jsonb_build_object('total', (SELECT count(*) FROM found),
                'items', COALESCE((SELECT jsonb_agg({row} ORDER BY {order}) FROM page p), '[]'))""")
        return Found(answer["items"], answer["total"])

    def _ask(self, query: str) -> Any:
        """Runs a query that gives one JSON value, which psql prints on one line (an empty one for NULL)."""
        self._write(query + ";")
        assert self._psql.stdout
        line = self._psql.stdout.readline()
        if not line:
            raise RuntimeError("psql ended; its message stands above")
        return json.loads(line) if line.strip() else None

    def _write(self, sql: str) -> None:
        assert self._psql.stdin
        self._psql.stdin.write(sql + "\n")
        self._psql.stdin.flush()


def quoted(text: str) -> str:
    """An SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def name_holds(search: str | None) -> str:
    """The condition that a name holds a text ignoring case, every character standing for itself."""
    if search is None:
        return "true"
    for special in "\\%_":
        search = search.replace(special, "\\" + special)
    return f"name ILIKE {quoted('%' + search + '%')}"


@contextlib.contextmanager
def postgres(now: str) -> Iterator[Reference]:
    """A private Postgres that answers as the Go service; raises Unavailable when it cannot be had."""
    with private_server() as (folder, environment), session(folder, environment) as psql:
        yield Reference(psql, now)


@contextlib.contextmanager
def private_server(durable: bool = False) -> Iterator[tuple[Path, dict[str, str]]]:
    """A Postgres of our own under a temporary folder, gone afterwards; raises Unavailable when it cannot be had.

    Gives the folder of its socket, whose user and superuser is `town`, and the environment for its clients. Only a durable
    one waits for the disk.
    """
    fsync = "" if durable else " -c fsync=off"
    programs = program_folder()
    folder = Path(tempfile.mkdtemp(prefix="sooke-reference-"))
    user = unprivileged_user()
    try:
        if user:
            os.chown(folder, user.pw_uid, user.pw_gid)
        environment = {**os.environ, "LC_ALL": LOCALE, "PGTZ": "UTC", **private_locale(folder)}
        run([programs / "initdb", "-D", folder / "data", f"--locale={LOCALE}", "--encoding=UTF8", "--auth=trust",
             "--username=town", "--no-sync"], user, environment)
        run([programs / "pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log", "-o",
             f"-k {folder} -c listen_addresses=''{fsync}", "start"], user, environment)
        try:
            yield folder, environment
        finally:
            with contextlib.suppress(Unavailable):  # it was there; that it will not go is no reason to skip anything
                run([programs / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop"], user, environment)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def session(folder: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """One psql that reads statements and prints bare values."""
    command = ["psql", "-h", str(folder), "-U", "town", "-d", "postgres", "-XqAt", "-v", "ON_ERROR_STOP=1"]
    psql = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                            env={**environment, "PGCLIENTENCODING": "UTF8"})
    try:
        yield psql
    finally:
        psql.kill()
        psql.wait()


def run(command: Iterable[str | Path], user: pwd.struct_passwd | None, environment: dict[str, str]) -> None:
    words = [str(word) for word in command]
    identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
    result = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, env=environment, cwd="/", **identity)
    if result.returncode:
        raise Unavailable(f"{words[0]} left with {result.returncode}: {result.stdout.strip()[-500:]}")


def program_folder() -> Path:
    """Where initdb is: Debian keeps a folder for each version, others put it on the path."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    found = versions[-1] if versions else shutil.which("initdb")
    if not found or not shutil.which("psql"):
        raise Unavailable(f"there is no initdb or psql here; {HELP}")
    return Path(found).parent


def unprivileged_user() -> pwd.struct_passwd | None:
    """Whom Postgres runs as, since it refuses root; None for the present user."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise Unavailable("root cannot run Postgres and there is no user postgres or nobody")


def private_locale(folder: Path) -> dict[str, str]:
    """The environment that makes en_US.UTF-8 known: none where the system has it, else a copy made for this run."""
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
    if "en_US.utf8" in known or LOCALE in known:
        return {}
    made = subprocess.run(["localedef", "-i", "en_US", "-f", "UTF-8", str(folder / LOCALE)], capture_output=True)
    if made.returncode:
        raise Unavailable(f"the locale {LOCALE} is missing and cannot be made; {HELP}")
    return {"LOCPATH": str(folder)}
