"""A stranger sends an event and corrects it by its reference, before and after the decision, and withdraws."""

import re
import time
from pathlib import Path

from browser import PHONE, Browser, until
from checks import Row
from forms import WAIT, Hand
from town import good
from towns import FRIDAY, Pages, demo_town

SECRET = re.compile(r"sooke_ref_[A-Za-z0-9_-]{43}")


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data")
    return [corrected(town, True), corrected(town, False), unlogged(binary, folder / "logged")]


def shown(town: Pages, page: str) -> str:
    return town.get(page).body.decode().replace("\u00a0", " ")


def corrected(town: Pages, scripts: bool) -> Row:
    """By what the screen of a phone says."""
    row = Row(f"an event by its reference, {'with' if scripts else 'without'} scripts")
    hand, name = Hand(Browser(scripts).size(PHONE)), "Whistle Night" if scripts else "Fiddle Night"
    phone = hand.browser

    def send(**fields: str) -> str:
        """Fills in the form that is shown, and sends it; the number of its reference."""
        until(lambda: phone.every("#name"), 10)
        time.sleep(WAIT)
        for field, text in fields.items():
            hand.fill(field, text)
        hand.tap("Send")
        row.check(phone.has("Thank you"), f"{fields} is sent", phone.text)
        row.check(phone.js("return document.documentElement.scrollWidth") <= PHONE, "the reference fits", phone.text)
        return (re.findall(r"Reference (\d+)", phone.text) or [""])[0]

    def decide(number: str, how: str = "accept") -> None:
        proposals = {str(one["id"]): one for one in town.pages("/proposals", town.admin)}
        row.check(number in proposals, f"reference {number} waits", list(proposals))
        good(town.ask("POST", f"/proposals/{number}/{how}", {"version": proposals[number]["version"]}, town.admin))

    phone.open(town.url + "/new-event")
    number = send(name=name, day="2027-02-05", **{"from": "8 pm"}, type="live-music", email="mia@home.example")
    link = phone.one("#made").get_attribute("value") or ""
    row.check(bool(SECRET.search(link)) and phone.driver.current_url.startswith(link), "its link is shown", link)
    row.check("mia@home.example" not in phone.driver.page_source, "the address of the sender is not")
    if scripts:
        row.check(phone.has("Copy"), "the link can be copied", phone.text)
        row.check(phone.js("return localStorage.length") == 0, "the device keeps nothing",
                  phone.js("return JSON.stringify(localStorage)"))
    hand.tap("Correct it")
    row.check(send(**{"from": "9 pm"}) == number and phone.has("9 pm"), "a correction takes its place", phone.text)
    decide(number)
    page = f"/events/{name.lower().replace(' ', '-')}"
    row.check("9 pm" in shown(town, page), "what was corrected is published")
    phone.open(link)
    row.check(phone.has("Published"), "the sender sees it", phone.text)
    hand.tap("Correct it")
    second = send(**{"from": "10 pm"})
    row.check(int(second) > int(number) and phone.has("10 pm"), "a later correction is a new one", phone.text)
    row.check("10 pm" not in shown(town, page), "and what is published stays")
    decide(second)
    row.check("10 pm" in shown(town, page), "until it is accepted")
    phone.open(link)
    hand.tap("Correct it")
    send(**{"from": "11 pm"})
    hand.tap("Withdraw…")
    hand.tap("Withdraw it")
    row.check(phone.has("Withdrawn"), "it is withdrawn", phone.text)
    row.check("10 pm" in shown(town, page), "and the event stays as it was")
    if scripts:
        row.check(not phone.refused(), "nothing is refused", phone.refused())
        row.check(not SECRET.search(phone.js("return JSON.stringify(localStorage)")), "no draft has the link")
    phone.stop()
    return row


def unlogged(binary: Path, data: Path) -> Row:
    """What the server prints has no secret of a link."""
    row, town = Row("the link of a reference in the log"), Pages(binary, data)
    town.start("--now", FRIDAY, "--log", "text")
    path = f"/reference/sooke_ref_{'a' * 43}"
    for target in (path, path.replace("_", "%5F"), f"{path}/correction", f"/x{path}?next={path}"):
        row.check(town.get(target).status == 404, f"{target} is nothing")
    until(lambda: town.server.said.count("sooke_ref_***") > 1, 5)
    row.check("reference/" in town.server.said and "aaaa" not in town.server.said, "no secret", town.server.said)
    town.stop()
    return row
