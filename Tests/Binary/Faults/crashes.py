"""Crashes leave a report; and starts and stops where something outside of the folder is wrong."""

import contextlib
import http.client
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from checks import Row
from harness import Server, send, wrapper
from rig import Ledger, check_restart, make_store
from tracing import Trace, require_strace


SYMBOLS = Path(__file__).resolve().parents[3] / ".build" / "release" / "sooke.symbols"
REPORT = (r"sooke: crashed: {}, sooke [\d.]+ \([^)]*\)\n  request: {}\n  addresses:((?: 0x[0-9a-f]+)+)\n"
          r"sooke: send these lines to whoever maintains sooke, and say what was done before; they are also in {}\n")


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A crash under a request, on the threads that serve, commit and run tasks, of a server and of a demo."""
    require_strace()
    row = Row("a crash leaves a report")
    data = folder / "data"
    ledger = make_store(binary, data)
    server = Server(binary, data, prefix=trap(folder)).ready()
    ask(server.url)
    check_report(row, "a read", binary, server.wait(10), server, "SIGILL", "trapped-1 GET /events")
    for signal_, write, path in (("SIGSEGV", ledger.create, "/api/v1/businesses"), ("SIGABRT", ledger.send, "/api/v1/admin/import")):
        server = Server(binary, data).ready()
        with Trace(folder / "strace", data, "fdatasync", f"fdatasync:signal={signal_}").attached(server.thread("commit")):
            write(server)
            check_report(row, f"POST {path}", binary, server.wait(10), server, signal_, "[0-9a-f]{16} POST " + path)
        named = "the server has crashed (request:" in server.printed
        row.case("the start after the crash before", [], [] if named else [f"says nothing of it: {server.printed}"])
    (data / "crash.log").unlink(missing_ok=True)
    check_restart(row, "restart", binary, data, ledger, [])
    check_demo(row, binary, folder)
    return [row]


def trap(folder: Path) -> list[str]:
    """In front of a program: its first response is a crash."""
    return ["strace", "-f", "--daemonize", "-o", str(folder / "strace"), "-e", "trace=sendto,sendmsg", "-e",
            "inject=sendto,sendmsg:signal=SIGILL:when=1"]


def ask(url: str) -> None:
    with contextlib.suppress(OSError, http.client.HTTPException):
        send(url, "/events?secret=1", "GET", {"X-Request-ID": "trapped-1"}, b"")


def check_report(row: Row, name: str, binary: Path, status: int | None, server: Server, number: str, request: str) -> None:
    server.said  # all of it
    file = server.data / "crash.log"
    text = file.read_text() if file.exists() else ""
    wrong = problems(binary, server.printed + "\n", text, number, request, re.escape(str(file)))
    if status != -signal.Signals[number]:
        wrong.append(f"it ended with {status}")
    if text and (file.stat().st_mode & 0o777) != 0o600:
        wrong.append(f"others may read the report: {file.stat().st_mode:o}")
    row.case(name, [], wrong)


def problems(binary: Path, said: str, file: str, number: str, request: str, path: str) -> list[str]:
    """What is wrong with a report, as it was printed and as it is in its file."""
    found = re.search(REPORT.format(number, request, path), said)
    if not found:
        return [f"it said {said[-1500:]!r}"]
    stripped = " .symtab " not in subprocess.run(["readelf", "-SW", binary], capture_output=True, text=True).stdout
    lines = subprocess.run(["addr2line", "-fipe", SYMBOLS if stripped else binary, *found[1].split()], capture_output=True, text=True)
    wrong = [] if re.search(r"EventLoop.*\.swift:\d|Journal.*\.swift:\d", lines.stdout) else [f"no lines: {lines.stdout[:800]}{lines.stderr}"]
    return wrong + ([f"the file has {file!r}"] if file != found[0] else []) + (["the query is in it"] if "secret" in found[0] else [])


def check_demo(row: Row, binary: Path, folder: Path) -> None:
    """The demo's report names a file that is there until the next demo."""
    home, output = folder / "home", folder / "demo"
    home.mkdir()
    with output.open("wb") as file:
        demo = subprocess.Popen([wrapper(binary, trap(folder)), "demo", "--port", "0", "--log", "off"], stdin=subprocess.DEVNULL,
                                stdout=file, stderr=file, env={**os.environ, "TMPDIR": str(home)})
    for _ in range(500):
        if found := re.search(r"ready at (http://\S+)", output.read_text()):
            ask(found[1])
            break
        time.sleep(0.02)
    status, files = demo.wait(10), list(home.glob("*/town/crash.log"))
    text, path = (files[0].read_text(), re.escape(str(files[0]))) if files else ("", "-")
    wrong = problems(binary, output.read_text(), text, "SIGILL", "trapped-1 GET /events", path)
    row.case("demo", [], wrong + ([] if status == -signal.SIGILL else [f"it ended with {status}"]))


def odd(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Outputs that are full or closed, a pipe in place of a file, and a stop on a slow disk."""
    row = Row("a start with an odd output or file")
    data = folder / "data"
    ledger = make_store(binary, data)
    for name, output in (("full", ">/dev/full"), ("closed", ">&-"), ("all closed", "<&- >&- 2>&-")):
        starter = folder / "start"
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
        check_restart(row, f"standard output {name}", binary, data, ledger, wrong)  # which ends it with a kill
    (data / "durable").unlink()
    os.mkfifo(data / "durable")
    check_restart(row, "a pipe", binary, data, ledger, [])
    return [row] if short or not shutil.which("strace") else [row, slow_stop(binary, data, ledger, folder)]


def slow_stop(binary: Path, data: Path, ledger: Ledger, folder: Path) -> Row:
    """A stop ends before systemd would kill it, and loses nothing."""
    row = Row("a stop while each sync takes 20 s")
    server = Server(binary, data).ready()
    ledger.send(server)
    tracer = subprocess.Popen(["strace", "-f", "-o", str(folder / "strace"), "-e", "trace=fsync,fdatasync", "-e",
                               "inject=fsync,fdatasync:delay_enter=20s", "-p", str(server.pid)], stderr=subprocess.DEVNULL)
    time.sleep(1)
    began, status = time.monotonic(), server.stop(timeout=60)
    took = time.monotonic() - began
    tracer.wait()
    row.figures = f"{took:.0f} s"
    wrong = [] if status == 0 and took < 30 and "the disk is slow" in server.said else [f"{status} after {took} s: {server.said}"]
    check_restart(row, "stop", binary, data, ledger, wrong)
    return row
