"""A town in another country from its first start on, and its parts in pages of other sites."""

import re
import xml.etree.ElementTree as XML
from pathlib import Path

from axe_core_python.selenium import Axe

from town import ADMIN, PASSWORDS, good
from browser import NARROW, PHONE, Browser, until
from checks import Row
from forms import Hand
from harness import send
from origins import cookie
from pages import AXE, faults, overflow
from towns import FRIDAY, PLACE, Pages, demo_town, other_site

# The most taps and fields of a first start, with scripts and without.
MOST = {True: 12, False: 16}
DAYS = [("20270201", "Saint Brigid's Day"), ("20270317", "Saint Patrick's Day"), ("20270329", "Easter Monday")]
CALENDAR = "\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *(
    line for day, name in DAYS
    for line in ("BEGIN:VEVENT", f"UID:{day}", f"DTSTART;VALUE=DATE:{day}", f"SUMMARY:{name}", "END:VEVENT")),
    "END:VCALENDAR", ""])
PARTS = ["/embed/events", "/embed/events?type=live-music", f"/embed/events?host={PLACE}", "/embed/events?host=nobody",
         "/embed/open", "/embed/open?category=restaurants"]
ATOM = "{http://www.w3.org/2005/Atom}"


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    rows = [dublin(binary, folder, scripts) for scripts in (True, False)]
    town = demo_town(binary, folder / "data")
    return [*rows, embedded(town), followed(town)]


def dublin(binary: Path, folder: Path, scripts: bool) -> Row:
    """From the link to a town with a name, its currency, a clock with 24 hours and holidays, on a phone in Dublin."""
    row = Row(f"first start in Dublin, {'with' if scripts else 'without'} scripts")
    town = Pages(binary, folder / f"dublin-{scripts}").start("--now", FRIDAY, "--now-ticks")
    token, file = town.setup_token() or "", folder / "ireland.ics"
    file.write_text(CALENDAR)
    for path in ("/", "/events", "/week", "/site.webmanifest", "/api/v1/events.ics", "/events.atom"):
        found = town.get(path).body.replace(b"PRODID:-//Sooke//Sooke//EN", b"")
        row.check(b"Sooke" not in found, f"{path} of a town without a name", found[:600])
    phone = Browser(scripts).size(PHONE)
    phone.command("Emulation.setTimezoneOverride", timezoneId="Europe/Dublin")
    hand = Hand(phone)
    phone.open(f"{town.url}/setup#{token}")
    if not scripts:
        hand.fill("code", token)
    hand.fill("email", ADMIN)
    hand.fill("password", PASSWORDS[ADMIN])
    hand.tap("Create my account")
    row.check(phone.has("Where is your town?"), "the first page", phone.text)
    row.check(phone.one("#country").get_attribute("value") == ("IE" if scripts else ""), "the country is only guessed "
              "from what the browser says", phone.one("#country").get_attribute("value"))
    if not scripts:
        hand.fill("country", "IE")
    hand.tap("Continue")
    until(lambda: phone.every("[name=currency]"), 10)
    shown = {name: phone.one(f"[name={name}]").get_attribute("value") for name in ("time_zone", "currency", "clock")}
    row.check(shown == {"time_zone": "Europe/Dublin", "currency": "EUR", "clock": "24"}, "what follows", shown)
    row.check("America/Vancouver" in str(good(town.local("GET", "/town")).body), "nothing counts before it is sent")
    offered = phone.js("return document.querySelectorAll('#zones option').length")
    row.check(offered > 300, "the zones are offered", offered)
    hand.fill("name", "Howth")
    if scripts:
        hand.done += 1
        phone.one("input[type=file]").send_keys(str(file))
        until(lambda: "VCALENDAR" in phone.one("#holiday_calendar").get_attribute("value"), 5)
    else:
        hand.fill("holiday_calendar", CALENDAR)
    row.check(overflow(phone.size(NARROW)) == [], f"it fits into {NARROW} px", overflow(phone))
    phone.size(PHONE)
    hand.tap("Continue")
    row.check(phone.has("Add your first place"), "it is set up", phone.text)
    row.check(hand.done <= MOST[scripts], f"at most {MOST[scripts]} taps and fields", hand.done)
    settings = good(town.local("GET", "/town")).json()
    known = {name: settings.get(name) for name in ("name", "country", "time_zone", "currency", "clock", "holidays")}
    row.check(known == {"name": "Howth", "country": "IE", "time_zone": "Europe/Dublin", "currency": "EUR",
                        "clock": "24", "holidays": None}, "the settings", settings)
    row.check([day["name"] for day in settings["holiday_dates"]] == [name for _, name in DAYS], "the holidays", settings)
    served(town, phone, row, scripts)
    row.check(not phone.refused(), "nothing is refused", phone.refused())
    row.figures = f"{hand.done} taps and fields"
    phone.stop()
    town.stop()
    return row


def served(town: Pages, phone: Browser, row: Row, scripts: bool) -> None:
    """Pages with the sign of the currency and clocks with 24 hours, also where a script goes on."""
    items = [{"name": "Chowder", "price": "14.50"}, {"name": "Tea", "price": "3.00"}, {"name": "Of the day"}]
    good(town.local("POST", "/categories", {"name": "Pubs"}), 201)
    good(town.local("POST", "/businesses", {
        "name": "The Abbey", "category": "pubs", "address": "1 Abbey Street", "latitude": 53.39, "longitude": -6.07,
        "opening_hours": "Mo-Su 10:30-00:30", "menus": [{"name": "Lunch", "items": items}]}), 201)
    phone.open(f"{town.url}/businesses/the-abbey")
    row.check(phone.has("Open until 00:30") and "10:30 – 00:30" in phone.text, "its hours", phone.text)
    row.check("€14.50" in phone.text and "€3\n" in phone.text and "Of the day" in phone.text, "its prices", phone.text)
    phone.open(town.url)
    if scripts:
        phone.js("document.querySelector('[data-clock]').textContent = ''")
        row.check(until(lambda: re.search(r"Howth, Friday 23:\d\d$", phone.one("h1").text), 3), "the clock goes on",
                  phone.one("h1").text)


def embedded(town: Pages) -> Row:
    """Parts in a page of another site: the same for everybody, without a cookie, a form or a script."""
    row, browser, axe = Row("parts in pages of others"), Browser().size(PHONE), Axe().axe_script
    person = cookie(town, ADMIN)
    for path in PARTS:
        answer, own = town.get(path), send(town.url, path, headers={"Cookie": person})
        body = answer.body.decode()
        row.check(answer.status == 200 and answer.body == own.body, f"{path} is the same for everybody", answer)
        row.check("Set-Cookie" not in own.headers and own.headers["Cache-Control"] == "no-cache", f"{path}: no cookie",
                  own.headers)
        row.check("frame-ancestors *" in answer.headers["Content-Security-Policy"], f"{path} may be framed")
        row.check(not re.search(r"<(form|script|input|button)|ada@|Ada", body), f"{path} has nothing of people", body)
        row.check('<base target="_top">' in body and not faults(body), f"{path} is valid", faults(body))
        browser.open(town.url + path)
        browser.driver.execute_script(axe)
        found = browser.driver.execute_async_script(AXE)
        row.check(not found, f"{path} by axe", found)
        row.check(overflow(browser.size(NARROW)) == [], f"{path} fits into {NARROW} px", overflow(browser))
        browser.size(PHONE)
    for path in ("/", "/embed", "/account", "/assets/none", "/api/v1/events"):
        policy = town.get(path).headers["Content-Security-Policy"]
        row.check("frame-ancestors 'none'" in policy, f"{path} may not be framed", policy)
    frames = "".join(f'<iframe src="{town.url}{path}" title="{path}" width="320"></iframe>' for path in PARTS)
    with other_site(frames) as port:
        browser.open(f"http://localhost:{port}/")
        for number, path in enumerate(PARTS):
            browser.driver.switch_to.frame(number)
            row.check(until(lambda: browser.js("return document.querySelector('h1')?.textContent"), 10), f"{path} is shown")
            row.check("nobody" not in path or "Nothing is planned yet." in browser.text, f"{path} is empty", browser.text)
            browser.driver.switch_to.default_content()
        browser.driver.switch_to.frame(4)
        browser.js("arguments[0].scrollIntoView({block: 'center'})", browser.one(".row"))
        browser.one(".row").click()
        browser.driver.switch_to.default_content()
        row.check(until(lambda: browser.driver.current_url.startswith(town.url + "/businesses/"), 10), "a link leaves it",
                  browser.driver.current_url)
    browser.open(f"{town.url}/embed?type=live-music&category=restaurants")
    lines = [line.get_attribute("value") for line in browser.every("textarea")]
    wanted = [f"{town.url}/embed/events?type=live-music", f"{town.url}/embed/open?category=restaurants"]
    row.check([re.search('src="([^"]+)"', line)[1] for line in lines] == wanted, "the lines to copy", lines)
    browser.stop()
    return row


def followed(town: Pages) -> Row:
    """The events as Atom, whose IDs stay when one is renamed."""
    row = Row("the events as Atom")

    def entries(path: str = "/events.atom") -> dict[str, tuple[str, str]]:
        feed = XML.fromstring(town.get(path).body)
        for name in ("id", "title", "updated", "author", "link"):
            row.check(feed.find(ATOM + name) is not None, f"the feed has {name}")
        parts = [(entry.findtext(ATOM + "id"), entry.findtext(ATOM + "title"), entry.findtext(ATOM + "updated"),
                  entry.findtext(ATOM + "summary"), entry.find(ATOM + "link").get("href")) for entry in feed.iter(ATOM + "entry")]
        row.check(all(all(part) for part in parts), "each has all that it needs", parts[:2])
        row.check(len({part[0] for part in parts}) == len(parts) > 0, "their IDs differ", len(parts))
        return {id: (title, link) for id, title, _, _, link in parts}

    before = entries()
    for title, link in before.values():
        answer = town.get(link.removeprefix(town.url))
        row.check(answer.status == 200, f"{title} has a page", answer)
    name = next(link.rsplit("/", 1)[1] for _, link in before.values())
    town.change(f"/events/{name}", name="Renamed & <b>\x0bmoved", slug="renamed-and-moved")
    after = entries()
    row.check(set(after) == set(before), "the IDs stay", set(after) ^ set(before))
    row.check(("Renamed & <b>moved", f"{town.url}/events/renamed-and-moved") in after.values(), "the new name")
    row.check(set(entries("/events.atom?type=live-music")) < set(after), "those of a kind")
    row.figures = f"{len(before)} events"
    return row
