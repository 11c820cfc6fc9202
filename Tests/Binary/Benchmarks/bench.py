"""What all measures share: the binary, a folder on a true disk, towns, load, and rounds in which each takes a turn."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import towns
from checks import tell_progress
from harness import Server, load, sooke
from results import Side

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TOWN = 100_000


@dataclass
class Bench:
    """One run of the benchmark."""

    binary: Path
    folder: Path  # what is kept from run to run: programs that were built, large towns
    runs: int
    seconds: float
    stack: contextlib.ExitStack
    name: str = ""  # the measure that is under way
    servers: dict[int, Server] = field(default_factory=dict)
    lists: int = 0  # of paths that were written to a file

    @cached_property
    def scratch(self) -> Path:
        """A folder on the same disk that is gone afterwards."""
        path = Path(tempfile.mkdtemp(prefix="run-", dir=self.folder))
        self.stack.callback(shutil.rmtree, path, ignore_errors=True)
        path.chmod(0o755)
        return path

    @cached_property
    def small(self) -> str:
        """A server on the town of the demo, for all measures that only read it; its URL."""
        load(self.binary, self.scratch / "small", ROOT / "data" / "sooke.json")
        return self.stack.enter_context(self.serve(self.scratch / "small")).url

    @cached_property
    def large(self) -> str:
        """The same with 100,000 businesses, `town-1` to `town-100000`."""
        return self.stack.enter_context(self.serve(self.copy("large", TOWN), timeout=300)).url

    def town(self, businesses: int) -> Path:
        """A data folder with so many businesses, made once and kept."""
        data = self.folder / f"town-{businesses}-v{towns.VERSION}"
        if not data.exists():
            self.tell(f"importing {businesses:,} businesses, once")
            file, making = self.scratch / "town.ndjson", self.scratch / "making"
            with file.open("w") as output:
                output.writelines(towns.lines(businesses))
            load(self.binary, making, file)
            shutil.move(making, data)
        return data

    def copy(self, name: str, businesses: int) -> Path:
        """A copy of a town that may be changed."""
        return Path(shutil.copytree(self.town(businesses), self.scratch / name))

    def token(self, data: Path, number: int = 0) -> str:
        """A token, of an account of its own, that may change every business."""
        email = f"bench{number}@town.example"
        for words in (["user", "add", email, "--role", "super_admin"],
                      ["token", "create", "bench", "--for", email, "--scope", "admin"]):
            result = sooke(self.binary, *words, "--data", data)
            if result.returncode:
                raise RuntimeError(f"sooke {' '.join(words)} left with {result.returncode}: {result.stderr.strip()}")
        return result.stdout.strip()

    @contextlib.contextmanager
    def serve(self, data: Path, *options: str, timeout: float = 30) -> Iterator[Server]:
        """A server on a data folder, ended by a signal."""
        server = Server(self.binary, data, *options)
        try:
            yield server.ready(timeout)
        finally:
            server.stop(timeout=60)

    def tell(self, text: str) -> None:
        tell_progress(f"{self.name}: {text}"[:shutil.get_terminal_size().columns - 1])

    def alternate(self, unit: str, turns: dict[str, Callable[[], float]]) -> list[Side]:
        """Lets each take a turn in every round, so that a slow phase of the machine meets all of them."""
        sides = [Side(name, unit) for name in turns]
        for number in range(self.runs):
            for side, turn in zip(sides, turns.values()):
                self.tell(f"round {number + 1} of {self.runs}, {side.name}")
                side.values.append(turn())
        return sides

    def rate(self, url: str, connections: int, *paths: str, coding: str = "", body: str = "",
             tokens: str = "") -> Callable[[], float]:
        """A turn of wrk, after one to warm up that is thrown away: how many requests are answered in a second.

        It asks for one path again and again, or for several in turn. `coding` is accepted; with a body each request is
        a PATCH, and `%015d` in it a new number."""
        environment = {**os.environ}
        if len(paths) > 1 or body:
            self.lists += 1
            file = self.scratch / f"paths-{self.lists}"
            file.write_text("".join(f"{path}\n" for path in paths))
            environment |= {"WRK_PATHS": str(file)} | ({"WRK_BODY": body, "WRK_TOKENS": tokens} if body else {})
        else:
            url += paths[0]
        field = ["-H", f"Accept-Encoding: {coding}"] if coding else []

        def run(seconds: float) -> float:
            command = ["wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s", *field,
                       "-s", HERE / "wrk.lua", url]
            result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds + 120)
            requests, microseconds, failed = map(int, (result.stdout.splitlines() or ["0 0 0"])[-1].split())
            if failed or not requests:
                raise RuntimeError(f"wrk at {url}: {failed} of {requests} requests failed; {result.stderr[-500:]}")
            return requests * 1e6 / microseconds

        run(1)
        return lambda: run(self.seconds)
