"""What clients cost that stay connected, and how soon a change is with all of them."""

import json
import resource
import select
import socket
import time
import urllib.parse
from collections.abc import Iterator

from bench import Bench
from checks import Skip
from harness import Server, memory
from reading import LIST
from results import Bound, Result, single

IDLE, COMMITS = 10_000, 40
SUBSCRIBERS = {2_000: Bound(50, 20, at_most=True), 8_000: Bound(500, 150, at_most=True)}  # ms


def connected(server: Server, path: str, accept: str = "*/*") -> socket.socket:
    """A new connection that has had the start of one good answer."""
    address = urllib.parse.urlsplit(server.url)
    connection = socket.create_connection((address.hostname, address.port), timeout=10)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n\r\n".encode())
    if not (head := connection.recv(4096)).startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(f"a client was refused: {head[:100]!r}")
    return connection


def followed(server: Server) -> socket.socket:
    return connected(server, "/api/v1/changes?since=now", "text/event-stream")


def open_files(needed: int) -> int:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < needed:
        raise Skip(f"a process may open only {most} files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


def idle(bench: Bench) -> Iterator[Result]:
    """Connections that are kept open after a request each; a server that is nearly full would let them go sooner."""
    most = open_files(IDLE + 200)
    with bench.serve(bench.scratch / "idle", "--max-connections", str(min(2 * IDLE, most - 200))) as server:
        connected(server, "/api/v1/health").close()
        before = memory(server.pid, "VmRSS")
        connections = [connected(server, "/api/v1/health") for _ in range(IDLE)]
        each = (memory(server.pid, "VmRSS") - before) / IDLE / 1024
        for connection in connections:
            connection.close()
    yield single(f"memory of an idle connection, of {IDLE:,}", Bound(8, 2, at_most=True), "KiB", [each])


def subscribers(bench: Bench) -> Iterator[Result]:
    """From a change until all have it, and what one of them costs."""
    data = bench.copy("feed", 1000)
    token = bench.token(data)
    for count, bound in SUBSCRIBERS.items():
        open_files(2 * count + 200)
        bench.tell(f"{count:,} subscribers")
        with bench.serve(data, "--max-connections", str(2 * count + 100), "--write-limit", "1000000") as server:
            followed(server).close()
            before = memory(server.pid, "VmRSS")
            everybody = [followed(server) for _ in range(count)]
            each = (memory(server.pid, "VmRSS") - before) / count / 1024
            poll, by_number = select.epoll(), {connection.fileno(): connection for connection in everybody}
            for connection in everybody:
                connection.setblocking(False)
                poll.register(connection, select.EPOLLIN)
            writer = connected(server, "/api/v1/health")
            times = sorted(took for _ in range(COMMITS) for took in spread(poll, by_number, writer, token))
            for connection in [*everybody, writer]:
                connection.close()
        p99 = times[len(times) * 99 // 100]
        yield single(f"from a change to all of {count:,} subscribers, p99", bound, "ms", [p99])
        yield single(f"memory of a subscriber, of {count:,}", Bound(4, 2, at_most=True), "KiB", [each])


def spread(poll: select.epoll, everybody: dict[int, socket.socket], writer: socket.socket, token: str) -> list[float]:
    """Makes a change; the milliseconds from its being sent until each has it, read by one thread."""
    while ready := poll.poll(0.02):
        for number, _ in ready:
            everybody[number].recv(1 << 16)
    body = json.dumps({"phone": f"250-{time.monotonic_ns()}"[:40]})
    waiting, times, began = set(everybody), [], time.monotonic()
    writer.sendall(f"PATCH {LIST}/town-1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
                   "If-Match: *\r\nContent-Type: application/json\r\n"
                   f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
    while waiting:
        if not (ready := poll.poll(10)):
            raise RuntimeError(f"{len(waiting)} subscribers did not get a change within 10 s")
        for number, _ in ready:
            if b"\ndata:" in everybody[number].recv(1 << 16):
                waiting.discard(number)
                times.append((time.monotonic() - began) * 1000)
    if not (answer := writer.recv(1 << 16)).startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(f"a change was refused: {answer[:200]!r}")
    return times
