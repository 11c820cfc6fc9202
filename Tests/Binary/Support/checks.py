"""What the programs share that run several checks: rows, the closing table, and the command line."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from harness import Answer, Server, end_cleanly_when_told, executable

MOST_SHOWN = 20  # failures of a row that are printed


class Skip(Exception):
    """A check cannot run on this machine; the message says why."""


@dataclass
class Row:
    """One line of the closing table: what was looked at, how often, and how often it was not as it must be."""

    name: str
    cases: int = 0
    failed: int = 0
    figures: str = ""
    skipped: str = ""
    total: int = 0  # how many cases there will be, where that is known before
    seconds: float | None = None  # what the whole check took, in the first of its rows

    def check(self, holds: bool, what: str, detail: object = "") -> bool:
        """Counts one case; `what` and `detail` are printed when it does not hold."""
        self.cases += 1
        if not holds:
            self.failed += 1
            if self.failed <= MOST_SHOWN:
                print(f"FAIL {self.name}, {what}" + (f": {shown(detail)}" if detail != "" else ""), flush=True)
        return holds

    def case(self, name: str, lost: list[str], wrong: list[str], cases: int = 1) -> None:
        """Counts one case, or more of a kind, and prints the first that were not as they must be."""
        for text in [f"lost: {text}" for text in lost[:3]] + wrong[:3] if self.failed < MOST_SHOWN else []:
            tell_progress("")
            print(f"FAIL {self.name}, {name}: {text}", flush=True)
        self.cases += cases
        self.failed += len(lost) + len(wrong)
        self.tell(self.cases)

    def tell(self, done: int) -> None:
        """Shows how many cases are done."""
        tell_progress(f"{self.name}: {done:,}" + (f" of {self.total:,}" if self.total else ""))

    def answered(self, answer: Answer, status: int, what: str) -> Answer:
        """Counts one case: whether an answer has the status that it must have."""
        self.check(answer.status == status, f"{what}: {status} was expected", answer)
        return answer


def tell_progress(text: str) -> None:
    """Writes over the last line of a terminal; elsewhere it does nothing."""
    if sys.stdout and sys.stdout.isatty():
        print(f"\r\033[K{text}", end="", flush=True)


Check = Callable[[Path, Path, bool], list[Row]]


def shown(detail: object) -> str:
    """Some detail, short enough to be read; of an answer the status and the body."""
    if isinstance(detail, Answer):
        detail = f"{detail.status} {detail.body[:400].decode(errors='replace')}"
    return str(detail)[:600]


def run_checks(description: str | None, checks: dict[str, Check], stop_all: Callable[[], None] = lambda: None,
               tools: dict[str, str] | None = None) -> int:
    """Runs the checks that the command line asks for, and prints the table; the exit status.

    `stop_all` ends what a check that was interrupted has left running; `tools` are programs that are needed, and the
    packages of Debian that have them.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=executable, help="the server to test: the executable sooke")
    parser.add_argument("--short", action="store_true", help="fewer cases of each kind, for every day")
    parser.add_argument("--only", nargs="+", choices=checks, metavar="NAME", default=list(checks),
                        help=f"some of the checks: {', '.join(checks)}")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="writes the table to a file as well")
    options = parser.parse_args()
    end_cleanly_when_told()
    install_tools(tools or {})
    rows: list[Row] = []
    for name in options.only:
        try:
            rows += run(name, checks[name], options.binary, options.short, stop_all)
        except (KeyboardInterrupt, SystemExit):  # what was found until now is told all the same
            rows.append(Row(name))
            rows[-1].check(False, "the check runs to its end", "it was interrupted")
            break
    line, status = conclusion(rows)
    text = "\n".join([f"{machine()}{', short' if options.short else ''}", "", *table(rows), "", line])
    print("\n" + text)
    if options.markdown:
        options.markdown.write_text(text + "\n")
    return status


def run(name: str, check: Check, binary: Path, short: bool, stop_all: Callable[[], None]) -> list[Row]:
    """Runs one check in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix=f"sooke-{Path(sys.argv[0]).resolve().parent.name.lower()}-")).resolve()
    began = time.monotonic()
    print(f"== {name}", flush=True)
    try:
        rows = check(binary, folder, short)
    except Skip as reason:
        rows = [Row(name, skipped=str(reason))]
    except Exception as error:  # one check that breaks does not keep the others from running
        rows = [Row(name)]
        rows[0].check(False, "the check runs to its end", f"{type(error).__name__}: {error}")
    finally:
        stop_all()
        Server.kill_all()
        shutil.rmtree(folder, ignore_errors=True)
        tell_progress("")
    rows[0].seconds = time.monotonic() - began
    return rows


def table(rows: list[Row]) -> list[str]:
    """The closing table, in Markdown; the seconds of a check stand in the first of its rows."""
    width = max(len(row.name) for row in rows)
    lines = [f"| {'check':{width}} | cases | failed | seconds | |", f"|-{'-' * width}-|------:|-------:|--------:|-|"]
    for row in rows:
        counts = f"{row.cases:5,} | {row.failed:6}" if not row.skipped else "    – |      –"
        seconds = f"{row.seconds:7.0f}" if row.seconds is not None else " " * 7
        remark = f"skipped: {row.skipped}" if row.skipped else row.figures
        lines.append(f"| {row.name:{width}} | {counts} | {seconds} | {remark} |")
    return lines


def conclusion(rows: list[Row]) -> tuple[str, int]:
    """The closing line, and the exit status."""
    skipped = sum(bool(row.skipped) for row in rows)
    failed = sum(not row.skipped and (row.failed > 0 or row.cases == 0) for row in rows)
    return f"{len(rows) - skipped - failed} passed, {failed} failed, {skipped} skipped", 1 if failed else 0


def install_tools(tools: dict[str, str]) -> None:
    """Installs what a machine may lack, where Debian's packages can be had; `tools` are programs and their packages."""
    packages = sorted({package for tool, package in tools.items() if not shutil.which(tool)})
    if not packages or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", "-qq", *command], env=environment, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


def machine() -> str:
    """When and on what the figures were taken."""
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    device = os.stat("/tmp").st_dev
    kinds = [kind for _, where, kind, *_ in mounts if os.path.exists(where) and os.stat(where).st_dev == device]
    cores = len(os.sched_getaffinity(0))
    return (f"{datetime.now(timezone.utc):%Y-%m-%d}, {cores} {'core' if cores == 1 else 'cores'}, "
            f"Linux {os.uname().release}, {kinds[-1] if kinds else 'unknown file system'}")
