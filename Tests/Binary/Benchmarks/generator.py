"""The load: wrk where others are measured as well, the generator under `Load` where each request must be another one."""

import itertools
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import Bench
from loadgen import load_generator
from peers import require

SCRIPT = Path(__file__).resolve().parent / "wrk.lua"
LONGEST = 30  # seconds for a server that answers nothing in a turn: a figure that is far too bad is still a figure
TIMEOUT = 60  # seconds for an answer; one that never came took at least so long
SEEDS = itertools.count(1)


@dataclass(frozen=True)
class Load:
    """What one turn of a generator saw; times in milliseconds."""

    rate: float  # answers a second
    p99: float


def wrk(url: str, connections: int, seconds: float, paths: Path | None = None, coding: str = "",
        cookie: str = "") -> Load:
    """Asks the same again and again; or for the paths in a file, a path a line, one after the other. `coding` is accepted."""
    environment = {**os.environ, "WRK_PATHS": str(paths or "")}
    command = ["wrk", "-t1", f"-c{connections}", f"-d{whole(seconds)}s", "-s", str(SCRIPT), url]
    command[1:1] = ["-H", f"Accept-Encoding: {coding}"] if coding else []
    command[1:1] = ["-H", f"Cookie: {cookie}"] if cookie else []
    seen = last_line(command, environment, seconds)
    if seen["failed"] or not seen["requests"]:
        raise RuntimeError(f"{seen['failed']} of {seen['requests']} requests failed at {url}")
    return Load(seen["requests"] / seen["seconds"], seen["p99"])


def ask(bench: Bench, url: str, paths: Sequence[str], connections: int, seconds: float, rate: int | None = None,
        body: str | None = None, token: str = "") -> Load:
    """Asks a server for one of the paths at random, with other random numbers each time; with a body it is a PATCH.

    With `rate`, so many requests are due a second, and the time of each counts from when it was due.
    """
    require("swiftc")
    environment = {**os.environ, "SOOKE_TOKEN": token}
    command = [str(load_generator()), "--connections", str(connections), "--timeout", str(TIMEOUT),
               "--seed", str(next(SEEDS))]
    file = bench.scratch / "paths"
    file.write_text("".join(f"{path}\n" for path in paths))
    command += ["--targets", str(file)]
    command += ["--rate", str(rate)] if rate else []
    command += ["--method", "PATCH", "--body", body] if body else []
    for length in (whole(seconds), LONGEST):
        seen = last_line([*command, "--seconds", str(length), url], environment, length)
        late = seen["failures"].pop("timeout", 0)
        bad = seen["requests"] - seen["statuses"].get("200", 0) + sum(seen["failures"].values())
        if bad:
            raise RuntimeError(f"{bad} of {seen['requests']} requests failed at {url}{paths[0]}: "
                               f"{seen['statuses']} {seen['failures']}")
        if seen["rate"] > 0:
            return Load(seen["rate"], TIMEOUT * 1000 if late else seen["latency_ms"]["p99"])
    raise RuntimeError(f"nothing was answered in {LONGEST} s at {url}{paths[0]}")


def whole(seconds: float) -> int:
    return max(1, round(seconds))


def last_line(command: list[str], environment: dict[str, str], seconds: float) -> dict[str, Any]:
    """Runs a generator; the JSON that it prints at the end."""
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds + 120)
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    if not lines:
        said = (result.stderr or result.stdout).strip()[-500:]
        raise RuntimeError(f"{command[0]} left with {result.returncode}: {said}")
    seen: dict[str, Any] = json.loads(lines[-1])
    return seen
