"""What the checks share: the sample town under a limit, the load generator, and what a process costs."""

import contextlib
import json
import os
import re
import resource
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

import harness
from harness import Answer, Server, load, sooke
from loadgen import load_generator

SAMPLE = Path(__file__).resolve().parents[3] / "data" / "sooke.json"
ADMIN = "ada@town.example"
LIST = "/api/v1/businesses?per_page=100"
# What the app asks for: lists, searches and details.
READS = ["/api/v1/businesses?page={1..2}", "/api/v1/businesses?search=a&page={1..2}", "/api/v1/events?per_page=10",
         "/api/v1/businesses/the-slack-tide-pub", "/api/v1/categories"]
DESCRIPTORS = 16_384  # what the unit allows


def limited(descriptors: int = DESCRIPTORS) -> list[str]:
    """In front of a program, lets it have so many descriptors."""
    return ["prlimit", f"--nofile={descriptors}:{descriptors}"]


def pinned(core: int) -> list[str]:
    """In front of a program, keeps it on one core, where there are two: server and clients do not take turns then."""
    return ["taskset", "--cpu-list", str(core)] if len(os.sched_getaffinity(0)) > 1 else []


def raise_limit() -> None:
    """Lets this process have as many connections as it needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))


def make_town(binary: Path, data: Path, *options: str, prefix: list[str] | None = None, of: Path = SAMPLE) -> Server:
    """A town, the sample if no other is given, served."""
    load(binary, data, of)
    return Server(binary, data, *options, prefix=prefix or limited()).ready()


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
    """What the load generator has measured; the latency is in milliseconds."""

    requests: int
    rate: float
    statuses: dict[str, int]
    failures: dict[str, int]
    latency_ms: dict[str, float]
    unanswered: int

    @property
    def failed(self) -> int:
        return sum(self.failures.values())

    @property
    def good(self) -> float:
        """Answers a second that did what was asked."""
        share = sum(count for status, count in self.statuses.items() if int(status) < 400) / max(1, self.requests)
        return self.rate * share


class Load:
    """The load generator, running beside the check."""

    all: ClassVar[list["Load"]] = []

    def __init__(self, url: str, *options: str | Path, token: str = "", prefix: list[str] | None = None) -> None:
        words = [*(prefix or []), str(load_generator()), *map(str, options), url]
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, text=True, env={**os.environ, "SOOKE_TOKEN": token})
        self.all.append(self)

    def figures(self, timeout: float = 200) -> Figures:
        """Waits for its end."""
        out, errors = self.process.communicate(timeout=timeout)
        if not out.startswith("{"):
            raise RuntimeError(f"the load generator left with {self.process.returncode}: {errors[-500:]}")
        data: dict[str, Any] = json.loads(out)
        return Figures(**{each.name: data[each.name] for each in fields(Figures)})


def stop_all() -> None:
    """Ends what is left when a check is interrupted."""
    for running in Load.all:
        running.process.kill()
        running.process.wait()
    Load.all.clear()
    Server.kill_all()


# What a process costs

def cpu_seconds(pid: int) -> float:
    """The processor time that all threads of a process have taken together (the clock of clock_getcpuclockid)."""
    return time.clock_gettime((~pid << 3) | 2)


def memory(pid: int, what: str = "VmRSS") -> int:
    """`VmRSS`, the memory of a process, or `VmHWM`, the most it ever had; in MiB."""
    return harness.memory(pid, what) >> 20


def sockets(pid: int) -> set[str]:
    """The sockets of a process, as the system numbers them."""
    found = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):  # it is closed already
            found.add(os.readlink(entry))
    return {name for name in found if name.startswith("socket:")}


def wait_for(condition: Callable[[], bool], seconds: float = 30) -> bool:
    """Whether something is so soon."""
    end = time.monotonic() + seconds
    while not (holds := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return holds


# Small questions while the load runs

@dataclass
class Probe:
    """Asks the same small question again and again beside a load; the times are in milliseconds."""

    name: str
    ask: Callable[[], Answer | None]
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
            self._end.wait(0.1)

    @property
    def longest(self) -> float:
        return max((spent for spent, _ in self.answered), default=0)
