"""The figures as text, as a table in Markdown, and as JSON."""

import json
import os
import re
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path

from results import Result


def facts(folder: Path, runs: int, seconds: float) -> dict[str, str]:
    """When, on what and how the figures were taken."""
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    device = os.stat(folder).st_dev
    kinds = [kind for _, where, kind, *_ in mounts if os.path.exists(where) and os.stat(where).st_dev == device]
    return {"date": f"{datetime.now(timezone.utc):%Y-%m-%d}",
            "processor": model[1] if model else os.uname().machine, "cores": str(len(os.sched_getaffinity(0))),
            "kernel": f"Linux {os.uname().release}", "file system": kinds[-1] if kinds else "unknown",
            "rounds": str(runs), "seconds": f"{seconds:g}"}


def heading(facts: dict[str, str]) -> str:
    cores = "core" if facts["cores"] == "1" else "cores"
    return (f"{facts['date']}, {facts['processor']}, {facts['cores']} {cores}, {facts['kernel']}, "
            f"{facts['file system']}; medians (± half the range) of {facts['rounds']} rounds in turn, "
            f"{facts['seconds']} s each")


def line(result: Result) -> str:
    """One result while the others are still to come."""
    if result.skipped or result.broken:
        return f"-- {result.what}: " + (f"skipped: {result.skipped}" if result.skipped else f"BROKEN: {result.broken}")
    sides = ", ".join(f"{side.name} {side}" for side in result.sides)
    verdict = f" (must {result.bound.must:g}, aim {result.bound.aim:g}: {result.reached})" if result.bound else ""
    return f"== {result.what}: {result.figure}{verdict}; {sides}{f'; {result.remark}' if result.remark else ''}"


def rows(results: list[Result]) -> list[list[str]]:
    """The cells of the table, its head first."""
    cells = [["measure", "figure", "must", "aim", "reached", "sooke", "the other"]]
    for result in results:
        sides = [str(side) for side in result.sides[:1]] + [f"{side.name} {side}" for side in result.sides[1:2]]
        bound = [limit(result, result.bound.must), limit(result, result.bound.aim)] if result.bound else ["", ""]
        figure = "–" if result.skipped or result.broken else result.figure
        verdict = result.reached or ("skipped" if result.skipped else "")
        cells.append([result.what, figure, *bound, verdict, *(sides + ["", ""])[:2]])
    return cells


def limit(result: Result, value: float) -> str:
    assert result.bound
    return f"{'≤' if result.bound.at_most else '≥'} {value:g}"


def text(facts: dict[str, str], results: list[Result]) -> str:
    cells = rows(results)
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
    reasons = {result.what: result.broken or result.skipped for result in results}
    notes = [f"{what}: {reason}" for what, reason in reasons.items() if reason]
    return "\n".join([heading(facts), "", *lines, *notes, ""])


def markdown(facts: dict[str, str], results: list[Result]) -> str:
    head, *body = rows(results)
    lines = ["|" + "|".join(f" {cell} " for cell in head) + "|", "|---|--:|--:|--:|---|--:|--:|"]
    lines += ["|" + "|".join(f" {cell} " for cell in row) + "|" for row in body]
    return "\n".join([heading(facts), "", *lines, ""])


def json_text(facts: dict[str, str], results: list[Result]) -> str:
    return json.dumps({"machine": facts, "results": [
        {**asdict(result), "reached": result.reached} for result in results]}, indent=1, ensure_ascii=False) + "\n"
