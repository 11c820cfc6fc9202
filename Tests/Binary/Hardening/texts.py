"""Texts that are slow to compare: long runs of combining marks, and other text that is one character to Unicode.

Each text field of each route gets them, as does a key, a query parameter, a part of the path and a header field: once
just under the limit of a body and once at the longest length that is accepted. So does each field of each form of the
pages, of somebody without an account and of an administrator. What counts is the processor time of the server, beside
what the same request costs with a short text, in a form with a plain one as long: hashing a password is a part of both.
"""

import itertools
import json
import re
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from base import ADMIN, cpu_seconds, make_token, make_town
from checks import Row
from harness import Server, send

MOST = 0.1  # seconds of processor time
BODY, FORM, FIELD = 1_040_000, 30_000, 7_500  # bytes: just under the limit, what a stranger may send in a form, a field
SHAPES: dict[str, tuple[str, str]] = {  # how a text begins, and what follows again and again
    "marks": ("a", "\u0301\u0316"), "no starter": ("", "\u0316\u0301"), "joined": ("", "\U0001F469\u200D"),
    "flags": ("", "\U0001F1E8"), "Hangul": ("", "\u1100\u1161\u11A8"), "Hebrew": ("\u05D0", "\u05B0\u0591\u05BC"),
}
PLACE = {"address": "1 A", "latitude": 48, "longitude": -123}
BUSINESS = {"name": 500, "slug": 600, "description": 10_000, "address": 1_000, "phone": 50, "email": 240, "website": 1_900,
            "category": 600}
EVENT = {"name": 500, "slug": 600, "description": 10_000, "event_type": 600, "business": 600, "starts_at": 100}
NAMES = {"name": 500, "slug": 600}
MENU = {"name": 500, "description": 10_000}
START = {"name": "x", "event_type": "music", "starts_at": "2035-06-01T19:00:00Z"}
TIDE = "businesses/the-slack-tide-pub"
AROUND = {"email": ("", "@town.example"), "website": ("https://a.example/", "")}  # what makes a text such a value
# Method, path, members that are always there, and the longest length of each text field in characters.
ROUTES: list[tuple[str, str, dict[str, Any], dict[str, int]]] = [
    ("POST", "businesses", {"name": "x", **PLACE}, BUSINESS), ("PATCH", TIDE, {}, BUSINESS),
    ("POST", f"{TIDE}/menus", {"name": "x"}, MENU), ("PATCH", f"{TIDE}/menus/1", {}, MENU),
    ("POST", f"{TIDE}/menus/1/items", {"name": "x", "price": "1.00"}, {**MENU, "price": 20}),
    ("POST", "categories", {"name": "x"}, NAMES), ("PATCH", "categories/restaurants", {}, NAMES),
    ("POST", "event-types", {"name": "x"}, NAMES), ("POST", "events", START, EVENT), ("PATCH", "events/odd", {}, EVENT),
    ("POST", "events/odd/reject", {}, {"reason": 10_000}),
    ("POST", "users", {"email": "x@town.example"}, {"email": 240, "display_name": 500, "role": 100}),
    ("POST", "users/1/promote", {}, {"role": 100}), ("POST", "users/2/password", {}, {"new_password": 500}),
    ("POST", "invitations", {"email": "y@town.example"}, {"email": 240, "display_name": 500, "role": 100}),
    ("POST", "admin/tokens", {"name": "x"}, {"name": 90, "scope": 100, "email": 240, "expires_at": 100}),
    ("POST", "me/password", {"password": "x", "new_password": "x"}, {"password": 500, "new_password": 500}),
    ("POST", "session", {"email": "x@town.example", "password": "x"}, {"email": 240, "password": 500}),
    ("POST", "setup", {"token": "x", "email": "x@town.example", "password": "x"},
     {"token": 100, "email": 240, "password": 500, "display_name": 500}),
    ("POST", "invitations/accept", {"token": "x", "password": "x"}, {"token": 100, "password": 500, "display_name": 500}),
    ("POST", "password-reset", {"token": "x", "new_password": "x"}, {"token": 100, "new_password": 500}),
]
STRANGERS = ("session", "setup", "invitations/accept", "password-reset")
# What stands in the target of a request, before the text.
TARGETS = [f"api/v1/{path}" for path in [
    "businesses?search=", "businesses?category=", "businesses?tz=", "businesses?page=", "businesses?", "businesses?fields=",
    "businesses?near=", "businesses?bbox=", "businesses?sort=", "businesses?q=", "events?event_type=", "events?search=",
    "events?status=", "events?from=", "events?fields=", "events?tz=", "history?of=", "history?of=businesses/", "users?email=",
    "admin/export?format=", "admin/export?format=csv&table=", "businesses/", "events/", "categories/", "users/",
    "businesses/x/menus/", ""]] + [
    "businesses?q=", "businesses?category=", "businesses?near=", "events?type=", "events?when=", "events?business=",
    "events?from=", "new-event?at=", "login?then="]
FIELDS = ["Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Origin", "Content-Type", "X-Request-ID",
          "X-Forwarded-For", "User-Agent", "Accept"]
# Files to import; the first word of a name is the format.
COLUMNS = ("phone,email,website,time_zone,opening_hours,friday,latitude,longitude,description,address,"
           "starts_at,ends_at,status,rrule,business,event_type,submitted_by,start_date,start_time,coordinates,map,category")
CARD = ["FN", "N", "ORG", "TEL", "EMAIL", "URL", "GEO", "ADR", "NOTE", "CATEGORIES", "KIND", "TZ", "TEL;TYPE={0}", "{0}"]
COMPONENT = ["SUMMARY", "DESCRIPTION", "LOCATION", "STATUS", "CLASS", "EXDATE", "RDATE", "RRULE", "CATEGORIES", "GEO", "URL",
             "DURATION", "DTEND;TZID={0}", "{0}"]
FILES = {
    "json": '{{"businesses":[{{"name":"{0}","slug":"{0}","category":"{0}"}}],"{0}":1}}',
    "ndjson": '{{"category":{{"name":"{0}"}}}}\n{{"user":{{"email":"{0}"}}}}\n{{"{0}":1}}',
    "csv": "name,slug,category,owner,monday\n{0},{0},{0},{0},{0}", "csv with a column": "{0},name\n1,2",
    **{f"csv of {name}": f"name,{name}\nx,{{0}}" for name in COLUMNS.split(",")},
    "geojson": '{{"type":"FeatureCollection","features":[{{"type":"Feature","geometry":{{"type":"Point","coordinates":[1,1]}},'
               '"properties":{{"name":"{0}","type":"{0}","{0}":"{0}","addr:street":"{0}","shop":"{0}"}}}}]}}',
    "vcard": "BEGIN:VCARD\nVERSION:3.0\n" + "".join(f"{name}:{{0}}\n" for name in CARD) + "END:VCARD\n",
    "icalendar": "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:{0}\nDTSTART:20270601T190000\n" + "".join(
        f"{name}:{{0}}\n" for name in COMPONENT) + "END:VEVENT\nEND:VCALENDAR\n"}
PAGES = ["new-event", f"{TIDE}/report", "login", "forgotten-password", "invitation", "password-reset", "setup", "confirmation"]
OWN_PAGES = ["new-event", "account/new-event", "account/events/odd", f"account/{TIDE}", f"account/{TIDE}/hours",
             f"account/{TIDE}/menus", "account/password", "admin/town", "admin/start", "admin/businesses/new", f"admin/{TIDE}",
             f"admin/{TIDE}/merge", "admin/categories", "admin/categories/restaurants", "admin/people", "admin/people/1"]
PASSWORD = "seven rain coats dry"


@dataclass
class Case:
    """A request in which a text stands somewhere."""

    name: str
    send: Callable[[str], Any]
    lengths: list[int]  # of the text: bytes, or characters where it is negative
    around: tuple[str, str] = ("", "")
    plain: int = 1  # the length of the plain text that it is held against


class Town:
    """A server, and what asks it."""

    def __init__(self, server: Server, token: str) -> None:
        self._server, self._token = server, token
        self._addresses = itertools.count(1)

    def cost(self, case: Case, text: str) -> float:
        """The processor time of a request, in seconds."""
        before = cpu_seconds(self._server.pid)
        case.send(text)
        return cpu_seconds(self._server.pid) - before

    def send(self, method: str, target: str, body: bytes = b"", **fields: str) -> Any:
        try:
            return send(self._server.url, f"/{target}", method, fields, body, timeout=60)
        except ConnectionError:
            return None  # it was refused before all of it was sent

    def api(self, method: str, path: str, value: Any = None, anonymous: bool = False, **fields: str) -> Any:
        body = b"" if value is None else value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
        fields = {**({"Content-Type": "application/json"} if body else {}),
                  **({} if anonymous else {"Authorization": f"Bearer {self._token}"}), **fields}
        return self.send(method, f"api/v1/{path}", body, **fields)

    def cases(self) -> Iterator[Case]:
        """Every place in which a client can put a text."""
        for method, path, members, lengths in ROUTES:
            def put(text: str, method=method, path=path, members=members, name="") -> Any:
                return self.api(method, path, {**members, name or text: text if name else 1}, path in STRANGERS)

            for name, length in lengths.items():
                yield Case(f"{method} {path}: {name}", lambda text, put=put, name=name: put(text, name=name),
                           [8_000, BODY, -length], AROUND.get(name, ("", "")))
            yield Case(f"{method} {path}: a key", put, [250, 8_000, BODY])
        yield Case("4,000 keys", lambda text: self.api("POST", "events", {f"{n}{text}": 1 for n in range(4_000)}), [240])
        for target in TARGETS:
            yield Case(f"GET /{target}…", lambda text, target=target: self.send("GET", target + quoted(text),
                       Authorization=f"Bearer {self._token}"), [FIELD // 3])
        for name, method in itertools.product(FIELDS, ("GET", "POST")):
            body = b'{"name":""}' if method == "POST" else None
            yield Case(f"{method} with {name}", lambda text, name=name, method=method, body=body: self.api(
                method, "categories", body, **{name: text}), [FIELD])
        for name, file in FILES.items():
            path = f"admin/import?dry_run=true&format={name.split()[0]}"
            yield Case(f"an import of {name}", lambda text, path=path, file=file: self.api(
                "POST", path, file.format(text).encode()), [8_000, BODY // 8])
        for cookie, pages, length in (("", PAGES, FORM), (self.cookie(), OWN_PAGES, 80_000)):
            for page in pages:
                fields = dict(re.findall(r'<(?:input|textarea|select)\b[^>]* name="([^"]+)"(?:[^>]* value="([^"]*)")?',
                                         self.page(page, cookie).body.decode()))
                fields = {name: text for name, text in fields.items() if name not in ("q", "homepage", "starter", "delete")}
                for name in [*fields, "was.on.", "remove.", "holiday.", ""]:
                    yield Case(f"the form {page}: {name or 'a name'}{' of an administrator' if cookie else ''}",
                               lambda text, page=page, cookie=cookie, fields=fields, name=name: self.page(
                                   page, cookie, {**fields, **({name: text} if name in fields else {name + text: "x"})}),
                               [length], plain=length)

    def page(self, path: str, cookie: str, form: dict[str, str] | None = None) -> Any:
        """A page, or the answer to a form, which always comes from another address: those have few attempts."""
        number = next(self._addresses)
        fields = {"Sec-Fetch-Site": "same-origin", "X-Forwarded-For": f"10.{number >> 8}.{number & 255}.1",
                  "Content-Type": "application/x-www-form-urlencoded", **({"Cookie": cookie} if cookie else {})}
        body = "&".join(f"{name}={value}" for name, value in form.items()).encode() if form else b""
        return self.send("POST" if form else "GET", path, body, **fields)

    def cookie(self) -> str:
        """The session of the administrator, who gets a password."""
        person = self._server.ask("GET", "/api/v1/users?email=" + ADMIN).json()["items"][0]["id"]
        self._server.ask("POST", f"/api/v1/users/{person}/password", json.dumps({"new_password": PASSWORD}).encode())
        answer = self.page("login", "", {"login-email": ADMIN, "login-password": PASSWORD})
        return answer.headers["Set-Cookie"].split(";")[0]


def quoted(text: str) -> str:
    """A text in a target: as it is when it is long, which is plain UTF-8 that people type."""
    return urllib.parse.quote(text) if len(text) < 600 else text


def made(shape: str, length: int) -> str:
    """A text of some bytes, or, of a negative length, of some characters."""
    first, again = SHAPES[shape]
    if length < 0:
        return (first + again * -length)[:-length]
    return first + again * ((length - len(first.encode())) // len(again.encode()))


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    row = Row("texts: combining marks and the like in every place")
    server = make_town(binary, folder / "town", "--write-limit", "1000000", "--proxy", "127.0.0.1")
    worst = (0.0, "nothing")
    town = Town(server, make_token(binary, server))
    town.api("POST", "event-types", {"name": "Music"})
    town.api("POST", "events", {**START, "name": "Odd"})
    for case in town.cases():
        plain = min(town.cost(case, "x".join(case.around) * case.plain) for _ in range(2))
        for shape, length in itertools.product(["marks"] if short else SHAPES, case.lengths):
            text = made(shape, length).join(case.around)
            cost = town.cost(case, text) - plain
            if cost > MOST:  # once more: the server does other things at times
                cost = min(cost, town.cost(case, text) - plain)
            worst = max(worst, (cost, case.name))
            row.check(cost <= MOST, f"{case.name}, {shape}, {len(text.encode()):,} bytes", f"{cost:.3f} s")
    row.check(send(server.url, "/api/v1/health").status == 200, "it goes on", server.said)
    row.check(server.stop() == 0, "it ends as ever", server.said)
    row.figures = f"{1000 * worst[0]:.0f} ms of processor time at most: {worst[1]}"
    return [row]
