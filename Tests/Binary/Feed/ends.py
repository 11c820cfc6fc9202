"""Clients that leave in any way count no more at once; a server that stops ends streams as complete responses."""

import socket
import struct
from pathlib import Path

from checks import Row
from follower import open_stream, until
from town import good, peopled


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    row = Row("how streams end")
    town, _ = peopled(binary, folder / "data")

    def subscribers() -> int:
        return good(town.local("GET", "/admin/status")).json()["feed"]["subscribers"]

    for way in ["is reset", "is closed", "closes its side"]:
        stream = open_stream(town.port)
        row.check(until(lambda: subscribers() == 1, 5), "it is counted", subscribers())
        if way == "closes its side":
            stream.fp.raw._sock.shutdown(socket.SHUT_WR)
            stream.read()  # an error if it does not end as a complete response
        elif way == "is reset":
            stream.fp.raw._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        stream.close()
        row.check(until(lambda: subscribers() == 0, 5), f"a stream that {way} counts no more", subscribers())
    streams = [open_stream(town.port) for _ in range(20)]
    row.check(town.stop() == 0, "the server ends as ever")
    row.check(all(stream.read().endswith(b"\n") for stream in streams), "streams end as complete responses")
    return [row]
