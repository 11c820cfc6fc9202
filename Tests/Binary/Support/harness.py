"""What the programs of this folder share: a server under test, requests to it, and the count of what held."""

import argparse
import atexit
import contextlib
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

NOW = "2026-11-21T09:30:00Z"  # the moment at which the contract's answers were captured


class Tally:
    """Counts what held and what did not, and prints what did not as it is found."""

    def __init__(self, shown: int = 30) -> None:
        self.passed = 0
        self.failed = 0
        self._shown = shown

    def check(self, holds: bool, what: str, detail: object = "") -> bool:
        """Counts one check; `what` and `detail` are printed when it does not hold."""
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            if self.failed <= self._shown:
                print(f"FAIL {what}" + (f": {detail}" if detail != "" else ""), flush=True)
        return holds

    def close(self) -> int:
        """Prints the closing line and returns the exit status."""
        if self.failed > self._shown:
            print(f"… and {self.failed - self._shown} more")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


class Answer(NamedTuple):
    """What came back for a request; `headers` is matched ignoring case."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> Any:
        """The body, read as JSON; raises ValueError when it is not."""
        return json.loads(self.body)


def send(base: str, path: str, method: str = "GET", headers: dict[str, str] | None = None, body: bytes = b"",
         timeout: float = 10) -> Answer:
    """Sends one request with its target exactly as given, and reads the answer until the server closes.

    http.client would refuse or quote some targets; here they must reach the server as they are.
    """
    url = urllib.parse.urlsplit(base)
    fields = {"Host": url.netloc, "Connection": "close", **(headers or {})}
    if body:
        fields["Content-Length"] = str(len(body))
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
    with socket.create_connection((url.hostname, url.port), timeout=timeout) as connection:
        connection.sendall(head.encode() + body)
        response = http.client.HTTPResponse(connection, method=method)
        response.begin()
        # What follows the head of an answer to HEAD is a fault to be seen, and http.client would not read it.
        rest = response.fp.read() if method == "HEAD" else response.read()
        return Answer(response.status, response.headers, rest)


class LocalConnection(http.client.HTTPConnection):
    """HTTP over a socket in the file system, such as the server's way in for its owner."""

    def __init__(self, path: Path, timeout: float = 30) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        # A path for a socket may not be longer than 107 bytes; this one always fits.
        folder = os.open(self._path.parent, os.O_PATH)
        try:
            self.sock.connect(f"/proc/self/fd/{folder}/{self._path.name}")
        finally:
            os.close(folder)


class Local:
    """Requests as the owner of the data folder, and as others with a token."""

    def __init__(self, data: Path, url: str) -> None:
        self._data, self.url = data, url

    def ask(self, method: str, path: str, body: Any = None, token: str = "", **fields: str) -> Answer:
        data = b"" if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **{name.replace("_", "-"): text for name, text in fields.items()}}
        if token:
            return send(self.url, path, method, {**headers, "Authorization": f"Bearer {token}"}, data)
        connection = LocalConnection(self._data / "admin.sock")
        connection.request(method, path, data, headers)
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())

    def must(self, method: str, path: str, body: Any = None, token: str = "", **fields: str) -> Any:
        answer = self.ask(method, path, body, token, **fields)
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.body[:300]!r}")
        return answer.json() if answer.body else None


def difference(want: Any, got: Any, at: str = "$") -> str | None:
    """The first place where `got` lacks something of `want`; keys that only `got` has are welcome."""
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return f"{at}: an object was expected"
        for key, value in want.items():
            if key not in got:
                return f"{at}.{key} is missing"
            if found := difference(value, got[key], f"{at}.{key}"):
                return found
        return None
    if isinstance(want, list):
        if not isinstance(got, list):
            return f"{at}: an array was expected"
        if len(want) != len(got):
            return f"{at}: {len(got)} elements instead of {len(want)}"
        pairs = enumerate(zip(want, got))
        return next((found for i, (a, b) in pairs if (found := difference(a, b, f"{at}[{i}]"))), None)
    if is_number(want) and is_number(got):
        return None if float(want) == float(got) else f"{at}: {got!r} instead of {want!r}"
    return None if want == got and type(want) is type(got) else f"{at}: {got!r} instead of {want!r}"


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Server:
    """One process of `BINARY serve` on a data folder, and a free port unless the options name one."""

    _started: ClassVar[list["Server"]] = []

    def __init__(self, binary: Path, data: Path, *options: str, prefix: list[str] | None = None) -> None:
        """Starts the process, behind a prefix such as `strace …`, and does not wait for it."""
        if prefix:
            binary = wrapper(binary, prefix)
        port = () if "--port" in options else ("--port", "0")
        log = () if "--log" in options else ("--log", "off")
        command = [str(binary), "serve", "--data", str(data), *port, *log, *options]
        self.url = ""
        self._lines: list[str] = []
        self._ready = threading.Event()
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True, errors="replace")
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._started.append(self)
        self.data = data

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._lines.append(line.rstrip())
            if not self.url and (found := re.search(r"http://[^\s\"/]+:\d+", line)):
                self.url = found[0]
                self._ready.set()
        self._ready.set()

    def ready(self, timeout: float = 30) -> "Server":
        """Waits until the process has said where it listens; raises RuntimeError with its words when it does not."""
        self._ready.wait(timeout)
        if not self.url:
            status = self.stop(signal.SIGKILL)
            raise RuntimeError(f"the server did not become ready (status {status}); it said: {self.said}")
        return self

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def status(self) -> int | None:
        """How the process has ended; None while it runs."""
        return self._process.poll()

    @property
    def printed(self) -> str:
        """The lines that the process has printed so far."""
        return "\n".join(self._lines)

    @property
    def said(self) -> str:
        """Everything the process has printed so far, on one line; all of it when it has ended."""
        if self._process.poll() is not None:
            self._reader.join(2)
        return " | ".join(self._lines)[-2000:] or "nothing"

    def stop(self, how: signal.Signals = signal.SIGTERM, timeout: float = 20) -> int | None:
        """Ends the process by a signal; its exit status (negative for a signal), or None when it would not go."""
        self._process.send_signal(how)
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return None

    def kill(self) -> None:
        """Ends the process without warning."""
        self.stop(signal.SIGKILL)

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
    atexit.register(Path(name).unlink, missing_ok=True)
    return Path(name)


# Imports that are remembered


def sooke(binary: Path, *arguments: str | Path, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Runs one command of the binary to its end."""
    return subprocess.run([str(binary), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace", timeout=timeout)


def load(binary: Path, data: Path, file: Path, *options: str) -> None:
    """Imports a file into a data folder; leaves with what the command said when it refuses."""
    result = sooke(binary, "import", "--data", data, *options, file)
    if result.returncode:
        sys.exit(f"import of {file} left with {result.returncode}: {(result.stderr or result.stdout).strip()[:2000]}")


def executable(text: str) -> Path:
    """The argument that names the server to test, for argparse."""
    path = Path(text).resolve()
    if not (path.is_file() and os.access(path, os.X_OK)):
        raise argparse.ArgumentTypeError(f"{text} is no program; build it with: swift build -c release")
    return path


def end_cleanly_when_told() -> None:
    """Makes SIGTERM end this program as an interrupt does: what it started and made is taken away."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def memory(pid: int, what: str) -> int:
    """`VmRSS`, the memory of a process, or `VmHWM`, the most it ever had, in bytes; 0 when it has ended."""
    found = re.search(rf"^{what}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(found[1]) << 10 if found else 0


@contextlib.contextmanager
def meanwhile(works: list[Callable[[], object]]) -> Iterator[None]:
    """Does several things again and again, each until it is False or the block ends."""
    end = threading.Event()

    def repeat(work: Callable[[], object]) -> None:
        while not end.is_set() and work() is not False:
            pass

    threads = [threading.Thread(target=repeat, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        end.set()
        for thread in threads:
            thread.join()


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="sooke-contract-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """A port below those of outgoing connections, any of which could take it before a server does."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def with_checksum(text: bytes) -> bytes:
    """A file as the program of that version would have written it."""
    if text.startswith(b"{"):
        end = text.rindex(b"\n", 0, -1) + 1
        return re.sub(rb'"checksum":"[0-9a-f]{8}"}}\n$', b'"checksum":"%08x"}}\n' % crc32c(text[:end]), text)
    line, rest = text.split(b"\n", 1)
    return b"%08x %b\n%b" % (crc32c(line[9:]), line[9:], rest)


def crc32c(data: bytes) -> int:
    """The Castagnoli checksum, RFC 3720."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF
