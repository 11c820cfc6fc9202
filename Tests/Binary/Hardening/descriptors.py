"""More clients than the process may have descriptors."""

import contextlib
import socket
import time
from pathlib import Path

from base import cpu_seconds, limited, make_town, sockets
from harness import Server, send, sooke
from checks import Row

REQUEST = b"GET /api/v1/businesses?per_page=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
CLIENTS = 500
LEAST = 20  # of them are served at once: the others stay outside until one of these leaves


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """With 64 descriptors and 500 clients: no spinning, those within are served, the disk is written as ever."""
    row = Row(f"descriptors: 64, and {CLIENTS} clients")
    server = make_town(binary, folder / "town", prefix=limited(64))
    clients: list[socket.socket] = []
    try:
        quiet = len(sockets(server.pid))
        port = int(server.url.rsplit(":", 1)[1])
        for _ in range(CLIENTS):
            client = socket.create_connection(("127.0.0.1", port), timeout=5)
            client.setblocking(False)
            clients.append(client)
            with contextlib.suppress(OSError):
                client.send(REQUEST)
        served: set[socket.socket] = set()
        end = time.monotonic() + 10
        while len(served) < LEAST and time.monotonic() < end:
            time.sleep(0.1)
            served |= {client for client in clients if client not in served and answered(client)}
        row.check(len(served) >= LEAST, "those within are served", len(served))
        seconds = 3 if short else 5
        before, began = cpu_seconds(server.pid), time.monotonic()
        time.sleep(seconds)
        cost = (cpu_seconds(server.pid) - before) * 5 / (time.monotonic() - began)
        row.check(cost <= 0.5, "it does not spin", f"{cost:.2f} s of processor time in 5 s")
        status = sooke(binary, "status", "--data", server.data)
        row.check(status.returncode == 0, "administration gets through", status.stderr)
        snapshot = sooke(binary, "snapshot", "--data", server.data)
        row.check(snapshot.returncode == 0, "a snapshot is written", snapshot.stderr)
        row.check(server.status is None, "it goes on", server.said)
    finally:
        for client in clients:
            client.close()
        back = wait_for_room(server)
        row.check(back <= 2, "it serves again once they have left", f"after {back:.1f} s")
        end = time.monotonic() + 2
        while (left := len(sockets(server.pid)) - quiet) and time.monotonic() < end:
            time.sleep(0.05)
        row.check(left == 0, "no connection is left behind", left)
        ended = server.stop()
        row.check(ended == 0, "it ends as ever", ended)
    row.figures = (f"{len(served)} served at once, {cost:.2f} s of processor time in 5 s, "
                   f"served again after {back:.2f} s")
    return [row]


def answered(client: socket.socket) -> bool:
    """Whether a good answer stands ready."""
    with contextlib.suppress(OSError):
        return client.recv(12) == b"HTTP/1.1 200"
    return False


def wait_for_room(server: Server) -> float:
    """The seconds until a new client is served."""
    began = time.monotonic()
    while time.monotonic() - began < 20:
        with contextlib.suppress(OSError, ValueError):
            if send(server.url, "/api/v1/health").status == 200:
                break
        time.sleep(0.02)
    return time.monotonic() - began
