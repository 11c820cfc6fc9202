"""The week on one sheet of paper."""

import base64
import re
from pathlib import Path
from typing import Any

import shots
from browser import Browser
from checks import Row
from towns import demo, town_of

A4 = {"paperWidth": 8.27, "paperHeight": 11.69, "marginTop": 0.4, "marginBottom": 0.4, "marginLeft": 0.4, "marginRight": 0.4}


def full() -> dict[str, Any]:
    """A week with as many events as a town of this size has in summer: 28, of which some are at places with long names."""
    places = [{"id": n, "name": f"The Community Hall and Library on Church Road {n}", "slug": f"p-{n}", "category": "halls",
               "address": f"{n} A St", "phone": "250-555-0101", "website": "https://hall.example/",
               "opening_hours": "Mo-Su 09:00-17:00", "latitude": 48.37, "longitude": -123.7} for n in (1, 2, 3)]
    return {"categories": [{"id": 1, "name": "Halls", "slug": "halls"}],
            "event_types": [{"id": 1, "name": "All", "slug": "all"}], "businesses": places,
            "events": [{"id": n, "name": f"An Evening of Songs and Stories, Part {n}", "slug": f"e-{n}", "event_type": "all",
                        "business": f"p-{n % 3 + 1}", "status": "approved",
                        "starts_at": f"2027-01-{9 + n % 6:02}T{16 + n % 8}:00:00Z",
                        "ends_at": f"2027-01-{9 + n % 6:02}T{16 + n % 8}:45:00Z"} for n in range(28)]}


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    row = Row("the week on paper")
    browser = Browser()
    shots.of_demo(binary, folder / "pictures")
    with demo(binary, folder, "--now", shots.README_NOW) as url:
        printed(browser, url, "demo", row)
    town = town_of(binary, folder / "data", full())
    printed(browser, town.url, "full", row)
    place(browser, town.url, row)
    browser.stop()
    return [row]


def place(browser: Browser, url: str, row: Row) -> None:
    """A place on paper has what its buttons had, and nothing that is over tomorrow."""
    browser.open(url + "/businesses/p-1")
    browser.command("Emulation.setEmulatedMedia", media="print")
    row.check("250-555-0101" in browser.text and "https://hall.example/" in browser.text, "its number and its website",
              browser.text)
    row.check("Today" not in browser.text and "Friday" in browser.text, "its hours by the names of the days", browser.text)
    browser.command("Emulation.setEmulatedMedia", media="")
    row.check("Today" in browser.text and "https://hall.example/" not in browser.text, "a screen has its buttons", browser.text)


def printed(browser: Browser, url: str, name: str, row: Row) -> None:
    """Prints the week, by the colours of the screen at night: paper is white all the same."""
    browser.size(1280, 800, dark=True).open(url + "/week")
    events = len(browser.every("main .row"))
    row.check(events > 0, f"there are events in the week of the {name}", browser.text)
    content = base64.b64decode(browser.command("Page.printToPDF", printBackground=True, **A4)["data"])
    if shots.folder:
        shots.folder.mkdir(parents=True, exist_ok=True)
        (shots.folder / f"week-{name}.pdf").write_bytes(content)
    pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", content))
    row.check(pages == 1, f"the week of the {name} is one page", pages)
    row.figures += f"{', ' if row.figures else ''}{events} events of the {name} on {pages} page"
    browser.command("Emulation.setEmulatedMedia", media="print",
                    features=[{"name": "prefers-color-scheme", "value": "dark"}])
    ground, ink = browser.js("""const style = e => getComputedStyle(document.querySelector(e));
      return [style('body').backgroundColor, style('h1').color];""")
    row.check(ground == "rgb(255, 255, 255)" and sum(map(int, re.findall(r"\d+", ink)[:3])) < 200,
              "paper is white and ink is dark", (ground, ink))
    row.check(not re.search("today|tomorrow", browser.text, re.I), f"the week of the {name} has dates alone", browser.text)
    browser.command("Emulation.setEmulatedMedia", media="")
