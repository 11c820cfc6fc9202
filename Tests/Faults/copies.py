"""Backups, moments of the past, and what can be saved of a damaged folder."""

import random
import re
import shutil
import signal
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from rig import CATEGORIES, Ledger, Process, Row, changed, contents, copy

from harness import sooke  # isort: skip  (the rigs make its folder known)

SOUND, DAMAGED, LOST = 0, 1, 2  # how verify ends


@dataclass
class Moment:
    """A state that the town was in: the number and time of its last change, and its export."""

    sequence: int
    at: str
    export: str


def export(binary: Path, data: Path) -> str:
    """The whole town, as a text."""
    result = sooke(binary, "export", "--data", data)
    if result.returncode:
        raise RuntimeError(f"export of {data.name} left with {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def make_history(binary: Path, data: Path, count: int, random_source: random.Random) -> list[Moment]:
    """Imports one file after the other, with snapshots, stops and kills in between; every state is remembered."""
    ledger, moments = Ledger(), []
    server = Process(binary, data).ready()
    try:
        server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
        while len(moments) < count:
            ledger.send(server, rows=random_source.randint(1, 4))
            status = server.ask("GET", "/api/v1/admin/status").json()
            text = server.ask("GET", "/api/v1/admin/export?format=json").body.decode()
            moments.append(Moment(status["sequence"], status["changed_at"], text))
            match random_source.randrange(8):
                case 0: server.ask("POST", "/api/v1/admin/snapshot")
                case 1 | 2:
                    server.stop(random_source.choice([signal.SIGTERM, signal.SIGKILL]))
                    server = Process(binary, data).ready()
    finally:
        server.stop()
    return moments


def history(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Every moment of a town's past is built again, and the folder it is built from is not touched."""
    data, made = folder / "data", folder / "made"
    moments = make_history(binary, data, 12 if short else 100, random.Random(1))
    row = Row("restore --at the moment of each change")
    before = contents(data)
    for moment in moments:
        shutil.rmtree(made, ignore_errors=True)
        result = sooke(binary, "restore", "--at", moment.at, "--data", data, "--to", made)
        lost, wrong = [], []
        if result.returncode:
            lost.append(f"it left with {result.returncode}: {result.stderr.strip()}")
        elif export(binary, made) != moment.export:
            wrong.append("another town than it was")
        elif sooke(binary, "verify", "--data", made).returncode:
            wrong.append("the new folder is not sound")
        row.case(f"change {moment.sequence}", lost, wrong)
    if names := changed(before, contents(data)):
        row.case("the folder it was built from", [], [f"{names} changed"])
    return [row, backups(binary, folder, short), *damages(binary, folder, data, moments, short)]


def backups(binary: Path, folder: Path, short: bool) -> Row:
    """Backups under load: each holds all that was answered before it began, and no import by half."""
    row = Row("a backup while 8 clients import")
    data = folder / "busy"
    server = Process(binary, data).ready()
    ledgers = [Ledger(f"client-{number}") for number in range(8)]
    ended = threading.Event()

    def load(ledger: Ledger) -> None:
        while not ended.wait(0.02):  # else the town outgrows the test
            ledger.send(server)

    try:
        server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
        threads = [threading.Thread(target=load, args=(ledger,)) for ledger in ledgers]
        for thread in threads:
            thread.start()
        for number in range(4 if short else 25):
            answered = [file for ledger in ledgers for file in list(ledger.files) if file.answered]
            backup, made = folder / "town.json", folder / f"backup-{number}"
            result = sooke(binary, "backup", "--data", data, backup)
            result = result if result.returncode else sooke(binary, "restore", backup, "--data", made)
            lost, wrong = [], []
            if result.returncode:
                lost.append(f"it left with {result.returncode}: {result.stderr.strip()}")
            else:
                rows = Counter(re.findall(r'"description":"([^"]*)"', export(binary, made)))
                lost += [file.name for file in answered if rows[file.name] != file.rows]
                every = [file for ledger in ledgers for file in list(ledger.files)]
                wrong += [f"{file.name} by half" for file in every if rows[file.name] not in (0, file.rows)]
            row.case(f"backup {number + 1}", lost, wrong)
            shutil.rmtree(made, ignore_errors=True)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
        server.kill()
    row.figures = f"{sum(ledger.answered() for ledger in ledgers)} imports answered meanwhile"
    return row


def damages(binary: Path, folder: Path, data: Path, moments: list[Moment], short: bool) -> list[Row]:
    """Bytes that flip, files that go, files that are cut: verify says how bad it is, repair saves a state that was."""
    noticed, saved = Row("verify of a damaged folder"), Row("repair of a damaged folder")
    source = random.Random(2)
    newest = moments[-1]
    states = {moment.export for moment in moments}
    whole = 0
    for number in range(15 if short else 150):
        broken, made = copy(data, folder / "broken"), folder / "repaired"
        shutil.rmtree(made, ignore_errors=True)
        what = " and ".join(spoil(broken, source) for _ in range(source.choice([1, 1, 2, 3])))
        before = contents(broken)
        verdict = sooke(binary, "verify", "--data", broken)
        result = sooke(binary, "repair", "--data", broken, "--to", made)
        wrong = [f"{names} changed" for names in [changed(before, contents(broken))] if names]
        if verdict.returncode not in (DAMAGED, LOST):
            wrong.append(f"verify left with {verdict.returncode}: {verdict.stdout} {verdict.stderr}")
        noticed.case(what, [], wrong)
        lost, wrong = [], []
        if result.returncode == SOUND:
            whole += 1
            if export(binary, made) != newest.export:
                wrong.append("another town than the newest")
        elif result.returncode == LOST and made.exists() and (made / "manifest.json").exists():
            if export(binary, made) not in states:
                wrong.append("a town that never was")
        elif result.returncode != LOST:
            wrong.append(f"repair left with {result.returncode}: {result.stderr.strip()}")
        if verdict.returncode == DAMAGED and result.returncode != SOUND:
            lost.append(f"verify says that nothing is lost, repair left with {result.returncode}")
        saved.case(what, lost, wrong)
    saved.figures = f"{whole} saved whole, the rest a town that was or a clear refusal"
    return [noticed, saved]


def spoil(data: Path, source: random.Random) -> str:
    """Damages one file of a store; says how."""
    # No checksum proves the audit, and history.json may be missing: earlier versions have none.
    kinds = ("manifest.json", "snapshot-*.json", "wal-*.log")
    path = source.choice(sorted(path for kind in kinds for path in data.glob(kind)))
    content = bytearray(path.read_bytes())
    match source.randrange(6):
        case 0:
            path.unlink()
            return f"{path.name} gone"
        case 1:
            length = source.randrange(len(content))
            path.write_bytes(content[:length])
            return f"{path.name} cut to {length} bytes"
        case _:
            offset = source.randrange(len(content))
            content[offset] ^= 1 << source.randrange(8)
            path.write_bytes(content)
            return f"byte {offset} of {path.name} flipped"
