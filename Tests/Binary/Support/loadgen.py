"""The load generator, in `Load`, compiled when this module is first imported: no check can wait for it in its middle."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def load_generator() -> Path:
    """The program; takes half a minute where it is not there yet."""
    sources = sorted(Path(__file__).with_name("Load").glob("*.swift"))
    program = ROOT / ".build" / "load-generator"
    if program.exists() and program.stat().st_mtime > max(source.stat().st_mtime for source in sources):
        return program
    program.parent.mkdir(exist_ok=True)
    include = ROOT / "Sources" / "CSystem" / "include"
    result = subprocess.run(["swiftc", "-O", "-wmo", "-swift-version", "6", "-I", include, *sources, "-o", program],
                            capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"the load generator cannot be compiled: {result.stderr[-1000:]}")
    return program


load_generator()
