"""Peers that are slow on purpose, by the hundred, while ordinary clients go on asking.

As many ordinary clients ask a twin that is left in peace: what the machine itself takes at times, the whole of it, is
seen there too and is not held against the server.
"""

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from base import READS, Load, connected, cpu_seconds, limited, make_town, sockets
from harness import Server
from checks import Row, Skip

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

    def start(self, url: str, peers: int, rate: int) -> None:
        """Starts so many peers, so many of them a second."""
        self.seconds = peers / rate + self.limit + GRACE
        command = ["slowhttptest", *self.options, "-c", str(peers), "-r", str(rate), "-l", str(int(self.seconds + 5)),
                   "-p", "5", "-v", "0", "-u", url + self.path]
        self._process = subprocess.Popen([*limited(8192), *command], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def look(self, there: set[str], now: float) -> None:
        """Takes note of which of its peers are connected."""
        if self._process.poll() is not None:
            return
        try:
            mine = sockets(self._process.pid) & there
        except OSError:  # it has just ended
            return
        for socket in mine:
            self.begun.setdefault(socket, now)
            self.seen[socket] = now

    @property
    def oldest(self) -> float:
        """The longest that one of its peers was connected, in seconds."""
        return max((self.seen[socket] - self.begun[socket] for socket in self.seen), default=0)

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()


def attacks() -> list[Attack]:
    return [
        # A field every three seconds, and never the end of them.
        Attack("slow-headers", ["-H", "-i", "3", "-x", "24"], "/api/v1/businesses", 10),
        # A body of 8 KiB, 64 bytes of it every three seconds.
        Attack("slow-bodies", ["-B", "-i", "3", "-x", "64", "-s", "8192", "-t", "POST", "-f", "application/json"],
               "/api/v1/session", 20),
        # Ten pages asked for in a row, and then 32 bytes read every five seconds.
        Attack("slow-readers", ["-X", "-k", "10", "-w", "512", "-y", "1024", "-n", "5", "-z", "32"],
               "/api/v1/businesses?per_page=100", 30),
    ]


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """Each kind by itself; in short, all at once and a tenth of them."""
    targets = folder / "targets"
    targets.write_text("".join(path + "\n" for path in READS))
    server, twin = (make_town(binary, folder / name) for name in ("town", "twin"))

    def ask(other: Server, seconds: int) -> Load:
        return Load(other.url, "--connections", str(CLIENTS), "--rate", str(RATE), "--seconds", str(seconds),
                    "--targets", targets)

    try:
        peers, rate = (100, 100) if short else (1000, 200)
        waves = [attacks()] if short else [[attack] for attack in attacks()]
        return [row for wave in waves for row in endure(server, twin, ask, wave, peers, rate, short)]
    except FileNotFoundError as error:
        raise Skip(f"{error.filename} is not installed") from error
    finally:
        server.kill()
        twin.kill()


def endure(server: Server, twin: Server, ask: Callable[[Server, int], Load], attacks: list[Attack], peers: int,
           rate: int, short: bool) -> list[Row]:
    """Some attacks at once, beside ordinary clients."""
    rows = [Row(f"{attack.name}, {peers:,} peers") for attack in attacks]
    port = int(server.url.rsplit(":", 1)[1])
    quiet = len(sockets(server.pid))
    try:
        for attack in attacks:
            attack.start(server.url, peers, rate)
        seconds = max(attack.seconds for attack in attacks)
        before = cpu_seconds(server.pid) - cpu_seconds(twin.pid)
        ordinary, undisturbed = ask(server, int(seconds)), ask(twin, int(seconds))
        end = time.monotonic() + seconds
        most = 0
        while time.monotonic() < end:
            there, now = connected(port), time.monotonic()
            for attack in attacks:
                attack.look(there, now)
            most = max(most, len(sockets(server.pid)) - quiet)
            time.sleep(0.2)
        left = len(sockets(server.pid)) - quiet
        cost = (cpu_seconds(server.pid) - cpu_seconds(twin.pid) - before) / seconds
        figures, others = ordinary.figures(), undisturbed.figures()
    finally:
        for attack in attacks:
            attack.stop()
    for row, attack in zip(rows, attacks):
        row.check(len(attack.seen) >= peers, f"{peers} slow peers are there", len(attack.seen))
        row.check(attack.oldest <= attack.limit + GRACE, f"every slow peer is gone after {attack.limit:.0f} s",
                  f"one was there for {attack.oldest:.1f} s")
        row.figures = f"oldest {attack.oldest:.1f} s of {attack.limit:.0f} s"
    first = rows[0]
    first.check(left <= CLIENTS + 5, "the server has closed them all", f"{left} connections, {CLIENTS} of clients")
    # What was due in a last second in which the machine stood still was never asked.
    first.check(figures.failed == 0 and figures.unanswered <= RATE and list(figures.statuses) == ["200"],
                "every ordinary request is answered", figures)
    share = "p90" if short else "p99"
    first.check(figures.latency[share] - others.latency[share] <= MOST_MS,
                f"the {share} of ordinary clients is at most {MOST_MS} ms more than the twin's",
                (figures.latency, others.latency))
    first.check(cost <= MOST_SHARE, f"slow peers take at most {MOST_SHARE:.0%} of a processor", f"{cost:.0%}")
    first.figures += (f"; {most:,} connections at most; ordinary clients p50 {figures.latency['p50']:.1f} ms, "
                      f"p99 {figures.latency['p99']:.1f} ms, the twin's {others.latency['p99']:.1f} ms, "
                      f"max {figures.latency['max']:.0f} ms, {figures.requests:,} requests, {figures.failed} failed; "
                      f"{cost:.1%} of a processor")
    return rows
