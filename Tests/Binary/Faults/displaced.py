"""Folders that are moved, replaced, copied with hard links or made by two commands at once, while they are in use."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from checks import Row
from harness import Server, sooke
from rig import (BAD_DATA, DISPLACED, IO_ERROR, LOCKED, Ledger, changed, check_restart, contents, copy,
                 count_businesses, make_store)
from tracing import require_strace


SAID = re.compile(r"was moved, deleted or replaced while it was in use")
UNFINISHED = "restore-in-progress"


# A folder that is taken away from a server


def moved(data: Path, binary: Path, backup: Path) -> None:
    """The folder gets another name."""
    data.rename(data.with_suffix(".moved"))


def restored(data: Path, binary: Path, backup: Path) -> None:
    """As an operator does it: the folder is moved away, and a backup restored in its place."""
    moved(data, binary, backup)
    result = sooke(binary, "restore", backup, "--data", data)
    if result.returncode:
        raise RuntimeError(f"restore left with {result.returncode}: {result.stderr}")


def linked(data: Path, binary: Path, backup: Path) -> None:
    """The path is a symbolic link from then on, to a restored folder."""
    target = data.with_suffix(".target")
    restored(target, binary, backup) if target.exists() else sooke(binary, "restore", backup, "--data", target)
    moved(data, binary, backup)
    data.symlink_to(target)


def without_lock(data: Path, binary: Path, backup: Path) -> None:
    """The file `lock` is deleted."""
    (data / "lock").unlink()


def with_another_lock(data: Path, binary: Path, backup: Path) -> None:
    """Another file is the `lock`, as when an earlier version has started beside the server."""
    (data / "lock").unlink()
    (data / "lock").touch(0o600)


Displacement = Callable[[Path, Path, Path], None]
DISPLACEMENTS: list[Displacement] = [moved, restored, linked, without_lock, with_another_lock]
TRIGGERS = ["an import", "a snapshot", "SIGTERM", "SIGKILL", "nothing"]


def displaced(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A server whose folder is not where it was writes nothing more, says so and leaves with 72."""
    row = Row("the folder moved, replaced, its lock deleted")
    store = folder / "store"
    base = make_store(binary, store)
    backup = folder / "town.json"
    if sooke(binary, "backup", "--data", store, backup).returncode:
        raise RuntimeError("no backup can be made")
    for displacement in DISPLACEMENTS:
        for trigger in TRIGGERS:
            for path in folder.glob("data*"):
                path.unlink() if path.is_symlink() else shutil.rmtree(path)
            displace(row, displacement, trigger, binary, copy(store, folder / "data"), backup,
                     Ledger("base", list(base.files)))
    return [row, hard_links(binary, folder, store, base), two_servers(binary, folder, store, base),
            *under_foot(binary, folder, store, base)]


def displace(row: Row, displacement: Displacement, trigger: str, binary: Path, data: Path, backup: Path,
             ledger: Ledger) -> None:
    """One server, one displacement, and what the server does next."""
    server = Server(binary, data).ready()
    wrong: list[str] = []
    ledger.send(server)
    displacement(data, binary, backup)
    mine = data.with_suffix(".moved") if displacement in (moved, restored, linked) else data
    other = contents(data) if mine != data and data.exists() else {}
    send = {"an import": lambda: ledger.send(server), "a snapshot": lambda: ask_for_snapshot(server, mine),
            "SIGTERM": lambda: server.send(signal.SIGTERM), "SIGKILL": lambda: server.send(signal.SIGKILL)}
    server.data = mine  # where its socket is now
    send.get(trigger, lambda: None)()
    status = server.wait(10)
    if trigger == "SIGKILL":
        # A restore may take so long that the server has noticed before.
        if status not in (-signal.SIGKILL, DISPLACED):
            wrong.append(f"killed, it ended with {status}")
    elif status != DISPLACED:
        wrong.append(f"it ended with {status} instead of {DISPLACED}")
    elif len(SAID.findall(server.said)) != 1:
        wrong.append(f"it does not say once what happened: {server.said}")
    server.kill()
    if names := changed(other, contents(data)) if other else []:
        wrong.append(f"{names} of the other folder changed")
    if other:
        new = Server(binary, data)
        if new.outcome() is not None:
            wrong.append(f"the other folder does not start: {new.said}")
        new.kill()
    check_restart(row, f"{displacement.__name__}, then {trigger}", binary, mine, ledger, wrong)


def ask_for_snapshot(server: Server, data: Path) -> None:
    """Wants a snapshot, which may get no answer."""
    try:
        server.ask("POST", "/api/v1/admin/snapshot")
    except (OSError, ValueError):
        pass
    except Exception as error:  # http.client's, when the server has ended
        if "Remote" not in type(error).__name__ and "BadStatus" not in type(error).__name__:
            raise


def hard_links(binary: Path, folder: Path, store: Path, base: Ledger) -> Row:
    """A copy with hard links (`cp -al`) of a folder in use cannot be served; afterwards both go their own ways."""
    row = Row("a copy with hard links")
    for remove in ([], ["lock"], ["admin.sock"]):
        data, linked_copy = copy(store, folder / "data"), folder / "linked"
        shutil.rmtree(linked_copy, ignore_errors=True)
        ledger = Ledger("base", list(base.files))
        server = Server(binary, data).ready()
        wrong: list[str] = []
        ledger.send(server)
        subprocess.run(["cp", "-al", str(data), str(linked_copy)], check=True)
        for name in remove:
            (linked_copy / name).unlink()
        second = Server(binary, linked_copy)
        if (status := second.outcome()) != LOCKED:
            wrong.append(f"the copy is served ({status}): {second.said}")
        second.kill()
        answer = ledger.send(server)
        if answer is None or answer.status != 200:
            wrong.append(f"the first one answered {answer and answer.status}")
        server.kill()
        copied = Ledger("base", list(ledger.files))
        check_restart(row, f"the copy, without {remove}", binary, linked_copy, copied, [])
        check_restart(row, f"the folder, without {remove} in the copy", binary, data, ledger, wrong)
    return row


def two_servers(binary: Path, folder: Path, store: Path, base: Ledger) -> Row:
    """Without the file `lock`, a second process leaves with 73 all the same, and nothing is lost."""
    row = Row("a second process when the lock was deleted")
    for remove in (["lock"], ["lock", "admin.sock"]):
        data = copy(store, folder / "data")
        ledger = Ledger("base", list(base.files))
        server = Server(binary, data).ready()
        ledger.send(server)
        server.send(signal.SIGSTOP)  # else it notices within a second
        for name in remove:
            (data / name).unlink()
        second = Server(binary, data)
        status = second.outcome(5) if "admin.sock" in remove else LOCKED
        wrong = [] if status == LOCKED else [f"the second process ended with {status}: {second.said}"]
        second.kill()
        server.send(signal.SIGCONT)
        if (status := server.wait(10)) != DISPLACED:
            wrong.append(f"the first one ended with {status} instead of {DISPLACED}")
        server.kill()
        check_restart(row, f"without {' and '.join(remove)}", binary, data, ledger, wrong)
    return row


# Files that are taken away from a server


def log_of(data: Path) -> Path:
    """The segment that is written to."""
    return max(data.glob("wal-*.log"))


def replaced_by_a_copy(path: Path) -> None:
    """The same bytes in another file."""
    copied = path.with_suffix(".copy")
    shutil.copy2(path, copied)
    copied.rename(path)


def rsync(old: Path, data: Path) -> None:
    """An older copy of the folder is put over it."""
    subprocess.run(["rsync", "-a", "--delete", f"{old}/", f"{data}/"], check=True)


# What is done, and what a server says of it.
UNDER_FOOT: dict[str, tuple[Callable[[Path, Path], object], str]] = {
    "the log is deleted": (lambda data, old: log_of(data).unlink(), "log was deleted or moved"),
    "the log is moved": (lambda data, old: log_of(data).rename(old.parent / "moved.log"), "log was deleted or moved"),
    "the log is replaced": (lambda data, old: replaced_by_a_copy(log_of(data)), "log was replaced"),
    "the log is truncated": (lambda data, old: os.truncate(log_of(data), 700), "log was truncated"),
    "the manifest is deleted": (lambda data, old: (data / "manifest.json").unlink(), "json was deleted or moved"),
    "the manifest is replaced": (lambda data, old: replaced_by_a_copy(data / "manifest.json"), "json was replaced"),
    "an older copy is put over it": (lambda data, old: rsync(old, data), "was"),
}


def under_foot(binary: Path, folder: Path, store: Path, base: Ledger) -> list[Row]:
    """A server whose log or manifest is not what it wrote answers no change, says so and ends with 72. The next start
    has everything that was answered, or is refused, or says that the folder is a copy; also after a kill at once."""
    rows = Row("files changed under a server"), Row("files changed under a server that is killed at once")
    for name, (act, says) in UNDER_FOOT.items():
        for row in rows:
            data = copy(store, folder / "data")
            ledger = Ledger("base", list(base.files))
            server = Server(binary, data).ready()
            old = copy(data, folder / "old")
            wrong: list[str] = []
            ledger.send(server)
            if not ledger.files[-1].answered:
                wrong.append("the write before it was not answered")
            act(data, old)
            if row is rows[0]:
                for _ in range(3):
                    answer = ledger.send(server)
                    if answer and answer.status < 300:
                        wrong.append(f"a write after it was answered with {answer.status}")
                if (status := server.wait(10)) != DISPLACED:
                    wrong.append(f"it ended with {status} instead of {DISPLACED}")
                if server.said.count(f"{says} ") < 1 or server.said.count("while it was in use") != 1:
                    wrong.append(f"it does not say once what happened: {server.said}")
            server.kill()
            again = Server(binary, data)
            status = again.outcome()
            lost = []
            if status is None:
                gone, more = ledger.compare(again.url)
                wrong += more
                lost = gone if "is a copy" not in again.said else []
            elif status != BAD_DATA:
                wrong.append(f"the next start ended with {status}: {again.said}")
            again.kill()
            row.case(name, lost, wrong)
    return [*rows]


# Folders that are made


def made(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Restore and repair hold their folder to the end, and one that was interrupted is never taken for a new one."""
    require_strace()
    store = folder / "store"
    make_store(binary, store)
    backup = folder / "town.json"
    sooke(binary, "backup", "--data", store, backup)
    commands = {"restore": ["restore", backup, "--data"], "repair": ["repair", "--data", store, "--to"]}
    return [together(binary, folder, commands, short), failed_syncs(binary, folder, commands),
            *(interrupted(fault, binary, folder, commands, short) for fault in ("SIGKILL", "ENOSPC"))]


def together(binary: Path, folder: Path, commands: dict[str, list], short: bool) -> Row:
    """A server starts while a restore or repair is at work: one of the two leaves, and both leave a whole town."""
    row = Row("restore or repair and serve at once")
    target = folder / "made"
    for name, words in commands.items():
        for call, most in (("flock", 3), ("write", 1), ("openat", 1), ("renameat", 1)):
            for number in range(1, most + 1 if short else most + 3):
                shutil.rmtree(target, ignore_errors=True)
                trace = ["strace", "-f", "-o", "/dev/null", f"-e inject={call}:delay_enter=700000:when={number}",
                         "-e", f"trace={call}", f"--trace-path={target}", f"--trace-path={target}/lock"]
                maker = subprocess.Popen([*trace, str(binary), *map(str, words), str(target)], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                end = time.monotonic() + 10
                while not target.exists() and maker.poll() is None and time.monotonic() < end:
                    time.sleep(0.002)
                server = Server(binary, target)
                while (serving := server.outcome()) is not None and maker.poll() is None:
                    server = Server(binary, target)  # until there is a gap, or the folder is made
                status, said = maker.wait(20), (maker.stderr.read() if maker.stderr else "")
                wrong: list[str] = []
                if serving is None:
                    found = count_businesses(server.url)
                    if status == 0 and found == 0:
                        wrong.append("both succeeded, and the town is empty")
                elif serving not in (LOCKED, BAD_DATA):
                    wrong.append(f"the server ended with {serving}: {server.said}")
                if serving is not None and status != 0:
                    wrong.append(f"none of the two came through: {status}, {said.strip()}; {serving}, {server.said}")
                server.kill()
                server = Server(binary, target)
                again = server.outcome()
                found = count_businesses(server.url) if again is None else -1
                server.kill()
                if again is not None or (status == 0 and found == 0):
                    wrong.append(f"afterwards it starts with {again} and {found} businesses: {server.said}")
                row.case(f"{name}, {call} {number} takes long", [], wrong)
    return row


def interrupted(fault: str, binary: Path, folder: Path, commands: dict[str, list], short: bool) -> Row:
    """Every system call on the new folder is the last one of a restore, or finds no room."""
    row = Row(f"{fault} at the k-th system call of a restore or repair")
    target = folder / "made"
    inject = "signal=SIGKILL" if fault == "SIGKILL" else "error=ENOSPC"
    calls = ["openat", "write", "fsync,fdatasync", "renameat", "mkdir,mkdirat", "unlinkat", "ftruncate"]
    for name, words in commands.items():
        for call in calls if fault == "SIGKILL" else ["openat", "write", "renameat"]:
            for number in range(1, 4 if short else 60):
                shutil.rmtree(target, ignore_errors=True)
                trace = ["strace", "-f", "-y", "-o", str(folder / "strace"), "-e", f"trace={call}", "-P", str(target)]
                trace += [word for file in files(target) for word in ("-P", file)]
                when = f"when={number}" + ("+" if fault == "ENOSPC" else "")
                result = subprocess.run([*trace, "-e", f"inject={call}:{inject}:{when}", str(binary), *map(str, words),
                                         str(target)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
                if result.returncode == 0:
                    break
                check_rest(row, f"{name}, {call} {number}", binary, target, fault, result)
    return row


def failed_syncs(binary: Path, folder: Path, commands: dict[str, list]) -> Row:
    """Every sync of a restore or repair fails: what is left is never taken for a new town, the last one included."""
    row = Row("EIO at the k-th sync of a restore or repair")
    target = folder / "made"
    for name, words in commands.items():
        for number in range(1, 60):
            shutil.rmtree(target, ignore_errors=True)
            # Only the folder's own syncs: the last of them follows the end of the marker.
            result = subprocess.run(
                ["strace", "-f", "-o", "/dev/null", "-e", "trace=fsync", "-P", str(target), "-e",
                 f"inject=fsync:error=EIO:when={number}", str(binary), *map(str, words), str(target)],
                stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if result.returncode == 0:
                break
            check_rest(row, f"{name}, sync {number}", binary, target, "EIO", result)
        if number == 1:
            row.case(name, [], ["no sync was hit"])
    return row


def files(target: Path) -> list[str]:
    """All that a restore writes to, by every name that it has."""
    names = [f"wal-{number:020d}.log" for number in range(1, 8)] + [f"snapshot-{number:020d}.json" for number in range(8)]
    names += ["manifest.json"]
    first = f"{target}.{UNFINISHED}"
    return [f"{target}/{name}{end}" for name in names for end in ("", ".tmp")] + [
        f"{target}/{UNFINISHED}", f"{target}/lock", first, f"{first}/{UNFINISHED}"]


def check_rest(row: Row, name: str, binary: Path, target: Path, fault: str,
               result: subprocess.CompletedProcess[str]) -> None:
    """What is left is refused, or whole, or nothing at all."""
    wrong = []
    if fault == "ENOSPC" and result.returncode != IO_ERROR:
        wrong.append(f"without room it left with {result.returncode}: {result.stderr.strip()}")
    names = {path.name for path in target.iterdir()} if target.exists() else set()
    if fault == "ENOSPC" and names - {"lock", UNFINISHED}:
        wrong.append(f"without room it left {sorted(names)}")
    if fault == "EIO" and result.returncode != IO_ERROR:
        wrong.append(f"after a failed sync it left with {result.returncode}: {result.stderr.strip()}")
    if fault != "ENOSPC" and target.exists() and not names - {"lock"}:
        wrong.append(f"it left a folder that a server takes for a new one, with {sorted(names)}")
    if names - {"lock"}:
        server = Server(binary, target)
        status = server.outcome()
        if status is None and count_businesses(server.url) == 0:
            wrong.append(f"it is served as a new town, with {sorted(names)}")
        elif status not in (None, BAD_DATA):
            wrong.append(f"a server left with {status}: {server.said}")
        elif status == BAD_DATA and UNFINISHED not in server.said:
            wrong.append(f"the message does not say what is wrong: {server.said}")
        server.kill()
    row.case(name, [], wrong)
