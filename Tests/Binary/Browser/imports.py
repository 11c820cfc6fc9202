"""Files that people have, imported by the pages: they show what the command says, and the import is undone.

`reports` compares any of the files of `Import/cases`; a run takes some of them.
"""

import json
import re
from pathlib import Path

import shots
from browser import PHONE, Browser, until
from checks import Row
from forms import Hand
from town import ADMIN, PASSWORDS
from towns import Pages, town_of

FOLDER = Path(__file__).resolve().parents[1] / "Import"
CASES = FOLDER / "cases"
SOME = ["changes", "columns-not-known", "events-refused", "odd-events", "categories-created", "map"]
# The options of the command that are choices of the page.
CHOICES = {"--create-categories": "new=yes", "--skip-invalid": "skip=yes", "--category": "category=",
           "--event-type": "event_type="}
LINE = re.compile(r'^(?:warning: )?[^:]+:\d+: (?:"[^"]*": )?(.*?)(?: \(\d+ like this: .*\))?$')
# What the page says instead of the options of the command.
WORDS = [(", or begin with a set of them: --starter", ""), ("create it with --create-categories", "create it below"),
         (" with --center 48.374,-123.726 or a link to a map", " in the settings of the town"),
         ("; --event-type gives it to all events without one", "")]


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def wanted(report: str) -> tuple[str, list[str]]:
    """What a report counts, and the messages in it without their places and fields."""
    counts, messages = "", []
    for line in report.splitlines()[1:]:
        if line.startswith("status "):
            break
        if found := LINE.match(line):
            text = found[1]
            for option, words in WORDS:
                text = text.replace(option, words)
            # The field stands before the message, in words.
            messages.append(plain(text.partition(": ")[2] or text if re.match(r"[a-zA-Z_ 0-9-]+: ", text) else text))
        elif line.startswith("sooke: "):
            counts = counts or line.removeprefix("sooke: ").split("; the records with them")[0]
        elif not line.startswith(("…", "  ")):
            counts = line.replace(" (a dry run: nothing was written)", "")
    return counts, messages


def enter(town: Pages, scripts: bool) -> Hand:
    hand = Hand(Browser(scripts).size(PHONE))
    hand.browser.open(f"{town.url}/admin/import")
    hand.log_in(ADMIN, PASSWORDS[ADMIN])
    until(lambda: hand.browser.driver.current_url == f"{town.url}/admin/import", 10)
    return hand


def check(hand: Hand, town: Pages, name: str, row: Row) -> None:
    """The page of a file says what the report of the command does."""
    report = (CASES / f"{name}.report").read_text()
    *options, file = report.partition("\n")[0].removeprefix("$ sooke import ").split()
    phone = hand.browser
    send(hand, town, CASES / file)
    address = phone.driver.current_url
    query = "&".join(CHOICES.get(option, option) for option in options if option != "--dry-run").replace("=&", "=")
    if query:
        phone.open(f"{address}?{query}")
    counts, messages = wanted(report)
    row.check(plain(phone.one("#summary").text) == plain(counts), f"{name}: the counts",
              f"{phone.one('#summary').text} instead of {counts}")
    shown = plain(phone.text)
    for message in messages:
        row.check(message in shown, f"{name}: {message[:60]}", f"{shown[:3000]} has no {message}")


def send(hand: Hand, town: Pages, file: Path) -> None:
    phone = hand.browser
    phone.open(f"{town.url}/admin/import")
    phone.one("#files").send_keys(str(file))
    hand.tap("Check")
    until(lambda: re.search(r"/admin/import/\w+", phone.driver.current_url), 20)


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    rows = []
    for scripts in (True, False):
        town = town_of(binary, folder / f"imports-{scripts}", json.loads((FOLDER / "town.json").read_text()))
        row, hand = Row(f"imports by a page, {'with' if scripts else 'without'} scripts"), enter(town, scripts)
        for name in SOME:
            check(hand, town, name, row)
        mend(hand, town, folder, row, scripts)
        row.check(not scripts or not hand.browser.refused(), "nothing is refused")
        rows.append(row)
        hand.browser.stop()
        town.stop()
    return rows


def mend(hand: Hand, town: Pages, folder: Path, row: Row, scripts: bool) -> None:
    """A cell and a column are corrected in place, the table is imported, seen again after a reload, and undone."""
    phone, file, before = hand.browser, folder / "sheet.csv", town.sequence()
    file.write_text("name,category,address,latitude,longitude,Colour\nMill,Shopz,1 Otter Rd,48.37,-123.72,Red brick.\n"
                    + "".join(f"Shop {n},Shops,{n} Otter Rd,48.37,-123.72,\n" for n in range(2, 40)))
    send(hand, town, file)
    shots.take(phone, f"import-problems-{scripts}")
    hand.fill("cell.0.2.1", "Shops")
    hand.fill("cell.0.1.5", "description")
    hand.tap("Check again")
    row.check(phone.has("businesses: 39 new"), "it is corrected", phone.text)
    shots.take(phone, f"import-ready-{scripts}")
    hand.browser.every("button[name=import]")[0].click()
    row.check(phone.has("Imported"), "it is imported", phone.text)
    phone.open(phone.driver.current_url)
    row.check(phone.has("businesses: 39 new"), "a reload shows it again", phone.text)
    shots.take(phone, f"import-done-{scripts}")
    made = town.ask("GET", "/businesses/mill").json()
    row.check(made.get("description") == "Red brick.", "as it was corrected", made)
    hand.tap("Undo")
    until(lambda: "/undo/" not in phone.driver.current_url and "/import/" not in phone.driver.current_url, 20)
    row.check(town.ask("GET", "/businesses/mill").status == 404, "it is undone")
    row.check(town.sequence() == before + 2, "by two commits", town.sequence() - before)
