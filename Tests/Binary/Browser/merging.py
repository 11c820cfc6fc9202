"""Several people change the same thing at once: no field is lost, nothing is made twice, and typed text stays."""

import html
import random
import re
import threading
import time
from pathlib import Path
from signal import SIGKILL
from typing import Any

from town import OWNER, PASSWORDS, good
from browser import PHONE, Browser, until
from checks import Row
from forms import Client, Hand
from harness import Answer
from owners import PLACE, give_owner
from towns import Pages, demo_town

PATH = f"/account/businesses/{PLACE}"
TYPED = "250-555-0142"
FIELDS = ["name", "address", "phone", "email", "website", "description"]
LINE = "return document.getElementById('connection').textContent"
EVENT = {"name": "Kitchen Party", "day": "2027-02-06", "from": "8 pm", "to": "11 pm", "place": "the slack tide pub"}


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data")
    give_owner(town)
    owner = Client(town.url).log_in(OWNER, PASSWORDS[OWNER])
    rows = [two_windows(town, owner), interleavings(town, owner, 30 if short else 200), double_taps(town, owner)]
    hand = Hand(Browser().size(PHONE))
    hand.browser.open(town.url + PATH)
    hand.log_in(OWNER, PASSWORDS[OWNER])
    hand.browser.has("Are these details still correct?")
    return [*rows, answered(town, hand), killed(town, hand), meanwhile(town, hand)]


def stored(town: Pages) -> dict[str, str]:
    """The fields as the API has them."""
    place = good(town.ask("GET", f"/businesses/{PLACE}")).json()
    return {name: place[name] or "" for name in FIELDS}


def choices(answer: Answer, name: str) -> list[str]:
    """The texts among which a page lets one choose."""
    return [html.unescape(text) for text in re.findall(rf'type="radio" name="{name}" value="([^"]*)"',
                                                       answer.body.decode())]


def two_windows(town: Pages, owner: Client) -> Row:
    row = Row("two windows with one form")
    one, two = owner.form(PATH), owner.form(PATH)
    row.answered(owner.post(PATH, one | {"phone": "250-555-0111"}), 303, "the first")
    row.answered(owner.post(PATH, two | {"website": "https://two.example"}), 303, "another field in the second")
    now = stored(town)
    row.check((now["phone"], now["website"]) == ("250-555-0111", "https://two.example"), "both are saved", now)
    one, two = owner.form(PATH), owner.form(PATH)
    before = one["address"]
    row.answered(owner.post(PATH, one | {"address": "1 First St"}), 303, "the first")
    asked = row.answered(owner.post(PATH, two | {"address": "2 Second St", "phone": TYPED}), 409, "the same field")
    row.check(choices(asked, "address") == ["1 First St", "2 Second St", before], "three texts",
              choices(asked, "address"))
    row.check(stored(town)["address"] == "1 First St" and stored(town)["phone"] != TYPED, "nothing is saved yet")
    again = owner.fields(asked)
    row.check(again["phone"] == TYPED, "the other fields stay as they were typed", again)
    row.answered(owner.post(PATH, again | {"address": "2 Second St"}), 303, "a choice")
    now = stored(town)
    row.check((now["address"], now["phone"]) == ("2 Second St", TYPED), "it is saved with the rest", now)
    row.answered(owner.post(PATH, again | {"address": before}), 409, "who chooses later is asked again")
    return row


class Window:
    """One window with the form: what it showed, and what was typed."""

    def __init__(self, owner: Client) -> None:
        self.form = owner.form(PATH)
        self.typed: dict[str, str] = {}

    @property
    def before(self) -> dict[str, str]:
        return {name: self.form[f"was.{name}"] for name in FIELDS}


def interleavings(town: Pages, owner: Client, count: int) -> Row:
    """Three windows in a random order; a model says what must be stored, and when somebody must be asked."""
    row, dice, asked = Row("three windows in any order"), random.Random(11), 0
    model = stored(town)
    for round_number in range(count):
        windows: list[Window | None] = [None] * 3
        for step in range(dice.randrange(6, 14)):
            number = dice.randrange(3)
            window = windows[number] or Window(owner)
            windows[number] = window
            if not window.typed or dice.random() < 0.4:
                for name in dice.sample(FIELDS, dice.randrange(1, 4)):
                    window.typed[name] = text(name, f"{round_number}-{step}")
                continue
            asked += save(owner, window, model, dice, row)
            windows[number] = None
        now = stored(town)
        if not row.check(now == model, "no field is lost",
                         [(n, now[n], model[n]) for n in FIELDS if now[n] != model[n]]):
            model = now
    row.figures = f"{count} rounds, {asked} questions"
    row.check(asked > count / 2, "some were asked", asked)
    return row


def text(name: str, mark: str) -> str:
    return {"email": f"m{mark}@x.example", "website": f"https://x.example/{mark}"}.get(name, f"{name} {mark}")


def save(owner: Client, window: Window, model: dict[str, str], dice: random.Random, row: Row) -> int:
    """Sends what was typed, and chooses when asked; how often it was asked."""
    disputed = {name for name, mine in window.typed.items() if model[name] not in (window.before[name], mine)}
    answer = owner.post(PATH, window.form | window.typed)
    row.check(answer.status == (409 if disputed else 303), "it asks exactly when it must", (answer.status, disputed))
    chosen = dict(window.typed)
    if answer.status == 409:
        shown = {name for name in FIELDS if choices(answer, name)}
        row.check(shown == disputed, "it asks about what is disputed", (shown, disputed))
        chosen |= {name: dice.choice([window.typed[name], model[name], window.before[name]]) for name in disputed}
        answer = owner.post(PATH, owner.fields(answer) | {name: chosen[name] for name in disputed})
        row.check(answer.status == 303, "the choice is saved", answer)
    model |= chosen
    return int(bool(disputed))


def double_taps(town: Pages, owner: Client) -> Row:
    """One form that is sent several times makes one event, also when two are on their way at once."""
    row = Row("a double tap makes one event")
    kind = good(town.ask("GET", "/event-types")).json()["items"][0]["slug"]
    for number in range(6):
        form = owner.form("/account/new-event") | EVENT | {"type": kind, "name": f"Party {number}"}
        answers: list[Answer] = []
        threads = [threading.Thread(target=lambda: answers.append(owner.post("/account/new-event", form)))
                   for _ in range(3 if number % 2 else 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        answers.append(owner.post("/account/new-event", form))
        places = {(answer.status, answer.headers["Location"]) for answer in answers}
        row.check(places == {(303, f"/account/events/party-{number}?done=saved")}, "each leads to the same event",
                  places)
    names = [event["name"] for event in town.pages("/events") if event["name"].startswith("Party ")]
    row.check(sorted(names) == [f"Party {number}" for number in range(6)], "one event of each form", names)
    return row


def value(hand: Hand, name: str = "phone") -> Any:
    return hand.browser.js("return document.querySelector(`main [name='${arguments[0]}']`)?.value", name)


def answered(town: Pages, hand: Hand) -> Row:
    """What could not be accepted stays while others change things, also when a log-in is on the way."""
    row, phone = Row("what could not be accepted stays"), hand.browser
    phone.open(town.url + PATH)
    hand.fill("location", "over there")
    hand.tap("Save")
    row.check(phone.has("Nothing is saved yet"), "it says what is wrong", phone.text)
    until(lambda: town.metric("sooke_feed_subscribers") >= 1, 10)
    town.change(f"/businesses/{PLACE}", name="The Next Tide")
    row.check(until(lambda: phone.one("h1").text == "The Next Tide", 5), "the page goes on to follow", phone.text)
    row.check(value(hand, "location") == "over there" and "Nothing is saved yet" in phone.text, "what was typed stays",
              (value(hand, "location"), phone.text))
    phone.driver.delete_all_cookies()
    hand.tap("Save")
    row.check(phone.has("You were logged out while you typed"), "who is logged out is told", phone.text)
    hand.log_in(OWNER, PASSWORDS[OWNER])
    row.check(phone.has("Nothing is saved yet"), "after the log-in it says what is wrong", phone.text)
    row.check(value(hand, "location") == "over there", "with what was typed", value(hand, "location"))
    hand.fill("location", "48.3743, -123.7254")
    hand.tap("Save")
    row.check(phone.has("Saved."), "and can be mended", phone.text)
    phone.open(f"{town.url}{PATH}/hours")
    hand.fill("sat", "6:05 am - 7:10 am")
    row.check(until(lambda: "6:05 – 7:10 am" in phone.one("#look").text, 5), "how people will see it",
              phone.one("#look").text)
    phone.js("document.activeElement.blur()")
    town.change(f"/businesses/{PLACE}", name="The Third Tide")
    until(lambda: "The Third Tide" in phone.text, 5)
    row.check("6:05 – 7:10 am" in phone.one("#look").text, "also after a change of another one",
              phone.one("#look").text)
    phone.refused()
    return row


def killed(town: Pages, hand: Hand) -> Row:
    """The server is killed between typing and saving."""
    row, phone = Row("a server that is killed while somebody types"), hand.browser
    phone.open(town.url + PATH)
    hand.fill("phone", TYPED + "1")
    town.stop(SIGKILL)
    hand.tap("Save")
    row.check(until(lambda: "No connection" in phone.js(LINE), 10), "it says that there is no connection",
              phone.js(LINE))
    row.check(value(hand) == TYPED + "1", "what was typed is there", value(hand))
    town.start()
    hand.tap("Save")
    row.check(phone.has("Saved."), "it can be sent after the restart", phone.text)
    row.check(stored(town)["phone"] == TYPED + "1", "and is stored")
    row.check(value(hand) == TYPED + "1", "the form shows it", value(hand))
    hand.fill("phone", TYPED + "2")
    town.stop(SIGKILL)
    hand.tap("Save")
    until(lambda: "No connection" in phone.js(LINE), 10)
    town.start()
    phone.open(town.url + PATH)
    row.check(until(lambda: value(hand) == TYPED + "2", 5), "after a reload what was typed is there again", value(hand))
    until(lambda: town.metric("sooke_feed_subscribers") >= 1, 10)
    time.sleep(1)
    row.check("What you typed before is here again." in phone.text, "and it says so, also when the feed has begun",
              phone.text)
    hand.tap("Save")
    row.check(phone.has("Saved.") and stored(town)["phone"] == TYPED + "2", "it is saved then", phone.text)
    phone.open(town.url + PATH)
    row.check(value(hand) == TYPED + "2" and "here again" not in phone.text, "no draft is left", phone.text)
    phone.refused()
    return row


def meanwhile(town: Pages, hand: Hand) -> Row:
    """What somebody else does to the record while its form is open is said at once, and what was typed stays."""
    row, phone = Row("a record that is renamed or removed meanwhile"), hand.browser
    phone.open(town.url + PATH)
    until(lambda: town.metric("sooke_feed_subscribers") >= 1, 10)
    hand.fill("phone", TYPED)
    town.change(f"/businesses/{PLACE}", name="The Other Tide")
    row.check(until(lambda: phone.one("h1").text == "The Other Tide", 5), "its heading has the new name",
              phone.one("h1").text)
    row.check(value(hand) == TYPED, "what was typed stays", value(hand))
    town.change(f"/businesses/{PLACE}", slug="the-other-tide")
    row.check(until(lambda: phone.every("main a[href='/businesses/the-other-tide']"), 5),
              "its links have the new address")
    row.check(value(hand) == TYPED, "what was typed stays again", value(hand))
    hand.tap("Save")
    row.check(phone.has("Saved.") and "other-tide" in phone.driver.current_url, "it is saved under the new address",
              phone.text)
    now = good(town.ask("GET", "/businesses/the-other-tide")).json()
    row.check((now["name"], now["phone"]) == ("The Other Tide", TYPED), "the API has both", now)
    hand.fill("phone", TYPED + "9")
    good(town.ask("DELETE", "/businesses/the-other-tide", token=town.admin), 204)
    row.check(until(lambda: "removed" in phone.js(LINE), 5), "the page says that it was removed", phone.js(LINE))
    row.check(value(hand) == TYPED + "9", "what was typed is still there", value(hand))
    hand.tap("Save")
    row.check(phone.has("is not here") or phone.has("is gone", 1), "sending says that it is gone", phone.text)
    row.check(TYPED + "9" in phone.text, "and shows what was typed", phone.text)
    return row
