"""What a stranger tries against logins, the audit and accounts, and what somebody tries who was trusted once."""

import http.client
import json
import random
import threading
import time
from collections import Counter
from pathlib import Path

from checks import Row
from town import ADMIN, OWNER, PASSWORDS, RESIDENT, Town, business, exchange, good, peopled
from harness import Answer
from leaks import Watched

HOME = {ADMIN: "192.0.2.11", OWNER: "192.0.2.22", RESIDENT: "2001:db8:aaaa:1::33"}
ELSEWHERE = "198.51.100.7"  # where nobody has ever logged in
WRONG = "not the password, surely"
NEEDED, SECONDS = 0.95, 5  # so many valid logins succeed within so many seconds
FLOODERS = 12


def from_client(town: Town, client: str, email: str, password: str | None = None) -> Answer:
    """A login of a client behind the proxy; with the right password when none is given."""
    return town.log_in(email, password, headers={"X-Forwarded-For": client})


class Logins:
    """Valid logins from known addresses while an attack runs."""

    def __init__(self) -> None:
        self.taken: list[float] = []
        self.statuses: Counter[int] = Counter()

    def log_in(self, town: Town, email: str, client: str | None = None) -> None:
        began = time.monotonic()
        answer = from_client(town, client or HOME[email], email)
        took = time.monotonic() - began
        self.statuses[answer.status] += 1
        if answer.status == 201 and took <= SECONDS:
            self.taken.append(took)

    def check(self, row: Row) -> None:
        count = sum(self.statuses.values())
        row.check(len(self.taken) >= NEEDED * count, f"{NEEDED:.0%} of valid logins succeed within {SECONDS} s",
                  f"{len(self.taken)} of {count}, {dict(self.statuses)}")

    def figures(self) -> str:
        return f"{len(self.taken)} of {sum(self.statuses.values())} valid logins, the slowest after " \
               f"{max(self.taken, default=0) * 1000:.0f} ms"


def guessing(town: Town, seconds: int) -> Row:
    """A wrong attempt a second for somebody's e-mail address, from one address and from many."""
    row = Row("attacks: a wrong attempt a second")
    logins, refused = Logins(), Counter()
    for second in range(seconds):
        began = time.monotonic()
        for client in (ELSEWHERE, f"203.0.113.{second + 1}"):
            refused[from_client(town, client, OWNER, WRONG).status] += 1
        if second >= 4:  # so that more have been wrong than are free
            logins.log_in(town, OWNER)
        time.sleep(max(0.0, 1 - (time.monotonic() - began)))
    logins.check(row)
    row.check(set(refused) <= {401, 429} and refused[401] > 0, "the guesses are refused", dict(refused))
    row.figures = logins.figures()
    return row


def home(town: Town, tries: int) -> Row:
    """Others at the owner's address guess the password without a pause; the owner gets through beside up to four."""
    row = Row("attacks: guessers at the owner's address")
    figures = []
    for guessers in (2, 4):
        end, guessed = threading.Event(), Counter()

        def guess(end: threading.Event = end, guessed: Counter[int] = guessed) -> None:
            while not end.is_set():
                guessed[from_client(town, HOME[OWNER], OWNER, WRONG).status] += 1

        threads = [threading.Thread(target=guess) for _ in range(guessers)]
        for thread in threads:
            thread.start()
        logins = Logins()
        try:
            while guessed[401] < 6:  # more than are free
                time.sleep(0.1)
            for _ in range(tries):
                logins.log_in(town, OWNER, HOME[OWNER])
        finally:
            end.set()
            for thread in threads:
                thread.join()
        row.check(logins.statuses == Counter({201: tries}), f"the owner gets through beside {guessers}",
                  dict(logins.statuses))
        row.check(set(guessed) <= {401, 429}, "the guesses are refused", dict(guessed))
        figures.append(f"beside {guessers}: {logins.figures()}")
    row.figures = ", ".join(figures)
    return row


def thousand(town: Town) -> Row:
    """A guesser with many addresses has a hundred attempts on an account, and keeps its owner out of nothing."""
    row = Row("attacks: many addresses")
    statuses = Counter(from_client(town, f"10.{n % 50}.{n // 50}.1", RESIDENT, WRONG).status for n in range(150))
    row.check(statuses[401] <= 100, "at most a hundred attempts", dict(statuses))
    row.check(set(statuses) == {401, 429}, "then it is to wait", dict(statuses))
    row.answered(from_client(town, ELSEWHERE, RESIDENT), 429, "a stranger waits, also with the right password")
    row.answered(from_client(town, ELSEWHERE, ADMIN), 201, "other accounts do not wait")
    logins = Logins()
    for _ in range(5):
        logins.log_in(town, RESIDENT)
    logins.check(row)
    row.figures = f"{statuses[401]} attempts, {logins.figures()}"
    return row


def flood(town: Town, count: int) -> Row:
    """Connections that log in from random networks as fast as they can, of one /48 and of all."""
    row = Row("attacks: a flood from random networks")
    end, flooded = threading.Event(), Counter()

    def attack(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", town.port, timeout=30)
        chance = random.Random(number)
        while not end.is_set():
            site = "2001:db8:1" if number % 2 else f"2001:{chance.getrandbits(16):x}:{chance.getrandbits(16):x}"
            fields = {"X-Forwarded-For": f"{site}:{chance.getrandbits(16):x}::1"}
            body = {"email": random.choice([OWNER, f"{chance.getrandbits(32):x}@town.example"]), "password": WRONG}
            try:
                answer = exchange(connection, "POST", "/session", body, headers=fields, close=False)
                flooded[answer.status] += 1
            except (OSError, http.client.HTTPException):
                connection.close()

    threads = [threading.Thread(target=attack, args=(number,)) for number in range(FLOODERS)]
    for thread in threads:
        thread.start()
    logins = Logins()
    time.sleep(0.5)  # so that the queue is full
    try:
        for number in range(count):
            logins.log_in(town, (ADMIN, OWNER, RESIDENT)[number % 3])
    finally:
        end.set()
        for thread in threads:
            thread.join()
    logins.check(row)
    row.check(sum(flooded.values()) > count, "there was a flood", dict(flooded))
    row.figures = f"{logins.figures()}; {sum(flooded.values())} others"
    return row


def audit(town: Town, count: int) -> Row:
    """Refused requests and failed logins of strangers as fast as they can: what people did stays in the audit."""
    row = Row("attacks: a flood of refusals")
    admin = from_client(town, HOME[ADMIN], ADMIN).json()["token"]
    good(town.ask("GET", "/admin/backup", token=admin))

    def attack(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", town.port, timeout=30)
        for request in range(count // FLOODERS):
            fields = {"X-Forwarded-For": f"10.{number}.{request // 250}.{request % 250 + 1}"}
            if request % 50:
                exchange(connection, "GET", "/admin/status", headers=fields, close=False)
            else:
                exchange(connection, "POST", "/setup", {"token": "x", "email": "x", "password": "x"}, headers=fields,
                         close=False)
        connection.close()

    threads = [threading.Thread(target=attack, args=(number,)) for number in range(FLOODERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = good(town.local("GET", "/admin/audit?limit=1000&strangers=false")).json()["items"]
    row.check(any(line["action"] == "backup" for line in lines), "the backup is in the audit", lines[:3])
    row.check(any(line["action"] == "login" and line["result"] == "ok" for line in lines), "so are the logins")
    row.check(not any(line["by"] is None and line["result"] != "ok" for line in lines), "nothing of strangers is")
    everything = good(town.local("GET", "/admin/audit?limit=1000")).json()["items"]
    refused = sum(line.get("count", 0) for line in everything if line["action"] == "request" and line["by"] is None)
    row.check(refused >= count // FLOODERS * FLOODERS * 0.95, "the refusals are counted", refused)
    file = town.data / "audit-strangers.log"
    size = file.stat().st_size if file.exists() else 0
    row.check(size < 200_000, "the file of strangers grows slowly", size)
    row.figures = f"{refused} refusals, {size / 1000:.0f} kB of audit"
    return row


def trust(town: Town) -> Row:
    """What somebody made with a right that they have no more: tokens for others, and tokens by an API token."""
    row = Row("attacks: tokens that outlive trust")
    email, password = "mallory@town.example", "seven herons on a rusty boat"
    made = good(town.local("POST", "/users", {"email": email, "role": "super_admin"}), 201).json()["id"]
    good(town.local("POST", f"/users/{made}/password", {"new_password": password}), 204)
    session = good(town.log_in(email, password), 201).json()["token"]

    def make(token: str, **fields: str) -> Answer:
        return town.ask("POST", "/admin/tokens", {"name": "till", **fields}, token)

    def opens(token: str, status: int, what: str, path: str = "/me") -> None:
        row.answered(town.ask("GET", path, token=token), status, what)

    key = good(make(session, scope="admin", expires_at="2099-01-01T00:00:00Z"), 201).json()["token"]
    row.answered(make(key, expires_at="2099-01-01T00:00:01Z"), 422, "a token that outlives the one that makes it")
    child = good(make(key, email=RESIDENT), 201).json()
    row.check(child["expires_at"] == "2099-01-01T00:00:00Z", "without an end it expires with that one", child)
    other = good(make(session, email=OWNER), 201).json()["token"]
    good(town.ask("DELETE", "/session", token=session), 204)
    for token in (key, child["token"], other):
        opens(token, 200, "logging out ends no token")
    good(town.local("POST", f"/users/{made}/promote", {"role": "general_user"}), 200)
    for token in (child["token"], other):
        opens(token, 401, "a token for somebody else, whose maker was demoted")
    opens(key, 403, "the maker's own token may what the maker may", "/users")
    good(town.local("POST", f"/users/{made}/password", {"new_password": password}), 204)
    opens(key, 401, "a password that the owner sets revokes tokens")
    metrics = town.local("POST", "/admin/tokens", {"name": "m", "email": ADMIN, "scope": "metrics"})
    if not row.check(metrics.status == 201, "there is a scope for the metrics", metrics):
        return row
    for path, status in (("/metrics", 200), ("/me", 403), ("/businesses", 403), ("/users", 403)):
        opens(metrics.json()["token"], status, f"a token for the metrics at {path}", path)
    return row


def guessable(town: Town) -> Row:
    """Passwords that are tried first are refused, phrases are not."""
    row = Row("attacks: passwords that are tried first")
    made = good(town.local("POST", "/users", {"email": "pat@town.example"}), 201).json()["id"]
    for password in ("liverpool123", "1q2w3e4r5t6y", "Manchester123", "christopher1", "password1234", "iloveyou1234",
                     "aaaaaaaaaaaa", "qwerty123456", "butterfly123", "accommodation", "pat@town.example"):
        answer = town.local("POST", f"/users/{made}/password", {"new_password": password})
        row.answered(answer, 422, password)
    for password in ("plum-ladder-oxide-42", "seven herons on a rusty boat", "gravelbicyclethursday"):
        answer = town.local("POST", f"/users/{made}/password", {"new_password": password})
        row.answered(answer, 204, password)
    return row


def clock(binary: Path, folder: Path) -> Row:
    """A clock that is set back does not revive a session, a token or a link that has expired."""
    row = Row("attacks: a clock that is set back")
    town, sessions = peopled(binary, folder / "clock", "--now", "2026-11-21T09:30:00Z")
    until = {"name": "map", "email": OWNER, "expires_at": "2026-11-21T11:00:00Z"}
    key = good(town.local("POST", "/admin/tokens", until), 201).json()["token"]
    moments = ("2026-11-21T09:31:00Z", 200), ("2026-11-21T12:00:00Z", 401), ("2026-11-21T09:31:00Z", 401)
    for number, (now, status) in enumerate(moments):
        town.stop()
        town.start("--now", now)
        for token in (sessions[OWNER], key):
            row.answered(town.ask("GET", "/me", token=token), status, f"at {now}")
        # The commit that the clock does not go behind.
        good(town.local("POST", "/categories", {"name": f"Commit {number}"}), 201)
    row.check(town.stop() == 0, "the server stops")
    return row


def masked(binary: Path, folder: Path) -> Row:
    """A token that somebody pastes into an address is in no log, however it is encoded."""
    row = Row("attacks: tokens in addresses")
    prints = folder / "prints"
    prints.mkdir()
    town = Watched(binary, folder / "logged", prints)
    town.start("--log", "json")
    secret = "4fTqAbCdEfGhIjKlMnOpQrStUvWxYz0123456789abc"
    encoded = "".join(f"%{ord(character):02X}" for character in secret)
    names = ("sooke_api_", "sooke%5Fapi%5F", "%73%6Foke_api_", "sooke%255Fapi%255F")
    for name in names:
        for value in (secret, encoded):
            town.ask("GET", f"/businesses/{name}{value}")
            town.ask("GET", f"/businesses?page={name}{value}")
    row.check(town.stop() == 0, "the server stops")
    said = "".join(path.read_text() for path in prints.iterdir())
    row.check(said.count("***") == 4 * len(names), "the tokens are masked", said.count("***"))
    row.check(secret not in said and encoded not in said, "no secret is logged")
    return row


def history(binary: Path, folder: Path) -> Row:
    """An owner who changes a large business again and again fills no more than a part of the history a day."""
    row = Row("attacks: a history of large changes")
    town, sessions = peopled(binary, folder / "filled", "--write-limit", "1000000")
    owner = good(town.ask("GET", "/me", token=sessions[OWNER])).json()["id"]
    items = [{"name": f"Dish {number}", "price": "7.50", "description": "x" * 450} for number in range(400)]
    large = business("Large", slug="large", owner_id=owner, menus=[{"name": "All", "items": items}])
    body = json.dumps({"business": large}).encode()
    headers = {"Content-Type": "application/x-ndjson"}
    good(town.ask("POST", "/admin/import?format=ndjson", body, sessions[ADMIN], headers=headers))
    before, changes, refused = logged(town), 0, None
    while changes < 1000 and refused is None:
        answer = town.ask("PATCH", "/businesses/large", {"phone": str(changes)}, sessions[OWNER])
        if answer.status == 429:
            refused = answer
        else:
            good(answer)
            changes += 1
    row.check(refused is not None and refused.json()["error"]["code"] == "too_many_bytes",
              "it is refused after a while", refused or f"{changes} changes")
    filled = logged(town) - before
    row.check(filled <= 66 << 20, "it fills 64 MiB at most", filled)
    row.answered(town.log_in(OWNER), 201, "the owner can log in")
    row.answered(town.ask("PATCH", "/businesses/large", {"phone": "1"}, sessions[ADMIN]), 200, "others can change it")
    row.answered(town.ask("POST", "/admin/import?format=ndjson", body, sessions[ADMIN], headers=headers), 200,
                 "an administrator can import")
    row.check(town.stop() == 0, "the server stops")
    row.figures = f"{changes} changes, {filled / (1 << 20):.1f} MiB"
    return row


def logged(town: Town) -> int:
    """The bytes of commits in the log, without what is reserved behind them."""
    return sum(len(line) for path in town.data.glob("wal-*.log") for line in path.read_bytes().split(b"\n")
               if b'{"seq":' in line[:20])


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """All attacks on one town, behind a proxy that names the clients."""
    town, _ = peopled(binary, folder / "attacked", "--proxy", "127.0.0.1")
    for email, client in HOME.items():
        good(from_client(town, client, email, PASSWORDS[email]), 201)
    rows = [guessing(town, 8 if short else 60), home(town, 3 if short else 15), flood(town, 40 if short else 150), thousand(town),
            audit(town, 6_000 if short else 120_000), trust(town), guessable(town)]
    rows[-1].check(town.stop() == 0, "the server stops")
    return [*rows, clock(binary, folder), masked(binary, folder), history(binary, folder)]
