#!/usr/bin/env python3
"""The packages of PyPI that the checks need, `requirements.txt`, in a virtual environment below `.build`.

Run by itself, it makes that environment."""

import os
import subprocess
import sys
import venv
from pathlib import Path

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
ENVIRONMENT = Path(__file__).resolve().parents[3] / ".build" / "python"


def python() -> Path:
    """An interpreter that has the packages; their programs are beside it."""
    if not (made := ENVIRONMENT / "made").exists() or made.read_bytes() != REQUIREMENTS.read_bytes():
        venv.create(ENVIRONMENT, with_pip=True)
        subprocess.run([ENVIRONMENT / "bin" / "pip", "install", "-q", "-r", REQUIREMENTS], check=True)
        made.write_bytes(REQUIREMENTS.read_bytes())
    return ENVIRONMENT / "bin" / "python"


def run_with_packages() -> None:
    """Runs this program again with the packages, unless it has them."""
    program = python()
    if Path(sys.prefix).resolve() != ENVIRONMENT.resolve():
        os.execv(program, [str(program), *sys.argv])


if __name__ == "__main__":
    python()
