"""Pictures of pages: those that are asked for with --shots, and the two of the README."""

import io
import re
from pathlib import Path

from PIL import Image

from town import OWNER, PASSWORDS
from browser import DESKTOP, PHONE, Browser, until
from forms import Hand
from towns import PAGES, demo, demo_town

HERE = Path(__file__).resolve().parent
# Where pictures go; nowhere unless somebody asked for them.
folder: Path | None = None
README_NOW = "2027-01-08T16:12:00-08:00"
LARGEST = 120_000


def take(browser: Browser, url: str, name: str, paths: list[str]) -> None:
    """Pictures of some pages on a phone and a desktop, light and dark."""
    if folder is None:
        return
    for path in paths:
        for width, dark in [(PHONE, False), (PHONE, True), (DESKTOP, False), (DESKTOP, True)]:
            browser.size(width, 844 if width == PHONE else 800, dark).open(url + path)
            height = browser.js("return document.documentElement.scrollHeight")
            page = re.sub(r"[^\w-]+", "_", path).strip("_") or "home"
            browser.shot(folder / f"{name}-{page}-{width}-{'dark' if dark else 'light'}.png", whole=height < 6000)


def of_demo(binary: Path, data: Path) -> None:
    """Pictures of the demo's pages."""
    if folder is None:
        return
    browser = Browser()
    take(browser, demo_town(binary, data).url, "demo", PAGES)
    browser.stop()


def for_readme(binary: Path, temporary: Path) -> int:
    """The two pictures of the README, small enough for a repository; the exit status."""
    with demo(binary, temporary, "--now", README_NOW, "--password", PASSWORDS[OWNER]) as url:
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
    hand.browser.has("7-11 could be the morning or the evening", 10)
    hand.browser.js("document.activeElement.blur(); scrollTo(0, document.querySelector('.two').offsetTop - 24)")


def small(content: bytes) -> bytes:
    """A picture with few colours."""
    with Image.open(io.BytesIO(content)) as picture:
        result = io.BytesIO()
        picture.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(result, "PNG", optimize=True)
        return result.getvalue()
