"""The owner of a place: from the link of the first start to the public page, and an owner with a phone."""

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from town import OWNER, PASSWORDS, good
from browser import PHONE, Browser, until
from checks import Row
from forms import Hand
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from towns import FRIDAY, Pages, demo_town

PLACE = "the-slack-tide-pub"
RULE = "Jun-Sep Mo-Su 09:00-18:00; PH off"
MOST = 40  # taps and fields from the empty folder to the public page


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    rows = [first_start(binary, folder / f"empty-{scripts}", scripts) for scripts in (True, False)]
    town = demo_town(binary, folder / "data")
    give_owner(town)
    return [*rows, owner(town), rules(town, True), rules(town, False), keyboard(town)]


def give_owner(town: Pages) -> None:
    """A password for the owner of the pub."""
    result = town.sooke("user", "password", OWNER, stdin=PASSWORDS[OWNER] + "\n")
    if result.returncode:
        raise RuntimeError(f"user password left with {result.returncode}: {result.stderr}")


def first_start(binary: Path, data: Path, scripts: bool) -> Row:
    """From an empty folder to the page of a place, by what the screen says."""
    row = Row(f"the first start, {'with' if scripts else 'without'} scripts")
    town = Pages(binary, data).start("--now", FRIDAY, "--now-ticks")
    until(lambda: re.search(r"http\S+/setup#\S+", town.server.said), 5)
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
    hand.tap("Make my account")
    row.check(phone.has("The town") or phone.has("town"), "the town is next", phone.text)
    hand.fill("name", "Harbour")
    hand.fill("center", "48.37, -123.72")
    phone.every("main form button")[-1].click()
    hand.done += 1
    row.check(until(lambda: "/admin/businesses/new" in phone.driver.current_url, 10), "a place is next",
              (phone.driver.current_url, phone.text))
    hand.fill("name", "The Net Loft")
    choices = phone.driver.find_element(By.NAME, "category").find_elements(By.TAG_NAME, "option")
    hand.fill("category", choices[-1].get_attribute("value") or "")
    hand.fill("address", "1 Wharf Road")
    phone.every("main form button")[-1].click()
    hand.done += 1
    row.check(until(lambda: phone.driver.current_url.split("?")[0].endswith("/account/businesses/the-net-loft"), 10),
              "its page for the owner", (phone.driver.current_url, phone.text))
    hand.tap("Hours")
    until(lambda: phone.every("#mon"), 10)
    for day in ("mon", "tue", "wed", "thu", "fri"):
        hand.fill(day, "9-5")
    hand.browser.js("document.querySelector('[name^=\"holiday.\"][value=closed]').closest('label').click()")
    hand.done += 1
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
    hand.tap("What everybody sees")
    row.check(phone.has("Chowder") and "$14.50" in phone.text and "9 am – 5 pm" in phone.text, "the public page", phone.text)
    row.check(hand.done <= MOST, f"at most {MOST} taps and fields", hand.done)
    row.check(not phone.refused(), "nothing is refused", phone.refused())
    row.figures = f"{hand.done} taps and fields"
    phone.stop()
    town.stop()
    return row


class Elsewhere(BaseHTTPRequestHandler):
    """A page of another site with a link to a page of the town."""

    target = ""

    def do_GET(self) -> None:
        body = f'<!doctype html><title>Mail</title><a id="link" href="{self.target}">open</a>'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Nothing."""


def owner(town: Pages) -> Row:
    row = Row("an owner with a phone")
    hand = Hand(Browser().size(PHONE))
    phone = hand.browser
    phone.open(f"{town.url}/account/businesses/{PLACE}")
    hand.log_in(OWNER, PASSWORDS[OWNER])
    row.check(phone.has("Are these details still correct?"), "after the log-in it goes on to where one wanted", phone.text)
    Elsewhere.target = f"{town.url}/account"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    phone.open(f"http://localhost:{server.server_port}/")
    phone.one("#link").click()
    row.check(phone.has("Your places"), "the log-in survives a link on a page of another site", phone.text)
    server.shutdown()
    phone.open(f"{town.url}/account/businesses/{PLACE}")
    hand.tap("Yes, all correct")
    row.check(phone.has("Everybody sees that it is right"), "one tap confirms", phone.text)
    phone.open(f"{town.url}/account/businesses/{PLACE}/hours")
    for box in phone.every("[name=days]")[:5]:
        phone.js("arguments[0].closest('label').click()", box)
    hand.fill("all", "9 to 5")
    hand.tap("Set")
    row.check(until(lambda: phone.one("#fri").get_attribute("value") == "9 to 5", 10), "one text for five days", phone.text)
    hand.fill("sat", "7-11")
    hand.tap("Save hours")
    row.check(phone.has("Write it with am and pm, such as “7 am to 11 pm”"), "it says what to write", phone.text)
    row.check(phone.one("#sat").get_attribute("value") == "7-11" and phone.one("#mon").get_attribute("value") == "9 to 5",
              "what was typed is still there")
    hand.fill("sat", "7 am to 11 pm")
    hand.tap("Save hours")
    row.check(phone.has("Saved."), "it is saved", phone.text)
    hours = good(town.ask("GET", f"/businesses/{PLACE}")).json()["hours"]
    row.check([(day["open_time"], day["close_time"]) for day in hours[1:]]
              == [("09:00:00", "17:00:00")] * 5 + [("07:00:00", "23:00:00")], "the API has it", hours)
    row.check(len(phone.refused()) <= 1, "nothing is refused but the form that could not be read", phone.refused())
    phone.stop()
    return row


def rules(town: Pages, scripts: bool) -> Row:
    """A rule that no week shows stays as it is, byte for byte."""
    row = Row(f"a rule beyond a week, {'with' if scripts else 'without'} scripts")
    town.change(f"/businesses/{PLACE}", opening_hours=RULE)
    hand = Hand(Browser(scripts).size(PHONE))
    phone = hand.browser
    phone.open(f"{town.url}/account/businesses/{PLACE}/hours")
    hand.log_in(OWNER, PASSWORDS[OWNER])
    row.check(until(lambda: phone.one("#opening_hours").get_attribute("value") == RULE, 10), "it shows the rule", phone.text)
    phone.js("arguments[0].closest('label').click()", phone.one('[name^="holiday."][value=closed]'))
    hand.tap("Save hours")
    row.check(phone.has("Saved."), "a holiday is saved", phone.text)
    phone.open(f"{town.url}/account/businesses/{PLACE}")
    hand.fill("phone", f"250-555-01{'77' if scripts else '88'}")
    hand.tap("Save")
    row.check(phone.has("Saved."), "the phone number is saved", phone.text)
    stored = good(town.ask("GET", f"/businesses/{PLACE}")).json()
    row.check(stored["opening_hours"] == RULE and len(stored["special_hours"]) > 0, "the rule is as it was", stored)
    town.change(f"/businesses/{PLACE}", opening_hours=None, special_hours=[])
    phone.stop()
    return row


def keyboard(town: Pages) -> Row:
    """The same with the keyboard alone: tab, type, enter."""
    row = Row("an owner with a keyboard")
    browser = Browser().size(1280)
    browser.open(f"{town.url}/account/businesses/{PLACE}/hours")
    keys = browser.driver.switch_to

    def reach(name: str) -> bool:
        for _ in range(80):
            if browser.js("return document.activeElement.name || document.activeElement.textContent.trim()") == name:
                return True
            keys.active_element.send_keys(Keys.TAB)
        return False

    row.check(reach("login-email"), "the e-mail")
    keys.active_element.send_keys(OWNER)
    row.check(reach("login-password"), "the password")
    keys.active_element.send_keys(PASSWORDS[OWNER] + Keys.ENTER)
    row.check(browser.has("Holidays ahead"), "the hours", browser.text)
    row.check(reach("tue"), "Tuesday")
    browser.js("document.activeElement.select()")
    keys.active_element.send_keys("10-4" + Keys.ENTER)
    row.check(browser.has("Saved."), "enter saves", browser.text)
    hours = good(town.ask("GET", f"/businesses/{PLACE}")).json()["hours"]
    row.check([day["open_time"] for day in hours if day["day_of_week"] == 2] == ["10:00:00"], "Tuesday is saved", hours)
    town.change(f"/businesses/{PLACE}", opening_hours=RULE)
    browser.open(f"{town.url}/account/businesses/{PLACE}/hours")
    row.check(reach(browser.one('[name^="holiday."][value=closed]').get_attribute("name") or ""), "a holiday")
    keys.active_element.send_keys(Keys.ARROW_RIGHT)
    keys.active_element.send_keys(Keys.ENTER)
    row.check(browser.has("Saved."), "enter saves the holiday", browser.text)
    browser.open(f"{town.url}/account/businesses/{PLACE}")
    row.check(reach("phone"), "the phone number")
    browser.js("document.activeElement.select()")
    keys.active_element.send_keys("250-555-0166" + Keys.ENTER)
    row.check(browser.has("Saved."), "enter saves the number", browser.text)
    stored = good(town.ask("GET", f"/businesses/{PLACE}")).json()
    row.check((stored["opening_hours"], stored["phone"]) == (RULE, "250-555-0166"), "the rule is as it was", stored)
    row.check(any(day["is_closed"] and day["from"] == day["to"] for day in stored["special_hours"]), "the holiday is closed",
              stored["special_hours"])
    browser.stop()
    return row
