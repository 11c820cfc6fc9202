"""What is undone by a tap, at once and later, and what is removed for good."""

from pathlib import Path

from town import ADMIN, OWNER, PASSWORDS
from browser import PHONE, Browser, until
from checks import Row
from forms import Hand
from towns import HALL, PLACE, Pages, demo_town

EVENT = "indoor-winter-market"
SECRET = "Kelp Symposium"


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    rows = []
    for scripts in (True, False):
        town = demo_town(binary, folder / f"data-{scripts}")
        rows += [by_a_tap(town, scripts), later(town, scripts), for_good(town, scripts)]
        town.stop()
    return rows


def hand_of(town: Pages, email: str, scripts: bool, path: str) -> Hand:
    hand = Hand(Browser(scripts).size(PHONE))
    hand.browser.open(town.url + path)
    hand.log_in(email, PASSWORDS[email])
    until(lambda: hand.browser.driver.current_url == town.url + path, 10)
    hand.browser.open(town.url + path)
    return hand


def named(what: str, scripts: bool) -> Row:
    return Row(f"{what}, {'with' if scripts else 'without'} scripts")


def status(town: Pages) -> str:
    return str(town.ask("GET", f"/events/{EVENT}").json()["status"])


def by_a_tap(town: Pages, scripts: bool) -> Row:
    """An event is cancelled, and brought back on the page that follows."""
    row, hand = named("an event cancelled and brought back", scripts), hand_of(
        town, ADMIN, scripts, f"/account/events/{EVENT}")
    phone = hand.browser
    hand.tap("Cancel all its dates")
    row.check(phone.has("Cancelled."), "it says so", phone.text)
    row.check("until about" in phone.text, "and until when it can be undone", phone.text)
    row.check(status(town) == "cancelled", "everybody sees it", status(town))
    hand.tap("Undo")
    row.check(phone.has("Undone."), "it is undone", phone.text)
    row.check(status(town) == "approved", "everybody sees that too", status(town))
    row.check(not phone.refused(), "nothing is refused", phone.refused())
    phone.stop()
    return row


def later(town: Pages, scripts: bool) -> Row:
    """What an administrator did is found and undone by the owner of the place, and by an administrator."""
    row, before = named("what somebody else did, found and undone", scripts), town.place()["phone"]
    for email, path in [(OWNER, f"{HALL}/changes"), (ADMIN, "/admin/changes")]:
        town.change(f"/businesses/{PLACE}", phone="250-555-0142")
        hand = hand_of(town, email, scripts, path)
        row.check(hand.browser.has("250-555-0142"), "what changed is there", hand.browser.text)
        hand.browser.one("main form[action^='/undo/'] button").click()
        row.check(hand.browser.has("Undone."), "it is undone", hand.browser.text)
        row.check(town.place()["phone"] == before, "it is as it was", town.place()["phone"])
        hand.browser.stop()
    return row


def for_good(town: Pages, scripts: bool) -> Row:
    """What was deleted is restored, deleted again and removed for good: it is on no page, and in no history."""
    row = named("what is removed for good", scripts)
    made = town.ask("POST", "/businesses", {"name": SECRET, "address": "1 Secret Road", "latitude": 48.37,
                                            "longitude": -123.72, "category": "restaurants"}, town.admin).json()
    hand = hand_of(town, ADMIN, scripts, f"/admin/businesses/{made['slug']}")
    phone = hand.browser
    hand.tap("Delete this place")
    row.check(phone.has("Deleted."), "it is deleted", phone.text)
    phone.open(town.url + "/admin/trash")
    hand.tap("Restore")
    row.check(phone.has("Undone.") and town.get(f"/businesses/{made['slug']}").status == 200, "it is restored")
    phone.open(f"{town.url}/admin/businesses/{made['slug']}")
    hand.tap("Delete this place")
    phone.has("Deleted.")
    phone.open(town.url + "/admin/trash")
    hand.tap("Remove for good")
    row.check(phone.has("Type its name"), "its name is asked for", phone.text)
    hand.fill("name", SECRET)
    hand.tap("Remove for good")
    row.check(phone.has("Removed."), "it is removed", phone.text)
    paths = {"/", "/businesses", "/events", "/week", "/admin/changes", "/admin/trash", "/admin/businesses", "/account"}
    for start in sorted(paths):
        phone.open(town.url + start)
        paths |= set(phone.js("return [...document.querySelectorAll('main a[href^=\"/\"]')].map(a => a.pathname)"))
    shown = sorted(paths)[:60]
    for path in shown:
        phone.open(town.url + path)
        row.check(SECRET not in phone.driver.page_source and "1 Secret Road" not in phone.driver.page_source,
                  f"nothing of it at {path}")
    answer = town.ask("GET", f"/history?of=businesses/{made['id']}", None, town.admin)
    row.check(answer.status == 404 and SECRET.encode() not in answer.body, "nothing of it in the history", answer.body)
    row.figures = f"{len(shown)} addresses"
    phone.stop()
    return row
