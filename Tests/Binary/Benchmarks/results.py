"""What a measure gives: a figure, the bound it is held to, and the values it comes from."""

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Bound:
    """What a figure must reach and what it aims at; `at_most` where less is better."""

    must: float
    aim: float
    at_most: bool = False

    def holds(self, value: float, limit: float) -> bool:
        return value <= limit if self.at_most else value >= limit


@dataclass
class Side:
    """One of those that are compared: what was read of it in each round."""

    name: str
    unit: str
    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def spread(self) -> float:
        """From the least value to the greatest, as a share of the median."""
        return (max(self.values) - min(self.values)) / self.median if self.median else 0.0

    def __str__(self) -> str:
        spread = f" ±{self.spread * 50:.0f} %" if len(self.values) > 1 else ""
        return f"{number(self.median)} {self.unit}{spread}"


@dataclass
class Result:
    """One row of the table; without a bound it is for information."""

    what: str
    bound: Bound | None = None
    value: float = 0.0
    unit: str = "×"
    sides: list[Side] = field(default_factory=list)
    remark: str = ""
    skipped: str = ""  # why it cannot be taken on this machine
    broken: str = ""  # why it could not be taken, which counts as missed

    @property
    def reached(self) -> str:
        """`aim`, `must` or `missed`; empty where there is nothing to reach."""
        if self.broken:
            return "missed"
        if self.skipped or not self.bound:
            return ""
        if self.bound.holds(self.value, self.bound.aim):
            return "aim"
        return "must" if self.bound.holds(self.value, self.bound.must) else "missed"

    @property
    def figure(self) -> str:
        return f"{number(self.value)} {self.unit}"


def compare(what: str, bound: Bound | None, ours: Side, other: Side, remark: str = "") -> Result:
    """How many times the median of one side is that of the other."""
    return Result(what, bound, ours.median / other.median, "×", [ours, other], remark)


def number(value: float) -> str:
    """Three digits that count, and all of a large number."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def missed(results: Iterable[Result]) -> list[Result]:
    return [result for result in results if result.reached == "missed"]
