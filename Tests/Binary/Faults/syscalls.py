"""Kills the server at every single system call of its write path, and makes every one of them fail.

Three threads touch the files of a store: the first one while the store is opened, the one that commits, and the one
that writes snapshots. For each of them, each kind of call and each fault, the k-th call is hit for k = 1, 2, 3 …
until a run has seen no fault: once, and from the k-th call on.
"""

import contextlib
import http.client
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

from checks import Row
from harness import Server, send, sooke
from rig import CATEGORIES, IO_ERROR, File, Ledger, check_restart, copy, make_store, unpack_earlier_store
from tracing import Trace, require_strace

SYNCS = ("fdatasync", "fsync")
CALLS = {"write": "write", "fdatasync": "fdatasync", "fsync": "fsync", "rename": "/^rename", "openat": "openat",
         "unlink": "/^unlink", "ftruncate": "ftruncate", "pwrite64": "pwrite64", "mkdir": "/^mkdir"}
FAULTS = {"SIGKILL": "signal=SIGKILL", "EIO": "error=EIO", "ENOSPC": "error=ENOSPC"}
MOST, MOST_SHORT = 60, 2  # calls of one kind by one thread in a run; more than 60 means that the end is not noticed


@dataclass
class Case:
    """One fault in one place."""

    place: str
    call: str
    fault: str
    k: int
    persists: bool

    def __str__(self) -> str:
        return f"{self.fault} at {self.call} {self.k}{'+' if self.persists else ''} of {self.place}"

    def traced(self, folder: Path, data: Path, more: list[str] | None = None) -> Trace:
        faults = [f"{CALLS[self.call]}:{FAULTS[self.fault]}:when={self.k}{'+' if self.persists else ''}"]
        if self.call != "ftruncate":
            return Trace(folder / "strace", data, CALLS[self.call], *faults, more=more)
        # Beside its end, the log is only ever cut when there was no room for a batch.
        return Trace(folder / "strace", data, "ftruncate,write", *faults, "write:error=ENOSPC:when=1+3", more=more)


# The name of a thread, and the store that it works on: none is a folder that is still to be made.
Place = tuple[str, Path | None, list[File]]


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Every call of every thread."""
    require_strace()
    series = Series(binary, folder, MOST_SHORT if short else MOST)
    rows = [Row(f"{fault} at the k-th system call") for fault in FAULTS]
    for row, fault in zip(rows, FAULTS):
        for place in series.places:
            for call in CALLS:
                # One that fails and goes on to fail is the rarer case, and in short is left to the threads that serve.
                once = fault == "SIGKILL" or short and place[0].startswith("the start")
                for each in (False,) if once else (False, True):
                    series.run(row, place, call, fault, each)
    return rows


class Series:
    """The stores that the cases begin with, and what is done to them."""

    def __init__(self, binary: Path, folder: Path, most: int) -> None:
        self.binary, self.folder, self.data, self.most = binary, folder, folder / "data", most
        closed = folder / "closed"
        files = make_store(binary, closed).files
        torn = self.tear(closed)
        self.earlier, earlier_files = unpack_earlier_store(folder)
        self.places: list[Place] = [
            ("the start of a new store", None, []), ("the start of a closed store", closed, files),
            ("the start of a torn store", torn, files), ("the start of an earlier store", self.earlier, earlier_files),
            ("commit", closed, files), ("snapshot", closed, files)]

    def tear(self, closed: Path) -> Path:
        """A store that was killed in the middle of a write, with a damaged snapshot and a leftover."""
        torn = copy(closed, self.folder / "torn")
        Server(self.binary, torn).ready().kill()
        with sorted(torn.glob("wal-*.log"))[-1].open("ab") as log:
            log.write(b'01234567 {"seq":99,"at"')
        snapshot = sorted(torn.glob("snapshot-*.json"))[-1]
        snapshot.write_bytes(snapshot.read_bytes().replace(b"Retail", b"Retxil"))
        (torn / "manifest.json.tmp").write_bytes(b"{")
        # What a start puts into the quarantine: the names hold checksums, and tracing goes by names.
        Server(self.binary, copy(torn, self.data)).ready().kill()
        self.quarantined = [f"quarantine/{path.name}" for path in (self.data / "quarantine").iterdir()]
        return torn

    def run(self, row: Row, place: Place, call: str, fault: str, persists: bool) -> None:
        """k = 1, 2, 3 … until a run sees no fault."""
        name, store, files = place
        for k in range(1, self.most + 1):
            case = Case(name, call, fault, k, persists)
            ledger = Ledger("base", list(files))
            shutil.rmtree(self.data, ignore_errors=True)
            if store:
                copy(store, self.data)
            serve = self.while_serving if name in ("commit", "snapshot") else self.while_starting
            hit, wrong = serve(case, ledger)
            if store == self.earlier:
                wrong = wrong + self.judge_upgrade(files)
            if not hit:
                return
            if not store:  # what the fault prevented is made, or goes on
                server = Server(self.binary, self.data)
                if server.outcome() is None:
                    server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
                server.kill()
            check_restart(row, str(case), self.binary, self.data, ledger, wrong)
        if self.most == MOST:
            row.case(str(case), [], ["there were more calls than there should be"])

    def judge_upgrade(self, files: list[File]) -> list[str]:
        """Before anything is in the newer format, the earlier store is in a backup for the earlier program."""
        newer = [path.name for path in self.data.iterdir() if path.suffix != ".tmp" and path.is_file()
                 and b'"format":"sooke' in path.read_bytes()[:32] and b'/4"' in path.read_bytes()[:48]]
        if not newer:
            return []
        backup, back = self.data / "before-format-4.json", self.folder / "back"
        if not backup.exists() or not backup.read_bytes().startswith(b'{"format":"sooke/3",'):
            return [f"no backup came before {newer}"]
        shutil.rmtree(back, ignore_errors=True)
        done = sooke(self.binary, "restore", backup, "--data", back)
        rows = sooke(self.binary, "export", "--data", back, "--format", "ndjson").stdout
        lost = [file.name for file in files if rows.count(f'"description":"{file.name}"') != file.rows]
        return [f"the backup lacks {lost}: {done.stderr}"] if lost else []

    def while_starting(self, case: Case, ledger: Ledger) -> tuple[bool, list[str]]:
        """The fault hits the thread that opens the store; it may only make the start fail."""
        trace = case.traced(self.folder, self.data, self.quarantined)
        server = Server(self.binary, self.data, prefix=trace.prefix)
        status = server.outcome()
        if status is None:
            if case.place != "the start of a new store":
                ledger.send(server)
            server.kill()
        hit, log = was_hit(case, status, trace)
        wrong = judge_end(case, status, log)
        if status == IO_ERROR and str(self.data.parent) not in server.said:
            wrong.append(f"the message does not say where: {server.said}")
        if hit and status == 0:
            wrong.append("it ended as if nothing had happened")
        return hit, wrong

    def while_serving(self, case: Case, ledger: Ledger) -> tuple[bool, list[str]]:
        """The fault hits a thread of a server that takes imports and snapshots, and that is stopped in the end."""
        server = Server(self.binary, self.data).ready()
        wrong: list[str] = []
        before = ledger.answered()
        try:
            trace = case.traced(self.folder, self.data)
            with trace.attached(server.thread(case.place)):
                self.load(case, server, ledger, wrong)
                answered = ledger.answered() - before
                status = server.status
                if status is None and not (case.fault == "ENOSPC" and case.persists):
                    status = server.stop()
            if status is None:
                ledger.must_send(server, wrong, "when there was room again")
                status = server.stop()
        finally:
            server.kill()
        hit, log = was_hit(case, status, trace)
        synced = [line for line in log if "wal-" in line and line.endswith(" = 0")]
        if case.call == "fdatasync" and case.place == "commit" and answered > len(synced):
            wrong.append(f"{answered} imports were answered after {len(synced)} syncs")
        refused = sum(file.answered is False for file in ledger.files)
        if refused > 1 and not case.persists and case.call != "ftruncate":
            wrong.append(f"{refused} imports were refused for one fault")
        return hit, wrong + judge_end(case, status, log)

    def load(self, case: Case, server: Server, ledger: Ledger, wrong: list[str]) -> None:
        """Imports with snapshots in between, one after the other, so that the number of calls says what was synced.

        Without room, and only then, an import is refused; reading goes on.
        """
        for step in ("import", "import", "snapshot", "import", "snapshot", "import"):
            if step == "snapshot":
                with contextlib.suppress(OSError, http.client.HTTPException):
                    server.ask("POST", "/api/v1/admin/snapshot")
                continue
            answer = ledger.send(server)
            if answer is None:
                server.wait(10)
                return
            if answer.status != 200:
                no_room = case.fault == "ENOSPC" or case.call == "ftruncate"
                if not no_room or answer.status != 507 or "Retry-After" not in answer.headers:
                    wrong.append(f"an import got {answer.status}: {answer.body[:200]!r}")
                if (status := send(server.url, "/api/v1/businesses").status) != 200:
                    wrong.append(f"a read got {status} while there was no room")


def was_hit(case: Case, status: int | None, trace: Trace) -> tuple[bool, list[str]]:
    """Whether the fault was made, and what strace wrote."""
    log = trace.lines()
    if case.fault == "SIGKILL":
        return status == -signal.SIGKILL, log
    names = case.call if case.call in ("rename", "unlink", "mkdir") else f"{case.call}("
    return any("(INJECTED)" in line and line.startswith(names) for line in log), log


def judge_end(case: Case, status: int | None, log: list[str]) -> list[str]:
    """A failed sync ends the process with 74; nothing ends it in any other way."""
    if case.fault == "SIGKILL":
        return []
    failed_sync = any("(INJECTED)" in line and line.startswith(SYNCS) for line in log)
    if failed_sync and status != IO_ERROR:
        return [f"a sync failed, and the process ended with {status} instead of {IO_ERROR}"]
    return [] if status in (None, 0, IO_ERROR) else [f"it ended with {status}"]
