"""Durable changes against Redis and against the disk itself, and what slow disks and snapshots do to the rest."""

import contextlib
import json
import os
import signal
import statistics
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import disks
import load
import peers
import towns
from bench import Bench
from generator import ask
from harness import Server, sooke
from results import Bound, Result, Side, compare
from rig import Ledger, copy
from tracing import Trace, require_strace

MANY, ONE = Bound(0.4, 0.8), Bound(0.45, 0.8)
BESIDE_SNAPSHOTS = Bound(2, 2, at_most=True)
READS_ON_A_SLOW_DISK = Bound(20, 20, at_most=True)  # ms
CONNECTIONS = 64
BUSINESSES = 1000
ACCOUNTS = 32  # each may add 64 MiB to the log in a day
# A new text every time, so that each is a change.
BODY = json.dumps({"description": "Coffee, cake and a fire on wet days; the kitchen closes at nine, and dogs are "
                                  "welcome on the terrace. Note {n}."})
APPENDED = 300  # bytes of a write by the thread that only writes and syncs
COMMITS_OF_A_ROUND = 400


def patch(bench: Bench) -> list[Result]:
    """Changes of a description that are answered when they are on the disk; Redis with `appendfsync always`."""
    data = town_to_change(bench, "patch", BUSINESSES)
    token = " ".join(make_token(bench, data, number) for number in range(ACCOUNTS))
    size = len(BODY.replace("{n}", "12345"))
    with bench.serve(data, "--write-limit", "1000000") as server, redis(bench) as database:
        def change(connections: int) -> float:
            path = f"/api/v1/businesses/town-{{1..{BUSINESSES}}}"
            return ask(bench, server.url, [path], connections, bench.seconds, body=BODY, token=token).rate
        change(CONNECTIONS)  # to warm up
        database.calibrate(size)
        many, others, one, disk = bench.alternate("/s", {
            "64 connections": lambda: change(CONNECTIONS), "redis": lambda: database.sets(size, bench.seconds),
            "1 connection": lambda: change(1), "write + fdatasync": lambda: syncs(bench)})
    return [
        compare("durable PATCH, 64 connections, against Redis", MANY, many, others, f"{size} bytes each"),
        compare("durable PATCH, 1 connection, against write + fdatasync", ONE, one, disk, f"{APPENDED} bytes appended"),
    ]


def town_to_change(bench: Bench, name: str, businesses: int) -> Path:
    """A copy of a town that may be changed."""
    return copy(towns.town(bench, businesses), bench.scratch / name)


def add_category(server: Server) -> None:
    """The category that the imports of the rigs are in."""
    answer = server.ask("POST", "/api/v1/admin/import?format=json", b'{"categories": [{"name": "Retail"}]}')
    if answer.status != 200:
        raise RuntimeError(f"a category got {answer.status}: {answer.body[:200]!r}")


def make_token(bench: Bench, data: Path, number: int = 0) -> str:
    """A token, of an account of its own, that may change every business."""
    email = f"bench{number}@town.example"
    for arguments in (["user", "add", email, "--role", "super_admin"],
                      ["token", "create", "bench", "--for", email, "--scope", "admin"]):
        result = sooke(bench.binary, *arguments, "--data", data)
        if result.returncode:
            raise RuntimeError(f"sooke {' '.join(arguments)} left with {result.returncode}: {result.stderr.strip()}")
    return result.stdout.strip()


def syncs(bench: Bench) -> float:
    """How often a second one thread appends to a file and syncs it, as a plain log is written: nothing is reserved."""
    path = bench.scratch / "synced"
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    try:
        content, count, began = os.urandom(APPENDED), 0, time.monotonic()
        while (took := time.monotonic() - began) < bench.seconds:
            os.write(handle, content)
            os.fdatasync(handle)
            count += 1
        return count / took
    finally:
        os.close(handle)
        path.unlink()


@dataclass
class Redis:
    """A Redis server that syncs before it answers."""

    port: int
    expected: float = 0.0  # sets a second

    def run(self, size: int, count: int) -> float:
        command = ["redis-benchmark", "-p", str(self.port), "-t", "set", "-c", str(CONNECTIONS), "-d", str(size),
                   "-r", str(BUSINESSES), "-n", str(count), "--csv"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300)
        rows = [line.split(",") for line in result.stdout.splitlines() if line.startswith('"SET"')]
        if result.returncode or not rows:
            raise RuntimeError(f"redis-benchmark left with {result.returncode}: {result.stderr[-500:]}")
        return float(rows[0][1].strip('"'))

    def calibrate(self, size: int) -> None:
        """Finds out how many sets take how long: redis-benchmark wants a number, not a time."""
        self.expected = self.run(size, 5_000)

    def sets(self, size: int, seconds: float) -> float:
        """How many sets a second were answered."""
        return self.run(size, max(1_000, int(self.expected * seconds)))


@contextlib.contextmanager
def redis(bench: Bench) -> Iterator[Redis]:
    """Redis on the same disk."""
    peers.require("redis-server")
    peers.require("redis-benchmark")
    folder = bench.scratch / "redis"
    folder.mkdir()
    port = peers.free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "",
               "--appendonly", "yes", "--appendfsync", "always"]
    with peers.running(command, port):
        yield Redis(port)


def beside_snapshots(bench: Bench) -> list[Result]:
    """The 99th percentile of a commit while a large town is written out, against that of one alone."""
    data = town_to_change(bench, "snapshots", 100_000)
    with bench.serve(data, timeout=120) as server:
        add_category(server)
        measure = load.Measure(server)
        measure.alone(COMMITS_OF_A_ROUND)  # to warm up
        measure.times_alone.clear()
        for number in range(bench.runs):
            bench.tell(f"round {number + 1} of {bench.runs}")
            measure.alone(COMMITS_OF_A_ROUND)
            measure.while_snapshots_are_written(COMMITS_OF_A_ROUND)
    if measure.faults:
        raise RuntimeError(f"{len(measure.faults)} commits failed: {measure.faults[0]}")
    beside, alone = (Side(name, "ms p99", [load.p99(times) * 1000 for times in rounds if times])
                     for name, rounds in (("beside", measure.times_beside), ("alone", measure.times_alone)))
    what = "commit p99 while a snapshot is written, against alone"
    length = statistics.median(measure.snapshots)
    return [compare(what, BESIDE_SNAPSHOTS, beside, alone,
                    f"100,000 businesses; {len(measure.snapshots)} snapshots of {length:.2f} s")]


def slow_disk(bench: Bench) -> list[Result]:
    """Reads while every sync takes two seconds and 32 clients change things."""
    require_strace()
    data = town_to_change(bench, "slow", BUSINESSES)
    ledgers = [Ledger(f"client-{number}") for number in range(32)]
    server = Server(bench.binary, data)
    try:
        server.ready()
        add_category(server)
        trace = Trace(bench.scratch / "strace", data, "fdatasync", "fdatasync:delay_enter=2000000")
        bench.tell("reading while every sync takes 2 s")
        with trace.attached(server.thread("commit")), disks.clients(server, ledgers), \
                disks.Reader(server.url) as reader:
            time.sleep(max(7.0, 2 * bench.seconds))
        syncs = sum("= 0" in line for line in trace.lines())
    finally:
        server.stop(signal.SIGKILL)
    if reader.faults or not syncs:
        raise RuntimeError(f"{syncs} syncs, {len(reader.faults)} failed reads {reader.faults[:1]}")
    reads = Side("sooke", "ms p99", [reader.p99() * 1000])
    return [Result("read p99 while every fdatasync takes 2 s", READS_ON_A_SLOW_DISK, reads.median, "ms", [reads],
                   f"{len(reader.times)} reads, {syncs} syncs")]
