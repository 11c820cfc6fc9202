"""Where the focus is after each button: on what was changed or on what is wrong, and never lost."""

import time
from pathlib import Path

from town import ADMIN, OWNER, PASSWORDS
from browser import PHONE, Browser, until
from checks import Row
from forms import Hand
from owners import PLACE, give_owner
from senders import WAIT
from towns import Pages, demo_town

HALL = f"/account/businesses/{PLACE}"
WHERE = """const e = document.activeElement;
return e.id === 'look' ? '#look' : e.id ? '#' + e.id : e.className ? '.' + e.className.split(' ')[0] : e.tagName.toLowerCase();"""
SETTLED = 0.25  # seconds in which the feed may have the page shown again
# Who, where, the fields, the button, and where the focus is then; nothing where it is the browser's to say.
Step = tuple[str, str, dict[str, str], str, str]
STEPS: list[Step] = [
    ("", "/login", {"login-email": OWNER, "login-password": "wrong"}, "Log in", ".summary"),
    ("", f"/businesses/{PLACE}/report", {"message": "Nobody answers."}, "Send", "p"),
    ("", "/new-event", {"name": "Songs"}, "Preview", "#look"),
    ("", "/new-event", {"name": "Songs"}, "Send", ".summary"),
    (OWNER, f"{HALL}/hours", {"all": "9-5"}, "Set", ".summary"),
    (OWNER, f"{HALL}/hours", {"all": "9-5", "days": "wed"}, "Set", "#wed"),
    (OWNER, f"{HALL}/hours", {"sat": "9-5"}, "Preview", "#look"),
    (OWNER, f"{HALL}/hours", {"sat": "7-11"}, "Preview", ".summary"),
    (OWNER, f"{HALL}/hours", {"sat": "7-11"}, "Save hours", ".summary"),
    (OWNER, f"{HALL}/hours", {"sat": "9-5"}, "Save hours", ".echo"),
    (OWNER, HALL, {"phone": "250-555-0177"}, "Save", ".echo"),
    (OWNER, HALL, {}, "Yes, all correct", ".echo"),
    (OWNER, f"{HALL}/menus", {"name": "Lunch", "items": "Chowder"}, "Save menus", ".summary"),
    (OWNER, "/account/password", {"password": "wrong", "new_password": "x"}, "Change it", ".summary"),
    (ADMIN, "/admin/people", {"email": OWNER}, "Make an invitation", ".summary"),
    (ADMIN, "/admin/people", {"email": "una@town.example"}, "Make an invitation", ".card"),
    (ADMIN, "/admin/people/3", {}, "Make a link for a new password", ".card"),
    (ADMIN, "/admin/people/3", {}, "End all sessions", ".echo"),
    (ADMIN, "/admin/people/3/delete", {}, "Remove the account", ".echo"),
    (ADMIN, "/admin/categories", {"event_type": "Kelp"}, "Add", ".echo"),
    (ADMIN, "/admin/categories/restaurants", {}, "Delete it", ".summary"),
    (ADMIN, "/account/events/indoor-winter-market", {"from": "7-11"}, "Preview", "#look"),
    (ADMIN, "/account/events/indoor-winter-market/cancel", {}, "Cancel the event", ".echo"),
    (ADMIN, "/account/waiting", {}, "Publish", ".echo"),
    (ADMIN, "/account/waiting", {"": "Dismiss…", "reason": "Somebody does."}, "Reject", "h1"),
    (ADMIN, f"/admin/businesses/{PLACE}", {}, "Delete it", "p"),
    (ADMIN, "/account", {}, "Log out", ""),
]


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data")
    give_owner(town)
    # Without scripts the browser has the focus where a page begins, unless the page says more.
    return [buttons(town, False, [step for step in STEPS if step[1].endswith("/hours")]), buttons(town, True, STEPS)]


def buttons(town: Pages, scripts: bool, steps: list[Step]) -> Row:
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
            if not name:
                hand.tap(text)
            elif name == "days":
                browser.js("document.querySelector(`[name=days][value=${arguments[0]}]`).closest('label').click()", text)
            else:
                hand.fill(name, text)
        browser.js("window.before = document.querySelector('main').firstChild")
        hand.tap(button)
        until(lambda: browser.js("return document.readyState === 'complete' && !window.before?.isConnected"), 10)
        time.sleep(SETTLED)
        found = browser.js(WHERE)
        row.check(not place or found == place, f"{button} at {path} with {fields} leads to {place}", (found, browser.text[:300]))
    if scripts:
        left = browser.js("return Object.keys(localStorage)")
        row.check(not left, "who logs out leaves no draft behind", left)
    row.figures = f"{len(steps)} buttons"
    browser.stop()
    return row
