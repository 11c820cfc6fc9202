"""The tests of the journal on a simulated disk, at full length: random lives, and every byte changed and cut."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from checks import Row, Skip

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / ".build" / "proof"
# Nothing but the journal's own suite: a release build of all tests, with their insides open, takes many minutes.
MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "proof",
    targets: [
        .target(
            name: "CSystem",
            linkerSettings: [.linkedLibrary("crypt", .when(platforms: [.linux])), .linkedLibrary("z")]),
        .target(name: "Platform", dependencies: ["CSystem"]),
        .target(name: "Bytes"),
        .target(name: "Limits", dependencies: ["Bytes"]),
        .target(name: "HTTP", dependencies: ["Limits", "Bytes", "Platform"]),
        .target(name: "Journal", dependencies: ["Bytes", "Platform"], exclude: ["README.md"]),
        .target(name: "TestSupport", dependencies: ["Journal", "HTTP"], path: "Tests/Swift/TestSupport"),
        .testTarget(
            name: "JournalTests", dependencies: ["Journal", "Bytes", "TestSupport"], path: "Tests/Swift/JournalTests"),
    ])
"""
RELEASE = ["-c", "release", "-Xswiftc", "-enable-testing"]


def simulated_disk(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Random lives of a store, and the mistakes that prove that the simulator finds some."""
    states = 20_000 if short else 1_000_000
    lives = Row("a crash in a random life on a simulated disk", total=states)
    mistakes = Row("control: a deliberate mistake in the journal is found", total=5)
    suite = Suite("CrashTests", {"everyAnsweredCommitSurvives": lives, "everyDeliberateMistakeIsFound": mistakes})
    suite.run({"SOOKE_CRASH_STATES": str(states)})
    lives.figures = f"{suite.seconds:.0f} s on {len(os.sched_getaffinity(0))} cores"
    return [lives, mistakes]


def every_byte(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Every byte of a log, of a snapshot and of a manifest is changed in two ways, and every cut of a log is made."""
    commits = 40 if short else 1_000
    log, cut = Row("a changed byte of a log, 0x01 and 0x80"), Row("a log cut at a byte")
    snapshot, manifest = Row("a changed byte of a snapshot"), Row("a changed byte of a manifest")
    suite = Suite("DamageTests", {
        "everyChangedByteOfAnOpenLogIsNoticedAndCostsNothing": log, "everyChangedByteOfAClosedLogIsRefused": log,
        "everyCutOfAnOpenLogLeavesTheCommitsBeforeIt": cut, "everyCutOfAnOpenLogIsRefusedAfterAKill": cut,
        "everyCutOfAClosedLogIsRefused": cut,
        "olderSnapshotReplacesADamagedNewestOne": snapshot, "everyChangedByteOfTheManifestIsRefused": manifest,
    })
    suite.run({"SOOKE_DAMAGE_COMMITS": str(commits)})
    log.figures = f"{commits:,} commits, every byte; {suite.seconds:.0f} s for all four"
    return [log, cut, snapshot, manifest]


@dataclass
class Suite:
    """A Swift suite, and the row that each of its tests counts for."""

    name: str
    rows: dict[str, Row]
    seconds: float = 0
    _counts: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    _issues: list[tuple[str, str]] = field(default_factory=list)
    _other: list[str] = field(default_factory=list)

    def run(self, scale: dict[str, str]) -> None:
        """Runs the suite on the scale that its variables say, and fills the rows."""
        build()
        command = ["swift", "test", *RELEASE, "--skip-build", "--filter", self.name]
        with output(command, {**os.environ, **scale, "SOOKE_CASES": "1"}) as process:
            for line in process.stdout or ():
                self._read(line.rstrip())
            status = process.wait()
        for (test, which), (done, total) in self._counts.items():
            few = [f"only {done:,} of {total:,} cases were made"] if done < total else []
            self.rows[test].case(f"{test} {which}".strip(), [], few, cases=done)
        first = next(iter(self.rows.values()))
        for test, issue in self._issues:
            is_loss = "were answered" in issue or "not opened" in issue
            row = self.rows.get(test, first)
            row.case(test, [issue] if is_loss else [], [] if is_loss else [issue], cases=0)
        if status and not self._issues:
            first.case(self.name, [], [f"it left with {status}: {' | '.join(self._other[-5:])}"], cases=0)

    def _read(self, line: str) -> None:
        """Takes one line of the tests' output."""
        if found := re.fullmatch(r"cases: (\w+) ?(.*) (\d+)/(\d+)", line):
            self._counts[found[1], found[2]] = (int(found[3]), int(found[4]))
            row = self.rows[found[1]]
            counts = [count for (test, _), count in self._counts.items() if self.rows[test] is row]
            row.total = max(row.total, sum(total for _, total in counts))
            row.tell(sum(done for done, _ in counts))
        elif found := re.search(r"(\w+)\([\w:]*\) recorded an issue.*?: (.*)$", line):
            self._issues.append((found[1], found[2]))
        elif line.startswith("↳ ") and self._issues:
            test, issue = self._issues[-1]
            self._issues[-1] = (test, f"{issue} {line[2:]}"[:500])
        elif found := re.search(r"Test run with .* after ([\d.]+) seconds", line):
            self.seconds = float(found[1])
        else:
            self._other.append(line[:300])


def build() -> None:
    """Builds the journal and its tests, optimised, beside the builds of everybody else."""
    if not shutil.which("swift"):
        raise Skip("there is no Swift toolchain")
    BUILD.mkdir(parents=True, exist_ok=True)
    for name in ("Sources", "Tests"):
        if not (BUILD / name).is_symlink():
            (BUILD / name).symlink_to(ROOT / name)
    manifest = BUILD / "Package.swift"
    if not manifest.exists() or manifest.read_text() != MANIFEST:
        manifest.write_text(MANIFEST)
    with output(["swift", "build", *RELEASE, "--build-tests"], dict(os.environ)) as process:
        said = process.communicate()[0]
    if process.returncode:
        raise RuntimeError(f"the tests cannot be built: {said[-2000:]}")


@contextlib.contextmanager
def output(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Runs a command with all its children, which end when this program is told to."""
    process = subprocess.Popen(command, cwd=BUILD, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
