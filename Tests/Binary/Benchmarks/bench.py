"""What all measures share: the binary, the folder on a true disk, and rounds in which everybody takes a turn."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from results import Side

ROOT = Path(__file__).resolve().parents[3]
CONTRACT = ROOT / "Tests" / "Binary" / "Contract"
from checks import tell_progress
from harness import Server, load
import towns


@dataclass
class Bench:
    """One run of the benchmark."""

    binary: Path
    folder: Path  # what is kept from run to run: programs that were built, large towns
    runs: int
    seconds: float
    stack: contextlib.ExitStack
    name: str = ""  # the measure that is under way
    towns: dict[int, Server] = field(default_factory=dict)

    @cached_property
    def scratch(self) -> Path:
        """A folder on the same disk that is gone afterwards."""
        path = Path(tempfile.mkdtemp(prefix="run-", dir=self.folder))
        self.stack.callback(shutil.rmtree, path, ignore_errors=True)
        path.chmod(0o755)
        return path

    @cached_property
    def contract(self) -> str:
        """A server on the town of the contract, for all measures that only read it; its URL."""
        data = self.scratch / "contract"
        load(self.binary, data, CONTRACT / "dataset.json")
        return self.stack.enter_context(self.serve(data)).url

    def town(self, businesses: int) -> Server:
        """A server on a town of that size, for all measures that only read it."""
        if businesses not in self.towns:
            data = towns.town(self, businesses)
            self.tell(f"starting with {businesses:,} businesses")
            self.towns[businesses] = self.stack.enter_context(self.serve(data, timeout=300))
        return self.towns[businesses]

    @cached_property
    def options(self) -> str:
        """What the server says about its options, to see which it has."""
        return subprocess.run([self.binary, "serve", "--help"], capture_output=True, text=True).stdout

    @property
    def workers(self) -> int:
        """How many threads the server answers with: a core is left to the rest. Others get as many."""
        return max(1, (os.cpu_count() or 1) - 1)

    @contextlib.contextmanager
    def serve(self, data: Path, *options: str, timeout: float = 30) -> Iterator[Server]:
        """A server on a data folder, ended by a signal."""
        server = Server(self.binary, data, *options)
        server.ready(timeout)
        try:
            yield server
        finally:
            server.stop(timeout=60)

    def tell(self, text: str) -> None:
        """Shows what is under way, in one line of the terminal."""
        tell_progress(f"{self.name}: {text}"[:shutil.get_terminal_size().columns - 1])

    def alternate(self, unit: str, turns: dict[str, Callable[[], float]]) -> list[Side]:
        """Lets each take a turn in every round, so that a slow phase of the machine meets all of them."""
        sides = [Side(name, unit) for name in turns]
        for number in range(self.runs):
            for side, turn in zip(sides, turns.values()):
                before = ", ".join(f"{each.name} {each}" for each in sides if each.values)
                self.tell(f"round {number + 1} of {self.runs}, {side.name} {f'({before})' if before else ''}")
                side.values.append(turn())
        return sides
