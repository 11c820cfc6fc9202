"""What people look for is found by one box; an owner is invited from the page of the place."""

import re
from pathlib import Path

from town import ADMIN, PASSWORDS
from browser import PHONE, Browser, until
from checks import Row
from forms import Hand
from towns import Pages, demo_town

# What somebody types, and what the page must have.
FOUND = {"quiz": "Quiz Night", "chemist": "Coastal Drugs", "250 555": "places", "st brigid": "Saint Brigid Bakery",
         "saint mary": "St. Mary’s Tea House", "aw": "A&W", "Saturday 16 January": "Quiz Night"}
NEW = ("name,category,address,latitude,longitude,phone\n"
       "Saint Brigid Bakery,cafes-bakeries,1 S Rd,48.37,-123.72,\nSt. Mary’s Tea House,cafes-bakeries,2 S Rd,48.37,-123.72,\n"
       "A&W,restaurants,3 S Rd,48.37,-123.72,250-555-0199\nCoastal Drugs,pharmacies,4 S Rd,48.37,-123.72,\n")
EVENTS = "name,event_type,date,time,status\nQuiz Night,live-music,2027-01-16,7 pm,approved\n"


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data")
    (folder / "new.csv").write_text(NEW)
    (folder / "events.csv").write_text(EVENTS)
    town.must("import", "--starter", "--create-categories", folder / "new.csv", folder / "events.csv")
    return [look(town, scripts) for scripts in (True, False)] + [invite(town, scripts) for scripts in (True, False)]


def look(town: Pages, scripts: bool) -> Row:
    row, phone = Row(f"one search, {'with' if scripts else 'without'} scripts"), Browser(scripts).size(PHONE)
    hand = Hand(phone)
    for text, expected in FOUND.items():
        phone.open(town.url + "/")
        hand.fill("q", text)
        hand.tap("Search")
        row.check(until(lambda: "q=" in phone.driver.current_url, 10) and phone.has(expected), text, phone.text)
        row.check(f"“{text}”" in phone.driver.title or text in phone.driver.title, f"{text}: title", phone.driver.title)
        row.check(phone.js("return document.documentElement.scrollWidth") <= PHONE, f"{text}: it is not too wide")
    phone.open(town.url + "/businesses?q=nothing+like+this")
    row.check(phone.has("Tell us") or phone.has("Send an event"), "nothing found says what to do", phone.text)
    row.check(not phone.refused(), "nothing is refused", phone.refused())
    phone.stop()
    return row


def invite(town: Pages, scripts: bool) -> Row:
    row, hand = Row(f"an invited owner, {'with' if scripts else 'without'} scripts"), Hand(Browser(scripts).size(PHONE))
    phone, slug = hand.browser, "saint-brigid-bakery" if scripts else "coastal-drugs"
    phone.open(f"{town.url}/account/businesses/{slug}")
    hand.log_in(ADMIN, PASSWORDS[ADMIN])
    until(lambda: phone.every("a[href$='/owner']"), 10)
    hand.tap("Owner")
    until(lambda: phone.every("[name=owner]"), 10)
    hand.fill("owner", f"{slug}@owner.example")
    hand.tap("Save")
    row.check(phone.has("An invitation for"), "the link is there", phone.text)
    link = phone.one("#made").get_attribute("value") or ""
    row.check(phone.one("[data-copy]").is_displayed() == scripts, "it can be copied where there is a script")
    row.check(phone.one(".card > .code").is_displayed(), "a code shows it to who stands at the counter")
    owner = Hand(Browser(scripts).size(PHONE))
    owner.browser.open(link)
    if not scripts:
        owner.fill("code", re.sub(".*#", "", link))
    owner.fill("password", "seven rain coats dry")
    owner.tap("Create my account")
    row.check(until(lambda: f"/businesses/{slug}/hours" in owner.browser.driver.current_url, 10), "the hours are next",
              owner.browser.driver.current_url)
    buttons = [button.text for button in owner.browser.every("main button") if button.is_displayed()]
    row.check(buttons[:1] == ["Yes, all correct"], "all correct comes first", buttons)
    row.check(not owner.browser.refused(), "nothing is refused", owner.browser.refused())
    phone.stop()
    owner.browser.stop()
    return row
