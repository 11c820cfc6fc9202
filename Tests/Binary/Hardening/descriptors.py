"""More clients than the process may have descriptors."""

import contextlib
import socket
import time
from pathlib import Path

from base import cpu_seconds, limited, make_town, sockets, wait_for
from checks import Row
from harness import Server, send, sooke

REQUEST = b"GET /api/v1/businesses?per_page=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
CLIENTS = 500
LEAST = 20  # of them are served at once: the others stay outside until one of these leaves
SECONDS, MOST = 3, 0.3  # so long nobody asks anything, and the processor time that it may cost


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """With 64 descriptors and 500 clients: no spinning, those within are served, the disk is written as ever."""
    row = Row(f"descriptors: 64, and {CLIENTS} clients")
    server = make_town(binary, folder / "town", prefix=limited(64))
    quiet = len(sockets(server.pid))
    with contextlib.ExitStack() as stack:
        clients = []
        for _ in range(CLIENTS):
            address = ("127.0.0.1", int(server.url.rsplit(":", 1)[1]))
            client = stack.enter_context(socket.create_connection(address, timeout=5))
            client.setblocking(False)
            clients.append(client)
            with contextlib.suppress(OSError):
                client.send(REQUEST)
        served: set[socket.socket] = set()
        row.check(wait_for(lambda: len(answered(clients, served)) >= LEAST), "those within are served", len(served))
        before = cpu_seconds(server.pid)
        time.sleep(SECONDS)
        cost = cpu_seconds(server.pid) - before
        row.check(cost <= MOST, "it does not spin", f"{cost:.2f} s of processor time in {SECONDS} s")
        for command in ("status", "snapshot"):
            done = sooke(binary, command, "--data", server.data)
            row.check(done.returncode == 0, f"{command} gets through", done.stderr)
    row.check(wait_for(lambda: is_healthy(server)), "it serves again once they have left")
    row.check(wait_for(lambda: len(sockets(server.pid)) == quiet), "no connection is left behind")
    row.check(server.stop() == 0, "it ends as ever", server.said)
    row.figures = f"{len(served)} served at once, {cost:.2f} s of processor time in {SECONDS} s"
    return [row]


def answered(clients: list[socket.socket], served: set[socket.socket]) -> set[socket.socket]:
    """Adds those for whom a good answer stands ready."""
    for client in clients:
        with contextlib.suppress(OSError):
            if client not in served and client.recv(12) == b"HTTP/1.1 200":
                served.add(client)
    return served


def is_healthy(server: Server) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return send(server.url, "/api/v1/health").status == 200
    return False
