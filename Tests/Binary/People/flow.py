"""An event's way to the public, with a restart of the server between every two steps."""

import itertools
import signal
from pathlib import Path
from typing import Any

from checks import Row
from town import ADMIN, OWNER, PASSWORDS, RESIDENT, ROLES, Town, business, event

REASON = "we are closed that day – try the square"
SQUARE = {"latitude": 48.3726, "longitude": -123.7262}


class Story:
    """One town from its first start on; `turn` ends the server and starts it again, each time in the other way."""

    def __init__(self, row: Row, binary: Path, data: Path, first: signal.Signals) -> None:
        self.row = row
        self.town = Town(binary, data)
        self.sessions: dict[str, str] = {}
        self.ids: dict[str, int] = {}
        self._ways = itertools.cycle([first, signal.SIGKILL if first == signal.SIGTERM else signal.SIGTERM])
        self.restarts = 0
        self.slug = ""

    def turn(self) -> None:
        self.town.restart(next(self._ways))
        self.restarts += 1

    def ask(self, who: str | None, method: str, path: str, body: Any = None, status: int = 200,
            **headers: str) -> Any:
        """A request of somebody, which must be answered with a status; what the answer holds."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.town.ask(method, path, body, self.sessions.get(who) if who else None, fields)
        self.row.answered(answer, status, f"{who or 'a stranger'}: {method} {path}")
        return answer.json() if answer.body else None

    def act(self, who: str, verb: str, body: Any = None, status: str = "", method: str = "POST") -> None:
        """Changes the event, restarts the server, and looks whether the change is there for all who may see it."""
        path = f"/events/{self.slug}" + (f"/{verb}" if verb else "")
        given = self.ask(who, method, path, body)
        self.slug = given["slug"]
        self.row.check(given["status"] == status, f"{verb or 'a change'} leads to {status}", given)
        self.turn()
        self.stands_as(status)

    def stands_as(self, status: str) -> None:
        """The event has a status, and only who may see it does."""
        path = f"/events/{self.slug}"
        for who in (RESIDENT, ADMIN):
            self.row.check(self.ask(who, "GET", path)["status"] == status, f"{who} sees it as {status}")
        public = status == "approved"
        self.ask(None, "GET", path, status=200 if public else 404)
        listed = [item["slug"] for item in self.ask(None, "GET", "/events")["items"]]
        self.row.check((self.slug in listed) == public, f"{status}: it is in the public list only when approved")

    def version(self) -> str:
        """The version of the event as the admin reads it."""
        tag = self.town.ask("GET", f"/events/{self.slug}", None, self.sessions[ADMIN], {}).headers["etag"]
        return str(tag).strip('"').split(".")[0]

    # The steps

    def make_accounts(self) -> None:
        """The setup note of an empty folder, then invitations; each link is good once, also across restarts."""
        self.town.start()
        first = self.town.setup_token()
        self.row.check(first is not None, "an empty folder prints a setup note", self.town.server.said)
        self.turn()
        token = self.town.setup_token()
        self.row.check(token is not None and token != first, "another start prints another token")
        account = {"email": ADMIN, "password": PASSWORDS[ADMIN], "display_name": "Ada"}
        self.ask(None, "POST", "/setup", {"token": first, **account}, 410)
        self.ask(None, "POST", "/setup", {"token": token, **account, "password": "sooke"}, 422)
        made = self.ask(None, "POST", "/setup", {"token": token, **account}, 201)
        self.keep(ADMIN, made)
        self.row.check(made["user"]["role"] == "super_admin", "the first account administers the town", made)
        self.ask(None, "POST", "/setup", {"token": token, **account, "email": "eve@town.example"}, 410)
        self.turn()
        self.row.check(self.town.setup_token(0.2) is None, "there is no setup note once there is an account")
        for email, role in ROLES.items():
            link = self.ask(ADMIN, "POST", "/invitations", {"email": email, "role": role}, 201)
            self.turn()
            body = {"token": link["token"], "password": PASSWORDS[email]}
            self.keep(email, self.ask(None, "POST", "/invitations/accept", body, 201))
            self.turn()
            self.ask(None, "POST", "/invitations/accept", body, 410)
            self.row.check(self.ask(email, "GET", "/me")["role"] == role, f"{email} is {role}")

    def keep(self, email: str, answer: dict[str, Any]) -> None:
        self.sessions[email], self.ids[email] = answer["token"], answer["user"]["id"]

    def make_places(self) -> None:
        self.ask(ADMIN, "POST", "/categories", {"name": "Restaurants"}, 201)
        self.turn()
        self.ask(ADMIN, "POST", "/event-types", {"name": "Live Music"}, 201)
        self.turn()
        venue = business("Slack Tide", owner_id=self.ids[OWNER])
        self.ask(RESIDENT, "POST", "/businesses", venue, 403)
        self.ask(ADMIN, "POST", "/businesses", venue, 201)
        self.turn()

    def tell(self) -> None:
        """Resident submits, owner rejects, resident goes elsewhere and asks again, admin approves."""
        submitted = event("Fiddle Night", business="slack-tide", description="Bring a fiddle")
        self.ask(None, "POST", "/events", submitted, 401)
        made = self.ask(RESIDENT, "POST", "/events", submitted, 201, Idempotency_Key="fiddle")
        self.slug = made["slug"]
        self.turn()
        again = self.ask(RESIDENT, "POST", "/events", submitted, 201, Idempotency_Key="fiddle")
        self.row.check(again == made, "the same request again gives the same answer, after a restart too", again)
        self.stands_as("pending_review")
        self.ask(RESIDENT, "POST", f"/events/{self.slug}/approve", status=403)
        waiting = [item["slug"] for item in self.ask(OWNER, "GET", "/events?status=pending_review")["items"]]
        self.row.check(waiting == [self.slug], "the owner finds what waits for a decision", waiting)
        self.act(OWNER, "reject", {"reason": REASON}, "rejected")
        seen = self.ask(RESIDENT, "GET", f"/events/{self.slug}")
        self.row.check(seen.get("reason") == REASON, "the resident reads the reason", seen)
        self.act(RESIDENT, "", {"business": None, **SQUARE}, "rejected", method="PATCH")
        self.act(RESIDENT, "resubmit", None, "pending_review")
        self.ask(OWNER, "POST", f"/events/{self.slug}/approve", status=404)
        self.ask(ADMIN, "POST", f"/events/{self.slug}/approve", status=428)
        stale = self.version()
        self.ask(RESIDENT, "PATCH", f"/events/{self.slug}", {"description": "Bring a bow"})
        self.ask(ADMIN, "POST", f"/events/{self.slug}/approve", {"version": stale}, 412)
        pending = self.slug
        self.row.check(pending.startswith("fiddle-night-"), "nobody can guess what waits", pending)
        self.act(ADMIN, "approve", {"version": self.version()}, "approved")
        self.row.check(self.slug == "fiddle-night", "approval makes its slug from the name", self.slug)
        for who, status in ((RESIDENT, 301), (ADMIN, 301), (OWNER, 404), (None, 404)):
            self.ask(who, "GET", f"/events/{pending}", status=status)
        seen = self.ask(None, "GET", f"/events/{self.slug}")
        place = {name: seen[name] for name in SQUARE}
        self.row.check(place == SQUARE and seen["business_slug"] is None, "it happens at the public place", seen)
        self.row.check("reason" not in seen and REASON not in str(seen), "no stranger reads the reason", seen)
        self.ask(RESIDENT, "PATCH", f"/events/{self.slug}", {"name": "Something else"}, 403)
        self.turn()
        self.stands_as("approved")

    # What the log says of it

    def read_log(self) -> None:
        """Every act is in the log, once, by whom it was done."""
        acts: list[tuple[str, dict[str, Any]]] = []
        for commit in self.town.commits():
            acts += [(commit["by"], change["event"]) for change in commit["changes"] if "event" in change]
        want = [(RESIDENT, "pending_review", None), (OWNER, "rejected", REASON), (RESIDENT, "rejected", REASON),
                (RESIDENT, "pending_review", None), (RESIDENT, "pending_review", None), (ADMIN, "approved", None)]
        got = [(by, record["status"], record.get("reason")) for by, record in acts]
        people = [(f"person:{self.ids[who]}", status, reason) for who, status, reason in want]
        self.row.check(got == people, "the log has all acts and who did them", got)

    def read_history(self) -> None:
        """The same as `GET /history` has it, the newest first, to those who may know."""
        path = f"/history?of=events/{self.slug}"
        items = list(reversed(self.ask(ADMIN, "GET", path)["items"]))
        got = [(item["by"]["id"], item["action"], self.after(item, "status")) for item in items]
        want = [(RESIDENT, "created", "pending_review"), (OWNER, "updated", "rejected"), (RESIDENT, "updated", None),
                (RESIDENT, "updated", "pending_review"), (RESIDENT, "updated", None), (ADMIN, "updated", "approved")]
        people = [(self.ids[who], action, status) for who, action, status in want]
        self.row.check(got == people, "the history has all acts and who did them", got)
        self.row.check(self.after(items[1], "reason") == REASON, "the history has the reason", items[1])
        moments = [item["at"] for item in items]
        self.row.check(moments == sorted(moments) and len(set(moments)) == len(items), "it says when", moments)
        for who, status in ((RESIDENT, 200), (OWNER, 403), (None, 401)):
            self.ask(who, "GET", path, status=status)

    @staticmethod
    def after(item: dict[str, Any], field: str) -> Any:
        """What a change made of a field; None when it left it as it was."""
        return next((change["after"] for change in item["changes"] if change["field"] == field), None)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """The whole way, beginning with SIGTERM and (in the long run) once more with SIGKILL."""
    row = Row("flow")
    figures = []
    for first in [signal.SIGTERM] if short else [signal.SIGTERM, signal.SIGKILL]:
        story = Story(row, binary, folder / f"data-{first.name}", first)
        story.make_accounts()
        story.make_places()
        story.tell()
        story.read_log()
        story.read_history()
        row.check(story.town.stop() == 0, "the server stops")
        verified = story.town.sooke("verify")
        row.check(verified.returncode == 0, "all is sound", verified.stdout + verified.stderr)
        figures.append(f"{story.restarts} restarts")
    row.figures = " and ".join(figures)
    return [row]
