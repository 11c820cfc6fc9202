"""Folders that are moved, replaced or changed while they are in use, that may not be used, or that are made."""

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
from rig import (BAD_DATA, DISPLACED, IO_ERROR, LOCKED, NOT_PERMITTED, Ledger, changed, check_restart, contents, copy,
                 count_businesses, make_store)
from tracing import FILES, mounted, require_root, require_strace


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

    def restore(self, to: Path) -> None:
        done = sooke(self.binary, "restore", self.backup, "--data", to)
        if done.returncode:
            raise RuntimeError(f"restore left with {done.returncode}: {done.stderr}")

    def replace(self) -> None:
        """As an operator does it: the folder is moved away, and a backup restored in its place."""
        self.move()
        self.restore(self.data)

    def link(self) -> None:
        """The path is a symbolic link from then on, to a restored folder."""
        self.restore(self.data.with_suffix(".target"))
        self.move()
        self.data.symlink_to(self.data.with_suffix(".target"))

    def put_old_over_it(self) -> None:
        subprocess.run(["rsync", "-a", "--delete", f"{self.old}/", f"{self.data}/"], check=True)


def replace_by_a_copy(path: Path) -> None:
    """The same bytes in another file."""
    copied = path.with_suffix(".copy")
    shutil.copy2(path, copied)
    copied.rename(path)


def replace_lock(town: Town) -> None:
    """As when an earlier version has started beside the server."""
    (town.data / "lock").unlink()
    (town.data / "lock").touch(0o600)


# What is done, and what a server says of it.
ACTS: dict[str, tuple[Callable[[Town], object], str]] = {
    "the folder is moved": (Town.move, "was moved, deleted or replaced"),
    "a backup is restored in its place": (Town.replace, "was moved, deleted or replaced"),
    "its path becomes a link": (Town.link, "was moved, deleted or replaced"),
    "the lock is deleted": (lambda town: (town.data / "lock").unlink(), "was moved, deleted or replaced"),
    "the lock is replaced": (replace_lock, "was moved, deleted or replaced"),
    "the log is deleted": (lambda town: town.log.unlink(), "log was deleted or moved"),
    "the log is replaced": (lambda town: replace_by_a_copy(town.log), "log was replaced"),
    "the log is truncated": (lambda town: os.truncate(town.log, 700), "log was truncated"),
    "the manifest is deleted": (lambda town: (town.data / "manifest.json").unlink(), "json was deleted or moved"),
    "the manifest is replaced": (lambda town: replace_by_a_copy(town.data / "manifest.json"), "json was replaced"),
    "an older copy is put over it": (Town.put_old_over_it, "was"),
}


def under_foot(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A server whose folder, log or manifest is not what it was writes nothing more, answers no change, says so and leaves
    with 72. The next start has everything that was answered, or is refused, or says that the folder is a copy."""
    row = Row("a folder or its files changed under a server")
    store, backup = folder / "store", folder / "town.json"
    base = make_store(binary, store)
    sooke(binary, "backup", "--data", store, backup)
    for name, (act, says) in ACTS.items():
        triggers = ["an import", "SIGKILL"]
        if says.startswith("was moved") and (not short or act == Town.move):
            triggers += ["SIGTERM", "nothing", "a snapshot"]
        for trigger in triggers:
            for path in folder.glob("data*"):
                path.unlink() if path.is_symlink() else shutil.rmtree(path)
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
    elif trigger == "a snapshot":
        try:
            server.ask("POST", "/api/v1/admin/snapshot")
        except Exception:  # it has ended
            pass
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

UNFINISHED = "restore-in-progress"
# The fault of a call, and the calls.
INJECTED = {"signal=SIGKILL": ["openat", "write", "fsync,fdatasync", "renameat", "mkdir,mkdirat", "unlinkat", "ftruncate"],
            "error=ENOSPC": ["openat", "write", "renameat"], "error=EIO": ["fsync"]}


def copies(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Restore and repair hold their folder to the end, and one that was interrupted is never taken for a new one."""
    require_strace()
    store, backup, target = folder / "store", folder / "town.json", folder / "made"
    make_store(binary, store)
    sooke(binary, "backup", "--data", store, backup)
    meets = Row("restore or repair and serve at once")
    fails = Row("the k-th system call of a restore or repair fails or kills it")
    for words in (["restore", backup, "--data", target], ["repair", "--data", store, "--to", target]):
        for call, number in (("flock", 1), ("flock", 2), ("flock", 3), ("write", 1), ("openat", 1), ("renameat", 1)):
            shutil.rmtree(target, ignore_errors=True)
            meet(meets, binary, [*map(str, words)], target, call, number)
        for fault, calls in INJECTED.items():
            for call in calls:
                most = 3 if short and call != "fsync" else 60  # the last sync is the one that matters most
                for number in range(1, most + 1):
                    shutil.rmtree(target, ignore_errors=True)
                    if not fail(fails, binary, [*map(str, words)], target, fault, call, number):
                        break
    return [meets, fails]


def meet(row: Row, binary: Path, words: list[str], target: Path, call: str, number: int) -> None:
    """A server starts while a command takes long in a call: one of the two leaves, and both leave a whole town."""
    trace = ["strace", "-f", "-o", "/dev/null", "-e", f"inject={call}:delay_enter=500000:when={number}",
             "-e", f"trace={call}", f"--trace-path={target}", f"--trace-path={target}/lock"]
    maker = subprocess.Popen([*trace, str(binary), *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 10
    while not target.exists() and maker.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    server = Server(binary, target)
    while (serving := server.outcome()) is not None and maker.poll() is None:
        server = Server(binary, target)  # until there is a gap, or the folder is made
    said = maker.communicate(timeout=20)[1]
    wrong: list[str] = []
    if serving not in (None, LOCKED, BAD_DATA):
        wrong.append(f"the server ended with {serving}: {server.said}")
    if serving is not None and maker.returncode:
        wrong.append(f"none of the two came through: {maker.returncode}, {said}; {serving}, {server.said}")
    server.kill()
    server = Server(binary, target)
    again = server.outcome()
    if again is not None or maker.returncode == 0 and count_businesses(server.url) == 0:
        wrong.append(f"afterwards it starts with {again}, or the town is empty: {server.said}")
    server.kill()
    row.case(f"{words[0]}, {call} {number} takes long", [], wrong)


def fail(row: Row, binary: Path, words: list[str], target: Path, fault: str, call: str, number: int) -> bool:
    """The k-th call on the new folder fails, or ends the command; what is left is refused, or whole, or nothing at all.
    Whether there was such a call."""
    # All that a restore writes to, by every name that it has; of the syncs only the folder's own, of which the last
    # follows the end of the marker.
    first = f"{target}.{UNFINISHED}"
    paths = [f"{target}/{name}{end}" for name in FILES for end in ("", ".tmp")]
    paths += [f"{target}/{UNFINISHED}", f"{target}/lock", first, f"{first}/{UNFINISHED}"]
    trace = ["strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-P", str(target)]
    trace += [word for path in paths if call != "fsync" for word in ("-P", path)]
    when = f"{number}{'+' if 'ENOSPC' in fault else ''}"
    done = subprocess.run([*trace, "-e", f"inject={call}:{fault}:when={when}", str(binary), *words],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode == 0:
        return False
    names = {path.name for path in target.iterdir()} if target.exists() else set()
    wrong = []
    if "error" in fault and done.returncode != IO_ERROR:
        wrong.append(f"it left with {done.returncode}: {done.stderr.strip()}")
    if "ENOSPC" in fault and names - {"lock", UNFINISHED}:
        wrong.append(f"without room it left {sorted(names)}")
    if "ENOSPC" not in fault and target.exists() and not names - {"lock"}:
        wrong.append(f"it left a folder that a server takes for a new one, with {sorted(names)}")
    if names - {"lock"}:
        server = Server(binary, target)
        status = server.outcome()
        if status is None and count_businesses(server.url) == 0:
            wrong.append(f"it is served as a new town, with {sorted(names)}")
        elif status is not None and (status != BAD_DATA or UNFINISHED not in server.said):
            wrong.append(f"a server left with {status}: {server.said}")
        server.kill()
    row.case(f"{words[0]}, {fault} at {call} {number}", [], wrong)
    return True
