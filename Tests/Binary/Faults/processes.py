"""Ends and starts server processes at the wrong time."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from checks import Row
from harness import Server
from rig import LOCKED, File, changed, check_restart, contents, make_store
from tracing import require_strace

KILL = Path(__file__).resolve().parent.parent / "Contract" / "kill"
ROUNDS_OF_A_FOLDER = 25  # a folder that has grown for longer takes most of its time to be read back


def kill(binary: Path, folder: Path, short: bool) -> list[Row]:
    """SIGKILL at random times while 32 clients import: the contract's own program, on a new folder now and then."""
    rounds = 50 if short else 1000
    row = Row("SIGKILL at a random microsecond, 32 clients", total=rounds)
    imports = 0
    while row.cases < rounds:
        command = [sys.executable, str(KILL), str(binary), "--clients", "32", "--rounds", str(ROUNDS_OF_A_FOLDER)]
        status, said = run_to_its_end(command)
        faults = re.findall(r"^FAIL .*$", said, re.MULTILINE)
        lost = [line for line in faults if "as new as what was answered" in line or "serves again" in line]
        wrong = [line for line in faults if line not in lost]
        if status and not faults:
            wrong.append(f"{KILL.name} left with {status}: {said.strip()[-500:]}")
        counts = re.findall(r"(\d+) imports answered", said)
        imports += int(counts[-1]) if counts else 0
        row.case(said.split("\n")[0], lost, wrong, cases=ROUNDS_OF_A_FOLDER)
    row.figures = f"{imports} imports answered"
    return [row]


def run_to_its_end(command: list[str]) -> tuple[int, str]:
    """Runs a program that takes away what it made when it is told to end; its status and its words."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
    try:
        said = process.communicate()[0]
    except BaseException:
        process.terminate()
        process.wait(20)
        raise
    return process.returncode, said


def two(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A second process leaves with 73 within a second, writes nothing, and does the first one no harm."""
    row = Row("a second process on the folder", total=20 if short else 100)
    data = folder / "data"
    ledger = make_store(binary, data)
    first = Server(binary, data).ready()
    times: list[float] = []
    try:
        for number in range(row.total):
            wrong = []
            before = contents(data)
            began = time.monotonic()
            second = Server(binary, data)
            status = second.wait(10)
            times.append(time.monotonic() - began)
            second.kill()
            if status != LOCKED:
                wrong.append(f"the second process left with {status} after {times[-1]:.2f} s: {second.said}")
            if names := changed(before, contents(data)):
                wrong.append(f"the second process changed {names}")
            answer = ledger.send(first)
            if answer is None or answer.status != 200:
                wrong.append(f"the first process answered {answer and answer.status}")
            row.case(f"try {number + 1}", [], wrong)
    finally:
        first.kill()
    wrong = []
    if sorted(times)[-2] > 1:  # one of them may have met a pause of the machine
        wrong.append(f"second processes took {', '.join(f'{took:.1f}' for took in times)} s to leave")
    check_restart(row, "restart", binary, data, ledger, wrong)
    row.cases -= 1
    row.figures = f"gone after at most {max(times) * 1000:.0f} ms"
    return [row, race(binary, folder, short)]


def race(binary: Path, folder: Path, short: bool) -> Row:
    """Of two processes that start at the same time on a new folder, one serves and the other leaves."""
    row = Row("two processes start at once", total=5 if short else 50)
    for number in range(row.total):
        data = folder / f"race-{number}"
        servers = [Server(binary, data), Server(binary, data)]
        try:
            statuses = [server.outcome() for server in servers]
            wrong = [] if sorted(map(str, statuses)) == [str(LOCKED), "None"] else [f"they ended with {statuses}"]
            row.case(f"try {number + 1}", [], wrong)
        finally:
            for server in servers:
                server.kill()
    return row


def threads(binary: Path, folder: Path, short: bool) -> list[Row]:
    """What the system does to threads: it interrupts the calls that wake others, and allows no higher priority."""
    require_strace()
    return [interrupted(binary, folder), priorities(binary, folder)]


def interrupted(binary: Path, folder: Path) -> Row:
    """Each second write of a thread is interrupted before it begins, also those that wake another thread."""
    row = Row("a write that is interrupted")
    data, log = folder / "interrupted", folder / "strace"
    ledger = make_store(binary, data)
    server = Server(binary, data, prefix=[
        "strace", "-f", "--daemonize", "-o", str(log), "-e", "trace=write", "-e", "inject=write:error=EINTR:when=1+2"])
    try:
        server.ready()
    except RuntimeError as error:
        row.case("start", [], [str(error)])
        return row
    for number in range(10):
        file = File(f"{ledger.name}-{len(ledger.files)}", 1)
        ledger.files.append(file)
        wrong = []
        try:
            answer = server.ask("POST", "/api/v1/admin/import?format=ndjson", file.body, timeout=5)
            file.answered = 200 <= answer.status < 300
            if not file.answered:
                wrong.append(f"it got {answer.status}")
        except OSError as error:
            wrong.append(f"it got no answer: {error!r}")
        row.case(f"import {number + 1}", [], wrong)
    wrong = [] if server.stop() == 0 else [f"it stopped badly: {server.said}"]
    if "(INJECTED)" not in log.read_text():
        wrong.append("nothing was interrupted")
    server.kill()
    check_restart(row, "restart", binary, data, ledger, wrong)
    return row


def priorities(binary: Path, folder: Path) -> Row:
    """No thread asks for a higher priority: the system denies it, and the service's log gets a line for each."""
    row = Row("the priorities of threads")
    data, log = folder / "priorities", folder / "strace"
    for nice in (0, 5):
        shutil.rmtree(data, ignore_errors=True)
        server = Server(binary, data, prefix=["nice", "-n", str(nice), "strace", "-f", "--daemonize", "-o", str(log),
                                               "-e", "trace=setpriority,sched_setscheduler,sched_setattr"])
        server.ready()
        status = server.stop()
        asked = re.findall(r"setpriority\(PRIO_PROCESS, 0, (-?\d+)\)", log.read_text())
        wrong = [] if status == 0 else [f"it ended with {status}: {server.said}"]
        if raised := [value for value in asked if int(value) <= nice]:
            wrong.append(f"threads asked for the priorities {raised}")
        row.case(f"nice {nice}", [], wrong)
    return row
