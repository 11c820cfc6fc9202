"""Pages that are open show what others change and what the clock brings, disturb nobody, and cost nothing at rest."""

import os
import re
import time
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP

from town import business, good
from browser import DESKTOP, Browser, until
from checks import Row
from towns import PLACE, Pages, demo_town

SHOP = "/businesses/3-crows-antiques"
PUB = f"/businesses/{PLACE}"
LINE = "return document.getElementById('connection').textContent"
# When the pub is said to be open, by the clock of the machine.
WATCH = """window.opened = 0;
new MutationObserver(() => { if (document.body.textContent.includes('Open until 1 am')) opened ||= Date.now(); })
  .observe(document.body, {subtree: true, childList: true, characterData: true});"""
# The first row that is being read: its key and where it is.
FIRST = """const row = [...document.querySelectorAll('main li[data-key]')]
  .find(r => r.getBoundingClientRect().bottom > 0);
return [row.dataset.key, Math.round(row.getBoundingClientRect().top)];"""
TYPED = """const box = document.activeElement;
return [box.id, box.value, box.selectionStart, box.selectionEnd];"""


class Windows:
    """Three windows of one browser: the home page, the list and the page of one shop."""

    def __init__(self, town: Pages) -> None:
        self.browser = Browser()
        for number, path in enumerate(["/", "/businesses", SHOP]):
            if number:
                self.browser.driver.switch_to.new_window("window")
            self.browser.size(DESKTOP, 700).open(town.url + path)
        self._names = self.browser.driver.window_handles

    def at(self, number: int) -> Browser:
        self.browser.driver.switch_to.window(self._names[number])
        return self.browser

    def all_show(self, row: Row, mark: str, what: str) -> None:
        for number in range(3):
            row.check(shows(self.at(number), mark), f"window {number} shows {what}", self.browser.text[:200])


def shows(window: Browser, mark: str) -> bool:
    return until(lambda: shows_now(window, mark), 10)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data")
    windows = Windows(town)
    home = windows.at(0)
    home.one("#q").send_keys("yoga tea")
    home.js("document.activeElement.setSelectionRange(2, 5)")
    typed = home.js(TYPED)
    rows = [edits(town, windows, 5 if short else 100), undisturbed(town, windows, typed), killed(town, windows, typed)]
    windows.browser.stop()
    return [*rows, frozen(town), at_rest(town, 3 if short else 60), opening(town)]


def edits(town: Pages, windows: Windows, count: int) -> Row:
    row = Row("edits are shown where pages are open")
    row.check(until(lambda: town.streams() > 0, 10), "the pages follow")
    for number in range(1, count + 1):
        town.change(SHOP, address=f"Mark {number} Street", description=f"Mark {number}, by the harbour.")
        windows.all_show(row, f"Mark {number}", f"edit {number}")
    return row


def undisturbed(town: Pages, windows: Windows, typed: list[object]) -> Row:
    """What somebody reads does not move, and what somebody types stays, also when a row comes above it."""
    row, reader = Row("nothing moves that is read or typed"), windows.at(1)
    reader.js("scrollTo(0, 600)")
    before = reader.js(FIRST)
    first = good(town.ask("POST", "/businesses", business("1 Aardvark"), town.admin), 201).json()
    row.check(shows(reader, "1 Aardvark"), "a row came above")
    row.check(close(reader.js(FIRST), before), "the first visible row is where it was", (before, reader.js(FIRST)))
    good(town.ask("DELETE", f"/businesses/{first['slug']}", token=town.admin), 204)
    row.check(until(lambda: not shows_now(reader, "1 Aardvark"), 10), "a row went away above")
    row.check(close(reader.js(FIRST), before), "the first visible row is where it was", (before, reader.js(FIRST)))
    reader.one("#q").send_keys("anti")
    row.check(until(lambda: "q=anti" in reader.driver.current_url and "“anti”" in reader.text, 10),
              "the list follows what is typed", reader.text[:200])
    own = reader.js(TYPED)
    town.change(SHOP, address="Mark 7777 Street")
    row.check(shows(reader, "Mark 7777"), "an edit is shown in what was found")
    row.check(reader.js(TYPED) == own and own[1] == "anti", "what was typed stays", reader.js(TYPED))
    row.check(windows.at(0).js(TYPED) == typed, "typed text, focus and selection at home are as they were",
              windows.at(0).js(TYPED))
    return row


def shows_now(window: Browser, mark: str) -> bool:
    return bool(window.js("return document.body.textContent.includes(arguments[0])", mark))


def close(one: list[object], other: list[object]) -> bool:
    return one[0] == other[0] and abs(int(str(one[1])) - int(str(other[1]))) <= 1


def killed(town: Pages, windows: Windows, typed: list[object]) -> Row:
    """The server is killed and starts again: all windows show what was changed since, by themselves."""
    row = Row("a server that is killed and starts again")
    town.stop(SIGKILL)
    row.check(until(lambda: windows.at(2).js(LINE), 10), "the page says that there is no connection")
    town.start()
    town.change(SHOP, address="Mark 8888 Street", description="Mark 8888, again.")
    windows.all_show(row, "Mark 8888", "an edit after that")
    row.check(until(lambda: not any(windows.at(n).js(LINE) for n in range(3)), 10), "no page says so any more")
    row.check(windows.at(0).js(TYPED) == typed, "typed text, focus and selection are as they were",
              windows.at(0).js(TYPED))
    return row


def frozen(town: Pages) -> Row:
    """A server that freezes, and a connection that is lost: the page says of when it is, and its clock stops."""
    row, browser = Row("a server that freezes"), Browser()
    browser.open(town.url)
    row.check(until(lambda: town.streams() == 1, 10), "the page follows")
    empty = "const clock = document.querySelector('[data-clock]'); clock.textContent = ''; return clock.isConnected"
    ticks = lambda: until(lambda: browser.js("return document.querySelector('[data-clock]').textContent"), 3)  # noqa: E731
    row.check(browser.js(empty) and ticks(), "its clock ticks")
    for what, begin, end, seconds in [
            ("frozen", lambda: os.kill(town.server.pid, SIGSTOP), lambda: os.kill(town.server.pid, SIGCONT), 45),
            ("offline", lambda: network(browser, True), lambda: network(browser, False), 2)]:
        begin()
        row.check(until(lambda: re.search(r"as of \d+(:\d\d)? pm", browser.js(LINE)), seconds), what, browser.js(LINE))
        row.check(browser.js(empty) and not ticks(), f"{what}: the clock stands")
        end()
        row.check(until(lambda: not browser.js(LINE), 30), f"{what}: no more after that", browser.js(LINE))
        row.check(ticks(), f"{what}: the clock goes on")
    browser.stop()
    return row


def network(browser: Browser, is_offline: bool) -> None:
    browser.command("Network.enable")
    browser.command("Network.emulateNetworkConditions", offline=is_offline, latency=0, downloadThroughput=-1,
                    uploadThroughput=-1)


def at_rest(town: Pages, seconds: int) -> Row:
    """Nine tabs of one browser follow by at most two streams; a tab behind another one never asks for anything."""
    row, browser = Row("tabs of one browser"), Browser()
    for number in range(9):
        if number:
            browser.driver.switch_to.new_window("tab")
        browser.open(town.url + ["/", "/businesses", "/events"][number % 3])
    tabs = browser.driver.window_handles
    row.check(until(lambda: town.streams() in (1, 2), 10), "they hold at most two streams", town.streams())
    browser.driver.switch_to.window(tabs[0])
    row.check(until(lambda: town.streams() in (1, 2), 10), "also after a change of the tab", town.streams())
    browser.driver.switch_to.new_window("tab")
    row.check(until(lambda: town.streams() == 0, 10), "they do not follow while they are hidden", town.streams())
    before = town.reads()
    town.change(PUB, phone="250-555-0999")
    time.sleep(seconds)
    row.check(town.reads() == before, f"they ask for nothing for {seconds} s", town.reads() - before)
    browser.driver.switch_to.window(tabs[0])
    row.check(until(lambda: town.streams() == 1, 10), "one follows when it is seen again", town.streams())
    row.check(until(lambda: town.reads() > before, 10), "and asks what has changed")
    browser.stop()
    return row


def opening(town: Pages) -> Row:
    """The pub opens at 4 pm; an open page says so within two seconds, and one that was left when one comes back."""
    row = Row("an opening is shown when it is due")
    watching, left = Browser(), Browser()
    town.stop()
    town.start("--now", "2027-01-08T15:59:51-08:00", "--now-ticks")
    watching.open(town.url + PUB)
    watching.js(WATCH)
    row.check("Opens at 4 pm" in watching.text, "it is closed before", watching.text[:200])
    left.open(town.url + PUB)
    left.open(town.url + "/week")
    row.check(until(lambda: b"Open until 1 am" in town.get(PUB).body, 30), "the server says so")
    due = time.time()
    back = time.time()
    left.driver.back()
    row.check(until(lambda: "Open until 1 am" in left.text, 10), "a page that one comes back to shows it", left.text)
    late = [time.time() - back]
    row.check(until(lambda: watching.js("return opened"), 10), "a page that is open shows it", watching.text[:200])
    late.append(watching.js("return opened") / 1000 - due)
    row.check(max(late) < 2.5, "within two seconds, and a half for a busy machine", late)
    row.figures = f"after {late[1]:.1f} s, on a page that one comes back to after {late[0]:.1f} s"
    watching.stop()
    left.stop()
    return row
