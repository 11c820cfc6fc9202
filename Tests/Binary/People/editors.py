"""An editor, who changes all public data of a town over the network and nothing else, by requests and by imports."""

import http.client
import json
import urllib.parse
from pathlib import Path
from typing import Any

from checks import Row
from town import ADMIN, OWNER, PASSWORDS, RESIDENT, business, event, good, peopled

EDITOR, PASSWORD = "edie@town.example", "low tide at Billings Spit"
SECRETS = (OWNER, RESIDENT, ADMIN, "$y$")
PEOPLE = ("owner_id", "submitted_by")  # IDs, which only the history of a record has


class Desk:
    """A town with an editor who has logged in."""

    def __init__(self, binary: Path, folder: Path, row: Row) -> None:
        self.row = row
        self.town, self.sessions = peopled(binary, folder / "edited")
        invited = {"email": EDITOR, "role": "editor"}
        invitation = good(self.town.ask("POST", "/invitations", invited, self.sessions[ADMIN]), 201)
        body = {"token": invitation.json()["token"], "password": PASSWORD, "display_name": "Edie"}
        self.session = good(self.town.ask("POST", "/invitations/accept", body), 201).json()["token"]
        self.ids = {who: good(self.town.ask("GET", "/me", token=token)).json()["id"]
                    for who, token in {**self.sessions, EDITOR: self.session}.items()}
        self.read, self.histories = "", ""

    def ask(self, method: str, path: str, body: Any = None, status: int = 200, **headers: str) -> Any:
        """What the editor is answered."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.town.ask(method, path, body, self.session, fields)
        self.row.answered(answer, status, f"{method} {path} {body if body is None else str(body)[:80]}")
        if answer.status < 300 and path.startswith("/history"):
            self.histories += answer.body.decode()
        elif answer.status < 300:
            self.read += answer.body.decode()
        return answer.json() if answer.body.startswith(b"{") else None

    def take(self, data: dict[str, Any], status: int, query: str = "", said: str = "") -> None:
        """An import by the editor."""
        answer = self.ask("POST", f"/admin/import?format=json{query}", data, status)
        self.row.check(said in json.dumps(answer), f"the import says {said!r}", answer)

    def sequence(self) -> int:
        return good(self.town.local("GET", "/admin/status")).json()["sequence"]


def works(desk: Desk) -> None:
    """All of the directory and the calendar."""
    desk.ask("POST", "/categories", {"name": "Shops"}, 201)
    desk.ask("POST", "/event-types", {"name": "Films"}, 201)
    desk.ask("PATCH", "/businesses/slack-tide", {"phone": "250-555-0100", "slug": "the-slack-tide", "category": None})
    desk.row.answered(desk.town.ask("GET", "/businesses/the-slack-tide"), 404, "a hidden business is hidden")
    desk.ask("GET", "/businesses/the-slack-tide")
    desk.ask("PATCH", "/businesses/the-slack-tide", {"category": "restaurants"})
    desk.ask("POST", "/businesses/the-slack-tide/confirm")
    desk.ask("POST", "/businesses", business("Kiosk", category="shops"), 201)
    sent = good(desk.town.ask("POST", "/events", event("Fiddle Night"), desk.sessions[RESIDENT]), 201)
    slug = urllib.parse.quote(sent.json()["slug"])
    waiting = desk.ask("GET", "/events?status=pending_review")["items"]
    desk.row.check([one["name"] for one in waiting] == ["Fiddle Night"], "the editor sees what waits", waiting)
    approved = desk.ask("POST", f"/events/{slug}/approve", If_Match=sent.headers["ETag"])
    desk.row.check(approved["status"] == "approved", "and approves it", approved)
    made = desk.ask("POST", "/events", event("Matinee", event_type="films", business="kiosk"), 201)
    desk.row.check(made["status"] == "approved", "an event of the editor is public at once", made)
    desk.ask("POST", "/events/matinee/cancel")
    for record in ("businesses/the-slack-tide", "events/fiddle-night", "categories/shops", "event-types/films"):
        desk.ask("GET", f"/history?of={record}")
    feed = desk.ask("GET", "/changes")
    desk.row.check("fiddle-night" in json.dumps(feed), "the feed has it", feed)
    desk.ask("DELETE", "/events/matinee", status=204)
    desk.ask("DELETE", "/businesses/kiosk", status=204)
    kinds = {"categories": [{"name": "Libraries"}], "event_types": [{"name": "Talks"}],
             "businesses": [{**business("Reading Room"), "category": "libraries"}],
             "events": [event("Open House", event_type="talks", business="reading-room", status="approved")]}
    desk.take(kinds, 200, "&dry_run=true")
    desk.take(kinds, 200, said="reading-room")
    desk.ask("GET", "/admin/import")


def is_refused(desk: Desk) -> None:
    """Everything else, which changes nothing."""
    before, me, owner = desk.sequence(), desk.ids[EDITOR], desk.ids[OWNER]
    for body in ({"owner_id": me}, {"owner_id": None}, {"phone": "1", "owner_id": owner}):
        desk.ask("PATCH", "/businesses/the-slack-tide", body, 422)
    desk.ask("POST", "/businesses", business("Mine", owner_id=me), 422)
    for method, path, body in (
            ("POST", "/businesses/the-slack-tide/confirmation-links", None), ("PATCH", "/town", {"name": "Otter"}),
            ("GET", "/town/clock-followers", None), ("GET", "/users", None), ("GET", f"/users/{owner}", None),
            ("POST", "/users", {"email": "una@town.example"}), ("PATCH", f"/users/{me}", {"role": "super_admin"}),
            ("DELETE", f"/users/{owner}", None), ("POST", f"/users/{me}/promote", {"role": "super_admin"}),
            ("POST", f"/users/{owner}/password-reset", None), ("DELETE", f"/users/{owner}/sessions", None),
            ("POST", f"/users/{owner}/password", {"new_password": PASSWORD}),
            ("POST", "/invitations", {"email": "una@town.example"}), ("GET", "/admin/tokens", None),
            ("POST", "/admin/tokens", {"name": "till"}), ("DELETE", "/admin/tokens/1", None),
            ("GET", "/admin/status", None), ("GET", "/admin/backup", None), ("GET", "/admin/export", None),
            ("GET", "/admin/export?format=csv&table=events", None), ("GET", "/admin/audit", None),
            ("POST", "/admin/snapshot", None), ("GET", "/metrics", None), ("GET", f"/history?of=users/{owner}", None),
            ("GET", "/history?of=settings/1", None)):
        desk.ask(method, path, body, 403)
    only, field = "are imported by administrators only", "is set by administrators only"
    for skip in ("", "&skip_invalid=true", "&dry_run=true"):
        for data, said in (
                ({"users": [{"email": EDITOR, "role": "super_admin"}]}, only), ({"users": [{"email": RESIDENT}]}, only),
                ({"users": [{"email": "stranger@town.example"}]}, only), ({"settings": [{"name": "Otter"}]}, only),
                ({"passwords": [{"id": 1}]}, only), ({"grants": [{"id": 1}]}, only),
                ({"businesses": [{"slug": "the-slack-tide", "owner_id": me}]}, field),
                ({"businesses": [{"slug": "the-slack-tide", "owner_id": None}]}, field),
                ({"businesses": [{"slug": "the-slack-tide", "confirmed_by": me}]}, field),
                ({"events": [{"slug": "fiddle-night", "submitted_by": me}]}, field)):
            desk.take(data, 422, skip, said)
    for address in (OWNER, "stranger@town.example"):
        table = f"slug,name,owner\nthe-slack-tide,Slack Tide,{address}\n".encode()
        answer = desk.town.ask("POST", "/admin/import", table, desk.session, {"Content-Type": "text/csv"})
        desk.row.answered(answer, 422, "a table with an owner")
        desk.row.check(field.encode() in answer.body and address.encode() not in answer.body, "it says no more", answer)
    desk.ask("POST", "/admin/import?format=json&center=48.3,-123.7", {}, 403)
    desk.ask("POST", "/admin/import?format=json&settings=true", {}, 403)
    desk.row.check(desk.sequence() == before, "nothing of that changed the town", (before, desk.sequence()))


def loses_the_role(desk: Desk) -> None:
    """The role ends with the commit, on connections that are open too."""
    connection = http.client.HTTPConnection("127.0.0.1", desk.town.port, timeout=30)
    connection.request("GET", "/api/v1/changes?since=now", headers={
        "Accept": "text/event-stream", "Authorization": f"Bearer {desk.session}"})
    stream = connection.getresponse()
    desk.row.check(stream.status == 200, "the feed is followed", stream.status)
    result = desk.town.sooke("user", "promote", EDITOR, "--role", "general_user")
    desk.row.check(result.returncode == 0, "the role is taken away", result.stderr)
    text = stream.read().decode()
    connection.close()
    desk.row.check("event: revoked" in text, "the feed ends", text)
    desk.ask("PATCH", "/businesses/the-slack-tide", {"phone": "2"}, 403)
    desk.ask("POST", "/admin/import?format=json", {}, 403)
    desk.ask("POST", "/categories", {"name": "More"}, 403)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """A day of an editor."""
    row = Row("editors")
    desk = Desk(binary, folder, row)
    works(desk)
    read = (desk.read + desk.histories).replace(EDITOR, "")
    for secret in (*SECRETS, *PASSWORDS.values()):
        row.check(secret not in read, f"the editor reads no {secret}")
    for name in PEOPLE:
        row.check(name not in desk.read, f"the editor reads no {name}")
    is_refused(desk)
    loses_the_role(desk)
    row.check(desk.town.stop() == 0, "the server stops")
    return [row]
