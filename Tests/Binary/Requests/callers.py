"""A town with people, records of every kind and links that are open, and who asks it."""

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from harness import send
from prober import OPTIONS, raw
from town import ADMIN, OWNER, PASSWORDS, RESIDENT, Town, business, event, good, peopled

FORM = ("Content-Type", "application/x-www-form-urlencoded")
FIRST, LAST = "0000-01-01T12:00:00Z", "9999-12-31T23:59:59Z"
YOUNGEST = 3.5  # seconds: a form of a stranger that is sent earlier is one of a program


@dataclass
class Caller:
    """Somebody who asks, by a page or by a program."""

    name: str
    cookie: str = ""
    token: str = ""

    def page_headers(self) -> list[tuple[str, str]]:
        return [("Cookie", self.cookie)] if self.cookie else []

    def api_headers(self) -> list[tuple[str, str]]:
        return [("Authorization", f"Bearer {self.token}")] if self.token else []


@dataclass
class Prepared:
    """A town that can be copied, and what its callers know."""

    folder: Path
    callers: list[Caller]
    description: dict[str, Any]
    codes: list[str]  # of links that are open
    stamp: str  # of a form that a stranger was shown
    references: list[str]  # pages of what was sent
    passwords = list(PASSWORDS.values())


def prepare(binary: Path, folder: Path) -> Prepared:
    """Makes the town: accounts, sessions that last, and a few records of each kind."""
    town, tokens = peopled(binary, folder, *OPTIONS)
    callers = [Caller("a stranger")]
    for email, name in ((RESIDENT, "an account"), (OWNER, "an owner"), (ADMIN, "an administrator")):
        token = good(town.ask("POST", "/session", {"email": email, "password": PASSWORDS[email], "stay_signed_in": True}),
                     201).json()["token"]
        answer = post(town, "/login", {"login-email": email, "login-password": PASSWORDS[email], "login-stays": "true"})
        callers.append(Caller(name, re.findall(r"Set-Cookie: ([^;\r]*)", answer.decode())[0], token))
    codes = furnish(town, tokens, callers[-1].token)
    answers = [post(town, "/businesses/kelp-books/report", {"message": "It has moved."}, callers[1].cookie)]
    event_by_form = {"name": "Quiz", "day": "2035-06-01", "from": "7 pm", "type": "live-music"}
    answers.append(post(town, "/new-event", event_by_form, callers[1].cookie))
    references = [re.findall(r"Location: ([^?\r]*)", answer.decode())[0] for answer in answers]
    stamp = re.findall(r'name="stamp" value="([^"]*)"', send(town.url, "/new-event").body.decode())[0]
    description = json.loads(send(town.url, "/openapi.json").body)
    town.stop()
    time.sleep(YOUNGEST)
    return Prepared(folder, callers, description, codes, stamp, references)


def post(town: Town, path: str, fields: dict[str, str], cookie: str = "") -> bytes:
    """Sends a form that must be accepted; the response."""
    body = urlencode(fields).encode()
    head = (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{town.port}\r\nConnection: close\r\nSec-Fetch-Site: same-origin\r\n"
            f"Cookie: {cookie or 'a=b'}\r\n{FORM[0]}: {FORM[1]}\r\nContent-Length: {len(body)}\r\n\r\n")
    answer = raw(town.port, "127.0.0.1", head.encode() + body)
    if b" 303 " not in answer[:20]:
        raise RuntimeError(f"the form at {path} is not accepted: {answer[-600:]!r}")
    return answer


def furnish(town: Town, tokens: dict[str, str], admin: str) -> list[str]:
    """Adds records of every kind, as those who may; the codes of links."""
    def make(path: str, body: Any, token: str = admin, status: int = 201) -> Any:
        return good(town.ask("POST", path, body, token), status).json()

    good(town.ask("PATCH", "/town", {"center": "48.3743,-123.7254"}, admin, {"If-Match": "*"}))
    day = {"open_time": "09:00", "close_time": "17:00"}
    make("/businesses", business(
        "Kelp Books", hours=[{"day_of_week": day_of_week, **day} for day_of_week in range(1, 6)],
        special_hours=[{"from": "2027-12-24", "to": "2027-12-26", "is_closed": True, "reason": "Family time"},
                       {"from": "0000-01-01", "to": "0000-01-02", **day}, {"from": "9999-12-31", **day}]))
    make("/businesses", business("Kelp Book Shop", opening_hours="Mo-Fr 09:00-17:00; PH off"))
    make("/businesses/slack-tide/menus", {"name": "Lunch", "items": [{"name": "Chowder", "price": "14.50"}]})
    make("/categories", {"name": "Books"})
    make("/event-types", {"name": "Market"})
    make("/notices", {"title": "Odd", "severity": "danger", "businesses": ["kelp-books"], "closes": True})
    weekly = {"rrule": "FREQ=WEEKLY", "time_zone": "America/Vancouver"}
    for name, token, fields in (("Open Mic", tokens[OWNER], {**weekly, "business": "slack-tide"}),
                                ("Night Market", admin, {"rdates": ["2035-06-08T19:00:00-07:00"]}),
                                ("Book Swap", tokens[RESIDENT], weekly), ("Beach Walk", tokens[RESIDENT], {}),
                                ("Talk", admin, {"business": "kelp-books"}),
                                ("Oldest", admin, {"starts_at": FIRST, "ends_at": FIRST, "rrule": "FREQ=YEARLY"}),
                                ("Longest", admin, {"starts_at": FIRST, "ends_at": LAST}),
                                ("Rarest", admin, {"starts_at": FIRST, "rdates": [LAST]}),
                                ("Last", admin, {"starts_at": LAST, "ends_at": LAST})):
        path = "/events/" + make("/events", event(name, **fields), token)["slug"]
        tag = good(town.ask("GET", path, token=admin)).headers["ETag"]
        if name in ("Open Mic", "Book Swap"):  # the others wait for a decision, but for the administrator's
            town.ask("POST", f"{path}/approve", {}, admin, {"If-Match": tag})
    invitation = make("/invitations", {"email": "new@town.example"})
    reset = make("/users/3/password-reset", None)
    confirmation = make("/businesses/kelp-books/confirmation-links", None)
    make("/admin/tokens", {"name": "a program"})
    return [found for answer in (invitation, reset, confirmation)
            for found in re.findall(r"sooke_[a-z]+_[A-Za-z0-9_-]{43}", json.dumps(answer))]
