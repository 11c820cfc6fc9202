"""Towns of any size, with what a business has in life; a large one is made once and kept."""

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from harness import sooke

if TYPE_CHECKING:
    from bench import Bench

FORMAT = 3  # to be raised when a town gets other contents: stored ones are then made again
CATEGORIES = ["Bakeries", "Books", "Builders", "Cafés", "Charters", "Clinics", "Crafts", "Dentists", "Farms",
              "Florists", "Galleries", "Garages", "Gardens", "Grocers", "Hotels", "Law", "Music", "Restaurants",
              "Schools", "Yoga"]
QUALITIES = ["Old", "New", "Little", "Golden", "Western", "Quiet", "Blue", "Red", "Salty", "Windy", "Sunny", "Rocky",
             "Green", "Happy", "Busy", "Lucky", "Silver", "Northern", "Royal", "Early"]
THINGS = ["Anchor", "Harbour", "Cedar", "Otter", "Heron", "Lantern", "Salmon", "Kettle", "Compass", "Orchard",
          "Thistle", "Pebble", "Raven", "Maple", "Driftwood", "Seagull", "Canoe", "Beacon", "Fern", "Whale",
          "Clover", "Barrel"]
TRADES = ["Books", "Bakery", "Café", "Kayaks", "Garage", "Gallery", "Yoga", "Dental", "Farm", "Flowers", "Pub", "Inn",
          "Hardware", "Music", "Law", "Market", "Physio", "Pottery", "Records", "Roasters", "Charters", "Tailors"]
SYLLABLES = ["ba", "den", "ford", "gar", "hol", "kin", "lam", "mor", "nor", "pel", "quin", "ros", "sten", "tor", "ul",
             "ver", "wick", "yar", "zel", "ash"]
SENTENCES = ["Family run since the ferry came, with coffee by the window and a shelf of local things.",
             "Open when the lights are on; ask for the back room, where the good pieces are kept.",
             "Everything is made here by hand, and what is not finished by noon is made to order.",
             "Two minutes from the boardwalk, with parking behind the house and room for bicycles."]


def surname(number: int) -> str:
    """One of 8,000."""
    parts = [SYLLABLES[number // 20 ** place % 20] for place in range(3)]
    return "".join(parts).capitalize()


def name(number: int) -> str:
    """What business `number` is called: common words, and a rarer one that about 125 of a million share."""
    dice = random.Random(number)
    return (f"{dice.choice(QUALITIES)} {dice.choice(THINGS)} {dice.choice(TRADES)} "
            f"{surname(dice.randrange(8000))}")


EXPRESSIONS = ["Mo-Fr 09:00-17:00; PH off", "Mo-Th 11:00-23:00; Fr-Sa 11:00-02:00; Su 12:00-22:00",
               "Apr-Oct Mo-Su 10:00-18:00; Nov-Mar Sa-Su 10:00-16:00", "24/7",
               "Mo-Fr 08:00-12:00,13:00-17:30; Sa 09:00-12:00; PH off"]
DISHES = ["Chowder", "Halibut", "Salad", "Burger", "Scone", "Espresso", "Dumplings", "Curry", "Pie", "Oysters", "Tart",
          "Tacos", "Noodles", "Waffle", "Cider", "Lemonade"]


def menus(number: int) -> str:
    """A menu of eight items for every third business, as JSON."""
    if number % 3:
        return ""
    dice = random.Random(-number)
    items = ",".join(f'{{"name":"{dice.choice(QUALITIES)} {dice.choice(DISHES)}","price":"{dice.randint(3, 40)}.50"}}'
                     for _ in range(8))
    return f',"menus":[{{"name":"Menu","items":[{items}]}}]'


def hours(number: int) -> str:
    """Seven rows, as JSON; of every fifth business an expression."""
    if number % 5 == 0:
        return f'"opening_hours":"{EXPRESSIONS[number // 5 % len(EXPRESSIONS)]}"'
    return f'"hours":[{rows(number)}]'


def rows(number: int) -> str:
    opens, closes = 7 + number % 4, 16 + number % 6
    return ",".join(f'{{"day_of_week":{day},"open_time":"{opens:02}:00:00","close_time":"{closes}:30:00",'
                    f'"is_closed":{"true" if day == number % 7 else "false"}}}' for day in range(7))


def business(number: int) -> str:
    """A line of a dataset."""
    text = f"{SENTENCES[number % 4]} Number {number} of the directory."
    title = json.dumps(name(number))
    category = CATEGORIES[number * 7919 % 20].lower()
    return (f'{{"name":{title},"slug":"town-{number}","category":"{category}","description":"{text}",'
            f'"address":"{100 + number % 9000} West Coast Rd","latitude":{48.3 + number % 1009 / 10000:.4f},'
            f'"longitude":{-123.7 - number % 997 / 10000:.4f},"phone":"250-555-{number % 10000:04}",'
            f'"email":"hello@town-{number}.example","website":"https://town-{number}.example",'
            f'{hours(number)}{menus(number)}}}')


def lines(first: int, last: int) -> Iterator[str]:
    """Businesses as records a line, after the categories."""
    for category in CATEGORIES:
        yield f'{{"category":{{"name":{json.dumps(category)},"slug":"{category.lower()}"}}}}\n'
    for number in range(first, last + 1):
        yield f'{{"business":{business(number)}}}\n'


def town(bench: "Bench", businesses: int) -> Path:
    """A data folder with so many businesses, `town-1` to `town-N`; it is kept, so nothing may be changed in it."""
    data = bench.folder / f"town-{businesses}-v{FORMAT}"
    if data.exists():
        return data
    making = bench.scratch / f"town-{businesses}"
    file = bench.scratch / f"town-{businesses}.ndjson"
    bench.tell(f"writing a file of {businesses:,} businesses")
    with file.open("w") as output:
        output.writelines(lines(1, businesses))
    bench.tell(f"importing {businesses:,} businesses, once")
    result = sooke(bench.binary, "import", "--data", making, file, timeout=900)
    file.unlink()
    if result.returncode:
        raise RuntimeError(f"the import left with {result.returncode}: {(result.stderr or result.stdout)[-500:]}")
    shutil.move(making, data)
    return data
