"""What the rigs share: a server that can be traced, imports that are remembered, and rows for the closing table."""

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Contract"))
from harness import Answer, LocalConnection, Server, send  # noqa: E402  (the folder beside this one)

NOBODY = 65534
CATEGORIES = b'{"categories": [{"id": 1, "name": "Retail", "slug": "retail"}]}'
BAD_DATA, NO_INPUT, DISPLACED, LOCKED, IO_ERROR, NOT_PERMITTED, CONFIGURATION = 65, 66, 72, 73, 74, 77, 78  # how a command ends

MOST_SHOWN = 30  # failures of a row that are printed


class Skip(Exception):
    """A rig cannot run on this machine; the message says why."""


@dataclass
class Row:
    """One line of the closing table: a fault, in how many cases it was made, and what came of it."""

    fault: str
    cases: int = 0
    lost: int = 0
    wrong: int = 0
    figures: str = ""
    skipped: str = ""
    total: int = 0  # how many cases there will be, where that is known before
    seconds: float | None = None  # what the whole rig took, in the first of its rows

    def case(self, name: str, lost: list[str], wrong: list[str], cases: int = 1) -> None:
        """Counts one case, or more of a kind, and prints the first that were not as they must be."""
        for text in [f"lost: {text}" for text in lost[:3]] + wrong[:3] if self.lost + self.wrong < MOST_SHOWN else []:
            tell_progress("")
            print(f"FAIL {self.fault}, {name}: {text}", flush=True)
        self.cases += cases
        self.lost += len(lost)
        self.wrong += len(wrong)
        self.tell(self.cases)

    def tell(self, done: int) -> None:
        """Shows how many cases are done."""
        tell_progress(f"{self.fault}: {done:,}" + (f" of {self.total:,}" if self.total else ""))


def tell_progress(text: str) -> None:
    """Writes over the last line of a terminal; elsewhere it does nothing."""
    if sys.stdout and sys.stdout.isatty():
        print(f"\r\033[K{text}", end="", flush=True)


class Process(Server):
    """A server whose process can be looked at; `prefix` is put in front of its command line."""

    _started: ClassVar[list["Process"]] = []

    def __init__(self, binary: Path, data: Path, *options: str, prefix: list[str] | None = None) -> None:
        if prefix:
            binary = wrapper(binary, prefix)
        super().__init__(binary, data, *options)
        self._started.append(self)
        self.data = data

    @classmethod
    def kill_all(cls) -> None:
        """Ends what is left when a rig is interrupted."""
        for process in cls._started:
            process.kill()
        cls._started.clear()

    def send(self, number: signal.Signals) -> None:
        """Sends a signal and does not wait for what comes of it."""
        self._process.send_signal(number)

    def wait(self, timeout: float) -> int | None:
        """Waits until it ends by itself; None when it does not."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(timeout)
        return None

    def outcome(self, timeout: float = 20) -> int | None:
        """Waits until it is ready or has ended; its status, None when it is ready."""
        end = time.monotonic() + timeout
        while not self.url and self.status is None and time.monotonic() < end:
            time.sleep(0.002)
        self._ready.wait(2)  # for its last words
        return self.status

    def thread(self, name: str) -> int:
        """The id of the thread with this name, which it gives itself when it begins to run."""
        end = time.monotonic() + 5
        while time.monotonic() < end:
            for task in Path(f"/proc/{self.pid}/task").iterdir():
                if (task / "comm").read_text().strip() == name:
                    return int(task.name)
            time.sleep(0.002)
        raise RuntimeError(f"the server has no thread {name}")

    def ask(self, method: str, path: str, body: bytes = b"", timeout: float = 30) -> Answer:
        """One request through the administration socket; raises OSError or HTTPException when there is no answer."""
        connection = LocalConnection(self.data / "admin.sock", timeout)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def sequence(self) -> int:
        """The number of the last commit."""
        return self.ask("GET", "/api/v1/admin/status").json()["sequence"]


def wrapper(binary: Path, prefix: list[str]) -> Path:
    """A program that runs the binary behind a prefix such as `strace …`, in the same process."""
    words = " ".join("'" + word.replace("'", "'\\''") + "'" for word in [*prefix, str(binary)])
    handle, name = tempfile.mkstemp(prefix="run-", dir=binary.parent)
    os.write(handle, f'#!/bin/sh\nexec {words} "$@"\n'.encode())
    os.close(handle)
    os.chmod(name, 0o755)
    return Path(name)


# Imports that are remembered


@dataclass
class File:
    """An import and what came of it: True answered with 2xx, False refused, None not known."""

    name: str
    rows: int
    answered: bool | None = None

    @property
    def body(self) -> bytes:
        return b"".join(self.line(number) for number in range(self.rows))

    def line(self, number: int) -> bytes:
        return json.dumps({"business": self.row(number)}).encode() + b"\n"

    def row(self, number: int) -> dict[str, Any]:
        return {"name": f"{self.name} {number}", "slug": f"{self.name}-{number}", "category": "retail",
                "description": self.name, "address": f"{number} of {self.rows}", "latitude": 48.37, "longitude": -123.7}


@dataclass
class Ledger:
    """All imports and single businesses that were sent to a store."""

    name: str = "base"
    files: list[File] = field(default_factory=list)

    def send(self, server: Process, rows: int = 3) -> Answer | None:
        """Imports a new file; None when no answer comes."""
        file = File(f"{self.name}-{len(self.files)}", rows)
        return self.write(server, file, "/api/v1/admin/import?format=ndjson", file.body)

    def create(self, server: Process) -> Answer | None:
        """Creates one business, which waits for no other client; None when no answer comes."""
        file = File(f"{self.name}-{len(self.files)}", 1)
        return self.write(server, file, "/api/v1/businesses", json.dumps(file.row(0)).encode())

    def write(self, server: Process, file: File, path: str, body: bytes) -> Answer | None:
        self.files.append(file)
        try:
            answer = server.ask("POST", path, body)
        except (OSError, http.client.HTTPException):
            return None
        file.answered = 200 <= answer.status < 300
        return answer

    def answered(self) -> int:
        return sum(file.answered is True for file in self.files)

    def compare(self, url: str) -> tuple[list[str], list[str]]:
        """Reads all rows back; what is lost, and what is there but must not be."""
        there: dict[str, int] = {}
        for row in businesses(url):
            there[row["description"]] = there.get(row["description"], 0) + 1
        lost, wrong = [], []
        for file in self.files:
            found = there.pop(file.name, 0)
            if file.answered and found < file.rows:
                lost.append(f"{file.name} was answered, {found} of {file.rows} rows are there")
            elif found not in (0, file.rows):
                wrong.append(f"{file.name} is half there: {found} of {file.rows} rows")
            elif found and file.answered is False:
                wrong.append(f"{file.name} was refused and is there")
        return lost, wrong + [f"{name} was never sent" for name in there]


def businesses(url: str) -> Iterator[dict[str, Any]]:
    """Every business that a server lists."""
    page, pages = 1, 1
    while page <= pages:
        answer = send(url, f"/api/v1/businesses?per_page=100&page={page}").json()
        yield from answer["items"]
        page, pages = page + 1, answer["pagination"]["total_pages"]


def count_businesses(url: str) -> int:
    """How many businesses a server has."""
    return send(url, "/api/v1/businesses?per_page=1").json()["pagination"]["total_items"]


def make_store(binary: Path, data: Path) -> Ledger:
    """A small store with two snapshots, a few segments and a clean end."""
    ledger = Ledger()
    server = Process(binary, data).ready()
    try:
        server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
        for _ in range(2):
            ledger.send(server)
            server.ask("POST", "/api/v1/admin/snapshot")
        ledger.send(server)
    finally:
        status = server.stop()
    if status != 0 or ledger.answered() != 3:
        raise RuntimeError(f"no store could be made (status {status}): {server.said}")
    return ledger


def check_restart(row: Row, name: str, binary: Path, data: Path, ledger: Ledger, wrong: list[str]) -> None:
    """Starts the store as usual, compares, imports once more, and counts the case."""
    server = Process(binary, data)
    lost: list[str] = []
    try:
        server.ready()
        lost, more = ledger.compare(server.url)
        wrong = wrong + more
        answer = ledger.send(server)
        if answer is None or answer.status != 200:
            wrong.append(f"an import afterwards got {answer and answer.status}: {answer and answer.body[:200]!r}")
    except (RuntimeError, OSError, ValueError) as error:
        lost = [f"everything: {error}"]
    finally:
        server.kill()
    row.case(name, lost, wrong)


# Folders

def contents(data: Path) -> dict[str, bytes]:
    """All files of a folder and their bytes; not the socket."""
    return {str(path.relative_to(data)): path.read_bytes() for path in sorted(data.rglob("*")) if path.is_file()}


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """The names of files that are new, gone or different."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def copy(data: Path, to: Path) -> Path:
    """A copy of a data folder, in place of what is there."""
    shutil.rmtree(to, ignore_errors=True)
    return Path(shutil.copytree(data, to, ignore=shutil.ignore_patterns("admin.sock")))


@contextlib.contextmanager
def mounted(folder: Path, *arguments: str) -> Iterator[Path]:
    """A file system mounted on a folder, and always taken off again."""
    folder.mkdir(exist_ok=True)
    result = subprocess.run(["mount", *arguments, str(folder)], capture_output=True, text=True)
    if result.returncode:
        raise Skip(f"nothing can be mounted here: {(result.stderr or result.stdout).strip()}")
    try:
        yield folder
    finally:
        unmount(folder)


def unmount(folder: Path) -> None:
    """Takes a file system off, when its last user is gone."""
    for _ in range(50):
        if not os.path.ismount(folder) or subprocess.run(["umount", str(folder)], capture_output=True).returncode == 0:
            return
        time.sleep(0.1)
    subprocess.run(["umount", "--lazy", str(folder)], capture_output=True)


# Tracing

class Trace:
    """strace on one thread of a server, with faults.

    strace counts the calls of each thread by itself, so a fault in "the k-th call" is only well-defined for one thread.
    It is limited to the files of the store: those of the first few hundred commits, by all names they ever have.
    """

    def __init__(self, log: Path, data: Path, calls: str, *faults: str, more: list[str] | None = None) -> None:
        """Traces some calls; `more` are names of further files in the folder."""
        self.log = log
        self._process: subprocess.Popen[bytes] | None = None
        names = [f"{kind}-{number:020d}.{suffix}" for number in range(64)
                 for kind, suffix in (("wal", "log"), ("snapshot", "json"))] + ["manifest.json", "history.json", "spare", "durable", *(more or [])]
        paths = [str(data.parent), str(data), f"{data}/quarantine", f"{data}/lock", f"{data}/admin.sock"]
        paths += [f"{data}/{name}{end}" for name in names for end in ("", ".tmp")]
        self.command = ["strace", "-y", "-o", str(log), "-e", f"trace={calls}"]
        self.command += [word for fault in faults for word in ("-e", f"inject={fault}")]
        self.command += [f"--trace-path={path}" for path in paths]
        log.unlink(missing_ok=True)

    @property
    def prefix(self) -> list[str]:
        """In front of a program, it traces that program's first thread, and the program keeps its process id."""
        return [*self.command, "--daemonize"]

    @contextlib.contextmanager
    def attached(self, thread: int) -> Iterator["Trace"]:
        """Traces a thread of a running process; without a fault any more afterwards."""
        self._process = subprocess.Popen([*self.command, "-p", str(thread)], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self._wait_for_tracer(thread)
            yield self
        finally:
            self.end()

    def _wait_for_tracer(self, thread: int) -> None:
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if re.search(r"TracerPid:\t[1-9]", Path(f"/proc/{thread}/status").read_text()):
                time.sleep(0.02)  # it has attached, and is about to let the thread go on
                return
            time.sleep(0.002)
        raise RuntimeError("strace does not attach")

    def end(self) -> None:
        """Lets the thread go; nothing happens when it has ended already."""
        if self._process:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait()

    def lines(self) -> list[str]:
        """What it has written so far; all of it when the traced process has ended."""
        if not self._process:
            end = time.monotonic() + 2
            while "+++ " not in self._text() and time.monotonic() < end:
                time.sleep(0.002)
        return self._text().splitlines()

    def _text(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""


def require_strace() -> None:
    """Skips where a process may not be traced."""
    if not shutil.which("strace"):
        raise Skip("strace is not installed")
    result = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, text=True)
    if result.returncode:
        raise Skip(f"strace may not trace here: {result.stderr.strip()[:200]}")


def require_root() -> None:
    """Skips where something takes the rights of root."""
    if os.geteuid() != 0:
        raise Skip("it takes root")
