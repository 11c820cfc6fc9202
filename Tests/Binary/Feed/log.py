"""`sooke log`: every acknowledged commit, once and in order, also over kills of the server; who may read it; what it costs."""

import json
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from checks import Row
from town import ADMIN, Town, business, good, peopled
from harness import memory, most_memory, write_places

MASK = (1 << 64) - 1
PRIMES = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
IMPORTED = {True: 20_000, False: 100_000}


def xxh64(data: bytes, seed: int) -> int:
    """XXH64, by its specification (github.com/Cyan4973/xxHash, doc/xxhash_spec.md)."""
    one, two, three, four, five = PRIMES

    def left(value: int, bits: int) -> int:
        return (value << bits | value >> 64 - bits) & MASK

    def turn(lane: int, value: int) -> int:
        return left((lane + value * two) & MASK, 31) * one & MASK

    place, end = 0, len(data)
    if end >= 32:
        lanes = [(seed + one + two) & MASK, (seed + two) & MASK, seed, (seed - one) & MASK]
        while place + 32 <= end:
            lanes = [turn(lane, int.from_bytes(data[place + 8 * n:place + 8 * n + 8], "little"))
                     for n, lane in enumerate(lanes)]
            place += 32
        value = sum(left(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            value = ((value ^ turn(0, lane)) * one + four) & MASK
    else:
        value = (seed + five) & MASK
    value = (value + end) & MASK
    while place + 8 <= end:
        value = (left(value ^ turn(0, int.from_bytes(data[place:place + 8], "little")), 27) * one + four) & MASK
        place += 8
    if place + 4 <= end:
        value = (left(value ^ int.from_bytes(data[place:place + 4], "little") * one & MASK, 23) * two + three) & MASK
        place += 4
    for byte in data[place:]:
        value = left(value ^ byte * five & MASK, 11) * one & MASK
    for shift, prime in ((33, two), (29, three), (32, 1)):
        value = (value ^ value >> shift) * prime & MASK
    return value


class Chain:
    """What a reader knows of the history: where it is, and whether each commit leads there."""

    def __init__(self) -> None:
        self.store = self.position = ""
        self.commits: list[dict[str, Any]] = []
        self.faults: list[str] = []

    def read(self, lines: list[bytes]) -> None:
        """Reads the lines of one stream, which continues an earlier one."""
        if not lines:
            return
        head = json.loads(lines[0])
        if head.get("format") != "sooke-commits/1" or self.position and (head["store"], head["after"]) != (
                self.store, self.position):
            self.faults.append(f"it begins with {lines[0]!r} at {self.position}")
        self.store, self.position = head["store"], head["after"]
        for line in lines[1:]:
            if line.startswith(b'{"position":'):
                if json.loads(line)["position"] != self.position:
                    self.faults.append(f"{line!r} at {self.position}")
                continue
            sequence, chain = self.position.split(".")
            start = b'{"seq":%d,' % (int(sequence) + 1)
            if not line.startswith(start):
                self.faults.append(f"{line[:80]!r} follows {self.position}")
            self.position = f"{int(sequence) + 1}.{xxh64(line[len(start):-1], int(chain, 16)):016x}"
            self.commits.append(json.loads(line))


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    return [rights(binary, folder / "rights"), killed(binary, folder / "killed", 4 if short else 20),
            large(binary, folder / "large", IMPORTED[short])]


def position(town: Town) -> str:
    return json.loads(town.sooke("status", "--format", "json").stdout)["position"]


def rights(binary: Path, data: Path) -> Row:
    """Who may read it, what a wrong position does, what the audit has; the same lines with a server and without."""
    row = Row("log: rights and positions")
    town, sessions = peopled(binary, data)
    first = position(town)
    for who, session in [("nobody", None), *sessions.items()]:
        for path in ("/admin/log", f"/admin/log?since={first}&follow=true"):
            if who == ADMIN and "follow" in path:
                continue
            status = town.ask("GET", path, token=session).status
            row.check(status == (401 if session is None else 200 if who == ADMIN else 403), f"{who} {path}", status)
    good(town.ask("POST", "/businesses", business("Log", slug="log"), sessions[ADMIN]), 201)
    served = town.sooke("log", "--since", first)
    for given in ("1.0000000000000000", f"{10 ** 6}{first[first.index('.'):]}", first[:-1] + ("0" if first[-1] != "0" else "1")):
        refused = town.sooke("log", "--since", given)
        row.check(refused.returncode == 65 and not refused.stdout and position(town) in refused.stderr, given, refused)
    row.check(town.sooke("log", "--since", "12").returncode == 64, "what is no position is a mistake of the command line")
    town.stop()
    audit = (data / "audit.log").read_text() if (data / "audit.log").exists() else ""
    row.check(audit.count('"action":"log"') >= 3, "the audit has who read it", audit[-500:])
    row.check('"action":"log","result":"refused"' in audit, "and who was refused")
    alone = town.sooke("log", "--since", first)
    row.check(served.returncode == alone.returncode == 0 and served.stdout == alone.stdout, "the same lines without a server")
    row.check(town.sooke("log", "--follow").returncode == 69, "--follow needs a server")
    chain = Chain()
    chain.read(served.stdout.encode().splitlines())
    row.check(not chain.faults and chain.position == position(town), "the chain leads to the position", chain.faults)
    return row


def killed(binary: Path, data: Path, times: int) -> Row:
    """The server is killed under 16 writers, again and again; a reader goes on from its last position. It has each
    acknowledged write once, and ends with the position that the town has."""
    row = Row("log: a server that is killed")
    town, _ = peopled(binary, data, "--write-limit", "1000000")
    chain, acknowledged, lock = Chain(), set[str](), threading.Lock()
    since = position(town)
    for round_number in range(times):
        reader = subprocess.Popen([binary, "log", "--follow", "--since", since, "--data", data], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        done = threading.Event()

        def write(number: int) -> None:
            for step in range(10_000):
                if done.is_set():
                    return
                name = f"n-{round_number}-{number}-{step}"
                try:
                    answer = town.local("POST", "/businesses", business(name, slug=name))
                except OSError:
                    return
                except Exception:  # it was cut off within an answer
                    return
                if answer.status == 201:
                    with lock:
                        acknowledged.add(name)

        writers = [threading.Thread(target=write, args=(number,)) for number in range(16)]
        for writer in writers:
            writer.start()
        time.sleep(1)
        town.stop(signal.SIGKILL)
        done.set()
        for writer in writers:
            writer.join()
        output, said = reader.communicate(timeout=60)
        row.check(reader.returncode == 69 and b"continue with --since" in said or not output, "it says so at the end", said)
        chain.read(output[:output.rfind(b"\n") + 1].splitlines())
        since = chain.position or since
        town.start("--write-limit", "1000000")
    rest = town.sooke("log", "--since", since)
    chain.read(rest.stdout.encode().splitlines())
    row.check(not chain.faults, "no commit is missing or changed", chain.faults[:2])
    row.check(chain.position == position(town), "it has the position of the town", chain.position)
    made = [name for commit in chain.commits for change in commit["changes"] if "business" in change
            for name in [change["business"]["slug"]]]
    row.check(len(made) == len(set(made)), "none twice")
    missing = acknowledged - set(made)
    row.check(not missing, "none that was acknowledged is missing", sorted(missing)[:3])
    row.figures = f"{len(acknowledged):,} writes, {times} kills"
    town.stop()
    return row


def large(binary: Path, data: Path, count: int) -> Row:
    """A commit of many records passes, with little more memory than it has bytes: from memory, and after a restart."""
    row = Row("log: an import in one commit")
    town, _ = peopled(binary, data)
    since = position(town)
    file = data.parent / "many.csv"
    write_places(file, count)
    imported = town.sooke("import", file)
    row.check(imported.returncode == 0, "it is imported", imported.stderr)
    sizes = []
    for _ in range(2):
        # The import took more: what follows counts from now.
        Path(f"/proc/{town.server.pid}/clear_refs").write_text("5")
        before = memory(town.server.pid, "VmHWM")
        output = data.parent / "many.log"
        with output.open("wb") as out:
            reader = subprocess.Popen([binary, "log", "--since", since, "--data", data], stdout=out)
            most = most_memory(reader)
            row.check(reader.wait() == 0, "it leaves with 0")
        length = max(len(line) for line in output.open("rb"))
        used = memory(town.server.pid, "VmHWM") - before
        row.check(most < 64 << 20, "the command has only pieces of it", most)
        row.check(0 <= used <= 3 * length + (16 << 20), "the server takes three times its length at most", (used, length))
        sizes.append(used / length)
        town.restart()
    row.figures = f"{count:,} records, {length / 1e6:.0f} MB; the server took {sizes[0]:.1f} and {sizes[1]:.1f} times that"
    town.stop()
    return row
