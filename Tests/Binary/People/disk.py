"""A full disk: changes are refused, reads go on, nothing half-done stays, and changes go on when there is room."""

import os
import subprocess
import threading
import time
from pathlib import Path

from checks import Row, Skip
from town import ADMIN, OWNER, RESIDENT, Town, business, event, good, mount_tmpfs, peopled

SIZE = 8 << 20


class Reader(threading.Thread):
    """Reads as strangers do until it is told to end, and remembers what was not 200."""

    def __init__(self, town: Town) -> None:
        super().__init__(daemon=True)
        self.town, self.statuses, self.end = town, [], threading.Event()

    def run(self) -> None:
        while not self.end.wait(0.005):
            self.statuses += [self.town.ask("GET", path).status for path in ("/businesses", "/events", "/categories")]


def fill(filler: Path) -> None:
    """Takes all the room there is."""
    with filler.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass


def add_until_full(row: Row, town: Town, filler: Path) -> set[str]:
    """Adds until nothing can be: what is long is refused first, in the end the shortest change; what was added."""
    added, refused = set(), 0
    for attempt in range(500):  # the log has room of its own, which comes first
        fill(filler)
        name = f"Stall {attempt}"
        answer = (town.local("POST", "/businesses", business(name, description="x" * 4000)) if refused < 5 else
                  town.local("POST", "/categories", {"name": f"c{attempt}"}))
        if answer.status == 201:
            added |= {name} if refused < 5 else set()
            continue
        refused += 1
        row.answered(answer, 507, "a change on a full disk")
        if refused == 10:
            break
    row.check(refused == 10, "the disk is full", f"{len(added)} were added")
    return added


def refused(row: Row, town: Town, sessions: dict[str, str], key: dict[str, str]) -> None:
    """All kinds of changes, of which nothing stays."""
    before = good(town.ask("GET", "/businesses/slack-tide")).body
    for what, answer in {
            "PATCH": town.ask("PATCH", "/businesses/slack-tide", {"phone": "250"}, sessions[OWNER]),
            "an event": town.ask("POST", "/events", event("Full Night"), sessions[RESIDENT], key),
            "a login": town.log_in(RESIDENT),
            "an invitation": town.ask("POST", "/invitations", {"email": "x@town.example"}, sessions[ADMIN]),
            "logging out": town.ask("DELETE", "/session", token=sessions[RESIDENT])}.items():
        row.answered(answer, 507, f"{what} on a full disk")
        row.check(int(answer.headers.get("Retry-After", "0")) > 0, f"{what}: 507 says when", answer.headers)
    row.check(town.ask("GET", "/health").json()["status"] == "degraded", "health reports it")
    row.check(town.ask("GET", "/businesses/slack-tide").body == before, "nothing has changed for readers")
    row.answered(town.ask("GET", "/events/full-night", token=sessions[ADMIN]), 404, "an event that was refused")
    row.answered(town.ask("GET", "/me", token=sessions[RESIDENT]), 200, "a session that could not be ended")


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A disk of 8 MB that is full, has room again, and a restart."""
    if os.geteuid() != 0:
        raise Skip("only root may mount a disk")
    row, disk = Row("a full disk"), folder / "disk"
    mount_tmpfs(disk, SIZE)
    try:
        town, sessions = peopled(binary, disk / "data")
        reader, key = Reader(town), {"Idempotency-Key": "full"}
        reader.start()
        added = add_until_full(row, town, disk / "filler")
        refused(row, town, sessions, key)
        (disk / "filler").unlink()
        end = time.monotonic() + 10
        while (answer := town.ask("POST", "/events", event("Full Night"), sessions[RESIDENT], key)).status == 507:
            if time.monotonic() > end:
                break
            time.sleep(0.02)
        row.answered(answer, 201, "the same request when there is room")
        row.check(town.ask("GET", "/health").json()["status"] == "ok", "health reports that it is over")
        reader.end.set()
        reader.join()
        row.check(set(reader.statuses) == {200}, "reads go on", set(reader.statuses))
        town.restart()
        export = town.export()
        there = {record["name"] for record in export["businesses"]} - {"Slack Tide"}
        row.check(there == added, "after a restart there is what was answered, and nothing else", there ^ added)
        row.check([record["name"] for record in export["events"]] == ["Full Night"], "one event", export["events"])
        row.check(town.stop() == 0 and town.sooke("verify").returncode == 0, "all is sound")
        row.figures = f"{len(added)} added, {len(reader.statuses):,} reads meanwhile"
    finally:
        Town.stop_all()
        subprocess.run(["umount", "-l", str(disk)], capture_output=True)
    return [row]
