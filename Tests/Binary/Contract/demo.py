#!/usr/bin/env python3
"""Checks the demo, with own data too, the messages of servers in both formats, their links, what commands print for
people and for programs, and a restore from standard input.

usage: demo.py BINARY
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))
import harness  # noqa: E402
from harness import Tally, send  # noqa: E402

DATASET = Path(__file__).parent / "dataset.json"


class Process:
    """A server with its output in two files."""

    def __init__(self, binary: Path, prints: Path, *words: str | Path, home: Path | None = None) -> None:
        prints.mkdir()
        self.files = [prints / name for name in ("stdout", "stderr")]
        environment = {**os.environ, **({"TMPDIR": str(home)} if home else {})}
        with self.files[0].open("wb") as out, self.files[1].open("wb") as err:
            self.process = subprocess.Popen([str(binary), *map(str, words)], stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=err, env=environment)
        self.url = ""
        for _ in range(1000):
            if found := re.search(r"ready at (http://[^\s\"]+)", self.files[0].read_text()):
                self.url = found[1]
                break
            time.sleep(0.02)

    @property
    def output(self) -> str:
        return self.files[0].read_text()

    @property
    def lines(self) -> list[str]:
        return [line for file in self.files for line in file.read_text().splitlines()]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(30)


def objects(lines: list[str]) -> list[dict[str, object]]:
    """The lines as JSON objects; raises ValueError for an invalid one."""
    found = [json.loads(line) for line in lines]
    if not all(isinstance(value, dict) for value in found):
        raise ValueError("a line is no object")
    return found


class Checks:
    def __init__(self, binary: Path, folder: Path) -> None:
        self.tally = Tally()
        self.binary, self.folder = binary, folder
        self.home = folder / "home"
        self.home.mkdir()
        self.started: list[Process] = []

    def check(self, holds: object, what: str, detail: object = "") -> bool:
        self.tally.check(bool(holds), what, detail)
        return bool(holds)

    def start(self, *words: str | Path) -> Process:
        process = Process(self.binary, self.folder / f"prints-{len(self.started)}", *words, home=self.home)
        self.started.append(process)
        return process

    def demo(self) -> None:
        demo = self.start("demo", "--port", "0", "--log", "off")
        self.check(re.findall(r"^  (\S+@\S+) +(.*)$", demo.output, re.M) == [
            ("ada@sooke.example", "an administrator: may do everything"),
            ("dan@slacktide.example", "the owner of the-slack-tide-pub: changes it, and what is on there"),
            ("priya.sandhu@mail.example", "a resident: sends events")], "it prints three logins", demo.output)
        self.check(demo.output.find(f"{demo.url}/login ") in range(demo.output.find("  curl ")),
                   "and first where to log in", demo.output)
        login = re.search(r"^  (curl \S+/api/v1/session --json .*)$", demo.output, re.M)
        words = shlex.split(login[1]) if login else []
        self.check(words and words[1] == f"{demo.url}/api/v1/session", "it prints a login", demo.output)
        answer = send(demo.url, "/api/v1/session", "POST", {"Content-Type": "application/json"}, words[3].encode())
        self.check(answer.status == 200 or answer.status == 201, "which is accepted", answer.body)
        token = json.loads(answer.body)["token"]
        people = send(demo.url, "/api/v1/users", "GET", {"Authorization": f"Bearer {token}"}, b"")
        self.check(people.status == 200, "for an administrator", people.body)
        folder = re.search(r"--data (\S+)$", demo.output, re.M)
        status = harness.sooke(self.binary, "status", "--format", "json", "--data", folder[1] if folder else "")
        self.check(status.returncode == 0 and '"businesses":40' in status.stdout, "other commands use its folder",
                   status.stdout + status.stderr)
        for origin, allowed in (("http://localhost:5173", True), ("https://127.0.0.1", True), ("http://[::1]:3000", True),
                                ("http://localhost.evil.example", False)):
            answer = send(demo.url, "/api/v1/businesses", "GET", {"Origin": origin}, b"")
            got = {name.lower(): value for name, value in answer.headers.items()}.get("access-control-allow-origin")
            self.check(got == (origin if allowed else None), f"the page {origin}", got)
        other = self.start("demo", "--port", "0", "--log", "off")
        self.check(len(list(self.home.iterdir())) == 2, "two demos have two folders")
        self.check(words[3] not in other.output, "and two passwords")
        self.check(demo.stop(signal.SIGKILL) == -9 and len(list(self.home.iterdir())) == 2, "a killed one leaves its own")
        self.check(other.stop() == 0 and len(list(self.home.iterdir())) == 1, "an ended one does not")
        last = self.start("demo", "--port", "0", "--log", "off")
        self.check(len(list(self.home.iterdir())) == 1, "the next one removes what was left", list(self.home.iterdir()))
        self.check(last.stop() == 0 and not list(self.home.iterdir()), "and its own")

    def logs_in(self, demo: Process, email: str, password: str) -> dict[str, object]:
        """Logs in; the account."""
        body = json.dumps({"email": email, "password": password}).encode()
        answer = send(demo.url, "/api/v1/session", "POST", {"Content-Type": "application/json"}, body)
        if not self.check(answer.status == 201, f"{email} can log in", answer.body):
            return {}
        return json.loads(send(demo.url, "/api/v1/me", "GET",
                               {"Authorization": f"Bearer {json.loads(answer.body)['token']}"}, b"").body)

    def signals(self) -> None:
        """Two signals within a second are one; a later one ends it at once. A request that does not end makes it wait."""
        for wait, status, left in ((0.1, 0, 0), (1.3, -signal.SIGTERM, 1)):
            demo = self.start("demo", "--port", "0", "--log", "off")
            host, port = demo.url.removeprefix("http://").split(":")
            with socket.create_connection((host, int(port))) as client:
                client.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n")
                time.sleep(0.2)
                demo.process.send_signal(signal.SIGTERM)
                time.sleep(wait)
                demo.process.send_signal(signal.SIGTERM)
                time.sleep(0.1)
            ended, folders = demo.process.wait(30), list(self.home.iterdir())
            self.check((ended, len(folders)) == (status, left), f"two signals, {wait} s apart", f"{ended}, {folders}")
            for folder in folders:
                shutil.rmtree(folder)

    def own_data(self) -> None:
        """A demo of files, with a password that an app knows."""
        table, password = self.folder / "own.csv", "a long walk to Whiffin Spit"
        table.write_text("Name,Category,Street,Map\nNorth Pole Books,Shops,1 Way,\"48.37, -123.72\"\n"
                         "Île Café,Cafés,2 Way,\"48.38, -123.73\"\n")
        demo = self.start("demo", "--port", "0", "--log", "off", "--password", password, table)
        self.check("with 2 businesses, 0 events" in demo.output, "it says what it serves", demo.output)
        found = json.loads(send(demo.url, "/api/v1/businesses", "GET", {}, b"").body)["items"]
        self.check([one["name"] for one in found] == ["Île Café", "North Pole Books"], "it serves the file", found)
        accounts = re.findall(r"^  (\S+@\S+) +(.*)$", demo.output, re.M)
        self.check([who.split(":")[0] for _, who in accounts] == [
            "an administrator", "the owner of north-pole-books", "a resident"],
                   "it prints three logins", demo.output)
        roles = [self.logs_in(demo, email, password).get("role") for email, _ in accounts]
        self.check(roles == ["super_admin", "business_owner", "general_user"], "of the three roles", roles)
        demo.stop()
        for words, status, said in (([self.folder / "missing.csv"], 66, "missing.csv"), (["--password", "short"], 64, "12 characters"),
                                    ([DATASET.parent / "cases.py"], 65, "nothing is served")):
            done = harness.sooke(self.binary, "demo", "--port", "0", *words)
            self.check(done.returncode == status and said in done.stderr, f"a demo of {words}", done.stderr)
        self.check(not list(self.home.iterdir()), "no folder is left", list(self.home.iterdir()))

    def first_steps(self) -> None:
        """A town is begun without files; what commands print is text or JSON."""
        data = self.folder / "begun"
        for command, status in ((("verify",), 66), (("status",), 66), (("changes", "--since", "0"), 66), (("import",), 64)):
            done = harness.sooke(self.binary, *command, "--data", data)
            said = "needs FILE" if command == ("import",) else f"there is no town in {data}"
            self.check((done.returncode, said in done.stderr) == (status, True), f"{command} without a town", done.stderr)
        self.prints("import", "--starter", "--data", data, says="categories: 10 new; event types: 10 new\n")
        self.prints("import", "--starter", "--data", data, says="nothing changed", exactly=False)
        changes = self.prints("changes", "--data", data)
        self.check(len(changes.splitlines()) == 21 and "  created category restaurants  (by local)" in changes,
                   "the first import is shown", changes)
        whole = self.prints("changes", "--data", data, "--since", "0", "--format", "json").splitlines()
        position = json.loads(self.prints("status", "--format", "json", "--data", data))["position"]
        self.check(len(whole) == 22 and json.loads(whole[-1]) == {"position": position}, "the whole town, unserved", whole)
        some = self.prints("changes", "--data", data, "--since", "0", "--topics", "event_type")
        self.check(len(some.splitlines()) == 10, "a part of it", some)
        self.prints("status", "--data", data, says="0 businesses, 0 events, 10 categories, 10 event types, 0 users",
                    exactly=False)
        self.prints("user", "add", "ada@town.example", "--role", "super_admin", "--data", data)
        token = self.prints("token", "create", "app", "--for", "ada@town.example", "--data", data)
        server = self.start("serve", "--data", data, "--port", "0", "--log", "off")
        answer = send(server.url, "/api/v1/me", "GET", {"Authorization": f"Bearer {token.strip()}"}, b"")
        self.check(re.fullmatch(r"sooke_api_\S+\n", token) and answer.status == 200, "a token alone", token)
        self.prints("import", "--starter", "--data", data)
        self.prints("status", "--data", data, says="  server       runs since ", exactly=False)
        self.check(self.prints("changes", "--data", data, "--since", "0", "--format", "json").splitlines()[:20] == whole[:20],
                   "the whole town, served")
        server.stop()

    def prints(self, *words: str | Path, says: str = "", exactly: bool = True) -> str:
        """What a command prints; it must succeed, and say something."""
        done = harness.sooke(self.binary, *words)
        good = done.returncode == 0 and (done.stdout == says if says and exactly else says in done.stdout)
        self.check(good, f"sooke {' '.join(map(str, words))}", done.stdout + done.stderr)
        return done.stdout

    def clock(self) -> None:
        for options, ticks in (((), False), (("--now-ticks",), True)):
            demo = self.start("demo", "--port", "0", "--log", "off", "--now", "2027-06-01", *options)
            times = []
            for _ in range(2):
                times.append(json.loads(send(demo.url, "/api/v1/health", "GET", {}, b"").body).get("time")
                             or send(demo.url, "/live", "GET", {}, b"").headers.get("Date"))
                time.sleep(1.1)
            self.check("01 Jun 2027 19:00:0" in str(times[0]) or "2027-06-01T19:00:0" in str(times[0]),
                       "a day begins at noon in the town", times)
            self.check((times[0] != times[1]) == ticks, f"the clock {'runs' if ticks else 'stands'}", times)
            week = str(send(demo.url, "/week", "GET", {}, b"").body)
            self.check(">Today</b>" in week and "cancelled" in week and week.count('class="row timed"') >= 6,
                       "the week of that day is full", week)
            demo.stop()

    def log(self) -> None:
        data = self.folder / "accountless"
        server = self.start("serve", "--data", data, "--port", "0", "--log", "json", "--now", "2027-06-01")
        self.check(send(server.url, "/api/v1/businesses", "GET", {}, b"").status == 200, "it answers")
        again = harness.sooke(self.binary, "serve", "--data", data, "--port", "0", "--log", "json")
        self.check(again.returncode == 73 and objects(again.stderr.splitlines())[0]["level"] == "error",
                   "an error at the start is an object", again.stderr)
        self.check(server.stop() == 0, "it stops")
        found = objects(server.lines)
        messages = " | ".join(str(line.get("message", "")) for line in found)
        for text in ("ready at http://", "the clock stands at 2027-06-01T19:00:00Z", "there is no account yet"):
            self.check(text in messages, f"an object says: {text}", messages)
        self.check(any(line.get("status") == 200 for line in found), "and one has the request", found)
        self.check(all("time" in line for line in found), "all have a time", found)
        demo = self.start("demo", "--port", "0", "--log", "json")
        demo.stop()
        greeting = objects(demo.lines)[0]
        self.check(greeting.keys() >= {"address", "data", "email", "password"}, "the greeting of the demo", greeting)

    def links(self) -> None:
        hosts = [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("localhost", "127.0.0.1")]
        if socket.has_ipv6 and Path("/proc/net/if_inet6").exists() and Path("/proc/net/if_inet6").read_text():
            hosts += [("::1", "[::1]"), ("::", "127.0.0.1")]
        for host, name in hosts:
            demo = self.start("demo", "--port", "0", "--host", host, "--log", "off")
            self.check(re.fullmatch(rf"http://{re.escape(name)}:[1-9]\d*", demo.url), f"the address of {host}", demo.url)
            calendar = send(demo.url, "/api/v1/events.ics", "GET", {}, b"").body
            text = calendar.decode() if isinstance(calendar, bytes) else str(calendar)
            links = set(re.findall(r"http://[^/\s]+(?=/events/)", text.replace("\r\n ", "")))
            self.check(links == {demo.url}, f"the links of {host}", links)
            demo.stop()

    def restore(self) -> None:
        data, backup = self.folder / "town", self.folder / "town.backup.json"
        harness.load(self.binary, data, DATASET)
        self.check(harness.sooke(self.binary, "backup", "--data", data, backup).returncode == 0, "a backup")
        for content, status in ((backup.read_bytes(), 0), (backup.read_bytes()[:-200], 65), (b"", 65)):
            target = self.folder / f"restored-{status}-{len(content)}"
            done = subprocess.run([str(self.binary), "restore", "-", "--data", str(target)], input=content,
                                  capture_output=True, timeout=60)
            self.check(done.returncode == status and target.exists() == (status == 0), "a restore from standard input",
                       done.stdout + done.stderr)
        self.check(not list(self.folder.glob(".sooke-*")), "leaves nothing beside it")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=harness.executable)
    binary = parser.parse_args().binary
    with harness.temporary_folder() as folder:
        checks = Checks(binary, folder)
        try:
            for group in (checks.demo, checks.signals, checks.own_data, checks.first_steps, checks.clock, checks.log, checks.links, checks.restore):
                try:
                    group()
                except (OSError, ValueError, KeyError, IndexError) as error:
                    checks.check(False, f"{group.__name__} could be finished", repr(error))
        finally:
            for process in checks.started:
                if process.process.poll() is None:
                    process.stop(signal.SIGKILL)
        return checks.tally.close()


if __name__ == "__main__":
    sys.exit(main())
