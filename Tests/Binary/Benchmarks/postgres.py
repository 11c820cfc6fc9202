"""How fast a town goes into Postgres, against Postgres' own programs, and what a follower costs the town."""

import contextlib
import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import towns
from bench import Bench
from generator import ask
from harness import sooke
from reference import Unavailable, private_server, program_folder
from results import Bound, Result, compare
from checks import Skip
from writing import ACCOUNTS, BODY, CONNECTIONS, make_token, town_to_change

from database import Database
from log import Chain

EXPORT = Bound(1.5, 1.2, at_most=True)
BATCHED = Bound(8, 14)
CATCH_UP = Bound(0.5, 1)
BUSINESSES, FOLLOWED = 100_000, 1000
ONE_BY_ONE = 300  # commits of a round
POSITION = "SELECT sequence || '.' || chain FROM sooke_position"


@contextlib.contextmanager
def durable_server() -> Iterator[tuple[Path, dict[str, str]]]:
    """A Postgres of our own that waits for the disk, as it comes."""
    try:
        with private_server(durable=True) as place:
            yield place
    except Unavailable as reason:
        raise Skip(str(reason)) from None


def seconds(*command: str | Path, database: Database, given: Path | None = None) -> float:
    """How long a command takes, which must succeed; shells have `pipefail`."""
    began = time.monotonic()
    with (given or Path(os.devnull)).open("rb") as file:
        done = subprocess.run([str(word) for word in command], env=database.environment, stdin=file, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"{command[0]} left with {done.returncode}: {done.stderr.decode()[-300:]}")
    return time.monotonic() - began


def export(bench: Bench) -> list[Result]:
    """A whole export into tables that are there, against pg_restore of a dump of the same rows and tables."""
    data = towns.town(bench, BUSINESSES)
    with durable_server() as place:
        whole = Database(*place, "whole", tables=True)
        pipe = f"set -o pipefail; '{bench.binary}' export --data '{data}' --format postgres --private | psql -Xq"
        seconds("bash", "-c", pipe, database=whole)
        dump = bench.scratch / "whole.dump"
        dump.write_bytes(whole.dump("--format=custom", "--compress=0"))
        count = 0

        def fresh(tables: bool) -> Database:
            nonlocal count
            count += 1
            whole.must("CHECKPOINT")
            return Database(*place, f"round{count}", tables=tables)

        def drop(database: Database) -> None:
            database.run("dropdb", "--maintenance-db=postgres", database.environment["PGDATABASE"])

        def ours() -> float:
            database = fresh(tables=True)
            took = seconds("bash", "-c", pipe, database=database)
            drop(database)
            return took

        def theirs() -> float:
            database = fresh(tables=False)
            name = database.environment["PGDATABASE"]
            took = seconds(program_folder() / "pg_restore", "--single-transaction", "-d", name, dump, database=database)
            took += seconds("psql", "-Xqc", "ANALYZE", database=database)
            drop(database)
            return took

        ours_side, theirs_side = bench.alternate("s", {"export | psql": ours, "pg_restore": theirs})
    return [compare(f"export of {BUSINESSES:,} businesses into Postgres, against pg_restore", EXPORT, ours_side, theirs_side,
                    "less is better; both with ANALYZE")]


def follow(bench: Bench) -> list[Result]:
    """Catching up with many commits: in batches, one by one as if each had to be on the disk, and pgbench."""
    data = town_to_change(bench, "followed", FOLLOWED)
    token = " ".join(make_token(bench, data, number) for number in range(ACCOUNTS))
    with durable_server() as place:
        base = Database(*place, "base", tables=True)
        pipe = f"set -o pipefail; '{bench.binary}' export --data '{data}' --format postgres --private | psql -Xq"
        seconds("bash", "-c", pipe, database=base)
        since = base.must(POSITION)
        with bench.serve(data, "--write-limit", "1000000") as server:
            path = f"/api/v1/businesses/town-{{1..{FOLLOWED}}}"
            ask(bench, server.url, [path], CONNECTIONS, 1, body=BODY, token=token)
        commits = json.loads(sooke(bench.binary, "status", "--format", "json", "--data", data).stdout)["sequence"]
        commits -= int(since.split(".")[0])
        log = bench.scratch / "follow.sql"
        with log.open("wb") as file:
            subprocess.run([bench.binary, "export", "--format", "postgres", "--private", "--since", since, "--data", data],
                           stdout=file, check=True)
        single = bench.scratch / "single.sql"
        lines = subprocess.run([bench.binary, "log", "--since", since, "--data", data], stdout=subprocess.PIPE, check=True)
        single.write_text(one_by_one(log.read_text(encoding="utf-8"), lines.stdout.splitlines(), ONE_BY_ONE),
                          encoding="utf-8")
        copies = 0

        def copied() -> Database:
            nonlocal copies
            copies += 1
            base.run("psql", "-Xqc", f"CREATE DATABASE copy{copies} TEMPLATE base", "postgres")
            copy = Database.__new__(Database)
            copy.environment = {**base.environment, "PGDATABASE": f"copy{copies}"}
            return copy

        catching = pipe.replace("--private", f"--private --since {since}")
        bench_base = Database(*place, "pgbench")
        bench_base.run(str(program_folder() / "pgbench"), "-iq", "pgbench")
        bench_base.environment["PGOPTIONS"] = "-c synchronous_commit=off"
        batched, single_side, catch, pgbench = bench.alternate("commits/s", {
            "batched": lambda: commits / seconds("psql", "-Xq", database=copied(), given=log),
            "one by one": lambda: ONE_BY_ONE / seconds("psql", "-Xq", database=copied(), given=single),
            "export | psql": lambda: commits / seconds("bash", "-c", catching, database=copied()),
            "pgbench -N -c 1": lambda: transactions(bench_base, bench.seconds)})
    return [compare("follower of Postgres in batches, against one by one and durable", BATCHED, batched, single_side,
                    f"{commits:,} commits"),
            compare("follower of Postgres that catches up, against pgbench -N -c 1", CATCH_UP, catch, pgbench,
                    "both without waiting for the disk")]


def one_by_one(script: str, log: list[bytes], count: int) -> str:
    """The first commits of a script, each in a transaction of its own that waits for the disk, as the follower sends it when
    it has caught up."""
    head, rest = script.split("BEGIN", 1)
    rows = [text for text in re.split(r"\\?;\n", rest) if text.startswith("EXECUTE put_")][:2 * count]
    commits = [f"{document}\\;\n{business}" for document, business in zip(rows[::2], rows[1::2])]
    chain = Chain()
    chain.read(log[:1])
    text = head
    for message, line in zip(commits, [line for line in log if line.startswith(b'{"seq":')], strict=False):
        before = chain.position
        chain.read([json.dumps({"format": "sooke-commits/1", "store": chain.store, "after": before}).encode(), line])
        text += (f"BEGIN\\;\nSET LOCAL client_encoding = 'UTF8'\\;\nSET LOCAL timezone = 'UTC';\n"
                 f"CALL sooke_advance('{chain.store}', '{before}', '{chain.position}', now())\\;\n{message};\nCOMMIT;\n")
    return text


def transactions(database: Database, duration: float) -> float:
    """What pgbench says of itself."""
    done = database.run(str(program_folder() / "pgbench"), "-n", "-N", "-c", "1", "-T", str(max(1, round(duration))), "pgbench")
    found = re.search(rb"tps = ([0-9.]+)", done.stdout)
    if not found:
        raise RuntimeError(f"pgbench said {(done.stdout + done.stderr).decode()[-300:]}")
    return float(found[1])


def beside(bench: Bench) -> list[Result]:
    """Durable writes of many while a follower brings each into Postgres, on the same two cores, against writes alone."""
    data = town_to_change(bench, "beside-postgres", FOLLOWED)
    token = " ".join(make_token(bench, data, number) for number in range(ACCOUNTS))
    with durable_server() as place:
        database = Database(*place, "beside", tables=True)
        pipe = f"set -o pipefail; '{bench.binary}' export --data '{data}' --format postgres --private"
        seconds("bash", "-c", f"{pipe} | psql -Xq", database=database)
        with bench.serve(data, "--write-limit", "1000000") as server:
            def change() -> float:
                path = f"/api/v1/businesses/town-{{1..{FOLLOWED}}}"
                return ask(bench, server.url, [path], CONNECTIONS, bench.seconds, body=BODY, token=token).rate

            def followed() -> float:
                since = database.must(POSITION)
                follower = subprocess.Popen(["bash", "-c", f"exec {pipe[len('set -o pipefail; '):]} --follow --since {since} "
                                             "> >(psql -Xq)"], env=database.environment)
                try:
                    return change()
                finally:
                    follower.terminate()
                    follower.wait()

            change()
            with_one, alone = bench.alternate("/s", {"with a follower": followed, "alone": change})
    return [compare("durable PATCH, 64 connections, with a follower of Postgres, against without", None, with_one, alone,
                    "Postgres, psql and both sides of sooke share two cores")]
