"""A process under strace, and file systems mounted for a check."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from checks import Skip

FILES = [f"{kind}-{number:020d}.{suffix}" for number in range(64)
         for kind, suffix in (("wal", "log"), ("snapshot", "json"))]
FILES += ["manifest.json", "history.json", "spare", "durable"]


class Trace:
    """strace on one thread of a server, with faults.

    strace counts the calls of each thread by itself, so a fault in "the k-th call" is only well-defined for one thread.
    It is limited to the files of the store: those of the first few hundred commits, by all names they ever have.
    """

    def __init__(self, log: Path, data: Path, calls: str, *faults: str, more: list[str] | None = None) -> None:
        """Traces some calls; `more` are names of further files in the folder."""
        self.log = log
        self._process: subprocess.Popen[bytes] | None = None
        paths = [str(data.parent), str(data), f"{data}/quarantine", f"{data}/lock", f"{data}/admin.sock"]
        paths += [f"{data}/{name}{end}" for name in [*FILES, *(more or [])] for end in ("", ".tmp")]
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
            end = time.monotonic() + 10
            while not re.search(r"TracerPid:\t[1-9]", Path(f"/proc/{thread}/status").read_text()):
                if time.monotonic() > end:
                    raise RuntimeError("strace does not attach")
                time.sleep(0.002)
            time.sleep(0.02)  # it has attached, and is about to let the thread go on
            yield self
        finally:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait()

    def lines(self) -> list[str]:
        """What it has written so far; all of it when the traced process has ended."""
        end = time.monotonic() + 2
        while not self._process and "+++ " not in self._text() and time.monotonic() < end:
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
