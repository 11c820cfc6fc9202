"""What people write is text on the pages: no markup, no script, and nothing that a policy has to stop."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import html5lib

import texts
from browser import Browser
from checks import Row
from towns import Pages, town_of

SPACE = re.compile(r"[ \t\n\r\f]+")
PARAMETERS = [("/businesses", ["q", "category", "open", "near", "page"]), ("/events", ["when", "type", "business", "from"]),
              ("/sitemap.xml", ["part"])]
# Every text of the page, without those of its one script.
NODES = """const found = [], walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) if (walk.currentNode.parentNode.tagName !== 'SCRIPT') found.push(walk.currentNode.data);
const handlers = [...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames()).filter(n => n.startsWith('on'));
return [found, document.scripts.length, handlers];"""
# Where the pages begin another paragraph.
BREAK = re.compile("[\n\v\f\r\x85\u2028\u2029]+")


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = town_of(binary, folder / "data", texts.town())
    browser = Browser()
    shown = texts.TEXTS[::6] if short else texts.TEXTS
    rows = [records(town, browser, shown), lists(town, browser), parsed(town),
            parameters(town, browser, shown, texts.TEXTS[::3] if short else texts.TEXTS)]
    browser.stop()
    return rows


def stored(town: Pages, path: str) -> dict[str, Any]:
    """A record as the API has it: an import trims texts."""
    return town.get(f"/api/v1{path}").json()


def expected(record: dict[str, Any]) -> list[str]:
    """The texts of a record that its page shows."""
    found = [record["name"], *BREAK.split(record["description"] or "")]
    found += [record[key] for key in ("address", "phone") if record.get(key)]
    found += [row["reason"] for row in record.get("special_hours", [])]
    for menu in record.get("menus", []):
        found += [menu["name"], menu["description"]]
        found += [item[key] for item in menu["items"] for key in ("name", "description")]
    return [text for text in found if text]


def plain(text: str) -> str:
    return SPACE.sub(" ", text).strip()


def look(browser: Browser, row: Row, what: str, wanted: list[str]) -> None:
    """Compares the texts of the page that is open, and looks for anything that ran or was refused."""
    nodes, scripts, handlers = browser.js(NODES)
    found = {plain(text) for text in nodes}
    missing = [text for text in wanted if plain(text) not in found]
    row.check(not missing, f"{what} shows what was written", missing[:3])
    row.check(scripts <= 2 and not handlers, f"{what} has its own scripts alone", (scripts, handlers))
    row.check(not browser.js("return ran"), f"{what} runs nothing", browser.js("return ran"))
    refused = [line for line in browser.refused() if "Failed to load resource" not in line]
    row.check(not refused, f"{what} has nothing to refuse", refused)


def records(town: Pages, browser: Browser, shown: list[str]) -> Row:
    """The pages of businesses and events, each with one text in all fields."""
    row = Row("texts of strangers on the pages of records")
    for text in shown:
        number = texts.TEXTS.index(text) + 1
        for path in [f"/businesses/b-{number}", f"/events/e-{number}"]:
            record = stored(town, path)
            browser.open(town.url + path)
            look(browser, row, f"{path} ({text!r})", expected(record))
            row.check(browser.js("return document.querySelector('h1').textContent") == record["name"],
                      f"{path} has its name as heading")
            schemes = browser.js("return [...document.links].map(link => link.protocol)")
            row.check(set(schemes) <= {"http:", "https:", "mailto:", "tel:", "webcal:"}, f"{path} links only safely",
                      schemes)
    row.figures = f"{len(texts.TEXTS)} texts, {len(shown)} of them in the browser"
    return row


def lists(town: Pages, browser: Browser) -> Row:
    """Lists of many texts at once, with the names of categories and types."""
    row = Row("texts of strangers in lists")
    pages = (len(texts.TEXTS) + 19) // 20
    items = [stored(town, f"/businesses?per_page=20&page={page}")["items"] for page in range(1, pages + 1)]
    for page, part in enumerate(items, 1):
        browser.open(f"{town.url}/businesses?page={page}")
        look(browser, row, f"page {page} of the businesses", [item["name"] for item in part])
    types = [f"{number:02} {text}" for number, text in enumerate(texts.TEXTS[:30], 1)]
    browser.open(town.url + "/events")
    look(browser, row, "the events", [plain(name) for name in types])
    for path in ["/", "/week", "/nothing"]:
        browser.open(town.url + path)
        look(browser, row, path, ["Sooke " + texts.TEXTS[1]])
    return row


def parsed(town: Pages) -> Row:
    """All of them, read by a parser that takes nothing but the standard's HTML."""
    row = Row("texts of strangers, by a strict parser")
    for number in range(1, len(texts.TEXTS) + 1):
        for path in [f"/businesses/b-{number}", f"/events/e-{number}"]:
            body = town.get(path).body.decode()
            row.check(not faults(body), f"{path} is valid", faults(body))
            tree = html5lib.parse(body, namespaceHTMLElements=False)
            found = {plain(text) for text in tree.itertext()}
            missing = [text for text in expected(stored(town, path)) if plain(text) not in found]
            row.check(not missing, f"{path} has what was written", missing)
            titles = [plain(tree.findtext(".//title") or "")]
            row.check(titles[0].startswith(plain(stored(town, path)["name"])), f"{path} has it in its title", titles)
    return row


def faults(body: str) -> list[str]:
    """What the standard calls an error; a control character in a text is one that has no effect."""
    parser = html5lib.HTMLParser(strict=False)
    parser.parse(body.replace("\x7f", ""))
    return [f"{code} at {place}" for place, code, _ in parser.errors]


def parameters(town: Pages, browser: Browser, shown: list[str], sent: list[str]) -> Row:
    """Texts in place of slugs, searches and other parameters: a page that is valid, regardless of its status."""
    row = Row("texts of strangers in addresses")
    for text in sent:
        value = quote(text, safe="")
        paths = [f"/businesses/{value}", f"/events/{value}", f"/{value}"]
        paths += [f"{path}?{name}={value}" for path, names in PARAMETERS for name in names]
        for path in paths:
            answer = town.get(path)
            row.check(answer.status in (200, 400, 404), f"{path} is answered", answer.status)
            if answer.headers["Content-Type"].startswith("text/html"):
                row.check(not faults(answer.body.decode()), f"{path} is valid", faults(answer.body.decode()))
                row.check("<" not in text or text not in answer.body.decode(), f"{path} escapes it")
    for text in shown:
        browser.open(f"{town.url}/businesses?q={quote(text[:60], safe='')}")
        look(browser, row, f"a search for {text!r}", [])
        box = browser.js("return document.querySelector('#q')?.value")
        if box is not None:
            line = re.sub("[\r\n]", "", text[:60])  # a field of one line has no others
            row.check(plain(box) == plain(line), f"a search for {text!r} has it in its box", box)
    return row
