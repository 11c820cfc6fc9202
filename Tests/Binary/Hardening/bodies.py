"""Bodies that nobody wants, or that are too many.

A request is refused by its head, its sender sees the answer although it is still sending, and bodies take no more
memory together than the server allows them, whoever sends them.
"""

import contextlib
import http.client
import socket
from pathlib import Path

from base import make_token, make_town, memory, raise_limit, wait_for
from checks import Row
from harness import Server, send

CONNECTIONS = 800
MEBIBYTE = 1 << 20
MOST_MIB = 150  # of memory, for any bodies
MOST_LEFT_MIB = 48  # more than before, when the connections are closed
SENT = 2_000_000  # bytes of a body that is refused
JSON, FORM = {"Content-Type": "application/json"}, {"Content-Type": "application/x-www-form-urlencoded"}
EARLY = [("session", JSON, 413), ("session", FORM, 415), ("session", {}, 415), ("events", JSON, 401),
         ("admin/import", {}, 401), ("categories/bars", JSON, 405), ("nothing", JSON, 404),
         ("session", {**JSON, "Host": "evil.example"}, 421)]


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    raise_limit()
    server = make_town(binary, folder / "town", "--write-limit", "1000000")
    token = {"Authorization": f"Bearer {make_token(binary, server)}"}
    rows = [early_errors(server, 10 if short else 20)]
    for name, headers, path, chunked in [
            ("anonymous", {}, "session", False), ("anonymous, in chunks", {}, "session", True),
            ("with a token", token, "events", False), ("with a token, in chunks", token, "events", True)]:
        if not short or chunked == bool(headers):
            rows.append(flood(server, name, headers, path, chunked))
    rows[-1].check(server.stop(timeout=60) == 0, "it ends as ever", server.said)
    return rows


def early_errors(server: Server, times: int) -> Row:
    """Python's client sends the whole body before it looks for an answer."""
    row = Row("bodies: early errors are seen")
    for path, headers, status in EARLY * times:
        connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=30)
        try:
            connection.request("POST", f"/api/v1/{path}", body=b"x" * SENT, headers=headers)
            seen: int | str = connection.getresponse().status
        except OSError as error:
            seen = type(error).__name__
        connection.close()
        row.check(seen == status, f"POST {path} with {SENT:,} bytes: {status} was expected", seen)
    return row


def flood(server: Server, name: str, headers: dict[str, str], path: str, chunked: bool) -> Row:
    """Connections that each send a mebibyte, its last byte aside."""
    row = Row(f"bodies: {CONNECTIONS} connections, {name}")
    before, most = memory(server.pid), 0
    fields = headers | JSON | ({"Transfer-Encoding": "chunked"} if chunked else {"Content-Length": str(MEBIBYTE)})
    lines = [f"POST /api/v1/{path} HTTP/1.1", "Host: localhost", *(f"{key}: {value}" for key, value in fields.items())]
    start = "\r\n".join([*lines, "", ""]).encode() + (b"%x\r\n" % MEBIBYTE if chunked else b"")
    piece = b"x" * (MEBIBYTE - 1)
    with contextlib.ExitStack() as stack:
        for number in range(CONNECTIONS):
            address = ("127.0.0.1", int(server.url.rsplit(":", 1)[1]))
            connection = stack.enter_context(socket.create_connection(address, timeout=30))
            with contextlib.suppress(OSError):  # it was refused, and has sent too much since
                connection.sendall(start)
                connection.sendall(piece)
            if number % 50 == 49:
                most = max(most, memory(server.pid))
                row.answered(send(server.url, "/api/v1/businesses?per_page=10"), 200, "ordinary clients are served")
        row.check(most <= MOST_MIB, f"the server takes at most {MOST_MIB} MiB", f"{most} MiB")
    row.check(wait_for(lambda: memory(server.pid) <= before + MOST_LEFT_MIB),
              f"at most {MOST_LEFT_MIB} MiB are left when they are closed", f"{memory(server.pid)} MiB")
    row.figures = f"{before} MiB before, {most} MiB at most, {memory(server.pid)} MiB after"
    return row
