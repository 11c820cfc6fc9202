"""What the checks share: imports that are remembered, a store to break, and how it starts afterwards."""

import http.client
import json
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checks import Row
from harness import Answer, Server, send

CATEGORIES = b'{"categories": [{"id": 1, "name": "Retail", "slug": "retail"}]}'
# How a command ends.
BAD_DATA, UNAVAILABLE, DISPLACED, LOCKED, IO_ERROR, NOT_PERMITTED = 65, 69, 72, 73, 74, 77


@dataclass
class File:
    """An import and what came of it: True answered with 2xx, False refused, None not known."""

    name: str
    rows: int
    answered: bool | None = None

    @property
    def body(self) -> bytes:
        return b"".join(json.dumps({"business": self.row(number)}).encode() + b"\n" for number in range(self.rows))

    def row(self, number: int) -> dict[str, Any]:
        return {"name": f"{self.name} {number}", "slug": f"{self.name}-{number}", "category": "retail",
                "description": self.name, "address": f"{number} of {self.rows}", "latitude": 48.37, "longitude": -123.7}


@dataclass
class Ledger:
    """All imports and single businesses that were sent to a store."""

    name: str = "base"
    files: list[File] = field(default_factory=list)

    def send(self, server: Server, rows: int = 3) -> Answer | None:
        """Imports a new file; None when no answer comes."""
        file = File(f"{self.name}-{len(self.files)}", rows)
        return self.write(server, file, "/api/v1/admin/import?format=ndjson", file.body)

    def create(self, server: Server) -> Answer | None:
        """Creates one business, which waits for no other client; None when no answer comes."""
        file = File(f"{self.name}-{len(self.files)}", 1)
        return self.write(server, file, "/api/v1/businesses", json.dumps(file.row(0)).encode())

    def write(self, server: Server, file: File, path: str, body: bytes) -> Answer | None:
        self.files.append(file)
        try:
            answer = server.ask("POST", path, body)
        except (OSError, http.client.HTTPException):
            return None
        file.answered = 200 <= answer.status < 300
        return answer

    def must_send(self, server: Server, wrong: list[str], when: str) -> None:
        """Imports a new file, and takes note when it is not taken."""
        answer = self.send(server)
        if answer is None or answer.status != 200:
            wrong.append(f"an import {when} got {answer and answer.status}: {answer and answer.body[:200]!r}")

    def answered(self) -> int:
        return sum(file.answered is True for file in self.files)

    def copy(self) -> "Ledger":
        return Ledger(self.name, list(self.files))

    def compare(self, url: str) -> tuple[list[str], list[str]]:
        """Reads all rows back; what is lost, and what is there but must not be."""
        there: dict[str, int] = {}
        for row in businesses(url):
            there[row["description"]] = there.get(row["description"], 0) + 1
        lost, wrong = [], []
        for file in self.files:
            found = there.pop(file.name, 0)
            if file.answered and found < file.rows:
                lost.append(f"{file.name} was answered, {found} of {file.rows} rows are there")
            elif found not in (0, file.rows):
                wrong.append(f"{file.name} is half there: {found} of {file.rows} rows")
            elif found and file.answered is False:
                wrong.append(f"{file.name} was refused and is there")
        return lost, wrong + [f"{name} was never sent" for name in there]


def businesses(url: str) -> Iterator[dict[str, Any]]:
    """Every business that a server lists."""
    page, pages = 1, 1
    while page <= pages:
        answer = send(url, f"/api/v1/businesses?per_page=100&page={page}").json()
        yield from answer["items"]
        page, pages = page + 1, answer["pagination"]["total_pages"]


def count_businesses(url: str) -> int:
    """How many businesses a server has."""
    return send(url, "/api/v1/businesses?per_page=1").json()["pagination"]["total_items"]


def make_store(binary: Path, data: Path) -> Ledger:
    """A small store with two snapshots, a few segments and a clean end."""
    ledger = Ledger()
    server = Server(binary, data).ready()
    try:
        server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
        for _ in range(2):
            ledger.send(server)
            server.ask("POST", "/api/v1/admin/snapshot")
        ledger.send(server)
    finally:
        status = server.stop()
    if status != 0 or ledger.answered() != 3:
        raise RuntimeError(f"no store could be made (status {status}): {server.said}")
    return ledger


def unpack_earlier_store(folder: Path) -> tuple[Path, list[File]]:
    """What `make_store` makes with a binary of disk format 3."""
    with tarfile.open(Path(__file__).with_name("format-3.tar.gz")) as archive:
        archive.extractall(folder, filter="data")
    return folder / "format-3", [File(f"base-{number}", 3, True) for number in range(3)]


def check_restart(row: Row, name: str, binary: Path, data: Path, ledger: Ledger, wrong: list[str]) -> None:
    """Starts the store as usual, compares, imports once more, and counts the case."""
    server = Server(binary, data)
    lost: list[str] = []
    try:
        server.ready()
        lost, more = ledger.compare(server.url)
        wrong = wrong + more
        ledger.must_send(server, wrong, "afterwards")
    except (RuntimeError, OSError, ValueError) as error:
        lost = [f"everything: {error}"]
    finally:
        server.kill()
    row.case(name, lost, wrong)


# Folders

def contents(data: Path) -> dict[str, bytes]:
    """All files of a folder and their bytes; not the socket."""
    return {str(path.relative_to(data)): path.read_bytes() for path in sorted(data.rglob("*")) if path.is_file()}


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """The names of files that are new, gone or different."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def copy(data: Path, to: Path) -> Path:
    """A copy of a data folder, in place of what is there."""
    shutil.rmtree(to, ignore_errors=True)
    return Path(shutil.copytree(data, to, ignore=shutil.ignore_patterns("admin.sock")))
