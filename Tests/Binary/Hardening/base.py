"""What the checks of this folder share: a town to load, the load itself, and what a process costs meanwhile."""

import json
import os
import re
import statistics
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

TESTS = Path(__file__).resolve().parent.parent
import harness
from harness import Answer, Server, load, send, sooke
from loadgen import load_generator

SAMPLE = TESTS.parents[1] / "data" / "sooke.json"
ADMIN = "ada@town.example"
# What the app asks for: lists, searches and details.
READS = ["/api/v1/businesses?page={1..2}", "/api/v1/businesses?search=a&page={1..2}", "/api/v1/events?per_page=10",
         "/api/v1/businesses/the-slack-tide-pub", "/api/v1/categories"]
DESCRIPTORS = 16_384  # what the unit allows


def limited(descriptors: int) -> list[str]:
    """In front of a program, lets it have so many descriptors."""
    return ["prlimit", f"--nofile={descriptors}:{descriptors}"]


def pinned(core: int) -> list[str]:
    """In front of a program, keeps it on one core, where there are two: server and clients do not take turns then."""
    return ["taskset", "--cpu-list", str(core)] if len(os.sched_getaffinity(0)) > 1 else []


def make_town(binary: Path, data: Path, *options: str, prefix: list[str] | None = None) -> Server:
    """The sample town, served."""
    load(binary, data, SAMPLE)
    return Server(binary, data, *options, prefix=prefix or limited(DESCRIPTORS)).ready()


def slugs(server: Server) -> list[str]:
    """The slugs of the town's businesses."""
    return [item["slug"] for item in send(server.url, "/api/v1/businesses?per_page=100").json()["items"]]


def make_token(binary: Path, server: Server, address: str = ADMIN) -> str:
    """A token of a new account that may change everything."""
    sooke(binary, "user", "add", address, "--role", "super_admin", "--data", server.data)
    result = sooke(binary, "token", "create", "load", "--for", address, "--scope", "admin", "--data", server.data)
    found = re.search(r"sooke_[a-z]+_[A-Za-z0-9_-]{43}", result.stdout)
    if not found:
        raise RuntimeError(f"no token was made: {result.stdout} {result.stderr}")
    return found[0]


@dataclass
class Figures:
    """What the load generator has measured."""

    requests: int
    rate: float
    statuses: dict[str, int]
    failures: dict[str, int]
    latency: dict[str, float]
    unanswered: int
    seconds: float

    @property
    def good(self) -> float:
        """Answers a second that did what was asked."""
        share = sum(count for status, count in self.statuses.items() if int(status) < 400) / max(1, self.requests)
        return self.rate * share

    @property
    def failed(self) -> int:
        return sum(self.failures.values())

    def count(self, status: int) -> int:
        return self.statuses.get(str(status), 0)


class Load:
    """The load generator, running beside the check."""

    _all: ClassVar[list["Load"]] = []

    def __init__(self, url: str, *options: str | Path, token: str = "",
                 prefix: list[str] | None = None) -> None:
        words = [*(prefix or []), str(load_generator()), *map(str, options), url]
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, text=True, env={**os.environ, "SOOKE_TOKEN": token})
        self._all.append(self)

    def figures(self, timeout: float = 200) -> Figures:
        """Waits for its end."""
        out, errors = self._process.communicate(timeout=timeout)
        if not out.startswith("{"):
            raise RuntimeError(f"the load generator left with {self._process.returncode}: {errors[-500:]}")
        data: dict[str, Any] = json.loads(out)
        return Figures(data["requests"], data["rate"], data["statuses"], data["failures"], data["latency_ms"],
                       data["unanswered"], data["seconds"])

    @classmethod
    def stop_all(cls) -> None:
        """Ends what is left when a check is interrupted."""
        for running in cls._all:
            if running._process.poll() is None:
                running._process.kill()
                running._process.wait()
        cls._all.clear()


# What a process costs

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory(pid: int, what: str) -> int:
    """`VmRSS`, the memory of a process, or `VmHWM`, the most it ever had; in MiB."""
    return harness.memory(pid, what) >> 20


def sockets(pid: int) -> set[str]:
    """The sockets of a process, as the system numbers them."""
    found = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = os.readlink(entry)
        except OSError:
            continue
        if target.startswith("socket:["):
            found.add(target[8:-1])
    return found


def connected(port: int) -> set[str]:
    """The sockets of clients whose connection to a port of this machine its server keeps open."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    here = f":{port:04X}"
    kept = {fields[2] for fields in rows if fields[1].endswith(here) and fields[3] == "01"}
    return {fields[9] for fields in rows if fields[2].endswith(here) and fields[1] in kept}


# Small questions while the load runs

@dataclass
class Probe:
    """Asks the same small question again and again beside a load; the times are in milliseconds."""

    name: str
    ask: Any  # a function that returns an Answer, or nothing if there is none to look at
    pause: float = 0.1
    answered: list[tuple[float, Answer]] = field(default_factory=list)  # how long each answer took, and the answer
    faults: list[str] = field(default_factory=list)

    def __enter__(self) -> "Probe":
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join(30)

    def _work(self) -> None:
        while not self._end.is_set():
            began = time.monotonic()
            try:
                if answer := self.ask():
                    self.answered.append((1000 * (time.monotonic() - began), answer))
            except Exception as error:  # a probe that breaks is a fault to be told
                self.faults.append(f"{type(error).__name__}: {error}")
            self._end.wait(self.pause)

    @property
    def longest(self) -> float:
        return max((spent for spent, _ in self.answered), default=0)

    @property
    def answers(self) -> list[Answer]:
        return [answer for _, answer in self.answered]


def recovery(url: str, bound: float = 50, count: int = 20) -> float:
    """The seconds until so many answers in a row take less than the bound, in milliseconds."""
    began, in_a_row = time.monotonic(), 0
    while in_a_row < count and time.monotonic() - began < 30:
        asked = time.monotonic()
        try:
            send(url, "/api/v1/businesses?per_page=10")
        except OSError:
            pass
        took = 1000 * (time.monotonic() - asked)
        in_a_row = in_a_row + 1 if took <= bound else 0
    return time.monotonic() - began


def middle(numbers: list[float]) -> float:
    return statistics.median(numbers)


def stop_all() -> None:
    """Ends what is left when a check is interrupted."""
    Load.stop_all()
    Server.kill_all()
