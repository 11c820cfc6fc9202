"""What the checks of this folder share: rows for the closing table, and a town with people in it."""

import http.client
import json
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from checks import Skip, shown
from harness import Answer, LocalConnection, Server

ADMIN, OWNER, RESIDENT = "ada@town.example", "dan@slacktide.example", "rosa@town.example"
PASSWORDS = {ADMIN: "a long walk to Whiffin Spit", OWNER: "kelp and driftwood, 5 a.m.",
             RESIDENT: "Zwölf Möwen über der Bucht"}
ROLES = {OWNER: "business_owner", RESIDENT: "general_user"}


class Town:
    """A data folder, and the server on it while one runs."""

    _all: ClassVar[list["Town"]] = []

    def __init__(self, binary: Path, data: Path) -> None:
        self.binary, self.data = binary, data
        self._server: Server | None = None
        self._all.append(self)

    @classmethod
    def stop_all(cls) -> None:
        """Ends what is left when a check is interrupted."""
        for town in cls._all:
            if town._server:
                town._server.kill()
        cls._all.clear()

    @property
    def server(self) -> Server:
        """The server that runs."""
        if self._server is None:
            raise RuntimeError("no server runs")
        return self._server

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def start(self, *options: str) -> "Town":
        """Serves the folder; options are those of `sooke serve`."""
        self._server = Server(self.binary, self.data, *options).ready()
        return self

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int | None:
        """Ends the server; its exit status."""
        server, self._server = self.server, None
        return server.stop(how)

    def restart(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends the server and starts it again; raises RuntimeError when it does not end as it must."""
        status = self.stop(how)
        if status != (0 if how == signal.SIGTERM else -how):
            raise RuntimeError(f"the server ended with {status} on {how.name}")
        self.start()

    def setup_token(self, timeout: float = 5) -> str | None:
        """The token in the note that `sooke serve` prints where nobody has an account; None when there is no note."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if found := re.search(r"sooke_set_[A-Za-z0-9_-]{43}", self.server.said):
                return found[0]
            time.sleep(0.01)
        return None

    # Requests

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None,
            headers: dict[str, str] | None = None, source: str = "127.0.0.1", timeout: float = 30) -> Answer:
        """One request over TCP on a connection of its own; `body` is sent as JSON, `path` goes under /api/v1."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=(source, 0))
        return exchange(connection, method, path, body, token, headers)

    def local(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        """One request over the socket in the data folder."""
        return exchange(LocalConnection(self.data / "admin.sock"), method, path, body, None, headers)

    def log_in(self, email: str, password: str | None = None, **options: Any) -> Answer:
        """Tries to log in, with the right password when none is given."""
        body = {"email": email, "password": PASSWORDS[email] if password is None else password}
        return self.ask("POST", "/session", body, **options)

    def session(self, email: str) -> str:
        """The token of a new session."""
        return good(self.log_in(email), 201).json()["token"]

    def pages(self, path: str, token: str | None = None) -> Iterator[dict[str, Any]]:
        """Every element of a list."""
        page, pages = 1, 1
        while page <= pages:
            separator = "&" if "?" in path else "?"
            answer = good(self.ask("GET", f"{path}{separator}per_page=100&page={page}", token=token)).json()
            yield from answer["items"]
            page, pages = page + 1, answer["pagination"]["total_pages"]

    # Commands and files

    def sooke(self, *arguments: str | Path, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        """Runs a command of the binary on the folder to its end."""
        return subprocess.run([str(self.binary), *map(str, arguments), "--data", str(self.data)], text=True,
                              errors="replace", input=stdin or "", capture_output=True, timeout=120)

    def export(self) -> dict[str, Any]:
        """The whole town as an export has it."""
        result = self.sooke("export")
        if result.returncode:
            raise RuntimeError(f"export left with {result.returncode}: {result.stderr}")
        return json.loads(result.stdout)

    def commits(self) -> list[dict[str, Any]]:
        """What the log says, in order; a line is `crc8 {json}`, and not every one is a commit."""
        lines = (line.partition(" ")[2] for path in sorted(self.data.glob("wal-*.log"))
                 for line in path.read_text(errors="replace").splitlines())
        return [commit for commit in (json.loads(line) for line in lines if line.startswith("{"))
                if "changes" in commit]


def exchange(connection: http.client.HTTPConnection, method: str, path: str, body: Any = None,
             token: str | None = None, headers: dict[str, str] | None = None, close: bool = True) -> Answer:
    """One request and its answer; raises OSError or HTTPException when there is none."""
    fields = dict(headers or {})
    content = b""
    if body is not None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        fields.setdefault("Content-Type", "application/json")
    if token:
        fields["Authorization"] = f"Bearer {token}"
    target = path if path.startswith("/metrics") else "/api/v1" + path
    try:
        connection.request(method, target, content, fields)
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        if close:
            connection.close()


def good(answer: Answer, status: int = 200) -> Answer:
    """The answer; raises RuntimeError when its status is another, since nothing can follow."""
    if answer.status != status:
        raise RuntimeError(f"{status} was expected, not {shown(answer)}")
    return answer


def peopled(binary: Path, data: Path, *options: str) -> tuple[Town, dict[str, str]]:
    """A town that runs, as a new owner makes it: by the setup note and by invitations; and everybody's session.

    It has a category, an event type, and the business `slack-tide` that OWNER owns.
    """
    town = Town(binary, data).start(*options)
    token = town.setup_token()
    body = {"token": token, "email": ADMIN, "password": PASSWORDS[ADMIN], "display_name": "Ada"}
    sessions = {ADMIN: good(town.ask("POST", "/setup", body), 201).json()["token"]}
    for email, role in ROLES.items():
        invitation = good(town.ask("POST", "/invitations", {"email": email, "role": role}, sessions[ADMIN]), 201)
        body = {"token": invitation.json()["token"], "password": PASSWORDS[email]}
        sessions[email] = good(town.ask("POST", "/invitations/accept", body), 201).json()["token"]
    furnish(town, sessions)
    return town, sessions


def furnish(town: Town, sessions: dict[str, str]) -> None:
    """Gives a town what events and businesses need."""
    admin = sessions[ADMIN]
    good(town.ask("POST", "/categories", {"name": "Restaurants"}, admin), 201)
    good(town.ask("POST", "/event-types", {"name": "Live Music"}, admin), 201)
    owner = good(town.ask("GET", "/me", token=sessions[OWNER])).json()["id"]
    good(town.ask("POST", "/businesses", business("Slack Tide", owner_id=owner), admin), 201)


def business(name: str, **fields: Any) -> dict[str, Any]:
    """The body that adds a business."""
    return {"name": name, "category": "restaurants", "address": "6742 West Coast Rd", "latitude": 48.37,
            "longitude": -123.72, **fields}


def event(name: str, **fields: Any) -> dict[str, Any]:
    """The body that submits an event."""
    return {"name": name, "event_type": "live-music", "starts_at": "2035-06-01T19:00:00-07:00", **fields}


def mount_tmpfs(folder: Path, size: int) -> None:
    """Mounts a small disk on a folder; raises Skip where that is not allowed."""
    folder.mkdir(exist_ok=True)
    if not shutil.which("mount"):
        raise Skip("there is no mount command")
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        raise Skip(f"no disk can be mounted: {result.stderr.strip()}")


def raw(port: int, source: str, request: bytes, timeout: float = 30) -> bytes:
    """Sends bytes and reads until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout, source_address=(source, 0)) as connection:
        connection.sendall(request)
        parts = []
        while part := connection.recv(65_536):
            parts.append(part)
        return b"".join(parts)
