"""The packages of PyPI that this folder needs, in a virtual environment below `.build`."""

import os
import subprocess
import sys
import venv
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[3] / ".build" / "browser"
PACKAGES = ["selenium>=4.20,<5", "axe-core-python>=0.1,<0.2", "html5lib>=1.1,<2", "pillow>=10"]


def run_with_packages() -> None:
    """Runs this program again with the packages, unless it has them."""
    if not (TOOLS / "done").exists():
        venv.create(TOOLS, with_pip=True)
        subprocess.run([TOOLS / "bin" / "pip", "install", "-q", *PACKAGES], check=True)
        (TOOLS / "done").touch()
    if Path(sys.prefix).resolve() != TOOLS.resolve():
        python = TOOLS / "bin" / "python"
        os.execv(python, [str(python), *sys.argv])
