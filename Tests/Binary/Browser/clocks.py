"""Holidays on a phone, and the clock in the heading, which goes by the server's offset."""

import datetime
import json
import random
from pathlib import Path
from typing import Any

import shots
from browser import PHONE, Browser, until
from checks import Row
from towns import Pages

import holidays
from hours import DAY

# The window of the oracle, the minute in it, and a name for pictures.
MOMENTS = [(0, 2 * DAY + 14 * 60 + 4, "afternoon"), (0, DAY + 22 * 60, "eve"), (0, 3 * DAY + 60, "night"),
           (1, DAY + 720, "july"), (0, DAY + 720, "before"), (0, 2 * DAY - 1, "minute"), (0, 2 * DAY, "midnight"), (0, 2 * DAY + 60, "early"),
           (0, 2 * DAY + 8 * 60 + 30, "morning"), (0, 2 * DAY + 23 * 60, "late"), (0, 3 * DAY + 3 * 60, "after"),
           (1, 2 * DAY + 60, "second")]
ROWS = """return [...document.querySelectorAll('main li[data-key^=b]')].map(row => [row.querySelector('.name').textContent,
  row.querySelector('.state').className.replace(/^state | n$/g, ''), row.querySelector('.state').textContent]);"""
LOOK = """const states = [...document.querySelectorAll('.state.unconfirmed, .week .special td')];
const soon = Object.assign(document.createElement('i'), {style: 'color: var(--soon)'});
document.body.append(soon);
const wanted = getComputedStyle(soon).color;
soon.remove();
return [states.length, states.filter(e => getComputedStyle(e).color !== wanted).length,
  states.filter(e => e.getBoundingClientRect().right > innerWidth).length, document.documentElement.scrollWidth];"""
# A browser with other rules for the zone than the server's, an hour ahead.
OTHER_ZONE = """for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
  const original = Date.prototype[name];
  Date.prototype[name] = function (locale, options) {
    const other = options?.timeZone === 'America/Vancouver' ? {...options, timeZone: 'America/Denver'} : options;
    return original.call(this, locale, other);
  };
}"""


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    records = holidays.town(random.Random(7), short=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "holidays.json").write_text(json.dumps(records))
    town = Pages(binary, folder / "data").start("--now", "2026-12-20T12:00:00-08:00")
    town.take(folder / "holidays.json", settings=True)
    windows = [holidays.Window(first, records["businesses"]) for first, _ in holidays.WINDOWS]
    return [seen(town, windows, MOMENTS[:4] if short else MOMENTS), ticking(town, windows[0], short)]


def start(town: Pages, stamp: int, *options: str) -> None:
    town.stop()
    at = datetime.datetime.fromtimestamp(stamp, datetime.timezone.utc)
    town.start("--now", at.strftime("%Y-%m-%dT%H:%M:%SZ"), *options)


def seen(town: Pages, windows: list[Any], moments: list[tuple[int, int, str]]) -> Row:
    """What a phone shows is what the oracle says, in the colour of what closes soon, and nothing is wider than it."""
    row = Row("holidays on a phone")
    browsers, count = {"scripts": Browser(), "none": Browser(scripts=False)}, 0
    for index, now, name in moments:
        window = windows[index]
        moment = holidays.Moment(window, now)
        start(town, window.timestamp(now))
        sure, usual, _ = moment.open()
        place = (usual or sure)[0]
        for scripts, browser in browsers.items():
            browser.size(PHONE, dark=scripts == "none")
            for path, wanted in (("/", [moment.row(other) for other in (sure + usual)[:8]]),
                                 ("/businesses", [moment.row(other) for other in window.places[:20]]),
                                 (f"/businesses/{place.slug}", [])):
                browser.open(town.url + path)
                at = f"{path} at {name}, scripts {scripts}"
                found = [tuple(each) for each in browser.js(ROWS)]
                row.check(found == wanted, at, list(zip(found, wanted)))
                number, other_colour, outside, width = browser.js(LOOK)
                row.check((other_colour, outside) == (0, 0) and width <= PHONE, f"{at}: its look",
                          (other_colour, outside, width))
                count += number
                if not wanted:
                    row.check(place.state(now)[2] in browser.text, f"{at}: the sentence", browser.text[:200])
                if shots.folder:
                    page = path.strip("/").replace("/", "-") or "home"
                    browser.shot(shots.folder / f"holiday-{name}-{scripts}-{page}.png")
    row.check(count > 0, "some are not confirmed")
    for browser in browsers.values():
        browser.stop()
    row.figures = f"{count} unconfirmed times at {len(moments)} moments"
    return row


def ticking(town: Pages, window: Any, short: bool) -> Row:
    """An open page goes over midnight and over a change of the clocks as the server does, not as the browser believes."""
    row, browser = Row("the clock in the heading"), Browser()
    browser.command("Page.addScriptToEvaluateOnNewDocument", source=OTHER_ZONE)
    browser.command("Emulation.setTimezoneOverride", timezoneId="Asia/Tokyo")
    heading = lambda: browser.js("return document.querySelector('h1')?.textContent ?? ''")  # noqa: E731
    change = datetime.datetime(2027, 3, 14, 10, tzinfo=datetime.timezone.utc)
    edges = [(int(change.timestamp()), "Sunday 1:59 am", "Sunday 3 am"),
             (window.timestamp(2 * DAY), "Thursday 11:59 pm", "Friday midnight · Christmas Day")]
    for edge, before, after in edges[:1] if short else edges:
        start(town, edge - 8, "--now-ticks")
        browser.open(town.url)
        row.check(heading() == f"Sooke, {before}", "before it ticks", heading())
        browser.js("document.querySelector('[data-clock]').textContent = ''")
        row.check(until(lambda: heading() == f"Sooke, {before}", 3), "it ticks by the server's offset", heading())
        row.check(until(lambda: heading() == f"Sooke, {after}", 12), f"then {after}", heading())
    browser.stop()
    return row
