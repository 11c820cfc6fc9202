"""What people write is text on the pages: no markup, no script, nothing that a policy has to stop, and it fits."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import html5lib

import shots
from browser import DESKTOP, NARROW, PHONE, Browser
from checks import Row
from pages import faults, overflow
from towns import Pages, town_of

TEXTS = [
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>", "\" onmouseover=\"alert(1)",
    "' onfocus='alert(1)' autofocus='", "javascript:alert(1)", "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>", "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>", "<!--<script>alert(1)//-->", "--><script>alert(1)</script>",
    "<![CDATA[<script>alert(1)</script>]]>", "<iframe srcdoc='<script>alert(1)</script>'>",
    "<a href=javascript:alert(1)>x</a>", "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0;url=//e.example>",
    "<link rel=stylesheet href=//evil.example/x.css>", "<form action=//evil.example><button>x",
    "<math><mtext><script>alert(1)", "<object data=//evil.example>", "<details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)>", "<body onload=alert(1)>", "</main></body></html>x",
    "<template><script>alert(1)</script>", "`${alert(1)}`", "{{constructor.constructor('alert(1)')()}}",
    "\\\"-alert(1)-\\\"", "\\u003cscript\\u003ealert(1)", "%3Cscript%3Ealert(1)%3C/script%3E",
    "&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;script&#62;", "&amp;amp; &nbsp; &copy; &notit; &",
    "a & b < c > d \" e ' f", "\\\\\"", "\u202eevil\u202c", "\u200fmark\u200e", "\u2028line\u2029par",
    "zero\u200bwidth\u200d\ufeff", "\u0301combining first", "𝄞 👩‍👩‍👧 🇨🇦", "ﷺ ﷽ ﷽", "\x7fdelete",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
]
LONG = ("The Extraordinarily Long Name of a Shop at the Corner " * 10)[:500].strip()
SOLID = ("Donaudampfschifffahrtsgesellschaft" * 15)[:500]
NAMES = [LONG, SOLID, "ᐃᓄᒃᑎᑐᑦ ᓂᐅᕐᕕᒃ ᓄᓇᕗᑦ", "مطعم الميناء (الفرع 2) – مأكولات بحرية", "X"]
LISTS = ["/", "/businesses", "/businesses?page=2", "/businesses?q=name", "/events", "/events?when=week", "/week",
         "/nothing", *(f"/businesses?q={quote(text)}" for text in TEXTS[:7]), f"/events/{quote(TEXTS[2])}"]
# Every text of the page, without those of its one script.
NODES = """const found = [], walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) if (walk.currentNode.parentNode.tagName !== 'SCRIPT') found.push(walk.currentNode.data);
const handlers = [...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames())
  .filter(n => n.startsWith('on'));
const schemes = [...document.links].map(link => link.protocol)
  .filter(p => !['http:', 'https:', 'mailto:', 'tel:', 'webcal:'].includes(p));
return [found, [...handlers, ...schemes, ...ran], document.scripts.length];"""
# Where the pages begin another paragraph.
BREAK = re.compile("[\n\v\f\r\x85\u2028\u2029]+")


def written(number: int, text: str) -> dict[str, Any]:
    """A business with a text in each field that takes any."""
    return {"id": number, "name": text, "slug": f"b-{number}", "category": f"c-{number}", "address": text,
            "description": f"{text} one\n\n{text} two", "latitude": 48.37, "longitude": -123.7,
            "phone": f"250 {text}"[:50], "website": "https://x.example/?" + "".join(text.split()).strip("\x7f"),
            "opening_hours": "Mo-Su 09:00-17:00",
            "special_hours": [{"from": "2027-01-10", "to": "2027-01-10", "is_closed": True, "reason": text[:200]}],
            "menus": [{"id": number, "name": text, "description": text, "items": [
                {"id": number, "name": text, "description": text, "price": "9.50"}]}]}


def dataset() -> dict[str, Any]:
    """A town of these texts and names; those of categories and types must differ, so a number stands before them."""
    numbered = list(enumerate([*TEXTS, *NAMES], 1))
    businesses = [written(*pair) for pair in numbered]
    spans = "06:00-07:15,08:30-10:45,11:00-14:10,15:20-18:25,20:00-02:30"
    long = businesses[len(TEXTS)]
    long |= {"opening_hours": f"Mo-Su {spans}", "phone": "1" * 50, "address": SOLID, "description": SOLID * 4,
             "email": f"{'a' * 60}@{'b' * 60}.example", "website": "https://x.example/" + "y" * 1900}
    long["special_hours"] = [{"from": f"2027-0{month}-{day:02}", "to": f"2027-0{month}-{day + 1:02}", "is_closed": True,
                              "reason": SOLID[:200]} for month in (1, 2, 3) for day in range(1, 27, 2)]
    items = [{"id": n, "name": f"Soup {n}", "price": f"{n * 99_999}.95"} for n in range(1, 101)]
    long["menus"] = [{"id": 1, "name": LONG, "description": LONG, "items": items}]
    return {
        "settings": [{"id": 1, "name": "Sooke " + TEXTS[1], "tagline": TEXTS[3], "theme": "heather",
                      "contact_email": f"{'c' * 60}@{'d' * 60}.example"}],
        "categories": [{"id": n, "name": f"{n:02} {text}"[:400], "slug": f"c-{n}"} for n, text in numbered],
        "event_types": [{"id": n, "name": f"{n:02} {text}"[:400], "slug": f"t-{n}"} for n, text in numbered],
        "businesses": businesses,
        "events": [{"id": n, "name": text, "slug": f"e-{n}", "event_type": f"t-{n}", "business": f"b-{n}",
                    "description": text, "starts_at": f"2027-01-{9 + n % 6:02}T{8 + n % 12:02}:00:00Z",
                    "status": "approved"} for n, text in numbered]}


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    browser = Browser()
    empty, town = town_of(binary, folder / "empty", {}), town_of(binary, folder / "data", dataset())
    browsed = range(1, len(TEXTS) + 1, 8 if short else 1)
    count = len(TEXTS) + len(NAMES)
    records = [f"/{kind}-{number}" for number in range(1, count + 1) for kind in ("businesses/b", "events/e")]
    rows = [parsed(town, records[:2 * len(TEXTS)]), looked_at(town, browser, browsed),
            fits(town, browser, [*LISTS, *records[2 * len(TEXTS):]], Row("long and strange texts fit")),
            fits(empty, browser, LISTS[:8], Row("an empty town"))]
    browser.stop()
    return rows


def expected(record: dict[str, Any]) -> list[str]:
    """The texts of a record that its page shows."""
    found = [record["name"], *BREAK.split(record["description"] or "")]
    found += [record[key] for key in ("address", "phone") if record.get(key)]
    found += [row["reason"] for row in record.get("special_hours", [])]
    for menu in record.get("menus", []):
        found += [menu["name"], menu["description"]]
        found += [item[key] for item in menu["items"] for key in ("name", "description")]
    return [plain(text) for text in found if text]


def plain(text: str) -> str:
    return re.sub("[ \t\n\r\f]+", " ", text).strip()


def parsed(town: Pages, paths: list[str]) -> Row:
    """All of them, read by a parser that takes nothing but the standard's HTML."""
    row = Row("texts of strangers, by a strict parser")
    for path in paths:
        body, record = town.get(path).body.decode(), town.get(f"/api/v1{path}").json()
        row.check(not faults(body), f"{path} is valid", faults(body))
        tree = html5lib.parse(body, namespaceHTMLElements=False)
        found = {plain(text) for text in tree.itertext()}
        row.check(set(expected(record)) <= found, f"{path} has what was written", set(expected(record)) - found)
        title = plain(tree.findtext(".//title") or "")
        row.check(title.startswith(plain(record["name"])), f"{path} has it in its title", title)
    return row


def look(browser: Browser, row: Row, what: str, wanted: list[str]) -> None:
    """Compares the texts of the page that is open, and looks for anything that ran or was refused."""
    nodes, bad, scripts = browser.js(NODES)
    missing = set(wanted) - {plain(text) for text in nodes}
    row.check(not missing, f"{what} shows what was written", missing)
    row.check(not bad and scripts <= 2, f"{what} runs nothing", (bad, scripts))
    refused = [line for line in browser.refused() if "Failed to load resource" not in line]
    row.check(not refused, f"{what} has nothing to refuse", refused)


def looked_at(town: Pages, browser: Browser, numbers: range) -> Row:
    """Pages of records, each with one text in all fields, and lists with many at once."""
    row = Row("texts of strangers in the browser")
    for path in [path for number in numbers for path in (f"/businesses/b-{number}", f"/events/e-{number}")]:
        browser.open(town.url + path)
        look(browser, row, path, expected(town.get(f"/api/v1{path}").json()))
    for path in LISTS:
        browser.open(town.url + path)
        look(browser, row, path, ["Sooke " + TEXTS[1]] if path in ("/", "/week", "/nothing") else [])
    row.figures = f"{len(TEXTS)} texts, {len(numbers)} of them on pages of their own"
    return row


def fits(town: Pages, browser: Browser, paths: list[str], row: Row) -> Row:
    """Pages on three screens."""
    for path in paths:
        browser.open(town.url + path)
        for width in (NARROW, PHONE, DESKTOP):
            row.check(overflow(browser.size(width)) == [], f"{path} fits into {width} px", overflow(browser))
        row.check(bool(browser.text), f"{path} has its content")
        shots.take(browser, row.name + path)
    return row
