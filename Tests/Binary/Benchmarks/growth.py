"""What a town of 100,000 businesses costs: the start, memory, an import, and reading a snapshot."""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator

from bench import HERE, ROOT, TOWN, Bench
from harness import memory, send, sooke
from reading import LIST
from results import Bound, Result, Side, compare, single

STARTS = 5
# Only what reads a snapshot: the race needs no more of the project.
MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "race",
    targets: [
        .target(
            name: "CSystem",
            linkerSettings: [.linkedLibrary("crypt", .when(platforms: [.linux])), .linkedLibrary("z")]),
        .target(name: "Platform", dependencies: ["CSystem"]),
        .target(name: "Bytes"),
        .target(name: "JSON", dependencies: ["Bytes"]),
        .target(name: "SookeModel", dependencies: ["JSON", "Bytes"]),
        .target(name: "Journal", dependencies: ["Bytes", "Platform"]),
        .executableTarget(
            name: "DecodeRace", dependencies: ["Bytes", "JSON", "SookeModel", "Journal"], path: "DecodeRace"),
    ])
"""


def start(bench: Bench) -> Iterator[Result]:
    """From the start of the process to the first good answer, its memory by then, and an import of the same."""
    data = bench.copy("started", TOWN)
    with bench.serve(bench.scratch / "empty") as empty:
        send(empty.url, LIST)
        base = memory(empty.pid, "VmRSS")
    taken, grown = [], []
    for number in range(STARTS):
        bench.tell(f"start {number + 1} of {STARTS}")
        began = time.monotonic()
        with bench.serve(data, timeout=300) as server:
            if send(server.url, f"{LIST}/town-{TOWN}").status != 200:
                raise RuntimeError("the last business is not there")
            taken.append(time.monotonic() - began)
            grown.append((memory(server.pid, "VmRSS") - base) / TOWN / 1000)
    yield single("start with 100,000 businesses to the first answer", Bound(1.24, 0.8, at_most=True), "s", taken)
    yield single("memory of a business, of 100,000", Bound(5, 3, at_most=True), "kB", grown)
    bench.tell("importing")
    imported = Side("sooke", "s", [import_seconds(bench) for _ in range(bench.runs)])
    yield compare("import of a table of 100,000 rows, against a start with them", Bound(3.5, 2, at_most=True), imported,
                  Side("start", "s", taken))


def import_seconds(bench: Bench) -> float:
    """What an import of a table, as a spreadsheet saves it, into an empty folder takes."""
    table, data = bench.scratch / "businesses.csv", bench.scratch / "imported"
    if not table.exists():
        export = sooke(bench.binary, "export", "--data", bench.town(TOWN), "--format", "csv", timeout=300)
        table.write_text(export.stdout)
    began = time.monotonic()
    result = sooke(bench.binary, "import", "--data", data, "--create-categories", table, timeout=300)
    took = time.monotonic() - began
    if result.returncode:
        raise RuntimeError(f"the import left with {result.returncode}: {result.stderr[-500:]}")
    shutil.rmtree(data)
    return took


def decode(bench: Bench) -> Iterator[Result]:
    """The project's own reader and Foundation's read the same bytes in one process, in turn."""
    snapshot = max(bench.town(TOWN).glob("snapshot-*.json"))
    package = bench.folder / "race"
    package.mkdir(exist_ok=True)
    for name, source in (("Sources", ROOT / "Sources"), ("DecodeRace", HERE / "DecodeRace")):
        if not (package / name).is_symlink():
            (package / name).symlink_to(source)
    (package / "Package.swift").write_text(MANIFEST)
    bench.tell("compiling the race")
    built = subprocess.run(["swift", "build", "-c", "release"], cwd=package, capture_output=True, text=True)
    if built.returncode:
        raise RuntimeError(f"the race cannot be compiled: {(built.stdout + built.stderr)[-1500:]}")
    seen = json.loads(subprocess.run([package / ".build/release/DecodeRace", snapshot, str(bench.runs)], check=True,
                                     capture_output=True, timeout=600).stdout)
    ours, theirs = (Side(name, "MB/s", [seen["bytes"] / 1e6 / seconds for seconds in seen[name]])
                    for name in ("sooke", "JSONDecoder"))
    yield compare("reading a snapshot, against JSONDecoder", Bound(10, 20), ours, theirs)
