"""Calendars of others by the pages, on a phone: looked at, added and published, edited here, gone by half, and undone.

Those of the demo come from the demo itself, which is full of their events; the third one is the check's own, which
changes between fetches.
"""

import contextlib
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import shots
from browser import PHONE, Browser, until
from checks import Row
from forms import Hand
from town import ADMIN, PASSWORDS, good
from towns import FRIDAY, Pages, demo, demo_town

LATER, LATEST = "2027-01-09T17:30:00-08:00", "2027-01-13T18:00:00-08:00"  # a day after FRIDAY, and five
LIBRARY = ["Rhymes for Babies", "Homework Table", "Help with Phones and Laptops", "Building with Bricks",
           "Knit and Natter", "Readers' Circle", "The Seed Library Opens"]
HALL = ["Contra Dance", "Sunday Breakfast at the Hall", "Pickleball", "Gentle Exercise on Chairs", "Hall Committee",
        "Soup for Everybody", "Cribbage and Cards"]
CLUB = ["Rowing for Beginners", "Net Mending", "Chowder Night", "Tides Explained", "Boat Jumble", "Knots and Splices"]
# In the week from FRIDAY on; the others come later.
THIS_WEEK = [*LIBRARY[:4], *HALL]
PRESS = """const card = [...document.querySelectorAll('article.card')].find(e => e.innerText.includes(arguments[0]));
const button = [...card.querySelectorAll('button, a')].find(e => e.innerText.trim() === arguments[1]);
button.scrollIntoView({block: 'center'});
return button;"""


class Site:
    """The site of others: files that change."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[str, str]] = {}  # type and content, by their paths
        self.port = 0

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def set_club(self, titles: list[str], hour: int = 19) -> None:
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Club//EN"]
        for title in titles:
            day = 11 + next(number for number, name in enumerate(CLUB) if name in title)
            lines += ["BEGIN:VEVENT", f"UID:{day}@club.example", f"SUMMARY:{title}", "LOCATION:The boat shed",
                      f"DTSTART;TZID=America/Vancouver:202701{day}T{hour}0000", "END:VEVENT"]
        self.files["/club.ics"] = "text/calendar", "\r\n".join([*lines, "END:VCALENDAR", ""])


@contextlib.contextmanager
def served() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, content = site.files.get(self.path, ("text/plain", ""))
            body = content.encode()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.port = server.server_port
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield site
        finally:
            server.shutdown()


@contextlib.contextmanager
def helper(binary: Path, socket: Path, *hosts: str) -> Iterator[None]:
    """What fetches."""
    allowed = [word for host in hosts for word in ("--allow-private", host)]
    process = subprocess.Popen([binary, "outside", "--follow", "--socket", socket, *allowed], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    rows = []
    with demo(binary, "--now", FRIDAY) as there, served() as site:
        for scripts in (True, False):
            row, home = Row(f"calendars of others, {'with' if scripts else 'without'} scripts"), folder / f"c-{scripts}"
            home.mkdir()
            town = demo_town(binary, home / "town", "--outside-socket", str(home / "outside.sock"), people=())
            with helper(binary, home / "outside.sock", urlsplit(there).netloc, f"127.0.0.1:{site.port}"):
                walk = Walk(town, site, row, scripts)
                walk.demo(there)
                walk.added_by_a_page(there)
                walk.add_club()
                if scripts or not short:
                    walk.added_by_an_address(there)
                    walk.edited()
                walk.gone_by_half()
                if scripts or not short:
                    walk.undone()
                    walk.failing()
            # Chromium calls a form that is shown again with what is wrong an error.
            refused = [line for line in walk.phone.refused() if "Failed to load resource" not in line] if scripts else []
            row.check(not refused, "nothing is refused", refused)
            walk.phone.stop()
            town.stop()
            rows.append(row)
    return rows


class Walk:
    """An administrator with a phone."""

    def __init__(self, town: Pages, site: Site, row: Row, scripts: bool) -> None:
        self.town, self.site, self.row, self.scripts = town, site, row, scripts
        self.hand = Hand(Browser(scripts).size(PHONE))
        self.phone = self.hand.browser
        self.enter()

    # Steps

    def enter(self) -> None:
        self.open("/admin/calendars")
        self.hand.log_in(ADMIN, PASSWORDS[ADMIN])
        until(lambda: self.phone.driver.current_url == self.town.url + "/admin/calendars", 10)

    def sees(self, text: str, what: str = "") -> None:
        self.row.check(self.phone.has(text), f"{what or 'the page says'}: {text}", self.phone.text)

    def open(self, path: str) -> None:
        self.phone.open(self.town.url + path)

    def press(self, card: str, button: str) -> None:
        """A button of a card of the list."""
        if not self.phone.driver.current_url.endswith("/admin/calendars"):
            self.open("/admin/calendars")
        self.phone.js(PRESS, card, button).click()

    def wait_for_fetch(self) -> None:
        """Until no calendar is due at once."""
        def is_done() -> bool:
            items = good(self.town.ask("GET", "/calendars", None, self.town.admin)).json()["items"]
            return not any((one["next_at"] or "").startswith("1970") for one in items)
        self.row.check(until(is_done, 20), "it is fetched")
        self.open("/admin/calendars")

    def start_again(self, now: str) -> None:
        """The session ends meanwhile."""
        self.town.stop()
        first, _, *rest = self.town.options
        self.town.options = (first, now, *rest)
        self.town.start()
        self.town.admin = self.town.session(ADMIN)
        self.enter()

    def fetch(self, card: str) -> None:
        self.press(card, "Fetch now")
        self.sees("Done.")
        self.wait_for_fetch()

    def is_followed(self) -> bool:
        """What fetches has noticed that the server runs again."""
        self.open("/admin")
        return "Nothing fetches them" not in self.phone.text

    def add(self, name: str, address: str, **fields: str) -> None:
        """As far as what it would bring."""
        self.open("/admin/calendars")
        self.hand.tap("Add a calendar")
        for field, text in {"url": address, "name": name, "event_type": "community-meeting", **fields}.items():
            self.hand.fill(field, text)
        self.hand.tap("Look at it")

    def publish(self, name: str, count: int) -> None:
        self.hand.tap("Add")
        self.sees("Added.")
        self.wait_for_fetch()
        self.sees(f"{count} events of it wait.", name)
        shots.take(self.phone, f"calendars-waiting-{self.scripts}")
        self.press(name, "Publish all")
        self.sees("Done.")

    def shows(self, path: str, titles: list[str]) -> None:
        self.open(path)
        for title in titles:
            self.row.check(title in self.phone.text, f"{path} has {title}", self.phone.text)

    # What people do

    def demo(self, there: str) -> None:
        """The week of the demo is full within seconds, and its events say where they are from."""
        def is_full() -> bool:
            self.phone.open(there + "/week")
            return all(title in self.phone.text for title in THIS_WEEK)
        self.row.check(until(is_full, 20), "the week of the demo is full", self.phone.text)
        self.phone.open(there + "/events/pickleball")
        self.sees("From the calendar “Community Hall”")
        shots.take(self.phone, f"event-of-calendar-{self.scripts}")

    def added_by_a_page(self, there: str) -> None:
        """The address of a web page leads to the calendars that it names."""
        links = "".join(f'<link rel="alternate" type="text/calendar" title="{name}" href="{there}/demo/{file}.ics">'
                        for name, file in [("All events", "library"), ("The hall next door", "hall")])
        self.site.files["/"] = "text/html", f"<!doctype html><title>Library</title>{links}<p>Welcome."
        self.add("Library", self.site.url("/"), organizer="Sooke Library")
        self.sees("Look at “The hall next door”")
        self.sees("This is a web page. Its calendars:")
        shots.take(self.phone, f"check-page-{self.scripts}")
        self.hand.tap("Look at “All events”")
        self.sees("7 coming events, until 6 March.")
        for text in [*LIBRARY, "Monday 11 January", "Saturday 6 March"]:
            self.sees(text)
        shots.take(self.phone, f"check-events-{self.scripts}")
        self.publish("Library", 7)
        self.shows("/week", LIBRARY[:4])

    def added_by_an_address(self, there: str) -> None:
        self.add("Hall", there + "/demo/hall.ics", organizer="Church Road Community Hall",
                 place="Church Road Community Hall")
        self.sees("7 coming events")
        self.publish("Hall", 7)
        self.shows("/week", THIS_WEEK)
        self.add("Hall again", there + "/demo/hall.ics")
        self.sees("7 events here already")
        self.hand.tap("Add")
        self.sees("Address is that of \"Hall\", which is there already")

    def add_club(self) -> None:
        self.site.set_club(CLUB)
        self.add("Club", self.site.url("/club.ics"), organizer="Harbour Club")
        self.sees("6 coming events, until 16 January.")
        self.publish("Club", 6)

    def edited(self) -> None:
        """What is edited here is kept, while the rest follows, until somebody takes what the calendar says."""
        self.open("/account/events/net-mending")
        self.hand.fill("name", "Mending Nets Together")
        self.hand.tap("Save")
        self.sees("Saved. It is published now.")
        self.site.set_club([title.replace("Net Mending", "Net Mending Evening") for title in CLUB], hour=20)
        self.fetch("Club")
        event = [one for one in self.town.pages("/events") if one["name"] == "Mending Nets Together"]
        self.row.check([one["starts_local"] for one in event] == ["2027-01-12T20:00"], "it keeps its title", event)
        self.open(f"/account/events/{event[0]['slug'] if event else ''}")
        self.sees("here: Mending Nets Together\nthere: Net Mending Evening")
        shots.take(self.phone, f"take-theirs-{self.scripts}")
        self.hand.tap("Take theirs")
        self.sees("Saved. It is published now.")
        self.row.check("there:" not in self.phone.text, "nothing differs", self.phone.text)
        self.shows("/events", ["Net Mending Evening"])

    def gone_by_half(self) -> None:
        """A calendar that lacks most of its events waits for a person; nothing is gone before."""
        self.site.set_club(CLUB[:2], hour=20)
        self.fetch("Club")
        self.fetch("Club")
        self.start_again(LATER)
        self.fetch("Club")
        self.sees("4 of its 6 coming events are missing at once.")
        self.shows("/events", CLUB[2:])
        self.open("/account/waiting")
        self.sees("4 of its 6 coming events are missing at once.")
        shots.take(self.phone, f"waiting-{self.scripts}")
        if not self.scripts:
            self.press("Club", "Keep them")
            self.sees("Done.")
            return self.shows("/events", CLUB[2:])
        self.press("Club", "They are gone")
        self.sees("Done.")
        self.row.check("missing at once" not in self.phone.text, "it is settled", self.phone.text)
        self.open("/events/chowder-night")
        self.sees("The calendar “Club” no longer lists this event.")
        shots.take(self.phone, f"gone-{self.scripts}")
        self.site.set_club(CLUB, hour=20)
        self.fetch("Club")
        self.shows("/events", CLUB[2:])
        self.open("/events/chowder-night")
        self.row.check("no longer lists" not in self.phone.text, "it is back at its address", self.phone.text)

    def undone(self) -> None:
        """A wrong answer is undone; the calendar is paused then, and says so."""
        self.site.set_club([f"Test {title}" for title in CLUB], hour=20)
        self.fetch("Club")
        self.shows("/events", ["Test Chowder Night"])
        self.open("/admin/changes")
        shots.take(self.phone, f"changes-{self.scripts}")
        newest = self.phone.one("main form[action^='/undo/'] button")
        self.phone.js("arguments[0].scrollIntoView({block: 'center'})", newest)
        newest.click()
        self.sees("Undone.")
        self.shows("/events", CLUB[2:])
        self.row.check("Test " not in self.phone.text, "nothing of it is left", self.phone.text)
        self.open("/admin/calendars")
        self.sees("paused.")
        shots.take(self.phone, f"calendars-{self.scripts}")
        self.press("Club", "Resume")
        self.sees("Done.")
        self.fetch("Club")
        self.shows("/events", CLUB[2:])
        self.row.check("Test " not in self.phone.text, "it does not come again", self.phone.text)

    def failing(self) -> None:
        """One that fails for days is in the queue and on the page of administrators, in words."""
        del self.site.files["/club.ics"]
        self.fetch("Club")
        self.sees("its server answers with 404")
        self.open("/account/waiting")
        self.row.check("404" not in self.phone.text, "it is not in the queue yet", self.phone.text)
        self.start_again(LATEST)
        self.open("/account/waiting")
        self.sees("That began 4 days ago.")
        self.sees("its server answers with 404")
        shots.take(self.phone, f"waiting-failing-{self.scripts}")
        until(self.is_followed, 60)
        self.sees("1 failing for three days: “Club” (its server answers with 404).")
        shots.take(self.phone, f"admin-failing-{self.scripts}")
