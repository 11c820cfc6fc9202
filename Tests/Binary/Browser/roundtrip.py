"""Hours go from texts to a town and back: what a form shows is what was meant, and sending it again changes nothing."""

import random
import re
from pathlib import Path
from typing import Any

from town import OWNER, PASSWORDS, good
from checks import Row
from forms import Client
from owners import PLACE, give_owner
from towns import Pages, demo_town

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
PATH = f"/account/businesses/{PLACE}/hours"
Span = tuple[int, int]  # minutes since midnight; the end of a night is on the next day
LATE = -1  # an end that nobody knows


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data")
    give_owner(town)
    owner, dice = Client(town.url).log_in(OWNER, PASSWORDS[OWNER]), random.Random(7)
    weeks, again = Row("weeks as texts, to the town and back"), Row("sending again what a form shows")
    for _ in range(30 if short else 300):
        one_week(town, owner, dice, weeks, again)
    return [weeks, again]


def one_week(town: Pages, owner: Client, dice: random.Random, weeks: Row, again: Row) -> None:
    """Types a random week, and looks at what becomes of it."""
    days = {day: random_day(dice) for day in DAYS}
    form = owner.form(PATH)
    holidays = [name for name in form if name.startswith("holiday.") and not name.endswith(".hours")]
    typed = {day: "" if spans is None else typed_day(spans, dice) for day, spans in days.items()}
    typed |= {name: dice.choice(["usual", "closed", "other"]) for name in holidays}
    typed |= {f"{name}.hours": typed_day([random_span(dice, 0, 1380)], dice) for name in holidays}
    answer = owner.post(PATH, form | typed)
    if not weeks.check(answer.status == 303, f"{typed} is saved",
                       re.findall(r'class="problem"[^>]*>(.*?)</span>', answer.body.decode())):
        return
    form, before = owner.form(PATH), state(town)
    wanted = {day: shown_day(spans) for day, spans in days.items()}
    shown = {day: form[day] for day in DAYS}
    weeks.check(shown == wanted, f"the form shows {typed}", [shown, wanted])
    stored = before[2]
    weeks.check({row["day_of_week"] for row in stored["hours"]}
                == {(number + 1) % 7 for number, day in enumerate(DAYS) if days[day] is not None},
                f"the API has the days of {typed}", stored["hours"])
    again.answered(owner.post(PATH, form), 303, "the same form")
    again.check(state(town) == before, f"{shown} again changes nothing", state(town))
    # What is shown means the same when somebody types it into an empty form.
    empty = {day: "" for day in DAYS} | {name: "usual" for name in holidays}
    again.answered(owner.post(PATH, form | empty), 303, "an empty week")
    retyped = {day: form[day] for day in DAYS} | {name: form[name] for name in form if name.startswith("holiday.")}
    again.answered(owner.post(PATH, owner.form(PATH) | retyped), 303, "the shown texts")
    found = state(town)[2]
    again.check(found["opening_hours"] == stored["opening_hours"] and special(found) == special(stored),
                f"{shown} means the same", (stored, found))


def special(place: dict[str, Any]) -> list[Any]:
    """The special days of a place; their order means nothing."""
    return sorted(tuple(row.values()) for row in place["special_hours"])


def state(town: Pages) -> tuple[str, int, Any]:
    """The version of the place, the number of commits of the town, and the place."""
    answer = good(town.ask("GET", f"/businesses/{PLACE}"))
    return answer.headers["ETag"], good(town.local("GET", "/admin/status")).json()["sequence"], answer.json()


def random_day(dice: random.Random) -> list[Span] | None:
    """Times of a day; None for an unknown day, empty for a closed one."""
    kind = dice.choices(["unknown", "closed", "all", "one", "split", "night", "late"], [1, 2, 1, 4, 4, 3, 1])[0]
    if kind in ("unknown", "closed"):
        return None if kind == "unknown" else []
    if kind == "all":
        return [(0, 1440)]
    first = random_span(dice, 300, 780)
    if kind == "one":
        return [first]
    start = dice.randrange(first[1] + 5, 1200, 5)
    return [first, {"split": (start, dice.randrange(start + 30, 1410, 5)), "late": (start, LATE),
                    "night": (start, dice.randrange(1440, 1440 + first[0], 5))}[kind]]


def random_span(dice: random.Random, low: int, high: int) -> Span:
    start = dice.randrange(low, high - 60, 5)
    return start, dice.randrange(start + 30, high, 5)


def typed_day(spans: list[Span], dice: random.Random) -> str:
    """The times as somebody writes them."""
    if not spans:
        return dice.choice(["closed", "Closed"])
    if spans == [(0, 1440)]:
        return dice.choice(["24 hours", "0:00-24:00", "24h"])
    # 10:10-11:20 could be the morning or the evening: the form asks.
    is_clear = all(start >= 780 or start < 600 and end < 1440 for start, end in spans)
    write = dice.choice([clock_12, clock_24] if is_clear else [clock_12])
    joint, to = dice.choice([", ", " & ", ","]), dice.choice(["-", " - ", " to ", "–"])
    return joint.join(write(start) + to + ("late" if end == LATE else write(end)) for start, end in spans)


def clock_24(minute: int) -> str:
    return "24:00" if minute == 1440 else f"{minute % 1440 // 60:02}:{minute % 60:02}"


def clock_12(minute: int) -> str:
    hour, rest = minute % 1440 // 60, minute % 60
    return f"{(hour + 11) % 12 + 1}{f':{rest:02}' if rest else ''} {'am' if hour < 12 else 'pm'}"


def shown_day(spans: list[Span] | None) -> str:
    """The times as the form writes them."""
    if not spans:
        return "" if spans is None else "closed"
    if spans == [(0, 1440)]:
        return "24 hours"
    return ", ".join(f"{spoken(start)} - {'late' if end == LATE else spoken(end)}" for start, end in spans)


def spoken(minute: int) -> str:
    return {0: "midnight", 720: "noon"}.get(minute % 1440) or clock_12(minute)
