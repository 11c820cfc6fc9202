"""The follower for Postgres: every row as in a fresh export, also after changes, stops and wrong messages."""

import json
import random
import re
import signal
import subprocess
import threading
import time
from typing import IO, Any

from checks import Row
from database import Case, Database
from harness import Local, Server, sooke
from moving import whole
from reference import program_folder, run, unprivileged_user

POSITION = "SELECT sequence || '.' || chain FROM sooke_position"
AT = {"latitude": 48.37, "longitude": -123.73}
SEQUENCES = "SELECT sequencename, last_value FROM pg_sequences WHERE sequencename <> 'user_roles_id_seq' AND " \
            "sequencename NOT LIKE 'goose%' ORDER BY 1"


def exported(case: Case, name: str) -> Database:
    """A database with a fresh export of the town, private records included."""
    database = Database(*case.place, name)
    if (done := database.psql(whole(case.binary, case.data, "--schema", "--private")[0])).returncode:
        raise RuntimeError(f"the export failed: {done.stderr.decode()}")
    return database


def script(case: Case, since: str) -> bytes:
    """The transactions since a position."""
    return whole(case.binary, case.data, "--private", "--since", since)[0]


def compare(case: Case, database: Database, name: str) -> None:
    """Each row, and each sequence, as in a fresh export."""
    fresh = exported(case, name)
    wanted = fresh.rows()
    for table, got in database.rows().items():
        case.row.check(got == wanted[table], f"{name}: the rows of {table}", set(got) ^ set(wanted[table]))
    had = dict(line.split("|") for line in database.must(SEQUENCES).splitlines())
    for line in fresh.must(SEQUENCES).splitlines():
        sequence, last = line.split("|")
        if sequence in had:  # tables that were there may share one
            case.row.check(int(had[sequence] or 0) >= int(last or 0), f"{name}: {sequence}", (had[sequence], last))


# What is sent wrongly


def status(case: Case) -> str:
    """The position of the town."""
    return json.loads(sooke(case.binary, "status", "--format", "json", "--data", case.data).stdout)["position"]


def wrong(case: Case) -> None:
    """A transaction that is missing, swapped or repeated, one of another town, a second stream: nothing is changed. Cut
    at any byte of a transaction, nothing is half done."""
    row, database, steps = case.row, exported(case, "wrong"), []
    server = Server(case.binary, case.data).ready()
    for number in range(4):
        since = status(case)
        Local(case.data, server.url).must("POST", "/api/v1/categories", {"name": f"Part {number}; ''\\"})
        steps.append(script(case, since))
    done = sooke(case.binary, "export", "--format", "postgres", "--since", "1.0000000000000000", "--data", case.data)
    row.check(done.returncode == 65 and not done.stdout, "a foreign position", done.stderr)
    server.stop()
    one, two, three, four = steps
    identity = re.search(rb"sooke_advance\('([0-9a-f]{32})'", one)[1]
    for name, sent in (("without the one before", two), ("swapped", two + one),
                       ("of another town", one.replace(identity, identity[::-1])),
                       ("with a step of no kind", one.replace(b"\tbusiness_categories\t", b"\tGONE\t", 1))):
        fails(database, sent, name, row)
    # One that stands still while it is sent holds up nobody.
    stopped = subprocess.Popen(["psql", "-Xq"], env=database.environment, stdin=subprocess.PIPE)
    stopped.stdin.write(one[:one.index(b"CALL sooke_advance")])
    stopped.stdin.flush()
    holder = subprocess.Popen(["psql", "-Xq"], env=database.environment, stdin=subprocess.PIPE)
    holder.stdin.write(one.replace(b"COMMIT;", b"SELECT pg_sleep(2)\\g /dev/null\nCOMMIT;"))
    holder.stdin.close()
    asleep = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'"
    while database.must(asleep) == "0" and holder.poll() is None:
        time.sleep(0.05)
    done = database.psql(one)
    row.check(done.returncode == 3 and b"sooke: the database is at" in done.stderr, "a second stream waits, and fails",
              done.stderr)
    row.check(holder.wait() == 0, "the first one goes on")
    for name, sent in (("repeated", one), ("that skips one", three)):
        fails(database, sent, name, row)
    row.check(database.psql(two + three + three).returncode == 3, "repeated after others")
    row.check(database.must(POSITION) == since, "a stream that stands still holds no lock", database.must(POSITION))
    stopped.kill()
    stopped.wait()
    query, end = f"{POSITION}; SELECT count(*) FROM business_categories", four.rindex(b"COMMIT")
    before = database.must(query)
    for count in range(four.index(b"BEGIN\\;"), end + len("COMMIT")):
        if case.short and count % 29 and count < end - 12:
            continue
        database.psql(four[:count])
        if not row.check(database.must(query) == before, f"cut after {count} bytes", four[max(0, count - 40):count]):
            return
    row.check(database.psql(four).returncode == 0 and database.must(query) != before, "and whole it is done")


def fails(database: Database, sent: bytes, name: str, row: Row) -> None:
    before = database.rows()
    done = database.psql(sent)
    row.check(done.returncode == 3, f"a transaction {name} is refused", done.stderr)
    row.check(database.rows() == before, f"a transaction {name} changes nothing")


# For minutes, with everything killed


class Soak:
    """Writers, and a follower between them and Postgres, of which something is killed again and again."""

    def __init__(self, case: Case) -> None:
        self.case, self.random = case, random.Random(3)
        self.errors = case.folder / "follow.txt"
        self.done, self.closed = threading.Event(), False
        self.writes = self.kills = self.restarts = 0
        self.lock = threading.Lock()
        self.pipe: list[subprocess.Popen[bytes]] = []
        self.database = exported(case, "soak")
        self.serve()
        Local(case.data, self.server.url).must("POST", "/api/v1/categories", {"name": "Live", "slug": "live"})

    def serve(self) -> None:
        self.server = Server(self.case.binary, self.case.data, "--write-limit", "1000000").ready()

    def run(self, kills: int) -> None:
        threads = [threading.Thread(target=self.write, args=(number,)) for number in range(32)]
        threads.append(threading.Thread(target=self.follow))
        for thread in threads:
            thread.start()
        ways = [self.kill_server, self.kill_follower, self.kill_backend, self.stop_postgres]
        for self.kills in range(kills):
            time.sleep(self.random.uniform(0.5, 2.5))
            ways[self.kills % len(ways)]()
        self.done.set()
        for thread in threads[:-1]:
            thread.join()
        deadline, last = time.monotonic() + 60, status(self.case)
        while time.monotonic() < deadline and self.reached() != last:
            time.sleep(0.2)
        self.case.row.check(self.reached() == last, "it catches up",
                            (self.reached(), self.errors.read_text(errors="replace")[-500:]))
        self.closed = True
        threads[-1].join()
        self.server.stop()
        compare(self.case, self.database, "after all kills")
        self.case.row.figures = f"{self.writes:,} writes, {kills} kills, {self.restarts} starts of the follower"

    # The follower, as its recipe runs it

    def follow(self) -> None:
        while not self.closed:
            if since := self.reached():
                with self.errors.open("ab") as errors:
                    self.start(since, errors)
                while not self.closed and all(process.poll() is None for process in self.pipe):
                    time.sleep(0.02)
                self.close()
            time.sleep(0.1)

    def start(self, since: str, errors: IO[bytes]) -> None:
        sink = subprocess.Popen([self.case.binary, "export", "--format", "postgres", "--private", "--follow", "--since",
                                 since, "--data", self.case.data], stdout=subprocess.PIPE, stderr=errors)
        psql = subprocess.Popen(["psql", "-Xq"], env=self.database.environment, stdin=sink.stdout,
                                stdout=subprocess.DEVNULL, stderr=errors)
        sink.stdout.close()
        self.pipe = [sink, psql]
        self.restarts += 1

    def close(self) -> None:
        """Ends both, as a unit that restarts the pipe does."""
        for process in self.pipe:
            process.kill()
            process.wait()

    def reached(self) -> str | None:
        """The position of the database; None while Postgres does not answer."""
        try:
            return self.database.must(POSITION)
        except RuntimeError:
            return None

    # What is killed

    def kill_server(self) -> None:
        self.server.stop(signal.SIGKILL)
        self.serve()

    def kill_follower(self) -> None:
        if self.pipe:
            self.random.choice(self.pipe).kill()

    def kill_backend(self) -> None:
        self.database.psql(b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'soak' AND "
                           b"pid <> pg_backend_pid()")

    def stop_postgres(self) -> None:
        folder, environment = self.case.place
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        for action in (["-m", "immediate", "stop"], ["-w", "-l", folder / "log", "-o", options, "start"]):
            run([program_folder() / "pg_ctl", "-D", folder / "data", *action], unprivileged_user(), environment)

    # The writers

    def write(self, number: int) -> None:
        dice, step = random.Random(number), 0
        while not self.done.is_set():
            step += 1
            try:
                answer = self.change(dice, f"w{number}", f"w{number}-{step}")
            except Exception:  # the server is being killed
                time.sleep(0.05)
                continue
            with self.lock:
                self.writes += answer.status < 300

    def change(self, dice: random.Random, mine: str, name: str) -> Any:
        local, of = Local(self.case.data, self.server.url), f"{mine}-{dice.randint(1, 30)}"
        # A new center rewrites all places without a location, a new slug of a category all its businesses: few, so that
        # a transaction that rewrites them all ends before the next kill.
        new = {"name": f"{name} ;'\\", "slug": name, "address": "x", **({} if dice.random() < 0.02 else AT),
               "category": "live" if dice.random() < 0.02 else None}
        hours = [{"day_of_week": day, "open_time": f"{dice.randint(0, 11):02}:00", "close_time": "24:00"}
                 for day in range(dice.randint(0, 7))]
        menus = [{"name": f"Menu {number}", "items": [{"name": name, "price": "1.50"}] * dice.randint(0, 3)}
                 for number in range(dice.randint(0, 3))]
        event = {"name": name, "slug": name, "event_type": "walks", "business": of, "starts_at": "2035-01-01T00:00:00Z"}
        alive = {"slug": dice.choice(["live", "alive"]), "name": dice.choice(["Live", "Alive"])}
        slug = f"{mine}-{dice.randint(1, 30)}"
        changes = dice.choice([{"phone": name}, {"slug": slug}, {"hours": hours}, {"menus": menus}])
        rows = [
            (350, "POST", "businesses", new), (250, "PATCH", f"businesses/{of}", changes),
            (100, "POST", "events", event), (50, "DELETE", f"businesses/{of}", None),
            (50, "DELETE", f"events/{of}", None),
            (150, "POST", "users", {"email": f"{name}@town.example"}), (20, "POST", "event-types", {"name": name}),
            (20, "PATCH", f"businesses/{of}", {"latitude": None, "longitude": None}),
            (20, "PATCH", "users/13", {"email": f"{name}@sea.example"}),
            (4, "POST", "users/13/password", {"new_password": f"correct horse {name}"}),
            (5, "PATCH", "events/event-51", {"business": None, "latitude": dice.uniform(48, 49), "longitude": -123}),
            (1, "PATCH", "town", {"center": f"48.{dice.randint(10, 99)},-123.5"}),
            (1, "PATCH", f"categories/{dice.choice(['live', 'alive'])}", alive)]
        _, method, path, body = dice.choices(rows, [row[0] for row in rows])[0]
        fields = {"If_Match": "*"} if method == "PATCH" else {}
        return local.ask(method, f"/api/v1/{path}", body, **fields)


def soak(case: Case) -> None:
    Soak(case).run(12 if case.short else 300)
