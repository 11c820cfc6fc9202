"""The owner's commands `sooke user` and `sooke token`, while a server runs on the folder and while none does."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from checks import Row, Skip
from harness import Server
from town import ADMIN, PASSWORDS, RESIDENT, Town

USAGE, BAD_DATA, NO_INPUT = 64, 65, 66
GHOST = "nobody@town.example"


class Script:
    """One folder; every step runs a command and looks at its end, its words and what has come of it."""

    def __init__(self, row: Row, town: Town, running: bool) -> None:
        self.row, self.town, self.running = row, town, running
        self.state = "running" if running else "stopped"

    def does(self, command: str, says: str = "", stdin: str | None = None) -> str:
        """A command that succeeds; what it printed."""
        result = self.town.sooke(*command.split(), stdin=stdin)
        holds = result.returncode == 0 and re.search(says, result.stdout) and not result.stderr
        self.row.check(bool(holds), f"{self.state}: {command}", f"{result.returncode} {result.stdout}{result.stderr}")
        return result.stdout

    def refuses(self, command: str, status: int, why: str, stdin: str | None = None) -> None:
        """A command that fails: by its exit code, with a reason on standard error and nothing on standard output."""
        result = self.town.sooke(*command.split(), stdin=stdin)
        holds = result.returncode == status and re.search(why, result.stderr) and not result.stdout
        self.row.check(bool(holds), f"{self.state}: {command} ends with {status} and says {why!r}",
                       f"{result.returncode} {result.stdout}{result.stderr}")

    def logs_in(self, email: str, password: str, status: int) -> str | None:
        """What comes of a login; the session."""
        with Serving(self):
            answer = self.town.log_in(email, password)
            self.row.answered(answer, status, f"{self.state}: a login of {email}")
            return answer.json().get("token")

    def opens(self, token: str | None, status: int, what: str) -> None:
        """What a token opens."""
        with Serving(self):
            self.row.answered(self.town.ask("GET", "/me", token=token), status, f"{self.state}: {what}")


class Serving:
    """A server for as long as the effect of a command is looked at; it runs already in the other state."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def __enter__(self) -> None:
        if not self._script.running:
            self._script.town.start()

    def __exit__(self, *_: object) -> None:
        if not self._script.running:
            self._script.town.stop()


def users(script: Script) -> None:
    """Accounts, roles and passwords."""
    script.does("user list", "^$")
    script.does(f"user add {ADMIN} --role super_admin --name Ada", rf"^{ADMIN} has an account \(super_admin\); .*\n$")
    script.does(f"user add {RESIDENT}", rf"^{RESIDENT} has an account \(general_user\); .*\n$")
    script.refuses(f"user add {RESIDENT}", BAD_DATA, "email")
    script.refuses(f"user add {RESIDENT.upper()}", BAD_DATA, "email")
    script.refuses("user add rosa", BAD_DATA, "email.*must be an e-mail address")
    script.does("user list", rf"^{ADMIN} \(super_admin\), Ada\n{RESIDENT} \(general_user\)\n$")
    script.does(f"user promote {RESIDENT} --role business_owner", rf"^{RESIDENT} is now business_owner\n$")
    script.does("user list", rf"\n{RESIDENT} \(business_owner\)\n$")
    script.does(f"user promote {RESIDENT} --role editor", rf"^{RESIDENT} is now editor\n$")
    script.does(f"user promote {RESIDENT} --role business_owner", rf"^{RESIDENT} is now business_owner\n$")
    script.refuses(f"user promote {RESIDENT}", USAGE, "--role")
    script.does("user list", rf"\n{RESIDENT} \(business_owner\)\n$")
    script.refuses(f"user promote {RESIDENT} --role mayor", USAGE, "mayor")
    script.refuses(f"user promote {GHOST} --role business_owner", NO_INPUT, GHOST)
    script.refuses(f"user promote {ADMIN} --role general_user", BAD_DATA, "promote another first")
    script.refuses(f"user remove {ADMIN}", BAD_DATA, "promote another first")
    script.refuses(f"user remove {GHOST}", NO_INPUT, GHOST)
    for wrong in ("user", "user add", "user promote", "user password", "user remove", "user frobnicate",
                  f"user list {ADMIN}", f"user password {ADMIN} in-the-command-line"):
        script.refuses(wrong, USAGE, "^sooke: ")


def passwords(script: Script) -> None:
    """Passwords come from standard input, end sessions, and are judged."""
    first, second = PASSWORDS[ADMIN], "another walk, to Sheringham Point"
    script.logs_in(ADMIN, first, 401)
    script.does(f"user password {ADMIN}", f"^{ADMIN} has a new password; .*\n$", stdin=f"{first}\nnot this line\n")
    session = script.logs_in(ADMIN, first, 201)
    script.opens(session, 200, "a session")
    for bad, why in (("short", "12 characters"), ("", "no password"), ("\n", "no password"),
                     ("passwordpassword\n", "tried first"), ("tab\tin the middle of it\n", "control")):
        script.refuses(f"user password {ADMIN}", BAD_DATA, why, stdin=bad)
    script.refuses(f"user password {GHOST}", NO_INPUT, GHOST, stdin=first)
    script.opens(session, 200, "a session after passwords that were refused")
    script.does(f"user password {ADMIN}", "have ended\n$", stdin=second + "\r\n")
    script.opens(session, 401, "a session after a new password")
    script.logs_in(ADMIN, first, 401)
    script.logs_in(ADMIN, second, 201)


def tokens(script: Script) -> None:
    """Tokens are shown once, listed without the secret, and end at once."""
    made, until = (script.does(f"token create {words}", r"^sooke_api_[\w-]{43}\n$").strip() for words in (
        f"till --for {RESIDENT}", f"map --for {ADMIN} --scope read --until 2040-01-01T00:00:00Z"))
    listed = script.does("token list", '"till".*"map"')
    script.row.check("sooke_api_" not in listed and made[10:] not in listed,
                     f"{script.state}: a list shows no secret", listed)
    till, other = (next(token for token in json.loads(listed)["items"] if token["name"] == name)
                   for name in ("till", "map"))
    script.row.check((till["scope"], other["scope"]) == ("write", "read"), f"{script.state}: scopes", listed)
    script.row.check(other["expires_at"].startswith("2040-01-01T00:00:00"), f"{script.state}: --until", other)
    script.opens(made, 200, "a token")
    script.refuses("token create till", USAGE, "--for")
    script.refuses(f"token create --for {RESIDENT}", USAGE, "NAME")
    script.refuses(f"token create till --for {GHOST}", BAD_DATA, "nobody has this address")
    script.refuses(f"token create till --for {RESIDENT} --scope everything", USAGE, "everything")
    script.refuses(f"token create till --for {RESIDENT} --until tomorrow", USAGE, "tomorrow")
    script.refuses(f"token create till --for {RESIDENT} --until 2020-01-01T00:00:00Z", BAD_DATA, "past")
    for wrong in ("token", "token frobnicate", "token revoke", "token revoke till", "token revoke 0", "token list x"):
        script.refuses(wrong, USAGE, "^sooke: ")
    script.does(f"token revoke {till['id']}", rf"^token {till['id']} is revoked\n$")
    script.refuses(f"token revoke {till['id']}", NO_INPUT, "no such token")
    script.opens(made, 401, "a token that is revoked")
    script.opens(until, 200, "another token")


def remove(script: Script) -> None:
    """Who is removed is gone, and so is what they could open."""
    made = script.does(f"token create till --for {RESIDENT}").strip()
    script.does(f"user remove {RESIDENT}", rf"^{RESIDENT} has no account any more\n$")
    script.opens(made, 401, "the token of somebody who was removed")
    script.does("user list", rf"^{ADMIN} \(super_admin\), Ada\n$")
    script.refuses(f"user remove {RESIDENT}", NO_INPUT, RESIDENT)
    script.does(f"user add {RESIDENT}")
    script.opens(made, 401, "the same token when there is an account with the same address again")


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """All commands in both states, then on a folder of something else."""
    rows = []
    for running in (True, False):
        row = Row(f"owner's commands, server {'running' if running else 'stopped'}")
        town = Town(binary, folder / row.name.replace(" ", "-")).start()
        if not running:
            town.stop()
        script = Script(row, town, running)
        for step in (users, passwords, tokens, remove):
            step(script)
        if running:
            town.stop()
        row.check(town.sooke("verify").returncode == 0, "all is sound")
        rows.append(row)
    nowhere = Script(rows[1], Town(binary, folder / "nowhere"), False)
    for command in ("user list", f"user add {ADMIN}", "token list", f"token create till --for {ADMIN}"):
        nowhere.refuses(command, NO_INPUT, "nowhere")
    rows[1].check(not nowhere.town.data.exists(), "a folder that is not there is not made")
    try:
        rows.append(two_users(binary, folder))
    except Skip as reason:
        rows.append(Row("root on a service's folder", skipped=str(reason)))
    return rows


# Two users: the service's own, and root


class Service:
    """A folder that belongs to a user of its own, as under systemd, and the commands that root runs on it."""

    USER = 65_534  # nobody; no other process of this machine needs to know the user

    def __init__(self, row: Row, binary: Path, folder: Path) -> None:
        self.row, self.folder = row, folder
        self.data = folder / "town"
        folder.mkdir()
        folder.chmod(0o755)
        folder.parent.chmod(0o755)
        self.binary = Path(shutil.copy(binary, folder / "sooke"))
        self.binary.chmod(0o755)
        self.data.mkdir(mode=0o700)
        os.chown(self.data, self.USER, self.USER)

    def serves(self, what: str, look: Callable[[Server], None] = lambda server: None) -> None:
        """The service starts as its user and stops; everything in the folder is its own."""
        wrapper = self.folder / "as-service"
        wrapper.write_text(f"#!/bin/sh\nexec setpriv --reuid={self.USER} --regid={self.USER} --clear-groups "
                           f"{self.binary} \"$@\"\n")
        wrapper.chmod(0o755)
        server = Server(wrapper, self.data)
        try:
            server.ready()
            look(server)
            self.row.check(server.stop() == 0, f"{what}: the service starts and stops", server.said)
        except RuntimeError as error:
            self.row.check(False, f"{what}: the service starts", error)
        finally:
            server.kill()
        others = [str(path) for path in [self.data, *self.data.rglob("*")] if path.lstat().st_uid != self.USER]
        self.row.check(not others, f"{what}: all is the service's", others)

    def does(self, *words: str | Path, stdin: str = "") -> str:
        """A command of root's; what it printed."""
        result = subprocess.run([self.binary, *words], cwd=self.folder, text=True, input=stdin, capture_output=True,
                                timeout=60)
        what = " ".join(map(str, words))
        self.row.check(result.returncode == 0, f"root: {what}", f"{result.returncode} {result.stdout}{result.stderr}")
        return result.stdout


def two_users(binary: Path, folder: Path) -> Row:
    """What root does on the folder of a stopped service leaves it to the service; so does a repair, and a restore."""
    row = Row("root on a service's folder")
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        raise Skip("it takes root and setpriv")
    service = Service(row, binary, folder / "service")
    private = service.folder / "private"  # root's own: nobody else can read or write in it
    private.mkdir(mode=0o700)
    table, backup = private / "businesses.csv", private / "town.json"
    table.write_text("name,address,latitude,longitude,category\nKelp Books,1 Pier,48.37,-123.7,\n")
    categories = private / "categories.json"
    categories.write_text('{"categories":[{"id":1,"slug":"shops","name":"Shops"}]}')
    data = ("--data", service.data)
    service.does("import", categories, table, *data)
    service.serves("after an import into an empty folder")
    for words in (["import", table], ["user", "add", ADMIN], ["snapshot"], ["status"], ["token", "list"], ["export"],
                  ["verify"], ["backup", backup], ["backup", "--keep", "2", private / "town-%Y.json"]):
        service.does(*words, *data)
    service.does("user", "password", ADMIN, *data, stdin=PASSWORDS[ADMIN])
    row.check(backup.stat().st_uid == 0, "a backup is root's where root wants it")
    service.serves("after each command")

    def running(server: Server) -> None:
        service.does("import", table, *data)
        service.does("backup", backup, *data)

    service.serves("while it runs", running)
    root = Server(service.binary, service.data).ready()
    row.check(service.data.joinpath("admin.sock").stat().st_uid == service.USER, "a server that root starts is the owner's")
    row.check(root.stop() == 0, "and stops", root.said)
    service.serves("after root served it")
    drill(row, service, backup)
    return row


def drill(row: Row, service: Service, backup: Path) -> None:
    """Stop, repair, swap, start; then the same with a backup, and with a time of the past."""
    log = sorted(service.data.glob("wal-*.log"))[-1]
    log.write_bytes(log.read_bytes() + b"0000000 garbage\n")
    repaired, damaged = service.folder / "repaired", service.folder / "damaged"
    subprocess.run([service.binary, "repair", "--data", service.data, "--to", repaired], capture_output=True)
    service.data.rename(damaged)
    repaired.rename(service.data)
    service.serves("after a repair")
    restored = service.folder / "restored"
    service.does("restore", backup, "--data", restored)
    subprocess.run(["chown", "-R", f"{service.USER}:{service.USER}", restored], check=True)
    shutil.rmtree(service.data)
    restored.rename(service.data)
    service.serves("after a restore and chown")
    shutil.rmtree(service.data)
    service.data.mkdir(mode=0o700)
    os.chown(service.data, service.USER, service.USER)
    service.does("restore", backup, "--data", service.data)
    service.serves("after a restore into the service's empty folder")
    status = json.loads(service.does("status", "--format", "json", "--data", service.data))
    friday = service.folder / "friday"
    service.does("restore", "--at", status["changed_at"], "--data", service.data, "--to", friday)
    row.check(friday.stat().st_uid == 0, "a state of the past is root's outside of the town's folder")
    subprocess.run(["chown", "-R", f"{service.USER}:{service.USER}", friday], check=True)
    shutil.rmtree(service.data)
    friday.rename(service.data)
    service.serves("after a restore of a past state")
