"""Peers that are slow on purpose, read nothing, or are too many, while ordinary clients go on asking.

As many ordinary clients ask a twin that is left in peace: what the machine itself takes at times, the whole of it, is
seen there too and is not held against the server.
"""

import contextlib
import socket
import subprocess
import time
from pathlib import Path

from base import LIST, READS, Load, cpu_seconds, limited, make_town, memory, raise_limit, sockets, wait_for
from checks import Row
from harness import Server, send, sooke

CLIENTS, RATE = 50, 500  # ordinary connections, and the requests that they make a second
MOST_MS = 50  # the 99th percentile that these may see, beyond that of the twin's clients; in short the 90th
MOST_SHARE = 0.25  # of a processor, that slow peers may cost the server
GRACE = 3.0  # what a peer is given beyond its limit: the timer's tick, the last words, and a busy machine


# The options of each kind, what it asks for, and for how many seconds the server puts up with it.
ATTACKS: list[tuple[list[str], str, float]] = [
    # A field every three seconds, and never the end of them.
    (["-H", "-i", "3", "-x", "24"], "/api/v1/businesses", 10),
    # A body of 8 KiB, 64 bytes of it every three seconds.
    (["-B", "-i", "3", "-x", "64", "-s", "8192", "-t", "POST", "-f", "application/json"], "/api/v1/session", 20),
    # Ten pages asked for in a row, and then 32 bytes read every five seconds.
    (["-X", "-k", "10", "-w", "512", "-y", "1024", "-n", "5", "-z", "32"], LIST, 30),
]


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """All kinds at once, beside ordinary clients."""
    peers, rate = (100, 100) if short else (1000, 200)
    seconds = peers / rate + max(limit for _, _, limit in ATTACKS) + GRACE
    row = Row(f"slow: {peers:,} peers of each kind")
    targets = folder / "targets"
    targets.write_text("".join(path + "\n" for path in READS))
    server, twin = (make_town(binary, folder / name) for name in ("town", "twin"))
    quiet = len(sockets(server.pid))
    attacks = [subprocess.Popen([*limited(8192), "slowhttptest", *options, "-c", str(peers), "-r", str(rate), "-l",
                                 str(int(seconds + 5)), "-p", "5", "-v", "0", "-u", server.url + path],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for options, path, _ in ATTACKS]
    try:
        before = cpu_seconds(server.pid) - cpu_seconds(twin.pid)
        ordinary, undisturbed = (Load(other.url, "--connections", str(CLIENTS), "--rate", str(RATE), "--seconds",
                                      str(int(seconds)), "--targets", targets) for other in (server, twin))
        end, most = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            left = len(sockets(server.pid)) - quiet
            most = max(most, left)
            time.sleep(0.1)
        cost = (cpu_seconds(server.pid) - cpu_seconds(twin.pid) - before) / seconds
        figures, others = ordinary.figures(), undisturbed.figures()
    finally:
        for attack in attacks:
            attack.kill()
            attack.wait()
    row.check(most >= len(ATTACKS) * peers, "all slow peers are there", most)
    row.check(left <= CLIENTS + 5, "the server has closed them all", f"{left} connections, {CLIENTS} of clients")
    # What was due in a last second in which the machine stood still was never asked.
    row.check(figures.failed == 0 and figures.unanswered <= RATE and list(figures.statuses) == ["200"],
              "every ordinary request is answered", figures)
    share = "p90" if short else "p99"
    row.check(figures.latency_ms[share] - others.latency_ms[share] <= MOST_MS,
              f"the {share} of ordinary clients is at most {MOST_MS} ms more than the twin's", (figures, others))
    row.check(cost <= MOST_SHARE, f"slow peers take at most {MOST_SHARE:.0%} of a processor", f"{cost:.0%}")
    row.figures = (f"{most:,} connections; ordinary clients p99 {figures.latency_ms['p99']:.1f} ms, the twin's "
                   f"{others.latency_ms['p99']:.1f} ms, {figures.requests:,} requests; {cost:.1%} of a processor")
    return [row]


# Readers that read nothing

MOST_MIB = 84  # more than before, for any responses that are not read
MOST_LEFT_MIB = 20  # more than before, when the readers have left


def unread(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Clients that ask for the same in a row, read nothing, and then leave."""
    raise_limit()
    return [unread_responses(binary, folder / name, name, path, count // (4 if short else 1), times)
            for name, path, count, times in (("short pipelines", LIST, 4000, 4), ("long pipelines", LIST, 3500, 64),
                                             ("streams", "/api/v1/changes", 3500, 64))]


def unread_responses(binary: Path, data: Path, name: str, path: str, count: int, times: int) -> Row:
    row = Row(f"unread: {count:,} {name}")
    server = make_town(binary, data)
    for _ in range(50):
        send(server.url, LIST)
    before = memory(server.pid)
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            client.connect(("127.0.0.1", int(server.url.rsplit(":", 1)[1])))
            client.sendall(times * f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        settle(server)
        most = memory(server.pid, "VmHWM")
        row.check(most - before <= MOST_MIB, f"at most {MOST_MIB} MiB more", f"{before} before, {most} at most")
        row.check(send(server.url, LIST).status == 200, "another client is served")
    row.check(wait_for(lambda: memory(server.pid) - before <= MOST_LEFT_MIB), f"they leave at most {MOST_LEFT_MIB} MiB",
              f"{before} before, {memory(server.pid)} now")
    row.figures = f"{before} MiB before, {most} at most, {memory(server.pid)} when they had left"
    row.check(server.stop() == 0, "it ends as ever", server.said)
    return row


def settle(server: Server) -> None:
    """Waits until the memory of a process has not changed for a second."""
    last, same = memory(server.pid), 0
    while same < 4:
        time.sleep(0.25)
        now = memory(server.pid)
        last, same = now, same + 1 if now == last else 0


# More clients than the process may have descriptors

ALL, LEAST = 500, 20  # clients, and those served at once: the others wait outside until one of these leaves
QUIET, MOST_CPU = 3, 0.3  # seconds in which nobody asks anything, and the processor time that they may cost


def descriptors(binary: Path, folder: Path, short: bool) -> list[Row]:
    """With 64 descriptors: no spinning, those within are served, the disk is written as ever."""
    row = Row(f"descriptors: 64, and {ALL} clients")
    server = make_town(binary, folder / "town", prefix=limited(64))
    quiet = len(sockets(server.pid))
    with contextlib.ExitStack() as stack:
        waiting = set()
        for _ in range(ALL):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1]))))
            client.setblocking(False)
            waiting.add(client)
            with contextlib.suppress(OSError):
                client.send(b"GET /api/v1/businesses?per_page=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        row.check(wait_for(lambda: ALL - len(unanswered(waiting)) >= LEAST), "those within are served", len(waiting))
        before = cpu_seconds(server.pid)
        time.sleep(QUIET)
        cost = cpu_seconds(server.pid) - before
        row.check(cost <= MOST_CPU, "it does not spin", f"{cost:.2f} s of processor time in {QUIET} s")
        for command in ("status", "snapshot"):
            done = sooke(binary, command, "--data", server.data)
            row.check(done.returncode == 0, f"{command} gets through", done.stderr)
    row.check(wait_for(lambda: len(sockets(server.pid)) == quiet), "no connection is left behind")
    row.answered(send(server.url, "/api/v1/health"), 200, "it serves again once they have left")
    row.check(server.stop() == 0, "it ends as ever", server.said)
    row.figures = f"{ALL - len(waiting)} served at once, {cost:.2f} s of processor time in {QUIET} s"
    return [row]


def unanswered(waiting: set[socket.socket]) -> set[socket.socket]:
    """Those who still wait, without those for whom a good answer stands ready."""
    for client in list(waiting):
        with contextlib.suppress(OSError):
            if client.recv(12) == b"HTTP/1.1 200":
                waiting.discard(client)
    return waiting
