"""A systemd unit, as far as the tests need to read one."""

import re
from pathlib import Path


class Unit:
    """The settings of the section `[Service]`, each with its values in order; an empty value discards earlier ones."""

    def __init__(self, path: Path) -> None:
        self.settings: dict[str, list[str]] = {}
        section = ""
        for line in path.read_text().splitlines():
            if line.startswith("["):
                section = line
            elif section == "[Service]" and "=" in line and not line.startswith(("#", ";")):
                name, _, value = line.partition("=")
                self.settings[name] = [*self.settings.get(name, []), value] if value else []

    def one(self, name: str, otherwise: str = "") -> str:
        """The last value of a setting."""
        return (self.settings.get(name) or [otherwise])[-1]

    def words(self, name: str) -> list[str]:
        """The words of a setting, without quotes and specifiers."""
        return [word for value in self.settings.get(name, []) for word in words(value)]

    def is_on(self, name: str) -> bool:
        return self.one(name) == "yes"

    def command(self) -> list[str]:
        """The words of ExecStart; `$$` is a dollar sign in the arguments."""
        program, *arguments = self.words("ExecStart")
        return [program, *(argument.replace("$$", "$") for argument in arguments)]


def words(text: str) -> list[str]:
    """Splits a value as systemd.syntax(7) has it, as far as `sooke unit` makes use of it."""
    found = re.findall(r'"(?:[^"\\]|\\.)*"|\S+', text)
    return [re.sub(r"\\(.)", r"\1", word.strip('"')).replace("%%", "%") for word in found]
