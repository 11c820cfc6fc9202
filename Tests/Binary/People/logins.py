"""Logins under attack: what their time tells a stranger, who gets through beside guessers and floods, and races."""

import random
import re
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from checks import Row
from town import ADMIN, OWNER, PASSWORDS, RESIDENT, Town, good, peopled
from harness import Answer, meanwhile

HOME = {ADMIN: "192.0.2.11", OWNER: "192.0.2.22", RESIDENT: "2001:db8:aaaa:1::33"}
ELSEWHERE = "198.51.100.7"  # where nobody has ever logged in
WRONG = "not the password, surely"
TRIES_EACH = 4  # of one account and from one address, below what is free
ALIKE, ROUNDS = 0.10, 3  # how far the times may be apart, and how often they are taken before that is a fault
NEEDED, SECONDS = 0.95, 5  # so many valid logins succeed within so many seconds
FLOODERS = 12


def try_login(town: Town, client: str, email: str, password: str | None = WRONG, **options: Any) -> Answer:
    """A login of a client behind the proxy; with the right password for None."""
    return town.log_in(email, password, headers={"X-Forwarded-For": client}, **options)


def at_once(works: list[Callable[[], None]]) -> None:
    """Does several things at the same moment, and waits for their ends."""
    gate = threading.Barrier(len(works))

    def start(work: Callable[[], None]) -> None:
        gate.wait()
        work()

    threads = [threading.Thread(target=start, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Valid:
    """Valid logins from known addresses while an attack runs."""

    def __init__(self, town: Town, *emails: str) -> None:
        self.taken: list[float] = []
        self.statuses: Counter[int] = Counter()
        for email in emails:
            began = time.monotonic()
            answer = try_login(town, HOME[email], email, None)
            self.statuses[answer.status] += 1
            if answer.status == 201:
                self.taken.append(time.monotonic() - began)

    def check(self, row: Row) -> str:
        """Counts whether enough succeeded in time; what the row says of it."""
        count = sum(self.statuses.values())
        row.check(sum(took <= SECONDS for took in self.taken) >= NEEDED * count,
                  f"{NEEDED:.0%} of valid logins succeed within {SECONDS} s", dict(self.statuses))
        return f"{len(self.taken)} of {count} valid logins, the slowest after {max(self.taken, default=0):.2f} s"


def seen(answer: Answer) -> tuple[Any, ...]:
    """All that a client sees of an answer, but for the time of day and the ID of the request."""
    headers = [(name, value) for name, value in answer.headers.items() if name.lower() not in ("date", "x-request-id")]
    return answer.status, headers, re.sub(rb',"request_id":"[0-9a-f]{16}"', b"", answer.body)


def enumeration(town: Town, tries: int) -> Row:
    """A wrong password for an address that has an account, and for one that has none: the same answer as fast."""
    row = Row("a known or an unknown address")
    for number in range(tries // TRIES_EACH):
        made = good(town.local("POST", "/users", {"email": f"known-{number:03}@town.example"}), 201).json()
        good(town.local("POST", f"/users/{made['id']}/password", {"new_password": PASSWORDS[ADMIN]}), 204)
    good(town.local("POST", "/users", {"email": "without@town.example"}), 201)
    apart, rounds = 1.0, 0
    while apart >= ALIKE and rounds < ROUNDS:  # a busy machine may tell them apart once, and not again and again
        town.stop()  # so that all tries are free again
        town.start("--proxy", "127.0.0.1")
        known, other = compare(row, town, tries)
        apart = abs(known - other) / max(known, other)
        rounds += 1
    row.check(apart < ALIKE, "the time does not reveal it", f"{known * 1000:.2f} and {other * 1000:.2f} ms")
    row.figures = f"{tries} each, {known * 1000:.1f} and {other * 1000:.1f} ms, {apart:.1%} apart"
    return row


def compare(row: Row, town: Town, tries: int) -> tuple[float, float]:
    """Tries both by turns; the mean seconds of each, without the slowest tenth, which the machine's other work made."""
    taken: dict[str, list[float]] = {"known": [], "other": []}
    try_login(town, "127.1.0.1", "warm@town.example")
    first = seen(try_login(town, "127.1.0.2", "without@town.example"))
    for number in range(tries):
        for kind in random.sample(["known", "other"], 2):
            client = f"127.{2 + (kind == 'other')}.{number // TRIES_EACH}.1"
            began = time.perf_counter()
            answer = try_login(town, client, f"{kind}-{number // TRIES_EACH:03}@town.example")
            taken[kind].append(time.perf_counter() - began)
            row.check(answer.status == 401 and seen(answer) == first, "each wrong login is refused alike", answer)
    known, other = (statistics.mean(sorted(taken[kind])[: tries - tries // 10]) for kind in ("known", "other"))
    return known, other


def guessers(town: Town, tries: int) -> Row:
    """Others at the owner's address guess the password without a pause; the owner gets through beside four."""
    row, guessed = Row("guessers at the owner's address"), Counter()

    def guess() -> None:
        guessed[try_login(town, HOME[OWNER], OWNER).status] += 1

    with meanwhile([guess] * 4):
        while guessed[401] < 6:  # more than are free
            time.sleep(0.1)
        valid = Valid(town, *[OWNER] * tries)
    row.check(valid.statuses == Counter({201: tries}), "the owner gets through", dict(valid.statuses))
    row.check(set(guessed) <= {401, 429}, "the guesses are refused", dict(guessed))
    return row


def flood(town: Town, count: int) -> Row:
    """Connections that log in from random networks as fast as they can, of one /48 and of all."""
    row, flooded = Row("a flood from random networks"), Counter()

    def attack() -> None:
        chance = random.Random()
        site = random.choice(["2001:db8:1", f"2001:{chance.getrandbits(16):x}:{chance.getrandbits(16):x}"])
        email = random.choice([OWNER, f"{chance.getrandbits(32):x}@town.example"])
        flooded[try_login(town, f"{site}:{chance.getrandbits(16):x}::1", email).status] += 1

    with meanwhile([attack] * FLOODERS):
        while flooded[401] < 3:
            time.sleep(0.1)
        valid = Valid(town, *[ADMIN, OWNER, RESIDENT] * count)
    row.figures = f"{valid.check(row)}; {sum(flooded.values())} others"
    row.check(sum(flooded.values()) > 3 * count, "there was a flood", dict(flooded))
    return row


def many_addresses(town: Town) -> Row:
    """A guesser with many addresses has a hundred attempts on an account, and keeps its owner out of nothing."""
    row = Row("a guesser with many addresses")
    statuses = Counter(try_login(town, f"10.{n % 50}.{n // 50}.1", RESIDENT).status for n in range(150))
    row.check(set(statuses) == {401, 429} and statuses[401] <= 100, "at most a hundred attempts", dict(statuses))
    row.answered(try_login(town, ELSEWHERE, RESIDENT, None), 429, "a stranger waits, also with the right password")
    row.answered(try_login(town, ELSEWHERE, ADMIN, None), 201, "other accounts do not wait")
    row.figures = f"{statuses[401]} attempts, {Valid(town, *[RESIDENT] * 5).check(row)}"
    return row


def crowd(town: Town, size: int = 20) -> Row:
    """Many who log in at once: some are told to come again, and nobody else notices."""
    row, answers, health = Row("many at once"), [], []

    def log_in(number: int) -> None:
        answers.append(try_login(town, f"127.9.9.{number + 1}", f"crowd-{number}@town.example"))

    def look() -> None:
        began = time.perf_counter()
        row.answered(town.ask("GET", "/health"), 200, "health meanwhile")
        health.append(time.perf_counter() - began)

    with meanwhile([look]):
        at_once([lambda number=number: log_in(number) for number in range(size)])
    statuses = Counter(answer.status for answer in answers)
    row.check(set(statuses) == {401, 503} and statuses[401] >= 9, "one is tried and eight may wait", dict(statuses))
    for answer in answers:
        row.check(answer.status != 503 or int(answer.headers.get("Retry-After", "0")) > 0, "503 says when", answer)
    late = sum(took > 1 for took in health)  # one may have met a pause of the machine
    row.check(statistics.median(health) < 0.1 and late <= 1, "health answers quickly", max(health))
    answers.clear()
    for number in range(size):  # who was told to come again has lost none of the free tries
        log_in(number)
    row.check({answer.status for answer in answers} == {401}, "all may try again afterwards")
    row.figures = f"{statuses[401]} tried, {statuses[503]} refused, health at most {max(health) * 1000:.0f} ms"
    return row


def links(town: Town, sessions: dict[str, str]) -> Row:
    """Some who use a link at once: one gets in, and the others are told that it was used."""
    row = Row("one link, many hands")
    rosa = good(town.ask("GET", "/me", token=sessions[RESIDENT])).json()["id"]
    for path, field, link in (
            ("/invitations/accept", "password", town.local("POST", "/invitations", {"email": "eve@town.example"})),
            ("/password-reset", "new_password", town.local("POST", f"/users/{rosa}/password-reset", {}))):
        body, statuses = {"token": good(link, 201).json()["token"], field: PASSWORDS[RESIDENT]}, []
        at_once([lambda: statuses.append(town.ask("POST", path, body).status)] * 6)
        row.check(sorted(statuses) == [201] + [410] * 5, f"{path} lets one in", statuses)
    people = [person["email"] for person in town.pages("/users", sessions[ADMIN])]
    row.check(people.count("eve@town.example") == 1, "there is one account", people)
    return row


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """All on one town, behind a proxy that names the clients."""
    town, sessions = peopled(binary, folder / "data", "--proxy", "127.0.0.1")
    rows = [enumeration(town, 40 if short else 200)]
    Valid(town, *HOME)
    rows += [guessers(town, 3 if short else 15), flood(town, 13 if short else 50), many_addresses(town), crowd(town),
             links(town, sessions)]
    rows[-1].check(town.stop() == 0, "the server stops")
    return rows
