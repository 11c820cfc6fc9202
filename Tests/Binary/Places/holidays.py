#!/usr/bin/env python3
"""What the pages say on holidays, against an oracle of its own (`hours.py`): `holidays.py BINARY [--short] [--seed N]`.

Two hundred random places have hours with nights, `PH`, special days and seasons, or are always open. For every minute of
24 to 27 December and of 1 July a server is started whose clock stands there, and the texts of the home page, the list,
what is open, the week and some places are compared; then some whose clocks run, over changes of state: what they cached
must not be served after them. With --short a hundred places with fewer hours, at every 30th minute and at the ten around
each change.
"""

import argparse
import concurrent.futures
import datetime
import email.utils
import html
import http.client
import json
import os
import random
import re
import shutil
import sys
import time
import zoneinfo
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))
from harness import Server, Tally, end_cleanly_when_told, executable, load, temporary_folder  # noqa: E402
from hours import DAY, OPEN, Place, Words, clock  # noqa: E402

ZONE = zoneinfo.ZoneInfo("America/Vancouver")
HOLIDAYS = {datetime.date(year, month, day): name
            for year, names in {2026: {(7, 1): "Canada Day", (9, 7): "Labour Day", (9, 30): "National Day for Truth and "
                                       "Reconciliation", (10, 12): "Thanksgiving Day", (11, 11): "Remembrance Day",
                                       (12, 25): "Christmas Day"},
                                2027: {(1, 1): "New Year's Day", (2, 15): "Family Day", (3, 26): "Good Friday",
                                       (5, 24): "Victoria Day", (7, 1): "Canada Day", (8, 2): "British Columbia Day",
                                       (9, 6): "Labour Day", (9, 30): "National Day for Truth and Reconciliation",
                                       (10, 11): "Thanksgiving Day", (11, 11): "Remembrance Day", (12, 25): "Christmas Day"},
                                2028: {(1, 1): "New Year's Day", (2, 21): "Family Day", (4, 14): "Good Friday",
                                       (5, 22): "Victoria Day", (7, 1): "Canada Day", (8, 7): "British Columbia Day"}}.items()
            for (month, day), name in names.items()}
# The first day of each window, and how many days from its second on are looked at.
WINDOWS = [(datetime.date(2026, 12, 23), 4), (datetime.date(2027, 6, 30), 1)]
PER_PAGE = 20
Checks = list[tuple[str, object, object]]  # what, what a page says, and what it must say


# MARK: - The town

def times(chance: random.Random, short: bool) -> str:
    """The times of a day in the syntax of OpenStreetMap; the short run has few instants at which something changes."""
    if short:
        return chance.choice(["09:00-17:00", "09:00-21:00", "17:00-02:00", "21:00-02:00", "09:00-24:00", "21:00-09:00",
                              "02:00-09:00,17:00-21:00", "17:00-02:00"])
    step = lambda first, last: chance.randrange(first * 12, last * 12) * 5  # noqa: E731
    text = lambda at: f"{at // 60:02}:{at % 60:02}"  # noqa: E731
    opens = step(5, 12)
    closes = step(13, 23)
    match chance.randrange(6):
        case 0: return f"{text(step(14, 23))}-{text(step(0, 6))}"
        case 1: return f"{text(opens)}-{text(12 * 60 + chance.choice([0, 10, 30]))},{text(step(13, 15))}-{text(step(16, 24))}"
        case 2: return f"{text(opens)}-24:00"
        case _: return f"{text(opens)}-{text(closes)}"


def hours(chance: random.Random, short: bool) -> dict[str, Any]:
    """The hours of a place."""
    at = lambda: times(chance, short)  # noqa: E731
    text = chance.choice([
        lambda: f"Mo-Su {at()}", lambda: f"Mo-Sa {at()}", lambda: f"Mo-Fr {at()}; Sa {at()}", lambda: f"Tu-Su {at()}",
        lambda: f"Mo-Su {at()}; PH off", lambda: f"Mo-Su {at()}; PH {at()}", lambda: f"Mo-Fr,PH {at()}; Sa {at()}",
        lambda: f"Sa-We {at()}", lambda: f"Mo-Su {at()}; Dec 24-26 off", lambda: f"Mo-Su {at()}; Dec 25 {at()}",
        lambda: f"Mo-Su {at()}; Dec 20-Jan 5 Fr {at()}", lambda: f"Mo-Su {at()}; Dec 20-Jan 5 Mo {at()}",
        lambda: f"Nov-Mar {at()}; Apr-Oct {at()}", lambda: f"Apr-Oct Mo-Su {at()}", lambda: f"2026 {at()}; 2027 {at()}",
        lambda: f"Mo-Su {at()}; Jul 1 {at()}", lambda: "24/7", lambda: "Mo-Su 00:00-24:00", lambda: "24/7; PH off",
        lambda: "24/7; Dec 24 off", lambda: "Th-Fr 00:00-24:00; Sa 00:00-02:00", lambda: "We-Th 00:00-24:00; Fr 09:00-17:00",
        lambda: f"Mo-Su {at()}; Jul PH off", lambda: "Th 18:00-24:00; Fr 00:00-02:00", lambda: "Mo-Su off",
    ])()
    record: dict[str, Any] = {"opening_hours": text}
    if chance.random() < 0.3:
        # As rows of a week, which have one time a day.
        days = chance.sample(range(7), chance.randrange(3, 8))
        rows = [(day, at().split(",")[0].replace("24:00", "00:00").split("-")) for day in sorted(days)]
        record = {"hours": [{"day_of_week": day, "open_time": opens, "close_time": closes} for day, (opens, closes) in rows]
                  + [{"day_of_week": day, "is_closed": True} for day in range(7) if day not in days]}
    elif chance.random() < 0.05:
        record = {}
    if record and chance.random() < 0.25:
        record["special_hours"] = chance.choice([
            lambda: [{"from": "2026-12-25", "to": "2026-12-25", "is_closed": True, "reason": "Feast"}],
            lambda: [{"from": "2026-12-20", "to": "2026-12-27", "is_closed": True}],
            lambda: [{"from": "2026-12-01", "is_closed": True, "reason": "Sold"}],
            lambda: [{"from": "2026-12-26", "to": "2027-01-10", "is_closed": True, "reason": "Away"}],
            lambda: [{"from": day, "to": day, "open_time": "09:00", "close_time": "17:00"}
                     for day in ("2026-12-25", "2027-07-01")],
            lambda: [{"from": "2026-12-24", "to": "2026-12-25", "open_time": opens, "close_time": closes, "reason": "Late"}
                     for opens, closes in (("09:00", "17:00"), ("21:00", "02:00"))],
            lambda: [{"from": "2027-06-20", "to": "2027-07-05", "open_time": "09:00", "close_time": "17:00"},
                     {"from": "2027-07-01", "to": "2027-07-01", "is_closed": True}],
        ])()
    return record


def town(chance: random.Random, short: bool) -> dict[str, Any]:
    businesses = [{"id": number, "name": f"Place {number:03}", "slug": f"place-{number}", "category": "a",
                   "address": "1 A", "latitude": 48.37, "longitude": -123.72, **hours(chance, short)}
                  for number in range(1, 101 if short else 201)]
    swim = {"id": 1, "name": "Swim", "slug": "swim", "event_type": "b", "status": "approved", "rrule": "FREQ=DAILY",
            "starts_at": "2026-01-01T23:59:00-08:00", "ends_at": "2026-01-02T00:00:00-08:00", "time_zone": ZONE.key}
    return {"settings": [{"id": 1, "name": "Sooke", "time_zone": ZONE.key, "holidays": "CA-BC"}],
            "categories": [{"id": 1, "name": "A", "slug": "a"}], "event_types": [{"id": 1, "name": "B", "slug": "b"}],
            "businesses": businesses, "events": [swim]}


# MARK: - Pages

class Pages:
    """The pages of a server over one connection."""

    def __init__(self, server: Server) -> None:
        self.connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=30)
        self.date = 0.0

    def get(self, path: str) -> str:
        self.connection.request("GET", path)
        response = self.connection.getresponse()
        body = response.read().decode()
        if response.status != 200:
            raise RuntimeError(f"{path}: {response.status}")
        self.date = email.utils.parsedate_to_datetime(response.headers["Date"]).timestamp()
        return body


def text(markup: str) -> str:
    """What is read on a screen."""
    markup = re.sub(r'<span class="paper">.*?</span>', "", markup)
    spaced = re.sub(r"<br>|</th>|(?<=\w) <span>", " ", markup).replace("\u00a0", " ")
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", spaced)).split())


def rows(page: str) -> list[tuple[str, str, str]]:
    """Of each place in a list its name, the class of its state and its words."""
    found = re.findall(r'<li data-key="b\d+">.*?<span class="name" dir="auto">(.*?)</span>'
                       r'<span class="state ([a-z ]*) n">(.*?)</span><span class="sub">', page)
    return [(name, style, text(words)) for name, style, words in found]


def until(page: str) -> int:
    return int(re.search(r'data-until="(\d+)"', page)[1])


class Window:
    """Some days, with what the oracle knows of their places."""

    def __init__(self, first: datetime.date, records: list[dict[str, Any]]) -> None:
        self.first = first
        self.places = [Place(record, first, HOLIDAYS) for record in records]

    def timestamp(self, now: int) -> int:
        date = datetime.datetime.combine(self.first + datetime.timedelta(now // DAY), datetime.time(), ZONE)
        return int(date.timestamp()) + now % DAY * 60

    def changes(self, now: int) -> bool:
        """Whether something on the pages changes in a minute, other than at midnight."""
        return any(place.state(now)[1] != place.state(now - 1)[1] for place in self.places)


class Moment(NamedTuple):
    """The pages at a minute, and what they must say."""

    window: Window
    now: int

    def row(self, place: Place) -> tuple[str, str, str]:
        return (place.name, *place.state(self.now)[:2])

    def open(self) -> tuple[list[Place], list[Place], str]:
        """What is surely open, what usually is, and the doubt about that."""
        kinds = [(place, place.at(self.now)) for place in self.window.places if place.is_known]
        sure, usual = ([place for place, kind in kinds if is_in(kind)] for is_in in (lambda k: k == OPEN, lambda k: k > OPEN))
        names = sorted({place.holiday(kind) for place, kind in kinds if kind > OPEN})
        return sure, usual, f"not confirmed for {' and '.join(names)}"

    def home(self, pages: Pages) -> Checks:
        page, today = pages.get("/"), self.window.first + datetime.timedelta(self.now // DAY)
        sure, usual, doubt = self.open()
        holiday = f" · {HOLIDAYS[today]}" if today in HOLIDAYS else ""
        zone = datetime.datetime.fromtimestamp(self.window.timestamp(self.now), ZONE).utcoffset()
        count = (f"{len(sure)} open, " if sure else "") + f"{len(usual)} usually open, {doubt}." if usual else (
            f"{len(sure)} {'place is' if len(sure) == 1 else 'places are'} open." if sure
            else "Nothing is open at the moment.")
        shown = (sure + usual)[:8]
        change = min([(self.now // DAY + 1) * DAY, *(place.next_change(self.now) for place in shown),
                      *(next((at for at in place.starts if at > self.now), 1 << 40) for place in self.window.places)])
        last = until(page)
        return [("heading", text(re.search(r"<h1>.*?</h1>", page)[0]), f"Sooke, {today:%A} {clock(self.now)}{holiday}"),
                ("offset", re.search(r'data-clock="(-?\d+)"', page)[1], str(int(zone.total_seconds()))),
                ("count", text(re.search(r'</h1>\s*<p class="soft">(.*?)</p>', page)[1]), f"{count} 1 event today."),
                ("rows", rows(page), [self.row(place) for place in shown]),
                ("until", self.window.timestamp(self.now) < last <= self.window.timestamp(change), True)] + self.days(page)

    def days(self, page: str) -> Checks:
        """The headings of the days with events, which name holidays."""
        words = Words(self.window.first, self.now)
        dates = [self.window.first + datetime.timedelta(self.now // DAY + ahead) for ahead in range(7)]
        return [("days", [text(day) for day in re.findall(r"<h3>(.*?)</h3>", page)],
                 [words.day(ahead) + (f" · {HOLIDAYS[date]}" if date in HOLIDAYS else "")
                  for ahead, date in enumerate(dates)])]

    def week(self, pages: Pages) -> Checks:
        return self.days(pages.get("/week"))

    def directory(self, pages: Pages, number: int) -> Checks:
        shown = self.window.places[number * PER_PAGE:(number + 1) * PER_PAGE]
        return [("rows", rows(pages.get(f"/businesses?page={number + 1}")), [self.row(place) for place in shown])]

    def open_list(self, pages: Pages, number: int) -> Checks:
        sure, usual, doubt = self.open()
        every = sorted(sure + usual, key=lambda place: place.id)
        if not every:
            return [("count", "No businesses are open now." in pages.get("/businesses?open=1"), True)]
        number %= -(-len(every) // PER_PAGE)
        page = pages.get(f"/businesses?open=1&page={number + 1}")
        part = f", page {number + 1} of {-(-len(every) // PER_PAGE)}" if len(every) > PER_PAGE else ""
        count = lambda some: f"{len(some)} {'business is' if len(some) == 1 else 'businesses are'}"  # noqa: E731
        words = f"{count(sure)} open now" if not usual else f"{count(usual)} usually open now, {doubt}" if not sure else (
            f"{count(sure)} open now, {len(usual)} usually open, {doubt}")
        return [("count", text(re.search(r'role="status">(.*?)</p>', page)[1]), f"{words}{part}."),
                ("rows", rows(page), [self.row(place) for place in every[number * PER_PAGE:(number + 1) * PER_PAGE]])]

    def place(self, pages: Pages, place: Place) -> Checks:
        page = pages.get(f"/businesses/{place.slug}")
        style, _, sentence = place.state(self.now)
        state = re.search(r'<p><span class="state ([a-z ]*)">(.*?)</span></p>', page)
        last = self.window.timestamp(place.next_change(self.now))
        table = [(style, text(row)) for style, row in re.findall(r'<tr class="(.*?)">(.*?)</tr>', page)[:7]]
        return [("state", (state[1], text(state[2])), (style, sentence)),
                ("week", table, place.table(self.now) if place.is_known else []),
                ("until", self.window.timestamp(self.now) < until(page) <= last, True)]


# MARK: - Runs

def moments(windows: list[Window], days: list[int], short: bool) -> list[Moment]:
    found = []
    for window, count in zip(windows, days):
        every = range(DAY, DAY * (1 + count))
        if short:
            changes = [now for now in every if window.changes(now)]
            wanted = {now for change in changes for now in range(change - 5, change + 5)} | set(every[::30])
            every = sorted(now for now in wanted if now in every)
        found += [Moment(window, now) for now in every]
    return found


def compare(binary: Path, data: Path, some: list[Moment], short: bool) -> tuple[int, list[str]]:
    """The number of comparisons at some times, and those that failed."""
    count, wrong = 0, []
    for index, moment in enumerate(some):
        window, now = moment
        stamp = window.timestamp(now) + 59 * (index % 2)  # hours have no seconds
        at = datetime.datetime.fromtimestamp(stamp, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        server = Server(binary, data, "--now", at).ready()
        pages = Pages(server)
        changed = [place for place in window.places if any(
            place.state(at)[1] != place.state(now)[1] for at in (now - 1, now + 1))]
        # All lists at each half hour; between, some in turn, and the places that change.
        whole, last = now % 30 == 0, len(window.places) // PER_PAGE
        others = 2 if whole or not short else 0
        shown = random.Random(now).sample(changed, min(len(changed), 5 if whole else 2)) + [
            window.places[(index * others + other) % len(window.places)] for other in range(others)]
        numbers = range(last) if whole and not short else [index % last] if whole or not short else []
        try:
            results = [("home", moment.home(pages))]
            results += [("week", moment.week(pages))] if whole else []
            results += [("list", moment.directory(pages, number)) for number in numbers]
            results += [("open", moment.open_list(pages, number)) for number in numbers or [index]]
            results += [(place.slug, moment.place(pages, place)) for place in shown]
        finally:
            server.kill()
        for page, checks in results:
            for what, got, wanted in checks:
                count += 1
                if got != wanted:
                    wrong.append(f"{at} {page} {what}: {difference(got, wanted)}")
    return count, wrong


def difference(got: object, wanted: object) -> str:
    if isinstance(got, list) and isinstance(wanted, list) and len(got) == len(wanted):
        got, wanted = next((a, b) for a, b in zip(got, wanted) if a != b)
    return f"{got!r} instead of {wanted!r}"


def run_on(binary: Path, data: Path, window: Window, now: int) -> tuple[int, list[str]]:
    """A server whose clock runs over a change of state: what it has cached is not served after it."""
    start = window.timestamp(now)
    at = datetime.datetime.fromtimestamp(start - 6, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    changed = next((place for place in window.places if place.state(now)[1] != place.state(now - 1)[1]), window.places[0])
    server = Server(binary, data, "--now", at, "--now-ticks").ready()
    count, wrong, is_over = 0, [], False
    try:
        pages = Pages(server)
        while not is_over and not wrong:
            for page in (lambda m: m.home(pages), lambda m: m.open_list(pages, 0), lambda m: m.place(pages, changed)):
                pages.get("/live")
                minute = (pages.date - start) // 60
                found = page(Moment(window, int(now + minute)))
                # Without the seconds in which the minute may have changed meanwhile.
                if (pages.date - start) // 60 == minute and (pages.date + 1 - start) // 60 == minute:
                    is_over = is_over or minute >= 0
                    count += len(found)
                    wrong += [f"{at} running: {what}: {difference(got, wanted)}"
                              for what, got, wanted in found if got != wanted]
            time.sleep(0.3)
    finally:
        server.kill()
    return count, wrong


def run(binary: Path, folder: Path, short: bool, seed: int, tally: Tally) -> None:
    records = town(random.Random(seed), short)
    (folder / "holidays.json").write_text(json.dumps(records))
    load(binary, folder / "holidays", folder / "holidays.json", "--settings")
    windows = [Window(first, records["businesses"]) for first, _ in WINDOWS]
    some = moments(windows, [count for _, count in WINDOWS], short)
    parts = [some[index::workers] for workers in [os.cpu_count() or 1] for index in range(workers)]
    edges = [(window, now) for window in windows for now in (2 * DAY, 3 * DAY)] + [
        (windows[0], next(now for now in range(start, 9 * DAY) if windows[0].changes(now))) for start in (3000, 3400)]
    copies = [shutil.copytree(folder / "holidays", folder / f"holidays{index}", ignore=shutil.ignore_patterns("*.sock"))
              for index in range(len(parts) + len(edges))]
    futures = concurrent.futures
    with futures.ProcessPoolExecutor(len(parts)) as pool, futures.ThreadPoolExecutor(len(edges)) as threads:
        # The processes first: they would inherit what threads have just opened, and those wait for its end.
        running = [pool.submit(compare, binary, data, part, short) for data, part in zip(copies, parts)]
        running += [threads.submit(run_on, binary, data, *edge) for data, edge in zip(copies[len(parts):], edges)]
        for future in running:
            count, wrong = future.result()
            tally.passed += count - len(wrong)
            for what in wrong:
                tally.check(False, what)
    print(f"holidays: {len(some)} moments, {len(edges)} changes with a running clock", flush=True)


def main() -> int:
    end_cleanly_when_told()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=executable, help="the server to test: the executable sooke")
    parser.add_argument("--short", action="store_true", help="fewer moments, for every day")
    parser.add_argument("--seed", type=int, default=19, help="makes other hours")
    options = parser.parse_args()
    tally = Tally()
    with temporary_folder() as folder:
        run(options.binary, folder, options.short, options.seed, tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
