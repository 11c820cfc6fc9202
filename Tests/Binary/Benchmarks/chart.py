"""The figures as one bar each, in SVG: how many times what must be reached."""

import math
from xml.sax.saxutils import escape

from results import Bound, Result

WIDTH, ROW, TOP, BOTTOM = 880, 24, 84, 40
LEFT, RIGHT = 410, 640  # where the scale begins and ends; names are left of it, figures right
SCALE = {0.25: "¼", 0.5: "½", 1.0: "must", 2.0: "2 ×", 4.0: "4 ×", 8.0: "8 ×"}
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
  text, .goal { fill: #e6edf3 } .quiet { fill: #9198a1 }
  .card { fill: #151b23; stroke: #3d444d } .grid { stroke: #2a313c } .line { stroke: #e6edf3 }
  .aim { fill: #3fb950 } .must { fill: #539bf5 } .missed { fill: #f85149 }
}"""


def svg(heading: str, results: list[Result]) -> str:
    """A small picture that can be read on a light and on a dark page."""
    shown = [(result, result.bound) for result in results if result.bound and result.sides]
    height = TOP + ROW * len(shown) + BOTTOM
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" '
             f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
             "<title>What was measured, against what must be reached</title>", f"<style>\n{STYLE}\n</style>",
             f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
             text(20, 28, "How many times what must be reached", "title"), text(20, 48, heading, "quiet")]
    for times, label in SCALE.items():
        x, style = place(times), "line" if times == 1 else "grid"
        parts += [f'<line class="{style}" x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{height - BOTTOM + 4}"/>',
                  text(x, TOP - 12, label, "quiet", "middle")]
    for row, (result, bound) in enumerate(shown):
        parts += bar(result, bound, TOP + ROW * row + ROW / 2)
    for x, style, label in ((20, "aim", "aim reached"), (120, "must", "must reached"), (226, "missed", "missed")):
        parts += [f'<rect class="{style}" x="{x}" y="{height - 25}" width="10" height="10" rx="2"/>',
                  text(x + 16, height - 16, label, "quiet")]
    parts += [goal(305, height - 20), text(316, height - 16, "aim", "quiet")]
    return "\n".join([*parts, "</svg>", ""])


def bar(result: Result, bound: Bound, y: float) -> list[str]:
    """One figure: its bar goes from the line of what must be to the right when it is reached, else to the left."""
    start, end = sorted((place(1), place(times(bound, result.value))))
    limits = f"must {bound.text(bound.must)}, aim {bound.text(bound.aim)}"
    return [text(20, y + 4, result.what),
            f'<rect class="{result.reached}" x="{start:.1f}" y="{y - 6:.1f}" width="{max(end - start, 1):.1f}" '
            'height="12" rx="2"/>', goal(place(times(bound, bound.aim)), y), text(RIGHT + 28, y + 4, result.figure),
            text(WIDTH - 20, y + 4, limits, "quiet", "end")]


def goal(x: float, y: float) -> str:
    return f'<path class="goal" d="M{x:.1f} {y - 5:.1f}l4 5l-4 5l-4 -5z"/>'


def times(bound: Bound, value: float) -> float:
    """How many times better than what must be; less than 1 when it is worse."""
    return 8 if value <= 0 else bound.must / value if bound.at_most else value / bound.must


def place(times: float) -> float:
    """Where a ratio stands on the scale, which doubles with every step and ends at both ends."""
    least, most = min(SCALE), max(SCALE)
    return LEFT + math.log(min(max(times, least), most) / least) / math.log(most / least) * (RIGHT - LEFT)


def text(x: float, y: float, content: str, style: str = "", anchor: str = "start") -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(content)}</text>'
