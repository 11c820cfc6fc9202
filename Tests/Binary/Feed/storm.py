"""Many clients of every kind under many writers, a kill and lost rights: each ends with what a fresh client gets."""

import http.client
import random
import signal
import threading
import time
from pathlib import Path

from checks import Row
from town import ADMIN, OWNER, RESIDENT, Town, business, event, exchange, good, peopled
from follower import Follower, TownConnection, number, whole

WRITERS, FOLLOWERS = 32, 100
OPTIONS = ["--write-limit", "1000000"]
SECRET = b"zaunkoenigsgeheimnis"  # is in what is not public, and in nothing else


class Writer(threading.Thread):
    """One of those who change the town: what it makes public never has the planted word."""

    def __init__(self, count: int, town: Town, token: str, end: float) -> None:
        super().__init__(daemon=True)
        self.token, self.end = token, end
        self.dice, self.name, self.done = random.Random(count), f"Storm {count}", 0
        self.slug = f"storm-{count}"
        self.connection = TownConnection(town)

    def run(self) -> None:
        steps = [self.edit, self.hide, self.hold, self.decide, self.rename, self.replace]
        while time.monotonic() < self.end:
            try:
                self.dice.choice(steps)()
            except (OSError, http.client.HTTPException, RuntimeError):
                self.connection.close()  # it was killed: what came of it does not matter here
            time.sleep(self.dice.uniform(0, 0.1))
        self.connection.close()

    def ask(self, method: str, path: str, body: object = None) -> int:
        fields = {"If-Match": "*"} if method != "POST" else None
        answer = exchange(self.connection, method, path, body, self.token, fields, close=False)
        self.done += answer.status < 300
        return answer.status

    def edit(self) -> None:
        body = business(self.name, slug=self.slug)
        if self.ask("PATCH", f"/businesses/{self.slug}", {"phone": str(self.dice.randrange(10**6))}) == 404:
            self.ask("POST", "/businesses", body)

    def hide(self) -> None:
        """A business without a category is not public."""
        path = f"/businesses/{self.slug}"
        if self.ask("PATCH", path, {"category": None}) == 200:
            self.ask("PATCH", path, {"description": f"{SECRET.decode()} {self.dice.random()}"})
            if self.ask("PATCH", path, {"description": "Plain"}) == 200:
                self.ask("PATCH", path, {"category": "restaurants"})

    def hold(self) -> None:
        """An event that stays unpublished."""
        self.ask("POST", "/events", event(f"{SECRET.decode()} {self.slug}", status="pending_review"))

    def decide(self) -> None:
        slug = f"{self.slug}-{self.dice.randrange(10)}"
        self.ask("POST", "/events", event("A concert", slug=slug, business="slack-tide"))
        self.ask("POST", f"/events/{slug}/{self.dice.choice(['approve', 'reject'])}", {"reason": SECRET.decode()})
        if self.dice.random() < 0.3:
            self.ask("DELETE", f"/events/{slug}")

    def rename(self) -> None:
        self.ask("PATCH", "/categories/restaurants", {"name": f"Eating {self.dice.randrange(1000)}"})

    def replace(self) -> None:
        self.ask("DELETE", f"/businesses/{self.slug}")


class Rights(threading.Thread):
    """Takes rights away and gives them back, and logs out."""

    def __init__(self, town: Town, tokens: dict[str, str | None], end: float) -> None:
        super().__init__(daemon=True)
        self.town, self.tokens, self.end = town, tokens, end
        self.ids = {email: good(town.ask("GET", "/me", token=tokens[email])).json()["id"] for email in [OWNER, RESIDENT]}
        self.turns = 0

    def run(self) -> None:
        while time.monotonic() < self.end:
            try:
                self.turn()
                self.turns += 1
            except (OSError, http.client.HTTPException, RuntimeError):
                pass
            time.sleep(0.4)

    def turn(self) -> None:
        match self.turns % 4:
            case 0: self.town.local("PATCH", "/businesses/slack-tide", {"owner_id": self.ids[RESIDENT]},
                                    {"If-Match": "*"})
            case 1: self.town.local("POST", f"/users/{self.ids[RESIDENT]}/promote", {"role": "business_owner"})
            case 2: self.town.local("PATCH", "/businesses/slack-tide", {"owner_id": self.ids[OWNER]}, {"If-Match": "*"})
            case 3:
                old = self.tokens[OWNER]
                self.tokens[OWNER] = self.town.session(OWNER)
                self.town.ask("DELETE", "/session", token=old)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town, sessions = peopled(binary, folder / "data", *OPTIONS)
    tokens: dict[str, str | None] = {"": None, **sessions}
    end = time.monotonic() + (8 if short else 60)
    followers = make_followers(town, tokens)
    writers = [Writer(each, town, sessions[ADMIN], end) for each in range(WRITERS)]
    rights = Rights(town, tokens, end)
    for thread in [*followers, *writers, rights]:
        thread.start()
    kills = Row("clients under writers, a kill, lost rights")
    for _ in range(1 if short else 5):
        time.sleep(4 if short else 10)
        kills.check(town.stop(signal.SIGKILL) == -signal.SIGKILL, "the server is killed")
        town.start(*OPTIONS)
    for thread in [*writers, rights]:
        thread.join()
    for follower in followers:
        follower.is_calm.set()
    compare(town, tokens, followers, kills)
    total = sum((each.replica.counts for each in followers), start=followers[0].replica.counts.__class__())
    commits = number(good(town.local("GET", "/admin/status")).json()["position"])
    kills.figures = (f"{commits:,} commits, {rights.turns} changes of rights; {total['connections']:,} connections, "
                     f"{total['changes']:,} changes, {total['resets']:,} snapshots, {total['revocations']} revoked")
    kills.check(total["revocations"] > 0, "rights were lost")
    words = Row("what a stranger is never sent")
    for follower in followers:
        if follower.keeps_bytes:
            words.check(SECRET not in follower.seen and ADMIN.encode() not in follower.seen,
                        f"a stranger's {follower.way} has no planted word")
    words.check(SECRET.decode() in "".join(whole(town, sessions[ADMIN]).values()), "it was planted")
    town.stop()
    return [kills, words]


def make_followers(town: Town, tokens: dict[str, str | None]) -> list[Follower]:
    """Clients of all kinds; half are strangers, of whom all bytes are remembered."""
    followers = []
    for each in range(FOLLOWERS):
        who = ["", ADMIN, "", OWNER, "", RESIDENT][each % 6]
        way = ["stream", "stream", "stream", "slow", "poll"][each % 5]
        follower = Follower(town, way, lambda who=who: tokens[who], each)
        follower.name, follower.keeps_bytes = who, who == ""
        followers.append(follower)
    return followers


def compare(town: Town, tokens: dict[str, str | None], followers: list[Follower], row: Row) -> None:
    """Waits until each has what a fresh client gets; then counts those that do not, and what came twice or never."""
    fresh = {who: whole(town, token) for who, token in tokens.items()}
    end = time.monotonic() + 30
    while time.monotonic() < end and any(each.replica.records != fresh[each.name] for each in followers):
        time.sleep(0.1)
    for follower in followers:
        follower.stop()
        want, have = fresh[follower.name], follower.replica.records
        who = f"{follower.way} of {follower.name or 'a stranger'}"
        differing = [key for key in want.keys() | have.keys() if want.get(key) != have.get(key)]
        row.check(not differing, f"{who}: it has what a fresh client gets",
                  f"{differing[:5]} at {follower.replica.position}; {dict(follower.errors)}")
        row.check(not follower.replica.faults, f"{who}: nothing twice, nothing missed", follower.replica.faults[:3])
