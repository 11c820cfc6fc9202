"""Folders that may not be used, and clocks that are wrong."""

import json
import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

from checks import Row
from harness import Server, sooke, with_checksum
from rig import (BAD_DATA, CATEGORIES, CONFIGURATION, NOBODY, NOT_PERMITTED, NO_INPUT, Ledger, changed,
                 check_restart, contents, copy, make_store)
from tracing import mounted, require_root


AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def permissions(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A folder that this user or this version may not use is refused with a clear line, and left as it is."""
    require_root()
    row = Row("a folder without the right to use it")
    closed = folder / "closed"
    ledger = make_store(binary, closed)

    def owned(user: int, mode: int) -> Callable[[Path], None]:
        def change(data: Path) -> None:
            for path in [data, *data.iterdir()]:
                os.chown(path, user, user)
            data.chmod(mode)
        return change

    refuse(row, "a read-only folder", binary, copy(closed, folder / "data"), owned(NOBODY, 0o500), AS_NOBODY)
    refuse(row, "a folder of another user", binary, copy(closed, folder / "data"), owned(0, 0o700), AS_NOBODY)
    refuse(row, "files of another user", binary, copy(closed, folder / "data"), owned(0, 0o777), AS_NOBODY)
    with mounted(folder / "disk", "-t", "tmpfs", "-o", "size=8m", "tmpfs") as disk:
        data = copy(closed, disk / "data")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        refuse(row, "a file system that is mounted read-only", binary, data, lambda _: None, [])
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        check_restart(row, "mounted to be written again", binary, data, Ledger("again", list(ledger.files)), [])
    return [row, modes(binary, closed), *newer(binary, folder, closed)]


def refuse(row: Row, name: str, binary: Path, data: Path, change: Callable[[Path], None], prefix: list[str],
           status: int = NOT_PERMITTED) -> None:
    """The server must not start on the changed folder."""
    change(data)
    before = contents(data)
    server = Server(binary, data, prefix=prefix)
    ended = server.outcome()
    server.kill()
    wrong = []
    if ended != status:
        wrong.append(f"it ended with {ended} instead of {status}: {server.said}")
    if str(data) not in server.said and not any(file in server.said for file in before):
        wrong.append(f"the message does not say where: {server.said}")
    if " | " in server.said:
        wrong.append(f"the message has more than a line: {server.said}")
    if names := changed(before, contents(data)):
        wrong.append(f"{names} changed")
    row.case(name, [], wrong)


def modes(binary: Path, data: Path) -> Row:
    """What the server makes is for its owner alone."""
    row = Row("rights of new files: 0600, of the folder: 0700")
    server = Server(binary, data).ready()
    try:
        for path in [data, *data.rglob("*")]:
            want = 0o700 if path.is_dir() else 0o600
            mode = stat.S_IMODE(path.stat().st_mode)
            row.case(path.name, [], [] if mode == want else [f"{mode:o} instead of {want:o}"])
    finally:
        server.stop()
    return row


def newer(binary: Path, folder: Path, closed: Path) -> list[Row]:
    """A file in the format of a later version is refused, whichever it is, and so is a version that was edited."""
    row, edited = Row("a newer format"), Row("an edited version number")
    for pattern, old in (("manifest.json", b"sooke-manifest/3"), ("wal-*.log", b"sooke-log/3"),
                         ("snapshot-*.json", b'"sooke/3')):
        for later in (b"4", b"9", b"10"):
            data = copy(closed, folder / "data")
            path = sorted(data.glob(pattern))[-1]
            name = f"{path.name}, version {later.decode()}"
            text = path.read_bytes().replace(old, old[:-1] + later, 1)
            path.write_bytes(text)
            # A snapshot whose checksum is wrong is not newer but damaged, and the one before it is taken.
            if not path.name.startswith("snapshot"):
                refuse(edited, name, binary, data, lambda _: None, [], BAD_DATA)
            path.write_bytes(with_checksum(text))
            refuse(row, name, binary, data, lambda _: None, [], CONFIGURATION)
    return [row, edited]


def clock(binary: Path, folder: Path, short: bool) -> list[Row]:
    """The clock jumps ten years back and ahead between starts: nothing is lost, and the sequence goes on.

    `--now` stops the server's clock; faketime would need a library in the program, which a static binary does not take.
    """
    row = Row("the clock ten years back and ahead")
    data = folder / "data"
    ledger = make_store(binary, data)
    last = 0
    moments = ["2016-11-21T00:00:00Z", "2036-11-21T00:00:00Z", "1970-01-01T00:00:01Z", "2026-11-21T00:00:00Z"]
    for number, moment in enumerate(moments * (2 if short else 10)):
        server = Server(binary, data, "--now", moment).ready()
        wrong: list[str] = []
        try:
            lost, more = ledger.compare(server.url)
            for _ in range(3):
                answer = ledger.send(server)
                if answer is None or answer.status != 200:
                    wrong.append(f"an import got {answer and answer.status}: {answer and answer.body[:200]!r}")
                sequence = server.sequence()
                if sequence <= last:
                    wrong.append(f"sequence {sequence} after {last}")
                last = sequence
                server.ask("POST", "/api/v1/admin/snapshot")
        finally:
            # Killed every other time, so that both kinds of start see the jump.
            status = server.stop() if number % 2 else server.kill()
        if status not in (None, 0):
            wrong.append(f"it ended with {status}: {server.said}")
        row.case(f"start {number + 1}, {moment}", lost, more + wrong)
    check_restart(row, "restart", binary, data, ledger, [])
    row.figures = "by --now; a static binary takes no faketime"
    return [row, *histories(binary, folder)]


BEFORE, AFTER = "2026-11-20T12:00:00Z", "2026-11-21T12:00:00Z"


def histories(binary: Path, folder: Path) -> list[Row]:
    """A wrong clock, or a command that knows nothing of --keep-history, costs no history; time that passes does."""
    glitches, commands, passing = (Row("history after a start with a wrong clock"), Row("history after commands"),
                                   Row("history that is old, after a wrong clock"))
    for wrong in ("1970-01-01T00:00:01Z", "2036-11-21T00:00:00Z"):
        data = folder / "history"
        states = remembered(binary, data, "1")
        for moment in (wrong, AFTER, wrong, wrong, AFTER):
            serve_once(binary, data, moment)
        check_history(glitches, f"the clock in {wrong[:4]}", binary, data, folder / "made", states)
        outgrow_feed(binary, data)
        for day in range(1, 5):
            serve_once(binary, data, f"2026-11-{21 + day}T12:00:00Z")
        kept = (data / "wal-00000000000000000001.log").exists()
        passing.case(f"days after a start in {wrong[:4]}", [], ["the first segment is still there"] if kept else [])
        result = sooke(binary, "restore", "--at", states[0][0], "--data", data, "--to", folder / "made")
        passing.case("a time that is not kept", [], [] if result.returncode == NO_INPUT else
                     [f"restore left with {result.returncode}: {result.stderr}"])
    data = folder / "history"
    states = remembered(binary, data, "3650")
    for number in range(4):
        sooke(binary, "user", "add", f"{number}@town.example", "--data", data)
        sooke(binary, "snapshot", "--data", data)
    serve_once(binary, data, AFTER)
    check_history(commands, "user add, snapshot, serve", binary, data, folder / "made", states)
    return [glitches, commands, passing]


def remembered(binary: Path, data: Path, days: str) -> list[tuple[str, str]]:
    """A new town with a few times of its past, each with its export."""
    shutil.rmtree(data, ignore_errors=True)
    states = []
    for second in range(3):
        server = Server(binary, data, "--now", BEFORE.replace("00Z", f"0{second}Z"), "--keep-history", days).ready()
        if not second:
            server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
        Ledger(f"moment-{second}").send(server)
        at = server.ask("GET", "/api/v1/admin/status").json()["changed_at"]
        states.append((at, server.ask("GET", "/api/v1/admin/export?format=json").body.decode()))
        server.stop()
    return states


def serve_once(binary: Path, data: Path, moment: str) -> None:
    """A server that changes something, takes a snapshot and stops."""
    server = Server(binary, data, "--now", moment).ready()
    Ledger(f"at-{moment[:10]}-{os.urandom(3).hex()}").send(server)
    server.ask("POST", "/api/v1/admin/snapshot")
    Ledger(f"then-{moment[:10]}-{os.urandom(3).hex()}").send(server)
    server.stop()


def outgrow_feed(binary: Path, data: Path) -> None:
    """So many changes that the feed, which a start fills from the log, does not reach back to those before them."""
    server = Server(binary, data, "--now", AFTER).ready()
    for number in range(2_200):
        category = {"name": "Retail", "slug": "retail"}
        business = {"name": "Much", "slug": "much", "category": "retail", "address": "1 Main St", "latitude": 48.4,
                    "longitude": -123.7, "description": f"{number:05}" * 1_990}
        body = json.dumps({"categories": [category], "businesses": [business]}).encode()
        answer = server.ask("POST", "/api/v1/admin/import?format=json", body)
        if answer.status != 200:
            raise RuntimeError(f"an import got {answer.status}: {answer.body[:300]!r}")
    server.stop()


def check_history(row: Row, name: str, binary: Path, data: Path, made: Path, states: list[tuple[str, str]]) -> None:
    """Every time that is remembered can be built, and is what it was.

    The last one is left out: changes made under a clock that was set back have its time too.
    """
    for at, text in states[:-1]:
        shutil.rmtree(made, ignore_errors=True)
        result = sooke(binary, "restore", "--at", at, "--data", data, "--to", made)
        lost, wrong = [], []
        if result.returncode:
            lost.append(f"the town of {at} cannot be had: {result.stderr.strip()}")
        elif sooke(binary, "export", "--data", made).stdout != text:
            wrong.append(f"restore --at {at} gives another town, and says that all is well")
        row.case(f"{name}, {at}", lost, wrong)
    shutil.rmtree(made, ignore_errors=True)
