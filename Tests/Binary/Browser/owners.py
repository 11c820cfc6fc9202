"""From the link of the first start to the public page; with the keyboard alone; events of owners and strangers."""

import re
import time
from pathlib import Path

from town import ADMIN, OWNER, PASSWORDS
from browser import PHONE, Browser, until
from checks import Row
from forms import WAIT, Hand
from selenium.webdriver.common.keys import Keys
from towns import FRIDAY, HALL, PLACE, Pages, demo_town

RULE = "Jun-Sep Mo-Su 09:00-18:00; PH off"
MOST = 40  # taps and fields from the empty folder to the public page
HOLIDAY = '[name^="holiday."][value=closed]'


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    rows = [first_start(binary, folder / f"empty-{scripts}", scripts) for scripts in (True, False)]
    town = demo_town(binary, folder / "data")
    return [*rows, keyboard(town), event_of_a_stranger(town), dates_of_an_owner(town, True),
            dates_of_an_owner(town, False)]


def first_start(binary: Path, data: Path, scripts: bool) -> Row:
    """From an empty folder to the page of a place, by what the screen says."""
    row = Row(f"the first start, {'with' if scripts else 'without'} scripts")
    town = Pages(binary, data).start("--now", FRIDAY, "--now-ticks")
    until(lambda: "/setup#" in town.server.said, 5)
    link = re.search(r"http\S+/setup#(\S+)", town.server.said)
    if not row.check(link is not None, "serve prints the link", town.server.said) or link is None:
        return row
    hand = Hand(Browser(scripts).size(PHONE))
    phone = hand.browser
    phone.open(link[0])
    if not scripts:
        hand.fill("code", link[1])
    hand.fill("email", "ada@harbour.example")
    hand.fill("password", "seven rain coats dry")
    hand.tap("Create my account")
    row.check(phone.has("Where is your town?"), "its country is next", phone.text)
    hand.fill("country", "CA")
    hand.tap("Continue")
    row.check(until(lambda: phone.every("[name=center]"), 10), "the town is next", phone.text)
    hand.fill("name", "Harbour")
    hand.fill("time_zone", "America/Vancouver")
    hand.fill("holidays", "CA-BC")
    hand.fill("center", "48.37, -123.72")
    go_on(hand)
    row.check(until(lambda: phone.every("[name=category]"), 10), "a place is next", phone.text)
    hand.fill("name", "The Net Loft")
    hand.fill("category", phone.every("[name=category] option")[-1].get_attribute("value") or "")
    hand.fill("address", "1 Wharf Road")
    go_on(hand)
    row.check(until(lambda: phone.driver.current_url.split("?")[0].endswith("/account/businesses/the-net-loft"), 10),
              "its page for the owner", (phone.driver.current_url, phone.text))
    hand.tap("Hours")
    until(lambda: phone.every("#mon"), 10)
    for day in ("mon", "tue", "wed", "thu", "fri"):
        hand.fill(day, "9-5")
    hand.fill(phone.one(HOLIDAY).get_attribute("name") or "", "closed")
    hand.tap("Save hours")
    row.check(phone.has("Saved."), "the hours are saved", phone.text)
    hand.tap("The Net Loft")
    until(lambda: phone.every("a[href$='/menus']"), 10)
    hand.tap("Menus")
    until(lambda: phone.every("[name=items]"), 10)
    hand.fill("name", "Lunch")
    hand.fill("items", "Chowder 14.50\nFish and chips 18")
    hand.tap("Save menus")
    row.check(phone.has("Saved."), "the menu is saved", phone.text)
    hand.tap("The Net Loft")
    until(lambda: phone.every("a[href='/businesses/the-net-loft']"), 10)
    hand.tap("Public page")
    row.check(phone.has("Chowder") and "$14.50" in phone.text and "9 am – 5 pm" in phone.text, "the public page",
              phone.text)
    row.check(hand.done <= MOST, f"at most {MOST} taps and fields", hand.done)
    row.check(not phone.refused(), "nothing is refused", phone.refused())
    row.figures = f"{hand.done} taps and fields"
    phone.stop()
    town.stop()
    return row


def go_on(hand: Hand) -> None:
    """Sends the form by its last button."""
    hand.browser.every("main form button")[-1].click()
    hand.done += 1


def keyboard(town: Pages) -> Row:
    """With the keyboard alone: tab, type, enter; and a rule that no week shows stays as it is, byte for byte."""
    row, browser = Row("an owner with a keyboard"), Browser().size(1280)
    browser.open(f"{town.url}{HALL}/hours")
    keys = browser.driver.switch_to

    def reach(name: str) -> None:
        for _ in range(80):
            if browser.js("return document.activeElement.name || document.activeElement.textContent.trim()") == name:
                return browser.js("document.activeElement.select?.()")
            keys.active_element.send_keys(Keys.TAB)
        row.check(False, f"the keyboard reaches {name}")

    reach("login-email")
    keys.active_element.send_keys(OWNER)
    reach("login-password")
    keys.active_element.send_keys(PASSWORDS[OWNER] + Keys.ENTER)
    row.check(browser.has("Holidays ahead"), "the hours", browser.text)
    reach("tue")
    keys.active_element.send_keys("10-4" + Keys.ENTER)
    row.check(browser.has("Saved."), "enter saves", browser.text)
    hours = town.place()["hours"]
    row.check([day["open_time"] for day in hours if day["day_of_week"] == 2] == ["10:00:00"], "Tuesday is saved", hours)
    town.change(f"/businesses/{PLACE}", opening_hours=RULE)
    browser.open(f"{town.url}{HALL}/hours")
    reach(browser.one(HOLIDAY).get_attribute("name") or "")
    keys.active_element.send_keys(Keys.ARROW_RIGHT)
    keys.active_element.send_keys(Keys.ENTER)
    row.check(browser.has("Saved."), "enter saves the holiday", browser.text)
    browser.open(town.url + HALL)
    reach("phone")
    keys.active_element.send_keys("250-555-0166" + Keys.ENTER)
    row.check(browser.has("Saved."), "enter saves the number", browser.text)
    now = town.place()
    row.check((now["opening_hours"], now["phone"]) == (RULE, "250-555-0166"), "the rule is as it was", now)
    row.check(any(day["is_closed"] for day in now["special_hours"]), "the holiday is closed", now["special_hours"])
    browser.stop()
    return row


def event_of_a_stranger(town: Pages) -> Row:
    """From a phone to the queue, to the page and the calendar."""
    row, hand = Row("an event of a stranger"), Hand(Browser().size(PHONE))
    phone = hand.browser
    phone.open(town.url + "/new-event")
    began = time.monotonic()
    for name, text in [("name", "Whistle Party"), ("day", "2027-02-05"), ("from", "8 pm"), ("to", "12:30 am"),
                       ("place", "the slack tide pub"), ("about", "Bring a fiddle."), ("email", "mia@home.example"),
                       ("message", "I am Mia"), ("type", "live-music")]:
        hand.fill(name, text)
    row.check(phone.has("8 pm – 12:30 am"), "it says what it understands", phone.text)
    time.sleep(max(0, WAIT - time.monotonic() + began))
    hand.tap("Send")
    row.check(phone.has("Thank you"), "it is sent", phone.text)
    row.check(town.get("/events/whistle-party").status == 404, "nobody sees it yet")
    phone.open(town.url + "/account/waiting")
    hand.log_in(ADMIN, PASSWORDS[ADMIN])
    row.check(phone.has("Whistle Party") and "mia@home.example" in phone.text, "it waits, with whom to ask", phone.text)
    hand.tap("Edit first")
    until(lambda: phone.every("#name"), 10)
    hand.fill("name", "Whistle Party at the Pub")
    hand.tap("Publish")
    row.check(phone.has("Add to calendar") and "Whistle Party at the Pub" in phone.text, "it is published", phone.text)
    body = town.get("/events/whistle-party-at-the-pub").body.decode()
    row.check("Bring a fiddle." in body and "The Slack Tide Pub" in body, "everybody sees it")
    row.check("mia@home.example" not in body and "I am Mia" not in body, "but not what is for those who decide")
    calendar = town.get("/api/v1/events/whistle-party-at-the-pub.ics").body
    row.check(b"DTSTART;TZID=America/Vancouver:20270205T200000" in calendar, "the calendar has it at its time", calendar)
    row.check(not phone.refused(), "nothing is refused", phone.refused())
    phone.stop()
    return row


def dates_of_an_owner(town: Pages, scripts: bool) -> Row:
    """A fair of whole days, a place in words, and a series of which one date is cancelled, moved, renamed, put back."""
    row = Row(f"the dates of an owner, {'with' if scripts else 'without'} scripts")
    hand = Hand(Browser(scripts).size(PHONE))
    phone, names = hand.browser, ["Net Fair", "Net Walk", "Darts"] if scripts else ["Kite Fair", "Kite Walk", "Quoits"]
    fair, walk, darts = names
    series = f"/account/events/{darts.lower()}"

    def add(**fields: str) -> None:
        phone.open(town.url + "/account/new-event")
        if phone.every("[name=login-email]"):
            hand.log_in(OWNER, PASSWORDS[OWNER])
        until(lambda: phone.every("#name"), 10)
        for name, text in fields.items():
            hand.fill(name, text)
        hand.tap("Send")
        until(lambda: "/account/events/" in phone.driver.current_url, 10)

    def change(date: str, button: str, state: str, **fields: str) -> None:
        phone.open(town.url + series)
        hand.tap(date)
        until(lambda: phone.every("form.actions"), 10)
        for name, text in fields.items():
            hand.fill(name, text)
        hand.tap(button)
        row.check(until(lambda: phone.every(".echo"), 10) and phone.has(state), f"{date}: {button}", phone.text)
        row.check(phone.js("return document.documentElement.scrollWidth") <= PHONE, f"{button}: it is not too wide")
        phone.open(town.url + series)
        row.check(phone.has(f"{date}\n{state}"), f"its row: {state}", phone.text)

    add(name=fair, day="2027-02-06", last="2027-02-07", allday="yes", place="the slack tide pub", type="live-music")
    row.check(phone.has("Saved. It is published now."), "the fair is public", phone.text)
    add(name=walk, day="2027-02-08", **{"from": "10 am"}, place="Behind the church", type="live-music")
    row.check(phone.one("#place").get_attribute("value") == "Behind the church", "its place stays in words", phone.text)
    add(name=darts, day="2027-01-12", **{"from": "7 pm", "to": "9 pm"}, repeat="weekly", until="2027-02-02",
        place="the slack tide pub", type="live-music")
    change("Tue 19 Jan", "Cancel this date", "cancelled")
    change("Tue 26 Jan", "Move this date", "moved to Thu 28 Jan, 6 pm", day="2027-01-28", **{"from": "6 pm", "to": ""})
    change("Tue 2 Feb", "Save name and place", "renamed, at another place", name="Finals", location="The old hall")
    path = f"/events/{darts.lower()}/"
    phone.open(town.url + path + "2027-01-12")
    hand.tap("Change this date")
    hand.tap("Cancel this date")
    row.check(phone.has("Cancelled. It stays in the calendar"), "the page of a date leads to its change", phone.text)
    change("Tue 12 Jan", "Put this date back", "on")
    listed = town.get("/events").body.decode()
    for text in [f"{path}2027-01-12", f"{path}2027-01-26", "Finals", "The old hall", "day 2 of 2", fair]:
        row.check(text in listed, f"the list has {text}")
    row.check(f"{path}2027-01-12" in town.get("/week").body.decode(), "the week has its first date")
    row.check("This date is cancelled." in town.get(path + "2027-01-19").body.decode(), "its page says cancelled")
    feed = town.get(f"/api/v1/events/{darts.lower()}.ics").body.decode()
    for line in ["RECURRENCE-ID;TZID=America/Vancouver:20270119T190000", "STATUS:CANCELLED", "SUMMARY:Finals",
                 "DTSTART;TZID=America/Vancouver:20270128T180000", "LOCATION:The old hall"]:
        row.check(line in feed, f"the calendar has {line}", feed)
    feed = town.get(f"/api/v1/events/{fair.lower().replace(' ', '-')}.ics").body.decode()
    row.check("DTSTART;VALUE=DATE:20270206" in feed and "DTEND;VALUE=DATE:20270208" in feed, "whole days", feed)
    row.check(not phone.refused(), "nothing is refused", phone.refused())
    phone.stop()
    return row
