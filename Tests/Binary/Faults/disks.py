"""Disks that are full, limited, broken, or without power."""

import contextlib
import fcntl
import os
import resource
import shutil
import struct
import subprocess
import time
from pathlib import Path

from checks import Row, Skip
from harness import Server, meanwhile, send
from rig import IO_ERROR, File, Ledger, changed, check_restart, contents, copy, make_store
from tracing import Trace, mounted, require_root, require_strace, unmount


# Full

def full(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A disk is filled, by imports and by other files, and gets room again; the server starts and stops without any."""
    require_root()
    rows = []
    for kind, rounds in (("tmpfs", 2 if short else 12), ("xfs", 1 if short else 4)):
        row = Row(f"a full disk, and room again ({kind})", total=rounds)
        rows.append(row)
        for number in range(rounds):
            options = ["-t", "tmpfs", "-o", "size=16m", "tmpfs"]
            if kind == "xfs":
                if not shutil.which("mkfs.xfs"):
                    row.skipped = "mkfs.xfs is not installed"
                    break
                options = ["-o", "loop", str(volume(folder, 320, "mkfs.xfs", "-q", "-f"))]
            with mounted(folder / "disk", *options) as disk:
                fill_and_free(row, number, binary, disk)
    return rows


def volume(folder: Path, size: int, *command: str) -> Path:
    """A file with a new file system of so many MiB."""
    path = folder / "volume"
    path.unlink(missing_ok=True)
    with path.open("wb") as file:
        file.truncate(size << 20)
    subprocess.run([*command, str(path)], check=True, capture_output=True)
    return path


def fill_and_free(row: Row, number: int, binary: Path, disk: Path) -> None:
    """One round: full while it serves, then at a stop or a kill and a start."""
    data, fillers = disk / "data", disk / "fillers"
    ledger = make_store(binary, data)
    server = Server(binary, data).ready()
    wrong: list[str] = []
    try:
        # What is left to the imports is more or less, down to nothing.
        fill(fillers, leaving=(5 - number % 6) * 300_000)
        refused = import_until_full(server, ledger, wrong)
        fill(fillers)
        refused += import_until_full(server, ledger, wrong)
        if refused < 10:
            wrong.append(f"only {refused} imports were refused on a full disk")
        make_room(fillers, server, ledger, wrong)
        fill(fillers)
        if number % 2:
            status = server.stop()
            wrong += [] if status in (0, IO_ERROR) else [f"stopped without room it ended with {status}: {server.said}"]
        server.kill()
        server = Server(binary, data)
        if (status := server.outcome()) is not None:
            wrong.append(f"started on a full disk it ended with {status}: {server.said}")
        else:
            wrong += [text for texts in ledger.compare(server.url) for text in texts]
            make_room(fillers, server, ledger, wrong)
    finally:
        server.kill()
        shutil.rmtree(fillers, ignore_errors=True)
    check_restart(row, f"round {number + 1}", binary, data, ledger, wrong)


def fill(fillers: Path, leaving: int = 0) -> None:
    """Fills a disk with files until it has not more than so many bytes left."""
    fillers.mkdir(exist_ok=True)
    for size in (1 << 20, 4096) if leaving else (1 << 20, 4096, 1):
        with contextlib.suppress(OSError), (fillers / str(size)).open("ab", buffering=0) as file:
            while size == 1 or os.statvfs(fillers).f_bavail * os.statvfs(fillers).f_bsize - leaving >= size:
                file.write(bytes(size))


def make_room(fillers: Path, server: Server, ledger: Ledger, wrong: list[str]) -> None:
    """Frees the disk; an import must then get through."""
    shutil.rmtree(fillers)
    if not until_answered(server, ledger):
        wrong.append("no import gets through although there is room")


def import_until_full(server: Server, ledger: Ledger, wrong: list[str]) -> int:
    """Imports until some are refused; how many were."""
    refused = 0
    for _ in range(500):
        answer = ledger.send(server, rows=100)
        if answer is None or answer.status not in (200, 507):
            wrong.append(f"an import on a full disk got {answer and answer.status}: {answer and answer.body[:200]!r}")
        elif answer.status == 507:
            refused += 1
            if "Retry-After" not in answer.headers or send(server.url, "/api/v1/businesses").status != 200:
                wrong.append("507 without Retry-After, or a read is not answered")
        if refused == 5:
            break
    return refused


def until_answered(server: Server, ledger: Ledger) -> bool:
    """Whether an import gets through soon."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        answer = ledger.send(server)
        if answer is not None and answer.status == 200:
            return True
        time.sleep(0.02)
    return False


# Limited

def limits(binary: Path, folder: Path, short: bool) -> list[Row]:
    return [size_limit(binary, folder), without_socket(binary, folder)]


def size_limit(binary: Path, folder: Path) -> Row:
    """The size limit of files, as of `ulimit -f`, is like a full disk: 507, and writes go on when it is raised."""
    row = Row("a size limit of files")
    data, file = folder / "limited", folder / "limited.ndjson"
    ledger = make_store(binary, data)
    server = Server(binary, data).ready()
    wrong: list[str] = []
    unlimited = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (300_000, unlimited[1]))
    if import_until_full(server, ledger, wrong) == 0 or server.status is not None:
        wrong.append(f"no import was refused, or it ended with {server.status}: {server.said}")
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, unlimited)
    if not until_answered(server, ledger):
        wrong.append("no import gets through when the limit was raised")
    if (status := server.stop()) != 0:
        wrong.append(f"it stopped with {status}: {server.said}")
    check_restart(row, "a server", binary, data, ledger, wrong)
    file.write_bytes(File("command", 2000).body)
    done = subprocess.run(["prlimit", "--fsize=300000", binary, "import", "--data", data, file],
                          capture_output=True, text=True, timeout=60)
    wrong = [] if done.returncode == IO_ERROR and "too large" in done.stderr else [
        f"an import ended with {done.returncode}: {done.stderr.strip()}"]
    check_restart(row, "a command", binary, data, ledger, wrong)
    return row


def without_socket(binary: Path, folder: Path) -> Row:
    """The disk has no room for the admin socket: the server serves, says so, and creates it later."""
    require_strace()
    row = Row("a start without room for the admin socket")
    data = folder / "socketless"
    ledger = make_store(binary, data)
    Server(binary, data).ready().kill()  # it leaves a stale socket
    # strace counts by thread. The first one binds the address twice, to try it and to serve, and then the socket;
    # another thread tries the socket again.
    server = Server(binary, data, prefix=["strace", "-f", "--daemonize", "-o", str(folder / "strace"), "-e",
                                          "trace=bind", "-e", "inject=bind:error=EDQUOT:when=3+"])
    wrong = [] if server.outcome() is None and until_answered(server, ledger) else ["it does not serve"]
    status = server.stop()
    if status != 0 or "until there is room" not in server.said or "there is room on the disk" not in server.said:
        wrong.append(f"it ended with {status} and said {server.said!r}")
    check_restart(row, "EDQUOT", binary, data, ledger, wrong)
    return row


# Broken

def unreadable(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A read fails while the store is opened: it is not opened, the message names the file, and nothing is written."""
    require_strace()
    row = Row("EIO at the k-th read of a start")
    closed, killed, data = folder / "closed", folder / "killed", folder / "data"
    closed_ledger = make_store(binary, closed)
    server = Server(binary, copy(closed, killed)).ready()
    killed_ledger = closed_ledger.copy()
    killed_ledger.send(server)
    server.kill()
    for store, ledger in ((closed, closed_ledger), (killed, killed_ledger)):
        for call in ("pread64", "/^getdents", "/^read$"):
            for k in range(1, (3 if short else 100) + 1):
                fault = f"{call}:error=EIO:when={k}"
                if not fail_read(row, binary, folder, copy(store, data), fault, Ledger("again", list(ledger.files))):
                    break
    return [row]


def fail_read(row: Row, binary: Path, folder: Path, data: Path, fault: str, ledger: Ledger) -> bool:
    """One failed read; whether there was one."""
    trace = Trace(folder / "strace", data, fault.split(":")[0], fault)
    before = contents(data)
    server = Server(binary, data, prefix=trace.prefix)
    status = server.outcome()
    server.kill()
    hits = [line for line in trace.lines() if "(INJECTED)" in line]
    if not hits:
        return False
    name = Path(hits[0].split("<")[1].split(">")[0]).name
    wrong = [] if status == IO_ERROR and name in server.said else [
        f"it ended with {status}, or does not name {name}: {server.said}"]
    if names := changed(before, contents(data)):
        wrong.append(f"{names} changed")
    check_restart(row, f"{fault} of {name}", binary, data, ledger, wrong)
    return True


# Without power

SHUTDOWN = 0x8004587D  # EXT4_IOC_SHUTDOWN: from this moment on nothing more reaches the disk
NO_FLUSH = 2


def power(binary: Path, folder: Path, short: bool) -> list[Row]:
    """The power goes under load: what was not synced is gone. Without syncs, the control, answered imports are lost.

    The data folder is on an ext4 volume in a file, which the kernel can be told to stop writing to at once; mounted
    again, it has what a disk would have. The control runs the same with syncs that do nothing and say they did. strace
    makes them so: eatmydata would, but a static binary takes no library.
    """
    require_root()
    require_strace()
    if not shutil.which("mkfs.ext4"):
        raise Skip("mkfs.ext4 is not installed")
    real = Row("power loss under load (ext4)", total=6 if short else 60)
    answered = sum(cut_power(real, number, binary, folder, syncs=True) for number in range(real.total))
    real.figures = f"{answered} changes answered"
    control = Row("control: with syncs that do nothing, answered imports are lost")
    seen = Row("power loss without syncs", total=2 if short else 10)
    answered = sum(cut_power(seen, number, binary, folder, syncs=False) for number in range(seen.total))
    wrong = [] if seen.failed else ["nothing was lost, so the check proves nothing"]
    control.case("all rounds", [], wrong, cases=seen.cases)
    control.figures = f"{answered} changes answered, {seen.failed} losses seen, as it must be"
    return [real, control]


def cut_power(row: Row, number: int, binary: Path, folder: Path, syncs: bool) -> int:
    """One power cut; how many changes had been answered."""
    options = ["-o", "loop", str(volume(folder, 48, "mkfs.ext4", "-q", "-F"))]
    ledgers = [Ledger(f"client-{client}") for client in range(4)]
    with mounted(folder / "disk", *options) as disk:
        ledger = make_store(binary, disk / "data")
        os.sync()
        server = Server(binary, disk / "data").ready()
        try:
            trace = Trace(folder / "strace", disk / "data", "fdatasync,fsync", "fdatasync,fsync:retval=0")
            fault = contextlib.nullcontext() if syncs else trace.attached(server.thread("commit"))
            # Each writes one business after the other, until the end or the server's.
            writers = [lambda ledger=ledger: ledger.create(server) is not None for ledger in ledgers]
            with fault, meanwhile(writers):
                time.sleep(0.05 + 0.37 * (number * 0.618 % 1))
                shut_down(disk)
                ended = server.wait(10)  # those who still wait must get no good answer
        finally:
            server.kill()
        wrong = [f"without a disk it ended with {ended}"] if syncs and ended != IO_ERROR else []
        unmount(disk)
    ledger.files += [file for each in ledgers for file in each.files]
    with mounted(folder / "disk", *options) as disk:
        # What the control loses is no failure to be printed.
        with contextlib.nullcontext() if syncs else contextlib.redirect_stdout(None):
            check_restart(row, f"cut {number + 1}", binary, disk / "data", ledger, wrong)
    return sum(each.answered() for each in ledgers)


def shut_down(disk: Path) -> None:
    handle = os.open(disk, os.O_RDONLY)
    try:
        fcntl.ioctl(handle, SHUTDOWN, struct.pack("I", NO_FLUSH))
    except OSError as error:
        raise Skip(f"the file system cannot be shut down: {error}") from error
    finally:
        os.close(handle)
