"""Compares the server with Postgres on a random town.

A seeded town with awkward names goes into the server and into a private Postgres; then random requests go to the
server, and each answer is compared with what SQL says the Go service answers. Keys may be added to an answer, never renamed,
removed or changed. The same seed gives the same town and the same requests.
"""

import itertools
import json
import random
from datetime import datetime
from pathlib import Path

from cases import Case, Cases
from checks import Row, Skip
from harness import NOW, Answer, Server, difference, load, send
from randomtown import Town
from reference import Unavailable, postgres


def fault(case: Case, answer: Answer) -> str | None:
    """What is wrong with an answer; None when it is right."""
    if answer.status != case.status:
        return f"status {answer.status} instead of {case.status}"
    if case.status == 301:
        return difference(case.want, answer.headers.get("Location"))
    if (answer.headers.get("Content-Type") or "").split(";")[0] != "application/json":
        return f"Content-Type {answer.headers.get('Content-Type')}"
    got = answer.json()
    if case.status == 200:
        return difference(case.want, got)
    error = got.get("error") if isinstance(got, dict) else None
    if not isinstance(error, dict) or error.get("code") != case.want or not error.get("message"):
        return f"{error!r} instead of an error {case.want} with a message"
    if case.message and error["message"] != case.message:
        return f"message {error['message']!r} instead of {case.message!r}"
    return None


def check(binary: Path, folder: Path, short: bool) -> list[Row]:
    row = Row("the answers of PostgreSQL")
    try:
        for seed in [1] if short else range(1, 6):
            compare(binary, folder / str(seed), seed, 2000 if short else 5000, row)
    except Unavailable as reason:
        raise Skip(str(reason)) from reason
    return [row]


def compare(binary: Path, folder: Path, seed: int, requests: int, row: Row) -> None:
    dataset = Town(random.Random(seed), datetime.fromisoformat(NOW.replace("Z", "+00:00"))).dataset
    folder.mkdir()
    (folder / "town.json").write_text(json.dumps(dataset, ensure_ascii=False), encoding="utf-8")
    with postgres(NOW) as reference:
        reference.load(dataset)
        load(binary, folder / "data", folder / "town.json")
        server = Server(binary, folder / "data", "--now", NOW).ready()
        row.figures = f"{len(dataset['businesses'])} businesses, {len(dataset['events'])} events, {reference.version()}"
        cases = Cases(random.Random(seed + 1), reference, dataset)
        some = (cases.some() for _ in range(requests))
        for case in itertools.chain(cases.terms(), cases.whole_lists(), cases.every_record(), some):
            try:
                wrong = fault(case, send(server.url, case.path))
            except (OSError, ValueError) as error:
                wrong = f"no answer: {error!r}"
            row.check(wrong is None, f"seed {seed}, GET {case.path}", wrong)
        row.check((status := server.stop()) == 0, "SIGTERM ends the server with 0", status)
