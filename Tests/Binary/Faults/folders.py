"""Folders that are moved, replaced or changed while they are in use, that may not be used, or that are made."""

import itertools
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from checks import Row
from harness import Server, sooke
from rig import (BAD_DATA, DISPLACED, LOCKED, NOT_PERMITTED, Ledger, changed, check_restart, contents, copy,
                 count_businesses, make_store)
from tracing import mounted, require_root, require_strace


@dataclass
class Town:
    """A folder that is served, a backup of it, and an older copy."""

    binary: Path
    data: Path
    backup: Path
    old: Path

    @property
    def moved(self) -> Path:
        return self.data.with_suffix(".moved")

    @property
    def log(self) -> Path:
        """The segment that is written to."""
        return max(self.data.glob("wal-*.log"))

    def move(self) -> None:
        self.data.rename(self.moved)

    def replace(self) -> None:
        """As an operator does it: the folder is moved away, and a backup restored in its place."""
        self.move()
        sooke(self.binary, "restore", self.backup, "--data", self.data)

    def put_old_over_it(self) -> None:
        subprocess.run(["rsync", "-a", "--delete", f"{self.old}/", f"{self.data}/"], check=True)


def replace_by_a_copy(path: Path) -> None:
    """The same bytes in another file."""
    copied = path.with_suffix(".copy")
    shutil.copy2(path, copied)
    copied.rename(path)


# What is done, and what a server says of it.
ACTS: dict[str, tuple[Callable[[Town], object], str]] = {
    "the folder is moved": (Town.move, "was moved, deleted or replaced"),
    "a backup is restored in its place": (Town.replace, "was moved, deleted or replaced"),
    "the lock is deleted": (lambda town: (town.data / "lock").unlink(), "was moved, deleted or replaced"),
    "the log is deleted": (lambda town: town.log.unlink(), "log was deleted or moved"),
    "the log is replaced": (lambda town: replace_by_a_copy(town.log), "log was replaced"),
    "the log is truncated": (lambda town: os.truncate(town.log, 700), "log was truncated"),
    "the manifest is deleted": (lambda town: (town.data / "manifest.json").unlink(), "json was deleted or moved"),
    "the manifest is replaced": (lambda town: replace_by_a_copy(town.data / "manifest.json"), "json was replaced"),
    "an older copy is put over it": (Town.put_old_over_it, "was"),
}


def under_foot(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A server whose folder, log or manifest is not what it was writes nothing more, answers no change, says so and
    leaves with 72. The next start has all that was answered, or is refused, or says that the folder is a copy."""
    row = Row("a folder or its files changed under a server")
    store, backup = folder / "store", folder / "town.json"
    base = make_store(binary, store)
    sooke(binary, "backup", "--data", store, backup)
    for name, (act, says) in ACTS.items():
        triggers = ["an import", "SIGKILL"]
        if says.startswith("was moved") and (not short or act == Town.move):
            triggers += ["SIGTERM", "nothing"]
        for trigger in triggers:
            for path in folder.glob("data*"):
                shutil.rmtree(path)
            town = Town(binary, copy(store, folder / "data"), backup, folder / "old")
            change(row, f"{name}, then {trigger}", town, act, says, trigger, base.copy())
    return [row]


def change(row: Row, name: str, town: Town, act: Callable[[Town], object], says: str, trigger: str,
           ledger: Ledger) -> None:
    """One server, one change of what is under it, and what it does next."""
    server = Server(town.binary, town.data).ready()
    copy(town.data, town.old)
    wrong: list[str] = []
    ledger.must_send(server, wrong, "before it")
    act(town)
    mine = town.moved if town.moved.exists() else town.data
    other = contents(town.data) if mine != town.data and town.data.exists() else {}
    server.data = mine  # where its socket is now
    if trigger == "an import":
        for _ in range(3):
            if (answer := ledger.send(server)) and answer.status < 300:
                wrong.append(f"a write after it was answered with {answer.status}")
    elif trigger != "nothing":
        server.send(signal.Signals[trigger])
    status = server.wait(10)
    # A restore may take so long that the server has noticed before it is killed.
    if status != DISPLACED and (trigger, status) != ("SIGKILL", -signal.SIGKILL):
        wrong.append(f"it ended with {status} instead of {DISPLACED}")
    elif status == DISPLACED and (f"{says} " not in server.said or server.said.count("while it was in use") != 1):
        wrong.append(f"it does not say once what happened: {server.said}")
    server.kill()
    if other:
        if names := changed(other, contents(town.data)):
            wrong.append(f"{names} of the other folder changed")
        new = Server(town.binary, town.data)
        if new.outcome() is not None:
            wrong.append(f"the other folder does not start: {new.said}")
        new.kill()
    again = Server(town.binary, mine)
    status, lost = again.outcome(), []
    if status is None:
        gone, more = ledger.compare(again.url)
        wrong += more
        lost = gone if "is a copy" not in again.said else []
    elif status != BAD_DATA or says.startswith("was moved"):
        wrong.append(f"the next start ended with {status}: {again.said}")
    again.kill()
    row.case(name, lost, wrong)


# Folders that may not be used

def permissions(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A folder that this user may not use is refused with a clear line, and left as it is."""
    require_root()
    row = Row("a folder without the right to use it")
    closed, data, nobody = folder / "closed", folder / "data", 65534
    ledger = make_store(binary, closed)
    as_nobody = ["setpriv", f"--reuid={nobody}", f"--regid={nobody}", "--clear-groups"]
    for name, user, mode in (("a read-only folder", nobody, 0o500), ("a folder of another user", 0, 0o700),
                             ("files of another user", 0, 0o777)):
        copy(closed, data)
        for path in [data, *data.iterdir()]:
            os.chown(path, user, user)
        data.chmod(mode)
        refuse(row, name, binary, data, as_nobody)
    with mounted(folder / "disk", "-t", "tmpfs", "-o", "size=8m", "tmpfs") as disk:
        copy(closed, disk / "data")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        refuse(row, "a file system that is mounted read-only", binary, disk / "data", [])
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        check_restart(row, "mounted to be written again", binary, disk / "data", Ledger("again", ledger.files), [])
    return [row]


def refuse(row: Row, name: str, binary: Path, data: Path, prefix: list[str]) -> None:
    """The server must not start on the folder."""
    before = contents(data)
    server = Server(binary, data, prefix=prefix or None)
    ended = server.outcome()
    server.kill()
    wrong = []
    if ended != NOT_PERMITTED or str(data) not in server.said or " | " in server.said:
        wrong.append(f"it ended with {ended}, or does not say where in one line: {server.said}")
    if names := changed(before, contents(data)):
        wrong.append(f"{names} changed")
    row.case(name, [], wrong)


# Folders that are made

def copies(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A server starts while a restore or repair takes long in a call: one of the two leaves, the town is whole."""
    require_strace()
    row = Row("restore or repair and serve at once")
    store, backup, target = folder / "store", folder / "town.json", folder / "made"
    make_store(binary, store)
    sooke(binary, "backup", "--data", store, backup)
    calls = [("flock", 1), ("flock", 2), ("flock", 3), ("write", 1), ("openat", 1), ("renameat", 1)]
    commands = (["restore", backup, "--data"], ["repair", "--data", store, "--to"])
    for words, (call, number) in itertools.product(commands, calls):
        shutil.rmtree(target, ignore_errors=True)
        maker = subprocess.Popen(["strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                                  f"inject={call}:delay_enter=500000:when={number}", f"--trace-path={target}",
                                  f"--trace-path={target}/lock", binary, *words, target], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 10
        while not target.exists() and maker.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        server = Server(binary, target)
        while (serving := server.outcome()) is not None and maker.poll() is None:
            server = Server(binary, target)  # until there is a gap, or the folder is made
        said = maker.communicate(timeout=20)[1]
        wrong: list[str] = []
        if serving not in (None, LOCKED, BAD_DATA) or serving is not None and maker.returncode:
            wrong.append(f"they ended with {maker.returncode}, {said}; {serving}, {server.said}")
        server.kill()
        server = Server(binary, target)
        if (again := server.outcome()) is not None or maker.returncode == 0 and count_businesses(server.url) == 0:
            wrong.append(f"afterwards it starts with {again}, or the town is empty: {server.said}")
        server.kill()
        row.case(f"{words[0]}, {call} {number} takes long", [], wrong)
    return [row]
