"""Peers that are slow on purpose or read nothing, by the hundred, while ordinary clients go on asking.

As many ordinary clients ask a twin that is left in peace: what the machine itself takes at times, the whole of it, is
seen there too and is not held against the server.
"""

import contextlib
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from base import (LIST, READS, Load, cpu_seconds, limited, make_town, memory, raise_limit, sockets, wait_for)
from checks import Row
from harness import Server, send

CLIENTS, RATE = 50, 500  # ordinary connections, and the requests that they make a second
MOST_MS = 50  # the 99th percentile that these may see, beyond that of the twin's clients; in short the 90th
MOST_SHARE = 0.25  # of a processor, that slow peers may cost the server
GRACE = 3.0  # what a peer is given beyond its limit: the timer's tick, the last words, and a busy machine


@dataclass
class Attack:
    """One kind of slow peer, and for how long the server puts up with it."""

    name: str
    options: list[str]
    path: str
    limit: float  # seconds from the connection to its end
    begun: dict[str, float] = field(default_factory=dict)
    seen: dict[str, float] = field(default_factory=dict)

    def start(self, url: str, peers: int, rate: int) -> float:
        """Starts so many peers, so many of them a second; how many seconds it takes until all must be gone."""
        seconds = peers / rate + self.limit + GRACE
        command = ["slowhttptest", *self.options, "-c", str(peers), "-r", str(rate), "-l", str(int(seconds + 5)),
                   "-p", "5", "-v", "0", "-u", url + self.path]
        self.process = subprocess.Popen([*limited(8192), *command], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return seconds

    def look(self, there: set[str], now: float) -> None:
        """Takes note of which of its peers are connected."""
        with contextlib.suppress(OSError):  # it may have ended
            for peer in sockets(self.process.pid) & there:
                self.begun.setdefault(peer, now)
                self.seen[peer] = now

    @property
    def oldest(self) -> float:
        """The longest that one of its peers was connected, in seconds."""
        return max((self.seen[peer] - self.begun[peer] for peer in self.seen), default=0)


def connected(port: int) -> set[str]:
    """The sockets of clients whose connection to a port of this machine its server keeps open."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    here = f":{port:04X}"
    kept = {fields[2] for fields in rows if fields[1].endswith(here) and fields[3] == "01"}
    return {fields[9] for fields in rows if fields[2].endswith(here) and fields[1] in kept}


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """All kinds at once, beside ordinary clients."""
    peers, rate = (100, 100) if short else (1000, 200)
    attacks = [
        # A field every three seconds, and never the end of them.
        Attack("slow headers", ["-H", "-i", "3", "-x", "24"], "/api/v1/businesses", 10),
        # A body of 8 KiB, 64 bytes of it every three seconds.
        Attack("slow bodies", ["-B", "-i", "3", "-x", "64", "-s", "8192", "-t", "POST", "-f", "application/json"],
               "/api/v1/session", 20),
        # Ten pages asked for in a row, and then 32 bytes read every five seconds.
        Attack("slow readers", ["-X", "-k", "10", "-w", "512", "-y", "1024", "-n", "5", "-z", "32"], LIST, 30),
    ]
    row = Row(f"slow: {peers:,} peers of each kind")
    targets = folder / "targets"
    targets.write_text("".join(path + "\n" for path in READS))
    server, twin = (make_town(binary, folder / name) for name in ("town", "twin"))
    quiet = len(sockets(server.pid))
    try:
        seconds = max([attack.start(server.url, peers, rate) for attack in attacks])
        before = cpu_seconds(server.pid) - cpu_seconds(twin.pid)
        ordinary, undisturbed = (Load(other.url, "--connections", str(CLIENTS), "--rate", str(RATE), "--seconds",
                                      str(int(seconds)), "--targets", targets) for other in (server, twin))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            there, now = connected(int(server.url.rsplit(":", 1)[1])), time.monotonic()
            for attack in attacks:
                attack.look(there, now)
            time.sleep(0.2)
        left = len(sockets(server.pid)) - quiet
        cost = (cpu_seconds(server.pid) - cpu_seconds(twin.pid) - before) / seconds
        figures, others = ordinary.figures(), undisturbed.figures()
    finally:
        for attack in attacks:
            attack.process.kill()
            attack.process.wait()
    for attack in attacks:
        row.check(len(attack.seen) >= peers, f"{peers} {attack.name} are there", len(attack.seen))
        row.check(attack.oldest <= attack.limit + GRACE, f"{attack.name} are gone after {attack.limit:.0f} s", attack.oldest)
    row.check(left <= CLIENTS + 5, "the server has closed them all", f"{left} connections, {CLIENTS} of clients")
    # What was due in a last second in which the machine stood still was never asked.
    row.check(figures.failed == 0 and figures.unanswered <= RATE and list(figures.statuses) == ["200"],
              "every ordinary request is answered", figures)
    share = "p90" if short else "p99"
    row.check(figures.latency[share] - others.latency[share] <= MOST_MS,
              f"the {share} of ordinary clients is at most {MOST_MS} ms more than the twin's", (figures.latency, others.latency))
    row.check(cost <= MOST_SHARE, f"slow peers take at most {MOST_SHARE:.0%} of a processor", f"{cost:.0%}")
    row.figures = (f"oldest {max(attack.oldest for attack in attacks):.1f} s; ordinary clients p99 {figures.latency['p99']:.1f} "
                   f"ms, the twin's {others.latency['p99']:.1f} ms, {figures.requests:,} requests; {cost:.1%} of a processor")
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
        row.check(most - before <= MOST_MIB, f"at most {MOST_MIB} MiB more than before", f"{before} before, {most} at most")
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
