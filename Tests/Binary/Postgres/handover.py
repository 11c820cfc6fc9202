"""The hand-over, as the page for operators has it."""

import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

from database import Case, Database
from follow import compare
from harness import Local, Server

# What stands in for root's commands: here everybody may be everybody in Postgres, whose superuser is `town`.
STANDS_IN = {
    "runuser": 'user=$2; shift 3; [ "$user" = postgres ] && user=town\nPGUSER=$user exec "$@"',
    "systemctl": "exit 0",  # a loop is the service
    "install": 'exec /usr/bin/install -m "$6" "${@:7}"',
}


def recipes(data: Path) -> list[str]:
    """The blocks of the page, for this folder."""
    page = (Path(__file__).resolve().parents[3] / "Sources/Exchange/Postgres/README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S)
    folder = str(data.parent)
    for old, new in (("/var/lib/sooke", str(data)), ("/usr/local/sbin", folder), ("/etc/systemd/system", folder),
                     ("/etc/default/", f"{folder}/default.")):
        blocks = [block.replace(old, new) for block in blocks]
    return blocks


def hand_over(case: Case) -> None:
    """Writers are refused for two commands, readers never; Postgres has each acknowledged write. Until then nobody else
    writes there, and nobody else reads the documents afterwards either."""
    binary, folder, data, place, row = case.binary, case.folder, case.data, case.place, case.row
    for name, text in STANDS_IN.items():
        (folder / name).write_text(f"#!/bin/bash\n{text}\n")
        (folder / name).chmod(0o755)
    (folder / "sooke").symlink_to(binary)
    environment = {**place[1], "PGHOST": str(place[0]), "PATH": f"{folder}:{os.environ['PATH']}"}
    environment.pop("DATABASE_URL", None)

    def follow(block: str, status: int = 0) -> str:
        done = subprocess.run(["bash", "-c", block], env=environment, capture_output=True, text=True, timeout=120)
        row.check(done.returncode == status, f"the recipe {block.splitlines()[0][:50]}", done.stderr)
        return done.stdout + done.stderr

    def app(statement: str) -> str:
        """What Postgres says to the role of the Go service."""
        done = subprocess.run(["psql", "-XAtqc", statement, "postgresql:///town"], env={**environment, "PGUSER": "app"},
                              capture_output=True, text=True)
        return done.stdout + done.stderr

    script_of_service, first, unit, hand, elsewhere = recipes(data)[:5]
    insert = "INSERT INTO business_categories (name, slug) VALUES ('app', 'app') RETURNING slug"
    server = Server(binary, data, "--write-limit", "1000000").ready()
    local = Local(data, server.url)
    acknowledged, refusals, slow, done = [], [], [], threading.Event()

    def write(number: int) -> None:
        for step in range(1_000_000):
            if done.is_set():
                return
            name = f"handed-{number}-{step}"
            answer = local.ask("POST", "/api/v1/categories", {"name": name, "slug": name})
            (acknowledged if answer.status == 201 else refusals).append((name, answer.status))
            time.sleep(0.01 if answer.status == 201 else 0.05)

    def read() -> None:
        while not done.is_set():
            answer = local.ask("GET", "/api/v1/businesses")
            if answer.status != 200:
                slow.append(answer.status)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)] + [threading.Thread(target=read)]
    follower = None
    try:
        for thread in threads:
            thread.start()
        follow(script_of_service)
        follow(first)
        follow(unit)
        row.check("\nStartLimitIntervalSec=0\n\n[Service]" in (folder / "sooke-to-postgres.service").read_text(),
                  "the service never gives up")
        # Postgres has not the last position, and the time is over: nothing is handed over.
        follow(hand.replace("timeout 60 ", "timeout 1 "))
        row.check("denied" in app(f"BEGIN READ WRITE; {insert}"), "without Postgres it is not handed over")
        row.answered(local.ask("POST", "/api/v1/event-types", {"name": "Late"}), 201, "and changes are accepted")
        time.sleep(0.2)
        refusals.clear()
        follower = subprocess.Popen(
            ["bash", "-c", f"while sleep 0.1; do runuser -u sooke -- {folder}/sooke-to-postgres; done"],
            env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(2)
        row.check(app("SELECT count(*) > 3 FROM business_categories") == "t\n", "the Go service reads", app("SELECT 1"))
        database = Database.existing(environment | {"PGOPTIONS": "-c search_path=public,sooke"}, "town")
        row.check(b"read-only" in database.psql(f"{insert};".encode()).stderr, "nobody writes but the follower")
        began, before = time.monotonic(), len(acknowledged)
        row.check(before > 100 and not refusals, "until then all writes are accepted", (before, refusals[:3]))
        follow(hand)
        row.check(app(f"BEGIN; {insert}; ALTER TABLE events ADD COLUMN later text; ROLLBACK") == "app\n",
                  "the Go service writes, and has the tables")
        row.check(database.must("SELECT has_table_privilege('app', 'sooke_documents', 'SELECT')") == "f",
                  "and reads no secrets")
        seconds = time.monotonic() - began
        time.sleep(0.5)
    finally:
        done.set()
        for thread in threads:
            thread.join()
        if follower:
            os.killpg(follower.pid, signal.SIGKILL)
            follower.wait()
    names = set(database.must("SELECT slug FROM business_categories").split())
    missing = [name for name, _ in acknowledged if name not in names]
    row.check(not missing, "Postgres has every acknowledged write", missing[:3])
    row.check({status for _, status in refusals} == {503} and not slow, "writers get 503, readers nothing", slow[:3])
    row.check(not names & {name for name, _ in refusals}, "and nothing that was refused")
    compare(case, database, "handed over")
    follow(elsewhere)
    row.check((folder / "default.sooke-to-postgres.password").stat().st_mode & 0o777 == 0o600, "the password is secret")
    done = subprocess.run([folder / "sooke-to-postgres", "position"], capture_output=True, text=True,
                          env={**environment, "PGHOSTADDR": "127.0.0.1", "PGPORT": "1"})
    row.check(done.returncode == 2 and "Connection refused" in done.stderr, "the address is valid", done.stderr)
    server.stop()
    row.figures = f"handed over in {seconds:.1f} s: {len(acknowledged):,} writes, {len(refusals)} refused"
