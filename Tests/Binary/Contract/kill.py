"""Kills the server with SIGKILL again and again while imports run, and checks that nothing answered is ever lost.

Each round starts the server on the same data folder, lets several clients import small NDJSON files through its
administration socket, kills it at a random moment, starts it again without any manual step, and reads back every row.
The rows of one file belong together: each carries the version of its file. After a kill, every file must stand in one
version as a whole: the last that was answered, or the one that was on its way. Some rounds kill the server while it
starts, others kill `sooke import` on a stopped store.
"""

import http.client
import json
import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checks import Row
from harness import LocalConnection, Server, load, send

LONGEST_ROUND = 0.3  # seconds of load before the kill
FILES_OF_A_CLIENT = 30
CLIENTS = 4


@dataclass
class File:
    """One import file as it was sent again and again: its rows always have the same version."""

    name: str
    rows: int
    answered: int = 0
    sent: int = 0

    def lines(self, version: int) -> bytes:
        """The file's content in a version, one business a line."""
        rows = ({"business": self.row(number, version)} for number in range(self.rows))
        return "".join(json.dumps(row) + "\n" for row in rows).encode()

    def row(self, number: int, version: int) -> dict[str, Any]:
        return {"name": f"{self.name} row {number}", "slug": f"{self.name}-{number}", "category": "retail",
                "description": f"version {version}", "address": f"{number} of {self.rows}",
                "latitude": 48 + number / 1000, "longitude": -123.7}


@dataclass
class Client:
    """Imports its own files, one at a time, and remembers what was answered."""

    number: int
    dice: random.Random
    files: list[File] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def next_file(self) -> File:
        """A new file, or one that was imported before."""
        if not self.files or (len(self.files) < FILES_OF_A_CLIENT and self.dice.randrange(4) == 0):
            rows = self.dice.choice([1, self.dice.randint(1, 20), self.dice.randint(1, 200)])
            self.files.append(File(f"k-{self.number}-{len(self.files)}", rows))
        return self.dice.choice([self.files[-1], self.dice.choice(self.files)])

    def work(self, admin: Path, started: threading.Event, ending: threading.Event) -> None:
        """Imports until the server is gone; that it goes or refuses before `ending` is a fault."""
        connection = LocalConnection(admin)
        try:
            while True:
                file = self.next_file()
                file.sent += 1
                body = file.lines(file.sent)
                started.set()
                connection.request("POST", "/api/v1/admin/import?format=ndjson", body,
                                   {"Content-Type": "application/x-ndjson"})
                answer = connection.getresponse()
                if 200 <= answer.status < 300:
                    file.answered = file.sent  # the head of a good answer is the promise
                    answer.read()
                    continue
                refusal = answer.read()
                if b'"import_running"' not in refusal:
                    self.faults.append(f"{answer.status} {refusal[:300]!r}")
                    return
                connection.close()  # as the server does, which did not read the file; the next request opens another
                time.sleep(self.dice.uniform(0, 0.01))
        except (OSError, http.client.HTTPException) as error:
            if not ending.is_set():
                self.faults.append(repr(error))
        finally:
            started.set()
            connection.close()


class Rounds:
    """All rounds on one data folder."""

    def __init__(self, binary: Path, folder: Path, seed: int, row: Row) -> None:
        self.binary, self.folder, self.data, self.row = binary, folder, folder / "data", row
        self.dice = random.Random(seed)
        self.clients = [Client(number, random.Random(f"{seed} {number}")) for number in range(CLIENTS)]
        categories = folder / "categories.json"
        categories.write_text('{"categories": [{"id": 1, "name": "Retail", "slug": "retail"}]}')
        load(binary, self.data, categories)

    def run(self, rounds: int) -> None:
        """Runs the rounds; each ends with the server killed."""
        for number in range(1, rounds + 1):
            kind = self.dice.choice([self.kill_under_load] * 4 + [self.kill_while_starting, self.kill_import])
            kind()
            self.check_after_restart(f"round {number} ({kind.__name__})")
        self.row.check(self.answered() >= rounds // 2, "enough imports were answered to prove something")

    def files(self) -> list[File]:
        return [file for client in self.clients for file in client.files]

    def answered(self) -> int:
        """How many imports were answered so far."""
        return sum(file.answered for file in self.files())

    # Ways to kill

    def kill_under_load(self) -> None:
        server = Server(self.binary, self.data).ready()
        started, ending = threading.Event(), threading.Event()
        threads = [threading.Thread(target=client.work, args=(self.data / "admin.sock", started, ending))
                   for client in self.clients]
        for thread in threads:
            thread.start()
        started.wait()
        time.sleep(self.dice.uniform(0, LONGEST_ROUND))
        ending.set()
        server.kill()
        for thread in threads:
            thread.join()
        for client in self.clients:
            self.row.check(not client.faults, "the server takes every import", client.faults[:1])
            client.faults.clear()

    def kill_while_starting(self) -> None:
        """Kills while the store is read and written afresh, a few times in a row."""
        for _ in range(3):
            server = Server(self.binary, self.data)
            time.sleep(self.dice.uniform(0, 0.06))
            server.kill()

    def kill_import(self) -> None:
        """Kills the command that imports into a store that nobody serves."""
        file = self.dice.choice(self.clients).next_file()
        path = self.folder / "import.ndjson"
        file.sent += 1
        path.write_bytes(file.lines(file.sent))
        command = subprocess.Popen([self.binary, "import", "--data", self.data, path], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(self.dice.uniform(0, 0.06))
        command.kill()
        said = command.communicate()[1]
        killed = command.returncode == -signal.SIGKILL
        self.row.check(killed or command.returncode == 0, "the command imports into a store that nobody serves", said)
        if command.returncode == 0:
            file.answered = file.sent

    # What must hold

    def check_after_restart(self, when: str) -> None:
        """Starts the server, compares every file with what is there, and kills the server again."""
        server = Server(self.binary, self.data).ready()
        try:
            there = {row["slug"]: row for row in self.rows(server.url)}
        finally:
            server.kill()
        self.row.check(True, f"{when}: the server serves again")
        for file in self.files():
            self.check_file(file, [there.pop(f"{file.name}-{number}", None) for number in range(file.rows)], when)
        self.row.check(not there, f"{when}: there is nothing that was never sent", list(there)[:3])

    def check_file(self, file: File, rows: list[dict[str, Any] | None], when: str) -> None:
        """The file must be there as a whole, not older than what was answered; what is there counts from now on."""
        versions = {version_of(row) for row in rows}
        whole = len(versions) == 1
        self.row.check(whole, f"{when}: {file.name} is there as a whole", f"versions {sorted(versions)}")
        oldest, newest = min(versions), max(versions)
        self.row.check(file.answered <= oldest, f"{when}: {file.name} is as new as what was answered",
                         f"version {oldest} instead of {file.answered}")
        expected = [file.row(number, newest) if newest else None for number in range(file.rows)]
        same = newest <= file.sent and all(agree(*pair) for pair in zip(expected, rows))
        self.row.check(same or not whole, f"{when}: {file.name} has the rows that were sent")
        file.answered, file.sent = oldest, newest

    @staticmethod
    def rows(url: str) -> Iterator[dict[str, Any]]:
        """Every business that the server lists."""
        page, pages = 1, 1
        while page <= pages:
            answer = send(url, f"/api/v1/businesses?per_page=100&page={page}").json()
            yield from answer["items"]
            page, pages = page + 1, answer["pagination"]["total_pages"]


def version_of(row: dict[str, Any] | None) -> int:
    """The version that a row carries; 0 when it is not there."""
    return int(row["description"].removeprefix("version ")) if row else 0


def agree(want: dict[str, Any] | None, got: dict[str, Any] | None) -> bool:
    """Whether a row is what was sent."""
    if want is None or got is None:
        return want is got
    return all(got.get("category_slug" if key == "category" else key) == value for key, value in want.items())


def check(binary: Path, folder: Path, short: bool) -> list[Row]:
    row, seed = Row("kill -9 during imports"), random.randrange(10**6)
    rounds = Rounds(binary, folder, seed, row)
    try:
        rounds.run(20 if short else 100)
    finally:
        row.figures = f"seed {seed}, {rounds.answered()} imports answered in {len(rounds.files())} files"
    return [row]
