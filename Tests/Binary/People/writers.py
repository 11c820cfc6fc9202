"""Many who change the town at once, while the server is killed: no update is lost, nothing is done twice or by half."""

import http.client
import random
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checks import Row
from town import ADMIN, OWNER, Town, business, event, exchange, good, peopled
from harness import Answer

CLIENTS, SHARED, KILLS = 32, 4, 3


class Ended(Exception):
    """The time is over before there was an answer."""


@dataclass
class Deed:
    """A change that was sent; `answered` is the body of a good answer, None when it is not known what came of it."""

    kind: str
    name: str
    where: str = ""
    answered: bytes | None = None


@dataclass
class Shared:
    """What all clients know: the town, whether it is up, and when the work ends."""

    town: Town
    sessions: dict[str, str]
    up: threading.Event = field(default_factory=threading.Event)
    end: float = 0.0


class Client(threading.Thread):
    """One writer on its own connection; it remembers what it did."""

    def __init__(self, number: int, shared: Shared, seed: int) -> None:
        super().__init__(daemon=True)
        self.number, self.shared = number, shared
        self.dice = random.Random(f"{seed} {number}")
        self.deeds: list[Deed] = []
        self.faults: list[str] = []
        self.counts: Counter[str] = Counter()
        self._connection: http.client.HTTPConnection | None = None
        self._events: list[tuple[Deed, str]] = []

    def run(self) -> None:
        works: list[Callable[[], None]] = [self.count] * 5 + [self.create] * 3 + [self.calendar] * 3
        try:
            while time.monotonic() < self.shared.end:
                self.dice.choice(works)()
        except Ended:
            pass
        except Exception as error:  # told at the end, by the main thread
            self.faults.append(repr(error))

    # The works

    def count(self) -> None:
        """Reads a shared counter and writes the next number, if nobody else has done so meanwhile."""
        slug = f"counter-{self.dice.randrange(SHARED)}"
        read = self.send(ADMIN, "GET", f"/businesses/{slug}")
        if read is None or read.status != 200:
            return self.wonder(read, "a read of a counter")
        number = int(read.json()["description"].split()[0]) + 1
        deed = Deed("count", f"{number} {self.number}-{len(self.deeds)}", slug)
        self.deeds.append(deed)
        answer = self.send(ADMIN, "PATCH", f"/businesses/{slug}", {"description": deed.name},
                           {"If-Match": read.headers["ETag"]})
        if answer and answer.status == 200:
            deed.answered = answer.body
            if answer.json()["description"] != deed.name:
                self.faults.append(f"PATCH to {deed.name} answered {answer.json()['description']}")
        elif answer and answer.status == 412:
            self.counts["412"] += 1
            self.deeds.pop()
        else:
            self.wonder(answer, "a counter")

    def create(self) -> None:
        """Adds a business, once, however often it takes."""
        name = f"Stall {self.number}-{len(self.deeds)}"
        self.keyed(ADMIN, "/businesses", business(name), Deed("business", name))

    def calendar(self) -> None:
        """Adds an event at the owner's place, or decides on one that is there."""
        if not self._events or self.dice.random() < 0.5:
            name = f"Night {self.number}-{len(self.deeds)}"
            deed = self.keyed(OWNER, "/events", event(name, business="kitchen-0"), Deed("approved", name))
            self._events.append((deed, name.lower().replace(" ", "-")))
            return
        deed, slug = self._events.pop(self.dice.randrange(len(self._events)))
        verb, deed.kind = self.dice.choice([("cancel", "cancelled"), ("reject", "rejected")])
        deed.answered = None
        body = {"reason": f"no {deed.name}"} if verb == "reject" else {}
        self.keyed(OWNER, f"/events/{slug}/{verb}", body, deed, status=200)

    def keyed(self, who: str, path: str, body: Any, deed: Deed, status: int = 201) -> Deed:
        """A POST that is repeated with its key until it is answered, and sometimes once more."""
        key = {"Idempotency-Key": f"{deed.kind} {deed.name}"}
        if deed not in self.deeds:
            self.deeds.append(deed)
        while deed.answered is None:
            answer = self.send(who, "POST", path, body, key)
            if answer and answer.status == status:
                deed.answered = answer.body
            else:
                if answer is not None:
                    self.wonder(answer, f"POST {path}")
                self.counts["repeated"] += 1
                self.pause()
        if self.dice.random() < 0.2:
            again = self.send(who, "POST", path, body, key)
            if again and again.status not in (429, 503) and (again.status, again.body) != (status, deed.answered):
                self.faults.append(f"POST {path} again: {again.status} {again.body[:200]!r}")
            self.counts["repeated"] += 1
        return deed

    # Requests

    def send(self, who: str, method: str, path: str, body: Any = None,
             headers: dict[str, str] | None = None) -> Answer | None:
        """One request; None when no answer came, since the server is gone."""
        while not self.shared.up.wait(0.05):
            self.require_time()
        self.require_time()
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.shared.town.port, timeout=20)
        try:
            answer = exchange(self._connection, method, path, body, self.shared.sessions[who], headers, close=False)
            self.counts["answered"] += answer.status < 300 and method != "GET"
            return answer
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._connection = None
            self.counts["lost"] += 1
            time.sleep(0.01)
            return None
        except RuntimeError:  # the server ended between the look and the request
            return None

    def require_time(self) -> None:
        if time.monotonic() > self.shared.end + 2:
            raise Ended

    def pause(self) -> None:
        time.sleep(self.dice.uniform(0.005, 0.05))
        self.require_time()

    def wonder(self, answer: Answer | None, what: str) -> None:
        """An answer that is neither good nor says that the server is busy is a fault, and the client's last."""
        if answer is None:
            return
        if answer.status in (429, 503) and "Retry-After" in answer.headers:
            self.counts[str(answer.status)] += 1
        else:
            raise ValueError(f"{what}: {answer.status} {answer.body[:200]!r}")


def storm(shared: Shared, seconds: float, seed: int) -> list[Client]:
    """All clients at once, and the server killed in between."""
    clients = [Client(number, shared, seed) for number in range(CLIENTS)]
    began = time.monotonic()
    shared.end = began + seconds
    shared.up.set()
    for client in clients:
        client.start()
    for kill in range(KILLS):
        time.sleep(max(0, began + seconds * (kill + 1) / (KILLS + 1) - time.monotonic()))
        shared.up.clear()
        shared.town.restart(signal.SIGKILL)
        shared.up.set()
    for client in clients:
        client.join(seconds + 60)
    return clients


# What must hold in the end


def check_counters(row: Row, town: Town, deeds: list[Deed]) -> None:
    """In the log each counter goes up by one each time, and every answered number is its writer's."""
    written: dict[str, list[str]] = {}
    for commit in town.commits():
        for change in commit["changes"]:
            record = change.get("business") or {}
            if re.match(r"counter-\d", record.get("slug") or ""):
                values = written.setdefault(record["slug"], [])
                if values[-1:] != [record["description"]]:
                    values.append(record["description"])
    for slug, values in sorted(written.items()):
        numbers = [int(value.split()[0]) for value in values]
        row.check(numbers == list(range(len(numbers))), f"{slug} goes up one by one", numbers[:50])
        sent = {deed.name: deed for deed in deeds if deed.where == slug}
        row.check(set(values[1:]) <= sent.keys(), f"{slug} has nothing that was refused or never sent",
                  list(set(values[1:]) - sent.keys())[:3])
        lost = [deed.name for deed in sent.values() if deed.answered is not None and deed.name not in values]
        row.check(not lost, f"{slug} has every answered number", lost[:3])


def check_records(row: Row, export: dict[str, Any], deeds: list[Deed]) -> None:
    """What was answered is there once and whole; what was not is there once, whole, or not at all."""
    businesses = Counter(record["name"] for record in export["businesses"])
    events: dict[str, list[dict[str, Any]]] = {}
    for record in export["events"]:
        events.setdefault(record["name"], []).append(record)
    for deed in deeds:
        known = deed.answered is not None
        if deed.kind == "business":
            row.check(businesses[deed.name] == 1 or not known and businesses[deed.name] == 0,
                      f"{deed.name} is there once", businesses[deed.name])
        elif deed.kind != "count":
            got = [record["status"] for record in events.pop(deed.name, [])]
            allowed = [[deed.kind]] if known else [[deed.kind], ["approved"]] + [[]] * (deed.kind == "approved")
            row.check(got in allowed, f"{deed.name} is there as {deed.kind}", got)
    row.check(not events, "there is nothing that was never sent", list(events)[:3])


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """The storm, and then a look at everything."""
    many = Row(f"{CLIENTS} writers, {KILLS} kills")
    town, sessions = peopled(binary, folder / "data", "--write-limit", "1000000")
    owner = town.ask("GET", "/me", token=sessions[OWNER]).json()["id"]
    for name in ["Kitchen 0", *(f"Counter {index}" for index in range(SHARED))]:
        place = business(name, description="0 start", owner_id=owner)
        good(town.ask("POST", "/businesses", place, sessions[ADMIN]), 201)
    seconds, seed = (6.0 if short else 60.0), random.randrange(10**6)
    print(f"seed {seed}", flush=True)
    clients = storm(Shared(town, sessions), seconds, seed)
    many.check(all(not client.is_alive() for client in clients), "every client comes to an end")
    for client in clients:
        many.check(not client.faults, f"client {client.number} is answered as it must be", client.faults[:2])
    town.restart(signal.SIGKILL)
    export = town.export()
    deeds = [deed for client in clients for deed in client.deeds]
    check_counters(many, town, [deed for deed in deeds if deed.kind == "count"])
    check_records(many, export, deeds)
    many.check(town.stop() == 0, "the server stops")
    many.check(town.export() == export, "after a clean stop the export is the same")
    many.check(town.sooke("verify").returncode == 0, "all is sound")
    totals: Counter[str] = sum((client.counts for client in clients), Counter())
    many.check(totals["answered"] > 20 * seconds and totals["412"] > 0 and totals["repeated"] > 0,
               "enough was answered, refused and repeated to prove something", dict(totals))
    many.figures = (f"{totals['answered']:,} writes answered in {seconds:.0f} s, {totals['412']:,} refused with 412, "
                    f"{totals['repeated']:,} repeated, {totals['lost']:,} answers lost")
    return [many]
