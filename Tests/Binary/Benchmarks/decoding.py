"""Reading a snapshot with the project's own reader against Foundation's."""

import json
import subprocess
from pathlib import Path

import peers
import towns
from bench import ROOT, Bench
from results import Bound, Result, Side

BOUND = Bound(10, 20)
BUSINESSES = 100_000
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
        .executableTarget(
            name: "HoursRace", dependencies: ["Bytes", "Platform", "SookeModel"], path: "HoursRace"),
    ])
"""


def race(bench: Bench) -> list[Result]:
    """Both read the same bytes in one process, in turn."""
    snapshot = max(towns.town(bench, BUSINESSES).glob("snapshot-*.json"))
    program = built(bench, "DecodeRace")
    bench.tell("reading")
    result = subprocess.run([program, snapshot, str(bench.runs)], capture_output=True, text=True, timeout=600)
    if result.returncode:
        raise RuntimeError(f"the race left with {result.returncode}: {result.stderr[-500:]}")
    seen = json.loads(result.stdout)
    sides = [Side(name, "MB/s", [seen["bytes"] / 1e6 / seconds for seconds in seen[key]])
             for name, key in (("sooke", "sooke"), ("JSONDecoder", "foundation"))]
    return [Result("reading a snapshot, against JSONDecoder", BOUND, sides[0].median / sides[1].median, "×", sides,
                   f"{seen['businesses']:,} businesses, {seen['bytes'] / 1e6:,.0f} MB")]


def built(bench: Bench, race: str) -> Path:
    """Compiles a race with the project's sources, beside the builds of everybody else."""
    peers.require("swift")
    package = bench.folder / "race"
    package.mkdir(exist_ok=True)
    own = [(name, ROOT / "Tests" / "Binary" / "Benchmarks" / name) for name in ("DecodeRace", "HoursRace")]
    for name, source in [("Sources", ROOT / "Sources"), *own]:
        if not (package / name).is_symlink():
            (package / name).symlink_to(source)
    manifest = package / "Package.swift"
    if not manifest.exists() or manifest.read_text() != MANIFEST:
        manifest.write_text(MANIFEST)
    bench.tell("compiling the race")
    command = ["swift", "build", "-c", "release", "--product", race]
    result = subprocess.run(command, cwd=package, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"the race cannot be compiled: {(result.stdout + result.stderr)[-1500:]}")
    return package / ".build" / "release" / race
