"""Calendars that lead elsewhere, and calendars that do not end: what the helper connects to, by strace."""

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from checks import Row, Skip
from generator import START
from harness import memory, sooke
from rig import PulledTown
from server import FORBIDDEN, SLOW, CalendarServer
from tracing import require_root, require_strace

HOSTS = {"inside.test": ["10.1.2.3"], "mixed.test": ["203.0.113.7", "127.0.0.1"], "six.test": ["fd00::7"],
         "mapped.test": ["::ffff:10.1.2.3"], "nat.test": ["64:ff9b::a01:203"], "outside.test": ["203.0.113.7"]}
MOST_MEMORY = 48 << 20


class Listener:
    """A service on this machine that nobody may reach."""

    def __init__(self) -> None:
        self.reached = 0
        self._sockets = [self._listen(socket.AF_INET, "127.0.0.1", 0)]
        self.port = self._sockets[0].getsockname()[1]
        if socket.has_ipv6:
            try:
                self._sockets.append(self._listen(socket.AF_INET6, "::1", self.port))
            except OSError:
                pass  # no IPv6 here

    def _listen(self, family: int, host: str, port: int) -> socket.socket:
        listening = socket.socket(family)
        listening.bind((host, port))
        listening.listen()
        threading.Thread(target=self._accept, args=(listening,), daemon=True).start()
        return listening

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                listening.accept()[0].close()
            except OSError:
                return
            self.reached += 1

    def close(self) -> None:
        for listening in self._sockets:
            listening.close()


@contextmanager
def attacked(binary: Path, folder: Path) -> Iterator[tuple[PulledTown, CalendarServer, Listener]]:
    require_strace()
    folder.mkdir()
    calendars, listener = CalendarServer(folder), Listener()
    calendars.forbidden_port = listener.port
    town = PulledTown(binary, folder, calendars)
    town.serve(START)
    try:
        yield town, calendars, listener
    finally:
        town.stop()
        calendars.close()
        listener.close()


def traced(town: PulledTown, prefix: tuple[str, ...] = (), private: bool = True) -> tuple[list[tuple[str, int]], str]:
    """One round under strace: the addresses and ports of its TCP connections, and the whole trace."""
    log = town.folder / "trace"
    log.unlink(missing_ok=True)
    strace = "strace", "-f", "-yy", "-s", "200", "-e", "trace=connect,openat,execve", "-o", str(log)
    town.fetch((*prefix, *strace), private=private)
    return list(connections(text := log.read_text(errors="replace"))), text


def connections(trace: str) -> Iterator[tuple[str, int]]:
    """UDP is left out: a resolver connects such sockets to see which way it would go, and sends nothing."""
    for line in trace.splitlines():
        address = re.search(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"', line)
        if " connect(" in line and "<TCP" in line and address:
            yield address[1] or address[2], int(re.search(r"port=htons\((\d+)\)", line)[1])


def failed(town: PulledTown, row: Row, what: str) -> None:
    """Every calendar of the town has words that say what failed, and none has an event."""
    state = town.export()
    for one in state["calendars"]:
        row.check(bool(one.get("words")) and not one.get("last_good_at"), f"{what}, {one['name']}: it is said", one)
    row.check(not state["events"], f"{what}: no event came", state["events"][:2])


def addresses(binary: Path, folder: Path) -> Row:
    """As addresses of calendars, without leave to fetch on private networks."""
    row = Row("attacks: addresses")
    with attacked(binary, folder) as (town, calendars, listener):
        for number, (name, address) in enumerate(FORBIDDEN.items()):
            words = address.format(port=listener.port), "--name", f"Calendar {number}", "--event-type", "community"
            result = sooke(binary, "calendar", "add", *words, "--data", town.data)
            is_refused = result.returncode != 0
            row.check(is_refused or address.startswith("http"), f"{name}: refused when it is added", result.stdout)
        town.add(len(FORBIDDEN))  # the server of the calendars itself is on a private network
        connected, _ = traced(town, private=False)
        row.check(not connected, "nothing is connected to", connected)
        row.check(listener.reached == 0 and not calendars.asked, "nobody is asked", (listener.reached, calendars.asked))
        failed(town, row, "an address")
    return row


def redirects(binary: Path, folder: Path) -> Row:
    """As targets of a redirect, by a server that may be asked."""
    row = Row("attacks: redirects")
    with attacked(binary, folder) as (town, calendars, listener):
        for number in range(len(FORBIDDEN)):
            town.add(number, path=f"to/{number}")
        connected, _ = traced(town)
        reached = set(connected)
        row.check(reached == {("127.0.0.1", calendars.port)}, "only the first hop is connected to", reached)
        row.check(listener.reached == 0, "nobody else is reached", listener.reached)
        row.check(len(calendars.take_asked()) == len(FORBIDDEN), "each is asked once")
        failed(town, row, "a redirect")
    return row


def rebinding(binary: Path, folder: Path) -> Row:
    """By names: a private address among those of a host is refused, and curl asks no resolver after the check."""
    row = Row("attacks: names")
    try:
        require_root()
    except Skip as reason:
        return Row(row.name, skipped=str(reason))
    with attacked(binary, folder) as (town, calendars, listener):
        hosts = folder / "hosts"
        lines = [f"{address} {name}\n" for name, addresses in HOSTS.items() for address in addresses]
        hosts.write_text("127.0.0.1 localhost\n" + "".join(lines))
        for number, name in enumerate(HOSTS):
            address = f"http://{name}:{listener.port}/a.ics"
            town.command("add", address, "--name", f"Calendar {number}", "--event-type", "community")
        names = "unshare", "-m", "sh", "-c", f'mount --bind {hosts} /etc/hosts && exec "$@"', "sh"
        connected, trace = traced(town, names, private=False)
        # Of the network for documentation: refused, too, or tried in vain.
        row.check({address for address, _ in connected} <= {"203.0.113.7"}, "what is connected to", set(connected))
        curls = {line.split()[0] for line in trace.splitlines() if "execve(" in line and "/curl" in line}
        looked = [line for line in trace.splitlines()
                  if line.split()[0] in curls and re.search(r'"/etc/(hosts|resolv)|htons\(53\)', line)]
        row.check(not looked, "curl does not look names up", looked[:3])
        row.check(listener.reached == 0, "nobody is reached", listener.reached)
    return row


def endless(binary: Path, folder: Path) -> Row:
    """What does not end by itself is ended and said, and the server does not grow by it."""
    row = Row("attacks: what does not end")
    with attacked(binary, folder) as (town, calendars, _):
        for number, path in enumerate((*(path for path in SLOW if path != "hops"), "hops/4")):
            town.add(number, path=path)
        before, began = memory(town.server.pid, "VmHWM"), time.monotonic()
        helper = town.fetch()
        seconds, grown = time.monotonic() - began, memory(town.server.pid, "VmHWM") - before
        row.check(seconds < 25 * len(SLOW) / 2, "in time", f"{seconds:.0f} s")
        row.check(grown < MOST_MEMORY, "the memory of the server", f"{grown >> 20} MiB more")
        row.check(helper.returncode == 0, "the helper ends well", helper.stderr)
        failed(town, row, "what does not end")
        town.add(len(SLOW), path="hops/3")
        town.serve(START + timedelta(hours=7))
        town.fetch()
        good = [one["name"] for one in town.export()["calendars"] if one.get("last_good_at")]
        row.check(good == [f"Calendar {len(SLOW)}"], "three hops are followed", good)
        row.figures = f"{seconds:.0f} s, {grown >> 20} MiB more"
    return row
