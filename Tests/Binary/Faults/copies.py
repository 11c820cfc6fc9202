"""Backups, times of the past, and what can be saved of a damaged folder."""

import random
import re
import shutil
import signal
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from checks import Row
from harness import Server, sooke
from rig import CATEGORIES, Ledger, changed, contents, copy, make_store


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
    server = Server(binary, data).ready()
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
                    server = Server(binary, data).ready()
    finally:
        server.stop()
    return moments


def history(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Every time of a town's past is built again, and the folder it is built from is not touched."""
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
    return [row, backups(binary, folder, short), *damages(binary, folder, data, moments, short),
            dropping(binary, folder, short), only_snapshot(binary, folder, short)]


def dropping(binary: Path, folder: Path, short: bool) -> Row:
    """A server drops snapshots all the time, while the newest town is copied out of its folder."""
    row = Row("restore --at and repair beside a server that drops files")
    data, made = folder / "dropping", folder / "made"
    ledger, ended = Ledger(), threading.Event()
    server = Server(binary, data, "--keep-history", "0").ready()

    def drop() -> None:
        while not ended.is_set():
            ledger.send(server)
            server.ask("POST", "/api/v1/admin/snapshot")

    thread = threading.Thread(target=drop)
    try:
        server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
        ledger.send(server, rows=3000)  # so that a copy takes a while
        thread.start()
        time.sleep(1.1)  # the moments below are whole seconds, at which there must be a town
        for number in range(10 if short else 60):
            shutil.rmtree(made, ignore_errors=True)
            command = ["restore", "--at", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())] if number % 2 else ["repair"]
            result = sooke(binary, *command, "--data", data, "--to", made)
            said = f"it left with {result.returncode}: {result.stderr.strip()}"
            row.case(f"{command[0]} {number + 1}", [], [said] if result.returncode else [])
    finally:
        ended.set()
        thread.join()
        server.kill()
    return row


def only_snapshot(binary: Path, folder: Path, short: bool) -> Row:
    """A byte of the one snapshot in a restored folder changes: its line is named, and the others can be imported."""
    row = Row("a changed byte of the only snapshot")
    source = random.Random(4)
    store, backup = folder / "whole", folder / "whole.json"
    make_store(binary, store)
    sooke(binary, "backup", "--data", store, backup)
    for number in range(5 if short else 50):
        data, made, town = folder / "restored", folder / "made", folder / "town"
        for path in (data, made, town):
            shutil.rmtree(path, ignore_errors=True)
        sooke(binary, "restore", backup, "--data", data)
        snapshot = max(data.glob("snapshot-*.json"))
        content = bytearray(snapshot.read_bytes())
        lines = content.split(b"\n")
        line = source.choice([at for at, text in enumerate(lines) if b'"slug":"base' in text])
        offset = sum(len(text) + 1 for text in lines[:line]) + source.randrange(len(lines[line]))
        content[offset] ^= 1 << source.randrange(8)
        if content[offset] == ord("\n"):
            continue
        snapshot.write_bytes(content)
        wrong = []
        verdict = sooke(binary, "verify", "--data", data)
        if verdict.returncode != LOST or f"{snapshot.name}, line {line + 1}, " not in verdict.stdout:
            wrong.append(f"verify left with {verdict.returncode}, line {line + 1}: {verdict.stdout.strip()}")
        result = sooke(binary, "repair", "--data", data, "--to", made)
        if result.returncode != LOST or f"without line {line + 1}:" not in result.stderr:
            wrong.append(f"repair left with {result.returncode}: {result.stderr.strip()}")
        elif (imported := sooke(binary, "import", "--data", town, made / "readable.json")).returncode:
            wrong.append(f"import left with {imported.returncode}: {imported.stderr.strip()}")
        elif (found := export(binary, town).count('"slug":"base')) != sum(b'"slug":"base' in text for text in lines) - 1:
            wrong.append(f"{found} businesses are in what is left")
        row.case(f"byte {offset}", [], wrong)
    return row


def backups(binary: Path, folder: Path, short: bool) -> Row:
    """Backups under load: each holds all that was answered before it began, and no import by half."""
    row = Row("a backup while 8 clients import")
    data = folder / "busy"
    server = Server(binary, data).ready()
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
