"""A resident with a phone finds what people look for, with scripts and without."""

from pathlib import Path

from browser import PHONE, Browser, until
from checks import Row
from towns import Pages, demo_town

NAMES = "return [...document.querySelectorAll('.row .name')].map(n => n.textContent)"


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data")
    return [visit(town, scripts) for scripts in (True, False)]


def visit(town: Pages, scripts: bool) -> Row:
    row = Row(f"a resident with a phone, {'with' if scripts else 'without'} scripts")
    phone = Browser(scripts).size(PHONE)
    search(phone, town, row, scripts)
    there_and_back(phone, row)
    saturday(phone, town, row)
    row.check(not phone.refused(), "nothing is refused", phone.refused())
    phone.stop()
    return row


def search(phone: Browser, town: Pages, row: Row, scripts: bool) -> None:
    """Finds what is open by a word with a typo, and a phone number."""
    phone.open(town.url + "/")
    row.check("Friday" in phone.one("h1").text and "places are open" in phone.text, "it says what is open", phone.text)
    box = phone.one("#q")
    box.send_keys("chouder")
    box.submit()
    row.check(phone.has("for “chouder”"), "a search has its words in the heading of the list", phone.text)
    hidden = phone.js("return document.querySelector('[data-near]')?.hidden")
    row.check(hidden != scripts, "scripts run only where they should")
    phone.one("input[name=open]").find_element("xpath", "..").click()
    if not scripts:
        phone.one("#filter button").click()
    row.check(phone.has("1 place for “chouder” is open now."), "it finds chowder by chouder", phone.text)
    row.check("q=chouder" in phone.driver.current_url and "open=1" in phone.driver.current_url,
              "the address has the search", phone.driver.current_url)
    row.check(phone.one(".row mark").text == "Chowder", "what was found is marked", phone.text)
    found = phone.driver.current_url
    phone.one(".row").click()
    row.check(phone.has("Mile 23 Diner") and "Open until 8 pm" in phone.text, "the page of the business", phone.text)
    number = phone.one("a[href^='tel:']")
    row.check(number.get_attribute("href") == "tel:2505550103" and number.text.split() == ["250-555-0103", "Call"],
              "its phone number")
    phone.driver.back()
    row.check(phone.has("1 place for “chouder” is open now.") and phone.driver.current_url == found,
              "back to what was found", phone.driver.current_url)


def there_and_back(phone: Browser, row: Row) -> None:
    """A long list is where it was when one comes back to it."""
    phone.one(".tabs a[href='/businesses']").click()
    row.check(phone.has("page 1 of"), "the list of all", phone.text)
    phone.js("scrollTo(0, 700)")
    seen = phone.js(NAMES)
    middle = next(link for link in phone.every(".row")
                  if phone.js("return arguments[0].getBoundingClientRect().top > 300", link))
    name = middle.find_element("css selector", ".name").text
    middle.click()
    row.check(until(lambda: phone.one("h1").text == name, 5), f"the page of {name}", phone.text)
    phone.driver.back()
    row.check(phone.has("page 1 of"), "back to the list", phone.text)
    row.check(until(lambda: abs(phone.js("return scrollY") - 700) < 3, 5), "it is scrolled as it was",
              phone.js("return scrollY"))
    row.check(phone.js(NAMES) == seen, "it has the same rows")


def saturday(phone: Browser, town: Pages, row: Row) -> None:
    """What is on on Saturday, and one of it for the calendar of the phone."""
    phone.one(".tabs a[href='/events']").click()
    row.check(phone.has("Events"), "the events", phone.text)
    phone.one(".chip[href*='when=weekend']").click()
    row.check(phone.has("Tomorrow Saturday 9 January") and "Winter Birds of Whiffin Spit" in phone.text,
              "Saturday's events", phone.text)
    shown = phone.driver.current_url
    phone.one(".row[href='/events/winter-birds-of-whiffin-spit']").click()
    row.check(phone.has("Saturday 9 January, 9:30 am – noon"), "its page says when it is", phone.text)
    answer = town.get(phone.one("a[href$='.ics']").get_attribute("href").removeprefix(town.url))
    row.check(answer.headers["Content-Type"].startswith("text/calendar")
              and b"SUMMARY:Winter Birds of Whiffin Spit" in answer.body, "the file for a calendar", answer)
    phone.driver.back()
    row.check(phone.has("Tomorrow Saturday 9 January") and phone.driver.current_url == shown, "back to Saturday")
