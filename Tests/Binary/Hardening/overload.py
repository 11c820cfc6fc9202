"""More requests than the server can answer.

Server and generator are kept on a core each, where there are two, so that the generator does not take what the server
needs. The capacity is what a closed loop of as many connections comes to: of fewer it is more, since each answer then
costs the kernel less, and that would be held against the overload. It is measured before and after each load, the load
is held against the mean of both, and of some rounds the one in the middle counts: a shared machine has good and bad
moments.
"""

import contextlib
import itertools
import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from base import (DESCRIPTORS, READS, Figures, Load, Probe, limited, make_token, make_town, memory,
                  middle, pinned, recovery, slugs)
from harness import Answer, Server, send
from checks import Row, Skip
from tracing import Trace, require_strace

CONNECTIONS = 2000  # that ask for more than the server can answer
FEW = 64  # connections, to show beside it what these cost
LEAST_SHARE = 0.9  # of the capacity, as good answers under any load
MOST_PROBE_MS = 1000  # what health and administration take meanwhile, where turns are short; see judge
MOST_READ_MS = 50  # that reads may take longer beside a stalled disk
MOST_MIB = 256  # how much the memory may grow
PATIENCE = 1  # seconds to wait for a refusal
LARGE_BODY = 16 << 10  # so that the bodies of a thousand writes are as much as the server lets wait
ROUNDS = 3  # of each load; what counts is the one in the middle
ACCOUNTS = 12  # that write in turn, since what one may add to the log in a day is bounded
CHANGE = '{"phone":"250-{n}"}'
LEFT = "https://left.example"  # what a client writes that does not wait for the answer


@dataclass
class Kind:
    """What is asked."""

    name: str
    options: list[str | Path]
    tokens: tuple[str, ...] = ("",)
    path: str = ""  # where the probe writes
    probe: Callable[..., Answer] | None = None  # one such change with a body, to see how it is refused

    def __post_init__(self) -> None:
        self._turns = itertools.cycle(self.tokens)

    def load(self, server: Server, *options: str) -> Load:
        """A load of it, by the account whose turn it is."""
        return Load(server.url, *options, *self.options, token=next(self._turns), prefix=pinned(1))


@dataclass
class Flood:
    """What came of a load, and of the small questions beside it."""

    figures: Figures
    probes: list[Probe]
    recovery: float
    share: float = 0  # of the capacity


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    server = serve(binary, folder / "town")
    try:
        rows = [overload(server, kind, short) for kind in kinds(binary, server, folder)]
        rows[-1].check(server.stop(timeout=60) == 0, "it ends as ever", server.said)
    finally:
        server.kill()
    return [*rows, stalled(binary, folder, short)]


def serve(binary: Path, data: Path) -> Server:
    return make_town(binary, data, "--write-limit", "1000000", prefix=[*limited(DESCRIPTORS), *pinned(0)])


def kinds(binary: Path, server: Server, folder: Path) -> tuple[Kind, Kind]:
    """Reads as the app makes them, and changes of a few bytes, each of which is on disk before it is answered."""
    reads, writes = folder / "reads", folder / "writes"
    reads.write_text("".join(path + "\n" for path in READS))
    paths = [f"/api/v1/businesses/{slug}" for slug in slugs(server) if slug.isascii()]
    writes.write_text("".join(path + "\n" for path in paths))
    tokens = tuple(make_token(binary, server, f"ada{number}@town.example") for number in range(ACCOUNTS))
    fields = {"Authorization": f"Bearer {tokens[0]}", "Content-Type": "application/json"}
    return (Kind("reads", ["--targets", reads]),
            Kind("durable writes", ["--method", "PATCH", "--targets", writes, "--body", CHANGE], tokens, paths[0],
                 lambda body, **options: send(server.url, paths[0], "PATCH", fields, body.replace("{n}", "0").encode(),
                                              **options)))


def overload(server: Server, kind: Kind, short: bool) -> Row:
    """Twice and ten times as much as it can, over many connections, in turn with its capacity."""
    row = Row(f"overload: {kind.name}")
    before = memory(server.pid, "VmRSS")
    of_few = capacity(server, kind, short, FEW)
    capacities = [capacity(server, kind, short)]
    figures = []
    for times in (10,) if short else (2, 10):
        floods = []
        for _ in range(ROUNDS):
            floods.append(flood(server, kind, max(1, int(capacities[-1] * times)), short))
            capacities.append(capacity(server, kind, short))
            floods[-1].share = floods[-1].figures.good / max(1, (capacities[-2] + capacities[-1]) / 2)
        judge(row, f"at {times} times the capacity", floods, 6000 * CONNECTIONS / middle(capacities), short)
        figures.append(f"{times} ×: {summary(floods)}")
    most = memory(server.pid, "VmHWM")
    row.check(most - before <= MOST_MIB, "memory is bounded", f"{before} MiB before, {most} MiB at most")
    row.figures = (f"capacity {middle(capacities):,.0f}/s, of {FEW} connections {of_few:,.0f}/s; " + "; ".join(figures)
                   + f"; {before} MiB before, {most} MiB at most")
    return row


def capacity(server: Server, kind: Kind, short: bool, connections: int = CONNECTIONS) -> float:
    """Good answers a second in a closed loop."""
    load = kind.load(server, "--connections", str(connections), "--seconds", "1" if short else "2")
    return load.figures().good


def flood(server: Server, kind: Kind, rate: int, short: bool) -> Flood:
    """An open loop at a rate, with small questions beside it."""
    probes = [Probe("health", lambda: send(server.url, "/api/v1/health")),
              Probe("administration", lambda: server.ask("GET", "/api/v1/admin/status"))]
    if kind.probe:
        change = kind.probe
        probes.append(Probe("a write", lambda: change(CHANGE)))
    load = kind.load(server, "--connections", str(CONNECTIONS), "--rate", str(min(rate, 1_000_000)),
                     "--seconds", "1" if short else "4")
    with contextlib.ExitStack() as stack:
        for probe in probes:
            stack.enter_context(probe)
        figures = load.figures()
    return Flood(figures, probes, recovery(server.url))


def summary(floods: list[Flood]) -> str:
    """What the closing table says of some floods."""
    slowest = [max(flood.probes[number].longest for flood in floods) for number in range(2)]
    refused = sum(flood.figures.count(503) for flood in floods)
    waiting = sum(flood.figures.unanswered for flood in floods)
    return (f"{middle([flood.share for flood in floods]):.0%} good, {refused:,} refused, {waiting:,} not begun, "
            f"slowest health {slowest[0]:.0f} ms and status {slowest[1]:.0f} ms, "
            f"normal after {max(flood.recovery for flood in floods):.1f} s")


def judge(row: Row, when: str, floods: list[Flood], wait: float, short: bool) -> None:
    """What must hold under a load; in short, times are only looked at roughly. A new client is accepted, heard and
    answered behind all connections that ask already; `wait` is twice as many milliseconds as these three turns take."""
    least, share = LEAST_SHARE / (2 if short else 1), middle([flood.share for flood in floods])
    row.check(share >= least, f"{when}, {least:.0%} of the capacity is answered well",
              [f"{flood.share:.0%} of {flood.figures.rate:,.0f}/s" for flood in floods])
    for flood in floods:
        row.check(set(flood.figures.statuses) <= {"200", "503"}, f"{when}, the rest is refused with 503", flood.figures)
        row.check(flood.figures.failed == 0, f"{when}, no connection breaks", flood.figures.failures)
        bound = max(MOST_PROBE_MS, round(wait)) * (5 if short else 1)
        for probe in flood.probes[:2]:
            good = all(answer.status == 200 for answer in probe.answers) and not probe.faults
            row.check(good, f"{when}, {probe.name} is answered", probe.faults[:3])
            row.check(probe.longest <= bound, f"{when}, {probe.name} is answered within {bound} ms",
                      f"{probe.longest:.0f}")
        for probe in flood.probes[2:]:
            row.check(all(answer.status == 200 or answer.headers["Retry-After"] for answer in probe.answers)
                      and not probe.faults, f"{when}, a write is done, or told when to come again", probe.faults[:3])
        bound = 2 * (3 if short else 1)
        row.check(flood.recovery <= bound, f"{when}, all is normal within {bound} s of its end",
                  f"{flood.recovery:.1f} s")


def stalled(binary: Path, folder: Path, short: bool) -> Row:
    """Writes with long bodies while each sync of the disk takes seconds: few wait, the others are told at once."""
    delay = 2 if short else 3
    row = Row(f"overload: a sync takes {delay} s")
    try:
        require_strace()
    except Skip as reason:
        row.skipped = str(reason)
        return row
    server = serve(binary, folder / "stalled")  # a new one: only its first files are traced
    twin = serve(binary, folder / "twin")
    try:
        reads, writes = kinds(binary, server, folder)
        before = memory(server.pid, "VmRSS")
        trace = Trace(folder / "strace", server.data, "fdatasync", f"fdatasync:delay_enter={delay}000000")
        with trace.attached(server.thread("commit")):
            leave_early(server, writes, delay)
            figures, readers, others, probe = stall(server, twin, reads, writes, delay)
        took = recovery(server.url)
        most = memory(server.pid, "VmHWM")
        is_done = LEFT in send(server.url, writes.path).body.decode()
    finally:
        server.kill()
        twin.kill()
    refused = [(spent, answer) for spent, answer in probe.answered if answer.status == 503]
    quickest = min((spent for spent, _ in refused), default=0)
    slowest = max((spent for spent, _ in refused), default=0)
    row.check(set(figures.statuses) == {"200", "503"} and figures.failed == 0, "a write is done or refused", figures)
    row.check(bool(refused) and all(answer.headers["Retry-After"] for _, answer in refused) and not probe.faults,
              "a refusal says when to come again", probe.faults or len(refused))
    row.check(slowest <= 1000 * PATIENCE, f"a refusal comes within {PATIENCE} s", f"{slowest:.0f} ms")
    row.check(readers.failed == 0 and list(readers.statuses) == ["200"], "every read is answered", readers)
    share = "p50" if short else "p99"  # if reads waited for syncs, nearly all would; a hundredth are few in so short a time
    row.check(readers.latency[share] - others.latency[share] <= MOST_READ_MS,
              f"the {share} of reads is at most {MOST_READ_MS} ms more than the twin's",
              (readers.latency, others.latency))
    row.check(most - before <= MOST_MIB, "memory is bounded", f"{before} MiB before, {most} MiB at most")
    row.check(took <= 2, "all is normal within 2 s", f"{took:.1f} s")
    row.check(not is_done, "what a client asked for that has left is dropped")
    row.figures = (f"{figures.count(200):,} writes done, {figures.count(503):,} refused, one after {quickest:.0f} ms; "
                   f"reads p50 {readers.latency['p50']:.1f} ms, p99 {readers.latency['p99']:.1f} ms, "
                   f"the twin's {others.latency['p99']:.1f} ms; "
                   f"{before} MiB before, {most} MiB at most")
    return row


def stall(server: Server, twin: Server, reads: Kind, writes: Kind,
          delay: int) -> tuple[Figures, Figures, Figures, Probe]:
    """Many writes and some reads beside a disk that stalls; what came of both, of the same reads at a twin whose disk
    does not, and of a write now and then.

    One that is let in would wait as long as the disk, so it is given up and another is tried: whenever as much waits
    as may, the next one meets it.
    """
    assert writes.probe
    change = writes.probe
    seconds = str(2 * delay)
    large = CHANGE[:-1] + " " * (LARGE_BODY - len(CHANGE)) + "}"

    def try_change() -> Answer | None:
        try:
            return change(large, timeout=PATIENCE)
        except TimeoutError:
            return None

    ordinary, undisturbed = (Load(other.url, "--connections", "50", "--rate", "200", "--seconds", seconds,
                                  *reads.options, prefix=pinned(1)) for other in (server, twin))
    load = Load(server.url, "--connections", str(CONNECTIONS), "--rate", "1000", "--seconds", seconds,
                *writes.options[:-1], large, token=writes.tokens[0], prefix=pinned(1))
    with Probe("a write", try_change) as probe:
        return load.figures(), ordinary.figures(), undisturbed.figures(), probe


def leave_early(server: Server, writes: Kind, delay: int) -> None:
    """While the disk is busy with a write, asks for another one and breaks the connection."""
    change = writes.probe
    assert change
    threading.Thread(target=lambda: change(CHANGE), daemon=True).start()
    time.sleep(delay / 6)
    body = json.dumps({"website": LEFT})
    with socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1]))) as client:
        client.sendall((f"PATCH {writes.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {writes.tokens[0]}\r\n"
                        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())
        time.sleep(delay / 6)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset: it has gone
