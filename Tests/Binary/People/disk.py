"""A full disk: changes are refused, reads go on, nothing half-done stays, and changes go on when there is room."""

import os
import subprocess
import threading
import time
from pathlib import Path

from checks import Row, Skip
from town import ADMIN, OWNER, RESIDENT, Town, business, event, good, mount_tmpfs, peopled
from harness import Answer

SIZE = 8 << 20


class Reader(threading.Thread):
    """Reads as strangers do for as long as it is told to, and remembers what was not 200."""

    def __init__(self, town: Town) -> None:
        super().__init__(daemon=True)
        self.count, self.faults = 0, []
        self._town, self._end = town, threading.Event()

    def run(self) -> None:
        while not self._end.wait(0.005):
            for path in ("/businesses", "/businesses/slack-tide", "/events", "/categories"):
                answer = self._town.ask("GET", path)
                self.count += 1
                if answer.status != 200:
                    self.faults.append(f"{path}: {answer.status}")

    def go_on(self, count: int) -> None:
        """Waits until it has read so much more, or ten seconds."""
        enough, end = self.count + count, time.monotonic() + 10
        while self.count < enough and time.monotonic() < end:
            time.sleep(0.005)

    def stop(self) -> None:
        self._end.set()
        self.join()


def fill(filler: Path) -> None:
    """Takes all the room there is."""
    with filler.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass


def round_trip(
    row: Row, town: Town, sessions: dict[str, str], disk: Path, reader: Reader, number: int
) -> tuple[float, list[str]]:
    """Fills the disk, tries all kinds of changes, makes room; seconds until the first change, and what was added."""
    filler = disk / "filler"
    fill(filler)
    added = []
    refused = 0
    for attempt in range(500):  # the log has room of its own, which comes first
        name = f"Stall {number}-{attempt}"
        # What is long is refused first; in the end there is no room for the shortest change.
        answer = (town.local("POST", "/businesses", business(name, description="x" * 4000)) if refused < 5 else
                  town.local("POST", "/categories", {"name": f"c{number}-{attempt}"}))
        if answer.status == 201:
            added += [name] if refused < 5 else []
            continue
        refused += 1
        row.answered(answer, 507, "a change on a full disk")
        row.check(int(answer.headers.get("Retry-After", "0")) > 0, "507 says when to come again", answer.headers)
        fill(filler)
        if refused == 10:
            break
    row.check(refused == 10, "the disk is full", f"{len(added)} were added")
    key = {"Idempotency-Key": f"full {number}"}
    before = good(town.ask("GET", "/businesses/slack-tide")).body
    changes: list[tuple[str, Answer]] = [
        ("PATCH", town.ask("PATCH", "/businesses/slack-tide", {"phone": "250"}, sessions[OWNER])),
        ("a menu", town.ask("POST", "/businesses/slack-tide/menus", {"name": "Lunch"}, sessions[OWNER])),
        ("an event", town.ask("POST", "/events", event("Full Night"), sessions[RESIDENT], key)),
        ("a login", town.log_in(RESIDENT)),
        ("an invitation", town.ask("POST", "/invitations", {"email": "x@town.example"}, sessions[ADMIN])),
        ("logging out", town.ask("DELETE", "/session", token=sessions[RESIDENT])),
    ]
    for what, answer in changes:
        row.answered(answer, 507, f"{what} on a full disk")
        row.check(int(answer.headers.get("Retry-After", "0")) > 0, f"{what}: 507 says when", answer.headers)
    row.check(town.ask("GET", "/health").json()["status"] == "degraded", "health reports it")
    row.check(town.ask("GET", "/businesses/slack-tide").body == before, "nothing has changed for readers")
    row.answered(town.ask("GET", "/events/full-night", token=sessions[ADMIN]), 404, "an event that was refused")
    row.answered(town.ask("GET", "/me", token=sessions[RESIDENT]), 200, "a session that could not be ended")
    reader.go_on(20)
    filler.unlink()
    began = time.monotonic()
    while True:
        answer = town.ask("POST", "/events", event("Full Night"), sessions[RESIDENT], key)
        if answer.status != 507 or time.monotonic() > began + 10:
            break
        time.sleep(0.02)
    waited = time.monotonic() - began
    row.answered(answer, 201, "the same request when there is room")
    row.check(waited < 2, "changes go on by themselves", f"after {waited:.1f} s")
    row.check(town.ask("GET", "/health").json()["status"] == "ok", "health reports that it is over")
    good(town.ask("DELETE", f"/events/{answer.json()['slug']}", token=sessions[RESIDENT]), 204)
    return waited, added


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A few rounds on a disk of 8 MB, then a restart."""
    if os.geteuid() != 0:
        raise Skip("only root may mount a disk")
    row = Row("a full disk")
    disk = folder / "disk"
    mount_tmpfs(disk, SIZE)
    town = None
    try:
        town, sessions = peopled(binary, disk / "data")
        reader = Reader(town)
        reader.start()
        results = [round_trip(row, town, sessions, disk, reader, number) for number in range(1 if short else 3)]
        reader.stop()
        row.check(not reader.faults and reader.count >= 20, "reads go on", reader.faults[:3])
        town.restart()
        added = {name for _, names in results for name in names}
        there = {record["name"] for record in town.export()["businesses"]} - {"Slack Tide"}
        row.check(there == added, "after a restart there is what was answered, and nothing else", there ^ added)
        row.check(not town.export()["events"], "no event is left behind", town.export()["events"])
        row.check(town.stop() == 0, "the server stops")
        row.check(town.sooke("verify").returncode == 0, "all is sound")
        slowest = max(waited for waited, _ in results)
        row.figures = f"{reader.count:,} reads meanwhile; changes go on after {slowest * 1000:.0f} ms of room"
    finally:
        Town.stop_all()
        subprocess.run(["umount", "-l", str(disk)], capture_output=True)
    return [row]
