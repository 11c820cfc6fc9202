"""Kills the server with SIGKILL again and again while imports run: nothing answered is lost, nothing there by half.

Each round starts the server on the same data folder, lets several clients import small NDJSON files through its
administration socket, kills it at a random moment, starts it again without any manual step, and reads back every row.
The rows of one file belong together: each carries the version of its file. After a kill, every file must stand in one
version as a whole: the last that was answered, or the one that was on its way.
"""

import http.client
import json
import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checks import Row
from harness import LocalConnection, Server, load, send

LONGEST_ROUND = 0.3  # seconds of load before the kill
CLIENTS, FILES_OF_A_CLIENT = 4, 30


@dataclass
class File:
    """One import file as it was sent again and again: its rows always have the same version."""

    name: str
    rows: int
    answered: int = 0
    sent: int = 0

    def row(self, number: int, version: int) -> dict[str, Any]:
        return {"name": f"{self.name} row {number}", "slug": f"{self.name}-{number}", "category": "retail",
                "description": f"version {version}", "address": f"{number} of {self.rows}",
                "latitude": 48 + number / 1000, "longitude": -123.7}

    def next(self) -> bytes:
        """The file's content in the next version, one business a line."""
        self.sent += 1
        rows = ({"business": self.row(number, self.sent)} for number in range(self.rows))
        return "".join(json.dumps(row) + "\n" for row in rows).encode()


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
                body = file.next()
                started.set()
                connection.request("POST", "/api/v1/admin/import?format=ndjson", body,
                                   {"Content-Type": "application/x-ndjson"})
                answer = connection.getresponse()
                if 200 <= answer.status < 300:
                    file.answered = file.sent  # the head of a good answer is the promise
                    answer.read()
                elif b'"import_running"' in (refusal := answer.read()):
                    connection.close()  # as the server does, which did not read the file
                    time.sleep(self.dice.uniform(0, 0.01))
                else:
                    self.faults.append(f"{answer.status} {refusal[:300]!r}")
                    return
        except (OSError, http.client.HTTPException) as error:
            if not ending.is_set():
                self.faults.append(repr(error))
        finally:
            started.set()
            connection.close()


class Rounds:
    """All rounds on one data folder; each ends with the server killed."""

    def __init__(self, binary: Path, folder: Path, seed: int, row: Row) -> None:
        self.binary, self.data, self.row = binary, folder / "data", row
        self.dice = random.Random(seed)
        self.clients = [Client(number, random.Random(f"{seed} {number}")) for number in range(CLIENTS)]
        categories = folder / "categories.json"
        categories.write_text('{"categories": [{"id": 1, "name": "Retail", "slug": "retail"}]}')
        load(binary, self.data, categories)

    def run(self, rounds: int) -> None:
        answered = 0
        for number in range(1, rounds + 1):
            self.kill_under_load()
            self.check_after_restart(f"round {number}")
            answered = sum(file.answered for client in self.clients for file in client.files)
            self.row.figures = f"{answered} imports answered"
        self.row.check(answered >= rounds // 2, "enough imports were answered to prove something")

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

    def check_after_restart(self, when: str) -> None:
        """Starts the server, compares every file with what is there, and kills the server again."""
        server = Server(self.binary, self.data).ready()
        there, page, pages = {}, 1, 1
        while page <= pages:
            answer = send(server.url, f"/api/v1/businesses?per_page=100&page={page}").json()
            there |= {row["slug"]: row for row in answer["items"]}
            page, pages = page + 1, answer["pagination"]["total_pages"]
        server.kill()
        for file in [file for client in self.clients for file in client.files]:
            rows = [there.pop(f"{file.name}-{number}", None) for number in range(file.rows)]
            versions = {int(row["description"].removeprefix("version ")) if row else 0 for row in rows}
            self.row.check(len(versions) == 1, f"{when}: {file.name} is there as a whole", versions)
            version = max(versions)
            self.row.check(file.answered <= min(versions), f"{when}: {file.name} is as new as what was answered",
                           f"version {min(versions)} instead of {file.answered}")
            want = [file.row(number, version) if version else None for number in range(file.rows)]
            same = version <= file.sent and all(
                row is got or row and got and row.items() <= {**got, "category": got["category_slug"]}.items()
                for row, got in zip(want, rows))
            self.row.check(same or len(versions) > 1, f"{when}: {file.name} has the rows that were sent", rows[:1])
            file.answered, file.sent = min(versions), version  # what is there counts from now on
        self.row.check(not there, f"{when}: there is nothing that was never sent", list(there)[:3])


def check(binary: Path, folder: Path, short: bool) -> list[Row]:
    row, seed = Row("kill -9 during imports"), random.randrange(10**6)
    print(f"seed {seed}", flush=True)
    Rounds(binary, folder, seed, row).run(20 if short else 100)
    return [row]
