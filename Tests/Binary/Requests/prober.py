"""A town that is asked and restarted, and what it must not do: end, fail, hang, take long, or be another one afterwards."""

import contextlib
import json
import re
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from town import Town, raw

LONGEST = 10  # seconds until the last byte of a response
MOST_PROCESSOR_TIME = 1.0  # seconds a request
MOST_STORED = 1  # failures of a kind at an address that are made smaller and stored
SHRINKING = 3  # seconds
STREAMING = 0.3  # seconds in which a response that does not end is watched
LIVE = b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
BEHIND = ("/forgotten-password",)  # what is answered before it is done, so that its time says nothing
CLOCKS = {"time_zone": "America/Vancouver", "holidays": "CA-BC"}
OPTIONS = ("--write-limit", "1000000", "--sendmail", "/bin/true")


@dataclass
class Request:
    """A request as it is sent, and the parts that it was made of: without some of them it may fail all the same."""

    who: str
    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes = b""
    source: str = "127.0.0.1"
    parts: list[tuple[str, Any]] = field(default_factory=list)
    build: Callable[[list[tuple[str, Any]]], "Request"] | None = None
    ends: bool = True  # False for one whose response need not end, or need not come
    allowed: tuple[int, ...] = (503, 507)  # of the statuses from 500 on

    def encoded(self, port: int) -> bytes:
        """The bytes that are sent to a port, in whose name the cookies of sessions are."""
        names = {name.lower() for name, _ in self.headers}
        fields = [] if "host" in names else [("Host", f"127.0.0.1:{port}")]
        fields += [("Connection", "close"), *self.headers]
        if self.body and not names & {"content-length", "transfer-encoding"}:
            fields.append(("Content-Length", str(len(self.body))))
        head = f"{self.method} {self.target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields)
        return to_port(head.encode("utf-8", "surrogateescape"), port) + b"\r\n" + self.body

    @property
    def route(self) -> str:
        """Who asks for what, without the names of records."""
        path = re.sub(r"/(businesses|events|categories|event-types|types|people|waiting|users|menus|items|tokens|proposals)/"
                      r"(?!new$|import)[^/?]+", r"/\1/…", self.target.partition("?")[0])
        return f"{self.who} {self.method} {path[:100]}"

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={str(value)[:60]!r}" for name, value in self.parts[:8])
        return f"{self.route}" + (f" with {shown}" if shown else "") + (" …" if len(self.parts) > 8 else "")


def to_port(request: bytes, port: int) -> bytes:
    return re.sub(rb"sooke-\d+=", b"sooke-%d=" % port, request)


@dataclass(frozen=True)
class Fault:
    """What must not be."""

    kind: str
    detail: str


class Prober:
    """Sends requests to a town, restarts it, and stores every failure with the folder before it."""

    def __init__(self, binary: Path, folder: Path, finds: Path, part: str) -> None:
        self.town = Town(binary, folder / "data")
        self.part = part
        self.requests = self.writes = self.starts = 0
        self.statuses: Counter[str] = Counter()
        self.faults: Counter[tuple[str, str]] = Counter()
        self._stored: Counter[tuple[str, str]] = Counter()
        self._good = folder / "good"  # the folder at the last start that was as it must be
        self._stopped = folder / "stopped"
        self._since: list[Request] = []  # the accepted writes after that
        self._finds = finds
        self._port = "0"
        self.export = b""

    # A round

    def begin(self, folder: Path) -> None:
        """Serves a copy of a folder."""
        self.stop()
        copy(folder, self._good)
        self._restore()

    def stop(self) -> None:
        with contextlib.suppress(RuntimeError):
            self.town.server.kill()

    def _restore(self) -> None:
        """Serves the folder of the last good start again."""
        self.stop()
        copy(self._good, self.town.data)
        self._start()
        self._since = []
        self.shown()

    def _start(self) -> None:
        self.town.start(*OPTIONS, "--port", self._port)
        self._port = str(self.town.port)
        self.starts += 1

    def shown(self) -> dict[str, bytes]:
        """The whole town: its export, and all that is private."""
        found = {}
        for query in ("format=json", "format=postgres&private=true"):
            answer = self.town.local("GET", f"/admin/export?{query}")
            if answer.status != 200:
                raise RuntimeError(f"the export was answered with {answer.status}: {answer.body[:300]!r}")
            found[query] = answer.body
        self.export = found["format=json"]
        return found

    # Requests

    def send(self, request: Request) -> tuple[int, bytes]:
        """The status and the bytes of the response; 0 when there is none. What must not be is recorded."""
        self.requests += 1
        status, answer, fault = self._try(request)
        self.statuses[f"{status // 100}xx" if status else "none"] += 1
        if fault:
            self._record(fault, [*self._since, request], request)
        return status, answer

    def _try(self, request: Request) -> tuple[int, bytes, Fault | None]:
        answer, problem, before = b"", "", self._processor_time()
        try:
            answer = raw(self.town.port, request.source, request.encoded(self.town.port),
                         LONGEST if request.ends else STREAMING)
        except TimeoutError:
            if request.ends and self._processor_time() - before < MOST_PROCESSOR_TIME:
                return 0, b"", Fault("hangs", f"no response in {LONGEST} s")
        except OSError as error:
            problem = f"{type(error).__name__}: {error}"
        status = status_of(answer)
        taken = self._processor_time() - before
        if fault := self._ended(bool(status) or taken > MOST_PROCESSOR_TIME or not problem and not request.ends):
            return status, answer, fault
        if status >= 500 and status not in request.allowed:
            return status, answer, Fault(f"answers {status}", answer[-300:].decode(errors="replace"))
        if taken > MOST_PROCESSOR_TIME:
            return status, answer, Fault("takes long", f"{taken:.1f} s of processor time")
        return status, answer, None

    def _processor_time(self) -> float:
        """What all threads of the server have taken; 0 when it has ended."""
        try:
            return time.clock_gettime((~self.town.server.pid << 3) | 2)
        except OSError:
            return 0

    def _ended(self, is_answered: bool) -> Fault | None:
        """What became of the process, when it has ended."""
        if is_answered and self.town.server.status is None:
            return None
        end = time.monotonic() + 5
        while self.town.server.status is None:
            try:  # a request that was cut off leaves a server that answers
                if raw(self.town.port, "127.0.0.1", LIVE, LONGEST):
                    return None
            except OSError:
                time.sleep(0.01)
            if time.monotonic() > end:
                return Fault("hangs", "it accepts no connection")
        self.town.server.stop(timeout=1)  # and reads the last of what it says
        said = re.findall("Fatal error.*", self.town.server.printed) or [self.town.server.said[-400:]]
        return Fault("ends", f"status {self.town.server.status}: {said[-1][:400]}")

    # Starts

    def accepted(self, request: Request, every: int, how: signal.Signals = signal.SIGKILL) -> bool:
        """Counts an accepted write, and checks a start after so many; whether the town goes on as it was."""
        self.writes += 1
        self._since.append(request)
        return len(self._since) < every or self.check(how)

    def check(self, how: signal.Signals = signal.SIGKILL) -> bool:
        """Ends the server and starts it: that must succeed and show the same town."""
        if not self._since:
            return True
        if fault := self._check(how):
            self._record(fault, self._since, self._since[-1])
            return False
        shutil.rmtree(self._good)
        self._stopped.rename(self._good)
        self._since = []
        return True

    def _check(self, how: signal.Signals) -> Fault | None:
        if any(request.target in BEHIND for request in self._since):
            time.sleep(0.2)
        before = self.shown()
        settings = json.loads(self.export)["settings"][0]
        if settings["time_zone"] is None or settings["holidays"] is None and not settings["holiday_dates"]:
            self.town.local("PATCH", "/town", CLOCKS, {"If-Match": "*"})  # a start gives a town the clocks that it lacks
            before = self.shown()
        status = self.town.stop(how)
        if status != (0 if how == signal.SIGTERM else -how):
            return Fault("does not stop", f"{how.name} was followed by {status}")
        copy(self.town.data, self._stopped)
        try:
            self._start()
        except RuntimeError as error:
            verdict = self.town.sooke("verify")
            return Fault("does not start", f"{str(error)[-900:]}; verify says: {(verdict.stdout + verdict.stderr)[-300:]}")
        after = self.shown()
        for what, text in before.items():
            if text != after[what]:
                return Fault("is another town", f"{what}: {difference(text, after[what])}")
        return None

    # Failures

    def _record(self, fault: Fault, requests: list[Request], culprit: Request) -> None:
        self.faults[fault.kind, culprit.route] += 1
        alike = (fault.kind, culprit.route.rsplit(" ", 1)[1])
        self._stored[alike] += 1
        if self._stored[alike] <= MOST_STORED:
            requests = self._smaller(fault, list(requests))
            where = self._store(fault, requests)
            print(f"FAIL {self.part}: it {fault.kind}, by {requests[-1]}: {fault.detail}\n"
                  f"     sent again by: Tests/Binary/Requests/run BINARY --replay {where}", flush=True)
        self._restore()

    def outcome(self, requests: list[Request], starts: bool = True) -> Fault | None:
        """What comes of some requests in the town as it was at the last good start, and of a start after them."""
        self._restore()
        for request in requests:
            _, _, fault = self._try(request)
            if fault:
                return fault
        return self._check(signal.SIGKILL) if starts else None

    def _smaller(self, fault: Fault, requests: list[Request]) -> list[Request]:
        """Fewer requests with fewer parts that fail in the same way; the same ones when that does not happen again."""
        end, starts = time.monotonic() + SHRINKING, fault.kind in ("does not start", "does not stop", "is another town")

        def fails(some: list[Request]) -> bool:
            found = self.outcome(some, starts)
            return found is not None and found.kind == fault.kind

        for alone in ([requests[-1]], *([request] for request in requests[:-1])):
            if len(requests) == 1 or time.monotonic() > end:
                break
            if fails(alone):
                requests = alone
        last = requests[-1]
        if last.build is None or fault.kind in ("hangs", "takes long") and len(last.parts) < 2:
            return requests
        size = max(1, len(last.parts) // 2)
        while size and time.monotonic() < end:
            start = 0
            while start < len(last.parts) and time.monotonic() < end:
                smaller = last.build(last.parts[:start] + last.parts[start + size:])
                if fails([*requests[:-1], smaller]):
                    last = smaller
                else:
                    start += size
            size //= 2
        return [*requests[:-1], last]

    def _store(self, fault: Fault, requests: list[Request]) -> Path:
        self._finds.mkdir(parents=True, exist_ok=True)
        where = self._finds / f"{self.part}-{sum(1 for _ in self._finds.iterdir()) + 1}"
        where.mkdir()
        copy(self._good, where / "town")
        for index, request in enumerate(requests):
            name = f"{index:05}-{request.source}{'' if request.ends else '-open'}.http"
            (where / name).write_bytes(request.encoded(int(self._port)))
        (where / "why.txt").write_text(f"{fault.kind}: {fault.detail}\n" + "".join(f"{request}\n" for request in requests))
        return where


def replay(binary: Path, folder: Path, find: Path) -> Fault | None:
    """Sends what was stored of a failure to a copy of its town; what comes of it."""
    prober = Prober(binary, folder, folder / "finds", "replay")
    prober.begin(find / "town")
    try:
        return prober.outcome([Stored(path) for path in sorted(find.glob("*.http"))])
    finally:
        prober.stop()


class Stored(Request):
    """A request in a file."""

    def __init__(self, path: Path) -> None:
        _, source, *rest = path.stem.split("-")
        self._bytes = path.read_bytes()
        super().__init__("somebody", "", path.name, [], source=source, ends=not rest)

    def encoded(self, port: int) -> bytes:
        return to_port(self._bytes, port)


def status_of(answer: bytes) -> int:
    """The status of a response, after those that say that it goes on; 0 for none."""
    for found in re.finditer(rb"(?:\A|\r\n\r\n)HTTP/1\.1 (\d\d\d)", answer):
        if not found[1].startswith(b"1"):
            return int(found[1])
    return 0


def difference(before: bytes, after: bytes) -> str:
    """The first place where two texts differ."""
    at = next((i for i, (a, b) in enumerate(zip(before, after)) if a != b), min(len(before), len(after)))
    start = max(0, at - 120)
    return f"{before[start:at + 120]!r} became {after[start:at + 120]!r}"


def copy(folder: Path, to: Path) -> None:
    """Copies a data folder that is not in use."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("*.sock"))
