"""Some days of a world of calendars, as the merge of reference has them, with what people do meanwhile."""

import random
from datetime import datetime

from entries import is_calendar
from generator import Answer, World
from merge import Calendar, Event, Town

Validator = tuple[str, str]  # the name of its header, and its value
Asked = dict[int, list[Validator | None]]  # with which validators a calendar was asked
Act = tuple[str, int, str]  # accept a calendar; settle one, and how; edit an event, and its title


class Replay:
    def __init__(self, world: World) -> None:
        self.world = world
        self.town = Town({f"playhouse-{number}": name for number, name in world.businesses().items()})
        self.random = random.Random(len(world.calendars))
        self.titles: dict[int, str] = {}  # by the identity of an event: what somebody wrote here
        self.touched: set[int] = set()  # what people or other calendars did in the last step
        self.outcomes: dict[int, tuple[int, bytes]] = {}
        self.was_good: dict[int, bool] = {}
        self.known: dict[int, Validator | None] = {}  # the validators of the last good answers
        self.all_known: set[tuple[int, Validator | None]] = set()  # and of all before
        self._waits: dict[int, int] = {}
        self.now: datetime = world.now
        for number in range(len(world.calendars)):
            host = f"playhouse-{number}" if number in world.businesses() else None
            self.town.calendars[number] = Calendar("queue" if number % 8 == 1 else "publish", host)

    def begin(self) -> dict[int, Answer]:
        """The answers of the next step."""
        self.now = self.world.now
        return self.world.answers()

    def merge(self, answers: dict[int, Answer], order: list[int], asked: Asked | None = None) -> None:
        """Merges them in the order in which they came, each as often as it was asked for."""
        for number in order:
            answer = answers[number]
            for known in [self.known.get(number)] if asked is None else asked[number]:
                status, body = self.outcomes[number] = answer.outcome(known)
                self.was_good[number] = is_good(status, body)
                self.town.fetch(number, status, body, self.now)
                if self.was_good[number]:
                    self.known[number] = answer.validator
                    self.all_known.add((number, answer.validator))

    def act(self) -> list[Act]:
        """What people do between two steps, in the town of reference, too."""
        acts: list[Act] = []
        self.touched = set()
        for number, calendar in self.town.calendars.items():
            if number % 8 and self.was_good.get(number) and not calendar.accepted:
                self.town.accept(number)
                acts.append(("accept", number, ""))
            self._waits[number] = self._waits.get(number, 0) + 1 if calendar.waiting else 0
            if self._waits[number] == 2 and (answer := ("gone", "keep", "")[number // 12 % 3]):
                self.town.settle(number, answer, self.now)
                acts.append(("settle", number, answer))
        fit = [event for event in self.town.events if self._may_edit(event)]
        for event in self.random.sample(fit, min(len(fit), 1 + len(self.town.calendars) // 20)):
            event.ours["name"] = self.titles[event.identity] = f"Our {event.ours['name']}"
            acts.append(("edit", event.identity, self.titles[event.identity]))
            if self.random.random() < 0.1:
                self.world.provoked.add((event.calendar, event.key))
        self.touched = {identity for act, identity, _ in acts if act == "edit"}
        return acts

    def _may_edit(self, event: Event) -> bool:
        # What has a twin is left alone: whether its twin is found under the new title depends on who was first.
        return not event.withdrawn_at and event.is_coming(self.now) and "Festival" not in str(event.ours["name"])

    def advance(self) -> list[Act]:
        """A whole step without a town beside it."""
        answers = self.begin()
        self.merge(answers, list(answers))
        return self.act()


def is_good(status: int, body: bytes) -> bool:
    return status == 304 or status == 200 and is_calendar(body)
