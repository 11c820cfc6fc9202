"""Those that the server is compared with: nginx, a bare loop, Redis, and a thread that writes and syncs."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import ROOT, Bench
from checks import Skip

# As Debian's package sets it up, but without a log, and with connections that are kept for as many requests as come.
NGINX = """\
{user}worker_processes {workers};
pid {folder}/pid-{port};
error_log {folder}/error.log;
daemon off;
events {{ worker_connections 768; }}
http {{
    sendfile on;
    tcp_nopush on;
    types_hash_max_size 2048;
    default_type application/json;
    gzip on;
    access_log off;
    keepalive_requests 1000000000;
    {more}
    server {{
        listen 127.0.0.1:{port};
        root {folder}/files;
    }}
}}
"""
FILE_CACHE = "open_file_cache max=100;"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_open(port: int, process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """Waits until somebody listens; raises RuntimeError when the process ends before."""
    end = time.monotonic() + 10
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise RuntimeError(f"{process.args!r} does not listen")


@contextlib.contextmanager
def running(command: Sequence[str | Path], port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process that listens on a port, ended afterwards."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_open(port, process)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def nginx(bench: Bench, folder: Path, files: dict[str, bytes], more: str = "") -> Iterator[str]:
    """nginx that sends some bytes for each path, from files; its URL."""
    require("nginx")
    for path, content in files.items():
        file = folder / "files" / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    port = free_port()
    user = "user root;\n" if os.geteuid() == 0 else ""  # the files are nobody else's
    configuration = folder / f"nginx-{port}.conf"
    configuration.write_text(NGINX.format(user=user, workers=bench.workers, folder=folder, more=more, port=port))
    with running(["nginx", "-c", configuration], port):
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def bare_loop(bench: Bench, answers: list[bytes]) -> Iterator[str]:
    """The program that sends these answers in turn and does nothing else; its URL."""
    program = built_bare_loop(bench)
    file = bench.scratch / "answers"
    file.write_bytes(b"".join(b"%d\n%b" % (len(answer), answer) for answer in answers))
    process = subprocess.Popen([program, file], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


def built_bare_loop(bench: Bench) -> Path:
    """Compiles the bare loop, unless it is there."""
    source, program = ROOT / "Tests" / "Binary" / "Benchmarks" / "BareLoop.swift", bench.folder / "bare-loop"
    if program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return program
    require("swiftc")
    bench.tell("compiling the bare loop")
    include = ROOT / "Sources" / "CSystem" / "include"
    result = subprocess.run(["swiftc", "-O", "-swift-version", "6", "-I", include, source, "-o", program],
                            capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"the bare loop cannot be compiled: {result.stderr[-1000:]}")
    return program


def require(tool: str) -> None:
    """Skips where a tool is missing."""
    if not shutil.which(tool):
        raise Skip(f"{tool} is not installed")
