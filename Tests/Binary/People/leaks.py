"""Secrets: what was typed and what was shown once is nowhere on disk, in no log, and in nothing that goes out."""

import base64
import http.client
import json
import re
import signal
import subprocess
import urllib.parse
from pathlib import Path
from typing import Any

from checks import Row
from town import ADMIN, OWNER, PASSWORDS, RESIDENT, ROLES, Town, business, event, exchange, good, raw
from harness import Answer, LocalConnection

PLANTED = [*PASSWORDS.values(), "Rosa's new one – with a dash", "set by the owner, on the machine",
           "wrong password, typed in haste", "sent where nobody reads it 1", "never valid: {\"quoted\" \\ secret}"]
TOKEN = re.compile(rb"sooke_(?:ses|api|set|inv|rst)_[A-Za-z0-9_-]{43}")


class Watched(Town):
    """A town that remembers what its server prints, and every token that was shown."""

    def __init__(self, binary: Path, data: Path) -> None:
        super().__init__(binary, data)
        self.prints: list[bytes] = []  # of each run of the server
        self.caught: set[str] = set()  # every token that was shown to a client
        self.answers: list[tuple[str, bytes]] = []  # what went out where no secret may be

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int | None:
        server, status = self.server, super().stop(how)
        _ = server.said  # waits until all is read
        self.prints.append(server.printed.encode())
        return status

    def setup_token(self, timeout: float = 5) -> str | None:
        if token := super().setup_token(timeout):
            self.caught.add(token)
        return token

    def ask(self, *arguments: Any, **options: Any) -> Answer:
        return self._catch(super().ask(*arguments, **options))

    def local(self, *arguments: Any, **options: Any) -> Answer:
        return self._catch(super().local(*arguments, **options))

    def sooke(self, *arguments: str | Path, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        result = super().sooke(*arguments, stdin=stdin)
        self.caught |= {found.decode() for found in TOKEN.findall(result.stdout.encode())}
        return result

    def _catch(self, answer: Answer) -> Answer:
        self.caught |= {found.decode() for found in TOKEN.findall(answer.body)}
        return answer

    def look(self, name: str, answer: Answer) -> None:
        """Keeps an answer in which no secret may be."""
        self.answers.append((name, str(answer.headers).encode() + answer.body))


def forms(secret: str) -> set[bytes]:
    """All the ways in which a secret may stand in a file: as it is, escaped, in hexadecimal and in base64."""
    given: list[bytes] = [secret.encode()]
    if found := re.fullmatch(r"sooke_[a-z]+_(.{43})", secret):
        given += [found[1].encode(), base64.urlsafe_b64decode(found[1] + "=")]
    result = {json.dumps(secret, ensure_ascii=ascii).encode()[1:-1] for ascii in (True, False)}
    result |= {urllib.parse.quote(secret).encode(), urllib.parse.quote_plus(secret).encode()}
    for content in given:
        result |= {content, content.hex().encode(), content.hex().upper().encode()}
        for offset in range(3):  # at whichever place of a longer text it stood
            coded = base64.b64encode(bytes(offset) + content)[(0, 2, 3)[offset]:].rstrip(b"=")[:-1]
            result |= {coded, coded.translate(bytes.maketrans(b"+/", b"-_"))}
    return result


def live(row: Row, town: Watched) -> dict[str, str]:
    """All that people do with secrets, well and badly."""
    setup = town.setup_token()
    row.check(setup is not None, "there is a setup note")
    account = {"token": setup, "email": ADMIN, "password": PASSWORDS[ADMIN]}
    town.ask("POST", "/setup", {**account, "password": PLANTED[6], "email": "no address"})
    admin = good(town.ask("POST", "/setup", account), 201).json()["token"]
    sessions = {ADMIN: admin}
    key = {"Idempotency-Key": "once"}
    for email, role in ROLES.items():
        body = {"email": email, "role": role}
        link = good(town.ask("POST", "/invitations", body, admin, {"Idempotency-Key": email}), 201).json()["token"]
        row.answered(town.ask("POST", "/invitations", body, admin, {"Idempotency-Key": email}), 409, "shown once")
        town.ask("POST", "/invitations/accept", {"token": link, "password": "short"})
        made = good(town.ask("POST", "/invitations/accept", {"token": link, "password": PASSWORDS[email]}), 201)
        sessions[email] = made.json()["token"]
    rosa = good(town.ask("GET", "/me", token=sessions[RESIDENT])).json()["id"]
    good(town.ask("POST", "/me/password", {"password": PASSWORDS[RESIDENT], "new_password": PLANTED[3]},
                  sessions[RESIDENT]), 204)
    reset = good(town.ask("POST", f"/users/{rosa}/password-reset", {}, admin, key), 201).json()["token"]
    good(town.ask("POST", "/password-reset", {"token": reset, "new_password": PASSWORDS[RESIDENT]}), 201)
    good(town.ask("POST", f"/users/{rosa}/password-reset", {}, admin), 201)  # one that nobody uses
    row.check(town.sooke("user", "password", OWNER, stdin=PLANTED[4] + "\n").returncode == 0, "the owner's command")
    row.check(town.sooke("token", "create", "till", "--for", OWNER).returncode == 0, "another command")
    good(town.local("POST", "/admin/tokens", {"name": "map", "email": ADMIN, "scope": "admin"}), 201)
    mistakes(town, sessions, PLANTED[5])
    places(town, sessions[ADMIN], rosa)
    return sessions


def mistakes(town: Watched, sessions: dict[str, str], wrong: str) -> None:
    """Secrets sent in wrong ways and to wrong places."""
    admin = sessions[ADMIN]
    town.look("a wrong login", town.log_in(OWNER, wrong, source="127.3.0.1"))
    for secret in (wrong, PLANTED[6], PLANTED[7], admin):
        text = secret.encode()
        town.look("no JSON", town.ask("POST", "/session", b'{"email":"a@b.example","password":' + text + b"}",
                                      source="127.3.0.2"))
        town.look("a name", town.ask("POST", "/session", {"email": OWNER, "passwort": secret}, source="127.3.0.3"))
        town.look("another type", town.ask("POST", "/session", {"email": OWNER, "password": [secret]},
                                           source="127.3.0.4"))
        town.look("a bad token", town.ask("GET", "/me", headers={"Authorization": f"Basic {secret}".encode("latin-1",
                                          "replace").decode("latin-1")}))
        query = urllib.parse.quote(secret)
        for name in ("token", "access_token", "password", "api_key", "q;token", "page=1;token", "q?token", "token[]"):
            town.look("in the query", town.ask("GET", f"/businesses?{name}={query}&page=1"))
        town.look("in the path", town.ask("DELETE", f"/businesses/x;token={query}"))
    for token in list(town.caught):
        town.look("revoked by its text", town.ask("DELETE", f"/admin/tokens/{token}", token=admin))
        town.look("in the middle of an address", town.ask("GET", f"/{token}/x?session={token}"))
        town.look("an address of nobody", town.log_in(f"{token}@town.example", wrong, source="127.3.0.5"))
    town.look("a cookie", town.ask("GET", "/me", headers={"Cookie": f"session={admin}"}))
    head = f"GET /api/v1/me HTTP/1.1\r\nHost: x\r\nBad Header: {admin}\r\n\r\n"
    town.answers.append(("a bad request", raw(town.port, "127.0.0.1", head.encode())))


def places(town: Watched, admin: str, rosa: int) -> None:
    """Something to export, and every answer that shows something of people or of the server."""
    town.ask("POST", "/categories", {"name": "Restaurants"}, admin)
    town.ask("POST", "/event-types", {"name": "Live Music"}, admin)
    good(town.ask("POST", "/businesses", business("Slack Tide", owner_id=rosa), admin), 201)
    good(town.ask("POST", "/events", event("Fiddle Night", business="slack-tide"), admin), 201)
    for path in ("/users", f"/users/{rosa}", "/me", "/admin/tokens", "/admin/status", "/admin/audit", "/health",
                 "/businesses", "/events", f"/history?of=users/{rosa}", "/history?of=businesses/slack-tide"):
        town.look(path, town.ask("GET", path, token=admin))
    town.look("/metrics", exchange(http.client.HTTPConnection("127.0.0.1", town.port), "GET", "/metrics", token=admin))
    for path in ("/admin/status", "/metrics", "/users", "/admin/tokens", "/admin/export"):
        town.look(path, exchange(LocalConnection(town.data / "admin.sock"), "GET", path))
    town.look("/admin/snapshot", town.local("POST", "/admin/snapshot"))


def outputs(row: Row, town: Town) -> list[tuple[str, bytes]]:
    """What the commands print that tell of a town."""
    commands = ["export", "export --format ndjson", "export --format csv --table businesses",
                "export --format csv --table events", "status", "user list", "token list", "verify"]
    results = [(command, town.sooke(*command.split())) for command in commands]
    for command, result in results:
        row.check(result.returncode == 0, f"sooke {command}", result.stderr)
    return [(f"sooke {command}", (result.stdout + result.stderr).encode()) for command, result in results]


def tear(town: Town) -> None:
    """Leaves the log with a torn end, as a kill in the middle of a write does, so that recovery cuts it off."""
    log = max(town.data.glob("wal-*.log"))
    with log.open("ab") as file:
        file.write(b'deadbeef {"seq":99999,"at":"2026-')


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """One life, over a kill: first with the log of requests as text, then as JSON."""
    row, town = Row("secrets"), Watched(binary, folder / "data")
    town.start("--log", "text")
    sessions = live(row, town)
    printed = outputs(row, town)
    town.stop(signal.SIGKILL)
    tear(town)
    town.start("--log", "json")
    mistakes(town, sessions, PLANTED[5])
    printed += outputs(row, town)
    row.check(town.stop() == 0, "the server stops")
    printed += outputs(row, town)
    printed += [(f"the answer to {name}", content) for name, content in town.answers]
    stored = [(str(path.relative_to(town.data)), path.read_bytes()) for path in sorted(town.data.rglob("*"))
              if path.is_file()]
    search(row, town, stored, printed)
    return [row]


def search(row: Row, town: Watched, stored: list[tuple[str, bytes]], printed: list[tuple[str, bytes]]) -> None:
    """Looks for every secret everywhere; what is kept in its place is looked for in all that goes out."""
    row.check(len(town.caught) >= 10, "enough tokens were shown to prove something", len(town.caught))
    row.check(any(name.startswith("quarantine") for name, _ in stored), "something is in quarantine")
    row.check(any(name.startswith("snapshot") for name, _ in stored), "there is a snapshot")
    note = TOKEN.findall(town.prints[0])
    row.check(len(note) == 1, "the setup note is printed once, and found", note)
    printed = [*printed, ("what the server prints", b"".join(town.prints).replace(b"".join(note), b""))]
    for secret in [*PLANTED, *sorted(town.caught)]:
        ways = forms(secret)
        for name, content in stored + printed:
            found = [way for way in ways if way in content]
            row.check(not found, f"{name} has no secret", found)
    log = b"".join(content for name, content in stored if name.startswith("wal"))
    kept = set(re.findall(rb'"(?:hash|digest)":"([^"]+)"', log))
    row.check(len(kept) >= len(PASSWORDS) + 8, "the log has hashes and digests", len(kept))
    for name, content in printed:
        found = [each for each in kept if each in content]
        row.check(not found, f"{name} has no hash and no digest", found)
    row.figures = (f"{len(PLANTED)} passwords, {len(town.caught)} tokens, {len(kept)} hashes and digests in "
                   f"{len(stored)} files and {len(printed)} outputs")
