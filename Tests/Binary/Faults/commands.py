"""Commands beside a server that is at work, that stops, or that is another one; and backups that fail."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from checks import Row
from harness import Server, sooke
from rig import (CATEGORIES, IO_ERROR, NOT_PERMITTED, UNANSWERED, UNAVAILABLE, File, Ledger, changed, contents,
                 count_businesses, make_store)
from tracing import mounted, require_root

SURE = "the import may have been committed: run it again to check, it changes nothing twice"


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    return [stopping(binary, folder, 6 if short else 40), failing(binary, folder), elsewhere(binary, folder)]


# Beside a server at work

def busy(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Beside 8 clients that import, and a server that drops snapshots all the time: each backup, restore and repair has
    all that was answered before it began, and no import by half; backups to one name at once leave one of them, whole."""
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


# A server that stops

def stopping(binary: Path, folder: Path, times: int) -> Row:
    """A server stops or is killed during an import: the command says what is known, and a second run finds out the rest.

    The first ones end before the command has read its file, the later ones in the middle of the work.
    """
    row = Row("a server that stops during an import")
    data, file = folder / "stopping", folder / "rows.ndjson"
    make_store(binary, data)
    for number, how in enumerate([signal.SIGTERM, signal.SIGKILL] * (times // 2)):
        file.write_bytes(File(f"stopping-{number}", 2000).body)
        server = Server(binary, data).ready()
        before = count_businesses(server.url)
        command = subprocess.Popen([binary, "import", "--data", data, file], stdin=subprocess.DEVNULL, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        time.sleep(0.02 * (number // 2 + 1))
        ended = server.stop(how)
        said = command.communicate(timeout=120)[0].strip()
        status = command.returncode
        server = Server(binary, data).ready()
        there = count_businesses(server.url) - before
        server.stop()
        lost = ["it was answered and is gone"] if status == 0 and there == 0 else []
        wrong = [] if there in (0, 2000) else [f"{there} of 2000 rows are there"]
        wrong += [] if ended == (0 if how == signal.SIGTERM else -how) else [f"the server ended with {ended}"]
        if status not in (0, UNAVAILABLE, UNANSWERED) or (status == UNANSWERED) != (SURE in said):
            wrong.append(f"the import ended with {status}: {said}")
        if status == UNAVAILABLE and there or how == signal.SIGTERM and status == UNANSWERED:
            wrong.append(f"{there} rows are there, but it ended with {status}: {said}")
        row.case(f"{how.name}, import {number + 1}", lost, wrong)
    return row


# Backups that fail

def failing(binary: Path, folder: Path) -> Row:
    """A backup that fails, or is interrupted, leaves every file as it was, also with --keep 1."""
    row = Row("a backup that fails or is interrupted")
    data, place = folder / "kept", folder / "place"
    place.mkdir()
    make_store(binary, data)
    for name in ("town.json", "town-2020.json", "town-2021.json"):
        sooke(binary, "backup", place / name, "--data", data)

    def case(name: str, source: Path, to: Path = place) -> None:
        before = contents(to)
        for words in (["town.json"], ["--keep", "1", "town-%Y.json"]):
            done = subprocess.run([binary, "backup", "--data", source, *words], cwd=to, capture_output=True, timeout=60)
            row.case(f"{name}, {' '.join(words)}", [f"{file} changed" for file in changed(before, contents(to))],
                     [] if done.returncode in (UNAVAILABLE, IO_ERROR) else [f"it ended with {done.returncode}"])

    with served(folder / "ends", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"format\":") as ends:
        case("a server that ends in the middle", ends)
    require_root()
    with mounted(folder / "full", "-t", "tmpfs", "-o", "size=64k", "tmpfs") as full:
        for name, content in contents(place).items():
            (full / name).write_bytes(content)
        (full / "ballast").write_bytes(b"x" * (os.statvfs(full).f_bavail * os.statvfs(full).f_bsize))
        case("a full disk", data, full)
    for how in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        before = contents(place)
        with served(folder / "waits", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf", waits=True) as waits:
            # A shell may have started all this with `nohup`.
            command = subprocess.Popen(["env", "--default-signal=HUP", binary, "backup", place / "town.json", "--data", waits],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            end = time.monotonic() + 20
            while b"half" not in contents(place).values() and time.monotonic() < end:
                time.sleep(0.005)
            command.send_signal(how)
            status = command.wait(20)
        wrong = [] if status == -how else [f"it ended with {status}"]
        row.case(how.name, [f"{name} changed" for name in changed(before, contents(place))], wrong)
    return row


@contextlib.contextmanager
def served(data: Path, answer: bytes, waits: bool = False) -> Iterator[Path]:
    """A folder with a socket that gives every request the same answer, and then ends it or waits."""
    data.mkdir(exist_ok=True)
    (data / "admin.sock").unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(data / "admin.sock"))
    listener.listen()
    done = threading.Event()

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, contextlib.suppress(ConnectionError):
                    connection.recv(65_536)
                    connection.sendall(answer)
                    done.wait(30 if waits else 0)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield data
    finally:
        done.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


# A server that is another one

def elsewhere(binary: Path, folder: Path) -> Row:
    """Nothing is sent to the server of another folder, whose socket a copy with hard links has, nor to another user."""
    require_root()
    row = Row("a folder whose socket is another's")
    data, copied, file = folder / "live", folder / "linked", folder / "linked.ndjson"
    make_store(binary, data)
    file.write_bytes(File("linked", 3).body)
    server = Server(binary, data).ready()
    subprocess.run(["cp", "-al", data, copied], check=True)
    before, sequence = contents(copied), server.sequence()
    for words in (["import", file], ["export"], ["backup", folder / "linked.json"], ["user", "add", "ada@town.example"]):
        done = sooke(binary, *words, "--data", copied)
        wrong = [] if done.returncode == UNAVAILABLE and "another folder" in done.stderr else [
            f"it ended with {done.returncode}: {done.stdout} {done.stderr.strip()}"]
        # The copy says of itself that its backup has failed.
        names = [name for name in changed(before, contents(copied)) if name != "backup.json"]
        row.case(f"{words[0]} of a copy with hard links", [], wrong + ([f"{names} changed"] if names else []))
    wrong = [] if server.sequence() == sequence else [f"it is at {server.sequence()}"]
    row.case("the town that is served", [], wrong)
    server.stop()
    for mode in (0o755, 0o1777):
        data.chmod(0o777)
        impostor = Impostor(data / "admin.sock")
        data.chmod(mode)
        for words in (["user", "password", "ada@town.example"], ["status"]):
            done = subprocess.run([binary, *words, "--data", data], input="a secret of root\n", text=True,
                                  capture_output=True, timeout=60)
            wrong = [] if done.returncode == NOT_PERMITTED and impostor.listens else [
                f"it ended with {done.returncode}: {done.stderr.strip()}"]
            row.case(f"{words[0]}, another user listens in a folder of mode {mode:o}", [], wrong)
        heard = impostor.heard()
        row.case(f"what was heard, mode {mode:o}", [], [f"it heard {heard[:200]!r}"] if heard else [])
    return row


class Impostor:
    """A process of another user that listens where a command expects the server, and remembers what it gets."""

    def __init__(self, path: Path) -> None:
        program = ("import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); "
                   "os.chmod(sys.argv[1], 0o777); s.listen(); print(flush=True)\n"
                   "while True:\n c = s.accept()[0]\n while text := c.recv(65536): sys.stdout.buffer.raw.write(text)")
        path.unlink(missing_ok=True)
        self._process = subprocess.Popen(["setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", "python3", "-c",
                                          program, path], stdout=subprocess.PIPE)
        assert self._process.stdout
        self.listens = self._process.stdout.readline() == b"\n"

    def heard(self) -> bytes:
        """What it got, once it has ended."""
        self._process.kill()
        return self._process.communicate()[0]
