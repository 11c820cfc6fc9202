"""More requests than the server can answer.

Server and generator are kept on a core each, where there are two, so that the generator does not take what the server
needs. The capacity is what a closed loop of as many connections comes to. It is measured before and after each load,
the load is held against the mean of both, and of some rounds the one in the middle counts: a shared machine has good
and bad moments.
"""

import contextlib
import itertools
import json
import socket
import statistics
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from base import READS, Load, Probe, limited, make_token, make_town, memory, pinned
from checks import Row
from harness import Answer, Server, send
from tracing import Trace, require_strace

CONNECTIONS = 2000  # that ask for more than the server can answer
TIMES = 10  # as much as it can answer
LEAST_SHARE = 0.9  # of the capacity, as good answers under any load; in short the half of it
MOST_PROBE_MS = 1000  # what health and administration take meanwhile, where turns are short
MOST_READ_MS = 50  # that reads may take longer beside a stalled disk
MOST_MIB = 256  # how much the memory may grow
PATIENCE = 1  # seconds to wait for a refusal
LARGE_BODY = 16 << 10  # so that the bodies of a thousand writes are as much as the server lets wait
ACCOUNTS = 12  # that write in turn, since what one may add to the log in a day is bounded
CHANGE = '{"phone":"250-{n}"}'
LEFT = "https://left.example"  # what a client writes that does not wait for the answer


@dataclass
class Kind:
    """What is asked; of changes also one that a probe makes, to see how it is refused."""

    name: str
    options: list[str | Path]
    tokens: tuple[str, ...] = ("",)
    path: str = ""
    change: Callable[..., Answer] | None = None

    def load(self, server: Server, *options: str, account: int = 0) -> Load:
        token = self.tokens[account % len(self.tokens)]
        return Load(server.url, *options, *self.options, token=token, prefix=pinned(1))


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    server = serve(binary, folder / "town")
    rows = [overload(server, kind, short) for kind in kinds(binary, server, folder)]
    rows[-1].check(server.stop(timeout=60) == 0, "it ends as ever", server.said)
    return [*rows, stalled(binary, folder, short)]


def serve(binary: Path, data: Path) -> Server:
    return make_town(binary, data, "--write-limit", "1000000", prefix=[*limited(), *pinned(0)])


def kinds(binary: Path, server: Server, folder: Path) -> tuple[Kind, Kind]:
    """Reads as the app makes them, and changes of a few bytes, each of which is on disk before it is answered."""
    reads, writes = folder / "reads", folder / "writes"
    reads.write_text("".join(path + "\n" for path in READS))
    items = send(server.url, "/api/v1/businesses?per_page=100").json()["items"]
    paths = [f"/api/v1/businesses/{item['slug']}" for item in items if item["slug"].isascii()]
    writes.write_text("".join(path + "\n" for path in paths))
    tokens = tuple(make_token(binary, server, f"ada{number}@town.example") for number in range(ACCOUNTS))
    fields = {"Authorization": f"Bearer {tokens[0]}", "Content-Type": "application/json"}

    def change(body: str, timeout: float = 10) -> Answer:
        return send(server.url, paths[0], "PATCH", fields, body.replace("{n}", "0").encode(), timeout)

    return (Kind("reads", ["--targets", reads]),
            Kind("writes", ["--method", "PATCH", "--targets", writes, "--body", CHANGE], tokens, paths[0], change))


def overload(server: Server, kind: Kind, short: bool) -> Row:
    """Ten times as much as it can, over many connections, in turn with its capacity."""
    row = Row(f"overload: {kind.name}")
    before, accounts = memory(server.pid), itertools.count()
    options = ["--connections", str(CONNECTIONS), "--seconds", "1" if short else "4"]
    probes = [Probe("health", lambda: send(server.url, "/api/v1/health")),
              Probe("administration", lambda: server.ask("GET", "/api/v1/admin/status"))]
    if change := kind.change:
        probes.append(Probe("a write", lambda: change(CHANGE)))

    def capacity() -> float:
        """Good answers a second in a closed loop."""
        return kind.load(server, *options, account=next(accounts)).figures().good

    capacities, shares = [capacity()], []
    refused = 0
    for _ in range(1 if short else 3):
        rate = str(min(max(1, int(capacities[-1] * TIMES)), 1_000_000))
        with contextlib.ExitStack() as stack:
            for probe in probes:
                stack.enter_context(probe)
            figures = kind.load(server, *options, "--rate", rate, account=next(accounts)).figures()
        capacities.append(capacity())
        shares.append(figures.good / max(1, (capacities[-2] + capacities[-1]) / 2))
        refused += figures.statuses.get('503', 0)
        row.check(set(figures.statuses) <= {"200", "503"}, "the rest is refused with 503", figures)
        row.check(figures.failed == 0, "no connection breaks", figures.failures)
    share, least = statistics.median(shares), LEAST_SHARE / (2 if short else 1)
    row.check(share >= least, f"{least:.0%} of the capacity is answered well", shares)
    for probe in probes:
        good = all(answer.status == 200 or probe.name == "a write" and answer.headers["Retry-After"]
                   for _, answer in probe.answered)
        row.check(good and bool(probe.answered) and not probe.faults, f"{probe.name} is answered", probe.faults[:3])
    if not short:
        # A new client is accepted, heard and answered behind all connections that ask already: twice these three turns.
        bound = max(MOST_PROBE_MS, 6000 * CONNECTIONS / statistics.median(capacities))
        slowest = max(probe.longest for probe in probes[:2])
        row.check(slowest <= bound, f"health and administration take at most {bound:.0f} ms", f"{slowest:.0f} ms")
    most = memory(server.pid, "VmHWM")
    row.check(most - before <= MOST_MIB, "memory is bounded", f"{before} MiB before, {most} MiB at most")
    row.figures = (f"capacity {statistics.median(capacities):,.0f}/s; {TIMES} ×: {share:.0%} good, {refused:,} of 503; "
                   f"{before} MiB before, {most} MiB at most")
    return row


def stalled(binary: Path, folder: Path, short: bool) -> Row:
    """Writes with long bodies while each sync of the disk takes seconds: few wait, the others are told at once, and
    reads take no longer than those of a twin."""
    delay = 2 if short else 3
    row = Row(f"overload: a sync takes {delay} s")
    require_strace()
    server, twin = (serve(binary, folder / name) for name in ("stalled", "twin"))  # new: only first files are traced
    reads, writes = kinds(binary, server, folder)
    before = memory(server.pid)
    trace = Trace(folder / "strace", server.data, "fdatasync", f"fdatasync:delay_enter={delay}000000")
    options = ["--seconds", str(2 * delay), "--rate"]
    large = CHANGE[:-1] + " " * (LARGE_BODY - len(CHANGE)) + "}"

    def try_change() -> Answer | None:
        # One that is let in would wait as long as the disk, so it is given up and another is tried: whenever as much
        # waits as may, the next one meets it.
        with contextlib.suppress(TimeoutError):
            return writes.change(large, timeout=PATIENCE) if writes.change else None

    with trace.attached(server.thread("commit")):
        leave_early(server, writes, delay)
        loads = [reads.load(other, "--connections", "50", *options, "200") for other in (server, twin)]
        load = Load(server.url, "--connections", str(CONNECTIONS), *options, "1000", *writes.options[:-1], large,
                    token=writes.tokens[0], prefix=pinned(1))
        with Probe("a write", try_change) as probe:
            figures, readers, others = load.figures(), *(each.figures() for each in loads)
    most = memory(server.pid, "VmHWM")
    is_done = LEFT in send(server.url, writes.path).body.decode()
    refused = [(spent, answer) for spent, answer in probe.answered if answer.status == 503]
    row.check(set(figures.statuses) == {"200", "503"} and figures.failed == 0, "a write is done or refused", figures)
    row.check(bool(refused) and all(answer.headers["Retry-After"] for _, answer in refused) and not probe.faults,
              f"a refusal comes within {PATIENCE} s and says when to come again", probe.faults or len(refused))
    row.check(readers.failed == 0 and list(readers.statuses) == ["200"], "every read is answered", readers)
    share = "p50" if short else "p99"  # if reads waited for syncs, nearly all would; a hundredth are few in short
    row.check(readers.latency_ms[share] - others.latency_ms[share] <= MOST_READ_MS,
              f"the {share} of reads is at most {MOST_READ_MS} ms more than the twin's", (readers, others))
    row.check(most - before <= MOST_MIB, "memory is bounded", f"{before} MiB before, {most} MiB at most")
    row.check(not is_done, "what a client asked for that has left is dropped")
    row.figures = (f"writes {figures.statuses}; reads p99 {readers.latency_ms['p99']:.1f} ms, the twin's "
                   f"{others.latency_ms['p99']:.1f} ms; {most} MiB at most")
    return row


def leave_early(server: Server, writes: Kind, delay: int) -> None:
    """While the disk is busy with a write, asks for another one and breaks the connection."""
    change = writes.change
    assert change
    threading.Thread(target=lambda: change(CHANGE), daemon=True).start()
    time.sleep(delay / 6)
    body = json.dumps({"website": LEFT})
    with socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1]))) as client:
        client.sendall((f"PATCH {writes.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {writes.tokens[0]}\r"
                        f"\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())
        time.sleep(delay / 6)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset: it has gone
