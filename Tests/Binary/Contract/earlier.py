#!/usr/bin/env python3
"""Serves a data folder that an earlier version wrote, with every value that requests and imports may not bring any more.

What was acknowledged stays readable: the folder `earlier.tar.gz` starts, is served, edited, snapshotted, backed up and
restored. It was written in a format before the first one that is still read, and brought into that one with a backup by
the last version that read both. Ends with "N passed, N failed".
"""

import argparse
import json
import re
import subprocess
import sys
import tarfile
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))
from harness import Local, Server, Tally, executable, send, sooke, temporary_folder  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "earlier.tar.gz"
COMMA = "ann,bob@town.example"


def check(binary: Path, tally: Tally) -> None:
    with temporary_folder() as work:
        with tarfile.open(FOLDER) as archive:
            archive.extractall(work, filter="data")
        data = work / "earlier"
        before = counts(binary, data, tally, "as it was written")
        if before:
            edit(binary, data, tally)
        again = counts(binary, data, tally, "after a restart")
        tally.check(before == again, "a restart keeps all records", f"{before} {again}")
        backup, copy = work / "backup.json", work / "copy"
        for command in (["backup", "--data", data, backup], ["restore", backup, "--data", copy]):
            result = sooke(binary, *command)
            tally.check(result.returncode == 0, f"{command[0]} takes all of it", result.stderr)
        restored = counts(binary, copy, tally, "from a backup")
        tally.check(restored == again, "a backup holds all records", f"{again} {restored}")
        refuse(binary, backup, work, tally)


def counts(binary: Path, data: Path, tally: Tally, how: str) -> dict[str, int] | None:
    """Serves a folder, reads every record that there is, and ends the server; how many of each kind there are."""
    server = Server(binary, data)
    try:
        server.ready()
    except RuntimeError as error:
        tally.check(False, f"the folder starts {how}", error)
        return None
    town = Local(data, server.url)
    status = town.must("GET", "/api/v1/admin/status")["records"]
    for kind, path in (("businesses", "businesses"), ("events", "events?status=approved")):
        items = town.must("GET", f"/api/v1/{path}{'&' if '?' in path else '?'}per_page=100")["items"]
        for item in items:
            slug = urllib.parse.quote(item["slug"], safe="")
            answer = send(server.url, f"/api/v1/{kind}/{slug}")
            tally.check(answer.status == 200 and answer.json()["id"] == item["id"], f"{kind}/{slug} {how}", answer)
    moved = send(server.url, "/api/v1/businesses/moving-3")
    tally.check(moved.status == 301, f"an old slug leads on {how}", moved)
    for path in ("categories", "event-types", "users", "admin/tokens", "admin/export", "admin/export?format=csv"):
        answer = town.ask("GET", f"/api/v1/{path}")
        tally.check(answer.status == 200, f"{path} {how}", answer)
    tally.check(server.stop() == 0, f"it ends as ever {how}", server.said)
    return status


def edit(binary: Path, data: Path, tally: Tally) -> None:
    """An edit of something else is not held back by what a record holds from before; a new such value is refused."""
    server = Server(binary, data).ready()
    town = Local(data, server.url)
    users = town.must("GET", "/api/v1/users?per_page=100")["items"]
    comma = next(user["id"] for user in users if user["email"] == COMMA)
    cases = [
        ("PATCH", f"users/{comma}", {"display_name": "Ann and Bob"}, 200),
        ("PATCH", f"users/{comma}", {"email": "eve,ann@town.example"}, 422),
        ("PATCH", "businesses/large", {"name": "Larger"}, 200),
        ("PATCH", "businesses/large", {"phone": "1"}, 200),
        ("PATCH", "businesses/large", {"email": "c,d@town.example"}, 422),
        ("POST", "businesses/large/menus", {"name": "Dinner", "items": [
            {"name": "x", "description": "y" * 9_000, "price": "1.00"}]}, 422),
        ("POST", "businesses/large/menus", {"name": "Lunch"}, 422),
        ("PATCH", "categories/cafes-2", {"slug": "cafes-two"}, 200),
        ("PATCH", "categories/cafes-two", {"slug": "cafes-2"}, 200),
        ("POST", "categories", {"name": "Cafés"}, 409),
        ("POST", "event-types", {"name": "Cafés"}, 409),
        ("PATCH", "businesses/a%2Fb%3Fc%23d", {"name": "Odd indeed"}, 200),
        ("PATCH", "events/w%3Fx", {"name": "Odd indeed"}, 200),
    ]
    for method, path, body, status in cases:
        answer = town.ask(method, f"/api/v1/{path}", body)
        tally.check(answer.status == status, f"{method} {path} {json.dumps(body)[:60]}: {status} was expected", answer)
    tally.check(server.stop() == 0, "it ends as ever after that", server.said)


def refuse(binary: Path, backup: Path, work: Path, tally: Tally) -> None:
    """A backup whose checksum is right and whose records are not is refused, by line, and leaves no data folder."""
    text = backup.read_text()
    for day in (-1, 7, 700, 256, 2**53):
        broken, target = work / f"broken{day}.json", work / f"town{day}"
        broken.write_text(checked(text.replace('"day_of_week":6', f'"day_of_week":{day}', 1)))
        result = sooke(binary, "restore", broken, "--data", target)
        said = result.stdout + result.stderr
        tally.check(result.returncode == 65, f"a day {day} is refused with 65", f"{result.returncode} {said}")
        tally.check("hours[0].day_of_week: must be " in said and re.search(r"line \d+", said),
                    f"a day {day} is named with its line", said)
        tally.check(not (target / "manifest.json").exists(), f"a day {day} leaves no data folder")


def checked(text: str) -> str:
    """A document with the checksum that its lines have now (CRC-32C)."""
    lines = text.splitlines(keepends=True)[:-1]
    crc = 0xFFFFFFFF
    for byte in "".join(lines).encode():
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return "".join(lines) + f'"end":{{"lines":{len(lines)},"checksum":"{crc ^ 0xFFFFFFFF:08x}"}}}}\n'


def table() -> list[int]:
    entries = []
    for entry in range(256):
        for _ in range(8):
            entry = entry >> 1 ^ (0x82F63B78 if entry & 1 else 0)
        entries.append(entry)
    return entries


TABLE = table()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=executable, help="the server to test: the executable sooke")
    options = parser.parse_args()
    tally = Tally()
    try:
        check(options.binary, tally)
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        tally.check(False, "the check goes on", error)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
