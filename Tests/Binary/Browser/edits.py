"""Forms in which somebody types: the focus after each button, kills, others who change the same, and questions."""

import time
from pathlib import Path
from signal import SIGKILL
from typing import Any

from town import ADMIN, OWNER, PASSWORDS, business, good
from browser import PHONE, Browser, until
from checks import Row
from forms import WAIT, Hand
from live import LINE
from towns import HALL, PLACE, Pages, demo_town

TYPED = "250-555-0142"
WHERE = """const e = document.activeElement;
return e.id ? '#' + e.id : e.className ? '.' + e.className.split(' ')[0] : e.tagName.toLowerCase();"""
SETTLED = 0.25  # seconds in which the feed may have the page shown again
# Who, where, the fields, the button, and where the focus is then; nothing where it is the browser's to say.
Step = tuple[str, str, dict[str, str], str, str]
HOURS: list[Step] = [
    (OWNER, f"{HALL}/hours", {"all": "9-5"}, "Set", ".summary"),
    (OWNER, f"{HALL}/hours", {"all": "9-5", "days": "wed"}, "Set", "#wed"),
    (OWNER, f"{HALL}/hours", {"sat": "9-5"}, "Preview", "#look"),
    (OWNER, f"{HALL}/hours", {"sat": "7-11"}, "Preview", ".summary"),
    (OWNER, f"{HALL}/hours", {"sat": "7-11"}, "Save hours", ".summary"),
    (OWNER, f"{HALL}/hours", {"sat": "9-5"}, "Save hours", ".echo"),
]
STEPS: list[Step] = [
    ("", "/login", {"login-email": OWNER, "login-password": "wrong"}, "Log in", ".summary"),
    ("", f"/businesses/{PLACE}/report", {"message": "Nobody answers."}, "Send", ".echo"),
    ("", "/new-event", {"name": "Songs"}, "Preview", "#look"),
    ("", "/new-event", {"name": "Songs"}, "Send", ".summary"),
    *HOURS,
    (OWNER, HALL, {"phone": "250-555-0177"}, "Save", ".echo"),
    (OWNER, HALL, {}, "Yes, all correct", ".echo"),
    (OWNER, f"{HALL}/menus", {"name": "Lunch", "items": "Chowder 14.505"}, "Save menus", ".summary"),
    (OWNER, "/account/password", {"password": "wrong", "new_password": "x"}, "Change the password", ".summary"),
    (ADMIN, "/admin/people", {"email": OWNER}, "Make an invitation", ".summary"),
    (ADMIN, "/admin/people", {"email": "una@town.example"}, "Make an invitation", ".card"),
    (ADMIN, "/admin/people/3", {}, "Make a link for a new password", ".card"),
    (ADMIN, "/admin/people/3", {}, "End all sessions", ".echo"),
    (ADMIN, "/admin/people/3/delete", {}, "Remove the account", ".echo"),
    (ADMIN, "/admin/categories", {"event_type": "Kelp"}, "Add", ".echo"),
    (ADMIN, "/admin/categories/restaurants", {}, "Delete Restaurants", ".summary"),
    (ADMIN, "/account/events/indoor-winter-market", {"from": "7-11"}, "Preview", "#look"),
    (ADMIN, "/account/events/indoor-winter-market", {}, "Cancel all its dates", ".echo"),
    (ADMIN, "/account/waiting", {}, "Publish", ".echo"),
    (ADMIN, "/account/waiting", {"": "Dismiss…", "reason": "Somebody does."}, "Reject", ".echo"),
    (ADMIN, f"/admin/businesses/{PLACE}", {}, "Delete this place", ".echo"),
    (ADMIN, "/account", {}, "Log out", ""),
]


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data")
    hand = Hand(Browser().size(PHONE))
    hand.browser.open(town.url + HALL)
    hand.log_in(OWNER, PASSWORDS[OWNER])
    hand.browser.has("Are these details still correct?")
    rows = [answered(town, hand), question(town, hand), killed(town, hand), meanwhile(town, hand)]
    hand.browser.stop()
    # Without scripts the browser has the focus where a page begins, unless the page says more.
    return [*rows, focus(town, False, HOURS), focus(town, True, STEPS)]


def value(hand: Hand, name: str = "phone") -> Any:
    return hand.browser.js("return document.querySelector(`main [name='${arguments[0]}']`)?.value", name)


def answered(town: Pages, hand: Hand) -> Row:
    """What could not be accepted stays while others change things, also when a log-in is on the way."""
    row, phone = Row("what could not be accepted stays"), hand.browser
    hand.fill("location", "over there")
    hand.tap("Save")
    row.check(phone.has("Nothing has been saved"), "it says what is wrong", phone.text)
    until(lambda: town.streams() > 0, 10)
    town.change(f"/businesses/{PLACE}", name="The Next Tide")
    row.check(until(lambda: phone.one("h1").text == "The Next Tide", 5), "the page goes on to follow", phone.text)
    row.check(value(hand, "location") == "over there" and "Nothing has been saved" in phone.text, "what was typed stays",
              (value(hand, "location"), phone.text))
    phone.driver.delete_all_cookies()
    hand.tap("Save")
    row.check(phone.has("Your session ended"), "who is logged out is told", phone.text)
    hand.log_in(OWNER, PASSWORDS[OWNER])
    row.check(phone.has("Nothing has been saved"), "after the log-in it says what is wrong", phone.text)
    row.check(value(hand, "location") == "over there", "with what was typed", value(hand, "location"))
    hand.fill("location", "48.3743, -123.7254")
    hand.tap("Save")
    row.check(phone.has("Saved."), "and can be mended", phone.text)
    phone.open(f"{town.url}{HALL}/hours")
    hand.fill("sat", "6:05 am - 7:10 am")
    row.check(until(lambda: "6:05 – 7:10 am" in phone.one("#look").text, 5), "how people will see it",
              phone.one("#look").text)
    return row


def question(town: Pages, hand: Hand) -> Row:
    """Two who change the same field: it asks which of three texts is right, and saves the choice with the rest."""
    row, phone = Row("two who change the same field"), hand.browser
    phone.open(town.url + HALL)
    hand.fill("description", "mine")
    hand.fill("phone", TYPED)
    town.change(f"/businesses/{PLACE}", description="theirs", website="https://two.example")
    hand.tap("Save")
    row.check(until(lambda: phone.every("[type=radio][name=description]"), 10), "it asks", phone.text)
    found = phone.js("return [...document.querySelectorAll('[type=radio][name=description]')].map(c => c.value)")
    row.check(found[:2] == ["theirs", "mine"], "it has both", found)
    row.check(town.place()["description"] == "theirs" and town.place()["phone"] != TYPED, "nothing is saved yet")
    hand.fill("description", "mine")
    hand.tap("Save")
    row.check(phone.has("Saved."), "the choice is saved", phone.text)
    now = [town.place()[name] for name in ("description", "phone", "website")]
    row.check(now == ["mine", TYPED, "https://two.example"], "with the rest, and what the other one changed", now)
    return row


def killed(town: Pages, hand: Hand) -> Row:
    """The server is killed between typing and saving."""
    row, phone = Row("a server that is killed while somebody types"), hand.browser
    phone.open(town.url + HALL)
    hand.fill("phone", TYPED + "1")
    town.stop(SIGKILL)
    hand.tap("Save")
    row.check(until(lambda: "No connection" in phone.js(LINE), 10), "it says that there is no connection",
              phone.js(LINE))
    row.check(value(hand) == TYPED + "1", "what was typed is there", value(hand))
    town.start()
    hand.tap("Save")
    row.check(phone.has("Saved."), "it can be sent after the restart", phone.text)
    row.check(town.place()["phone"] == value(hand) == TYPED + "1", "and is stored", value(hand))
    hand.fill("phone", TYPED + "2")
    town.stop(SIGKILL)
    hand.tap("Save")
    until(lambda: "No connection" in phone.js(LINE), 10)
    town.start()
    phone.open(town.url + HALL)
    row.check(until(lambda: value(hand) == TYPED + "2", 5), "after a reload what was typed is there again", value(hand))
    until(lambda: town.streams() > 0, 10)
    row.check("What you typed before is here again." in phone.text, "and it says so, also when the feed has begun",
              phone.text)
    hand.tap("Save")
    row.check(phone.has("Saved.") and town.place()["phone"] == TYPED + "2", "it is saved then", phone.text)
    phone.open(town.url + HALL)
    row.check(value(hand) == TYPED + "2" and "here again" not in phone.text, "no draft is left", phone.text)
    return row


def meanwhile(town: Pages, hand: Hand) -> Row:
    """What somebody else does to the record while its form is open is said at once, and what was typed stays."""
    row, phone = Row("a record that is renamed or removed meanwhile"), hand.browser
    mine = good(town.ask("GET", "/me", token=town.session(OWNER))).json()
    loft = business("The Net Loft", owner_id=mine["id"])
    other = good(town.ask("POST", "/businesses", loft, town.admin), 201).json()["slug"]
    phone.open(f"{town.url}/account/businesses/{other}")
    until(lambda: town.streams() > 0, 10)
    hand.fill("phone", TYPED)
    town.change(f"/businesses/{other}", name="The Other Loft", slug="the-other-loft")
    row.check(until(lambda: phone.one("h1").text == "The Other Loft", 5), "its heading has the new name", phone.text)
    row.check(until(lambda: phone.every("main a[href='/businesses/the-other-loft']"), 5),
              "its links have the new address")
    row.check(value(hand) == TYPED, "what was typed stays", value(hand))
    hand.tap("Save")
    row.check(phone.has("Saved.") and "other-loft" in phone.driver.current_url, "it is saved under the new address",
              phone.text)
    now = good(town.ask("GET", "/businesses/the-other-loft")).json()
    row.check((now["name"], now["phone"]) == ("The Other Loft", TYPED), "the API has both", now)
    hand.fill("phone", TYPED + "9")
    good(town.ask("DELETE", "/businesses/the-other-loft", token=town.admin), 204)
    row.check(until(lambda: "removed" in phone.js(LINE), 5), "the page says that it was removed", phone.js(LINE))
    row.check(value(hand) == TYPED + "9", "what was typed is still there", value(hand))
    hand.tap("Save")
    row.check(phone.has("not found") or phone.has("is gone", 1), "sending says that it is gone", phone.text)
    row.check(TYPED + "9" in phone.text, "and shows what was typed", phone.text)
    return row


def focus(town: Pages, scripts: bool, steps: list[Step]) -> Row:
    """Where the focus is after each button: on what was changed or on what is wrong, and never lost."""
    row = Row(f"the focus after a button, {'with' if scripts else 'without'} scripts")
    hand = Hand(Browser(scripts).size(PHONE))
    browser, who = hand.browser, ""
    for person, path, fields, button, place in steps:
        if person != who:
            browser.driver.delete_all_cookies()
            browser.open(town.url + "/login")
            hand.log_in(person, PASSWORDS[person])
            until(lambda: "/account" in browser.driver.current_url, 10)
            who = person
        browser.open(town.url + path)
        browser.js("localStorage.clear(); localStorage.setItem('draft 2 /elsewhere', '[]')")
        if path.endswith("/report"):
            time.sleep(WAIT)
        for name, text in fields.items():
            if name:
                hand.fill(name, text)
            else:
                hand.tap(text)
        browser.js("window.before = document.querySelector('main').firstChild")
        hand.tap(button)
        until(lambda: browser.js("return document.readyState === 'complete' && !window.before?.isConnected"), 10)
        time.sleep(SETTLED)
        found = browser.js(WHERE)
        row.check(not place or found == place, f"{button} at {path} with {fields} leads to {place}",
                  (found, browser.text[:300]))
    if scripts:
        left = browser.js("return Object.keys(localStorage)")
        row.check(not left, "who logs out leaves no draft behind", left)
    row.figures = f"{len(steps)} buttons"
    browser.stop()
    return row
