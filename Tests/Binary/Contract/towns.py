"""A town that is read-only under writers, and the demo."""

import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.parse
from pathlib import Path

from checks import Row
from harness import Local, Server, load, send, sooke

DATASET = Path(__file__).resolve().parent / "dataset.json"
JSON = {"Content-Type": "application/json"}


class Folder:
    """Commands on a data folder, whose results are counted."""

    def __init__(self, binary: Path, data: Path, row: Row) -> None:
        self.binary, self.data, self.row = binary, data, row

    def run(self, line: str, status: int = 0, says: str = "") -> str:
        """Runs a command; what it prints. It must leave with a status and say something."""
        done = sooke(self.binary, *shlex.split(line), "--data", self.data)
        said = done.stdout + done.stderr
        self.row.check(done.returncode == status and says in said, f"sooke {line}: {status}, {says}",
                       (done.returncode, said))
        return done.stdout

    def position(self) -> str:
        return json.loads(self.run("status --format json"))["position"]

    def serve(self, *options: str) -> tuple[Server, Local]:
        server = Server(self.binary, self.data, *options).ready()
        return server, Local(self.data, server.url)


# Read-only: nothing makes a commit, and its position has every acknowledged write

WRITERS, REASON = 16, "We are moving"


class Writer(threading.Thread):
    """Adds categories on one connection until it is told that the town is read-only."""

    def __init__(self, local: Local, token: str, name: str) -> None:
        super().__init__(daemon=True)
        self.url, self.name, self.acknowledged, self.ended = urllib.parse.urlsplit(local.url), name, [], ""
        self.fields = {**JSON, "Authorization": f"Bearer {token}"}

    def run(self) -> None:
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=30)
        while not self.ended:
            name = f"{self.name} {len(self.acknowledged)}"
            connection.request("POST", "/api/v1/categories", json.dumps({"name": name}), self.fields)
            response = connection.getresponse()
            body = json.loads(response.read())
            if response.status == 201:
                self.acknowledged.append(name)
            else:
                self.ended = f"{response.status} {body['error']['code']}: {body['error']['message']}"
        connection.close()


def read_only(binary: Path, work: Path, _: bool) -> list[Row]:
    row = Row("read-only under 16 writers")
    town = Folder(binary, work / "data", row)
    load(binary, town.data, DATASET)
    town.run("user add ada@town.example --role super_admin")
    token = town.run("token create app --for ada@town.example --scope admin").strip()
    server, local = town.serve("--write-limit", "1000000")
    for turn, how in enumerate((signal.SIGTERM, signal.SIGKILL)):
        writers = [Writer(local, token, f"Turn {turn} writer {number}") for number in range(WRITERS)]
        for writer in writers:
            writer.start()
        while sum(len(writer.acknowledged) for writer in writers) < 20 * WRITERS and not any(w.ended for w in writers):
            time.sleep(0.01)
        position = town.run(f"read-only on --reason '{REASON}'").strip()
        row.check(re.fullmatch(r"\d+\.[0-9a-f]{16}", position) is not None, "the position is alone", position)
        for writer in writers:
            writer.join(30)
        ends = {writer.ended[:13] for writer in writers if REASON in writer.ended}
        row.check(ends == {"503 read_only"}, "each writer is told", [writer.ended for writer in writers])
        for when in ("while it runs", "without a server", "after a start"):
            for line in (f"import {DATASET}", "user add una@town.example", "town --name Late"):
                town.run(line, 69, f"sooke read-only off --data {town.data}")
            row.check(town.run("read-only on").strip() == position == town.position(), f"nothing follows, {when}")
            if when == "while it runs":
                server.stop(how)
            elif when == "without a server":
                server, local = town.serve("--write-limit", "1000000")
        row.check(REASON in server.said, "the server says so when it starts", server.said)
        row.answered(local.ask("GET", "/api/v1/me", None, token), 200, "reads go on")
        made = {item["name"] for item in local.must("GET", "/api/v1/categories")["items"]}
        acknowledged = {name for writer in writers for name in writer.acknowledged}
        row.check({name for name in made if name.startswith(f"Turn {turn}")} == acknowledged,
                  "each acknowledged write is there, and no other")
        town.run("read-only off", 0, "the town accepts changes")
    row.answered(local.ask("POST", "/api/v1/categories", {"name": "Last"}), 201, "writes go on")
    server.stop()
    town.run("verify")
    return [row]


# The demo: processes, signals and what is left of them


class Demo:
    """A demo whose folders are made in a place of their own."""

    def __init__(self, binary: Path, home: Path, *words: str | Path) -> None:
        environment = {**os.environ, "TMPDIR": str(home)}
        self.process = subprocess.Popen([binary, "demo", "--port", "0", *words], stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.STDOUT, env=environment)
        self.output = ""
        for line in self.process.stdout or ():
            self.output += line
            if "Control-C" in line or '"logins"' in line:
                break
        self.url = re.findall(r"ready at (http://[^\s\"]+)", self.output)[0]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(30)


def demo(binary: Path, work: Path, _: bool) -> list[Row]:
    row, home = Row("the demo"), work / "home"
    home.mkdir()

    def left(count: int, what: str) -> None:
        row.check(len(list(home.iterdir())) == count, f"{what}: {count} folders", list(home.iterdir()))

    first = Demo(binary, home, "--log", "off")
    login = re.search(r"^  (curl \S+/api/v1/session --json .*)$", first.output, re.M)
    words = shlex.split(login[1]) if login else [""] * 4
    answer = send(first.url, "/api/v1/session", "POST", JSON, words[3].encode())
    row.answered(answer, 201, "it prints a log-in that works")
    row.check(first.stop(signal.SIGKILL) == -9, "it is killed")
    left(1, "and leaves its own")
    row.check(Demo(binary, home, "--log", "json").stop() == 0, "the next one ends")
    left(0, "and removes both")
    # Two signals within a second are one; a later one ends it at once. A request that does not end makes it wait.
    for pause, status, folders in ((0.1, 0, 0), (1.3, -signal.SIGTERM, 1)):
        waiting = Demo(binary, home, "--log", "off")
        host, port = waiting.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as client:
            client.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n")
            time.sleep(0.2)
            waiting.process.send_signal(signal.SIGTERM)
            time.sleep(pause)
            waiting.process.send_signal(signal.SIGTERM)
            time.sleep(0.1)
        row.check(waiting.process.wait(30) == status, f"two signals, {pause} s apart", waiting.process.returncode)
        left(folders, f"two signals, {pause} s apart")
        for folder in home.iterdir():
            shutil.rmtree(folder)
    return [row]
