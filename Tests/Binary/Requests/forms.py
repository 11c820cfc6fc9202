"""The forms of the pages as four callers see them, filled in, changed and added to."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote_plus

import values
from callers import FORM, Caller, Prepared
from prober import Prober, Request
from values import Dice

ROOTS = ["/", "/businesses", "/events", "/new-event", "/login", "/forgotten-password", "/setup", "/invitation",
         "/password-reset", "/confirmation", "/account", "/account/waiting", "/admin/start", "/admin/businesses?q=k",
         "/businesses/slack-tide/report", "/account/events/open-mic", "/account/events/book-swap",
         "/account/new-event?copy=open-mic", "/account/businesses/slack-tide/hours", "/admin/businesses/kelp-books",
         "/account/waiting/holidays/2026-12-25", "/notices", "/admin/new-notice?as=5", "/admin/notices/odd",
         "/admin/calendars", "/admin/calendars/new", "/admin/calendars/1"]
NOT_PAGES = re.compile(r"^/(api|assets|docs|openapi|icon|site\.|robots|sitemap|events\.)|\.(ics|csv|json|geojson)\b|//")
MOST_PAGES = 60  # of a caller
# Fields that no form has in this way, or not this one; {n} is a number, {d} a day, {t} a text.
EXTRAS = ["on.{n}", "was.on.{n}", "was.on.{n}", "stamp", "move", "move-day", "move-from", "move-to", "version", "look",
          "business-version", "key", "days", "set", "all", "code", "reference", "holiday.{d}", "was.holiday.{d}", "was.{t}",
          "public_holidays", "was.public_holidays", "place", "answer",
          "login-then", "homepage", "into", "delete", "id", "terms", "starter", "moves", "mon", "was.mon",
          "opening_hours", "special.{n}", "items.{n}", "name.{n}", "remove.{n}", "menu.{n}", "{t}", "{n}", ""]


@dataclass
class Field:
    """A field of a form as a page shows it."""

    name: str
    kind: str
    value: str
    is_set: bool = True  # whether a browser sends it
    options: list[str] = field(default_factory=list)


@dataclass
class Form:
    """A form that changes something."""

    action: str
    fields: list[Field]


class Reader(HTMLParser):
    """The forms of a page that change something, and its links."""

    def __init__(self, page: str, path: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self.links: list[str] = []
        self._path, self._form, self._field = path, None, None
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        name, kind = given.get("name", ""), given.get("type", tag)
        if tag == "a" and given.get("href", "").startswith("/"):
            self.links.append(given["href"].partition("#")[0])
        elif tag == "form":
            self._form = Form(given.get("action") or self._path, []) if given.get("method") == "post" else None
            if self._form:
                self.forms.append(self._form)
        elif tag == "option" and self._field:
            self._field.options.append(given.get("value", ""))
            if "selected" in given or len(self._field.options) == 1:
                self._field.value = given.get("value", "")
        elif tag in ("input", "textarea", "select", "button") and self._form and name:
            is_set = tag != "button" and (kind not in ("checkbox", "radio") or "checked" in given)
            self._field = Field(name, kind, given.get("value", ""), is_set)
            self._form.fields.append(self._field)

    def handle_data(self, data: str) -> None:
        if self._field and self._field.kind == "textarea":
            self._field.value += data.removeprefix("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("textarea", "select"):
            self._field = None
        elif tag == "form":
            self._form = self._field = None


class Forms:
    """Chooses, fills in and sends forms; each one that was found first."""

    def __init__(self, prober: Prober, town: Prepared, dice: Dice) -> None:
        self.prober, self.town, self.dice = prober, town, dice
        self.known: list[tuple[Caller, str]] = []  # every page with a form, for each caller
        self._explore()
        self._first = dice.sample(self.known, len(self.known))

    def _explore(self) -> None:
        """Follows the links of the pages."""
        for caller in self.town.callers:
            queue = [*ROOTS, *self.town.references]
            seen = set(queue)
            while queue and len(seen) < MOST_PAGES + len(ROOTS):
                path = queue.pop(0)
                page = self.page(caller, path)
                self.known += [(caller, path)] * bool(page.forms)
                for link in page.links:
                    if link not in seen and not NOT_PAGES.search(link):
                        seen.add(link)
                        queue.append(link)

    def page(self, caller: Caller, path: str) -> Reader:
        """The forms and links of a page; none when there is no page for the caller."""
        status, answer = self.prober.send(Request(
            caller.name, "GET", path, [("Accept", "text/html"), *caller.page_headers()], source=self.source(caller)))
        body = answer.partition(b"\r\n\r\n")[2] if status == 200 else b""
        return Reader(body.decode(errors="replace"), path)

    def source(self, caller: Caller) -> str:
        """An address: strangers are many, so that none of them has sent too much."""
        dice = self.dice
        return "127.0.0.1" if caller.cookie else f"127.{dice.randrange(1, 255)}.{dice.randrange(256)}.7"

    def step(self) -> Request | None:
        """Sends one form; the request when it was accepted."""
        caller, path = self._first.pop() if self._first else self.dice.choice(self.known)
        forms = self.page(caller, path).forms
        if not forms:
            return None
        form = self.dice.choices(forms, [3 + len(form.fields) for form in forms])[0]
        request = self.request(caller, form.action, self.filled(form, caller), self.source(caller))
        status, answer = self.prober.send(request)
        found = re.search(rb"\r\nLocation: (/[^\r?#]*)", answer)
        if found and (caller, found[1].decode()) not in self.known and not NOT_PAGES.search(found[1].decode()):
            self.known.append((caller, found[1].decode()))
        return request if status == 303 else None

    def request(self, caller: Caller, target: str, fields: list[tuple[str, Any]], source: str) -> Request:
        encoded = b"&".join(quoted(name) + b"=" + quoted(value) for name, value in fields) or b"a="
        headers = [FORM, ("Sec-Fetch-Site", "same-origin"), ("Accept", "text/html"), *caller.page_headers()]
        return Request(caller.name, "POST", target, headers, encoded, source, fields,
                       lambda some: self.request(caller, target, some, source))

    def filled(self, form: Form, caller: Caller) -> list[tuple[str, Any]]:
        """The fields that are sent: as people fill them in, with some that nobody would."""
        dice = self.dice
        edge = dice.choice([0.0, 0.1, 0.3])
        sent = [(given.name, value) for given in form.fields if (value := self.value(given, caller, edge)) is not None]
        names = dict(sent)
        if dice.random() >= edge:  # such that they go together
            empty = ["location"] * bool(names.get("place"))
            empty += ["until"] * (names.get("repeat") in ("listed", "once", "kept"))
            sent = [(name, "" if name in empty else value) for name, value in sent]
        change = dice.random()
        if change < 0.35:
            sent += [self.extra() for _ in range(dice.choice([1, 1, 2, 3, 3, 100, 1_000]))]
        elif change < 0.45 and sent:  # one with a name that the form has, at an edge
            at = dice.randrange(len(sent))
            sent[at] = (dice.choice(["", "", "was."]) + sent[at][0], values.edge(dice))
        elif change < 0.5 and sent:
            sent += [dice.choice(sent) for _ in range(dice.choice([1, 3, 100]))]
        return sent

    def extra(self) -> tuple[str, str]:
        """A field that the form does not have."""
        dice = self.dice
        name = (dice.choice(EXTRAS).replace("{n}", values.number(dice)).replace("{d}", values.day(dice))
                .replace("{t}", dice.choice(values.LETTERS) * 3))
        if name.startswith(("stamp", "move", "version", "id")) and name != "move-day":
            return name, values.number(dice)
        return name, values.day(dice) if "day" in name else dice.choice([values.edge(dice)] * 2 + ["", "yes"])

    def value(self, given: Field, caller: Caller, edge: float) -> str | None:
        """What somebody sends for a field; None for nothing."""
        dice, name = self.dice, given.name
        if given.kind == "button":
            return given.value if dice.random() < (0.02 if name == "look" else 0.1) else None
        if given.kind in ("checkbox", "radio"):
            return given.value if given.is_set != (dice.random() < 0.3) else None
        if name == "stamp" and not caller.cookie:
            return self.town.stamp if dice.random() < 0.9 else values.number(dice)
        if name == "homepage":
            return given.value
        if dice.random() < edge / 3:
            return dice.choice([values.edge(dice), None, ""]) if given.kind == "hidden" else values.edge(dice)
        if given.kind == "hidden" or given.value and dice.random() < 0.5:
            return given.value
        if given.kind == "select" and name != "repeat":
            return dice.choice(given.options or [""])
        if given.kind == "date":
            return "" if name in ("last", "until") and dice.random() < 0.8 else values.day(dice, edge)
        if name in ("from", "move-from", "to", "move-to"):
            often = name.endswith("from") or dice.random() < 0.4
            return dice.choice(values.TIMES if dice.random() < edge else values.TIMES[:8]) if often else ""
        if name == "dates":
            return "\n".join(values.day(dice, 0.5) for _ in range(dice.choice([1, 1, 2, 3, 200, 201])))
        if given.kind == "password":
            return dice.choice([*self.town.passwords, "a longer walk to Whiffin Spit", values.text(dice)])
        if name == "code":
            return dice.choice([*self.town.codes, values.edge(dice)])
        if name in ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "all") or name.startswith("holiday"):
            return dice.choice(values.HOURS if dice.random() < edge else values.HOURS[:8])
        if "items" in name or "menu" in name:
            return "\n".join(f"{values.words(dice)} {dice.choice(values.PRICES[:3])}" for _ in range(dice.randrange(4)))
        found = values.named(dice, name, edge)
        return found if found is not None else values.words(dice) if dice.random() > edge else values.text(dice)


def quoted(text: str) -> bytes:
    """A text as browsers encode it; a long one as it is, since it may take no more than a form may hold."""
    if len(text) < 4_000:
        return quote_plus(text, errors="surrogatepass").encode()
    return text.encode(errors="surrogatepass").replace(b"%", b"%25").replace(b"&", b"%26").replace(b"+", b"%2B")
