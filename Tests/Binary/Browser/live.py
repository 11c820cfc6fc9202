"""Pages that are open show what others change, and disturb nobody who reads or types."""

import statistics
import time
from pathlib import Path
from signal import SIGKILL

from town import good
from browser import DESKTOP, Browser, until
from checks import Row
from crowd import Client, crowd
from towns import Pages, demo_town

CLIENTS = 47
SHOP = "/businesses/3-crows-antiques"
# When a text is on the screen for the first time, by the clock of the machine.
WATCH = """window.seen = {};
new MutationObserver(() => { const found = document.body.textContent.match(/Mark \\d+/g) ?? [];
  requestAnimationFrame(() => { for (const mark of found) seen[mark] ??= Date.now(); });
}).observe(document.body, {subtree: true, childList: true, characterData: true});"""
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
        self.names = []
        for path in ["/", "/businesses", SHOP]:
            if self.names:
                self.browser.driver.switch_to.new_window("window")
            self.names.append(self.browser.driver.current_window_handle)
            self.browser.size(DESKTOP, 700).open(town.url + path)
            self.browser.js(WATCH)

    def at(self, number: int) -> Browser:
        self.browser.driver.switch_to.window(self.names[number])
        return self.browser


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data")
    windows, clients = Windows(town), crowd(town.port, CLIENTS)
    home, reader = windows.at(0), None
    box = home.one("#q")
    box.send_keys("yoga tea")
    home.js("document.activeElement.setSelectionRange(2, 5)")
    typed = home.js(TYPED)
    reader = windows.at(1)
    reader.js("scrollTo(0, 600)")
    rows = [edits(town, windows, clients, 10 if short else 100)]
    rows.append(undisturbed(town, windows, typed))
    rows.append(killed(town, windows, typed))
    rows.append(followed(clients))
    for client in clients:
        client.stop()
    return rows


def edits(town: Pages, windows: Windows, clients: list[Client], count: int) -> Row:
    """Each edit is shown in every window, and every client gets the last one."""
    row = Row("edits are shown where pages are open")
    row.check(until(lambda: all(client.is_following and client.tag for client in clients), 30), "all clients follow")
    time.sleep(1)
    sent = {}
    for number in range(1, count + 1):
        mark = f"Mark {number}"
        sent[mark] = time.time() * 1000
        town.change(SHOP, address=f"{mark} Street", description=f"{mark}, by the harbour.")
        arrived(windows.at(number % 3), mark)
    waits = []
    for number in range(3):
        window = windows.at(number)
        arrived(window, f"Mark {count}")
        seen = window.js("return seen")
        # Edits that follow each other sooner than a page asks again are shown together.
        own = [seen[mark] - sent[mark] for index, mark in enumerate(sent, 1) if index % 3 == number and mark in seen]
        row.check(len(own) == len(range(number or 3, count + 1, 3)), f"window {number} has shown its edits", seen)
        waits += own
    row.check(until(lambda: all(f"Mark {count} Street" in client.body for client in clients), 10),
              "all clients have the last edit", [client.path for client in clients if f"Mark {count} " not in client.body])
    middle, last = statistics.median(waits), max(waits)
    row.figures = f"shown after {middle:.0f} ms in the median of {len(waits)}, {last:.0f} ms at most, with {CLIENTS} others"
    if count >= 100:
        row.check(middle <= 500, "an edit is shown within half a second in the median", f"{middle:.0f} ms")
    return row


def arrived(window: Browser, mark: str) -> bool:
    return until(lambda: window.js("return seen[arguments[0]]", mark), 10)


def undisturbed(town: Pages, windows: Windows, typed: list[object]) -> Row:
    """What somebody reads does not move, and what somebody types stays, also when a row comes above it."""
    row = Row("nothing moves that is read or typed")
    row.check(windows.at(0).js(TYPED) == typed, "typed text, focus and selection are as they were",
              windows.at(0).js(TYPED))
    reader = windows.at(1)
    before = reader.js(FIRST)
    first = good(town.ask("POST", "/businesses", {"name": "1 Aardvark", "category": "restaurants", "address": "1 A St",
                                                  "latitude": 48.37, "longitude": -123.7}, town.admin), 201).json()
    here = "return document.querySelector('main').textContent.includes('1 Aardvark')"
    row.check(until(lambda: reader.js(here), 10), "a row came above")
    row.check(close(reader.js(FIRST), before), "the first visible row is where it was", (before, reader.js(FIRST)))
    good(town.ask("DELETE", f"/businesses/{first['slug']}", token=town.admin), 204)
    row.check(until(lambda: not reader.js(here), 10), "a row went away above")
    row.check(close(reader.js(FIRST), before), "the first visible row is where it was again", (before, reader.js(FIRST)))
    box = reader.one("#q")
    box.send_keys("anti")
    row.check(until(lambda: "q=anti" in reader.driver.current_url and "“anti”" in reader.text, 10),
              "the list follows what is typed", reader.text[:200])
    own = reader.js(TYPED)
    town.change(SHOP, address="Mark 7777 Street")
    row.check(arrived(reader, "Mark 7777"), "an edit is shown in what was found")
    row.check(reader.js(TYPED) == own and own[1] == "anti", "what was typed stays", reader.js(TYPED))
    row.check(windows.at(0).js(TYPED) == typed, "so it does at home", windows.at(0).js(TYPED))
    return row


def close(one: list[object], other: list[object]) -> bool:
    return one[0] == other[0] and abs(int(str(one[1])) - int(str(other[1]))) <= 1


def killed(town: Pages, windows: Windows, typed: list[object]) -> Row:
    """The server is killed and starts again: all windows show what was changed since, within ten seconds."""
    row = Row("a server that is killed and starts again")
    line = "return document.getElementById('connection').textContent"
    town.stop(SIGKILL)
    row.check(until(lambda: windows.at(2).js(line), 10), "the page says that there is no connection")
    town.start()
    began = time.monotonic()
    town.change(SHOP, address="Mark 8888 Street", description="Mark 8888, again.")
    for number in range(3):
        row.check(arrived(windows.at(number), "Mark 8888"), f"window {number} shows an edit after that")
    seconds = time.monotonic() - began
    row.check(seconds < 10, "within ten seconds", f"{seconds:.1f} s")
    row.check(until(lambda: all(not windows.at(number).js(line) for number in range(3)), 10), "no page says so any more")
    row.check(windows.at(0).js(TYPED) == typed, "typed text, focus and selection are as they were",
              windows.at(0).js(TYPED))
    row.figures = f"healed within {seconds:.1f} s"
    return row


def followed(clients: list[Client]) -> Row:
    """`since=now` gives what changes from now on: a page has all else already."""
    row = Row("pages follow from now on")
    row.check(not any(client.resets for client in clients), "nobody was sent a whole town",
              f"{sum(client.resets for client in clients)} times")
    faults = [fault for client in clients for fault in client.faults]
    row.check(not faults, "each request of a client is answered", faults[:5])
    return row
