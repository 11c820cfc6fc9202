"""What a measure gives: a figure, the bound it is held to, and the values it comes from; and the table of all."""

import re
import statistics
from dataclasses import dataclass, field
from pathlib import Path

from checks import machine


@dataclass(frozen=True)
class Bound:
    """What a figure must reach and what it aims at; `at_most` where less is better."""

    must: float
    aim: float
    at_most: bool = False

    def holds(self, value: float, limit: float) -> bool:
        return value <= limit if self.at_most else value >= limit

    def text(self, limit: float) -> str:
        return f"{'≤' if self.at_most else '≥'} {limit:g}"


@dataclass
class Side:
    """One of those that are compared: what was read of it in each round."""

    name: str
    unit: str
    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def __str__(self) -> str:
        spread = (max(self.values) - min(self.values)) / self.median * 50 if self.median else 0.0
        return f"{number(self.median)} {self.unit}" + (f" ±{spread:.0f} %" if len(self.values) > 1 else "")


@dataclass
class Result:
    """One row of the table; without a bound it is for information."""

    what: str
    bound: Bound | None = None
    value: float = 0.0
    unit: str = "×"
    sides: list[Side] = field(default_factory=list)
    remark: str = ""  # also why it was skipped, or is missed without a figure

    @property
    def reached(self) -> str:
        """`aim`, `must` or `missed`; empty where there is nothing to reach."""
        if not self.sides:
            return "missed" if self.bound else ""
        if not self.bound:
            return ""
        if self.bound.holds(self.value, self.bound.aim):
            return "aim"
        return "must" if self.bound.holds(self.value, self.bound.must) else "missed"

    @property
    def figure(self) -> str:
        return f"{number(self.value)} {self.unit}" if self.sides else "–"

    @property
    def row(self) -> str:
        """The row of the table, in Markdown."""
        limits = [self.bound.text(self.bound.must), self.bound.text(self.bound.aim)] if self.bound else ["", ""]
        sides = [str(side) for side in self.sides[:1]] + [f"{side.name} {side}" for side in self.sides[1:2]]
        ours, other = (sides + ["", ""])[:2]
        cells = [self.what, self.figure, *limits, self.reached, ours, other or ("" if self.sides else self.remark)]
        return "| " + " | ".join(cells) + " |"


def single(what: str, bound: Bound | None, unit: str, values: list[float], remark: str = "") -> Result:
    """The median of values that are held to a bound by themselves."""
    side = Side("sooke", unit, values)
    return Result(what, bound, side.median, unit, [side], remark)


def compare(what: str, bound: Bound | None, ours: Side, other: Side, remark: str = "") -> Result:
    """How many times the median of one side is that of the other."""
    return Result(what, bound, ours.median / other.median, "×", [ours, other], remark)


def number(value: float) -> str:
    """Three digits that count, and all of a large number."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def heading(rounds: int, seconds: float) -> str:
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    return (f"{machine()}, {model[1] if model else 'unknown processor'}; medians (± half the range) of {rounds} rounds "
            f"in turn, {seconds:g} s each")


def table(results: list[Result]) -> str:
    head = "| measure | figure | must | aim | reached | sooke | the other |\n|---|--:|--:|--:|---|--:|--:|"
    return "\n".join([head, *(result.row for result in results)])
