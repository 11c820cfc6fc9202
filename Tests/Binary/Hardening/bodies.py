"""Bodies that nobody wants, or that are too many.

A request is refused by its head, its sender sees the answer although it is still sending, and bodies take no more
memory together than the server allows them, whoever sends them.
"""

import contextlib
import http.client
import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from base import limited, make_token, make_town, memory
from harness import Server, send
from checks import Row

CONNECTIONS = 800
MEBIBYTE = 1 << 20
MOST_MB = 150  # of memory, for any bodies
MOST_LEFT_MB = 48  # more than before, when the connections are closed
SENT = 2_000_000  # bytes of a body that is refused
TIMES = 20
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    raise_limit()
    server = make_town(binary, folder / "town", "--write-limit", "1000000", prefix=limited(16_384))
    try:
        token = {"Authorization": f"Bearer {make_token(binary, server)}"}
        rows = [early_errors(server), expectations(server, token), imports(server, token)]
        for name, headers, path, chunked in [
                ("anonymous", {}, "/api/v1/session", False), ("anonymous, in chunks", {}, "/api/v1/session", True),
                ("with a token", token, "/api/v1/events", False),
                ("with a token, in chunks", token, "/api/v1/events", True)]:
            rows.append(flood(server, name, headers, path, chunked))
        rows[-1].check(server.stop(timeout=60) == 0, "it ends as ever", server.said)
        return rows
    finally:
        server.kill()


def raise_limit() -> None:
    """Lets this process have as many connections as it needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))


def early_errors(server: Server) -> Row:
    """Python's client sends the whole body before it looks for an answer."""
    row = Row("bodies: early errors are seen")
    for path, headers, status in [("/api/v1/session", JSON, 413), ("/api/v1/session", FORM, 415),
                                  ("/api/v1/session", {}, 415), ("/api/v1/events", JSON, 401),
                                  ("/api/v1/admin/import", {}, 401),
                                  ("/api/v1/categories/bars", JSON, 405), ("/api/v1/nothing", JSON, 404)]:
        for _ in range(TIMES):
            seen = post(server, path, headers)
            row.check(seen == status, f"POST {path} with {SENT:,} bytes: {status} was expected", seen)
    seen = post(server, "/api/v1/session", {**JSON, "Host": "evil.example"})
    row.check(seen == 421, "another host's request: 421 was expected", seen)
    return row


def post(server: Server, path: str, headers: dict[str, str]) -> int | str:
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=30)
    try:
        connection.request("POST", path, body=b"x" * SENT, headers=headers)
        return connection.getresponse().status
    except OSError as error:
        return type(error).__name__
    finally:
        connection.close()


def expectations(server: Server, token: dict[str, str]) -> Row:
    """Whoever asks before sending is told at once."""
    row = Row("bodies: Expect")
    for path, headers, length, line in [
            ("/api/v1/events", {}, 1000, "401 Unauthorized"), ("/api/v1/events", token | JSON, 1000, "100 Continue"),
            ("/api/v1/events", token, 1000, "415 Unsupported Media Type"),
            ("/api/v1/events", token | JSON, MEBIBYTE + 1, "413 Content Too Large"),
            ("/api/v1/events", token | FORM, 1000, "415 Unsupported Media Type"),
            ("/api/v1/admin/import", {}, 1 << 30, "401 Unauthorized"),
            ("/api/v1/nothing", token, 1000, "404 Not Found"), ("/api/v1/health", token, 1000, "405 Method Not Allowed")]:
        with connect(server) as connection:
            connection.sendall(head(path, headers | {"Expect": "100-continue", "Content-Length": str(length)}))
            answer = connection.recv(4096).decode().split("\r\n")[0]
        row.check(answer == f"HTTP/1.1 {line}", f"POST {path} with {length:,} bytes: {line} was expected", answer)
    return row


def imports(server: Server, token: dict[str, str]) -> Row:
    """One import at a time, from the instant when its file is announced."""
    row = Row("bodies: one import at a time")
    with connect(server) as connection:
        fields = {"Expect": "100-continue", "Content-Length": str(100 * MEBIBYTE)}
        connection.sendall(head("/api/v1/admin/import", token | fields))
        row.check(connection.recv(4096).startswith(b"HTTP/1.1 100 "), "the first is let in")
        for body in (b"{}", b"x" * 100_000):
            answer = row.answered(send(server.url, "/api/v1/admin/import", "POST", token, body), 503, "the second")
            row.check(answer.headers["Retry-After"] is not None, "it is told when to try again", answer)
    until(row, lambda: send(server.url, "/api/v1/admin/import", "POST", token, b"{}").status != 503,
          "when the first has gone, the next is let in")
    return row


def flood(server: Server, name: str, headers: dict[str, str], path: str, chunked: bool) -> Row:
    """Connections that each send a mebibyte, its last byte aside."""
    row = Row(f"bodies: {CONNECTIONS} connections, {name}")
    before, most = memory(server.pid, "VmRSS"), 0
    framing = {"Transfer-Encoding": "chunked"} if chunked else {"Content-Length": str(MEBIBYTE)}
    start = head(path, headers | JSON | framing) + (b"%x\r\n" % MEBIBYTE if chunked else b"")
    piece = b"x" * (MEBIBYTE - 1)
    with contextlib.ExitStack() as stack:
        connections = []
        for _ in range(CONNECTIONS):
            connection = stack.enter_context(connect(server))
            with contextlib.suppress(OSError):  # it was refused, and has sent too much since
                connection.sendall(start)
                connection.sendall(piece)
            connections.append(connection)
            if len(connections) % 50 == 0:
                most = max(most, memory(server.pid, "VmRSS"))
                row.answered(send(server.url, "/api/v1/businesses?per_page=10"), 200, "ordinary clients are served")
        most = max(most, memory(server.pid, "VmRSS"))
        row.check(most <= MOST_MB, f"the server takes at most {MOST_MB} MB", f"{most} MB")
    until(row, lambda: memory(server.pid, "VmRSS") <= before + MOST_LEFT_MB,
          f"at most {MOST_LEFT_MB} MB are left when they are closed", lambda: f"{memory(server.pid, 'VmRSS')} MB")
    row.figures = f"{before} MB before, {most} MB at most, {memory(server.pid, 'VmRSS')} MB after"
    return row


@contextlib.contextmanager
def connect(server: Server) -> Iterator[socket.socket]:
    host, port = server.url.removeprefix("http://").rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        yield connection


def head(path: str, headers: dict[str, str]) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def until(row: Row, holds, what: str, detail=lambda: "") -> None:
    """Checks what must be so soon."""
    end = time.monotonic() + 30
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.2)
    row.check(held, what, detail())
