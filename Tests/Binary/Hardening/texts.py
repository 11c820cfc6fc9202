"""Texts that are slow to compare: long runs of combining marks, and other text that is one character to Unicode.

Each text field of each route gets them, as does a key, a query parameter, a part of the path and a header field: once
just under the limit of a body and once at the longest length that is accepted. So does each field of each form of the
pages, of somebody without an account and of an administrator. What counts is the processor time of the server, beside
what the same request costs with a short text, in a form with a plain one as long: hashing a password is a part of both.
"""

import html.parser
import itertools
import json
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from base import make_token, make_town
from harness import Server, send
from town import ADMIN
from checks import Row

MOST = 0.1  # seconds of processor time
BODY = 1_040_000  # bytes: just under the limit
TARGET, FIELD = 7_500, 7_500  # bytes of a target and of a header field
SHAPES: dict[str, tuple[str, str]] = {  # how a text begins, and what follows again and again
    "marks": ("a", "\u0301\u0316"), "no starter": ("", "\u0316\u0301"), "joined": ("", "\U0001F469\u200D"),
    "flags": ("", "\U0001F1E8"), "Hangul": ("", "\u1100\u1161\u11A8"), "Hebrew": ("\u05D0", "\u05B0\u0591\u05BC"),
}
PLACE = {"address": "1 A", "latitude": 48, "longitude": -123}
BUSINESS = {"name": 500, "slug": 600, "description": 10_000, "address": 1_000, "phone": 50, "email": 240, "website": 1_900,
            "category": 600}
EVENT = {"name": 500, "slug": 600, "description": 10_000, "event_type": 600, "business": 600, "starts_at": 100}
MENU = {"name": 500, "description": 10_000}
START = {"name": "x", "event_type": "music", "starts_at": "2035-06-01T19:00:00Z"}
AROUND = {"email": ("", "@town.example"), "website": ("https://a.example/", "")}  # what makes a text such a value
# Method, path, members that are always there, and the longest length of each text field in characters.
ROUTES: list[tuple[str, str, dict[str, Any], dict[str, int]]] = [
    ("POST", "businesses", {"name": "x", **PLACE}, BUSINESS),
    ("PATCH", "businesses/the-slack-tide-pub", {}, BUSINESS),
    ("POST", "businesses/the-slack-tide-pub/menus", {"name": "x"}, MENU),
    ("PATCH", "businesses/the-slack-tide-pub/menus/1", {}, MENU),
    ("POST", "businesses/the-slack-tide-pub/menus/1/items", {"name": "x", "price": "1.00"}, {**MENU, "price": 20}),
    ("POST", "categories", {"name": "x"}, {"name": 500, "slug": 600}),
    ("PATCH", "categories/restaurants", {}, {"name": 500, "slug": 600}),
    ("POST", "event-types", {"name": "x"}, {"name": 500, "slug": 600}),
    ("POST", "events", START, EVENT),
    ("PATCH", "events/odd", {}, EVENT),
    ("POST", "events/odd/reject", {}, {"reason": 10_000}),
    ("POST", "users", {"email": "x@town.example"}, {"email": 240, "display_name": 500, "role": 100}),
    ("POST", "users/1/promote", {}, {"role": 100}),
    ("POST", "users/2/password", {}, {"new_password": 500}),
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
QUERIES = ["businesses?search=", "businesses?category=", "businesses?tz=", "businesses?page=", "events?event_type=",
           "events?search=", "events?status=", "history?of=", "history?of=businesses/", "users?email=",
           "admin/export?format=", "admin/export?format=csv&table=", "businesses?", "businesses?fields=", "businesses?near=",
           "businesses?bbox=", "businesses?sort=", "businesses?q=", "events?from=", "events?fields=", "events?tz="]
PATHS = ["businesses/", "events/", "categories/", "users/", "businesses/x/menus/", ""]
FIELDS = ["Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Origin", "Content-Type", "X-Request-ID",
          "X-Forwarded-For", "User-Agent", "Accept"]
# Files of each format of import; the first word of a name is the format.
BUSINESSES = "phone,email,website,time_zone,opening_hours,friday,latitude,longitude,description,address"
EVENTS = "starts_at,ends_at,status,rrule,business,event_type,submitted_by,time_zone"
PARTS = "start_date,start_time,end_date,end_time,coordinates"
FILES = {"json": '{{"businesses":[{{"name":"{0}","slug":"{0}","category":"{0}"}}],"{0}":1}}',
         "ndjson": '{{"category":{{"name":"{0}"}}}}\n{{"user":{{"email":"{0}"}}}}\n{{"{0}":1}}',
         "csv": "name,slug,category,owner,monday\n{0},{0},{0},{0},{0}", "csv with a column": "{0},name\n1,2",
         **{f"csv of {columns}": f"name,{columns}\nx" + ",{0}" * (columns.count(",") + 1)
            for columns in (BUSINESSES, EVENTS, PARTS, "map,category,address")},
         "geojson": '{{"type":"FeatureCollection","features":[{{"type":"Feature","geometry":{{"type":"Point","coordinates":[1,1]}},'
                    '"properties":{{"name":"{0}","type":"{0}","{0}":"{0}","addr:street":"{0}","shop":"{0}"}}}}]}}',
         "vcard": "BEGIN:VCARD\nVERSION:3.0\n" + "".join(
             f"{name}:{{0}}\n" for name in ("FN", "N", "ORG", "TEL", "EMAIL", "URL", "GEO", "ADR", "NOTE", "CATEGORIES", "KIND",
                                            "TZ", "TEL;TYPE={0}", "{0}")) + "END:VCARD\n",
         "icalendar": "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:{0}\nDTSTART:20270601T190000\n" + "".join(
             f"{name}:{{0}}\n" for name in ("SUMMARY", "DESCRIPTION", "LOCATION", "STATUS", "CLASS", "EXDATE", "RDATE", "RRULE",
                                            "CATEGORIES", "GEO", "URL", "DURATION", "DTEND;TZID={0}", "{0}"))
                      + "END:VEVENT\nEND:VCALENDAR\n"}

PAGES = ["new-event", "businesses/the-slack-tide-pub/report", "login", "forgotten-password", "invitation", "password-reset",
         "setup", "confirmation"]
OWN_PAGES = ["new-event", "account/new-event", "account/events/odd", "account/businesses/the-slack-tide-pub",
             "account/businesses/the-slack-tide-pub/hours", "account/businesses/the-slack-tide-pub/menus", "account/password",
             "admin/town", "admin/start", "admin/businesses/new", "admin/businesses/the-slack-tide-pub",
             "admin/businesses/the-slack-tide-pub/merge", "admin/categories", "admin/categories/restaurants", "admin/people",
             "admin/people/1"]
PASSWORD = "seven rain coats dry"
FORM = 30_000  # bytes: what somebody without an account may send in any
LISTS = ["businesses?q=", "businesses?category=", "businesses?near=", "events?type=", "events?when=", "events?business=",
         "events?from=", "new-event?at=", "login?then="]


@dataclass
class Case:
    """A request in which a text stands somewhere."""

    name: str
    send: Callable[[str], Any]
    lengths: list[int]  # of the text, in bytes
    around: tuple[str, str] = ("", "")
    is_form: bool = False


class Fields(html.parser.HTMLParser):
    """The fields of the forms of a page, as they are when it is opened."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = values.get("name")
        if tag in ("input", "textarea", "select") and name and name not in ("q", "homepage", "starter", "delete"):
            self.found.setdefault(name, values.get("value") or "")


class Town:
    """A server, and what asks it."""

    def __init__(self, server: Server, token: str) -> None:
        self._server, self._token = server, token
        self._addresses = itertools.count(1)
        # The clock of the processor time that the threads of a process have taken together (clock_getcpuclockid).
        self._clock = (~server.pid << 3) | 2

    def cost(self, case: Case, text: str) -> float:
        """The processor time of a request, in seconds."""
        before = time.clock_gettime(self._clock)
        case.send(text)
        return time.clock_gettime(self._clock) - before

    def request(self, method: str, path: str, body: bytes = b"", anonymous: bool = False, **fields: str) -> Any:
        headers = {} if anonymous else {"Authorization": f"Bearer {self._token}"}
        headers |= {"Content-Type": "application/json"} if body else {}
        try:
            return send(self._server.url, f"/api/v1/{path}", method, {**headers, **fields}, body, timeout=60)
        except ConnectionError:
            return None  # it was refused before all of it was sent

    def cases(self) -> Iterator[Case]:
        """Every place in which a client can put a text."""
        for method, path, members, fields in ROUTES:
            for name, length in fields.items():
                yield Case(f"{method} {path}: {name}", self.with_field(method, path, members, name),
                           [8_000, BODY], AROUND.get(name, ("", "")))
                yield Case(f"{method} {path}: {name} of the longest length",
                           self.with_field(method, path, members, name), [-length], AROUND.get(name, ("", "")))
            yield Case(f"{method} {path}: a key", self.with_key(method, path, members), [250, 8_000, BODY])
            yield Case(f"{method} {path}: 4,000 keys", self.with_keys(method, path, members), [240])
        for query in QUERIES:
            yield Case(f"GET {query}", lambda text, query=query: self.request("GET", query + quoted(text)), [TARGET // 3])
        for path in PATHS:
            yield Case(f"GET {path}…", lambda text, path=path: self.request("GET", path + quoted(text)), [TARGET // 3])
            yield Case(f"PATCH {path}…", lambda text, path=path: self.request("PATCH", path + quoted(text), b"{}"),
                       [TARGET // 3])
        for name in FIELDS:
            for method in ("GET", "POST"):
                yield Case(f"{method} with {name}", self.with_header(method, name), [FIELD])
        yield from self.pages()
        for name, file in FILES.items():
            path = f"admin/import?dry_run=true&format={name.split()[0]}"
            yield Case(f"an import of {name}",
                       lambda text, path=path, file=file: self.request("POST", path, file.format(text).encode()),
                       [8_000, BODY // 8])

    def pages(self) -> Iterator[Case]:
        """Every field of every form, a field and a box of another name, and the parameters of pages."""
        for cookie, pages, length in (("", PAGES, FORM), (self.cookie(), OWN_PAGES, 80_000)):
            for page in pages:
                fields = Fields(self.page(page, cookie).body.decode()).found
                for name in [*fields, "was.on.", "remove.", "holiday.", ""]:
                    ask = (lambda text, page=page, fields=fields, name=name, cookie=cookie: self.page(
                        page, cookie, {**fields, name: text} if name in fields else {**fields, name + text: "x"}))
                    owner = " of an administrator" if cookie else ""
                    yield Case(f"the form {page}{owner}: {name or 'a name'}", ask, [length], is_form=True)
        for target in LISTS:
            yield Case(f"GET /{target}", lambda text, target=target: self.page(target + quoted(text), ""), [TARGET // 3])

    def page(self, path: str, cookie: str, form: dict[str, str] | None = None) -> Any:
        """A page, or the answer to a form, which always comes from another address: those have few attempts."""
        number = next(self._addresses)
        fields = {"Sec-Fetch-Site": "same-origin", "X-Forwarded-For": f"10.{number >> 8}.{number & 255}.1",
                  "Content-Type": "application/x-www-form-urlencoded", **({"Cookie": cookie} if cookie else {})}
        body = "&".join(f"{name}={value}" for name, value in form.items()).encode() if form else b""
        try:
            return send(self._server.url, f"/{path}", "POST" if form else "GET", fields, body, timeout=60)
        except ConnectionError:
            return None

    def cookie(self) -> str:
        """The session of the administrator, who gets a password."""
        users = self._server.ask("GET", "/api/v1/users?email=" + ADMIN).json()["items"]
        self._server.ask("POST", f"/api/v1/users/{users[0]['id']}/password", as_json({"new_password": PASSWORD}))
        answer = self.page("login", "", {"login-email": ADMIN, "login-password": PASSWORD})
        return answer.headers["Set-Cookie"].split(";")[0]

    def with_field(self, method: str, path: str, members: dict[str, Any], name: str) -> Callable[[str], Any]:
        return lambda text: self.request(method, path, as_json({**members, name: text}), path in STRANGERS)

    def with_key(self, method: str, path: str, members: dict[str, Any]) -> Callable[[str], Any]:
        return lambda text: self.request(method, path, as_json({**members, text: 1}), path in STRANGERS)

    def with_keys(self, method: str, path: str, members: dict[str, Any]) -> Callable[[str], Any]:
        return lambda text: self.request(
            method, path, as_json({**members, **{f"{n}{text}": 1 for n in range(4_000)}}), path in STRANGERS)

    def with_header(self, method: str, name: str) -> Callable[[str], Any]:
        body = as_json({"name": ""}) if method == "POST" else b""
        return lambda text: self.request(method, "categories", body, **{name: text})


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def quoted(text: str) -> str:
    """A text in a target: as it is when it is short or plain UTF-8, which people type."""
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
    try:
        town = Town(server, make_token(binary, server))
        town.request("POST", "event-types", as_json({"name": "Music"}))
        town.request("POST", "events", as_json({**START, "name": "Odd"}))
        for case in town.cases():
            plain = min(town.cost(case, "x".join(case.around) * (case.lengths[0] if case.is_form else 1)) for _ in range(2))
            for shape in ["marks"] if short else SHAPES:
                for length in case.lengths:
                    text = made(shape, length).join(case.around)
                    cost = town.cost(case, text) - plain
                    if cost > MOST:  # once more: the server does other things at times
                        cost = min(cost, town.cost(case, text) - plain)
                    worst = max(worst, (cost, case.name))
                    row.check(cost <= MOST, f"{case.name}, {shape}, {len(text.encode()):,} bytes", f"{cost:.3f} s")
        row.check(send(server.url, "/api/v1/health").status == 200, "it goes on", server.said)
        row.check(server.stop() == 0, "it ends as ever", server.said)
    finally:
        server.kill()
    row.figures = f"{1000 * worst[0]:.0f} ms of processor time at most: {worst[1]}"
    return [row]
