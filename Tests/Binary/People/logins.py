"""Logins: what they tell a stranger, how guessing is slowed down, and what ends a session."""

import base64
import http.client
import random
import re
import signal
import statistics
import threading
import time
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from checks import Row
from town import ADMIN, OWNER, PASSWORDS, RESIDENT, Town, business, exchange, good, peopled
from harness import Answer

TRIES_EACH = 4  # of one account and from one address, below what is free
WRONG = "not the password, surely"
ALIKE, ROUNDS = 0.10, 3  # how far the times may be apart, and how often they are taken before that is a fault
VARYING = {"date", "x-request-id"}  # the headers that may differ
REQUEST_ID = re.compile(rb',"request_id":"[0-9a-f]{16}"')  # of an error's body


def address(number: int) -> str:
    """One of many addresses of this machine."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


def seen(answer: Answer) -> tuple[Any, ...]:
    """All that a client sees of an answer, but for the time of day and the ID of the request."""
    headers = [(name.lower(), value) for name, value in answer.headers.items() if name.lower() not in VARYING]
    return answer.status, headers, REQUEST_ID.sub(b"", answer.body)


# Who has an account


def enumeration(town: Town, tries: int) -> Row:
    """A wrong password for an address that has an account, and for one that has none: the same answer as fast."""
    row = Row("logins: known or unknown address")
    accounts = (tries + TRIES_EACH - 1) // TRIES_EACH
    for number in range(accounts):
        made = good(town.local("POST", "/users", {"email": f"known-{number:03}@town.example"}), 201).json()
        good(town.local("POST", f"/users/{made['id']}/password", {"new_password": PASSWORDS[ADMIN]}), 204)
    good(town.local("POST", "/users", {"email": "without@town.example"}), 201)
    apart, rounds = 1.0, 0
    while apart >= ALIKE and rounds < ROUNDS:  # a busy machine may tell them apart once, and not again and again
        town.restart()  # so that all tries are free again
        known, other = compare(row, town, tries)
        apart = abs(known - other) / max(known, other)
        rounds += 1
    row.check(apart < ALIKE, "nor does the time", f"{known * 1000:.2f} and {other * 1000:.2f} ms")
    row.figures = f"{tries} each, {known * 1000:.1f} and {other * 1000:.1f} ms, {apart:.1%} apart"
    return row


def compare(row: Row, town: Town, tries: int) -> tuple[float, float]:
    """Tries both by turns; the mean seconds of each, without the slowest tenth, which the machine's other work made."""
    accounts = (tries + TRIES_EACH - 1) // TRIES_EACH
    taken: dict[str, list[float]] = {"known": [], "other": []}
    answers: dict[str, tuple[Any, ...]] = {}
    town.log_in("warm@town.example", WRONG, source=address(0))
    for number in range(tries):
        for kind in random.sample(["known", "other"], 2):
            source = address(1 + 2 * (number // TRIES_EACH) + (kind == "other"))
            began = time.perf_counter()
            answer = town.log_in(f"{kind}-{number % accounts:03}@town.example", WRONG, source=source)
            taken[kind].append(time.perf_counter() - began)
            answers.setdefault(kind, seen(answer))
            row.check(answer.status == 401 and seen(answer) == answers[kind], "a wrong login is refused, always alike",
                      answer)
    answers["without"] = seen(town.log_in("without@town.example", WRONG, source=address(1)))
    for kind in ("other", "without"):
        row.check(answers[kind] == answers["known"], f"nothing in an answer reveals it ({kind})", answers)
    known, other = (statistics.mean(sorted(taken[kind])[: tries - tries // 10]) for kind in ("known", "other"))
    return known, other


# Guessing


def throttle(town: Town, longest: int) -> Row:
    """Five wrong logins are free, then waits that double; the right password works after a wait, always."""
    row = Row("logins: guessing")
    for number in range(5):
        for email, first in (("nobody@town.example", 5100), (RESIDENT, 5000)):
            failed = time.monotonic()
            row.answered(town.log_in(email, f"{WRONG} {number}", source=address(first)), 401, f"{email}, a free try")
    waits = []
    wait = 1
    while wait <= longest:
        refused = row.answered(town.log_in(RESIDENT, WRONG, source=address(5000)), 429, "a try too many")
        given = int(refused.headers.get("Retry-After", "0"))
        waits.append(given)
        since = int(time.monotonic() - failed)  # on a machine that stands still, seconds of the wait are over by now
        row.check(wait - since <= given <= wait, f"it says to wait {wait} s, {since} of them over", given)
        if wait == 1:
            other = town.log_in("nobody@town.example", WRONG, source=address(5100))
            row.check(seen(other) == seen(refused), "an unknown address is slowed down alike", (other, refused))
            right = town.log_in(RESIDENT, PASSWORDS[RESIDENT], source=address(5000))
            row.answered(right, 429, "that address waits, also with the right password")
            row.answered(town.log_in(RESIDENT, source=address(5200)), 201, "the account does not wait elsewhere")
            row.answered(town.log_in("new@town.example", WRONG, source=address(5000)), 429, "the address waits")
            row.answered(town.log_in(OWNER, source=address(5300)), 201, "nobody else waits")
        time.sleep(given)
        failed = time.monotonic()
        if wait * 2 <= longest:
            row.answered(town.log_in(RESIDENT, WRONG, source=address(5000)), 401, "a try after the wait")
        wait *= 2
    row.answered(town.log_in(RESIDENT, source=address(5000)), 201, "the right password after the wait")
    for number in range(2):
        answer = town.log_in(RESIDENT, WRONG, source=address(5201 + number))
        row.answered(answer, 401, "tries elsewhere are free")
    row.figures = f"waits of {', '.join(map(str, waits))} s"
    return row


def proxied(binary: Path, data: Path) -> Row:
    """Behind a proxy who guesses slows down nobody else, and cannot pass for somebody else."""
    row = Row("logins: behind a proxy")
    town, _ = peopled(binary, data, "--proxy", "127.0.0.1")

    def from_client(client: str, email: str, password: str | None = WRONG, **options: Any) -> Answer:
        return town.log_in(email, password, headers={"X-Forwarded-For": client}, **options)

    guesser = "203.0.113.9"
    for number in range(5):
        row.answered(from_client(guesser, f"guess-{number}@town.example"), 401, "a guess through the proxy")
    row.answered(from_client(guesser, "guess@town.example"), 429, "a guess too many")
    forged = f"198.51.100.7, {guesser}"
    row.answered(from_client(forged, "guess@town.example"), 429, "a guess with an address that the client made up")
    row.answered(from_client("198.51.100.7", RESIDENT, None), 201, "somebody else through the same proxy")
    direct = address(9000)
    for number in range(5):
        answer = from_client(f"198.51.100.{number}", f"other-{number}@town.example", source=direct)
        row.answered(answer, 401, "a guess by somebody who only says to be a proxy")
    answer = from_client("198.51.100.99", "other@town.example", source=direct)
    row.answered(answer, 429, "who is no proxy is not believed")
    row.check(town.stop() == 0, "the server stops")
    return row


# One hash at a time


def crowd(town: Town, size: int = 20) -> Row:
    """Many who log in at once: some are told to come again, and nobody else notices."""
    row = Row("logins: many at once")
    gate, answers, health = threading.Barrier(size + 1), [], []
    end = threading.Event()

    def log_in(number: int) -> None:
        source = (address(7000 + number), 0)
        connection = http.client.HTTPConnection("127.0.0.1", town.port, timeout=30, source_address=source)
        connection.connect()
        gate.wait()
        body = {"email": f"crowd-{number}@town.example", "password": WRONG}
        answers.append(exchange(connection, "POST", "/session", body))

    def look() -> None:
        while not health or not end.is_set():
            began = time.perf_counter()
            row.answered(town.ask("GET", "/health"), 200, "health meanwhile")
            health.append(time.perf_counter() - began)

    threads = [threading.Thread(target=log_in, args=(number,)) for number in range(size)]
    for thread in threads:
        thread.start()
    watch = threading.Thread(target=look)
    gate.wait()
    watch.start()
    for thread in threads:
        thread.join()
    end.set()
    watch.join()
    statuses = Counter(answer.status for answer in answers)
    row.check(set(statuses) == {401, 503}, "some are tried, some are told to come again", dict(statuses))
    row.check(statuses[401] >= 9, "one is tried and eight may wait", dict(statuses))
    for answer in answers:
        row.check(answer.status != 503 or int(answer.headers.get("Retry-After", "0")) > 0, "503 says when", answer)
    slowest = max(health)
    late = sum(took > 1 for took in health)  # one may have met a pause of the machine
    row.check(statistics.median(health) < 0.1 and late <= 1, "health answers quickly", f"{slowest * 1000:.0f} ms")
    for number in range(size):  # who was told to come again has lost none of the free tries
        answer = town.log_in(f"crowd-{number}@town.example", WRONG, source=address(7000 + number))
        row.answered(answer, 401, "a try afterwards")
    row.figures = f"{statuses[401]} tried, {statuses[503]} refused, health at most {slowest * 1000:.0f} ms"
    return row


# What ends a session


def endings(town: Town, sessions: dict[str, str]) -> Row:
    """Logging out, revoking and a new password end what they end at once and for good; nothing else ends."""
    row = Row("logins: what ends a session")
    kept, out = town.session(OWNER), town.session(OWNER)
    tokens = [good(town.local("POST", "/admin/tokens", {"name": f"{n}", "email": OWNER}), 201).json() for n in "ab"]
    changed = {name: town.session(RESIDENT) for name in ("changing", "other")}
    row.answered(town.ask("DELETE", "/session", token=out), 204, "logging out")
    revoke = town.ask("DELETE", f"/admin/tokens/{tokens[0]['id']}", token=sessions[ADMIN])
    if revoke.status == 404:  # administration is on the socket alone
        revoke = town.local("DELETE", f"/admin/tokens/{tokens[0]['id']}")
    row.answered(revoke, 204, "revoking")
    new = "and another one for Rosa's door"
    wrong = {"password": WRONG, "new_password": new}
    row.answered(town.ask("POST", "/me/password", wrong, changed["changing"]), 422, "a new password by a thief")
    right = {"password": PASSWORDS[RESIDENT], "new_password": new}
    row.answered(town.ask("POST", "/me/password", right, changed["changing"]), 204, "a new password")
    want = {kept: 200, out: 401, tokens[0]["token"]: 401, tokens[1]["token"]: 200, changed["changing"]: 200,
            changed["other"]: 401, sessions[RESIDENT]: 401, sessions[ADMIN]: 200}
    for how in (None, signal.SIGKILL, signal.SIGTERM):
        if how:
            town.restart(how)
        for token, status in want.items():
            row.answered(town.ask("GET", "/me", token=token), status, f"after {how.name if how else 'it'}")
        row.answered(town.log_in(RESIDENT, PASSWORDS[RESIDENT]), 401, "the old password")
        row.answered(town.log_in(RESIDENT, new), 201, "the new password")
    for bad in ("", "sooke_ses_", kept[:-1], kept + "A", kept.replace("_ses_", "_api_"), "sooke_ses_" + "A" * 43):
        row.answered(town.ask("GET", "/me", headers={"Authorization": f"Bearer {bad}"}), 401, "a token that never was")
    return row


def links(town: Town, sessions: dict[str, str]) -> Row:
    """Some who use a link at once: one gets in, and the others are told that it was used."""
    row = Row("logins: one link, many hands")
    rosa = good(town.ask("GET", "/me", token=sessions[RESIDENT])).json()["id"]
    made = {
        "/invitations/accept": good(town.local("POST", "/invitations", {"email": "eve@town.example"}), 201),
        "/password-reset": good(town.local("POST", f"/users/{rosa}/password-reset", {}), 201),
    }
    for path, link in made.items():
        field = "password" if path.endswith("accept") else "new_password"
        body = {"token": link.json()["token"], field: PASSWORDS[RESIDENT]}
        gate, answers = threading.Barrier(6), []

        def use() -> None:
            gate.wait()
            answers.append(town.ask("POST", path, body))

        threads = [threading.Thread(target=use) for _ in range(gate.parties)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        statuses = sorted(answer.status for answer in answers)
        row.check(statuses == [201] + [410] * (gate.parties - 1), f"{path} lets one in", statuses)
    people = [person["email"] for person in town.pages("/users", sessions[ADMIN])]
    row.check(people.count("eve@town.example") == 1, "there is one account", people)
    return row


# What time ends

BEGIN = datetime(2026, 11, 21, 9, 30, tzinfo=timezone.utc)


def times(binary: Path, data: Path) -> Row:
    """How long sessions, links, tokens and receipts last, by a server whose clock is set, over restarts."""
    row = Row("logins: what time ends")
    town, sessions = peopled(binary, data, "--now", moment(timedelta()))
    admin, rosa = sessions[ADMIN], good(town.ask("GET", "/me", token=sessions[RESIDENT])).json()["id"]
    reset = good(town.local("POST", f"/users/{rosa}/password-reset", {}), 201).json()["token"]
    links = [good(town.local("POST", "/invitations", {"email": f"{name}@town.example"}), 201).json()["token"]
             for name in ("early", "late")]
    until = {"name": "map", "email": OWNER, "expires_at": moment(timedelta(days=2))}
    key = good(town.local("POST", "/admin/tokens", until), 201).json()["token"]
    once = {"Idempotency-Key": "once"}
    stall = good(town.ask("POST", "/businesses", business("Stall"), admin, once), 201)
    later = good(town.local("POST", "/admin/tokens", {"name": "a", "email": ADMIN, "scope": "admin"}), 201)
    program = later.json()["token"]

    def at(**after: float) -> None:
        # That a session was used is on its way to the log when its answer comes; who asks again knows that the server
        # has not stood still meanwhile.
        time.sleep(0.05)
        good(town.ask("GET", "/health"))
        time.sleep(0.05)
        town.stop(signal.SIGKILL)
        town.start("--now", moment(timedelta(**after)))

    def opens(token: str, status: int, what: str) -> None:
        row.answered(town.ask("GET", "/me", token=token), status, what)

    at(minutes=29)
    opens(admin, 200, "a session after 29 minutes")
    at(minutes=31)
    opens(sessions[RESIDENT], 401, "a session that was not used for 31 minutes")
    step = 29
    while step + 29 < 12 * 60:
        step += 29
        at(minutes=step)
        opens(admin, 200, f"a session that is used, after {step} minutes")
    at(minutes=12 * 60 + 1)
    opens(admin, 401, "a session that is used, after twelve hours")
    at(hours=23.9)
    again = row.answered(town.ask("POST", "/businesses", business("Stall"), program), 201, "another one")
    row.check(again.json()["slug"] == "stall-2", "without a key it is another", again)
    row.answered(town.ask("POST", "/password-reset", {"token": reset, "new_password": PASSWORDS[RESIDENT]}), 201,
                 "a reset within a day")
    again = town.ask("POST", "/businesses", business("Stall"), program, once)
    row.check((again.status, again.body) == (201, stall.body), "a key within a day", again)
    reset = good(town.local("POST", f"/users/{rosa}/password-reset", {}), 201).json()["token"]
    at(hours=47.8)
    opens(key, 200, "a token before its end")
    again = town.ask("POST", "/businesses", business("Stall"), program, once)
    row.check(again.status == 201 and again.json()["slug"] == "stall-3", "a key after a day is a new one", again)
    at(hours=48)
    opens(key, 401, "a token at its end")
    row.answered(town.ask("POST", "/password-reset", {"token": reset, "new_password": PASSWORDS[RESIDENT]}), 410,
                 "a reset after a day")
    for name, days, status in (("early", 6.9, 201), ("late", 7.0, 410)):
        at(days=days)
        body = {"token": links.pop(0), "password": PASSWORDS[RESIDENT]}
        row.answered(town.ask("POST", "/invitations/accept", body), status, f"an invitation after {days} days")
    opens(program, 200, "a token without an end")
    row.check(town.stop() == 0, "the server stops")
    return row


def moment(after: timedelta) -> str:
    return (BEGIN + after).isoformat().replace("+00:00", "Z")


# Tokens


def tokens(town: Town, count: int) -> Row:
    """Tokens are all different, have 256 bits, and look like chance."""
    row = Row("logins: tokens")
    made = [good(town.local("POST", "/admin/tokens", {"name": f"{n}", "email": OWNER}), 201).json()["token"]
            for n in range(count)]
    shape = re.compile(r"sooke_api_[A-Za-z0-9_-]{43}")
    for token in made:
        row.check(shape.fullmatch(token) is not None, "a token is its kind and 43 characters of base64url", token)
    row.check(len(set(made)) == count, "no two are the same")
    content = b"".join(base64.urlsafe_b64decode(token[10:] + "=") for token in made)
    row.check(len(content) == 32 * count, "each has 256 bits", len(content))
    digits = Counter(content.hex())
    expected = len(content) * 2 / 16
    chi = sum((digits[digit] - expected) ** 2 / expected for digit in "0123456789abcdef")
    row.check(1.0 < chi < 50, "their digits are as frequent as chance makes them", f"chi-square {chi:.1f}")
    row.figures = f"{count:,}, chi-square {chi:.1f} with 15 degrees of freedom"
    return row


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """All of it on one town; each part has addresses of its own."""
    town, sessions = peopled(binary, folder / "data")
    rows = [enumeration(town, 40 if short else 200), throttle(town, 4 if short else 32), crowd(town),
            links(town, sessions), endings(town, sessions), proxied(binary, folder / "proxied"),
            times(binary, folder / "times"), tokens(town, 200 if short else 10_000)]
    rows[-1].check(town.stop() == 0, "the server stops")
    rows[-1].check(town.sooke("verify").returncode == 0, "all is sound")
    return rows
