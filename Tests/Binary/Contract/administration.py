#!/usr/bin/env python3
"""Checks what a running server reports to its owner: metrics, status, history, audit; and whom it believes and answers.

usage: administration.py BINARY

Metrics are checked by `promtool check metrics` too where Debian's `prometheus` is installed.
"""

import argparse
import json
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))
import harness  # noqa: E402
from harness import Answer, LocalConnection, Server, Tally, send  # noqa: E402

DATASET = Path(__file__).parent / "dataset.json"
CLIENT = "192.0.2.7"  # whom the proxy names; reserved for examples (RFC 5737)
SAMPLE = re.compile(r"^(?P<name>[a-z_]+)(?:\{(?P<labels>[^}]*(?:\{[^}]*\}[^}]*)*)\})? (?P<value>-?[0-9.e+]+)$")


class Checks:
    """The checks of one server."""

    def __init__(self, binary: Path, data: Path) -> None:
        self.tally = Tally()
        self.binary, self.data = binary, data
        self.server = Server(binary, data, "--proxy", "127.0.0.1", "--allow-host", "town.example").ready()

    def check(self, holds: object, what: str, detail: object = "") -> None:
        self.tally.check(bool(holds), what, detail)

    def ask(self, path: str, method: str = "GET", body: str | None = None,
            kind: str = "application/json") -> tuple[int, str]:
        """What the owner of the folder is answered."""
        connection = LocalConnection(self.data / "admin.sock")
        connection.request(method, path, body, {"Content-Type": kind} if body else {})
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, text

    def stranger(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if body:
            fields.setdefault("Content-Type", "application/json")
        return send(self.server.url, path, method, fields, body)

    def import_types(self) -> None:
        """The media type of a body says its format, unless the query does."""
        card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Typed\r\nADR:;;1 Main;;;;\r\nGEO:48.3;-123.7\r\nEND:VCARD\r\n"
        event = ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Typed\r\n"
                 "DTSTART:20270101T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
        place = json.dumps({"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"name": "Typed", "address": "1 Main"},
             "geometry": {"type": "Point", "coordinates": [-123.7, 48.3]}}]})
        table = "name,address,latitude,longitude\nTyped,1 Main,48.3,-123.7\n"
        path = "/api/v1/admin/import?dry_run=true&create_categories=true&category=New&event_type=New"
        for kind, body in [("text/csv", table), ("text/csv; charset=utf-8", table), ("TEXT/VCARD", card),
                           ("text/calendar", event), ("application/geo+json", place)]:
            status, text = self.ask(path, "POST", body, kind)
            self.check(status == 200, f"an import of {kind}", f"{status} {text[:300]}")
        status, text = self.ask(path + "&format=csv", "POST", table, "text/calendar")
        self.check(status == 200, "the query counts more than the media type", f"{status} {text[:300]}")
        status, text = self.ask(path, "POST", table, "text/plain")
        self.check(status == 400 and "Content-Type" in text, "text of no kind", f"{status} {text[:300]}")

    def metrics(self) -> None:
        self.check(self.stranger("/metrics").status == 401, "metrics are not for strangers")
        before = self.count("/api/v1/businesses/{slug}")
        for _ in range(5):
            self.stranger("/api/v1/businesses/zeds-diner")
        self.check(self.count("/api/v1/businesses/{slug}") == before + 5, "five requests are counted")
        status, text = self.ask("/metrics")
        self.check(status == 200, "the owner has them", status)
        self.format(text)
        for name in ("sooke_http_requests_total", "sooke_http_request_duration_seconds_bucket", "sooke_commits_total",
                     "sooke_batches_total", "sooke_fsync_duration_seconds_count", "sooke_log_bytes",
                     "sooke_snapshot_bytes", "sooke_records", "sooke_http_connections", "sooke_problem",
                     "process_resident_memory_bytes", "process_start_time_seconds"):
            self.check(re.search(rf"^{name}[ {{]", text, re.M), f"there is {name}")
        version, commit = re.match(r"sooke (\S+) \((?:commit (\w+))?", harness.sooke(self.binary, "version").stdout).groups()
        info = f'sooke_build_info{{version="{version}",commit="{commit or ""}"}} 1'
        self.check(info in text.splitlines(), "the build is that of `sooke version`", info)
        free, now = re.search(r"^sooke_disk_free_bytes (\d+)$", text, re.M), shutil.disk_usage(self.data).free
        self.check(free and abs(int(free[1]) - now) < now // 4, "the free disk is told", f"{free and free[1]}, not {now}")
        if promtool := shutil.which("promtool"):
            done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True)
            self.check(done.returncode == 0, "promtool finds nothing", done.stdout + done.stderr)

    def count(self, route: str) -> int:
        _, text = self.ask("/metrics")
        found = re.search(rf'^sooke_http_requests_total{{method="GET",route="{re.escape(route)}",status="200"}} (\d+)$',
                          text, re.M)
        return int(found[1]) if found else 0

    def format(self, text: str) -> None:
        """The text format 0.0.4: what every sample belongs to is described once, before it."""
        types: dict[str, str] = {}
        described: set[str] = set()
        seen: set[str] = set()
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            if word == "#":
                kind, name, value = rest.split(" ", 2)
                known = described if kind == "HELP" else types
                self.check(kind in ("HELP", "TYPE") and name not in known, "each metric is described once", line)
                described.add(name)
                if kind == "TYPE":
                    types[name] = value
                continue
            sample = SAMPLE.match(line)
            name = re.sub(r"_(bucket|sum|count)$", "", sample["name"]) if sample else ""
            whole = types.get(name) == "histogram" or (sample is not None and sample["name"] in types)
            self.check(whole and line.rpartition(" ")[0] not in seen, "each sample is well-formed and there once", line)
            seen.add(line.rpartition(" ")[0])
        self.check(text.endswith("\n"), "the text ends with a line feed")
        for series in set(re.findall(r'^(\w+)_bucket\{(.*?),?le="', text, re.M)):
            steps = [int(value) for value in re.findall(
                rf'^{series[0]}_bucket{{{re.escape(series[1])},?le="[^"]*"}} (\d+)$', text, re.M)]
            self.check(steps and steps == sorted(steps), "a histogram never falls", f"{series} {steps}")

    def status(self) -> None:
        status = json.loads(self.ask("/api/v1/admin/status")[1])
        self.check(status["uptime_seconds"] in range(120) and status["started_at"], "the server's age is told", status)
        self.check(status["connections"] >= 1 and status["resident_bytes"] > 1 << 20, "and its size", status)
        self.check(status["history_begins_by"] == "beginning" and status["history_since"] is None
                   and 0 <= status["history_bytes"] < 256 << 20 <= status["history_bytes_limit"], "and its history", status)
        self.check("snapshot_at" in status and "snapshot_age_seconds" in status, "and its last snapshot", status)

    def history(self) -> None:
        path = "/api/v1/businesses/zeds-diner"
        self.check(self.ask(path, "PATCH", '{"phone":"250-555-0199"}')[0] == 200, "a business is changed")
        status, text = self.ask("/api/v1/history?of=businesses/zeds-diner&limit=1")
        entry = json.loads(text)["items"][0] if status == 200 else {}
        changes = entry.get("changes", [{}])
        self.check(entry.get("by") == "local" and changes[0].get("field") == "phone"
                   and changes[0].get("after") == "250-555-0199", "the change is told", text[:300])
        self.check(self.stranger("/api/v1/history?of=businesses/zeds-diner").status == 401, "but not to strangers")

    def audit(self) -> None:
        forwarded = f"6.6.6.6, {CLIENT}"
        answer = self.stranger("/api/v1/businesses?token=hidden", "POST", b"{}", X_Forwarded_For=forwarded)
        self.check(answer.status == 401, "a stranger adds no business", answer.status)
        guess = b'{"email":"ghost@town.example","password":"hidden"}'
        answer = self.stranger("/api/v1/session?token=hidden", "POST", guess, X_Forwarded_For=forwarded)
        self.check(answer.status == 401, "and does not log in", answer.status)
        newest = json.loads(self.ask("/api/v1/admin/audit?limit=2")[1])["items"]
        want = [{"action": "request", "result": "refused", "by": None},
                {"action": "login", "result": "failed", "status": 401, "code": "wrong_password", "by": None,
                 "from": CLIENT, "method": "POST", "path": "/api/v1/session"}]
        self.check(newest[0].get("count", 0) >= 1, "refusals have a count", newest[0])
        for entry in newest:
            entry.pop("at", None), entry.pop("count", None)
        self.check(newest == want, "the refusal is counted, the login stored with the client that the proxy names",
                   newest)
        file = self.data / "audit-strangers.log"
        self.check(stat.S_IMODE(file.stat().st_mode) == 0o600, "for the owner alone")
        self.check("hidden" not in file.read_text(), "without what may be secret")

    def limits(self) -> None:
        client = "192.0.2.77"
        statuses = [self.stranger("/api/v1/setup", "POST", b"{}", X_Forwarded_For=client).status for _ in range(70)]
        self.check(statuses[:60] == [422] * 60 and 429 in statuses[60:], "an address may try 60 times", statuses)
        other = self.stranger("/api/v1/setup", "POST", b"{}", X_Forwarded_For="192.0.2.8")
        self.check(other.status == 422, "another may still", other.status)

    def hosts(self) -> None:
        port = self.server.url.rpartition(":")[2]
        for host, status in [(f"127.0.0.1:{port}", 200), (f"localhost:{port}", 200), ("town.example", 200),
                             ("192.0.2.1", 200), ("evil.example", 421), (f"evil.example:{port}", 421)]:
            answer = self.stranger("/api/v1/health", Host=host)
            self.check(answer.status == status, f"the host {host}", f"{answer.status} instead of {status}")

    def offline(self) -> None:
        """What commands say where no server runs."""
        folder = self.data.parent / "offline"
        folder.mkdir()
        (folder / "places.csv").write_text("name,address,latitude,longitude,category,monday\n"
                                           "Pub,1 A St,48.37,-123.73,Bars,9:00-17:00\n")
        data, backup, new = folder / "town", folder / "town.json", folder / "new"

        def run(line: str, status: int, said: str = "") -> subprocess.CompletedProcess[str]:
            done = harness.sooke(self.binary, *line.split(), "--data", new if "restore" in line else data)
            self.check(done.returncode == status and said in done.stderr, f"`sooke {line}`", f"{done.returncode} {done.stderr}")
            return done

        for line in ("status", "town", "changes", "export", "verify", "user list", "token list", "snapshot", "setup-link", "log",
                     f"backup {backup}", f"repair --to {new}"):
            self.check(run(line, 66 if line != "setup-link" else 69).returncode and not data.exists(),
                       f"`sooke {line}` makes no folder")
        run(f"import --create-categories --time-zone America/Vancouver {folder / 'places.csv'}", 0)
        for confirmed in ("", " --yes"):
            done = run(f"town --time-zone Vancouver{confirmed}", 64, "--time-zone: ")
            self.check(not done.stdout and "America/Vancouver" in done.stderr, "an invalid zone moves nothing", done.stdout)
        self.check("these move" in run("town --time-zone Europe/Dublin", 65).stdout, "a valid one does")
        run("user add x --role general_user", 65, "sooke: some fields are invalid: email ")
        run(f"backup {backup}", 0)
        whole = backup.read_bytes()
        for length in (0, 1, 40, len(whole) // 2, len(whole) - 30, len(whole) - 1):
            backup.write_bytes(whole[:length])
            for check in ("", " --check"):
                run(f"restore {backup}{check}", 65, "Use another backup file. Nothing was changed\n")
                self.check(not new.exists(), f"a backup of {length} bytes is not restored")
        self.check("  65  FILE is cut, damaged, " in run("restore --help", 0).stdout, "the help says so")

    def after(self, binary: Path) -> None:
        """The file of the audit is in nobody's way."""
        self.check(self.server.stop() == 0, "the server stops")
        self.check(harness.sooke(binary, "verify", "--data", self.data).returncode == 0, "the folder is sound")
        self.server = Server(binary, self.data).ready()
        lines = json.loads(self.ask("/api/v1/admin/audit?limit=1000")[1])["items"]
        setups = sum(line.get("count", 1) for line in lines if line["action"] == "setup")
        self.check(setups > 60, "the audit is there after a restart, with how often it was tried", lines)
        self.check(self.stranger("/api/v1/health", Host="town.example").status == 421, "and the names are not")
        self.check(self.server.stop() == 0, "the server stops again")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=harness.executable)
    binary = parser.parse_args().binary
    with harness.temporary_folder() as folder:
        data = folder / "data"
        harness.load(binary, data, DATASET)
        checks = Checks(binary, data)
        try:
            for group in (checks.import_types, checks.metrics, checks.status, checks.history, checks.audit, checks.limits,
                          checks.hosts, checks.offline):
                try:
                    group()
                except (OSError, ValueError, KeyError, IndexError) as error:
                    checks.check(False, f"{group.__name__} could be finished", repr(error))
            checks.after(binary)
        finally:
            checks.server.kill()
        return checks.tally.close()


if __name__ == "__main__":
    sys.exit(main())
