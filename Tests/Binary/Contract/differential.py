#!/usr/bin/env python3
"""Compares the server with Postgres on a random town.

A seeded town with awkward names goes into the server and into a private Postgres; then thousands of random requests
go to the server, and each answer is compared with what SQL says the Go service answers. Keys may be added to an
answer, never renamed, removed or changed. The same seed gives the same town and the same requests.

Without Postgres on the machine this says that it is skipped and why, and leaves with 0.
"""

import argparse
import itertools
import json
import random
import sys
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))
from cases import Case, Cases  # noqa: E402
from harness import (NOW, Answer, Server, Tally, difference, end_cleanly_when_told, executable, load,  # noqa: E402
                     send, temporary_folder)
from reference import Reference, Unavailable, postgres  # noqa: E402
from randomtown import Town  # noqa: E402


def fault(case: Case, answer: Answer) -> str | None:
    """What is wrong with an answer; None when it is right."""
    if answer.status != case.status:
        return f"status {answer.status} instead of {case.status}"
    if case.status == 301:
        return difference(case.want, answer.headers.get("Location"))
    if (answer.headers.get("Content-Type") or "").split(";")[0] != "application/json":
        return f"Content-Type {answer.headers.get('Content-Type')}"
    try:
        got = answer.json()
    except ValueError as error:
        return f"not JSON: {error}"
    if case.status == 200:
        return difference(case.want, got)
    error = got.get("error") if isinstance(got, dict) else None
    if not isinstance(error, dict) or error.get("code") != case.want or not error.get("message"):
        return f"{error!r} instead of an error {case.want} with a message"
    if case.message and error["message"] != case.message:
        return f"message {error['message']!r} instead of {case.message!r}"
    return None


def compare(case: Case, url: str, tally: Tally) -> None:
    """Sends a request and counts whether its answer is right."""
    try:
        wrong = fault(case, send(url, case.path))
    except (OSError, ValueError) as error:
        wrong = f"no answer: {error!r}"
    tally.check(wrong is None, f"GET {case.path}", wrong)


def run(options: argparse.Namespace, reference: Reference, folder: Path) -> int:
    now = datetime.fromisoformat(options.now.replace("Z", "+00:00"))
    dataset = Town(random.Random(options.seed), now).dataset
    file = folder / "town.json"
    file.write_text(json.dumps(dataset, ensure_ascii=False, indent=1), encoding="utf-8")
    reference.load(dataset)
    load(options.binary, folder / "data", file)
    server = Server(options.binary, folder / "data", "--now", options.now)
    tally = Tally(shown=options.shown)
    try:
        server.ready()
        print(f"seed {options.seed}, {len(dataset['businesses'])} businesses, {len(dataset['events'])} events, "
              f"against {reference.version()}", flush=True)
        cases = Cases(random.Random(options.seed + 1), reference, dataset)
        for case in itertools.chain(cases.terms(), cases.whole_lists(), cases.every_record()):
            compare(case, server.url, tally)
        for _ in range(options.requests):
            compare(cases.some(), server.url, tally)
        tally.check((status := server.stop()) == 0, "SIGTERM ends the server with 0", status)
    finally:
        server.stop()
    return tally.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=executable, required=True, help="the server to test: the executable sooke")
    parser.add_argument("--seed", type=int, default=1, help="which town and which requests (default 1)")
    parser.add_argument("--requests", type=int, default=3000, help="how many random requests (default 3000)")
    parser.add_argument("--now", default=NOW, help=f"the moment the clocks stand at (default {NOW})")
    parser.add_argument("--shown", type=int, default=30, help="how many differences to print (default 30)")
    options = parser.parse_args()
    end_cleanly_when_told()
    try:
        with temporary_folder() as folder, postgres(options.now) as reference:
            return run(options, reference, folder)
    except Unavailable as reason:
        print(f"skipped: {reason}")
        return 0
    except RuntimeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    sys.exit(main())
