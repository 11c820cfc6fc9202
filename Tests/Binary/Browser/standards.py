"""Every page by the rules of others: axe-core, HTML, schema.org, and what hands and eyes need."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

from axe_core_python.selenium import Axe

from browser import DESKTOP, NARROW, PHONE, Browser
from checks import Row
from markup import faults
from towns import PAGES, Pages, crawl, demo_town

REQUIRED = {"LocalBusiness": ["name", "address", "url", "@id"], "Event": ["name", "startDate", "location", "eventStatus"]}
# Controls, and links that do not stand in a text, that are smaller than a thumb.
SMALL = """return [...document.querySelectorAll('a, button, input, select, summary, label.chip, label.option')].filter(e => {
  const box = e.getBoundingClientRect(), style = getComputedStyle(e);
  if (!e.checkVisibility({opacityProperty: true}) || style.clipPath !== 'none') return false;
  if (e.tagName === 'INPUT' && e.closest('label.chip, label.option')) return false;
  const words = n => [...n.childNodes].some(c => c.nodeType === 3 && /\\w/.test(c.data));
  if (style.display === 'inline' && words(e.parentElement)) return false;
  return box.width < 43.9 || box.height < 43.9;
}).map(e => e.tagName + ' ' + e.textContent.trim().slice(0, 30) + ' ' + JSON.stringify(e.getBoundingClientRect()));"""
# What sticks out at the right, unless it is in a part that scrolls by itself.
WIDE = """const limit = document.documentElement.clientWidth, wide = [];
for (const e of document.body.querySelectorAll('*')) {
  const box = e.getBoundingClientRect();
  if (box.right > limit + 1 && box.width && !e.closest('.chips') && !e.closest('svg') &&
      getComputedStyle(e).clipPath === 'none') wide.push(e.tagName + '.' + e.className + ' ' + Math.round(box.right));
}
return [document.documentElement.scrollWidth - limit, wide.slice(0, 3)];"""


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data")
    browser = Browser()
    rows = [axe(town, browser, short), fits(town, browser), unstyled(town, browser), valid(town), data(town), weight(town)]
    browser.stop()
    return rows


def axe(town: Pages, browser: Browser, short: bool) -> Row:
    row = Row("axe-core")
    rules = Axe()
    sizes = [(PHONE, False), (DESKTOP, True)] if short else [(w, d) for w in (PHONE, DESKTOP) for d in (False, True)]
    for path in PAGES:
        browser.open(town.url + path)
        for width, dark in sizes:
            browser.size(width, 844, dark)
            found = rules.run(browser.driver)["violations"]
            row.check(not found, f"{path} at {width} px, {'dark' if dark else 'light'}",
                      [(item["id"], [node["html"][:120] for node in item["nodes"][:3]]) for item in found])
    row.figures = f"{len(PAGES)} pages, {len(sizes)} sizes and colours"
    return row


def fits(town: Pages, browser: Browser) -> Row:
    """No page is wider than a small phone, and nothing to touch is smaller than a thumb."""
    row = Row("small phones and thumbs")
    for path in PAGES:
        browser.size(NARROW).open(town.url + path)
        row.check(overflow(browser) == [], f"{path} fits into {NARROW} px", overflow(browser))
        small = browser.size(PHONE).js(SMALL)
        row.check(not small, f"{path} has targets of 44 px", small[:4])
    return row


def overflow(browser: Browser) -> list[Any]:
    """How much wider than the screen the page is, and by what; empty for nothing."""
    more, parts = browser.js(WIDE)
    return [more, *parts] if more > 0 or parts else []


def unstyled(town: Pages, browser: Browser) -> Row:
    """Without its stylesheet a page can be read: in order, with headings, and no drawing that fills the screen."""
    row = Row("pages without their stylesheet")
    browser.size(PHONE)
    browser.command("Network.enable")
    browser.command("Network.setBlockedURLs", urls=["*.css"])
    for path in PAGES:
        browser.open(town.url + path)
        levels = [int(name[1]) for name in browser.js(
            "return [...document.querySelectorAll('h1, h2, h3')].filter(h => h.checkVisibility()).map(h => h.tagName)")]
        row.check(browser.js("return getComputedStyle(document.body).margin") == "8px", f"{path} has no stylesheet")
        row.check(levels[0] == 1 and levels.count(1) == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:])),
                  f"the headings of {path} are in order", levels)
        row.check(len(browser.text) > 60, f"{path} has its content", browser.text)
        order = browser.js("""return ['header', 'main', 'footer']
          .map(name => document.querySelector(name).getBoundingClientRect().top)""")
        row.check(order == sorted(order), f"{path} is in order", order)
        largest = browser.js("return Math.max(0, ...[...document.querySelectorAll('svg')].map(s => s.clientWidth))")
        row.check(largest <= 24, f"the drawings of {path} are small", largest)
    browser.command("Network.setBlockedURLs", urls=[])
    return row


def valid(town: Pages) -> Row:
    """Every page to which pages lead is valid HTML and there."""
    row = Row("pages that can be reached from pages")
    answers = crawl(town, [path for path in PAGES if "not-here" not in path], 600)
    for path, answer in answers.items():
        row.check(answer.status < 400, f"{path} is there", answer.status)
        if answer.headers["Content-Type"].startswith("text/html") and not path.startswith("/docs"):
            row.check(not faults(answer.body.decode()), f"{path} is valid HTML", faults(answer.body.decode()))
    row.figures = f"{len(answers)} addresses"
    return row


def data(town: Pages) -> Row:
    """The data of each business and event for search engines."""
    row = Row("data for search engines")
    counts = {name: 0 for name in REQUIRED}
    for path in re.findall(r"<loc>[^<]*?(/(?:businesses|events)/[^<]+)</loc>", town.get("/sitemap.xml").body.decode()):
        body = town.get(path).body.decode()
        parts = re.findall(r'<script type="application/ld\+json">(.*?)</script>', body, re.S)
        row.check(len(parts) == 1, f"{path} has data")
        for part in parts:
            value = json.loads(part)
            kind = value["@type"]
            missing = [name for name in REQUIRED[kind] if not value.get(name)]
            row.check(not missing and value["url"] == town.url + path, f"{path}: {kind} is complete",
                      missing or value["url"])
            counts[kind] += 1
            place = value["address"] if kind == "LocalBusiness" else value["location"]
            row.check(place.get("@type") in ("PostalAddress", "Place"), f"{path} has a place", place)
    row.check(min(counts.values()) > 5, "there are some of each", counts)
    row.figures = ", ".join(f"{count} of {name}" for name, count in counts.items())
    return row


def weight(town: Pages) -> Row:
    """What a first visit loads: the page, its stylesheet and its script, compressed; and how large the two are."""
    row = Row("a first visit")
    body = gzip.decompress(town.get("/", Accept_Encoding="gzip").body).decode()
    total = 0
    for path in ["/", *re.findall(r'"(/assets/[^"]+|/icon.svg|/site.webmanifest)"', body)]:
        answer = town.get(path, Accept_Encoding="gzip")
        total += len(answer.body)
        most = 18_000 if path.endswith(".css") else 8_000 if path.endswith(".js") else 40_000
        whole = len(town.get(path).body)
        row.check(answer.status == 200 and whole <= most, f"{path} has at most {most:,} bytes", whole)
    row.check(total <= 20_000, "it loads at most 20 kB", total)
    row.figures = f"{total:,} bytes"
    return row
