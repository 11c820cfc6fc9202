"""A clock that was ahead once, and one at the end of the years that can be written."""

import json
import re
import shutil
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from checks import Row
from harness import Server, send, sooke
from rig import CATEGORIES, Ledger


PASSWORD = "a long walk to Whiffin Spit"
USAGE = 64


def moment(days: float) -> str:
    """A time some days from now."""
    return f"{datetime.now(timezone.utc) + timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    return [ahead(binary, folder), revived(binary, folder), calendar(binary, folder)]


def ahead(binary: Path, folder: Path) -> Row:
    """One change while the clock is ten years ahead: what is made afterwards has the time of the clock again."""
    row = Row("a clock that was ahead once")
    data, made = folder / "ahead", folder / "made"
    token, future = begin(binary, data, moment(-3)), moment(3650)
    serve(binary, data, future, "while-ahead")
    server = Server(binary, data, "--now", moment(-2)).ready()
    Ledger("afterwards").send(server)
    session = log_in(server)
    row.case("a session afterwards", [], [] if status(server, session) == 200 else ["it is not valid"])
    row.case("a session of before", [], [] if status(server, token) == 401 else ["it is valid: it had expired"])
    changed = server.ask("GET", "/api/v1/admin/status").json()["changed_at"]
    row.case("the time of the last change", [], [] if changed < moment(0) else [f"is {changed}"])
    history = server.ask("GET", "/api/v1/history?of=businesses/afterwards-0-0").body.decode()
    times = re.findall(r'"at":"([^"]+)"', history) or [history]
    row.case("the time in a history", [], [] if times and max(times) < moment(0) else [f"is {times}"])
    text = server.ask("GET", "/api/v1/admin/export?format=json").body.decode()
    server.stop()
    serve(binary, data, moment(-0.5), "later")
    for years in (4, 9.99):
        server = Server(binary, data, "--now", moment(365 * years)).ready()
        row.case(f"a session after {years} years", [], [] if status(server, session) == 401 else ["it is valid"])
        server.stop()
    # The time is after the glitch: the town has what was made then, and what was made while the clock was ahead.
    result = sooke(binary, "restore", "--at", moment(-1), "--data", data, "--to", made)
    wrong = [] if result.returncode == 0 else [f"restore left with {result.returncode}: {result.stderr}"]
    if not wrong and sooke(binary, "export", "--data", made).stdout != text:
        wrong.append("restore --at gives another town, and says that all is well")
    row.case("a time after it", [], wrong)
    shutil.rmtree(made, ignore_errors=True)
    # Nobody can say whether the change of the wrong clock was made before this time.
    result = sooke(binary, "restore", "--at", moment(-2.5), "--data", data, "--to", made)
    row.case("a time of which nothing is certain", [], [] if result.returncode == 66 and "clock" in result.stderr else
             [f"restore left with {result.returncode}: {result.stderr}"])
    return row


def revived(binary: Path, folder: Path) -> Row:
    """A session that has expired stays so when the clock is set back, also if nobody used it."""
    row = Row("a clock that is set back: what had expired")
    for is_used in (True, False):
        data = folder / f"revived-{is_used}"
        token = begin(binary, data, moment(-3))
        server = Server(binary, data, "--now", moment(-2)).ready()
        found = status(server, token) if is_used else 401
        Ledger("later").send(server)
        server.stop()
        server = Server(binary, data, "--now", moment(-3)).ready()
        again = [status(server, token) for _ in range(2)]
        name = f"a session that was {'used' if is_used else 'not used'} after its end"
        row.case(name, [], [] if [found, *again] == [401] * 3 else [f"is {found}, then {again}"])
        server.stop()
    return row


def calendar(binary: Path, folder: Path) -> Row:
    """A clock that would run past the year 9999 is refused; at its end, all that is written can be read."""
    row = Row("a clock at the end of the year 9999")
    for options in (["--now", "9999-12-31T23:59:58Z", "--now-ticks"], ["--now", "9999-12-31T23:59:59.999999Z"]):
        data = folder / f"calendar-{len(options)}"
        wrong: list[str] = []
        server = Server(binary, data, *options)
        outcome = server.outcome()
        if outcome is None:
            time.sleep(3 if "--now-ticks" in options else 0)
            answer = server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
            wrong += [] if answer.status == 200 else [f"an import got {answer.status}"]
            server.kill()
            server = Server(binary, data)
            wrong += [] if server.outcome() is None else [f"the next start ended with {server.status}: {server.said}"]
            server.kill()
            found = sooke(binary, "verify", "--data", data)
            wrong += [] if found.returncode == 0 else [f"verify left with {found.returncode}: {found.stderr}"]
        elif outcome != USAGE or "9999" not in server.said:
            wrong.append(f"it ended with {outcome}: {server.said}")
        row.case(" ".join(options), [], wrong)
    return row


def begin(binary: Path, data: Path, now: str) -> str:
    """A town with an administrator; the token of a session."""
    server = Server(binary, data, "--now", now).ready()
    try:
        server.ask("POST", "/api/v1/admin/import?format=json", CATEGORIES)
        Ledger("begin").send(server)
        person = {"email": "ada@town.example", "role": "super_admin"}
        made = server.ask("POST", "/api/v1/users", json.dumps(person).encode()).json()
        server.ask("POST", f"/api/v1/users/{made['id']}/password", json.dumps({"new_password": PASSWORD}).encode())
        return log_in(server)
    finally:
        server.stop()


def log_in(server: Server) -> str:
    body = json.dumps({"email": "ada@town.example", "password": PASSWORD}).encode()
    return server.ask("POST", "/api/v1/session", body).json()["token"]


def status(server: Server, token: str) -> int:
    """What a request with the token of a session gets."""
    return send(server.url, "/api/v1/me", "GET", {"Authorization": f"Bearer {token}"}, b"").status


def serve(binary: Path, data: Path, now: str, name: str) -> None:
    """A server with a clock that changes something and stops."""
    server = Server(binary, data, "--now", now).ready()
    Ledger(name).send(server)
    server.stop()
