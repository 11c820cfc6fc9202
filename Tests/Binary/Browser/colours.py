"""The contrast of the colours of all themes, light and dark, by the formula of WCAG 2.2."""

import re
from pathlib import Path

from checks import Row

SHEET = Path(__file__).resolve().parents[3] / "Sources" / "Site" / "Assets" / "site.css"
# A colour of text and the grounds on which it stands.
TEXT = {"ink": ["paper", "card", "warn-soft", "soon-soft", "accent-soft", "found"], "soft": ["paper", "card", "accent-soft"],
        "accent": ["paper", "card", "accent-soft"], "on-accent": ["accent"], "open": ["paper", "card", "accent-soft"],
        "soon": ["paper", "card", "accent-soft", "soon-soft"], "closed": ["paper", "card", "accent-soft"],
        "warn": ["paper", "card", "warn-soft"]}


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    row = Row("contrast of five themes, light and dark")
    worst = 21.0
    schemes = themes(SHEET.read_text())
    row.check(len(schemes) == 10, "there are five themes in two modes", sorted(schemes))
    for name, colours in schemes.items():
        for front, grounds in TEXT.items():
            for ground in grounds:
                value = contrast(colours[front], colours[ground])
                worst = min(worst, value)
                row.check(value >= 4.5, f"{name}: {front} on {ground}", f"{value:.2f}")
        for ground in ("card", "paper"):
            value = contrast(colours["edge"], colours[ground])
            row.check(value >= 3, f"{name}: the edge of controls on {ground}", f"{value:.2f}")
    row.figures = f"the least is {worst:.2f} : 1"
    return [row]


def themes(sheet: str) -> dict[str, dict[str, str]]:
    """The colours of each theme in each mode; the first theme has those that the others have not."""
    light, _, dark = sheet.partition("@media screen and (prefers-color-scheme: dark)")
    found = {}
    base: dict[str, str] = {}
    for mode, part in [("light", light), ("dark", dark)]:
        blocks = re.findall(r':root(?:\[data-theme="(\w+)"\])? \{([^}]*)\}', part)
        for name, block in blocks:
            colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
            if not colours:
                continue
            base = colours if not name else base
            found[f"{name or 'harbour'}, {mode}"] = {**base, **colours}
    return found


def luminance(colour: str) -> float:
    parts = [int(colour[index:index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
