"""Databases of a private Postgres, for the programs of this folder."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from checks import Row

HERE = Path(__file__).resolve().parent
# What an export writes rows into.
TABLES = ("user_roles", "users", "business_categories", "event_types", "businesses", "business_hours", "menus",
          "menu_items", "events")
Place = tuple[Path, dict[str, str]]  # the folder of a Postgres' socket, and the environment of its clients


# What is compared; roles by name, since their IDs are the database's own.
ROWS = {
    "users": "SELECT u.id, clerk_id, r.name, email, display_name, u.created_at, u.updated_at FROM users u "
             "JOIN user_roles r ON r.id = role_id ORDER BY 1",
    **{table: f"SELECT * FROM {table} ORDER BY 1, 2" for table in (
        "business_categories", "event_types", "businesses", "business_hours", "menus", "menu_items", "events",
        "sooke_documents", "sooke_position")},
}
BETWEEN = "---- the next table"


@dataclass
class Case:
    """What a check works with: a folder, an awkward town in it, Postgres, and the row for the closing table."""

    binary: Path
    folder: Path
    data: Path
    place: Place
    row: Row
    short: bool


class Database:
    """A new database of its own."""

    def __init__(self, socket: Path, environment: dict[str, str], name: str, tables: bool = False) -> None:
        """Creates it, with the empty tables of the Go service if they are wanted."""
        self.environment = {**environment, "PGHOST": str(socket), "PGUSER": "town", "PGDATABASE": name}
        self.run("createdb", "-T", "template0", "-E", "UTF8", name)
        if tables:
            text = (HERE / "tables.sql").read_text(encoding="utf-8").split("INSERT INTO", 1)[0]
            self.must(text)

    @classmethod
    def existing(cls, environment: dict[str, str], name: str) -> "Database":
        """One that is there, as its superuser."""
        database = cls.__new__(cls)
        database.environment = {**environment, "PGUSER": "town", "PGDATABASE": name}
        return database

    def run(self, *command: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(command, env=self.environment, input=given, capture_output=True)

    def psql(self, script: bytes) -> subprocess.CompletedProcess[bytes]:
        """Runs a script as data/README.md does, from standard input."""
        return self.run("psql", "-Xq", given=script)

    def must(self, script: str) -> str:
        """What statements print, as bare values; raises RuntimeError when one fails."""
        done = self.run("psql", "-XAtq", "-v", "ON_ERROR_STOP=1",
                        given=b"SET client_encoding = 'UTF8';\n" + script.encode())
        if done.returncode:
            raise RuntimeError(f"psql left with {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode().rstrip("\n")

    def rows(self) -> dict[str, list[str]]:
        """The lines of each table."""
        text = self.must(f";\n\\echo {BETWEEN}\n".join(ROWS.values()) + ";")
        return dict(zip(ROWS, [part.split("\n") for part in (text + "\n").split(f"{BETWEEN}\n")], strict=True))

    def dump(self, *options: str) -> bytes:
        done = self.run("pg_dump", "--encoding=UTF8", *options)
        if done.returncode:
            raise RuntimeError(f"pg_dump left with {done.returncode}: {done.stderr.decode()}")
        return done.stdout

    def contents(self) -> bytes:
        """Everything in the database, to compare; the keys that newer releases of pg_dump write differ each time."""
        lines = self.dump().split(b"\n")
        return b"\n".join(line for line in lines if not line.startswith((b"\\restrict", b"\\unrestrict")))
