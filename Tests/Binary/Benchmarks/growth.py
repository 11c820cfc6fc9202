"""What a town of 100,000 businesses costs: the start, memory, an import, its questions, and reading a snapshot."""

import json
import random
import shutil
import subprocess
import time
import urllib.parse
from collections.abc import Iterator

import towns
from bench import HERE, ROOT, TOWN, Bench
from harness import memory, send, sooke
from reading import LIST
from results import Bound, Result, Side, compare, single

STARTS = 5
READY = 60  # seconds until the words must be indexed
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
    """From the start of the process to the first good answer, the memory that it has by then, and an import of the same."""
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
    started = Side("a start with them", "rows/s", [TOWN / seconds for seconds in taken])
    yield single("start with 100,000 businesses to the first answer", Bound(1.24, 0.8, at_most=True), "s", taken)
    yield single("memory of a business, of 100,000", Bound(5, 3, at_most=True), "kB", grown)
    bench.tell("importing")
    imported = Side("sooke", "rows/s", [imported_rows(bench) for _ in range(bench.runs)])
    result = compare("import of a table of 100,000 rows, against a start with them", None, started, imported)
    yield Result(result.what, Bound(3.5, 2, at_most=True), result.value, "×", [imported, started])


def imported_rows(bench: Bench) -> float:
    """How many rows a second of a table, as a spreadsheet saves it, are imported into an empty folder."""
    table, data = bench.scratch / "businesses.csv", bench.scratch / "imported"
    if not table.exists():
        table.write_text(sooke(bench.binary, "export", "--data", bench.town(TOWN), "--format", "csv", timeout=300).stdout)
    began = time.monotonic()
    result = sooke(bench.binary, "import", "--data", data, "--create-categories", table, timeout=300)
    took = time.monotonic() - began
    if result.returncode:
        raise RuntimeError(f"the import left with {result.returncode}: {result.stderr[-500:]}")
    shutil.rmtree(data)
    return TOWN / took


def questions(bench: Bench) -> Iterator[Result]:
    """One connection asks one question after the other, each another one, so that no stored response is sent."""
    url, began = bench.large, time.monotonic()
    while send(url, f"{LIST}?q=harbour").status != 200:
        if time.monotonic() - began > READY:
            raise RuntimeError(f"the words are not indexed after {READY} s")
        time.sleep(0.05)
    dice = random.Random(1)
    kinds = {"`open_now=true`, a page with total": ((5, 1), [f"open_now=true&page={page}" for page in range(1, 1001)]),
             "`open_at` another time": ((10, 10), [f"open_at={moment(dice)}" for _ in range(3000)]),
             "`q` with one typo": ((10, 2), [f"q={typo(dice)}" for _ in range(3000)]),
             "`near`, within 5 km": ((10, 0.5), [f"near={center(dice)}&radius_m=5000" for _ in range(3000)]),
             "`search`, a part of a name": ((10, 2), [f"search={dice.choice(towns.THINGS)[:4].lower()}&page={page}"
                                                      for page in range(1, 51)])}
    for what, ((must, aim), queries) in kinds.items():
        turn = bench.turn(url, 1, *(f"{LIST}?{query}" for query in queries))
        yield single(f"{what}, p99", Bound(must, aim, at_most=True), "ms", [turn().p99 for _ in range(bench.runs)],
                     f"of one connection, {len(queries):,} different requests")


def moment(dice: random.Random) -> str:
    return f"2027-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}T{dice.randrange(24):02}:{dice.randrange(60):02}:00Z"


def center(dice: random.Random) -> str:
    return f"{48.3 + dice.random() / 10:.6f},{-123.7 - dice.random() / 10:.6f}"


def typo(dice: random.Random) -> str:
    """A word of a name with a letter that is missing, doubled, changed or swapped; and sometimes a second word."""
    word = dice.choice([*towns.THINGS, towns.surname(dice.randrange(8000))]).lower()
    at = dice.randrange(1, len(word) - 1)
    changed = dice.choice([word[:at] + word[at + 1:], word[:at] + word[at] + word[at:], word[:at] + "z" + word[at + 1:],
                           word[:at] + word[at + 1] + word[at] + word[at + 2:]])
    return urllib.parse.quote(dice.choice([changed, f"{changed} {dice.choice(towns.TRADES).lower()}"]))


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
    yield compare("reading a snapshot, against JSONDecoder", Bound(10, 20), ours, theirs, f"{seen['bytes'] / 1e6:,.0f} MB")
