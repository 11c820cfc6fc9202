"""Backups that fail, that are interrupted, that meet each other, and that remove older ones."""

import contextlib
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from checks import Row, Skip
from harness import Server, sooke, with_checksum
from rig import IO_ERROR, Ledger, changed, contents, copy, make_store
from tracing import mounted


UNAVAILABLE = 69


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """All that may happen to a backup."""
    data = folder / "data"
    make_store(binary, data)
    return [together(binary, folder, data, 3 if short else 30), failing(binary, folder, data),
            interrupted(binary, folder), kept(binary, folder, data), elsewhere(binary, folder, data),
            when_changed(binary, folder, data), branched(binary, folder, data), seen_to_restore(binary, folder, data, short)]


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
    server = Server(binary, data).ready()
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
            # A shell may have started all this with `nohup`.
            command = subprocess.Popen(["env", "--default-signal=HUP", binary, "backup", place / "town.json",
                                        "--data", data], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
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


def is_whole(request: bytes) -> bool:
    """Whether the body is there too."""
    head, end, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"\r\nContent-Length: (\d+)", head)
    return bool(end) and len(body) >= (int(length[1]) if length else 0)


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
            # A client that has left is no reason to stop serving.
            with connection, contextlib.suppress(ConnectionError):
                request = more = connection.recv(65_536)
                while whole and more and not is_whole(request):
                    request += (more := connection.recv(65_536))
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
    """--keep removes the backups of the oldest states of this town under names of the pattern, and what was left of
    backups that were killed, and nothing else. A damaged backup does not count, and stays."""
    row = Row("a backup that removes older ones")
    place, other = folder / "kept", folder / "other"
    place.mkdir()
    data, ledger = copy(data, folder / "kept-data"), Ledger("kept")
    make_store(binary, other)
    sooke(binary, "backup", folder / "that.json", "--data", other)
    export = sooke(binary, "export", "--data", data).stdout

    def write(name: str, content: bytes, age: int) -> None:
        (place / name).write_bytes(content)
        os.utime(place / name, (time.time() - age,) * 2)

    # The later the state, the older its file: they were copied back from elsewhere.
    states = []
    for number in range(7):
        server = Server(binary, data).ready()
        ledger.send(server)
        server.stop()
        sooke(binary, "backup", folder / "this.json", "--data", data)
        states.append((folder / "this.json").read_bytes())
    for number, state in enumerate(states[:5]):
        write(f"town-2020-01-0{number + 1}.json", state, 100 * number)
    this, that = states[0], (folder / "that.json").read_bytes()
    write("town-2020-01-06.json", states[5][:-40], 0)  # cut off
    write("town-2020-01-07.json", states[6].replace(b"kept-0 1", b"kept-0 7", 1), 0)
    day = 86_400
    write("town-2020-02-01.json", that, day)
    write("town-2020-02-02.json", export.encode(), day)
    write("town-2020-02-03.json", b"", day)
    write("town-2020-02-04.json.1f.partial", this, 2 * day)
    write("town-2020-02-05.json.1f.partial", b"", day // 2)
    write("town-2020-02-06.json.old.partial", this, 2 * day)
    write("town-2020-02-1.json", this, day)
    write("notes.txt", this, day)
    gone = {"town-2020-01-01.json", "town-2020-01-02.json", "town-2020-01-03.json", "town-2020-02-04.json.1f.partial"}
    for words, status in ((["--keep", "2", "town.json"], 64), (["--keep", "0", "town-%Y.json"], 64),
                          (["--keep", "2", "-"], 64), (["--keep", "2", "/dev/%Y/../null"], 64), (["town-%q.json"], 64),
                          (["--keep", "3", "town-%Y-%m-%d.json"], 0), (["--keep", "3", "town-%Y-%m-%d.json"], 0)):
        before = set(files(place))
        result = subprocess.run([binary, "backup", "--data", data, *words], cwd=place, capture_output=True, text=True,
                                timeout=60)
        wrong = [] if result.returncode == status else [f"it ended with {result.returncode}: {result.stderr.strip()}"]
        after = set(files(place))
        if status:
            wrong += [f"{names} changed" for names in [before ^ after] if names]
        else:
            new = {name for name in after - before if re.fullmatch(r"town-\d{4}-\d\d-\d\d\.json", name)}
            if before - after != gone or len(new) != len(gone) // 4 or after - before != new:
                wrong.append(f"{sorted(before - after)} are gone, {sorted(after - before)} are new")
            if "town-2020-01-07.json is not a valid backup" not in result.stderr:
                wrong.append(f"it said {result.stderr.strip()!r} of the damaged backup")
            gone = set()
        row.case(" ".join(words), [], wrong)
    return row


def elsewhere(binary: Path, folder: Path, data: Path) -> Row:
    """A device and a pipe are written into, a link is followed, and no file of the town is replaced."""
    row = Row("a backup to a device, a pipe, a link, the data folder")
    place = folder / "elsewhere"
    place.mkdir()
    data = copy(data, folder / "elsewhere-data")
    real = place / "real.json"

    def backup(to: Path | str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run([binary, "backup", to, "--data", data], cwd=place, capture_output=True, timeout=60)

    def case(name: str, done: "subprocess.CompletedProcess[bytes]", *wrong: str, status: int = 0) -> None:
        faults = [text for text in wrong if text]
        if done.returncode != status:
            faults.append(f"it ended with {done.returncode}: {done.stderr.decode().strip()}")
        row.case(name, [], faults)

    with contextlib.suppress(PermissionError):  # it takes root
        os.mknod(place / "null", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        case("a device", backup("null"), "" if (place / "null").is_char_device() else "the device is gone")
    os.mkfifo(place / "pipe")
    reader = subprocess.Popen(["cat", place / "pipe"], stdout=subprocess.PIPE)
    done = backup("pipe")
    if not (place / "pipe").is_fifo():
        (place / "pipe").unlink()
        reader.kill()
    real.write_bytes(reader.communicate()[0])
    case("a pipe", done, "" if (place / "pipe").is_fifo() else "the pipe is gone",
         "" if restores(binary, folder, real) else "what came through the pipe cannot be restored")
    (place / "stdout").symlink_to("/proc/self/fd/1")  # as /dev/stdout, which a mistake would replace
    done = backup("stdout")
    real.write_bytes(done.stdout)
    case("standard output", done, "" if restores(binary, folder, real) else "standard output cannot be restored")
    for name, exists in (("a link", True), ("a link to a file that is not there yet", False)):
        real.write_bytes(b"the older one") if exists else real.unlink()
        (place / "links").mkdir(exist_ok=True)
        (place / "links" / "town.json").unlink(missing_ok=True)
        (place / "links" / "town.json").symlink_to("../real.json")
        done = backup("links/town.json")
        case(name, done, "" if (place / "links" / "town.json").is_symlink() else "the link is gone",
             "" if real.exists() and restores(binary, folder, real) else "there is no backup where the link leads")
    (place / "alias").symlink_to(data)
    (place / "manifest").symlink_to(data / "manifest.json")
    before = contents(data)
    for to in (data / "manifest.json", data / "town.json", "alias/manifest.json", "manifest", f"links/../../{data.name}/x"):
        for served in (False, True):
            server = Server(binary, data).ready() if served else None
            before = contents(data)
            done = backup(to)
            after = contents(data)
            if server:
                server.stop()
            # Where the status says that it failed.
            names = [name for name in changed(before, after) if name != "backup.json"]
            case(f"{to}, {'served' if served else 'not served'}", done, f"{names} changed" if names else "", status=64)
            if names:
                shutil.rmtree(data)
                copy(folder / "data", data)
    return row


def when_changed(binary: Path, folder: Path, data: Path) -> Row:
    """--if-changed writes a file after a change, and neither writes nor says anything without one: with a server and
    without, after a restart, in a town that was restored to an earlier state, and beside the backup of another town."""
    row = Row("a backup only when the town has changed")
    place = folder / "changed"
    place.mkdir()
    data, ledger, other = copy(data, folder / "changed-data"), Ledger("changed"), folder / "changed-other"
    make_store(binary, other)

    def case(name: str, writes: bool, of: Path = data, pattern: str = "town-%Y-%m-%d-%H%M%S.json") -> None:
        time.sleep(1)  # the second is in the name
        before = files(place)
        done = sooke(binary, "backup", "--if-changed", "--keep", "9", place / pattern, "--data", of)
        new = files(place).keys() - before.keys()
        wrong = [f"it ended with {done.returncode}: {done.stderr.strip()}"] if done.returncode else []
        if len(new) != writes or bool(done.stdout) != writes or before.items() - files(place).items():
            wrong.append(f"new are {sorted(new)}, and it said {done.stdout!r}")
        row.case(name, [], wrong)

    case("the first one", True)
    case("without a change", False)
    case("another town under the same names", True, other)
    server = Server(binary, data).ready()
    case("a server that has started", False)
    ledger.send(server)
    case("a change through the server", True)
    case("none since", False)
    newest = max(place.iterdir())
    newest.write_bytes(newest.read_bytes()[:-40])
    case("the newest was cut off", True)
    newest = max(place.iterdir())
    text = bytearray(newest.read_bytes())
    text[len(text) // 2] ^= 1
    newest.write_bytes(text)
    case("a bit of the newest has changed", True)
    server.stop()
    case("the server has stopped", False)
    earlier = folder / "changed-earlier"
    sooke(binary, "restore", min(place.iterdir()), "--data", earlier)
    case("restored to the first one", False, earlier)
    sooke(binary, "user", "add", "later@town.example", "--data", earlier)
    case("another history from there", True, earlier)
    case("none in that since", False, earlier)
    for words in (["-"], ["/dev/null"]):
        done = sooke(binary, "backup", "--if-changed", *words, "--data", data)
        row.case(f"--if-changed {words[0]}", [], [] if done.returncode == 64 else [f"it ended with {done.returncode}"])
    return row


def branched(binary: Path, folder: Path, data: Path) -> Row:
    """After an older backup was restored, --keep counts the backups of the town that goes on from it: what the town had
    instead is kept aside, the newest two of it."""
    row = Row("backups after an older one was restored")
    place, words = folder / "branched", ["backup", "--keep", "4"]
    place.mkdir()

    old = copy(data, folder / "branched-old")
    for number in range(1, 8):
        sooke(binary, "user", "add", f"a{number}@town.example", "--data", old)
        sooke(binary, "backup", place / f"town-20{number:02}.json", "--data", old)
    new = folder / "branched-new"
    sooke(binary, "restore", place / "town-2003.json", "--data", new)
    mine: list[str] = []
    for number in range(4, 12):
        sooke(binary, "user", "add", f"b{number}@town.example", "--data", new)
        done = sooke(binary, *words, place / "town-%Y.json", "--data", new)
        written = place / f"town-{time.gmtime().tm_year}.json"
        name = f"town-21{number:02}.json"
        written.rename(place / name)
        mine = [*mine, name][-4:]
        there = sorted(files(place))
        branch = [name for name in there if "town-2004.json" <= name <= "town-2007.json"]
        wrong = [] if done.returncode == 0 else [f"it ended with {done.returncode}: {done.stderr.strip()}"]
        if set(mine) - set(there):
            wrong.append(f"the town's own are gone: {sorted(set(mine) - set(there))}")
        if branch != ["town-2006.json", "town-2007.json"] and number < 7:
            wrong.append(f"of the other branch there is {branch}")
        if number < 6 and done.stdout.count("kept aside") != 2:
            wrong.append(f"it said {done.stdout!r}")
        if number == 11 and there != mine:
            wrong.append(f"in the end there is {there}")
        row.case(f"change {number} after change 3 of 7", [], wrong)
    return row


def seen_to_restore(binary: Path, folder: Path, data: Path, short: bool) -> Row:
    """`restore --check` accepts a backup that a restore accepts, and no other; it opens nothing to write."""
    row = Row("a backup that is only checked")
    good = folder / "checked.json"
    sooke(binary, "backup", good, "--data", data)
    text, lines = good.read_bytes(), good.read_bytes().splitlines(keepends=True)
    changed_at = re.search(rb'"at":"([^"]+)"', text)[1].decode()

    def case(name: str, status: int, content: bytes | None = None, *words: str, says: str = "") -> None:
        file = good
        if content is not None:
            file = folder / "checked-other.json"
            file.write_bytes(content)
        done = sooke(binary, "restore", "--check", *words, file)
        wrong = [] if done.returncode == status else [f"it ended with {done.returncode}: {done.stderr.strip()}"]
        if says not in done.stdout + done.stderr:
            wrong.append(f"it said {(done.stdout + done.stderr).strip()!r}")
        row.case(name, [], wrong)

    case("a sound one", 0, says=changed_at)
    case("one of today", 0, None, "--max-age", "1d")
    old = with_checksum(text.replace(changed_at.encode(), b"2026-01-01T00:00:00Z", 1))
    case("one of long ago", 0, old, says="days ago")
    case("one that is older than a day", 65, old, "--max-age", "1d", says="too old")
    case("an export", 65, sooke(binary, "export", "--data", data).stdout.encode())
    case("an empty file", 65, b"")
    case("no backup at all", 65, b"{}\n")
    step = max(1, len(text) // (60 if short else 2_000))
    flipped = [place for place in range(0, len(text), step)
               if sooke_accepts(binary, folder, text[:place] + bytes([text[place] ^ 1]) + text[place + 1:])]
    row.case(f"a flipped bit in {len(range(0, len(text), step))} places", [], [f"accepted at {flipped}"] if flipped else [])
    cut = [count for count in (len(lines) // 3, len(lines) - 1) if sooke_accepts(binary, folder, b"".join(lines[:count]))]
    row.case("cut off", [], [f"accepted with {cut} lines"] if cut else [])
    for name, old, new in (("a day that does not exist", rb'"day_of_week":\d', b'"day_of_week":9'),
                           ("a category that does not exist", rb'"category":"[^"]+"', b'"category":"nowhere"'),
                           ("a name that is a number", rb'"name":"[^"]+"', b'"name":1')):
        spoiled, count = re.subn(old, new, text, count=1)
        if count:
            case(f"{name}, under a right checksum", 65, with_checksum(spoiled), says="line ")
    with good.open("rb") as file:
        done = subprocess.run([binary, "restore", "--check", "-"], stdin=file, cwd=folder, capture_output=True, text=True)
        row.case("standard input", [], [] if done.returncode == 0 else [done.stderr])
    if shutil.which("strace"):
        trace = folder / "checked.trace"
        calls = "open,openat,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,truncate,ftruncate,link,linkat"
        subprocess.run(["strace", "-f", "-qq", "-o", trace, "-e", f"trace={calls}", binary, "restore", "--check", good],
                       check=True, stdout=subprocess.DEVNULL)
        writes = [line for line in trace.read_text().splitlines()
                  if not re.search(r"open(at)?\(", line) or re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC)", line)]
        row.case("strace sees nothing opened to write", [], writes)
    return row


def sooke_accepts(binary: Path, folder: Path, content: bytes) -> bool:
    """Whether a file passes the check. A crash counts as passing: it must be refused."""
    file = folder / "checked-other.json"
    file.write_bytes(content)
    return sooke(binary, "restore", "--check", file).returncode != 65
