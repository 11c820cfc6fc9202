"""Snapshots of a large town while its owner imports."""

import http.client
import json
import statistics
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from checks import Row
from harness import Answer, LocalConnection, Server
from rig import CATEGORIES, count_businesses

ROUNDS = 7  # of each kind, in turn: a disk of a shared machine has good and bad moments
COMMITS_OF_A_ROUND = 400
MOST_TIMES_SLOWER = 2.0


def snapshot(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Imports of one row are timed while nothing else happens and while snapshots of a large town are written.

    The 99th percentile may at most double. It is that of a round, and of all rounds the one in the middle. A small town
    only shows that the rig works: its snapshots are over before the figures mean anything.
    """
    businesses, rounds, commits = (2_000, 1, 100) if short else (100_000, ROUNDS, COMMITS_OF_A_ROUND)
    row = Row(f"snapshots of {businesses:,} businesses under load")
    server = Server(binary, folder / "data").ready()
    wrong: list[str] = []
    try:
        server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
        began = time.monotonic()
        answer = server.ask("POST", "/api/v1/admin/import?format=ndjson", town(businesses), timeout=300)
        if answer.status != 200:
            raise RuntimeError(f"the town cannot be imported: {answer.status} {answer.body[:300]!r}")
        took = time.monotonic() - began
        measure = Measure(server)
        measure.alone(commits)  # to warm up
        measure.times_alone.clear()
        row.total = rounds * commits
        for number in range(rounds):
            row.tell(number * commits)
            measure.alone(commits)
            measure.while_snapshots_are_written(commits)
        wrong += measure.faults
        if server.stop(timeout=60) != 0:
            wrong.append(f"it did not end well: {server.said}")
    finally:
        server.kill()
    after = Server(binary, folder / "data").ready(timeout=60)
    try:
        there = count_businesses(after.url)
    finally:
        after.kill()
    missing = businesses + measure.commits - there
    lost = [f"{missing} of {businesses + measure.commits} businesses are not there"] if missing else []
    ratio = measure.ratio()
    if ratio > MOST_TIMES_SLOWER and not short:
        wrong.append(f"the p99 is {ratio:.2f} times as long while a snapshot is written")
    row.case("imports", lost, wrong, cases=sum(map(len, measure.times_beside)))
    row.figures = f"ratio {ratio:.2f}: {measure}; the town was imported in {took:.1f} s"
    return [row]


def town(businesses: int) -> bytes:
    """So many businesses, one a line, each with what most have."""
    return b"".join(line(f"business-{number}", number) for number in range(businesses))


def line(slug: str, number: int) -> bytes:
    row = {"name": f"Business {number}", "slug": slug, "category": "retail",
           "description": f"Number {number} of a town far larger than Sooke, with a line or two about what it sells.",
           "address": f"{number} Sooke Rd", "latitude": 48.3 + number % 1000 / 10_000, "longitude": -123.7,
           "phone": f"250-555-{number % 10_000:04}", "email": f"owner@{slug}.example"}
    return json.dumps({"business": row}).encode() + b"\n"


def p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


@dataclass
class Measure:
    """The times of commits, in seconds, a list for each round, and of the snapshots meanwhile."""

    server: Server
    times_alone: list[list[float]] = field(default_factory=list)
    times_beside: list[list[float]] = field(default_factory=list)
    snapshots: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    commits: int = 0

    def __post_init__(self) -> None:
        self.connection = LocalConnection(self.server.data / "admin.sock")

    def alone(self, commits: int) -> None:
        """One round without snapshots."""
        self.times_alone.append([self.commit() for _ in range(commits)])

    def while_snapshots_are_written(self, commits: int) -> None:
        """One round with a snapshot always under way; what is committed between two of them does not count."""
        end, under_way = threading.Event(), threading.Event()

        def work() -> None:
            while not end.is_set():
                began = time.monotonic()
                under_way.set()
                try:
                    answer: Answer = self.server.ask("POST", "/api/v1/admin/snapshot", timeout=120)
                    if answer.status != 200:
                        self.faults.append(f"a snapshot got {answer.status}: {answer.body[:200]!r}")
                except (OSError, http.client.HTTPException) as error:
                    self.faults.append(f"a snapshot got no answer: {error!r}")
                    return
                finally:
                    under_way.clear()
                self.snapshots.append(time.monotonic() - began)
                end.wait(0.005)  # a commit gets between, so that there is something new to write

        thread = threading.Thread(target=work)
        thread.start()
        times: list[float] = []
        try:
            while len(times) < commits and thread.is_alive():
                counts = under_way.is_set()
                took = self.commit()
                if counts:
                    times.append(took)
        finally:
            end.set()
            thread.join()
        self.times_beside.append(times)

    def commit(self) -> float:
        """Imports one row that is new; how long the answer took."""
        self.commits += 1
        body = line(f"new-{self.commits}", self.commits)
        began = time.monotonic()
        self.connection.request("POST", "/api/v1/admin/import?format=ndjson", body)
        answer = self.connection.getresponse()
        said = answer.read()
        took = time.monotonic() - began
        if answer.status != 200:
            self.faults.append(f"an import got {answer.status}: {said[:200]!r}")
        return took

    def medians(self) -> tuple[float, float]:
        """The p99 without and with snapshots: of each round, and of those the one in the middle."""
        alone, beside = ([p99(times) for times in rounds if times] for rounds in (self.times_alone, self.times_beside))
        return statistics.median(alone), statistics.median(beside)

    def ratio(self) -> float:
        alone, beside = self.medians()
        return beside / alone

    def __str__(self) -> str:
        alone, beside = (1000 * seconds for seconds in self.medians())
        counts = [sum(map(len, rounds)) for rounds in (self.times_alone, self.times_beside)]
        return (f"commit p99 {alone:.1f} ms alone ({counts[0]} commits), {beside:.1f} ms while one is written "
                f"({counts[1]}), median of {len(self.times_alone)} rounds; "
                f"{len(self.snapshots)} snapshots of {statistics.median(self.snapshots):.2f} s")
