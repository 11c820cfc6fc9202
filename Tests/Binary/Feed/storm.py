"""Many clients of every kind under many writers, restarts and lost rights: each ends with what a fresh client gets."""

import http.client
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from checks import Row
from follower import Replica, events, open_stream, until, whole
from log import Reader
from town import ADMIN, OWNER, RESIDENT, Town, business, event, good, peopled

WRITERS, FOLLOWERS = 32, 100
WAYS = ["stream", "stream", "stream", "slow", "poll"]  # a slow one is a stream that is read with pauses
OPTIONS = ["--keep-history", "0", "--write-limit", "1000000"]
SECRET = "zaunkoenigsgeheimnis"  # is in what is not public, and in nothing else
LOST = (OSError, http.client.HTTPException, RuntimeError, ValueError)  # what comes of a server that was ended


class Follower(threading.Thread):
    """A client that follows, by one of `WAYS`, and loses its connection; of a stranger all bytes are remembered."""

    def __init__(self, town: Town, tokens: dict[str, str | None], who: str, way: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.replica, self.who, self.way, self.seen = Replica(), who, way, bytearray()
        self.is_calm, self.ended = threading.Event(), threading.Event()
        self._town, self._tokens, self._dice = town, tokens, random.Random(seed)

    def run(self) -> None:
        while not self.ended.is_set():
            end = time.monotonic() + self._dice.uniform(0.2, 6)
            try:
                (self._poll if self.way == "poll" else self._follow)(end)
            except LOST:
                self.ended.wait(0.1)
            self.replica.disconnect()
            self.replica.counts["connections"] += 1

    def _goes_on(self, end: float) -> bool:
        return not self.ended.is_set() and (time.monotonic() < end or self.is_calm.is_set())

    def _follow(self, end: float) -> None:
        with open_stream(self._town.port, self._tokens[self.who], self.replica.position) as stream:
            for one in events(self._lines(stream)):
                if one.kind == "revoked":
                    self.replica.counts["revocations"] += 1
                    return
                self.replica.receive(one)
                if not self._goes_on(end):
                    return

    def _lines(self, stream: http.client.HTTPResponse) -> Iterator[str]:
        rest = b""
        while piece := stream.read1(1 << 16):
            self.seen += b"" if self.who else piece
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield line.decode()
            if self.way == "slow" and not self.is_calm.is_set():
                self.ended.wait(self._dice.uniform(0.2, 2))

    def _poll(self, end: float) -> None:
        while self._goes_on(end):
            query = f"?since={self.replica.position}" if self.replica.position else ""
            answer = good(self._town.ask("GET", f"/changes{query}", token=self._tokens[self.who]))
            self.seen += b"" if self.who else answer.body
            page = answer.json()
            if page["reset"]:
                self.replica.forget()
            self.replica.apply(page["changes"], page["position"])
            if not page["more"]:
                self.ended.wait(0.2)


class Writer(threading.Thread):
    """One of those who change the town: what it makes public never has the planted word."""

    def __init__(self, count: int, town: Town, token: str | None, end: float) -> None:
        super().__init__(daemon=True)
        self.town, self.token, self.end, self.done = town, token, end, 0
        self.dice, self.slug, self.phones = random.Random(count), f"storm-{count}", [f"250{count:03}0000"]
        self.steps: list[Callable[[], object]] = [
            self.edit, self.hide, self.decide, lambda: self.ask("DELETE", f"/businesses/{self.slug}"),
            lambda: self.ask("PATCH", "/categories/restaurants", {"name": f"Eating {self.dice.randrange(1000)}"}),
            lambda: self.ask("POST", "/events", event(f"{SECRET} {self.slug}", status="pending_review"))]

    def run(self) -> None:
        while time.monotonic() < self.end:
            try:
                self.dice.choice(self.steps)()
                self.done += 1
            except LOST:
                pass  # what came of it does not matter here
            time.sleep(self.dice.uniform(0, 0.1))

    def ask(self, method: str, path: str, body: object = None) -> int:
        return self.town.ask(method, path, body, self.token, {"If-Match": "*"} if method != "POST" else None).status

    def edit(self) -> None:
        """Each phone number whose change was acknowledged must be in the log."""
        phone = str(int(self.phones[-1]) + 1)
        match self.ask("PATCH", f"/businesses/{self.slug}", {"phone": phone}):
            case 200: self.phones.append(phone)
            case 404: self.ask("POST", "/businesses", business(self.slug, slug=self.slug))

    def hide(self) -> None:
        """A business without a category is not public."""
        path = f"/businesses/{self.slug}"
        if self.ask("PATCH", path, {"category": None}) == 200:
            self.ask("PATCH", path, {"description": f"{SECRET} {self.dice.random()}"})
            if self.ask("PATCH", path, {"description": "Plain"}) == 200:
                self.ask("PATCH", path, {"category": "restaurants"})

    def decide(self) -> None:
        slug = f"{self.slug}-{self.dice.randrange(10)}"
        self.ask("POST", "/events", event("A concert", slug=slug, business="slack-tide"))
        self.ask("POST", f"/events/{slug}/{self.dice.choice(['approve', 'reject'])}", {"reason": SECRET})
        if self.dice.random() < 0.3:
            self.ask("DELETE", f"/events/{slug}")


class Rights(Writer):
    """Takes rights away and gives them back, and logs out."""

    def __init__(self, town: Town, tokens: dict[str, str | None], end: float) -> None:
        super().__init__(WRITERS, town, tokens[ADMIN], end)
        self.tokens, self.steps = tokens, [self.turn]
        self.ids = {who: good(town.ask("GET", "/me", token=tokens[who])).json()["id"] for who in [OWNER, RESIDENT]}

    def turn(self) -> None:
        time.sleep(0.3)
        match self.done % 4:
            case 0: self.ask("PATCH", "/businesses/slack-tide", {"owner_id": self.ids[RESIDENT]})
            case 1: self.town.local("POST", f"/users/{self.ids[RESIDENT]}/promote", {"role": "business_owner"})
            case 2: self.ask("PATCH", "/businesses/slack-tide", {"owner_id": self.ids[OWNER]})
            case 3:
                old, self.tokens[OWNER] = self.tokens[OWNER], self.town.session(OWNER)
                self.town.ask("DELETE", "/session", token=old)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town, sessions = peopled(binary, folder / "data", *OPTIONS)
    tokens: dict[str, str | None] = {"": None, **sessions}
    ways = [signal.SIGKILL, signal.SIGTERM, signal.SIGKILL] * (1 if short else 4)
    end = time.monotonic() + 3 * len(ways) + 1
    callers = ["", ADMIN, "", OWNER, "", RESIDENT]  # half are strangers
    followers = [Follower(town, tokens, callers[each % 6], WAYS[each % 5], each) for each in range(FOLLOWERS)]
    rights, reader = Rights(town, tokens, end), Reader(town)
    writers = [Writer(each, town, sessions[ADMIN], end) for each in range(WRITERS)]
    clients, log = Row("clients under writers, restarts, lost rights"), Row("the log, over restarts")
    for thread in [*followers, *writers, rights]:
        thread.start()
    for how in ways:
        reader.follow()
        time.sleep(2.5)
        clients.check(town.stop(how) == (0 if how == signal.SIGTERM else -how), f"the server ends on {how.name}")
        reader.end(log)
        town.start(*OPTIONS)
    for thread in [*writers, rights]:
        thread.join()
    for follower in followers:
        follower.is_calm.set()
    compare(town, tokens, followers, clients)
    total = sum((each.replica.counts for each in followers), start=Counter())
    clients.figures = (f"{len(ways)} restarts, {rights.done} changes of rights; {total['connections']:,} connections, "
                       f"{total['changes']:,} changes, {total['resets']:,} snapshots, {total['revocations']} revoked")
    clients.check(total["revocations"] > 0, "rights were lost")
    for follower in followers:
        if not follower.who:
            is_clean = SECRET.encode() not in follower.seen and ADMIN.encode() not in follower.seen
            clients.check(bool(follower.seen) and is_clean, f"a stranger's {follower.way} has no planted word")
    clients.check(SECRET in "".join(whole(town, sessions[ADMIN]).values()), "it was planted")
    reader.conclude(log, [phone for writer in writers for phone in writer.phones[1:]])
    return [clients, log]


def compare(town: Town, tokens: dict[str, str | None], followers: list[Follower], row: Row) -> None:
    """Waits until each has what a fresh client gets; then counts those that do not, and what came twice or never."""
    fresh = {who: whole(town, token) for who, token in tokens.items()}
    until(lambda: all(each.replica.records == fresh[each.who] for each in followers))
    for follower in followers:
        follower.ended.set()
        want, replica = fresh[follower.who], follower.replica
        who = f"{follower.way} of {follower.who or 'a stranger'}"
        differing = [key for key in want.keys() | replica.records if want.get(key) != replica.records.get(key)]
        row.check(not differing, f"{who}: it has what a fresh client gets", f"{differing[:5]} at {replica.position}")
        row.check(not replica.faults, f"{who}: nothing twice, nothing missed", replica.faults[:3])
        # Over a restart it goes on from its position.
        row.check(bool(follower.who) or replica.counts["resets"] <= 1 + replica.counts["cut snapshots"],
                  f"{who}: one snapshot", replica.counts)
