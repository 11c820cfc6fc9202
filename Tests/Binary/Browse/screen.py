"""A terminal with sooke-browse in it: tmux, whose screen can be read."""

import os
import re
import subprocess
import time
from pathlib import Path
from typing import ClassVar

from checks import Row
from town import Town

PROMPT = r"^[$ ]*\$ *$"


class Screen:
    """One window of tmux. A shell is in it, so that what a program leaves behind can be seen."""

    _all: ClassVar[list["Screen"]] = []

    def __init__(self, folder: Path, **environment: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._socket = folder / "tmux"
        self._home = folder / "home"
        self._home.mkdir(exist_ok=True)
        variables = {name: text for name, text in os.environ.items() if name != "TMUX" and not name.startswith("XDG_")}
        variables |= {"HOME": str(self._home), "TZ": "America/Vancouver", "LC_ALL": "C.UTF-8", **environment}
        command = ["new-session", "-d", "-x", "80", "-y", "24", "env PS1='$ ' sh"]
        subprocess.run(["tmux", "-f", "/dev/null", "-S", str(self._socket), *command], env=variables, check=True)
        self._all.append(self)
        self._commands = 0
        self.wait(r"^\$")

    @classmethod
    def close_all(cls) -> None:
        for screen in cls._all:
            screen._tmux("kill-server")
        cls._all.clear()
        Town.stop_all()

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-S", str(self._socket), *arguments]
        return subprocess.run(command, capture_output=True, text=True, errors="replace").stdout

    def shell(self, command: str) -> None:
        """Runs a command of the shell, and waits for its next prompt, since what is typed before that is lost."""
        self._commands += 1
        self.type(f"{command}; echo re''ady {self._commands}<Enter>")
        self.wait(rf"^ready {self._commands}\n\$ *$")

    def has_ended(self, seconds: float = 20) -> bool:
        """Whether all processes of sooke-browse end in time, and the shell is back."""
        end = time.monotonic() + seconds
        while self.processes():
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return self.has(PROMPT, seconds)

    def end(self) -> None:
        """Waits until sooke-browse has ended."""
        if not self.has_ended():
            raise RuntimeError(f"sooke-browse does not end, its processes are {self.processes()}:\n{self.text}")

    def browse(self, binary: Path, url: str) -> None:
        """Starts sooke-browse from the shell, on a screen without what was there before."""
        self.shell("clear")
        self.type(f"{binary.with_name('sooke-browse')} {url}<Enter>")

    def type(self, text: str) -> None:
        """Types text with keys in it, by their names in tmux: `/slack<Enter>`."""
        for index, part in enumerate(re.split(r"<([\w-]+)>", text)):
            if part:
                self._tmux("send-keys", *([] if index % 2 else ["-l"]), part)

    def play(self, row: Row, *steps: tuple[str, str, str]) -> None:
        """Types something, and looks for a pattern, and what that shows. Nothing follows a fault."""
        for text, pattern, what in steps:
            self.type(text)
            if not row.check(self.has(pattern), f"after {text!r}: {what}" if text else what, self.text):
                raise RuntimeError("nothing can follow")

    def resize(self, columns: int, rows: int) -> None:
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def text(self) -> str:
        """What is on the screen."""
        return self._tmux("capture-pane", "-p")

    @property
    def styled(self) -> str:
        """What is on the screen, with the sequences for its colours."""
        return self._tmux("capture-pane", "-p", "-e")

    def value(self, name: str) -> str:
        """A variable of tmux."""
        return self._tmux("display-message", "-p", f"#{{{name}}}").strip()

    def has(self, pattern: str, seconds: float = 20) -> bool:
        """Whether a pattern appears on the screen in time."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text, re.MULTILINE):
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def wait(self, pattern: str, seconds: float = 20) -> None:
        """Waits for a pattern; raises RuntimeError when it does not come, since nothing can follow."""
        if not self.has(pattern, seconds):
            raise RuntimeError(f"{pattern!r} does not appear on the screen:\n{self.text}")

    def processes(self) -> list[int]:
        """The processes of sooke-browse in this terminal, the oldest first."""
        return descendants(int(self.value("pane_pid")))


def descendants(process: int) -> list[int]:
    """The children of a process, and theirs."""
    path = Path(f"/proc/{process}/task/{process}/children")
    children = [int(word) for word in path.read_text().split()] if path.exists() else []
    return children + [other for child in children for other in descendants(child)]
