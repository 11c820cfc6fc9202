"""The forms of the pages as four callers see them, filled in, changed and added to, with a kill after what is accepted."""

import json
import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote_plus

import values
from callers import FORM, Caller, Prepared
from prober import Prober, Request, signals
from values import Dice

ROOTS = ["/", "/businesses", "/events", "/new-event", "/login", "/forgotten-password", "/setup", "/invitation",
         "/password-reset", "/confirmation", "/account", "/account/waiting", "/admin/start", "/admin/businesses?q=k",
         "/businesses/slack-tide/report", "/account/events/open-mic", "/account/events/book-swap",
         "/account/new-event?copy=open-mic", "/account/businesses/slack-tide/hours", "/admin/businesses/kelp-books"]
NOT_PAGES = re.compile(r"^/(api|assets|docs|openapi|icon|site\.|robots|sitemap|events\.)|\.(ics|csv|json|geojson)\b|//")
MOST_PAGES = 60  # of a caller
ROUND = 40  # forms in a town before it starts over
READS = ["/", "/events", "/week", "/businesses", "/sitemap.xml", "/events?from={d}", "/account", "/account/waiting",
         "/admin/businesses", "/account/events/open-mic", "/account/businesses/slack-tide/hours", "/businesses/slack-tide",
         "/businesses/kelp-books", "/events/open-mic", "/api/v1/events?from={d}", "/api/v1/businesses?all=true",
         "/api/v1/events?from=0000-01-01&to=9999-12-31",
         "/api/v1/events.ics", "/api/v1/events.csv", "/api/v1/businesses.csv", "/api/v1/businesses.geojson", "/api/v1/proposals",
         "/api/v1/history", "/api/v1/businesses?open_at={d}T12:00:00Z", "/api/v1/confirmations?due={d}", "/api/v1/admin/status"]
# Fields that no form has in this way, or not this one; {n} is a number, {d} a day, {t} a text.
EXTRAS = ["on.{n}", "was.on.{n}", "was.on.{n}", "was.on.{n}", "stamp", "move", "move-day", "move-from", "move-to", "version",
          "business-version", "key", "look", "days", "set", "all", "code", "holiday.{d}", "was.holiday.{d}", "was.{t}",
          "login-then", "login-again", "homepage", "into", "delete", "id", "terms", "starter", "moves", "mon", "was.mon",
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
    """Chooses, fills in and sends forms."""

    def __init__(self, prober: Prober, town: Prepared, dice: Dice) -> None:
        self.prober, self.town, self.dice = prober, town, dice
        self.codes = town.codes
        self.known: list[tuple[Caller, str]] = []  # every page with a form, for each caller
        self._first = self._sharp_ones()

    def explore(self) -> None:
        """Follows the links of the pages."""
        for caller in self.town.callers:
            queue, seen = list(ROOTS), set(ROOTS)
            while queue and len(seen) < MOST_PAGES + len(ROOTS):
                path = queue.pop(0)
                page = self.page(caller, path)
                if page is None:
                    continue
                self.known += [(caller, path)] * bool(page.forms)
                for link in page.links:
                    if link not in seen and not NOT_PAGES.search(link):
                        seen.add(link)
                        queue.append(link)

    def page(self, caller: Caller, path: str) -> Reader | None:
        """The forms and links of a page; None when there is none for the caller."""
        status, answer = self.prober.send(Request(
            caller.name, "GET", path, [("Accept", "text/html"), *caller.page_headers()], source=self.source(caller)))
        if status != 200:
            return None
        return Reader(answer.partition(b"\r\n\r\n")[2].decode(errors="replace"), path)

    def source(self, caller: Caller) -> str:
        """An address: strangers are many, so that none of them has sent too much."""
        if caller.cookie:
            return "127.0.0.1"
        return f"127.{self.dice.randrange(1, 255)}.{self.dice.randrange(256)}.{self.dice.randrange(1, 255)}"

    def _sharp_ones(self) -> Iterator[Request | None]:
        """Each form with what is hard to read in it; the requests that were accepted."""
        kinds: dict[tuple[str, ...], tuple[Caller, str, int]] = {}
        for caller, path in self.known:
            for index, form in enumerate(self._forms(caller, path)):
                names = {re.sub(r"\d+", "", given.name) for given in form.fields}
                kinds.setdefault((Request(caller.name, "", form.action, []).route, *sorted(names)), (caller, path, index))
        changes = [(*form, change) for kind, form in kinds.items() for change in range(8)
                   if (change < 4 or "dates" in kind) and (change != 3 or self.dice.random() < 0.4)]
        self.dice.shuffle(changes)
        for caller, path, index, change in changes:
            forms = self._forms(caller, path)
            if index < len(forms):
                yield self.submit(caller, forms[index], self._sharp(forms[index], caller, change), change)

    def _forms(self, caller: Caller, path: str) -> list[Form]:
        page = self.page(caller, path)
        return page.forms if page else []

    def _sharp(self, form: Form, caller: Caller, change: int) -> list[tuple[str, Any]]:
        """A form that is filled in well, with one of some changes."""
        sent = self._values(form, caller, 0)
        names = dict(sent)
        if change < 2:
            number = [values.LARGEST, values.SMALLEST][change]
            return sent + [(name.replace("{n}", number), "7 pm" if name.endswith(("from", "to")) else number)
                           for name in EXTRAS if "{n}" in name or name in ("move", "version", "id")
                           ] + [("move-day", "2035-06-08"), ("move-from", "7 pm")]
        if change == 2 and not names:
            return sent
        if change == 2:
            hidden = {"stamp"} & set(names) or {self.dice.choice(list(names))}
            return [(name, values.LARGEST if name in hidden else value) for name, value in sent]
        if change == 3:
            texts = [given.name for given in form.fields if given.kind not in ("checkbox", "radio", "button", "hidden")]
            name = self.dice.choice(texts or ["x"])
            named = self.dice.choice([name] + ["was." + name] * ("was." + name in names))
            return [(name, values.marks(self.dice) if name == named else value) for name, value in sent]
        changes = {4: ("2027-06-01", "7 pm", "9999-12-31"), 5: ("2027-06-01", "12 am", "0000-01-01"),
                   6: ("9999-12-31", "11 pm", "2027-06-01"), 7: ("0000-01-01", "12 am", "0000-01-02")}[change]
        given = dict(zip(("day", "from", "dates"), changes)) | {
            "repeat": "listed", "to": "", "until": "", "last": "", "name": names.get("name") or "A name"}
        return [(name, given.get(name, value)) for name, value in sent]

    def step(self) -> Request | None:
        """Sends one form, each of those that are tried first once; the request when it was accepted."""
        request = next(self._first, "none is left")
        return request if request != "none is left" else self._any()

    def _any(self) -> Request | None:
        caller, path = self.dice.choice(self.known)
        forms = self._forms(caller, path)
        if not forms:
            return None
        form = self.dice.choices(forms, [3 + len(form.fields) for form in forms])[0]
        return self.submit(caller, form, self.filled(form, caller))

    def submit(self, caller: Caller, form: Form, fields: list[tuple[str, Any]], change: int = -1) -> Request | None:
        request = self.request(caller, form.action, fields, self.source(caller))
        request.change = change
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

    # Filling in

    def filled(self, form: Form, caller: Caller) -> list[tuple[str, Any]]:
        """The fields that are sent: as people fill them in, with some that nobody would."""
        dice = self.dice
        edge = dice.choice([0.0, 0.1, 0.3])
        sent = self._values(form, caller, edge)
        change = dice.random()
        if change < 0.3:
            sent += [self.extra() for _ in range(dice.choice([1, 1, 2, 3]))]
        elif change < 0.4 and sent:  # one with a name that the form has, at an edge
            at = dice.randrange(len(sent))
            sent[at] = (sent[at][0], values.edge(dice))
        elif change < 0.45 and sent:
            at = dice.randrange(len(sent))
            name = dice.choice([sent[at][0], "was." + sent[at][0]])
            sent[at:at + 1] = [(name, values.marks(dice))] + ([(sent[at][0], sent[at][1])] if name.startswith("was.") else [])
        elif change < 0.5 and sent:
            sent += [dice.choice(sent) for _ in range(dice.choice([1, 3, 100]))]
        elif change < 0.52:
            sent += [self.extra() for _ in range(dice.choice([100, 700, 5_000]))]
        if dice.random() < 0.1:
            dice.shuffle(sent)
        return sent

    def _values(self, form: Form, caller: Caller, edge: float) -> list[tuple[str, Any]]:
        """What somebody sends for the fields of a form, more often than not such that they go together."""
        sent = [(given.name, value) for given in form.fields if (value := self.value(given, caller, edge)) is not None]
        names = dict(sent)
        if self.dice.random() < edge:
            return sent
        if names.get("place"):
            names["location"] = ""
        if names.get("repeat") in ("listed", "once", "kept"):
            names["until"] = ""
        return [(name, names[name] if name in ("location", "until") else value) for name, value in sent]

    def extra(self) -> tuple[str, str]:
        """A field that the form does not have."""
        dice = self.dice
        name = (dice.choice(EXTRAS).replace("{n}", values.number(dice)).replace("{d}", values.day(dice))
                .replace("{t}", dice.choice(values.LETTERS) * 3))
        value = values.number(dice) if name in ("stamp", "move", "version", "id") else values.edge(dice)
        if name.startswith(("move-day", "holiday")):
            value = values.day(dice)
        return name, dice.choice([value, value, "", "yes"]) if not name.startswith(("stamp", "move")) else value

    def value(self, given: Field, caller: Caller, edge: float) -> str | None:
        """What somebody sends for a field; None for nothing."""
        dice = self.dice
        if given.kind == "button":
            return given.value if dice.random() < (0.02 if given.name == "look" else 0.1) else None
        if given.kind in ("checkbox", "radio"):
            return given.value if given.is_set != (dice.random() < 0.3) else None
        if given.name == "stamp" and not caller.cookie:
            return self.town.stamp if dice.random() < 0.9 else values.number(dice)
        if given.name == "homepage":
            return given.value
        if given.kind == "hidden":
            if dice.random() < edge / 3:
                return dice.choice([values.edge(dice), None, ""])
            return given.value
        if dice.random() < edge / 3:
            return values.edge(dice)
        if given.value and dice.random() < 0.5:
            return given.value
        if given.name == "repeat" and dice.random() < 0.3:
            return "listed"
        if given.kind == "select":
            return dice.choice([option for option in given.options if option or dice.random() < edge] or given.options or [""])
        return self.plausible(given, caller, edge)

    def plausible(self, given: Field, caller: Caller, edge: float) -> str:
        """A value for a field by its name, at an edge as often as `edge` says."""
        dice, name = self.dice, given.name
        if given.kind == "date":
            return "" if name in ("last", "until") and dice.random() < 0.8 else values.day(dice, edge)
        if name in ("from", "move-from", "to", "move-to"):
            if name.endswith("to") and dice.random() < 0.6:
                return ""
            return values.one(dice, values.PEOPLES_TIMES if dice.random() < edge else values.PEOPLES_TIMES[:9])
        if name == "dates":
            return values.lines_of_days(dice)
        if given.kind == "password":
            return dice.choice([*self.town.passwords, "a longer walk to Whiffin Spit", values.text(dice)])
        if name == "code":
            return dice.choice([*self.codes, values.edge(dice)])
        if given.kind == "email" or "email" in name:
            return values.one(dice, values.MAILS if dice.random() < edge else ["", *values.MAILS[:2]])
        kinds = {"location": values.PLACES, "center": values.PLACES, "website": values.SITES, "time_zone": values.ZONES,
                 "opening_hours": values.OPENING_HOURS, "place": ["Slack Tide", "", "Kelp"]}
        if name in kinds:
            return "" if dice.random() < 0.4 else kinds[name][0] if dice.random() > edge else dice.choice(kinds[name])
        if name in ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "all") or name.startswith("holiday"):
            return values.one(dice, values.HOURS if dice.random() < edge else values.HOURS[:10])
        if "items" in name or "menu" in name:
            return "\n".join(f"{values.words(dice)} {dice.choice(values.PRICES[:3])}" for _ in range(dice.randrange(4)))
        if name == "phone":
            return "250-555-0101"
        return values.words(dice) if dice.random() > edge else values.text(dice)


def quoted(text: str) -> bytes:
    """A text as browsers encode it; a long one as it is, since it may take no more than a form may hold."""
    if len(text) < 4_000:
        return quote_plus(text, errors="surrogatepass").encode()
    return text.encode(errors="surrogatepass").replace(b"%", b"%25").replace(b"&", b"%26").replace(b"+", b"%2B")


def move(prober: Prober, town: Prepared, dice: Dice) -> None:
    """Gives the town other clocks, such as those of a place east of Greenwich."""
    admin = town.callers[-1]
    body = json.dumps({"time_zone": values.one(dice, values.ZONES[1:9])}).encode()
    prober.send(Request(admin.name, "PATCH", "/api/v1/town", [
        ("Content-Type", "application/merge-patch+json"), ("If-Match", "*"), *admin.api_headers()], body))


def read(prober: Prober, town: Prepared, dice: Dice) -> None:
    """Reads the town after a write."""
    for path in dice.sample(READS, 2):
        caller = dice.choice(town.callers)
        headers = caller.api_headers() if path.startswith("/api") else caller.page_headers()
        prober.send(Request(caller.name, "GET", path.replace("{d}", values.day(dice)), headers))


def run(prober: Prober, town: Prepared, seed: str, seconds: float, every: int, writes: int = 0) -> None:
    """Sends forms until the time is over."""
    dice = random.Random(f"{seed} forms")
    town.wait_for_stamp()
    prober.begin(town.folder)
    forms, ends = Forms(prober, town, dice), signals(dice)
    forms.explore()
    pages = list(forms.known)
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        if count % ROUND == 0:
            prober.check()
            prober.begin(town.folder)
            if dice.random() < 0.4:
                move(prober, town, dice)
            forms.known = list(pages)
        count += 1
        if request := forms.step():
            prober.accepted(request, every, next(ends))
            read(prober, town, dice)
    prober.check()
    prober.stop()
