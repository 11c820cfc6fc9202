"""Towns from the first command to the last: in another country, from an earlier version, read-only, and the demo."""

import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tarfile
import threading
import time
import urllib.parse
from pathlib import Path
from typing import Any

from checks import Row
from harness import Local, Server, load, send, sooke

HERE = Path(__file__).resolve().parent
DATASET, EARLIER = HERE / "dataset.json", HERE / "earlier.tar.gz"
JSON = {"Content-Type": "application/json"}


class Folder:
    """Commands on a data folder, whose results are counted."""

    def __init__(self, binary: Path, data: Path, row: Row) -> None:
        self.binary, self.data, self.row = binary, data, row

    def run(self, line: str, status: int = 0, says: str = "", *more: str | Path) -> str:
        """Runs a command; what it prints. It must leave with a status and say something."""
        done = sooke(self.binary, *shlex.split(line), *more, "--data", self.data)
        said = done.stdout + done.stderr
        self.row.check(done.returncode == status and says in said, f"sooke {line}: {status}, {says}",
                       (done.returncode, said))
        return done.stdout

    def position(self) -> str:
        return json.loads(self.run("status --format json"))["position"]

    def serve(self, *options: str) -> tuple[Server, Local]:
        server = Server(self.binary, self.data, *options).ready()
        return server, Local(self.data, server.url)


# In Ireland, with holidays from a calendar and places without a location

PLACES = """name,address,category,hours,phone
An Tobar,1 Sráid Mhór,Cafés,"Mon-Fri 8:30-17:00, Sat 10-4, PH off",01 555 0101
The Harbour Bar,2 Pier Road,Pubs,"daily 12:00-23:30",01 555 0102
The Old Mill,3 Mill Lane,Pubs,,
"""
EVENTS = """name,event_type,date,time,end time,venue,rrule,status
Trad Session,Live Music,2026-10-21,20:30,22:00,The Harbour Bar,FREQ=WEEKLY;BYDAY=WE,approved
"""
HOLIDAYS = {"20260317": "Saint Patrick's Day", "20261026": "October Bank Holiday"}
# A holiday on the clocks of winter, and the day after, of which the list says nothing.
STATES = {"2026-10-26T12:00:00Z": {"an-tobar": "closed", "the-harbour-bar": "open", "the-old-mill": "unknown"},
          "2026-10-27T12:00:00Z": {"an-tobar": "unknown", "the-harbour-bar": "open"}}


def elsewhere(binary: Path, work: Path, _: bool) -> list[Row]:
    row = Row("a town elsewhere")
    town, days = Folder(binary, work / "howth", row), "".join(
        f"BEGIN:VEVENT\r\nUID:{day}@x\r\nDTSTART;VALUE=DATE:{day}\r\nSUMMARY:{name}\r\nEND:VEVENT\r\n"
        for day, name in HOLIDAYS.items())
    calendar = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n{days}END:VCALENDAR\r\n"
    for name, text in (("places.csv", PLACES), ("events.csv", EVENTS), ("ireland.ics", calendar)):
        (work / name).write_text(text, encoding="utf-8")
    files = f"--starter --create-categories --time-zone Europe/Dublin {work}/places.csv {work}/events.csv"
    town.run(f"import {files}", 65, "--center")
    row.check(not town.data.exists(), "what is refused makes no folder")
    link = "https://www.openstreetmap.org/#map=15/53.3890/-6.0700"
    town.run(f"import --center {link} {files}", 0, "apps show it at the center")
    town.run(f"town --name Howth --holidays {work}/ireland.ics", 0, "2 dates of a calendar; not known after 2026-10-26")
    for now, states in STATES.items():
        server, _ = town.serve("--now", now, "--time-zone", "America/Vancouver")
        row.check("was ignored: the town already uses Europe/Dublin" in server.said, "an option that does not count")
        for slug, status in states.items():
            shown = send(server.url, f"/api/v1/businesses/{slug}").json()
            row.check(shown["open_state"]["status"] == status, f"{slug} at {now}", shown["open_state"])
            row.check((shown["latitude"], shown["longitude"], shown["has_location"]) == (53.389, -6.07, False),
                      f"{slug} is at the center", shown)
        series = send(server.url, "/api/v1/events?when=week").json()["items"][0]
        row.check(series["starts_at"] == "2026-10-28T20:30:00Z", "a series keeps its time when clocks change", series)
        row.check(server.stop() == 0, "it ends", server.said)
    before = town.position()
    town.run("town --time-zone Europe/Lisbon", 65, "Trad Session")
    row.check(town.position() == before, "what moves is listed, and nothing is changed")
    town.run("town --time-zone Europe/Lisbon --yes", 0, "Europe/Lisbon")
    town.run("town --time-zone Europe/Dublin --yes")
    exported, copy, other = town.run("export"), Folder(binary, work / "copy", row), Folder(binary, work / "other", row)
    (work / "howth.json").write_text(exported, encoding="utf-8")
    copy.run(f"import {work}/howth.json")
    row.check(copy.run("export") == exported, "a new town takes all of it")
    other.run("import --starter --time-zone America/Vancouver")
    other.run("town --holidays CA-BC")
    other.run(f"import {work}/howth.json", 0, "left out, since the town has its own")
    other.run(f"import --settings {work}/howth.json")
    other.run("town", 0, "Europe/Dublin")
    return [row]


# From an earlier version, with values that requests and imports may no longer bring


def earlier(binary: Path, work: Path, _: bool) -> list[Row]:
    row = Row("a folder of an earlier version")
    with tarfile.open(EARLIER) as archive:
        archive.extractall(work, filter="data")
    town, clocks = Folder(binary, work / "earlier", row), "the town has the clocks of America/Vancouver"
    position = town.run("read-only on").strip()
    for when in ("read-only", "first", "again", "from a backup"):
        server, local = town.serve()
        names = [path for kind in ("businesses", "events")
                 for item in local.must("GET", f"/api/v1/{kind}?per_page=100")["items"]
                 for path in [f"{kind}/{urllib.parse.quote(item['slug'], safe='')}"]]
        for path in (*names, "users", "categories", "admin/tokens", "admin/export", "admin/export?format=csv"):
            row.answered(local.ask("GET", f"/api/v1/{path}"), 200, f"{path}, {when}")
        row.answered(send(server.url, "/api/v1/businesses/moving-3"), 301, f"an old slug leads on, {when}")
        if when == "first":  # an edit is not held back by what a record has from before
            row.answered(local.ask("PATCH", "/api/v1/businesses/large", {"name": "Larger"}), 200, "a large record")
            row.answered(local.ask("PATCH", "/api/v1/businesses/a%2Fb%3Fc%23d", {"name": "Odd"}), 200, "an odd slug")
        row.check(server.stop() == 0, f"it ends, {when}", server.said)
        row.check((clocks in server.said) == (when == "first"), f"it tells its clocks once, {when}", server.said)
        if when == "read-only":
            row.check(town.position() == position, "a start that is read-only makes no commit")
            town.run("read-only off")
        if when == "again":
            town.run(f"backup {work}/backup.json")
            town, before = Folder(binary, work / "copy", row), town.run("export")
            town.run(f"restore {work}/backup.json")
            row.check(town.run("export") == before, "a backup has all of it")
    return [row]


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
        self.output, self.url = "", ""
        for line in self.process.stdout or ():
            self.output += line
            if "Control-C" in line or '"logins"' in line:
                break
        if found := re.search(r"ready at (http://[^\s\"]+)", self.output):
            self.url = found[1]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(30)

    def logs_in(self, body: bytes) -> Any:
        """The account that a log-in gives."""
        token = send(self.url, "/api/v1/session", "POST", JSON, body).json()["token"]
        return send(self.url, "/api/v1/me", "GET", {"Authorization": f"Bearer {token}"}).json()


def demo(binary: Path, work: Path, _: bool) -> list[Row]:
    row, home = Row("the demo"), work / "home"
    home.mkdir()

    def left(count: int, what: str) -> None:
        row.check(len(list(home.iterdir())) == count, f"{what}: {count} folders", list(home.iterdir()))

    first, other = Demo(binary, home, "--log", "off"), Demo(binary, home, "--log", "json")
    login = re.search(r"^  (curl \S+/api/v1/session --json .*)$", first.output, re.M)
    words = shlex.split(login[1]) if login else []
    row.check(first.logs_in(words[3].encode())["role"] == "super_admin", "it prints a log-in that works", first.output)
    data = re.search(r"--data (\S+)$", first.output, re.M)
    row.check('"businesses":40' in sooke(binary, "status", "--format", "json", "--data", data[1] if data else "").stdout,
              "other commands use its folder")
    greeting = json.loads(other.output.splitlines()[0])
    row.check(greeting.keys() >= {"address", "data", "email", "password"}, "a log in JSON is objects", greeting)
    left(2, "two demos")
    row.check(first.stop(signal.SIGKILL) == -9 and other.stop() == 0, "one is killed, one ends")
    left(1, "the killed one leaves its own")
    table, password = work / "own.csv", "a long walk to Whiffin Spit"
    table.write_text("Name,Category,Street,Map\nNorth Pole Books,Shops,1 Way,\"48.37, -123.72\"\n")
    own = Demo(binary, home, "--log", "off", "--password", password, table)
    left(1, "the next one removes what was left")
    people = re.findall(r"^  (\S+@\S+) ", own.output, re.M)
    roles = [own.logs_in(json.dumps({"email": email, "password": password}).encode())["role"] for email in people]
    row.check(roles == ["super_admin", "business_owner", "general_user"], "accounts of three roles, of own data", roles)
    row.check(own.stop() == 0, "it ends")
    left(0, "and removes its own")
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
