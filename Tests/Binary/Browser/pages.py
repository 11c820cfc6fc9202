"""Every page as the person sees it who may, by the rules of others: axe-core, HTML, and what hands and eyes need.

Pages with forms are also looked at after a form could not be accepted, and with texts that somebody might write to
break them.
"""

import re
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import html5lib
from axe_core_python.selenium import Axe

import shots
from town import ADMIN, OWNER
from browser import DESKTOP, NARROW, PHONE, Browser
from checks import Row
from forms import WAIT, Hand, arrive, submit
from origins import cookie
from towns import HALL, PLACE, RESIDENT, Pages, crawl, demo_town

NOBODY = ""
WINTER = "/account/events/indoor-winter-market"
SHEET = Path(__file__).resolve().parents[3] / "Sources" / "Site" / "Assets" / "site.css"
# A colour of text and the grounds on which it stands.
GROUNDS = ["paper", "card", "accent-soft"]
TEXT = {"ink": [*GROUNDS, "warn-soft", "soon-soft", "found"], "soft": GROUNDS, "accent": GROUNDS,
        "on-accent": ["accent"], "open": GROUNDS, "soon": [*GROUNDS, "soon-soft"], "closed": GROUNDS,
        "warn": ["paper", "card", "warn-soft"]}
HOSTILE = ["\"><img src=x onerror=alert(1)>' onfocus='alert(1)' autofocus='",
           "</textarea></title></script><script>alert(1)</script>\u2028&lt;b&gt; `${alert(1)}`"]
AXE = """const done = arguments[arguments.length - 1];
axe.run({resultTypes: ['violations']}).then(found => done(found.violations.map(
  rule => [rule.id, ...rule.nodes.slice(0, 3).map(node => node.html.slice(0, 120))])));"""
# The page as the server sends it, also as the answer to its form.
SOURCE = """const form = document.querySelector('main form.form'), fields = Object.entries(arguments[0]);
for (const [name, text] of fields) if (form.elements[name]) form.elements[name].value = text;
const body = fields.length ? {method: 'POST', body: new URLSearchParams(new FormData(form))} : {};
return fetch(location.href, body).then(async answer => [answer.status, await answer.text()]);"""
# Controls, and links that do not stand in a text, that are smaller than a thumb.
SMALL = """const kinds = 'a, button, input, select, summary, label.chip, label.option';
return [...document.querySelectorAll(kinds)].filter(e => {
  const box = e.getBoundingClientRect(), style = getComputedStyle(e);
  if (!e.checkVisibility({opacityProperty: true}) || style.clipPath !== 'none') return false;
  if (e.tagName === 'INPUT' && e.closest('label.chip, label.option')) return false;
  const words = n => [...n.childNodes].some(c => c.nodeType === 3 && /\\w/.test(c.data));
  if (style.display === 'inline' && words(e.parentElement)) return false;
  return box.width < 43.9 || box.height < 43.9;
}).map(e => e.tagName + ' ' + e.textContent.trim().slice(0, 30) + ' ' + JSON.stringify(e.getBoundingClientRect()));"""
# What sticks out at the right, unless it is in a part that scrolls by itself.
WIDE = """const limit = document.documentElement.clientWidth, wide = [];
for (const e of document.body.querySelectorAll('*')) {
  const box = e.getBoundingClientRect();
  if (box.right > limit + 1 && box.width && !e.closest('.chips') && !e.closest('svg') &&
      getComputedStyle(e).clipPath === 'none') wide.push(e.tagName + '.' + e.className + ' ' + Math.round(box.right));
}
return [document.documentElement.scrollWidth - limit, wide.slice(0, 3)];"""
# The links of the page, without those that are known, and how each is answered.
LINKS = """return Promise.all([...new Set([...document.links].filter(a => a.origin === location.origin)
  .map(a => a.pathname + a.search))].filter(path => !path.startsWith('/docs') && !arguments[0].includes(path))
  .map(path => fetch(path).then(answer => [path, answer.status])));"""
# Writes a text into every field that takes one; the names and what the fields have then.
WRITE = """const form = document.querySelector('main form.form'), written = {};
for (const c of form.querySelectorAll('[type=radio][value=other]')) c.checked = true;
const other = ['hidden', 'checkbox', 'radio', 'submit', 'date', 'select-one', 'password', 'fieldset', 'button'];
for (const c of form.elements) if (c.name && c.name !== 'homepage' && !other.includes(c.type)) {
  c.value = arguments[0] + (c.name === 'items' ? '\\n1.234' : '');
  written[c.name] = c.value;
}
window.left = true;
form.submit();
return written;"""
READ = """const controls = [...document.querySelector('main form.form').elements].filter(c => c.name);
return Object.fromEntries(controls.map(c => [c.name, c.value]));"""


# Rows that are checked on a page; its address.
UPLOAD = """const form = new FormData();
form.set('rows', arguments[0]);
return fetch('/admin/import', {method: 'POST', body: form}).then(answer => answer.url);"""
SHEET_WITH_FAULTS = """name\tcategory\taddress\tlatitude\tlongitude\tphone\tColour
Mill\tMills\t1 Otter Rd\t48.37\t-123.72\t\tred
The Net Loft\tShopz\t2 Otter Rd\t48.37\t-123.72\tcall Dan\tblue
"""


class View(NamedTuple):
    """A page as somebody sees it; with fields, the page that answers when they are sent."""

    who: str
    path: str
    sent: dict[str, str] = {}

    @property
    def name(self) -> str:
        return f"{self.path}{' after sending' if self.sent else ''} ({self.who.split('@')[0] or 'nobody'})"


CODE = {"code": "sooke_set_wrong", "email": "x", "password": "short", "new_password": "short"}
PAGES: list[tuple[str, list[str | tuple[str, dict[str, str]]]]] = [
    (NOBODY, ["/", "/businesses", "/businesses?q=chouder&open=1", "/businesses?q=nothingofthekind",
              f"/businesses/{PLACE}", "/events", "/events?when=weekend", "/events/indoor-winter-market", "/week", "/about", "/notices",
              "/businesses/not-here", "/setup", "/invitation", ("/invitation", CODE), "/password-reset",
              ("/password-reset", CODE), "/confirmation", ("/confirmation", CODE), "/login", ("/login", {"login-email": ADMIN, "login-password": "wrong"}),
              "/forgotten-password", "/forgotten-password?sent=yes", "/embed", "/new-event",
              ("/new-event", {"name": "Songs", "from": "8", "email": "nobody"}), "/reference?done=sent",
              "/reference/correction", ("/reference/correction", {"name": "", "from": "8"}), "/report/correction",
              f"/businesses/{PLACE}/report", (f"/businesses/{PLACE}/report", {"day": "wed", "sign": "7-11"})]),
    (OWNER, ["/account", "/account/password", ("/account/password", {"password": "wrong", "new_password": "short"}),
             HALL, f"{HALL}?done=saved", (HALL, {"website": "nope", "email": "x", "location": "there"}),
             f"{HALL}/hours",
             (f"{HALL}/hours", {"mon": "7-11", "tue": "all day long", "sat": "9-5"}), f"{HALL}/menus",
             (f"{HALL}/menus", {"name": "Lunch", "items": "Chowder 14.505\nSoup 9.50"}), "/account/new-event",
             ("/account/new-event", {"name": "Songs", "from": "8", "place": "nowhere"})]),
    (RESIDENT, ["/account", "/account/events/own", ("/account/events/own", {"day": "", "location": "there"})]),
    (ADMIN, ["/account", "/admin", "/account/waiting", "/account/waiting?reference=1", "/account/waiting/1",
             ("/account/waiting/1", {"name": "", "type": ""}),
             WINTER, (WINTER, {"from": "7-11"}), f"{WINTER}?done=saved", f"{WINTER}/changes", "/admin/start",
             "/admin/start?country=IE", ("/admin/start?country=IE", {"currency": "euro"}), "/admin/town",
             ("/admin/town", {"name": "", "center": "there"}), "/admin/businesses", "/admin/businesses/new",
             ("/admin/businesses/new", {"name": "The Net Loft"}), f"/admin/businesses/{PLACE}",
             f"/admin/businesses/{PLACE}/merge", "/admin/categories", "/admin/categories/restaurants", "/admin/people",
             ("/admin/people", {"email": "nobody"}), "/admin/people/3", "/admin/people/3/delete",
             "/admin/import", "/admin/import/upload",
             "/notices", "/admin/new-notice", "/admin/new-notice?as=5",
             ("/admin/new-notice?as=5", {"title": "", "until": "", "businesses": "nowhere"}), "/admin/notices/snow",
             "/admin/calendars", "/admin/calendars/1", "/admin/calendars/new",
             ("/admin/calendars/new", {"url": "nope", "name": "", "place": "nowhere"}),
             "/admin/changes", "/admin/trash", "/admin/trash/event/99", "/undo/2.0000000000000000"])]
VIEWS = [View(who, *([page] if isinstance(page, str) else page)) for who, part in PAGES for page in part]
# What a stranger, an owner and an administrator fill in.
WRITTEN = [View(NOBODY, "/login"), View(NOBODY, "/invitation"), View(NOBODY, "/new-event"),
           View(NOBODY, f"/businesses/{PLACE}/report"), View(OWNER, HALL), View(OWNER, f"{HALL}/hours"),
           View(OWNER, f"{HALL}/menus"), View(OWNER, "/account/new-event"), View(ADMIN, "/account/waiting/1"),
           View(ADMIN, WINTER), View(ADMIN, "/admin/notices/snow")]


class People:
    """One browser, in which somebody else may be logged in at any time."""

    def __init__(self, town: Pages) -> None:
        self.town, self.browser = town, Browser()
        self.cookies = {email: cookie(town, email) for email in (ADMIN, OWNER, RESIDENT)}
        self._who, self.own = NOBODY, ""
        self.references: dict[str, str] = {}  # the private links of what was sent, by what stands for them

    def open(self, view: View) -> None:
        """Opens a page without a draft of an earlier visit."""
        if view.who != self._who:
            self.browser.open(self.town.url + "/robots.txt")
            self.browser.driver.delete_all_cookies()
            if view.who:
                name, value = self.cookies[view.who].split("=", 1)
                self.browser.driver.add_cookie({"name": name, "value": value})
            self._who = view.who
        path = view.path.replace("/own", f"/{self.own}")
        for name, link in self.references.items():
            path = path.replace(name, link) if path.startswith(name) else path
        self.browser.open(self.town.url + path)
        self.browser.js("localStorage.clear()")

    def furnish(self) -> None:
        """Gives everybody something to look at: events and a report that wait."""
        body = {"name": "Own", "event_type": "live-music", "starts_at": "2027-02-06T20:00:00-08:00"}
        for severity, title in [("information", "Council meets"), ("warning", "Road closed"), ("danger", "Snow")]:
            notice = {"title": title, "severity": severity, "text": "Please stay at home.", "businesses": [PLACE],
                      "link": "https://town.example/snow", "area": "Whiffin Spit"}
            self.town.ask("POST", "/notices", notice, self.town.session(ADMIN))
        self.own = self.town.ask("POST", "/events", body, self.town.session(RESIDENT)).json()["slug"]
        calendar = {"address": "https://library.example/events.ics", "name": "Library", "event_type": "live-music"}
        self.town.ask("POST", "/calendars", calendar, self.town.session(ADMIN))
        hand = Hand(self.browser.size(PHONE))
        for path, fields in (
                ("/new-event", {"name": "A night of songs", "day": "2027-03-06", "from": "8 pm", "to": "10 pm",
                                "type": "live-music", "about": "Bring a fiddle.\n\nOr a friend.", "repeat": "weekly",
                                "until": "2027-04-03", "email": "mia@home.example", "message": "I am Mia"}),
                (f"/businesses/{PLACE}/report", {"day": "wed", "sign": "11-3 pm", "message": "The sign says so.",
                                                 "email": "tom@home.example"})):
            self.open(View(NOBODY, path))
            time.sleep(WAIT)
            submit(hand.browser, fields)
            if not hand.browser.has("Thank you"):
                raise RuntimeError(f"{path} was answered with {hand.browser.text}")
            name = "/report" if path.endswith("/report") else "/reference"
            self.references[name] = urlsplit(hand.browser.driver.current_url).path
        self.open(View(ADMIN, "/admin/import"))
        self.references["/admin/import/upload"] = urlsplit(self.browser.js(UPLOAD, SHEET_WITH_FAULTS)).path


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    options = ("--proxy", "127.0.0.1", "--sendmail", "/bin/true")
    town = demo_town(binary, folder / "data", *options, people=(OWNER, RESIDENT))
    people = People(town)
    people.furnish()
    rows = [by_the_rules(people, short), hostile(people), valid(town, 120 if short else 600), colours()]
    people.browser.stop()
    return rows


def by_the_rules(people: People, short: bool) -> Row:
    """Valid HTML, links that lead somewhere, axe-core, small phones and thumbs, nothing to refuse."""
    row, browser, axe = Row("pages by the rules of others"), people.browser, Axe().axe_script
    sizes = [(PHONE, False), (DESKTOP, True), (PHONE, True), (DESKTOP, False)]
    known: dict[str, set[str]] = {who: set() for who, _ in PAGES}
    for number, view in enumerate(VIEWS):
        people.open(view)
        source(row, browser, view)
        if not view.sent:
            answers = dict(browser.js(LINKS, list(known[view.who])))
            known[view.who] |= answers.keys()
            dead = [path for path, status in answers.items() if status != 200 and path != view.path]
            row.check(not dead, f"{view.name} leads only to what one may see", dead)
        else:
            submit(browser, view.sent)
            row.check(bool(browser.every(".summary")), f"{view.name} says what is wrong", browser.text)
        browser.driver.execute_script(axe)
        for width, dark in sizes[number % 2:][:1] if short else sizes:
            found = browser.size(width, 844, dark).driver.execute_async_script(AXE)
            row.check(not found, f"{view.name} at {width} px, {'dark' if dark else 'light'}", found)
        row.check(overflow(browser.size(NARROW)) == [], f"{view.name} fits into {NARROW} px", overflow(browser))
        small = browser.size(PHONE).js(SMALL)
        row.check(not small, f"{view.name} has targets of 44 px", small[:4])
        refused = [line for line in browser.refused() if "Failed to load resource" not in line]
        row.check(not refused, f"{view.name} has nothing to refuse", refused)
        shots.take(browser, f"{view.who.split('@')[0] or 'nobody'}-{view.path}{'-sent' if view.sent else ''}")
    row.figures = f"{len(VIEWS)} pages"
    return row


def source(row: Row, browser: Browser, view: View) -> None:
    """What the server sends, by a strict parser; a form that is shown again is an error to programs."""
    status, body = browser.js(SOURCE, view.sent)
    wanted = (401, 409, 410, 422) if view.sent else (404,) if "not-here" in view.path else (200,)
    row.check(status in wanted, f"{view.name} is answered", (status, body[-600:]))
    row.check(not faults(body), f"{view.name} is valid", faults(body))
    names = re.findall(r'\bid="([^"]*)"', body)
    twice = {name for name in names if names.count(name) > 1}
    row.check(not twice, f"the IDs of {view.name} differ", twice)
    targets = set(re.findall(r'(?:for="|href="#)([^"/#]+)"', body))
    row.check(targets <= set(names), f"labels and links of {view.name} have their fields", targets - set(names))


def faults(body: str) -> list[str]:
    """What the standard calls an error; a control character in a text is one that has no effect."""
    parser = html5lib.HTMLParser(strict=False)
    parser.parse(body.replace("\x7f", ""))
    return [f"{code} at {place}" for place, code, _ in parser.errors]


def overflow(browser: Browser) -> list[Any]:
    """How much wider than the screen the page is, and by what; empty for nothing."""
    more, parts = browser.js(WIDE)
    return [more, *parts] if more > 0 or parts else []


def hostile(people: People) -> Row:
    """Texts in every field, shown back by the page that says what is wrong."""
    row, browser = Row("texts of strangers in forms"), people.browser.size(PHONE)
    browser.command("Network.enable")
    for number, text in enumerate(HOSTILE, 1):
        # One network may not send so much.
        browser.command("Network.setExtraHTTPHeaders", headers={"X-Forwarded-For": f"198.51.{number}.7"})
        for view in WRITTEN:
            people.open(view)
            written = browser.js(WRITE, text)
            arrive(browser)
            row.check(bool(browser.every(".summary")), f"{view.name} with {text!r} is not accepted", browser.text[:200])
            refused = [line for line in browser.refused() if "Failed to load resource" not in line]
            row.check(not refused and not browser.js("return ran"), f"{view.name} with {text!r} runs nothing", refused)
            found = browser.js(READ)
            lost = {name: (value, found.get(name)) for name, value in written.items()
                    if same(value) != same(found.get(name) or "")}
            row.check(not lost, f"{view.name} with {text!r} shows it again", lost)
    browser.command("Network.setExtraHTTPHeaders", headers={})
    return row


def same(text: str) -> str:
    """A text without the space around it, which forms do not keep."""
    return text.replace("\r\n", "\n").strip()


def valid(town: Pages, most: int) -> Row:
    """Every page to which public pages lead is valid HTML and there."""
    row, answers = Row("pages that can be reached from pages"), crawl(town, ["/"], most)
    for path, answer in answers.items():
        row.check(answer.status < 400, f"{path} is there", answer.status)
        if answer.headers["Content-Type"].startswith("text/html") and not path.startswith("/docs"):
            row.check(not faults(answer.body.decode()), f"{path} is valid HTML", faults(answer.body.decode()))
    row.figures = f"{len(answers)} addresses"
    return row


def colours() -> Row:
    """The contrast of the colours of all themes, light and dark, by the formula of WCAG 2.2."""
    row, base, schemes = Row("contrast of five themes, light and dark"), {}, {}
    light, _, dark = SHEET.read_text().partition("@media screen and (prefers-color-scheme: dark)")
    for mode, part in [("light", light), ("dark", dark)]:
        for name, block in re.findall(r':root(?:\[data-theme="(\w+)"\])? \{([^}]*)\}', part):
            if found := dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)):
                base = base if name else found
                schemes[f"{name or 'harbour'}, {mode}"] = base | found
    row.check(len(schemes) == 10, "there are five themes in two modes", sorted(schemes))
    pairs = [(front, ground, 4.5) for front, grounds in TEXT.items() for ground in grounds]
    for name, colour in schemes.items():
        for front, ground, least in [*pairs, ("edge", "card", 3), ("edge", "paper", 3)]:
            low, high = sorted(map(luminance, (colour[front], colour[ground])))
            contrast = (high + 0.05) / (low + 0.05)
            row.check(contrast >= least, f"{name}: {front} on {ground}", contrast)
    return row


def luminance(colour: str) -> float:
    parts = [int(colour[index:index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))
