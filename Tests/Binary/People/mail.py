"""E-mail through a local program: one that works, one that fails, and one that never ends."""

import os
import signal
import time
from pathlib import Path

from checks import Row
from harness import Answer
from town import ADMIN, PASSWORDS, Town, good, peopled

PATIENCE = 20  # seconds for what would wait 60 behind a program that never ends


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """The three programs, each with a town of its own."""
    return [works(binary, folder), fails(binary, folder), hangs(binary, folder)]


def program(folder: Path, name: str, script: str) -> Path:
    """A program for `--sendmail` that runs a shell script."""
    path = folder / name
    path.write_text(f"#!/bin/sh\ncd {folder}\n{script}\n")
    path.chmod(0o755)
    return path


def invite(town: Town, session: str, number: int) -> Answer:
    """An invitation of one more person."""
    return town.ask("POST", "/invitations", {"email": f"guest{number}@town.example", "role": "general_user"}, session,
                    timeout=PATIENCE)


def eventually(holds: object, timeout: float = PATIENCE) -> bool:
    """Whether something comes true; `holds` is called until it does."""
    end = time.monotonic() + timeout
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def works(binary: Path, folder: Path) -> Row:
    """The message is handed over whole, to a program with no signal blocked."""
    row = Row("sendmail that works")
    script = "grep -E '^Sig(Blk|Ign)' /proc/self/status > signals; echo \"$@\" > words; cat > new; mv new message"
    town, sessions = peopled(binary, folder / "works", "--sendmail", str(program(folder, "works.sh", script)))
    (folder / "message").unlink(missing_ok=True)
    link = invite(town, sessions[ADMIN], 1).json()["link"]
    row.check(eventually(lambda: (folder / "message").exists() and link in (folder / "message").read_text()),
              "the message has the link", link)
    row.check((folder / "message").read_text().startswith("To: guest1@town.example\n"), "and the address")
    row.check((folder / "words").read_text() == "-t -i\n", "the program is run as sendmail is")
    sets = [int(line.split()[1], 16) & 0x7FFF_FFFF for line in (folder / "signals").read_text().splitlines()]
    row.check(sets == [0, 0], "it starts with no signal blocked or ignored", sets)
    town.stop()
    return row


def fails(binary: Path, folder: Path) -> Row:
    """The invitation stands, and the operator reads why no message was sent."""
    row = Row("sendmail that fails")
    town, sessions = peopled(binary, folder / "fails", "--sendmail", str(program(folder, "fails.sh", "exit 75")))
    row.answered(invite(town, sessions[ADMIN], 1), 201, "an invitation")
    said = "sooke: no e-mail was sent to guest1@town.example: "
    row.check(eventually(lambda: said in town.server.said and "exit code 75" in town.server.said),
              "the server says why", town.server.said)
    town.stop()
    return row


def hangs(binary: Path, folder: Path) -> Row:
    """A program that never ends stops nothing else: logins, status, exports, further invitations, the end."""
    row = Row("sendmail that never ends")
    path = program(folder, "hangs.sh", "echo $$ >> children; exec sleep 600")
    children = folder / "children"
    try:
        town, sessions = peopled(binary, folder / "hangs", "--sendmail", str(path))
        for number in range(8):
            row.answered(invite(town, sessions[ADMIN], number), 201, f"invitation {number + 1}")
        row.check(eventually(children.exists), "the program runs")
        for what, ask in {
                "a login": lambda: good(town.log_in(ADMIN, PASSWORDS[ADMIN], timeout=PATIENCE), 201),
                "the status": lambda: good(town.ask("GET", "/admin/status", token=sessions[ADMIN], timeout=PATIENCE)),
                "an export": lambda: good(town.ask("GET", "/admin/export", token=sessions[ADMIN], timeout=PATIENCE)),
        }.items():
            try:
                ask()
                row.check(True, what)
            except (OSError, RuntimeError) as error:
                row.check(False, f"{what} is answered", repr(error))
        row.check(town.stop() == 0, "the server stops")
    finally:
        for number in children.read_text().split() if children.exists() else []:
            try:
                os.kill(int(number), signal.SIGKILL)
            except ProcessLookupError:
                pass
    return row
