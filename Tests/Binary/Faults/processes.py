"""Two processes on a folder, interrupted calls, odd outputs, and crashes with their reports."""

import contextlib
import http.client
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from checks import Row
from harness import Server, send
from rig import DISPLACED, LOCKED, changed, check_restart, contents, make_store
from tracing import Trace, require_strace

REPORT = (r"sooke: crashed: {}, sooke [\d.]+ \([^)]*\)\n  request: {}\n  addresses:((?: 0x[0-9a-f]+)+)\n"
          r"sooke: send these lines to whoever maintains sooke, and say what was done before; they are also in {}\n")


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    return [second(binary, folder), race(binary, folder, 5 if short else 50), odd_output(binary, folder),
            interrupted(binary, folder)]


def second(binary: Path, folder: Path) -> Row:
    """A second process leaves with 73 and writes nothing: on the folder, on a copy of it with hard links, which is one
    store until the first has ended, and on a folder whose lock was deleted, which the first one then leaves."""
    row = Row("a second process on the folder")
    data, linked = folder / "data", folder / "linked"
    for name, gone in (("the folder", []), ("hard links", []), ("hard links without a lock", ["lock"]),
                       ("no lock", ["lock", "admin.sock"])):
        shutil.rmtree(data, ignore_errors=True)
        shutil.rmtree(linked, ignore_errors=True)
        ledger, wrong = make_store(binary, data), []
        first = Server(binary, data).ready()
        ledger.send(first)
        where = linked if name.startswith("hard links") else data
        if where == linked:
            subprocess.run(["cp", "-al", data, linked], check=True)
        if name == "no lock":
            first.send(signal.SIGSTOP)  # else it notices within a second
        for file in gone:
            (where / file).unlink()
        before = contents(where)
        other = Server(binary, where)
        if (status := other.outcome(10)) != LOCKED:
            wrong.append(f"the second process ended with {status}: {other.said}")
        other.kill()
        if names := changed(before, contents(where)):
            wrong.append(f"it changed {names}")
        first.send(signal.SIGCONT)
        if name == "no lock":
            if (status := first.wait(10)) != DISPLACED:
                wrong.append(f"the first one ended with {status} instead of {DISPLACED}")
        else:
            ledger.must_send(first, wrong, "through the first process")
        first.kill()
        if where == linked:
            check_restart(row, f"{name}, the copy", binary, linked, ledger.copy(), [])
        check_restart(row, name, binary, data, ledger, wrong)
    return row


def race(binary: Path, folder: Path, tries: int) -> Row:
    """Of two processes that start at the same time on a new folder, one serves and the other leaves."""
    row = Row("two processes start at once", total=tries)
    for number in range(tries):
        servers = [Server(binary, folder / f"race-{number}") for _ in range(2)]
        statuses = sorted(str(server.outcome()) for server in servers)
        row.case(f"try {number + 1}", [], [] if statuses == [str(LOCKED), "None"] else [f"they ended with {statuses}"])
        for server in servers:
            server.kill()
    return row


def odd_output(binary: Path, folder: Path) -> Row:
    """Standard output is full or closed: the server serves all the same, and says so where it can."""
    row = Row("a start with an odd output")
    data = folder / "odd"
    ledger = make_store(binary, data)
    starter = folder / "start"
    for name, output in (("full", ">/dev/full"), ("closed", ">&-"), ("all closed", "<&- >&- 2>&-")):
        starter.write_text(f'#!/bin/sh\nexec {binary} "$@" {output}\n')
        starter.chmod(0o755)
        server = Server(starter, data, "--port", "0")
        wrong, end = [f"it does not serve: {server.said}"], time.monotonic() + 10
        while wrong and time.monotonic() < end and server.status is None:
            with contextlib.suppress(OSError, http.client.HTTPException):
                wrong = [] if server.ask("GET", "/live").status == 200 else wrong
            time.sleep(0.02)
        ledger.send(server)
        if server.stop() != 0 or ("2>" not in output) != ("cannot write to standard output" in server.said):
            wrong.append(f"it ended with {server.status} and said {server.said}")
        check_restart(row, f"standard output {name}", binary, data, ledger, wrong)
    return row


def interrupted(binary: Path, folder: Path) -> Row:
    """Each second write of a thread is interrupted before it begins, also those that wake another thread; and no thread
    asks for a higher priority, which the system denies with a line in the service's log."""
    require_strace()
    row = Row("a write that is interrupted")
    data, log = folder / "interrupted", folder / "strace"
    ledger = make_store(binary, data)
    server = Server(binary, data, prefix=["nice", "-n", "5", "strace", "-f", "--daemonize", "-o", str(log), "-e",
                                          "trace=write,setpriority", "-e", "inject=write:error=EINTR:when=1+2"]).ready()
    for number in range(10):
        wrong: list[str] = []
        ledger.must_send(server, wrong, "while writes are interrupted")
        row.case(f"import {number + 1}", [], wrong)
    wrong = [] if server.stop() == 0 else [f"it stopped badly: {server.said}"]
    wrong += [] if "(INJECTED)" in log.read_text() else ["nothing was interrupted"]
    asked = re.findall(r"setpriority\(PRIO_PROCESS, 0, (-?\d+)\)", log.read_text())
    wrong += [f"a thread asked for the priority {value}" for value in asked if int(value) <= 5]
    check_restart(row, "restart", binary, data, ledger, wrong)
    return row


# Crashes

def crashes(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A crash under a request, on the threads that serve and commit."""
    require_strace()
    row = Row("a crash leaves a report")
    data = folder / "data"
    ledger = make_store(binary, data)
    prefix = ["strace", "-f", "--daemonize", "-o", str(folder / "strace"), "-e", "trace=sendto,sendmsg", "-e",
              "inject=sendto,sendmsg:signal=SIGILL:when=1"]
    server = Server(binary, data, prefix=prefix).ready()
    with contextlib.suppress(OSError, http.client.HTTPException):  # its first response is a crash
        send(server.url, "/events?secret=1", "GET", {"X-Request-ID": "trapped-1"})
    check_report(row, "a read", binary, server, "SIGILL", "trapped-1 GET /events")
    for number, write, path in (("SIGSEGV", ledger.create, "/api/v1/businesses"),
                                ("SIGABRT", ledger.send, "/api/v1/admin/import")):
        server = Server(binary, data).ready()
        trace = Trace(folder / "strace", data, "fdatasync", f"fdatasync:signal={number}")
        with trace.attached(server.thread("commit")):
            write(server)
            check_report(row, f"POST {path}", binary, server, number, f"[0-9a-f]{{16}} POST {path}")
        named = "the server has crashed (request:" in server.printed
        row.case("the start after the crash before", [], [] if named else [f"says nothing of it: {server.printed}"])
    (data / "crash.log").unlink(missing_ok=True)
    check_restart(row, "restart", binary, data, ledger, [])
    return [row]


def check_report(row: Row, name: str, binary: Path, server: Server, number: str, request: str) -> None:
    """The report as it was printed and as it is in its file; its addresses lead to lines of the sources."""
    status = server.wait(10)
    server.said  # all of it
    file = server.data / "crash.log"
    text = file.read_text() if file.exists() else ""
    found = re.search(REPORT.format(number, request, re.escape(str(file))), server.printed + "\n")
    wrong = [] if status == -signal.Signals[number] else [f"it ended with {status}"]
    if not found or text != found[0] or "secret" in text or (file.stat().st_mode & 0o777) != 0o600:
        wrong.append(f"it said {server.printed[-1500:]!r}, and the file has {text!r}")
    else:
        symbols = binary.with_suffix(".symbols")
        lines = subprocess.run(["addr2line", "-fipe", symbols if symbols.exists() else binary, *found[1].split()],
                               capture_output=True, text=True)
        if not re.search(r"(EventLoop|Journal).*\.swift:\d", lines.stdout):
            wrong.append(f"no lines: {lines.stdout[:800]}{lines.stderr}")
    row.case(name, [], wrong)
