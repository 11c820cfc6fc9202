"""What pages and API say around holidays, against an oracle that shares nothing with the server.

Random places have hours with nights, `PH`, special days and seasons, or are always open; some have answered in advance,
for all holidays or for one. Servers are started whose clocks stand between 24 and 27 December or 30 June and 2 July, at
every minute (with `--short` at every third hour and around some changes), and what they say is compared: the home page,
a page of the list, the page of a place with its week, and of all places the open states and both sets of what is open
now. Then some whose clocks run, over a change of state: what they cached must not be served after it. Times of the
oracle are minutes since the first day of its window.
"""

import datetime
import email.utils
import html
import itertools
import json
import random
import re
import shutil
import time
import zoneinfo
from bisect import bisect_right
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from checks import Row
from harness import Server, load, send

ZONE = zoneinfo.ZoneInfo("America/Vancouver")
# Those of the windows and the next ones, until which a place can be open.
HOLIDAYS = {"12-25": "Christmas Day", "01-01": "New Year's Day", "07-01": "Canada Day", "08-02": "British Columbia Day"}
NAMES = ["", "", *sorted(set(HOLIDAYS.values()))]
SEASONS = {"Dec 24-26": ((12, 24), (12, 26)), "Dec 24": ((12, 24), (12, 24)), "Dec 25": ((12, 25), (12, 25)),
           "Jul 1": ((7, 1), (7, 1)), "Dec 20-Jan 5": ((12, 20), (1, 5)), "Nov-Mar": ((11, 1), (3, 31)),
           "Apr-Oct": ((4, 1), (10, 31))}
# The first day of each window, and how many days from its second on are looked at.
WINDOWS = [(datetime.date(2026, 12, 23), 4), (datetime.date(2027, 6, 29), 3)]
ANSWERS = [None, None, "closed", "as_usual", "ask"]
DAY = 1440
AHEAD = 400  # how many days ahead the next opening is looked for
SHUT, OPEN = 0, 1  # what holds in a minute; from 2 on: usually open, on the holiday of that name
FORMS = """Mo-Su … | Mo-Sa … | Mo-Fr …; Sa … | Sa-We … | Tu-Su … | Mo-Su …; PH off | Mo-Su …; PH … | Mo-Fr,PH …; Sa …
Mo-Su …; Dec 24-26 off | Mo-Su …; Dec 25 … | Mo-Su …; Dec 20-Jan 5 … | Nov-Mar …; Apr-Oct … | Apr-Oct … | 24/7
24/7; PH off | 24/7; Dec 24 off | Th-Fr 00:00-24:00; Sa 00:00-02:00 | Th 18:00-24:00; Fr 00:00-02:00 | Mo-Su off
Mo-Su …; Jul 1 …"""
TIMES = ["09:00-17:00", "09:00-21:00", "17:00-02:00", "21:00-02:00", "09:00-24:00", "21:00-09:00",
         "02:00-09:00,17:00-21:00"]
DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
PER_PAGE = 20


def holiday(date: datetime.date) -> str | None:
    return HOLIDAYS.get(f"{date:%m-%d}")


class Rule(NamedTuple):
    """A rule of hours: its days as they are written, and its times."""

    days: str  # "Mo-Fr", "Mo-Fr,PH", "Dec 24-26", "Dec 20-Jan 5", "Apr-Oct" or ""
    times: str  # "09:00-17:00,18:00-02:00", "off" or "24/7"

    @property
    def spans(self) -> list[tuple[int, int]]:
        if self.times in ("off", "24/7"):
            return [(0, DAY)] if self.times == "24/7" else []
        found = [tuple(int(at[:2]) * 60 + int(at[3:]) for at in span.split("-")) for span in self.times.split(",")]
        return [(start, end if end > start else end + DAY) for start, end in found]

    def holds(self, date: datetime.date) -> bool:
        if self.days in SEASONS:
            (first, last), now = SEASONS[self.days], (date.month, date.day)
            return first <= now <= last if first <= last else now >= first or now <= last
        if not self.days or "PH" in self.days and holiday(date):
            return True
        of_week = [DAYS.index(day) for day in self.days.replace(",PH", "").split("-") if day in DAYS]
        return bool(of_week) and (date.weekday() - of_week[0]) % 7 <= (of_week[-1] - of_week[0]) % 7

    @property
    def says_days(self) -> bool:
        """Whether it says something of the very day or of holidays, so that nothing is left to be confirmed."""
        return "PH" in self.days or self.days in SEASONS and any(map(str.isdigit, self.days))


# The hours of one holiday.
SPECIAL: list[list[Rule]] = [[], [], [], [Rule("Dec 25", "off")], [Rule("Dec 25", "10:00-14:00")], [Rule("Jul 1", "17:00-02:00")]]


def hours(chance: random.Random) -> list[Rule]:
    """The hours of a place, which change at few times of the day."""
    found = []
    for rule in chance.choice(re.split(r" \| |\n", FORMS)).split("; "):
        days, _, times = rule.rpartition(" ")
        found.append(Rule(days, chance.choice(TIMES) if times == "…" else times))
    return found


class Given(NamedTuple):
    """What a place has said: its hours, the hours of one holiday, and what holds on all of them."""

    rules: list[Rule]
    special: list[Rule]
    answer: str | None

    def record(self, name: str) -> dict[str, Any]:
        rows = [{"from": f"{year}-{SEASONS[rule.days][0][0]:02}-{SEASONS[rule.days][0][1]:02}", "reason": "Said"}
                | ({"is_closed": True} if rule.times == "off" else
                   {"open_time": rule.times[:5], "close_time": rule.times[6:]})
                for rule in self.special for year in range(2026, 2030)]
        text = "; ".join(" ".join(filter(None, rule)) for rule in self.rules)
        return {"name": name, "category": "a", "address": "1 A", "latitude": 48.37, "longitude": -123.72,
                "opening_hours": text, "special_hours": [row | {"to": row["from"]} for row in rows]} | (
                    {"public_holidays": self.answer} if self.answer else {})

    def on(self, date: datetime.date) -> tuple[list[tuple[int, int]], int]:
        """When it is open on a day, and whether that is confirmed."""
        holding = [rule for rule in self.rules + self.special if rule.holds(date)]
        spans, day = (holding[-1].spans if holding else []), holiday(date)
        if not day or any(rule.says_days for rule in holding) or self.answer == "as_usual":
            return spans, OPEN
        if self.answer == "closed":
            return [], OPEN
        is_always_open = self.rules[0].times == "24/7" and self.answer is None
        return spans, OPEN if is_always_open else NAMES.index(day)


class Place:
    """A place, and what holds there in each minute of a window."""

    def __init__(self, name: str, given: Given, first: datetime.date) -> None:
        self.name, self.given, self.first = name, given, first
        minutes = bytearray(DAY * (AHEAD + 10))
        for index in range(AHEAD + 8):
            spans, what = given.on(first + datetime.timedelta(index))
            # What began the day before gives way to what the day says.
            for start, end in spans:
                minutes[index * DAY + start:index * DAY + end] = bytes([what]) * (end - start)
        groups = [(kind, len(list(group))) for kind, group in itertools.groupby(minutes)]
        self.kinds = [kind for kind, _ in groups]
        self.starts = [0, *itertools.accumulate(length for _, length in groups)][:-1]

    @cache  # noqa: B019
    def kind(self, now: int) -> int:
        return self.kinds[bisect_right(self.starts, now) - 1]

    @cache  # noqa: B019
    def row(self, now: int) -> tuple[str, str, str]:
        """The place in a list: its name, the class of its state, and the words of that."""
        run = bisect_right(self.starts, now) - 1
        last = (now // DAY + AHEAD) * DAY
        kind, change = self.kinds[run], self.starts[run + 1] if run + 1 < len(self.starts) else last + 1
        following = self.kinds[run + 1] if run + 1 < len(self.kinds) else SHUT
        if kind > OPEN:
            until = f"usually until {self.when(now, change, True)}" if change <= last else "usually open"
            return self.name, "soon unconfirmed", f"{until} · not confirmed for {NAMES[kind]}"
        if kind == OPEN:
            if change > last:
                return self.name, "open", "open"
            until = self.when(now, change, True)
            # One that goes on, confirmed otherwise, does not close.
            is_soon = change - now <= 60 and following == SHUT
            return (self.name, "soon", f"closes {until}") if is_soon else (self.name, "open", f"open until {until}")
        if change >= last:
            return self.name, "closed", "closed"
        opens = self.when(now, change, False)
        if following > OPEN:
            opens = "tomorrow " + clock(change) if change // DAY == now // DAY + 1 else opens
            return self.name, "soon unconfirmed", f"usually opens {opens} · not confirmed for {NAMES[following]}"
        is_soon = change - now <= 60
        return (self.name, "soon", f"opens {opens}") if is_soon else (self.name, "closed", f"closed, opens {opens}")

    def state(self, now: int, timestamp: Callable[[int], int]) -> tuple[str, int | None, str | None]:
        """The open state in a response: its status, until when, and the holiday for which that is not confirmed."""
        run, last = bisect_right(self.starts, now) - 1, (now // DAY + AHEAD) * DAY
        later = [(kind, start) for kind, start in zip(self.kinds[run + 1:], self.starts[run + 1:]) if start <= last]
        until = later[0][1] if later else None
        if self.kinds[run] == SHUT:
            is_soon = until is not None and until - now <= 60
            unsure = NAMES[later[0][0]] if later else ""
            return "opens_soon" if is_soon else "closed", until and timestamp(until), unsure or None
        closing = next((start for kind, start in later if kind == SHUT), None)
        is_soon = closing is not None and closing - now <= 60
        return ("closing_soon" if is_soon else "open", until and timestamp(until), NAMES[self.kinds[run]] or None)

    def sentence(self, now: int) -> tuple[str, str]:
        """The class and the words of its state on its page, without why it is closed."""
        _, style, words = self.row(now)
        if words.startswith("usually opens"):
            return style, "Closed. Usually" + words[7:]
        for short, long in [("closed, opens", "Closed. Opens"), ("closes ", "Closes at "),
                            ("usually until", "Usually open until")]:
            words = words.replace(short, long)
        return style, re.sub("^Opens", "Opens at", words[0].upper() + words[1:])

    def week(self, now: int) -> list[str]:
        """Of the days of its week whether it is open, and the holiday for which that is not confirmed."""
        days = [self.given.on(self.first + datetime.timedelta(now // DAY + ahead)) for ahead in range(7)]
        return [f"open {NAMES[what]}" if spans else "closed" for spans, what in days]

    def when(self, now: int, moment: int, is_end: bool) -> str:
        """A time as it is said in a minute."""
        ahead, date = moment // DAY - now // DAY, self.first + datetime.timedelta(moment // DAY)
        if ahead == 0 or ahead == 1 and is_end and moment % DAY <= 360:
            return clock(moment)
        if ahead <= 6:
            return f"{date:%a} {clock(moment)}"
        year = f" {date.year}" if date.year != (self.first + datetime.timedelta(now // DAY)).year else ""
        return f"{date:%a} {date.day} {date:%b}{year}"


@cache
def midnight(date: datetime.date) -> int:
    return int(datetime.datetime.combine(date, datetime.time(), ZONE).timestamp())


def clock(moment: int) -> str:
    hour, rest = divmod(moment % DAY, 60)
    if rest == 0 and hour in (0, 12):
        return "noon" if hour else "midnight"
    return f"{hour % 12 or 12}{f':{rest:02}' if rest else ''} {'am' if hour < 12 else 'pm'}"


class Moment(NamedTuple):
    """A minute of a window, and what pages must say then."""

    first: datetime.date
    places: list[Place]
    now: int

    @property
    def timestamp(self) -> int:
        return self.at(self.now)

    def at(self, minute: int) -> int:
        return midnight(self.first + datetime.timedelta(minute // DAY)) + minute % DAY * 60

    def open(self, now: int) -> list[Place]:
        """What is surely open, and then what usually is."""
        return [*(place for place in self.places if place.kind(now) == OPEN),
                *(place for place in self.places if place.kind(now) > OPEN)]

    def home(self, page: str) -> list[tuple[object, object]]:
        """What the home page says, and what it must say: what is open, and until when nothing else is to be said."""
        shown, end = self.open(self.now), (self.now // DAY + 1) * DAY
        change = next((at for at in range(self.now + 1, end)
                       if any(place.kind(at) != place.kind(self.now) for place in self.places)
                       or any(place.row(at) != place.row(self.now) for place in shown[:8])), end)
        until = int(re.search(r'data-until="(\d+)"', page)[1])
        return [(rows(page), [place.row(self.now) for place in shown[:8]]),
                (self.timestamp < until <= self._replace(now=change).timestamp, True)]

    def place(self, page: str, place: Place) -> list[tuple[object, object]]:
        """The state and the week on the page of a place."""
        style, words = re.search(r'<p><span class="state ([a-z ]*)">(.*?)</span>', page).groups()
        table = re.search(r'<table class="week">(.*?)</table>', page, re.S)[1].split("<tr")[1:8]
        days = [" ".join(re.sub("<[^>]*>", " ", html.unescape(row.split("</th>")[1])).split()) for row in table]
        unsure = [re.search("not confirmed for (.*)", day) for day in days]
        found = ["closed" if day.startswith("closed") else f"open {unsure[at][1] if unsure[at] else ''}"
                 for at, day in enumerate(days)]
        words = re.sub(r"^Closed: [^.]*", "Closed", html.unescape(words))
        return [((style, words), place.sentence(self.now)), (found, place.week(self.now))]

    def api(self, url: str) -> list[tuple[object, object]]:
        """The open states of all places, and both sets of what is open."""
        def ask(query: str) -> list[dict[str, Any]]:
            return send(url, f"/api/v1/businesses?all=true&fields=name,open_state{query}").json()["items"]

        seconds = lambda text: text and int(datetime.datetime.fromisoformat(text).timestamp())  # noqa: E731
        states = [(item["name"], item["open_state"]["status"], seconds(item["open_state"]["until"]),
                   item["open_state"].get("unconfirmed", {}).get("holiday")) for item in ask("")]
        wanted = [(place.name, *place.state(self.now, self.at)) for place in self.places]
        sets = [[item["name"] for item in ask(f"&open_now={value}")] for value in ("true", "confirmed")]
        return [(states, wanted), (sets[0], [place.name for place in self.places if place.kind(self.now) != SHUT]),
                (sets[1], [place.name for place in self.places if place.kind(self.now) == OPEN])]

    def listed(self, page: str, number: int) -> list[tuple[object, object]]:
        shown = self.places[number * PER_PAGE:(number + 1) * PER_PAGE]
        return [(rows(page), [place.row(self.now) for place in shown])]


def rows(page: str) -> list[tuple[str, str, str]]:
    """Of each place in a list its name, the class of its state and its words."""
    found = re.findall(r'<li data-key="b\d+">.*?<span class="name" dir="auto">(.*?)</span>'
                       r'<span class="state ([a-z ]*) n">(.*?)</span><span class="sub">', page)
    return [(name, style, " ".join(html.unescape(re.sub(r"<[^>]*>", " ", words)).replace("\u00a0", " ").split()))
            for name, style, words in found]


def compare(binary: Path, data: Path, moments: list[Moment], row: Row) -> None:
    """Servers whose clocks stand."""
    for index, moment in enumerate(moments):
        at = datetime.datetime.fromtimestamp(moment.timestamp + 59 * (index % 2), datetime.UTC)  # hours have no seconds
        server = Server(binary, data, "--now", f"{at:%Y-%m-%dT%H:%M:%SZ}").ready()
        number = index % (len(moment.places) // PER_PAGE)
        found = moment.home(send(server.url, "/").body.decode())
        found += moment.listed(send(server.url, f"/businesses?page={number + 1}").body.decode(), number)
        place = moment.places[index % len(moment.places)]
        found += moment.place(send(server.url, f"/businesses/{place.name.lower().replace(' ', '-')}").body.decode(), place)
        found += moment.api(server.url)
        server.kill()
        tell(row, f"{at}, page {number + 1}", found)


def tell(row: Row, at: str, found: list[tuple[object, object]]) -> None:
    for got, wanted in found:
        lines = zip(got, wanted) if isinstance(got, list) and isinstance(wanted, list) else [(got, wanted)]
        row.check(got == wanted, at, [pair for pair in lines if pair[0] != pair[1]])


def run_on(binary: Path, data: Path, moment: Moment, row: Row) -> None:
    """A server whose clock runs over a change of state: what it has cached is not served after it."""
    at = datetime.datetime.fromtimestamp(moment.timestamp - 4, datetime.UTC)
    server = Server(binary, data, "--now", f"{at:%Y-%m-%dT%H:%M:%SZ}", "--now-ticks").ready()
    number = next(index for index, place in enumerate(moment.places)
                  if place.row(moment.now) != place.row(moment.now - 1)) // PER_PAGE
    is_over = False
    while not is_over:
        for path in ["/", f"/businesses?page={number + 1}"]:
            answer = send(server.url, path)
            page, date = answer.body.decode(), email.utils.parsedate_to_datetime(answer.headers["Date"]).timestamp()
            minute = (date - moment.timestamp) // 60
            # Without the second in which the minute may have changed meanwhile.
            if (date + 1 - moment.timestamp) // 60 == minute:
                is_over = minute >= 0
                now = moment._replace(now=int(moment.now + minute))
                tell(row, f"{path}, {minute} of {at}", now.home(page) if path == "/" else now.listed(page, number))
        time.sleep(0.3)
    server.kill()


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    chance = random.Random(19)
    given = {f"Place {number:03}": Given(hours(chance), chance.choice(SPECIAL), chance.choice(ANSWERS))
             for number in range(60 if short else 120)}
    businesses = [place.record(name) for name, place in given.items()]
    (folder / "town.json").write_text(json.dumps({
        "settings": [{"id": 1, "name": "Sooke", "time_zone": ZONE.key, "holidays": "CA-BC"}],
        "categories": [{"name": "A", "slug": "a"}], "businesses": businesses}))
    load(binary, folder / "data", folder / "town.json", "--settings")
    moments, changes = list[Moment](), list[Moment]()
    for first, count in WINDOWS:
        places = [Place(name, place, first) for name, place in given.items()]
        every = [Moment(first, places, now) for now in range(DAY, DAY * (1 + count))]
        edges = [each for each in every if any(place.row(each.now) != place.row(each.now - 1) for place in places)]
        near = {at for each in edges[::5] for at in (each.now - 1, each.now)} | {each.now for each in every[::180]}
        moments += [each for each in every if not short or each.now in near]
        changes += [edges[len(edges) // 3], edges[-1]]
    still, running = Row("pages and API around holidays"), Row("pages while the clock runs over a change")
    copies = [shutil.copytree(folder / "data", folder / f"copy-{each}", ignore=shutil.ignore_patterns("*.sock"))
              for each in range(2 + len(changes))]
    with ThreadPoolExecutor(len(copies)) as pool:
        tasks = [pool.submit(compare, binary, copies[each], moments[each::2], still) for each in range(2)]
        tasks += [pool.submit(run_on, binary, data, moment, running) for data, moment in zip(copies[2:], changes)]
        for task in tasks:
            task.result()
    still.figures = f"{len(moments):,} moments, {len(given)} places, {still.cases:,} comparisons"
    return [still, running]
