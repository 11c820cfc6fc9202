"""Holidays on a phone, and the clock in the heading, which goes by the server's offset."""

from pathlib import Path

import shots
from browser import PHONE, Browser, until
from checks import Row
from towns import Pages, town_of

HOURS = ["Mo-Su 09:00-21:00", "Mo-Su 09:00-21:00; PH off", "24/7", "Mo-Su 17:00-02:00; PH 10:00-15:00"]
TOWN = {"settings": [{"id": 1, "name": "Sooke", "time_zone": "America/Vancouver", "holidays": "CA-BC"}],
        "categories": [{"id": 1, "name": "All", "slug": "all"}],
        "businesses": [{"id": n, "name": f"B{n}", "slug": f"b{n}", "category": "all", "address": "1 A St",
                        "latitude": 48.37, "longitude": -123.7, "opening_hours": hours}
                       for n, hours in enumerate(HOURS, 1)]}
UNSURE = "not confirmed for Christmas Day"
# A time, and what the list then says of each place.
MOMENTS = [
    ("2026-12-24T22:00:00-08:00", [f"usually opens tomorrow 9 am · {UNSURE}", "closed, opens Sat 9 am", "open",
                                   "open until 2 am"]),
    ("2026-12-25T14:04:00-08:00", [f"usually until 9 pm · {UNSURE}", "closed, opens Sat 9 am", "open", "closes 3 pm"]),
    ("2026-12-26T10:00:00-08:00", ["open until 9 pm", "open until 9 pm", "open", "closed, opens 5 pm"])]
STATES = "return [...document.querySelectorAll('main li[data-key^=b] .state')].map(e => e.textContent)"
# Of what is not confirmed: how much there is, how much in another colour, and how much beyond the screen.
LOOK = """const states = [...document.querySelectorAll('.state.unconfirmed, .week .special td')];
const soon = Object.assign(document.createElement('i'), {style: 'color: var(--soon)'});
document.body.append(soon);
const wanted = getComputedStyle(soon).color;
soon.remove();
return [states.length, states.filter(e => getComputedStyle(e).color !== wanted).length,
  states.filter(e => e.getBoundingClientRect().right > innerWidth).length + document.documentElement.scrollWidth];"""
# A browser with other rules for the zone than the server's, an hour ahead.
OTHER_ZONE = """for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
  const original = Date.prototype[name];
  Date.prototype[name] = function (locale, options) {
    const other = options?.timeZone === 'America/Vancouver' ? {...options, timeZone: 'America/Denver'} : options;
    return original.call(this, locale, other);
  };
}"""
# A time, what the heading says then, and what it says some seconds later.
EDGES = [("2027-03-14T09:59:55Z", "Sunday 1:59 am", "Sunday 3 am"),
         ("2026-12-25T07:59:55Z", "Thursday 11:59 pm", "Friday midnight · Christmas Day")]


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = town_of(binary, folder / "data", TOWN)
    return [seen(town), ticking(town)]


def seen(town: Pages) -> Row:
    """What a phone shows, in the colour of what closes soon where it is not confirmed, and nothing is wider than it."""
    row, count = Row("holidays on a phone"), 0
    browsers = [Browser().size(PHONE), Browser(scripts=False).size(PHONE, dark=True)]
    for moment, wanted in MOMENTS:
        town.stop()
        town.start("--now", moment)
        for number, browser in enumerate(browsers):
            for path, states in (("/businesses", wanted), ("/businesses/b1", None)):
                browser.open(town.url + path)
                found = browser.js(STATES)
                row.check(states in (None, found), f"{path} at {moment}", found)
                unconfirmed, other_colour, width = browser.js(LOOK)
                row.check(other_colour == 0 and width <= PHONE, f"{path} at {moment}: its look", (other_colour, width))
                count += unconfirmed
            shots.take(browser, f"holiday-{moment[:13]}-{number}")
            browser.size(PHONE, dark=number == 1)
    row.check(count > 0, "some are not confirmed")
    row.figures = f"{count} unconfirmed times"
    for browser in browsers:
        browser.stop()
    return row


def ticking(town: Pages) -> Row:
    """An open page goes over midnight and a change of the clocks as the server does, not as the browser believes."""
    row, browser = Row("the clock in the heading"), Browser()
    browser.command("Page.addScriptToEvaluateOnNewDocument", source=OTHER_ZONE)
    browser.command("Emulation.setTimezoneOverride", timezoneId="Asia/Tokyo")
    heading = lambda: browser.js("return document.querySelector('h1')?.textContent ?? ''")  # noqa: E731
    for moment, before, after in EDGES:
        town.stop()
        town.start("--now", moment, "--now-ticks")
        browser.open(town.url)
        row.check(heading() == f"Sooke, {before}", "before it ticks", heading())
        browser.js("document.querySelector('[data-clock]').textContent = ''")
        row.check(until(lambda: heading() == f"Sooke, {before}", 3), "it ticks by the server's offset", heading())
        row.check(until(lambda: heading() == f"Sooke, {after}", 12), f"then {after}", heading())
    browser.stop()
    return row
