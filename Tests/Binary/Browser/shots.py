"""Pictures of pages, with --shots, and the two of the README; and the week on one sheet of paper."""

import base64
import io
import re
from pathlib import Path
from typing import Any

from PIL import Image

from town import OWNER, PASSWORDS
from browser import DESKTOP, PHONE, Browser, until
from checks import Row
from forms import Hand
from towns import demo, town_of

HERE = Path(__file__).resolve().parent
folder: Path | None = None  # where pictures go; nowhere unless somebody asked for them
README_NOW = "2027-01-08T16:12:00-08:00"
LARGEST = 120_000
A4 = {"paperWidth": 8.27, "paperHeight": 11.69, "marginTop": 0.4, "marginBottom": 0.4, "marginLeft": 0.4,
      "marginRight": 0.4}


def take(browser: Browser, name: str) -> None:
    """Pictures of the page that is open on a phone and a desktop, light and dark."""
    for width, dark in [(PHONE, False), (PHONE, True), (DESKTOP, False), (DESKTOP, True)] if folder else []:
        browser.size(width, 844 if width == PHONE else 800, dark)
        whole = browser.js("return document.documentElement.scrollHeight") < 6000
        page = re.sub(r"[^\w-]+", "_", name).strip("_")
        browser.shot(folder / f"{page}-{width}-{'dark' if dark else 'light'}.png", whole)


def for_readme(binary: Path, temporary: Path) -> int:
    """The two pictures of the README, small enough for a repository; the exit status."""
    with demo(binary, "--now", README_NOW, "--password", PASSWORDS[OWNER]) as url:
        for name, width, height in [("phone", PHONE, 844), ("hours", DESKTOP, 960)]:
            hand = Hand(Browser().size(width, height))
            hand.browser.open(url + ("/" if name == "phone" else "/account/businesses/the-slack-tide-pub/hours"))
            if name == "hours":
                write_hours(hand)
            hand.browser.shot(temporary / f"{name}.png", whole=False)
            content = small((temporary / f"{name}.png").read_bytes())
            (HERE / f"{name}.png").write_bytes(content)
            print(f"{name}.png: {len(content):,} bytes")
            hand.browser.stop()
            if len(content) > LARGEST:
                return 1
    return 0


def write_hours(hand: Hand) -> None:
    """An owner writes the hours of some days, and sees how people will see them."""
    hand.log_in(OWNER, PASSWORDS[OWNER])
    until(lambda: hand.browser.every("#mon"), 10)
    for day, text in [("tue", "closed"), ("wed", "11:30-2, 5-10"), ("thu", "7-11")]:
        hand.fill(day, text)
    hand.browser.has("“7-11” could be the morning or the evening", 10)
    hand.browser.js("document.activeElement.blur(); scrollTo(0, document.querySelector('.two').offsetTop - 24)")


def small(content: bytes) -> bytes:
    """A picture with few colours."""
    with Image.open(io.BytesIO(content)) as picture:
        result = io.BytesIO()
        picture.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(result, "PNG", optimize=True)
        return result.getvalue()


def full_week(count: int) -> dict[str, Any]:
    """A week with some events, at places with long names: a town of this size has 28 in summer."""
    places = [{"id": n, "name": f"The Community Hall and Library on Church Road {n}", "slug": f"p-{n}",
               "category": "halls", "address": f"{n} A St", "phone": "250-555-0101",
               "website": "https://hall.example/", "opening_hours": "Mo-Su 09:00-17:00", "latitude": 48.37,
               "longitude": -123.7} for n in (1, 2, 3)]
    return {"categories": [{"id": 1, "name": "Halls", "slug": "halls"}],
            "event_types": [{"id": 1, "name": "All", "slug": "all"}], "businesses": places,
            "events": [{"id": n, "name": f"An Evening of Songs and Stories, Part {n}", "slug": f"e-{n}",
                        "event_type": "all", "business": f"p-{n % 3 + 1}", "status": "approved",
                        "starts_at": f"2027-01-{9 + n % 6:02}T{16 + n % 8}:00:00Z",
                        "ends_at": f"2027-01-{9 + n % 6:02}T{16 + n % 8}:45:00Z"} for n in range(count)]}


def printed(browser: Browser) -> bytes:
    return base64.b64decode(browser.command("Page.printToPDF", printBackground=True, **A4)["data"])


def run(binary: Path, temporary: Path, short: bool) -> list[Row]:
    """The week on paper, printed by the colours of the screen at night: paper is white all the same."""
    row, browser = Row("the week on paper"), Browser().size(1280, 800, dark=True)
    # What is on a page too much is on the next one, and nothing falls out.
    town = town_of(binary, temporary / "long", full_week(84))
    browser.open(town.url + "/week")
    row.check(len(re.findall(rb"/Type\s*/Page\b(?!s)", printed(browser))) == 3, "a long week has three pages")
    town.stop()
    town = town_of(binary, temporary / "data", full_week(28))
    browser.open(town.url + "/week")
    content = printed(browser)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "week.pdf").write_bytes(content)
    row.check(len(browser.every("main .row")) == 28, "the week has its events", browser.text)
    row.check(browser.text.count("250-555-0101") == 28, "each has the number of its place", browser.text)
    sheets = len(re.findall(rb"/Type\s*/Page\b(?!s)", content))
    row.check(sheets == 1, "the week is one page", sheets)
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    browser.command("Emulation.setEmulatedMedia", media="print", features=[dark])
    ground, ink = browser.js("""const style = e => getComputedStyle(document.querySelector(e));
      return [style('body').backgroundColor, style('h1').color];""")
    row.check(ground == "rgb(255, 255, 255)" and sum(map(int, re.findall(r"\d+", ink)[:3])) < 200,
              "paper is white and ink is dark", (ground, ink))
    row.check(not re.search("today|tomorrow", browser.text, re.I), "the week has dates alone", browser.text)
    row.check(browser.js("return document.querySelector('.code').getBoundingClientRect().width") > 80,
              "a code leads to the page")
    browser.open(town.url + "/businesses/p-1")
    row.check("250-555-0101" in browser.text and "hall.example" in browser.text,
              "a place on paper has its number and its website", browser.text)
    row.check("Today" not in browser.text and "Friday" in browser.text, "its hours by names of days", browser.text)
    browser.command("Emulation.setEmulatedMedia", media="")
    row.check("Today" in browser.text and "Visit" in browser.text, "a screen has its verbs", browser.text)
    browser.stop()
    return [row]
