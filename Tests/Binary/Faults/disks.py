"""Disks that are full, slow, broken, or without power."""

import contextlib
import fcntl
import http.client
import os
import shutil
import statistics
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from checks import Row, Skip
from harness import Server, send
from rig import IO_ERROR, Ledger, changed, check_restart, contents, copy, make_store
from tracing import Trace, mounted, require_root, require_strace, unmount

TINY = 8 << 20


class Reader:
    """Reads the list of businesses again and again, and remembers how long each answer took."""

    def __init__(self, url: str, pause: float = 0.005) -> None:
        self.times: list[float] = []
        self.faults: list[str] = []
        self._url, self._pause = url, pause
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> "Reader":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._end.wait(self._pause):
            began = time.monotonic()
            try:
                status = send(self._url, "/api/v1/businesses").status
                if status != 200:
                    self.faults.append(f"a read got {status}")
            except (OSError, http.client.HTTPException) as error:
                self.faults.append(f"a read got no answer: {error!r}")
            self.times.append(time.monotonic() - began)

    def p99(self) -> float:
        """In seconds."""
        return sorted(self.times)[int(len(self.times) * 0.99)] if self.times else 0.0


# Full


def tiny(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A disk of 8 MB is filled, by imports and by another file, and gets room again."""
    require_root()
    row = Row("a full disk of 8 MB, and room again", total=3 if short else 20)
    slowest = 0.0
    for number in range(row.total):
        with mounted(folder / "disk", "-t", "tmpfs", "-o", f"size={TINY}", "tmpfs") as disk:
            slowest = max(slowest, fill_and_free(row, number, binary, disk))
    row.figures = f"first 2xx after at most {slowest * 1000:.0f} ms of room"
    return [row, starts_without_room(binary, folder, short)]


def starts_without_room(binary: Path, folder: Path, short: bool) -> Row:
    """A server starts on a full disk, after a stop and after a kill: it reads, refuses writes, and takes them later."""
    row = Row("a start on a full disk")
    for killed in (False, True):
        for room_left in (0, 64 << 10) if short else (0, 4 << 10, 16 << 10, 64 << 10, 1 << 20):
            with mounted(folder / "disk", "-t", "tmpfs", "-o", f"size={2 * TINY}", "tmpfs") as disk:
                data, filler = disk / "data", disk / "filler"
                ledger = make_store(binary, data)
                server = Server(binary, data).ready()
                for _ in range(4):  # a segment of about 1 MB
                    ledger.send(server, rows=900)
                server.kill() if killed else server.stop()
                fill(filler, leaving=room_left)
                wrong: list[str] = []
                server = Server(binary, data)
                if (status := server.outcome()) is not None:
                    wrong.append(f"it ended with {status}: {server.said}")
                else:
                    lost, more = ledger.compare(server.url)
                    wrong += lost + more
                    answer = ledger.send(server)
                    # After a kill, what was reserved behind the log is room again.
                    if answer is None or answer.status != 507 and not (answer.status == 200 and (room_left or killed)):
                        wrong.append(f"an import got {answer and answer.status}")
                    filler.unlink()
                    if (waited := until_answered(server, ledger)) > 5:
                        wrong.append(f"the first import got through {waited:.1f} s after there was room")
                server.kill()
                filler.unlink(missing_ok=True)
                check_restart(row, f"{'killed' if killed else 'stopped'}, {room_left} bytes left", binary, data, ledger,
                              wrong)
    return row


def fill_and_free(row: Row, number: int, binary: Path, disk: Path) -> float:
    """One round; how long it took until an import got through when there was room, in seconds."""
    data, filler = disk / "data", disk / "filler"
    ledger = make_store(binary, data)
    server = Server(binary, data).ready()
    wrong: list[str] = []
    waited = 0.0
    try:
        with Reader(server.url) as reader:
            # The filler leaves more or less to the imports, down to nothing.
            fill(filler, leaving=max(0, (5 - number % 6)) * 300_000)
            refused = import_until_full(server, ledger, wrong)
            fill(filler, leaving=0)
            for _ in range(20):
                answer = ledger.send(server)
                refused += answer is not None and answer.status == 507
            filler.unlink()
            waited = until_answered(server, ledger)
        wrong += reader.faults
        if refused < 20:
            wrong.append(f"only {refused} imports were refused on a full disk")
        if waited > 2:
            wrong.append(f"the first import got through {waited:.1f} s after there was room")
        fill(filler, leaving=0)
        status = server.stop()
        if status not in (0, IO_ERROR):
            wrong.append(f"stopped on a full disk it ended with {status}: {server.said}")
        full = Server(binary, data)
        status = full.outcome()
        full.kill()
        if status is not None:
            wrong.append(f"started on a full disk it ended with {status}: {full.said}")
    finally:
        server.kill()
        filler.unlink(missing_ok=True)
    check_restart(row, f"round {number + 1}", binary, data, ledger, wrong)
    return waited


def fill(filler: Path, leaving: int) -> None:
    """Makes a file grow until the disk has not more than so many bytes left."""
    with filler.open("ab") as file, contextlib.suppress(OSError):
        while (left := room(filler.parent) - leaving) > 0:
            os.write(file.fileno(), bytes(min(left, 1 << 20)))


def room(disk: Path) -> int:
    status = os.statvfs(disk)
    return status.f_bavail * status.f_bsize


def import_until_full(server: Server, ledger: Ledger, wrong: list[str]) -> int:
    """Imports until some are refused; how many were."""
    refused = 0
    for _ in range(500):
        answer = ledger.send(server, rows=100)
        if answer is None or answer.status not in (200, 507):
            wrong.append(f"an import on a full disk got {answer and answer.status}: {answer and answer.body[:200]!r}")
        elif answer.status == 507:
            refused += 1
            if "Retry-After" not in answer.headers:
                wrong.append("507 without Retry-After")
        if refused == 5:
            break
    return refused


def until_answered(server: Server, ledger: Ledger) -> float:
    """Seconds until an import gets through."""
    began = time.monotonic()
    while time.monotonic() - began < 10:
        answer = ledger.send(server)
        if answer is not None and answer.status == 200:
            break
        time.sleep(0.02)
    return time.monotonic() - began


# Slow


def slow(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Every sync of the log takes two seconds: reading does not notice, and the commits wait together."""
    require_strace()
    row = Row("a sync takes 2 s")
    data = folder / "data"
    ledger = make_store(binary, data)
    server = Server(binary, data).ready()
    wrong: list[str] = []
    seconds = 7 if short else 30
    syncs = 0
    rounds: list[Reader] = []
    ledgers = [Ledger(f"client-{number}") for number in range(32)]
    try:
        with Reader(server.url) as before:
            time.sleep(3)
        # A shared machine has bad times, so of three rounds the one in the middle counts. A read that waits for syncs
        # shows in each.
        for number in range(3):
            trace = Trace(folder / f"strace-{number}", data, "fdatasync", "fdatasync:delay_enter=2000000")
            with trace.attached(server.thread("commit")), Reader(server.url) as during, clients(server, ledgers):
                time.sleep(seconds)
            syncs += sum("= 0" in line for line in trace.lines())
            rounds.append(during)
    finally:
        server.kill()
    answered = sum(each.answered() for each in ledgers)
    wrong += [fault for during in rounds for fault in during.faults]
    p99 = statistics.median(during.p99() for during in rounds)
    slowest = statistics.median(max(during.times) for during in rounds)
    if p99 > max(0.020, 3 * before.p99()) or slowest > 1:
        wrong.append(f"reads took {p99 * 1000:.1f} ms (p99), at most {slowest * 1000:.0f} ms")
    if syncs == 0 or answered < 8 * syncs:
        wrong.append(f"{answered} changes in {syncs} syncs")
    ledger.files += [file for each in ledgers for file in each.files]
    check_restart(row, "restart", binary, data, ledger, wrong)
    row.cases = syncs
    row.figures = (f"{answered} changes in {syncs} syncs; reads p99 {p99 * 1000:.1f} ms, "
                   f"without the fault {before.p99() * 1000:.1f} ms")
    return [row]


@contextlib.contextmanager
def clients(server: Server, ledgers: list[Ledger]) -> Iterator[None]:
    """A client for each ledger that writes all the time, one business after the other, until the end or the server's."""
    end = threading.Event()

    def work(ledger: Ledger) -> None:
        while not end.is_set() and ledger.create(server) is not None:
            pass

    threads = [threading.Thread(target=work, args=(ledger,)) for ledger in ledgers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        end.set()
        for thread in threads:
            thread.join()


# Broken


def unreadable(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A read fails while the store is opened: it is not opened, the message names the file, and nothing is written."""
    require_strace()
    row = Row("EIO at the k-th read of a start")
    closed, data = folder / "closed", folder / "data"
    base = make_store(binary, closed)
    killed = copy(closed, folder / "killed")
    server = Server(binary, killed).ready()
    base_killed = Ledger("killed", list(base.files))
    base_killed.send(server)
    server.kill()
    for store, files in ((closed, base.files), (killed, base_killed.files)):
        for call in ("pread64", "/^getdents", "/^read$"):
            for k in range(1, (3 if short else 100) + 1):
                copy(store, data)
                if not fail_read(row, binary, folder, data, f"{call}:error=EIO:when={k}", Ledger("again", list(files))):
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
    wrong = []
    if status != IO_ERROR:
        wrong.append(f"it ended with {status}: {server.said}")
    if name not in server.said:
        wrong.append(f"the message does not name {name}: {server.said}")
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
    volume = folder / "volume"
    real = Row("power loss under load (ext4)", total=10 if short else 60)
    control = Row("control: with syncs that do nothing, answered imports are lost")
    answered = 0
    for number in range(real.total):
        answered += cut_power(real, number, binary, folder, volume, syncs=True)
    real.figures = f"{answered} changes answered"
    seen = Row("power loss without syncs", total=3 if short else 10)
    answered = 0
    for number in range(seen.total):
        answered += cut_power(seen, number, binary, folder, volume, syncs=False)
    wrong = [] if seen.failed else ["nothing was lost, so the rig proves nothing"]
    control.case("all rounds", [], wrong, cases=seen.cases)
    control.figures = (f"{answered} changes answered, {seen.failed} losses seen, as it must be; "
                       "strace skips the syncs, a static binary takes no eatmydata")
    return [real, control]


def cut_power(row: Row, number: int, binary: Path, folder: Path, volume: Path, syncs: bool) -> int:
    """One power cut; how many changes had been answered."""
    volume.unlink(missing_ok=True)
    with volume.open("wb") as file:
        file.truncate(48 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", str(volume)], check=True, capture_output=True)
    ledgers = [Ledger(f"client-{client}") for client in range(4)]
    with mounted(folder / "disk", "-o", "loop", str(volume)) as disk:
        data = disk / "data"
        ledger = make_store(binary, data)
        os.sync()
        server = Server(binary, data).ready()
        try:
            fault = ["fdatasync,fsync:retval=0"] if not syncs else []
            trace = Trace(folder / "strace", data, "fdatasync,fsync", *fault)
            with trace.attached(server.thread("commit")) if fault else contextlib.nullcontext():
                with clients(server, ledgers):
                    time.sleep(0.05 + 0.37 * (number * 0.618 % 1))
                    shut_down(disk)
                    # Those who still wait must get no good answer.
                    ended = server.wait(10)
        finally:
            server.kill()
        wrong = [f"without a disk it ended with {ended}"] if syncs and ended != IO_ERROR else []
        unmount(disk)
    answered = sum(each.answered() for each in ledgers)
    ledger.files += [file for each in ledgers for file in each.files]
    with mounted(folder / "disk", "-o", "loop", str(volume)) as disk:
        # What the control loses is no failure to be printed.
        with contextlib.nullcontext() if syncs else contextlib.redirect_stdout(None):
            check_restart(row, f"cut {number + 1}", binary, disk / "data", ledger, wrong)
    return answered


def shut_down(disk: Path) -> None:
    handle = os.open(disk, os.O_RDONLY)
    try:
        fcntl.ioctl(handle, SHUTDOWN, struct.pack("I", NO_FLUSH))
    except OSError as error:
        raise Skip(f"the file system cannot be shut down: {error}") from error
    finally:
        os.close(handle)
