"""Backups that fail, that are interrupted, that meet each other, and that remove older ones."""

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rig import IO_ERROR, Process, Row, Skip, changed, copy, make_store, mounted

from harness import sooke  # isort: skip  (the rigs make its folder known)

UNAVAILABLE = 69


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """All that may happen to a backup."""
    data = folder / "data"
    make_store(binary, data)
    return [together(binary, folder, data, 3 if short else 30), failing(binary, folder, data),
            interrupted(binary, folder), kept(binary, folder, data)]


def files(folder: Path) -> dict[str, bytes]:
    """The files in a folder and their bytes."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def restores(binary: Path, folder: Path, backup: Path) -> bool:
    """Whether a backup can be restored."""
    made = folder / "made"
    shutil.rmtree(made, ignore_errors=True)
    return sooke(binary, "restore", backup, "--data", made).returncode == 0


def together(binary: Path, folder: Path, data: Path, rounds: int) -> Row:
    """Backups to one name at once: each succeeds, and the file is one of them, whole."""
    row = Row("several backups to one name at once")
    place = folder / "together"
    place.mkdir()
    server = Process(binary, data).ready()
    try:
        for number in range(rounds):
            commands = [subprocess.Popen([binary, "backup", place / "town.json", "--data", data],
                                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                        for _ in range(4)]
            said = [command.communicate(timeout=60)[1].strip() for command in commands]
            wrong = [f"one ended with {command.returncode}: {text}" for command, text in zip(commands, said)
                     if command.returncode]
            if list(files(place)) != ["town.json"]:
                wrong.append(f"there is {list(files(place))}")
            lost = [] if restores(binary, folder, place / "town.json") else ["the file cannot be restored"]
            row.case(f"round {number + 1}", lost, wrong)
    finally:
        server.stop()
    return row


def failing(binary: Path, folder: Path, data: Path) -> Row:
    """A backup that fails leaves every file as it was, also with --keep 1."""
    row = Row("a backup that fails")
    place = folder / "failing"
    place.mkdir()
    for name in ("town.json", "town-2020.json", "town-2021.json"):
        sooke(binary, "backup", place / name, "--data", data)

    def case(name: str, status: int | None, source: Path, to: Path = place) -> None:
        before = files(to)
        for words in (["town.json"], ["--keep", "1", "town-%Y.json"]):
            result = subprocess.run([binary, "backup", "--data", source, *words], cwd=to, capture_output=True,
                                    text=True, timeout=60)
            wrong = [] if result.returncode == status or (status is None and result.returncode) else [
                f"it ended with {result.returncode}: {result.stderr.strip()}"]
            lost = [f"{name} changed" for name in changed(before, files(to))]
            row.case(f"{name}, {' '.join(words)}", lost, wrong)

    broken = copy(data, folder / "broken")
    (broken / "manifest.json").write_text("{}\n")
    case("a damaged folder", None, broken)
    case("no folder", None, folder / "nowhere")
    with served(folder / "ends", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"format\":") as ends:
        case("a server that ends in the middle", UNAVAILABLE, ends)
    with served(folder / "garbles", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345") as garbles:
        case("a server that sends something else", None, garbles)
    try:
        with mounted(folder / "full", "-t", "tmpfs", "-o", "size=64k", "tmpfs") as full:
            for name, content in files(place).items():
                (full / name).write_bytes(content)
            (full / "ballast").write_bytes(b"x" * (os.statvfs(full).f_bavail * os.statvfs(full).f_bsize))
            case("a full disk", IO_ERROR, data, full)
    except Skip:
        pass
    row.figures = "good copies stay, with --keep 1 too"
    return row


def interrupted(binary: Path, folder: Path) -> Row:
    """A signal in the middle: the command ends by it, and nothing but the older file is left."""
    row = Row("a backup that is interrupted")
    place = folder / "interrupted"
    place.mkdir()
    (place / "town.json").write_text("the older one")
    for how in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with served(folder / "waits", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf", waits=True) as data:
            command = subprocess.Popen([binary, "backup", place / "town.json", "--data", data],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            end = time.monotonic() + 20
            while b"half" not in files(place).values() and time.monotonic() < end:
                time.sleep(0.005)
            there = len(files(place))
            command.send_signal(how)
            status = command.wait(20)
        wrong = [] if status == -how else [f"it ended with {status}"]
        wrong += [] if there == 2 else [f"{there} files meanwhile"]
        lost = [] if files(place) == {"town.json": b"the older one"} else [f"there is {list(files(place))}"]
        row.case(how.name, lost, wrong)
    return row


@contextmanager
def served(data: Path, answer: bytes, waits: bool = False, whole: bool = False) -> Iterator[Path]:
    """A folder with a socket that gives every request the same answer, and then ends it or waits.

    With `whole` it reads the request to its end first, else only the beginning.
    """
    data.mkdir(exist_ok=True)
    (data / "admin.sock").unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(data / "admin.sock"))
    listener.listen()
    done = threading.Event()

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                request = connection.recv(65_536)
                while whole and not request.endswith(b"0\r\n\r\n" if b"chunked" in request else b"\r\n\r\n"):
                    request += connection.recv(65_536)
                connection.sendall(answer)
                if waits:
                    done.wait(30)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield data
    finally:
        done.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def kept(binary: Path, folder: Path, data: Path) -> Row:
    """--keep removes the oldest backups of this town under names of the pattern, and nothing else."""
    row = Row("a backup that removes older ones")
    place, other = folder / "kept", folder / "other"
    place.mkdir()
    make_store(binary, other)
    sooke(binary, "backup", folder / "this.json", "--data", data)
    sooke(binary, "backup", folder / "that.json", "--data", other)
    export = sooke(binary, "export", "--data", data).stdout

    def write(name: str, content: bytes, age: int) -> None:
        (place / name).write_bytes(content)
        os.utime(place / name, (1_600_000_000 - age,) * 2)

    this, that = (folder / "this.json").read_bytes(), (folder / "that.json").read_bytes()
    for age in range(5):
        write(f"town-2020-01-0{age + 1}.json", this, age)
    write("town-2020-02-01.json", that, 9)
    write("town-2020-02-02.json", export.encode(), 9)
    write("town-2020-02-03.json", b"", 9)
    write("town-2020-02-04.json.1f.partial", this, 9)
    write("town-2020-02-1.json", this, 9)
    write("notes.txt", this, 9)
    before = set(files(place))
    for words, status in ((["--keep", "2", "town.json"], 64), (["--keep", "0", "town-%Y.json"], 64),
                          (["--keep", "2", "-"], 64), (["town-%q.json"], 64), (["--keep", "3", "town-%Y-%m-%d.json"], 0),
                          (["--keep", "3", "town-%Y-%m-%d.json"], 0)):
        result = subprocess.run([binary, "backup", "--data", data, *words], cwd=place, capture_output=True, text=True,
                                timeout=60)
        wrong = [] if result.returncode == status else [f"it ended with {result.returncode}: {result.stderr.strip()}"]
        after = set(files(place))
        if status:
            wrong += [f"{names} changed" for names in [before ^ after] if names]
        else:
            gone = {f"town-2020-01-0{age}.json" for age in (3, 4, 5)}
            new = {name for name in after - before if re.fullmatch(r"town-\d{4}-\d\d-\d\d\.json", name)}
            if before - after != gone or len(new) != 1 or after - before != new:
                wrong.append(f"{sorted(before - after)} are gone, {sorted(after - before)} are new")
        row.case(" ".join(words), [], wrong)
    return row
