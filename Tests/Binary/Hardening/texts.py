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
# What makes a text a value of a field, and what other fields have where they must be there.
AROUND = {"email": ("", "@town.example"), "website": ("https://a.example/", "")}
MEMBERS = {"latitude": 48, "longitude": -123, "event_type": "music", "starts_at": "2035-06-01T19:00:00Z",
           "price": "1.00", "email": "x@town.example", "category": "restaurants"}
LONGEST = {"description": 10_000, "reason": 10_000, "website": 1_900, "address": 1_000, "slug": 600, "category": 600,
           "event_type": 600, "business": 600, "phone": 50, "email": 240, "price": 20, "starts_at": 100, "token": 100}
# What stands in the place of a parameter of a path.
PLACES = {"businesses": "the-slack-tide-pub", "categories": "restaurants", "event-types": "music", "events": "odd"}
LEFT_OUT = ("/api/v1/changes",)  # responses that do not end
PARAMETERS = ["businesses?q=", "businesses?category=", "businesses?near=", "events?type=", "events?when=",
              "events?business=", "events?from=", "new-event?at=", "login?then="]  # of pages
FIELDS = ["Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Origin", "Content-Type", "X-Request-ID",
          "X-Forwarded-For", "User-Agent", "Accept"]
TIDE = "businesses/the-slack-tide-pub"
PAGES = f"new-event {TIDE}/report login forgotten-password invitation password-reset setup confirmation".split()
OWN_PAGES = (f"new-event account/new-event account/events/odd account/{TIDE} account/{TIDE}/hours account/{TIDE}/menus "
             f"account/password admin/town admin/start admin/businesses/new admin/{TIDE} admin/{TIDE}/merge "
             "admin/categories admin/categories/restaurants admin/people admin/people/1").split()
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
        body = b"" if value is None else json.dumps(value, ensure_ascii=False).encode()
        fields = {**({"Content-Type": "application/json"} if body else {}),
                  **({} if anonymous else {"Authorization": f"Bearer {self._token}"}), **fields}
        return self.send(method, path, body, **fields)

    def cases(self) -> Iterator[Case]:
        """Every place in which a client can put a text."""
        description = send(self._server.url, "/openapi.json").json()
        for path, methods in description["paths"].items():
            for method, operation in methods.items() if path not in LEFT_OUT else ():
                schemas = description["components"]["schemas"]
                yield from self.described(method.upper(), path.removeprefix("/"), operation, schemas)
        for target in PARAMETERS:
            yield self.in_target("GET", target, "")
        yield Case("4,000 keys", lambda text: self.api(
            "POST", "api/v1/events", {f"{n}{text}": 1 for n in range(4_000)}), [240])
        for name, method in itertools.product(FIELDS, ("GET", "POST")):
            body = {"name": ""} if method == "POST" else None
            yield Case(f"{method} with {name}", lambda text, name=name, method=method, body=body: self.api(
                method, "api/v1/categories", body, **{name: text}), [FIELD])
        for cookie, pages, length in (("", PAGES, FORM), (self.cookie(), OWN_PAGES, 80_000)):
            for page in pages:
                fields = dict(re.findall(r'<(?:input|textarea|select)\b[^>]* name="([^"]+)"(?:[^>]* value="([^"]*)")?',
                                         self.page(page, cookie).body.decode()))
                for name in ("q", "homepage", "starter", "delete"):
                    fields.pop(name, None)
                for name in [*fields, "was.on.", "remove.", "holiday.", ""]:
                    yield Case(f"the form {page}: {name or 'a name'}{' of an administrator' if cookie else ''}",
                               lambda text, page=page, cookie=cookie, fields=fields, name=name: self.page(
                                   page, cookie, fields | ({name: text} if name in fields else {name + text: "x"})),
                               [length], plain=length)

    def described(self, method: str, path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[Case]:
        """The parameters of a route, and the fields of its body."""
        before, opened, after = path.rpartition("{")
        if opened and method in ("GET", "PATCH"):
            yield self.in_target(method, filled(before), after.partition("}")[2])
        for parameter in operation.get("parameters", []):
            if method == "GET" and parameter["in"] == "query":
                yield self.in_target(method, f"{filled(path)}?{parameter['name']}=", "")
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            schema = schemas.get(content["schema"].get("$ref", "").rpartition("/")[2], {})
            members = {name: MEMBERS.get(name, "x") for name in schema.get("required", [])}

            def put(text: str, name: str = "") -> Any:
                value = {**members, name or text: text if name else 1}
                return self.api(method, filled(path), value, not operation.get("security"), **{"Content-Type": kind})

            texts = [name for name, field in schema.get("properties", {}).items() if "string" in field.get("type", "")]
            for name in texts:
                yield Case(f"{method} {path}: {name}", lambda text, put=put, name=name: put(text, name),
                           [8_000, BODY, -LONGEST.get(name, 500)], AROUND.get(name, ("", "")))
            if texts:
                yield Case(f"{method} {path}: a key", put, [250, 8_000, BODY])

    def in_target(self, method: str, before: str, after: str) -> Case:
        return Case(f"{method} /{before}…{after}", lambda text: self.api(
            method, before + quoted(text) + after, {} if method == "PATCH" else None), [FIELD // 3])

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


def filled(path: str) -> str:
    """A path whose parameters have values."""
    return re.sub(r"([^/]+)/{\w+}", lambda found: f"{found[1]}/{PLACES.get(found[1], '1')}", path)


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
    town.api("POST", "api/v1/event-types", {"name": "Music"})
    town.api("POST", "api/v1/events", {**MEMBERS, "name": "Odd"})
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
