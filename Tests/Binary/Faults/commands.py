"""Commands beside a server that is at work or that is another one, and backups that fail."""

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

from checks import Row
from harness import Server, sooke
from rig import CATEGORIES, NOT_PERMITTED, UNAVAILABLE, Ledger, changed, contents, make_store
from tracing import require_root


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    return [failing(binary, folder), elsewhere(binary, folder)]


# Beside a server at work

def busy(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Beside 8 clients that import, and a server that drops snapshots all the time: each backup, restore and repair has
    all that was answered before it began, and no import by half; backups to one name at once leave one, whole."""
    row = Row("a backup, restore and repair while 8 clients import")
    data, made, backup = folder / "busy", folder / "made", folder / "backups" / "town.json"
    backup.parent.mkdir()
    server = Server(binary, data, "--keep-history", "0").ready()
    ledgers = [Ledger(f"client-{number}") for number in range(8)]
    ended = threading.Event()

    def load(ledger: Ledger) -> None:
        while not ended.wait(0.02):  # else the town outgrows the test
            ledger.send(server)

    def drop() -> None:
        while not ended.is_set():
            server.ask("POST", "/api/v1/admin/snapshot")

    threads = [threading.Thread(target=load, args=(ledger,)) for ledger in ledgers] + [threading.Thread(target=drop)]
    try:
        server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
        for thread in threads:
            thread.start()
        time.sleep(1.1)  # the moments below are whole seconds, at which there must be a town
        for number in range(9 if short else 60):
            shutil.rmtree(made, ignore_errors=True)
            before = [file for ledger in ledgers for file in list(ledger.files) if file.answered]
            match number % 3:
                case 0:
                    copies = [subprocess.Popen([binary, "backup", backup, "--data", data], stdout=subprocess.DEVNULL)
                              for _ in range(3)]
                    wrong = ["a backup failed"] if any([command.wait(60) for command in copies]) else []
                    wrong += [f"there is {names}" for names in [os.listdir(backup.parent)] if names != [backup.name]]
                    words = ["restore", backup, "--data", made]
                case 1: words, wrong = ["repair", "--data", data, "--to", made], []
                case _:
                    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
                    words, wrong, before = ["restore", "--at", moment, "--data", data, "--to", made], [], []
            done = sooke(binary, *words)
            if done.returncode:
                row.case(f"{words[0]} {number + 1}", [], [f"it left with {done.returncode}: {done.stderr.strip()}"])
                continue
            rows = Counter(re.findall(r'"description":"([^"]*)"', sooke(binary, "export", "--data", made).stdout))
            every = [file for ledger in ledgers for file in list(ledger.files)]
            wrong += [f"{file.name} by half" for file in every if rows[file.name] not in (0, file.rows)]
            lost = [file.name for file in before if rows[file.name] != file.rows]
            row.case(f"{words[0]} {number + 1}", lost, wrong)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
        server.kill()
    row.figures = f"{sum(ledger.answered() for ledger in ledgers)} imports answered meanwhile"
    return [row]


# Backups that fail

def failing(binary: Path, folder: Path) -> Row:
    """A backup that is interrupted or loses its server leaves every file as it was, also with --keep 1."""
    row = Row("a backup that is interrupted or loses its server")
    data, place = folder / "kept", folder / "place"
    place.mkdir()
    make_store(binary, data)
    for name in ("town-2020.json", "town-2021.json"):
        sooke(binary, "backup", place / name, "--data", data)
    before = contents(place)
    for how in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
        server = Server(binary, data).ready()
        server.send(signal.SIGSTOP)  # so that it does not answer
        # A shell may have started all this with `nohup`.
        command = subprocess.Popen(["env", "--default-signal=HUP", binary, "backup", "--keep", "1", "--data", data,
                                    place / "town-%Y.json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while contents(place) == before and time.monotonic() < end:
            time.sleep(0.005)
        wrong = ["nothing was begun"] if contents(place) == before else []
        server.kill() if how == signal.SIGKILL else command.send_signal(how)
        if (status := command.wait(20)) != (UNAVAILABLE if how == signal.SIGKILL else -how):
            wrong.append(f"it ended with {status}")
        server.kill()
        lost = [f"{name} changed" for name in changed(before, contents(place))]
        row.case("its server is killed" if how == signal.SIGKILL else how.name, lost, wrong)
    return row


# A server that is another one

def elsewhere(binary: Path, folder: Path) -> Row:
    """Nothing is sent to the server of another folder, whose socket a copy with hard links has, nor to another user."""
    require_root()
    row = Row("a folder whose socket is another's")
    data, copied = folder / "live", folder / "linked"
    make_store(binary, data)
    server = Server(binary, data).ready()
    subprocess.run(["cp", "-al", data, copied], check=True)
    sequence = server.sequence()
    for words in (["export"], ["user", "add", "ada@town.example"]):
        done = sooke(binary, *words, "--data", copied)
        row.check(done.returncode == UNAVAILABLE and "another folder" in done.stderr, f"{words[0]} of a copy", done)
    row.check(server.sequence() == sequence, "the town that is served has not changed")
    server.stop()
    program = ("import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); "
               "os.chmod(sys.argv[1], 0o777); s.listen(); print(flush=True)\n"
               "while True:\n c = s.accept()[0]\n while text := c.recv(65536): sys.stdout.buffer.raw.write(text)")
    data.chmod(0o777)
    impostor = subprocess.Popen(["setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", "python3", "-c", program,
                                 data / "admin.sock"], stdout=subprocess.PIPE)
    listens = impostor.stdout and impostor.stdout.readline() == b"\n"
    data.chmod(0o755)
    for words in (["user", "password", "ada@town.example"], ["status"]):
        done = subprocess.run([binary, *words, "--data", data], input="a secret of root\n", text=True,
                              capture_output=True, timeout=60)
        row.check(bool(listens) and done.returncode == NOT_PERMITTED, f"{words[0]}, another user listens", done)
    impostor.kill()
    row.check(not (heard := impostor.communicate()[0]), "what was heard", heard)
    return row
