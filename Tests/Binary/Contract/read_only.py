#!/usr/bin/env python3
"""A town that is read-only: nothing makes a commit, and its position has every acknowledged write.

usage: read_only.py BINARY
"""

import argparse
import http.client
import json
import re
import signal
import subprocess
import sys
import tarfile
import threading
import time
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))
from harness import (Answer, Local, Server, Tally, end_cleanly_when_told, executable, load, send,  # noqa: E402
                     sooke, temporary_folder)

DATASET = Path(__file__).parent / "dataset.json"
EARLIER = Path(__file__).resolve().parent / "earlier.tar.gz"
EMAIL, PASSWORD = "ada@town.example", "a long walk to Whiffin Spit"
# The use of a session is stored when the last one is older than five minutes.
LOGIN_AT, LATER = "2026-11-21T09:30:00Z", "2026-11-21T09:40:00Z"
REASON = "We are moving to another server"
WRITERS = 16


class Town:
    """A data folder, its server while one runs, and an account with a session of a program and one of a browser."""

    def __init__(self, binary: Path, data: Path, tally: Tally) -> None:
        self.binary, self.data, self.tally = binary, data, tally
        load(binary, data, DATASET)
        self.run("user", "add", EMAIL, "--role", "super_admin")
        subprocess.run([str(binary), "user", "password", EMAIL, "--data", str(data)], input=PASSWORD, text=True,
                       capture_output=True, check=True)
        self.server: Server | None = None
        # The cookie of a browser has the port in its name.
        self.port = "0"
        self.start(LOGIN_AT)
        self.port = self.local.url.rpartition(":")[2]
        self.token = self.local.must("POST", "/api/v1/session", {"email": EMAIL, "password": PASSWORD})["token"]
        answer = self.log_in()
        self.cookie = str(answer.headers["Set-Cookie"]).partition(";")[0]
        tally.check(answer.status == 303, "a browser logs in", answer.status)

    def start(self, now: str = "", *options: str) -> None:
        clock = ("--now", now) if now else ()
        self.server = Server(self.binary, self.data, "--port", self.port, *clock, *options).ready()
        self.local = Local(self.data, self.server.url)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.server:
            self.server.stop(how)
            self.server = None

    def says(self, *texts: str) -> bool:
        """Whether the server says something, perhaps right after it is ready."""
        end = time.monotonic() + 5
        while self.server and not all(text in self.server.printed for text in texts) and time.monotonic() < end:
            time.sleep(0.02)
        return self.server is not None and all(text in self.server.printed for text in texts)

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return sooke(self.binary, *words, "--data", self.data)

    def check(self, holds: object, what: str, detail: object = "") -> None:
        self.tally.check(bool(holds), what, detail)

    def switch(self, *words: str) -> str:
        """The position that `read-only on` prints, alone."""
        done = self.run("read-only", "on", *words)
        position = done.stdout.strip()
        self.check(done.returncode == 0 and re.fullmatch(r"\d+\.[0-9a-f]{16}\n", done.stdout), "the position is alone",
                   f"{done.returncode} {done.stdout!r} {done.stderr!r}")
        return position

    def status(self) -> dict[str, object]:
        done = self.run("status", "--format", "json")
        return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr}

    def position(self) -> object:
        return self.status().get("position")

    def page(self, path: str, cookie: str = "") -> Answer:
        return send(self.local.url, path, headers={"Cookie": cookie or "a=b", "Accept": "text/html"})

    def log_in(self) -> Answer:
        form = urllib.parse.urlencode({"login-email": EMAIL, "login-password": PASSWORD})
        fields = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        return send(self.local.url, "/login", "POST", fields, form.encode())

    def rename(self, name: str) -> Answer:
        return self.local.ask("PATCH", "/api/v1/businesses/zeds-diner", {"phone": name}, self.token)


def refused(answer: Answer) -> bool:
    """503 `read_only` with its reason, as a program gets it."""
    if answer.status != 503 or not answer.headers["Retry-After"]:
        return False
    error = answer.json()["error"]
    return error["code"] == "read_only" and REASON in error["message"]


def refused_page(answer: Answer) -> bool:
    """The same, as people see it."""
    return (answer.status == 503 and bool(answer.headers["Retry-After"]) and REASON.encode() in answer.body
            and b"<h1>Nothing can be changed now</h1>" in answer.body and not answer.headers["Set-Cookie"])


def served(town: Town) -> None:
    """A server on the folder, at once and after a restart with a later clock."""
    town.check(town.rename("1").status == 200, "a business is changed before")
    before = town.position()
    position = town.switch("--reason", REASON)
    town.check(position == before, "the position is that of the last change", f"{position}, {before}")
    for moment in ("at once", "after a restart"):
        if moment == "after a restart":
            town.stop()
            town.start(LATER)
            town.check(town.says(REASON, f"sooke read-only off --data {town.data}"), "the server says so when it starts",
                       town.server and town.server.said)
        refusals(town, moment)
        reads(town, moment)
        town.check(town.switch() == position, f"once more gives the same position, {moment}")
        town.check(town.position() == position, f"the position stays the same, {moment}", town.position())
    audit = town.local.must("GET", "/api/v1/admin/audit?limit=1000")["items"]
    town.check(sum(line["action"] == "read_only" for line in audit) == 3, "the audit has each switch", audit[:5])
    off = town.run("read-only", "off")
    town.check(off.returncode == 0 and off.stdout == "the town accepts changes\n", "off says so", off.stdout + off.stderr)
    again = town.run("read-only", "off")
    town.check(again.returncode == 0 and again.stdout == off.stdout, "off once more", again.stdout + again.stderr)
    # It shows that the session's use would have been a commit.
    town.local.must("GET", "/api/v1/me", None, town.token)
    end = time.monotonic() + 5
    while town.position() == position and time.monotonic() < end:
        time.sleep(0.05)
    town.check(town.position() != position, "the use of a session is stored again")
    town.check(town.rename("2").status == 200, "a business is changed afterwards")
    town.check(town.log_in().status == 303, "and a browser logs in")


def refusals(town: Town, moment: str) -> None:
    town.check(refused(town.rename("3")), f"a change is refused, {moment}")
    local = town.local.ask("POST", "/api/v1/categories", {"name": "Late"})
    town.check(refused(local), f"one of the owner too, {moment}", local.body)
    login = send(town.local.url, "/api/v1/session", "POST", {"Content-Type": "application/json"},
                 json.dumps({"email": EMAIL, "password": PASSWORD}).encode())
    town.check(refused(login), f"a login of a program is refused, {moment}", login.body)
    town.check(refused_page(town.log_in()), f"one of a browser gets a page, {moment}")
    for path in ("/login", "/setup", "/password-reset", "/invitation", "/forgotten-password"):
        town.check(refused_page(town.page(path)), f"{path} says so, {moment}")
    commands(town, f"through the server, {moment}")


def commands(town: Town, moment: str) -> None:
    for words in (("import", DATASET), ("user", "add", "una@town.example"), ("town", "--name", "Late"),
                  ("token", "create", "till", "--for", EMAIL)):
        done = town.run(*words)
        town.check(done.returncode == 69 and f"sooke read-only off --data {town.data}" in done.stderr
                   and REASON in done.stderr, f"{words[0]} is refused {moment}", f"{done.returncode} {done.stderr}")
    dry = town.run("import", "--dry-run", DATASET)
    town.check(dry.returncode == 0, f"an import is tried {moment}", dry.stderr)


def reads(town: Town, moment: str) -> None:
    for path in ("/api/v1/businesses", "/api/v1/events", "/ready", "/", "/businesses/zeds-diner", "/api/v1/changes"):
        answer = send(town.local.url, path)
        town.check(answer.status == 200, f"{path} is read, {moment}", answer.status)
    health = send(town.local.url, "/api/v1/health")
    town.check(health.status == 200 and health.json().get("status") == "ok" and health.json().get("read_only") is True,
               f"the health is good, {moment}", health.body)
    for _ in range(50):
        me = town.local.ask("GET", "/api/v1/me", None, town.token)
        account = town.page("/account", town.cookie)
        if me.status != 200 or account.status != 200:
            town.check(False, f"a session works, {moment}", f"{me.status} {account.status}")
            break
    town.check(True, "sessions were used")
    backup = town.data.parent / f"backup {moment}.json"
    for words in (("backup", backup), ("snapshot",), ("export",)):
        done = town.run(*words)
        town.check(done.returncode == 0, f"{words[0]} goes on, {moment}", done.stderr)
    status = town.status()
    town.check(status.get("read_only") is True and status.get("read_only_reason") == REASON
               and status.get("read_only_since"), f"the status shows it, {moment}", status)
    town.check(f"read-only    since 2026-11-21 09:30:00 UTC: {REASON}" in town.run("status").stdout,
               f"and on pages, {moment}")


def unserved(town: Town) -> None:
    """The folder alone."""
    town.stop()
    position = town.switch("--reason", REASON)
    town.check(town.position() == position, "without a server the position is printed, too")
    commands(town, "without a server")
    town.check(town.position() == position, "and stays the same")
    wrong = town.run("read-only", "off", "--reason", REASON)
    town.check(wrong.returncode == 64, "off takes no reason", wrong.stderr)
    file = town.data / "read-only.json"
    text = file.read_bytes()
    file.write_bytes(text.replace(b"moving", b"movinh"))
    verify = town.run("verify")
    town.check(verify.returncode == 1 and "read-only.json" in verify.stderr + verify.stdout, "a damaged file is found",
               verify.stdout + verify.stderr)
    town.start()
    town.check(town.says("read-only.json", "the town is read-only"), "and leaves the town read-only",
               town.server and town.server.said)
    answer = town.local.ask("POST", "/api/v1/categories", {"name": "Late"})
    town.check(answer.status == 503 and answer.json()["error"]["code"] == "read_only", "so that nothing is changed")
    town.stop()
    town.check(town.position() == position, "and the position is the same")
    off = town.run("read-only", "off")
    town.check(off.returncode == 0 and not file.exists(), "until off removes it", off.stderr)
    town.check(town.run("verify").returncode == 0, "the folder is sound")
    named = town.run("town", "--name", "Moved")
    town.check(named.returncode == 0, "and can be changed", named.stderr)


def first_start(town: Town) -> None:
    """A folder from before towns had clocks of their own stays without them while it is read-only."""
    with tarfile.open(EARLIER) as archive:
        archive.extractall(town.data.parent, filter="data")
    data = town.data.parent / "earlier"
    on = sooke(town.binary, "read-only", "on", "--data", data)
    server = Server(town.binary, data).ready()
    try:
        time.sleep(0.5)
        status = json.loads(sooke(town.binary, "status", "--format", "json", "--data", data).stdout)
    finally:
        server.stop()
    town.check(on.stdout.strip() == status["position"] and "the town has the clocks" not in server.said,
               "a start makes no commit", f"{on.stdout} {on.stderr} {status} {server.said}")


class Writer(threading.Thread):
    """Adds categories on one connection until it is told that the town is read-only."""

    def __init__(self, town: Town, name: str) -> None:
        super().__init__(daemon=True)
        self.town, self.name = town, name
        self.acknowledged: list[str] = []
        self.ended = ""

    def run(self) -> None:
        url = urllib.parse.urlsplit(self.town.local.url)
        connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=30)
        fields = {"Content-Type": "application/json", "Authorization": f"Bearer {self.town.token}"}
        while not self.ended:
            name = f"{self.name} {len(self.acknowledged)}"
            connection.request("POST", "/api/v1/categories", json.dumps({"name": name}), fields)
            response = connection.getresponse()
            body = json.loads(response.read())
            if response.status == 201:
                self.acknowledged.append(name)
            else:
                self.ended = f"{response.status} {body['error']['code']}"
        connection.close()


def writers(town: Town) -> None:
    """Every acknowledged write is in the position that is printed, and none follows."""
    town.start("", "--write-limit", "1000000")
    # The session of the fixed clock is too old for that of the machine.
    town.token = town.local.must("POST", "/api/v1/session", {"email": EMAIL, "password": PASSWORD})["token"]
    for turn in range(3):
        threads = [Writer(town, f"Turn {turn} writer {number}") for number in range(WRITERS)]
        for thread in threads:
            thread.start()
        time.sleep(0.7)
        position = town.switch("--reason", REASON)
        for thread in threads:
            thread.join(30)
        ends = {thread.ended for thread in threads}
        town.check(ends == {"503 read_only"}, "each writer is told", ends)
        time.sleep(1)
        town.check(town.position() == position, "nothing follows the position", f"{town.position()} {position}")
        if turn == 1:
            town.stop(signal.SIGKILL)
            town.start("", "--write-limit", "1000000")
            town.check(town.position() == position, "nor after a kill", town.position())
        acknowledged = [name for thread in threads for name in thread.acknowledged]
        names = {item["name"] for item in town.local.must("GET", "/api/v1/categories")["items"]}
        made = {name for name in names if name.startswith(f"Turn {turn} ")}
        town.check(len(acknowledged) > WRITERS and made == set(acknowledged), "each acknowledged write is there, no other",
                   f"{len(acknowledged)} acknowledged, {len(made)} there")
        town.run("read-only", "off")
    town.check(town.local.ask("POST", "/api/v1/categories", {"name": "Last"}).status == 201, "writes go on")
    town.stop()
    town.check(town.run("verify").returncode == 0, "the folder is sound")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=executable)
    binary = parser.parse_args().binary
    end_cleanly_when_told()
    tally = Tally()
    with temporary_folder() as folder:
        town = Town(binary, folder / "data", tally)
        try:
            for group in (served, unserved, first_start, writers):
                try:
                    group(town)
                except (OSError, ValueError, KeyError, IndexError, RuntimeError) as error:
                    tally.check(False, f"{group.__name__} could be finished", repr(error))
        finally:
            town.stop(signal.SIGKILL)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
