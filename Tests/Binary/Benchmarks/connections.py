"""What a connection costs that is kept open and asks for nothing."""

import resource
import signal
import socket
import urllib.parse

from bench import Bench
from results import Bound, Result, Side
from checks import Skip
from harness import Server
from scale import resident

IDLE = Bound(8, 2, at_most=True)  # KiB a connection
IDLE_CONNECTIONS = 10_000


def idle(bench: Bench) -> list[Result]:
    """Connections that are kept open after a request each."""
    if "--max-connections" not in bench.options:
        raise Skip("the server has no option --max-connections")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < IDLE_CONNECTIONS + 200:
        raise Skip(f"a process may open only {most} files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # More than are used: a server that is nearly full lets idle ones go sooner.
    limit = min(most - 100, 2 * IDLE_CONNECTIONS)
    server = Server(bench.binary, bench.scratch / "idle", "--max-connections", str(limit))
    connections: list[socket.socket] = []
    try:
        server.ready()
        opened(server.url).close()
        before = resident(server)
        for number in range(IDLE_CONNECTIONS):
            connections.append(opened(server.url))
            if number % 500 == 0:
                bench.tell(f"{number:,} connections")
        after = resident(server)
        for connection in connections[::100]:
            ask(connection)  # they are still there
    finally:
        for connection in connections:
            connection.close()
        server.stop(signal.SIGKILL)
    each = Side("sooke", "KiB", [(after - before) / IDLE_CONNECTIONS / 1024])
    return [Result(f"memory of an idle connection, of {IDLE_CONNECTIONS:,}", IDLE, each.median, "KiB", [each],
                   "without the kernel's part")]


def opened(url: str) -> socket.socket:
    """A new connection that has had one answer."""
    address = urllib.parse.urlsplit(url)
    connection = socket.create_connection((address.hostname, address.port), timeout=10)
    ask(connection)
    return connection


def ask(connection: socket.socket) -> None:
    connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    if not connection.recv(65536).startswith(b"HTTP/1.1 200 "):
        raise RuntimeError("an idle connection was not answered")
