"""A town that is asked and restarted, and what it must not do: end, fail, hang, take long, or change by a start."""

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
SHRINKING = 3  # seconds
STREAMING = 0.3  # seconds in which a response that does not end is watched
LIVE = b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
BEHIND = ("/forgotten-password",)  # what is answered before it is done, so that its time says nothing
CLOCKS = {"time_zone": "America/Vancouver", "holidays": "CA-BC"}
# Nothing sends e-mail, which would change the town beside the requests.
OPTIONS = ("--write-limit", "1000000")


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
    stored: bytes = b""  # of one that is sent again

    def encoded(self, port: int) -> bytes:
        """The bytes that are sent to a port, in whose name the cookies of sessions are."""
        names = {name.lower() for name, _ in self.headers}
        fields = [] if "host" in names else [("Host", f"127.0.0.1:{port}")]
        fields += [("Connection", "close"), *self.headers]
        if self.body and not names & {"content-length", "transfer-encoding"}:
            fields.append(("Content-Length", str(len(self.body))))
        head = f"{self.method} {self.target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields)
        sent = self.stored or head.encode("utf-8", "surrogateescape") + b"\r\n" + self.body
        return re.sub(rb"sooke-\d+=", b"sooke-%d=" % port, sent)

    @property
    def route(self) -> str:
        """Who asks for what, without the names of records."""
        path = re.sub(r"/(businesses|events|categories|event-types|types|people|waiting|users|menus|items|tokens|proposals|reference)/"
                      r"(?!new$|import)[^/?]+", r"/\1/…", self.target.partition("?")[0])
        return f"{self.who} {self.method} {path[:100]}"


@dataclass(frozen=True)
class Fault:
    """What must not be."""

    kind: str
    detail: str


class Prober:
    """Sends requests to a town, restarts it, and stores every failure with the folder before it."""

    def __init__(self, binary: Path, folder: Path, finds: Path) -> None:
        self.town, self.export = Town(binary, folder / "data"), b""
        self.requests = self.writes = self.starts = 0
        self.statuses: Counter[str] = Counter()
        self.faults: Counter[tuple[str, str]] = Counter()
        self._good, self._stopped = folder / "good", folder / "stopped"  # at the last good start, and at the last end
        self._since: list[Request] = []  # the accepted writes after the last good start
        self._finds, self._port = finds, "0"

    def begin(self, folder: Path) -> None:
        """Serves a copy of a folder."""
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
            self._record(fault, [*self._since, request])
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
        # The status after those that say that it goes on.
        found = re.search(rb"(?:\A|\r\n\r\n)HTTP/1\.1 ([2-9]\d\d)", answer)
        status, taken = int(found[1]) if found else 0, self._processor_time() - before
        is_answered = bool(status) or taken > MOST_PROCESSOR_TIME or not problem and not request.ends
        fault = None if is_answered and self.town.server.status is None else self._ended()
        if not fault and status >= 500 and status not in request.allowed:
            fault = Fault(f"answers {status}", answer[-300:].decode(errors="replace"))
        if not fault and taken > MOST_PROCESSOR_TIME:
            fault = Fault("takes long", f"{taken:.1f} s of processor time")
        return status, answer, fault

    def _processor_time(self) -> float:
        """What all threads of the server have taken; 0 when it has ended."""
        try:
            return time.clock_gettime((~self.town.server.pid << 3) | 2)
        except OSError:
            return 0

    def _ended(self) -> Fault | None:
        """What became of the process, when it has ended."""
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

    def accepted(self, request: Request, every: int, how: signal.Signals) -> None:
        """Counts an accepted write, and checks a start after so many."""
        self.writes += 1
        self._since.append(request)
        if len(self._since) >= every:
            self.check(how)

    def check(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Ends the server and starts it: that must succeed and show the same town."""
        if not self._since:
            return
        if fault := self._check(how):
            self._record(fault, self._since)
            return
        shutil.rmtree(self._good)
        self._stopped.rename(self._good)
        self._since = []

    def _check(self, how: signal.Signals) -> Fault | None:
        if any(request.target in BEHIND for request in self._since):
            time.sleep(0.2)
        before = self.shown()
        settings = json.loads(self.export)["settings"][0]
        if settings["time_zone"] is None or settings["holidays"] is None and not settings["holiday_dates"]:
            self.town.local("PATCH", "/town", CLOCKS, {"If-Match": "*"})  # else a start gives it clocks
            before = self.shown()
        status = self.town.stop(how)
        if status != (0 if how == signal.SIGTERM else -how):
            return Fault("does not stop", f"{how.name} was followed by {status}")
        copy(self.town.data, self._stopped)
        try:
            self._start()
        except RuntimeError as error:
            verdict = self.town.sooke("verify").stderr[-300:]
            return Fault("does not start", f"{str(error)[-900:]}; verify says: {verdict}")
        for what, text in self.shown().items():
            if text != before[what]:
                at = next((i for i, (a, b) in enumerate(zip(before[what], text)) if a != b), 0)
                cut = slice(max(0, at - 120), at + 120)
                return Fault("is another town", f"{what}: {before[what][cut]!r} became {text[cut]!r}")
        return None

    # Failures

    def _record(self, fault: Fault, requests: list[Request]) -> None:
        """Counts a failure; the first of a kind on a route is made smaller and stored."""
        key = (fault.kind, requests[-1].route)
        self.faults[key] += 1
        if self.faults[key] == 1:
            where = self._store(fault, self._smaller(fault, list(requests)))
            print(f"FAIL it {fault.kind}, by {requests[-1].route}: {fault.detail}\n"
                  f"     sent again by: Tests/Binary/Requests/run BINARY --replay {where}", flush=True)
        self._restore()

    def outcome(self, requests: list[Request], starts: bool = True) -> Fault | None:
        """What comes of some requests in the town as it was at the last good start, and of a start after them."""
        self._restore()
        for request in requests:
            if fault := self._try(request)[2]:
                return fault
        return self._check(signal.SIGKILL) if starts else None

    def _smaller(self, fault: Fault, requests: list[Request]) -> list[Request]:
        """Fewer requests with fewer parts that fail in the same way; the same ones when that does not happen again."""
        end, starts = time.monotonic() + SHRINKING, fault.kind in ("does not start", "does not stop", "is another town")

        def fails(some: list[Request]) -> bool:
            found = self.outcome(some, starts) if time.monotonic() < end else None
            return found is not None and found.kind == fault.kind

        if len(requests) > 1:
            requests = next(([alone] for alone in reversed(requests) if fails([alone])), requests)
        last = requests[-1]
        size = len(last.parts) // 2 if last.build else 0
        while size:
            start = 0
            while start < len(last.parts):
                smaller = last.build(last.parts[:start] + last.parts[start + size:])
                if fails([*requests[:-1], smaller]):
                    last = smaller
                else:
                    start += size
            size //= 2
        return [*requests[:-1], last]

    def _store(self, fault: Fault, requests: list[Request]) -> Path:
        self._finds.mkdir(parents=True, exist_ok=True)
        where = self._finds / f"{sum(1 for _ in self._finds.iterdir()) + 1}"
        copy(self._good, where / "town")
        for index, request in enumerate(requests):
            name = f"{index:05}-{request.source}{'' if request.ends else '-open'}.http"
            (where / name).write_bytes(request.encoded(int(self._port)))
        (where / "why.txt").write_text(f"{fault.kind}: {fault.detail}\n")
        return where


def replay(binary: Path, folder: Path, find: Path) -> Fault | None:
    """Sends what was stored of a failure to a copy of its town; what comes of it."""
    prober, requests = Prober(binary, folder, folder / "finds"), []
    for path in sorted(find.glob("*.http")):
        _, source, *rest = path.stem.split("-")
        requests.append(Request("", "", "", [], source=source, ends=not rest, stored=path.read_bytes()))
    prober.begin(find / "town")
    try:
        return prober.outcome(requests)
    finally:
        prober.stop()


def copy(folder: Path, to: Path) -> None:
    """Copies a data folder that is not in use."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("*.sock"))
