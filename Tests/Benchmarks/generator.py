"""The load: wrk with one thread, and a script that reads paths, makes bodies and prints what came of it."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).resolve().parent / "wrk.lua"
LONGEST = 30  # seconds


@dataclass(frozen=True)
class Load:
    """What one run of the generator saw; times in milliseconds."""

    requests: int
    rate: float  # requests a second
    p50: float
    p99: float


@dataclass
class Changes:
    """PATCH requests with a text that is new every time, of always the same length."""

    token: str
    paths: Path  # a path a line
    sent: int = 0

    def body(self, number: int) -> str:
        return json.dumps({"description": f"Coffee, cake and a fire on wet days; the kitchen closes at nine, "
                                          f"and dogs are welcome on the terrace. Note {number:012d}."})

    def environment(self) -> dict[str, str]:
        before, after = self.body(0).split(f"{0:012d}")
        return {"WRK_BEFORE": before, "WRK_AFTER": after, "WRK_TOKEN": self.token, "WRK_FIRST": str(self.sent)}


def generate(url: str, connections: int, seconds: float, paths: Path | None = None, changes: Changes | None = None,
             pause: float = 0) -> Load:
    """Loads a server for some time; raises RuntimeError when it does not answer everything well.

    One that answers nothing in that time gets `LONGEST`: a figure that is far too bad is still a figure. `paths` is a
    file with a path a line, taken one after the other; without it the one path of the URL is. `pause` is what each
    connection waits between an answer and its next request, in milliseconds.
    """
    environment = {**os.environ, "WRK_PATHS": str(paths or ""), "WRK_PAUSE": str(pause)}
    if changes:
        environment |= {**changes.environment(), "WRK_PATHS": str(changes.paths)}
    seen = wrk(url, connections, seconds, environment)
    if not seen["requests"]:
        seen = wrk(url, connections, LONGEST, environment)
    if changes:
        changes.sent += seen["requests"] + connections
    if seen["failed"] or not seen["requests"]:
        raise RuntimeError(f"{seen['failed']} of {seen['requests']} requests failed at {url}")
    return Load(seen["requests"], seen["requests"] / seen["seconds"], seen["p50"], seen["p99"])


def wrk(url: str, connections: int, seconds: float, environment: dict[str, str]) -> dict[str, Any]:
    """What the script printed at the end."""
    length = max(1, round(seconds))
    command = ["wrk", "-t1", f"-c{connections}", f"-d{length}s", "--timeout", "60s", "-s", str(SCRIPT), url]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=length + 60)
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    if result.returncode or not lines:
        raise RuntimeError(f"wrk left with {result.returncode}: {(result.stderr or result.stdout).strip()[-500:]}")
    seen: dict[str, Any] = json.loads(lines[-1])
    return seen
