"""A town from its first start to its first public event, with a restart of the server between every two steps."""

import itertools
import signal
from pathlib import Path
from typing import Any

from checks import Row
from town import ADMIN, OWNER, PASSWORDS, RESIDENT, ROLES, Town, business, event

REASON = "we are closed that day – try the square"


class Story:
    """One town; `turn` ends the server and starts it again, each time in the other way."""

    def __init__(self, row: Row, binary: Path, data: Path) -> None:
        self.row = row
        self.town = Town(binary, data).start()
        self.sessions: dict[str, str] = {}
        self.owner = 0
        self._ways = itertools.cycle([signal.SIGTERM, signal.SIGKILL])

    def turn(self) -> None:
        self.town.restart(next(self._ways))

    def ask(self, who: str | None, method: str, path: str, body: Any = None, status: int = 200,
            headers: dict[str, str] | None = None) -> Any:
        """A request of somebody, which must be answered with a status; what the answer holds."""
        answer = self.town.ask(method, path, body, self.sessions.get(who) if who else None, headers)
        self.row.answered(answer, status, f"{who or 'a stranger'}: {method} {path}")
        return answer.json() if answer.body else None

    def make_accounts(self) -> None:
        """The setup note of an empty folder, then invitations; each link is good once, also across restarts."""
        first = self.town.setup_token()
        self.turn()
        token = self.town.setup_token()
        self.row.check(None not in (first, token) and token != first, "each start prints another token")
        account = {"email": ADMIN, "password": PASSWORDS[ADMIN], "display_name": "Ada"}
        self.ask(None, "POST", "/setup", {"token": first, **account}, 410)
        self.ask(None, "POST", "/setup", {"token": token, **account, "password": "sooke"}, 422)
        made = self.ask(None, "POST", "/setup", {"token": token, **account}, 201)
        self.sessions[ADMIN] = made["token"]
        self.row.check(made["user"]["role"] == "super_admin", "the first account administers the town", made)
        self.ask(None, "POST", "/setup", {"token": token, **account, "email": "eve@town.example"}, 410)
        self.turn()
        self.row.check(self.town.setup_token(0.2) is None, "there is no setup note once there is an account")
        for email, role in ROLES.items():
            link = self.ask(ADMIN, "POST", "/invitations", {"email": email, "role": role}, 201)
            self.turn()
            body = {"token": link["token"], "password": PASSWORDS[email]}
            made = self.ask(None, "POST", "/invitations/accept", body, 201)
            self.sessions[email] = made["token"]
            self.owner = made["user"]["id"] if email == OWNER else self.owner
            self.turn()
            self.ask(None, "POST", "/invitations/accept", body, 410)
            self.row.check(self.ask(email, "GET", "/me")["role"] == role, f"{email} is {role}")

    def tell(self) -> None:
        """A resident submits an event, the owner rejects it, the resident goes elsewhere, the administrator agrees."""
        self.ask(ADMIN, "POST", "/categories", {"name": "Restaurants"}, 201)
        self.ask(ADMIN, "POST", "/event-types", {"name": "Live Music"}, 201)
        self.ask(ADMIN, "POST", "/businesses", business("Slack Tide", owner_id=self.owner), 201)
        submitted, key = event("Fiddle Night", business="slack-tide"), {"Idempotency-Key": "fiddle"}
        made = self.ask(RESIDENT, "POST", "/events", submitted, 201, key)
        self.turn()
        again = self.ask(RESIDENT, "POST", "/events", submitted, 201, key)
        self.row.check(again == made, "the same request again gives the same answer, after a restart too", again)
        slug = made["slug"]
        square = {"business": None, "latitude": 48.3726, "longitude": -123.7262}
        for who, method, verb, body, status in (
                (OWNER, "POST", "/reject", {"reason": REASON}, "rejected"), (RESIDENT, "PATCH", "", square, "rejected"),
                (RESIDENT, "POST", "/resubmit", None, "pending_review"), (ADMIN, "POST", "/approve", {}, "approved")):
            if verb == "/approve":
                tag = self.town.ask("GET", f"/events/{slug}", token=self.sessions[ADMIN]).headers["ETag"]
                body = {"version": tag.strip('"').split(".")[0]}
            slug = self.ask(who, method, f"/events/{slug}{verb}", body)["slug"]
            self.turn()
            for reader in (RESIDENT, ADMIN):
                self.row.check(self.ask(reader, "GET", f"/events/{slug}")["status"] == status, f"it is {status}")
            self.ask(None, "GET", f"/events/{slug}", status=200 if status == "approved" else 404)
        seen = self.ask(None, "GET", f"/events/{slug}")
        self.row.check(slug == "fiddle-night" and REASON not in str(seen), "no stranger reads the reason", seen)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    row = Row("from an empty folder to a public event")
    story = Story(row, binary, folder / "data")
    story.make_accounts()
    story.tell()
    row.check(story.town.stop() == 0, "the server stops")
    row.check(story.town.sooke("verify").returncode == 0, "all is sound")
    return [row]
