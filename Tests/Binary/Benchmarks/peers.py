"""Those that the server is compared with: nginx, a bare loop, and Redis."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import HERE, ROOT, Bench
from checks import Skip
from harness import free_port

# As Debian's package sets it up, but without a log, and with connections that are kept for as many requests as come.
NGINX = """\
user root;
worker_processes {workers};
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
FILE_CACHE = "open_file_cache max=13000; gzip_static on;"
# A core is left to the load; the server answers with as many threads.
WORKERS = max(1, (os.cpu_count() or 1) - 1)


@contextlib.contextmanager
def running(command: list[str | Path], port: int) -> Iterator[int]:
    """A process that listens on a port, ended afterwards."""
    if not shutil.which(command[0]):
        raise Skip(f"{command[0]} is not installed")
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 10
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{command[0]} does not listen")
            time.sleep(0.02)
        yield port
    finally:
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def nginx(folder: Path, files: dict[str, bytes], more: str = "") -> Iterator[str]:
    """nginx that sends some bytes for each path, from files; its URL."""
    for path, content in files.items():
        file = folder / "files" / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    port = free_port()
    configuration = folder / f"nginx-{port}.conf"
    configuration.write_text(NGINX.format(workers=WORKERS, folder=folder, more=more, port=port))
    with running(["nginx", "-c", configuration], port):
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def bare_loop(bench: Bench, answers: list[bytes]) -> Iterator[str]:
    """The program that sends these answers in turn and does nothing else; its URL."""
    program, file = bench.folder / "bare-loop", bench.scratch / "answers"
    subprocess.run(["swiftc", "-O", "-swift-version", "6", "-I", ROOT / "Sources" / "CSystem" / "include",
                    HERE / "BareLoop.swift", "-o", program], check=True)
    file.write_bytes(b"".join(b"%d\n%b" % (len(answer), answer) for answer in answers))
    process = subprocess.Popen([program, file], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def redis(bench: Bench, size: int, connections: int, keys: int) -> Iterator[Callable[[], float]]:
    """Redis on the same disk, which syncs before it answers: a turn of sets of a size, in sets a second."""
    folder = bench.scratch / "redis"
    folder.mkdir()
    port = free_port()
    command: list[str | Path] = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", folder,
                                 "--save", "", "--appendonly", "yes", "--appendfsync", "always"]

    def sets(count: int) -> float:
        words = f"-p {port} -t set -c {connections} -d {size} -r {keys} -n {count} --csv".split()
        result = subprocess.run(["redis-benchmark", *words], capture_output=True, text=True, timeout=300)
        row = next(line for line in result.stdout.splitlines() if line.startswith('"SET"'))
        return float(row.split(",")[1].strip('"'))

    with running(command, port):
        expected = sets(5_000)  # redis-benchmark wants a number, not a time
        yield lambda: sets(max(1_000, int(expected * bench.seconds)))
