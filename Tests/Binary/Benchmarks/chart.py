"""The figures as one bar each, in SVG: how many times what must be reached."""

import math
from xml.sax.saxutils import escape

from results import Result
from table import heading, limit

WIDTH, ROW, TOP, BOTTOM = 880, 24, 84, 40
LEFT, RIGHT = 410, 640  # where the scale begins and ends; names stand left of it, figures right
LEAST, MOST = 0.25, 8.0
STYLE = """\
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.card { fill: #ffffff; stroke: #d1d9e0 }
.title { font-size: 15px; font-weight: 600 }
.quiet { font-size: 11px; fill: #59636e }
.grid { stroke: #e4e8ec }
.line { stroke: #1f2328; stroke-width: 1.5 }
.goal { fill: #1f2328 }
.aim { fill: #1a7f37 } .must { fill: #2f81c7 } .missed { fill: #cf222e }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .card { fill: #151b23; stroke: #3d444d }
  .quiet { fill: #9198a1 }
  .grid { stroke: #2a313c }
  .line { stroke: #e6edf3 }
  .goal { fill: #e6edf3 }
  .aim { fill: #3fb950 } .must { fill: #539bf5 } .missed { fill: #f85149 }
}"""


def svg(facts: dict[str, str], results: list[Result]) -> str:
    """A small picture that can be read on a light and on a dark page."""
    shown = [result for result in results if result.bound and result.reached and not result.broken]
    height = TOP + ROW * len(shown) + BOTTOM
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" '
             f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
             "<title>What was measured, against what must be reached</title>", f"<style>\n{STYLE}\n</style>",
             f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
             text(20, 28, "How many times what must be reached", "title"), text(20, 48, heading(facts), "quiet")]
    parts += scale(height)
    for number, result in enumerate(shown):
        parts += bar(result, TOP + ROW * number + ROW / 2)
    parts += legend(height - 16)
    return "\n".join([*parts, "</svg>", ""])


def scale(height: int) -> list[str]:
    """The lines for ¼ to 8 times, the one of 1 in front."""
    parts = []
    for times, label in ((0.25, "¼"), (0.5, "½"), (1.0, "must"), (2.0, "2 ×"), (4.0, "4 ×"), (8.0, "8 ×")):
        x = place(times)
        style = "line" if times == 1 else "grid"
        parts.append(f'<line class="{style}" x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{height - BOTTOM + 4}"/>')
        parts.append(text(x, TOP - 12, label, "quiet", "middle"))
    return parts


def bar(result: Result, y: float) -> list[str]:
    """One figure: its bar goes from the line of what must be to the right when it is reached, else to the left."""
    assert result.bound
    start, end = sorted((place(1), place(times(result, result.value))))
    goal = place(times(result, result.bound.aim))
    return [
        text(20, y + 4, result.what),
        f'<rect class="{result.reached}" x="{start:.1f}" y="{y - 6:.1f}" width="{max(end - start, 1):.1f}" '
        'height="12" rx="2"/>',
        f'<path class="goal" d="M{goal:.1f} {y - 5:.1f}l4 5l-4 5l-4 -5z"/>',
        text(RIGHT + 28, y + 4, f"{result.figure}"),
        text(WIDTH - 20, y + 4, f"must {limit(result, result.bound.must)}, aim {limit(result, result.bound.aim)}",
             "quiet", "end"),
    ]


def legend(y: float) -> list[str]:
    parts, x = [], 20.0
    for style, label, width in (("aim", "aim reached", 100), ("must", "must reached", 106), ("missed", "missed", 74)):
        parts += [f'<rect class="{style}" x="{x}" y="{y - 9}" width="10" height="10" rx="2"/>',
                  text(x + 16, y, label, "quiet")]
        x += width
    return [*parts, f'<path class="goal" d="M{x + 5} {y - 9}l4 5l-4 5l-4 -5z"/>', text(x + 16, y, "aim", "quiet")]


def times(result: Result, value: float) -> float:
    """How many times better than what must be; less than 1 when it is worse."""
    assert result.bound
    if value <= 0:
        return MOST
    return result.bound.must / value if result.bound.at_most else value / result.bound.must


def place(times: float) -> float:
    """Where a ratio stands on the scale, which doubles with every step and ends at both ends."""
    share = math.log(min(max(times, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
    return LEFT + share * (RIGHT - LEFT)


def text(x: float, y: float, content: str, style: str = "", anchor: str = "start") -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(content)}</text>'
