"""A long import, watched on a terminal: its phases, the longest time without a change, and an interruption."""

import os
import pty
import re
import select
import signal
import time
from pathlib import Path
from typing import NamedTuple

PHASE = re.compile(rb"(reading|sending|checking|writing)(?: |:)")


class Watched(NamedTuple):
    """What a terminal showed of a command."""

    text: str
    phases: set[str]
    longest_gap: float  # seconds without a change
    seconds: float
    status: int  # negative for a signal


def table(file: Path, rows: int) -> None:
    """Writes a table of businesses."""
    with file.open("w") as output:
        output.write("name,slug,category,address,latitude,longitude,phone,website,description,monday,tuesday,friday\n")
        for number in range(rows):
            output.write(f"Shop number {number},shop-{number},Shops,{number} Some St,{48 + number % 9999 / 9e5:.5f},"
                         f"{-123 - number % 997 / 9e4:.5f},250-555-{number % 10000:04},www.shop{number}.example,"
                         f"\"A shop, with things\",9-5,9-5,09:00-21:00\n")


def watch(command: list[str], interrupt_in: str | None = None) -> Watched:
    """Runs a command on a terminal of its own; an interrupt (^C) is sent when it shows a phase."""
    began = time.monotonic()
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        os.execv(command[0], command)
    text, last, longest, isSent = b"", began, 0.0, False
    while True:
        select.select([terminal], [], [])
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            break
        now = time.monotonic()
        longest, last = max(longest, now - last), now
        text += piece
        if interrupt_in and not isSent and interrupt_in.encode() in text:
            os.kill(process, signal.SIGINT)
            isSent = True
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    phases = {found.decode() for found in PHASE.findall(text)}
    return Watched(text.decode(errors="replace"), phases, longest, time.monotonic() - began, status)
