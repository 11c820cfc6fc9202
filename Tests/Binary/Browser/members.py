"""The pages with forms, each as the person sees it who may, also after a form could not be accepted.

They are looked at by the rules of others, on small screens, and with texts that somebody might write to break them.
"""

import html
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from axe_core_python.selenium import Axe

import shots
import texts
from town import ADMIN, OWNER, PASSWORDS, good
from browser import DESKTOP, NARROW, PHONE, Browser, until
from checks import Row
from forms import Client, fields_of
from markup import faults, look, plain
from origins import plant
from owners import PLACE
from senders import WAIT, event
from standards import SMALL, overflow
from towns import FRIDAY, RESIDENT, Pages, demo_town, give_password, links

NOBODY = ""
HALL = f"/account/businesses/{PLACE}"
WINTER = "/account/events/indoor-winter-market"
# Sets fields by name, and sends the form without its script, so that the answer is a page of its own.
SEND = """const form = document.querySelector('main form.form');
for (const [name, text] of Object.entries(arguments[0])) if (form.elements[name]) form.elements[name].value = text;
window.left = true;
form.submit();"""
# Writes a text into every field that takes one; the names and what the fields have then.
WRITE = """const form = document.querySelector('main form.form'), written = {};
for (const c of form.querySelectorAll('[type=radio][value=other]')) c.checked = true;
const other = ['hidden', 'checkbox', 'radio', 'submit', 'date', 'select-one', 'password', 'fieldset', 'button'];
for (const c of form.elements) if (c.name && c.name !== 'homepage' && !other.includes(c.type)) {
  c.value = arguments[0];
  written[c.name] = c.value;
}
window.left = true;
form.submit();
return written;"""
READ = """const controls = [...document.querySelector('main form.form').elements].filter(c => c.name);
return Object.fromEntries(controls.map(c => [c.name, c.value]));"""


@dataclass
class View:
    """A page as somebody sees it; with fields, the page that answers when they are sent."""

    who: str
    path: str
    sent: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.path}{' after sending' if self.sent else ''} ({self.who.split('@')[0] or 'nobody'})"


BAD_CODE = {"code": "sooke_set_wrong", "email": "x", "password": "short", "new_password": "short"}
VIEWS = [
    View(NOBODY, "/setup"),
    *[View(NOBODY, path, sent) for path in ("/invitation", "/password-reset", "/confirmation") for sent in ({}, BAD_CODE)],
    View(NOBODY, "/login"), View(NOBODY, "/login", {"login-email": ADMIN, "login-password": "wrong"}),
    View(NOBODY, "/forgotten-password"), View(NOBODY, "/forgotten-password?sent=yes"),
    View(NOBODY, "/new-event"), View(NOBODY, "/new-event", {"name": "Songs", "from": "8", "email": "nobody"}),
    View(NOBODY, "/new-event?done=sent"), View(NOBODY, f"/businesses/{PLACE}/report"),
    View(NOBODY, f"/businesses/{PLACE}/report", {"day": "wed", "sign": "7-11"}),
    View(OWNER, "/account"), View(OWNER, "/account/password"),
    View(OWNER, "/account/password", {"password": "wrong", "new_password": "short"}),
    View(OWNER, HALL), View(OWNER, f"{HALL}?done=saved"), View(OWNER, HALL,
                                                               {"website": "nope", "email": "x", "location": "there"}),
    View(OWNER, f"{HALL}/hours"), View(OWNER, f"{HALL}/hours", {"mon": "7-11", "tue": "all day long", "sat": "9-5"}),
    View(OWNER, f"{HALL}/menus"), View(OWNER, f"{HALL}/menus", {"name": "Lunch", "items": "Chowder\nSoup 9.50"}),
    View(OWNER, "/account/new-event"), View(OWNER, "/account/new-event",
                                            {"name": "Songs", "from": "8", "place": "nowhere"}),
    View(RESIDENT, "/account"), View(RESIDENT, "/account/events/{own}"),
    View(RESIDENT, "/account/events/{own}", {"day": "", "location": "there"}),
    View(ADMIN, "/account"), View(ADMIN, "/account/waiting"), View(ADMIN, "/account/waiting/1"),
    View(ADMIN, "/account/waiting/1", {"name": "", "type": ""}), View(ADMIN, WINTER), View(ADMIN, WINTER,
                                                                                           {"from": "7-11"}),
    *[View(ADMIN, f"/admin/{path}") for path in (
        "town", "businesses", "businesses/new", f"businesses/{PLACE}", f"businesses/{PLACE}/merge", "categories",
        "categories/restaurants", "people", "people/3", "people/3/delete")],
    View(ADMIN, f"{WINTER}/cancel"),
    View(ADMIN, "/admin/town", {"name": "", "center": "there"}), View(ADMIN, "/admin/businesses/new",
                                                                      {"name": "The Net Loft"}),
    View(ADMIN, "/admin/people", {"email": "nobody"}),
]
# What a stranger, an owner and an administrator fill in.
WRITTEN = [View(NOBODY, "/login"), View(NOBODY, "/invitation"), View(NOBODY, "/new-event"),
           View(NOBODY, f"/businesses/{PLACE}/report"), View(OWNER, HALL), View(OWNER, f"{HALL}/hours"),
           View(OWNER, f"{HALL}/menus"), View(OWNER, "/account/new-event"), View(ADMIN, "/account/waiting/1"),
           View(ADMIN, WINTER)]


class People:
    """One browser, in which somebody else may be logged in at any time."""

    def __init__(self, town: Pages) -> None:
        self.town = town
        self.browser = Browser()
        self.clients = {email: Client(town.url).log_in(email, PASSWORDS[email]) for email in (ADMIN, OWNER, RESIDENT)}
        self.clients[NOBODY] = Client(town.url)
        self._who = NOBODY
        self.own = ""  # the slug of the resident's event

    def path(self, view: View) -> str:
        return view.path.replace("{own}", self.own)

    def be(self, who: str) -> None:
        if who == self._who:
            return
        self.browser.open(self.town.url + "/robots.txt")
        self.browser.driver.delete_all_cookies()
        if who:
            name, value = self.clients[who].cookie.split("=", 1)
            self.browser.driver.add_cookie({"name": name, "value": value})
        self._who = who

    def open(self, view: View) -> None:
        """Opens a page without a draft of an earlier visit, and sends its form when the view is that of the answer."""
        self.be(view.who)
        self.browser.open(self.town.url + self.path(view))
        self.browser.js("localStorage.clear()")
        if not self.browser.every("main form.form") and (view.sent or view in WRITTEN):
            raise RuntimeError(f"{view.name} has no form: {self.browser.text[:300]}")
        if view.sent:
            self.browser.js(SEND, view.sent)
            arrive(self.browser)


def arrive(browser: Browser) -> None:
    """Waits for the page that answers."""
    until(lambda: browser.js("return !window.left && document.readyState === 'complete'"), 10)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data", FRIDAY, "--proxy", "127.0.0.1", "--sendmail", "/bin/true")
    for email in (OWNER, RESIDENT):
        give_password(town, email)
    people = People(town)
    furnish(town, people)
    rows = [rules(people, short), valid(people), fits(people), links_of(people)]
    rows += [hostile(people, texts.TEXTS[::12] if short else texts.TEXTS), disputed(people), logged_out(people)]
    people.browser.stop()
    return rows


def furnish(town: Pages, people: People) -> None:
    """Gives everybody something to look at: events and a report that wait, and special days."""
    stranger = people.clients[NOBODY]
    stamp = stranger.form("/new-event")["stamp"]
    report = stranger.form(f"/businesses/{PLACE}/report")
    time.sleep(WAIT)
    sent = [event(stranger, town, "shown", "A night of songs", stamp=stamp, about="Bring a fiddle.\n\nOr a friend.",
                  email="mia@home.example", message="I am Mia", repeat="weekly", until="2027-04-03", to="10 pm").status,
            stranger.post(f"/businesses/{PLACE}/report", report | {
                "day": "wed", "sign": "11-3 pm", "message": "The sign says so.", "email": "tom@home.example"}).status]
    if sent != [303, 303]:
        raise RuntimeError(f"what strangers sent was answered with {sent}")
    people.own = plant(town, people.clients)["zq7resident"]


def rules(people: People, short: bool) -> Row:
    """By axe-core, in four views; and the pictures."""
    row, axe = Row("axe-core, pages with forms"), Axe()
    sizes = [(PHONE, False), (DESKTOP, True)] if short else [(w, d) for w in (PHONE, DESKTOP) for d in (False, True)]
    for view in VIEWS:
        people.open(view)
        for width, dark in sizes:
            people.browser.size(width, 844, dark)
            found = axe.run(people.browser.driver)["violations"]
            row.check(not found, f"{view.name} at {width} px, {'dark' if dark else 'light'}",
                      [(item["id"], [node["html"][:120] for node in item["nodes"][:3]]) for item in found])
            if shots.folder:
                name = re.sub(r"[^\w-]+", "_", view.path.strip("/")) + ("-sent" if view.sent else "")
                file = f"{view.who.split('@')[0] or 'nobody'}-{name}-{width}-{'dark' if dark else 'light'}.png"
                people.browser.shot(shots.folder / file)
        refused = [line for line in people.browser.refused() if "Failed to load resource" not in line]
        row.check(not refused, f"{view.name} has nothing to refuse", refused)
        row.check(not view.sent or bool(people.browser.every(".summary")), f"{view.name} says what is wrong",
                  people.browser.text)
    row.figures = f"{len(VIEWS)} pages, {len(sizes)} sizes and colours"
    return row


def answer_of(people: People, view: View) -> tuple[int, str]:
    """The status and the body of a view, by plain requests."""
    client, path = people.clients[view.who], people.path(view)
    answer = client.get(path)
    if view.sent:
        form = fields_of(answer.body.decode())
        answer = client.post(path, form | {name: text for name, text in view.sent.items() if name in form})
    return answer.status, answer.body.decode()


def valid(people: People) -> Row:
    """By a strict parser; a form that is shown again is an error to programs."""
    row = Row("valid HTML, pages with forms")
    for view in VIEWS:
        status, body = answer_of(people, view)
        wanted = (401, 409, 410, 422) if view.sent else (200,)
        row.check(status in wanted, f"{view.name} is answered", (status, body[-600:]))
        row.check(not faults(body), f"{view.name} is valid", faults(body))
        names = re.findall(r'\bid="([^"]*)"', body)
        row.check(len(names) == len(set(names)), f"the IDs of {view.name} differ",
                  sorted({n for n in names if names.count(n) > 1}))
        targets = set(re.findall(r'(?:for|href)="#?([^"/#][^"/]*)"',
                                 body)) & set(re.findall(r'(?:for="|href="#)([^"]*)"', body))
        row.check(targets <= set(names), f"labels and links of {view.name} have their fields", targets - set(names))
    return row


def fits(people: People) -> Row:
    """On the smallest phone, and for a thumb."""
    row = Row("small phones and thumbs, pages with forms")
    for view in VIEWS:
        people.browser.size(NARROW)
        people.open(view)
        row.check(overflow(people.browser) == [], f"{view.name} fits into {NARROW} px", overflow(people.browser))
        small = people.browser.size(PHONE).js(SMALL)
        row.check(not small, f"{view.name} has targets of 44 px", small[:4])
    return row


def links_of(people: People) -> Row:
    """Each link leads somewhere that the person may see."""
    row, seen = Row("links of pages with forms"), set()
    for view in VIEWS:
        if view.sent:
            continue
        client = people.clients[view.who]
        here = people.path(view)
        for path in sorted(links(people.town.url, client.get(here).body.decode())):
            if (view.who, path) in seen or path.startswith(("/docs", "/assets")) or path in actions(client, here):
                continue
            seen.add((view.who, path))
            answer = client.get(path)
            row.check(answer.status == 200, f"{path} on {view.name}", answer.status)
    return row


def actions(client: Client, path: str) -> set[str]:
    """Where the forms of a page go, which need not be pages."""
    return {html.unescape(action) for action in re.findall(r'action="([^"]*)"', client.get(path).body.decode())}


def hostile(people: People, shown: list[str]) -> Row:
    """Texts in every field, shown back by the page that says what is wrong."""
    row, browser = Row("texts of strangers in forms"), people.browser.size(PHONE)
    browser.command("Network.enable")
    for number, text in enumerate(shown, 1):
        # One network may not send so much.
        browser.command("Network.setExtraHTTPHeaders", headers={"X-Forwarded-For": f"198.51.{number}.7"})
        for view in WRITTEN:
            people.open(view)
            written = browser.js(WRITE, text)
            arrive(browser)
            what = f"{view.name} with {text!r}"
            row.check(bool(browser.every(".summary")), f"{what} is not accepted", browser.text[:200])
            look(browser, row, what, [])
            found = browser.js(READ)
            lost = {name: (value, found.get(name)) for name, value in written.items()
                    if plain(value.replace("\u2028", " ")) and same(value) != same(found.get(name) or "")}
            row.check(not lost, f"{what} shows it again", lost)
    browser.command("Network.setExtraHTTPHeaders", headers={})
    row.figures = f"{len(shown)} texts in {len(WRITTEN)} forms"
    return row


def same(text: str) -> str:
    """A text without the space around it, which forms do not keep."""
    return text.replace("\r\n", "\n").strip().strip("\u2028\u2029")


def disputed(people: People) -> Row:
    """The question which of three texts is right, with the worst of texts."""
    row, browser, client = Row("texts of strangers in a question"), people.browser, people.clients[OWNER]
    for text in texts.TEXTS[::15]:
        people.open(View(OWNER, HALL))
        mine = client.form(HALL) | {"description": f"{text} theirs"}
        row.answered(client.post(HALL, mine), 303, "the other one saves")
        browser.js(SEND, {"description": f"{text} mine"})
        arrive(browser)
        what = f"the question about {text!r}"
        look(browser, row, what, [plain(f"{text} theirs"), plain(f"{text} mine")])
        values = browser.js("return [...document.querySelectorAll('[name=description]')].map(c => c.value)")
        row.check([same(value) for value in values[:2]] == [same(f"{text} theirs"), same(f"{text} mine")],
                  f"{what} has both", values)
        found = Axe().run(browser.driver)["violations"]
        row.check(not found, f"{what} by axe-core", found)
        row.check(overflow(browser.size(NARROW)) == [], f"{what} fits", overflow(browser))
        if shots.folder:
            for width, dark in [(PHONE, False), (DESKTOP, True)]:
                browser.size(width, 844, dark).shot(shots.folder / f"question-{width}.png")
        browser.size(PHONE)
    return row


def logged_out(people: People) -> Row:
    """Who was logged out while they typed logs in, and what they typed is saved."""
    row, browser = Row("texts of strangers through a log-in"), people.browser
    for text in texts.TEXTS[::15]:
        people.open(View(OWNER, HALL))
        browser.driver.delete_all_cookies()
        browser.js(SEND, {"description": f"{text} kept"})
        arrive(browser)
        look(browser, row, f"the log-in with {text!r}", [])
        row.check(same(browser.js(READ).get("description", "")) == same(f"{text} kept"), f"it keeps {text!r}",
                  browser.js(READ))
        body = people.clients[NOBODY].post(HALL, {"description": text, "was.description": ""}).body.decode()
        row.check(not faults(body), "it is valid", faults(body))
        if shots.folder:
            browser.shot(shots.folder / "logged-out.png")
        browser.js(SEND, {"login-email": OWNER, "login-password": PASSWORDS[OWNER]})
        arrive(browser)
        row.check(browser.has("Saved.", 5), f"{text!r} is saved after it", browser.text)
        stored = good(people.town.ask("GET", f"/businesses/{PLACE}")).json()["description"]
        row.check(same(stored) == same(f"{text} kept"), f"the town has {text!r}", stored)
    return row
