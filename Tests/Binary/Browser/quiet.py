"""What pages cost while nothing happens, and that they change by the clock."""

import time
from email.utils import parsedate_to_datetime
from pathlib import Path

from browser import Browser, until
from checks import Row
from towns import Pages, demo_town

PUB = "/businesses/the-slack-tide-pub"
# When the page says that it is open, by the clock of the machine.
WATCH = """window.opened = 0;
new MutationObserver(() => { if (document.body.textContent.includes('Open until 1 am')) opened ||= Date.now(); })
  .observe(document.body, {subtree: true, childList: true, characterData: true});"""


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    rows = [opening(binary, folder / "clock")]
    town = demo_town(binary, folder / "data")
    return [*rows, tabs(town), hidden(town, 5 if short else 60)]


def opening(binary: Path, folder: Path) -> Row:
    """The pub opens at 4 pm; a page says so within two seconds, one that was left and one in the cache as well."""
    row = Row("an opening is shown when it is due")
    watching, left = Browser(), Browser()
    town = demo_town(binary, folder, "2027-01-08T15:59:48-08:00")
    watching.open(town.url + PUB)
    watching.js(WATCH)
    row.check("Opens at 4 pm" in watching.text, "it is closed before", watching.text[:200])
    left.open(town.url + PUB)
    left.open(town.url + "/week")
    due = when(town, "16:00:00")
    until(lambda: time.time() >= due, 60)
    row.check(until(lambda: b"Open until 1 am" in town.get(PUB).body, 0.5), "a cached response is not older")
    back = time.time()
    left.driver.back()
    row.check(until(lambda: "Open until 1 am" in left.text, 10), "a page that one comes back to shows it", left.text[:200])
    late = [time.time() - back]
    row.check(until(lambda: watching.js("return opened"), 10), "a page that is open shows it", watching.text[:200])
    late.append(watching.js("return opened") / 1000 - due)
    row.check(max(late) < 2.5, "within two seconds, and a half for a busy machine", late)
    row.figures = f"after {late[1]:.1f} s, on a page that one comes back to after {late[0]:.1f} s"
    watching.stop()
    left.stop()
    return row


def when(town: Pages, clock: str) -> float:
    """When the server's clock has a time, by that of the machine: a second of it begins when its header changes."""
    def now() -> str:
        return town.get("/live").headers["Date"]

    first = now()
    until(lambda: now() != first, 2)
    began = time.time()
    local = parsedate_to_datetime(now()).timestamp() - 8 * 3600
    hours, minutes, seconds = map(int, clock.split(":"))
    return began + hours * 3600 + minutes * 60 + seconds - local % 86_400


def tabs(town: Pages) -> Row:
    """Nine tabs of one browser follow by at most two streams, and each shows its page."""
    row = Row("nine tabs of one browser")
    browser = Browser()
    for number in range(9):
        if number:
            browser.driver.switch_to.new_window("tab")
        browser.open(town.url + ["/", "/businesses", "/events"][number % 3])
        row.check(browser.one("h1").text != "", f"tab {number} shows its page")
    until(lambda: town.metric("sooke_feed_subscribers") <= 2, 10)
    time.sleep(1)
    streams = town.metric("sooke_feed_subscribers")
    row.check(1 <= streams <= 2, "they hold at most two streams", streams)
    row.figures = f"{streams:.0f} stream"
    town.change(PUB, name="The Slack Tide")
    browser.driver.switch_to.window(browser.driver.window_handles[1])
    row.check(until(lambda: town.metric("sooke_feed_subscribers") <= 2, 10), "also after a change of the tab")
    browser.stop()
    return row


def hidden(town: Pages, seconds: int) -> Row:
    """A tab behind another one never asks for anything."""
    row = Row("a hidden tab")
    browser = Browser()
    browser.open(town.url + "/")
    first = browser.driver.current_window_handle
    row.check(until(lambda: town.metric("sooke_feed_subscribers") == 1, 10), "it follows while it is seen")
    browser.driver.switch_to.new_window("tab")
    row.check(until(lambda: town.metric("sooke_feed_subscribers") == 0, 10), "it does not while it is hidden")
    before = town.reads()
    town.change(PUB, phone="250-555-0999")
    time.sleep(seconds)
    asked = town.reads() - before
    row.check(asked == 0, f"it asks for nothing for {seconds} s", asked)
    row.figures = f"{asked:.0f} requests in {seconds} s"
    browser.driver.close()
    browser.driver.switch_to.window(first)
    row.check(until(lambda: town.metric("sooke_feed_subscribers") == 1, 10), "it follows when it is seen again")
    row.check(until(lambda: town.reads() > before, 10), "and asks what has changed")
    browser.stop()
    return row
