"""Logs of killed servers that have lost their end."""

import random
import shutil
import signal
from pathlib import Path

from copies import LOST, SOUND
from checks import Row
from harness import Server, sooke
from rig import BAD_DATA, Ledger, check_restart, copy, make_store


PAGE = 4096


def last_page(binary: Path, folder: Path, short: bool) -> list[Row]:
    """After a kill the last page of the log becomes zeros: nothing that was answered is gone without a word."""
    row, copied = Row("the last page of a killed server's log becomes zeros"), Row("a copy of a killed server's folder")
    source = random.Random(3)
    silent = 0
    for number in range(5 if short else 50):
        data = folder / f"data-{number}"
        ledger = make_store(binary, data)
        server = Server(binary, data).ready()
        for _ in range(source.randint(1, 12)):
            ledger.send(server, rows=source.randint(1, 4))
        server.stop(signal.SIGKILL)
        check_restart(copied, f"copy {number + 1}", binary, copy(data, folder / "copy"), Ledger(files=list(ledger.files)), [])
        log = max(data.glob("wal-*.log"))
        zero_last_page(log)
        lost, wrong, says = check(binary, data, folder / "repaired", log.name, ledger)
        silent += not says
        row.case(f"log {number + 1}", lost, wrong)
        shutil.rmtree(data)
    row.figures = f"{silent} started without a word"
    return [row, copied]


def zero_last_page(log: Path) -> None:
    """The last page that is no reserved space; in place, as a disk does it."""
    with log.open("r+b") as file:
        start = (len(file.read().rstrip(b"\0")) - 1) // PAGE * PAGE
        length = file.seek(0, 2)
        file.seek(start)
        file.write(bytes(length - start))


def check(binary: Path, data: Path, made: Path, log: str, ledger: Ledger) -> tuple[list[str], list[str], bool]:
    """What is lost without a word, what is wrong, and whether the start said anything."""
    lost: list[str] = []
    wrong: list[str] = []
    server = Server(binary, data)
    status = server.outcome()
    if status is None:
        lost, wrong = ledger.compare(server.url)
        server.kill()
        return lost, wrong, log in server.said
    if status != BAD_DATA or not (log in server.said and "sooke repair" in server.said):
        wrong.append(f"it ended with {status}: {server.said}")
    result = sooke(binary, "verify", "--data", data)
    if result.returncode != LOST or log not in result.stdout:
        wrong.append(f"verify left with {result.returncode}: {result.stdout}")
    shutil.rmtree(made, ignore_errors=True)
    result = sooke(binary, "repair", "--data", data, "--to", made)
    if result.returncode != LOST:
        wrong.append(f"repair left with {result.returncode}: {result.stderr}")
    elif (sound := sooke(binary, "verify", "--data", made)).returncode != SOUND:
        wrong.append(f"what was repaired is not sound: {sound.stdout}")
    else:
        server = Server(binary, made).ready()
        # The imports are one after the other, so those that are there are the first ones.
        gone, more = ledger.compare(server.url)
        server.kill()
        wrong += more
        first = ledger.files[:len(ledger.files) - len(gone)]
        wrong += [f"{file.name} is gone, and later ones are there" for file in first
                  if any(f"{file.name} was" in text for text in gone)]
    return lost, wrong, True
