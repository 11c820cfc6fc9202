"""Towns of any size, with what a business has in life."""

import json
import random
from collections.abc import Iterator

VERSION = 4  # to be raised when a town gets other contents: stored ones are then made again
CATEGORIES = """Bakeries Books Builders Cafés Charters Clinics Crafts Dentists Farms Florists Galleries Garages Gardens
Grocers Hotels Law Music Restaurants Schools Yoga""".split()
QUALITIES = """Old New Little Golden Western Quiet Blue Red Salty Windy Sunny Rocky Green Happy Busy Lucky Silver
Northern Royal Early""".split()
THINGS = """Anchor Harbour Cedar Otter Heron Lantern Salmon Kettle Compass Orchard Thistle Pebble Raven Maple Driftwood
Seagull Canoe Beacon Fern Whale""".split()
TRADES = """Books Bakery Café Kayaks Garage Gallery Yoga Dental Farm Flowers Pub Inn Hardware Music Law Market Physio
Pottery Records Roasters Charters Tailors""".split()
SYLLABLES = "ba den ford gar hol kin lam mor nor pel quin ros sten tor ul ver wick yar zel ash".split()
DISHES = "Chowder Halibut Salad Burger Scone Espresso Dumplings Curry Pie Oysters Tart".split()
SENTENCES = ["Family run since the ferry came, with coffee by the window and a shelf of local things.",
             "Open when the lights are on; ask for the back room, where the good pieces are kept.",
             "Everything is made here by hand, and what is not finished by noon is made to order.",
             "Two minutes from the boardwalk, with parking behind the house and room for bicycles."]
EXPRESSIONS = ["Mo-Fr 09:00-17:00; PH off", "Mo-Th 11:00-23:00; Fr-Sa 11:00-02:00; Su 12:00-22:00",
               "Apr-Oct Mo-Su 10:00-18:00; Nov-Mar Sa-Su 10:00-16:00", "24/7",
               "Mo-Fr 08:00-12:00,13:00-17:30; Sa 09:00-12:00; PH off"]


def surname(number: int) -> str:
    """One of 8,000."""
    return "".join(SYLLABLES[number // 20 ** place % 20] for place in range(3)).capitalize()


def business(number: int) -> dict[str, object]:
    """Its name has common words, and one that a dozen of 100,000 share; a third have menus, a fifth an expression."""
    dice = random.Random(number)
    name = f"{dice.choice(QUALITIES)} {dice.choice(THINGS)} {dice.choice(TRADES)} {surname(dice.randrange(8000))}"
    found: dict[str, object] = {
        "name": name, "slug": f"town-{number}", "category": CATEGORIES[number * 7919 % 20].lower(),
        "description": f"{SENTENCES[number % 4]} Number {number} of the directory.",
        "address": f"{100 + number % 9000} West Coast Rd", "latitude": round(48.3 + number % 1009 / 10000, 4),
        "longitude": round(-123.7 - number % 997 / 10000, 4), "phone": f"250-555-{number % 10000:04}",
        "email": f"hello@town-{number}.example", "website": f"https://town-{number}.example"}
    if number % 5 == 0:
        found["opening_hours"] = EXPRESSIONS[number // 5 % len(EXPRESSIONS)]
    else:
        opens, closes = f"{7 + number % 4:02}:00:00", f"{16 + number % 6}:30:00"
        found["hours"] = [{"day_of_week": day, "is_closed": day == number % 7, "open_time": opens, "close_time": closes}
                          for day in range(7)]
    if number % 3 == 0:
        items = [{"name": f"{dice.choice(QUALITIES)} {dice.choice(DISHES)}", "price": f"{dice.randint(3, 40)}.50"}
                 for _ in range(8)]
        found["menus"] = [{"name": "Menu", "items": items}]
    return found


def lines(businesses: int) -> Iterator[str]:
    """Categories and businesses, a record a line."""
    for category in CATEGORIES:
        yield json.dumps({"category": {"name": category, "slug": category.lower()}}) + "\n"
    for number in range(1, businesses + 1):
        yield json.dumps({"business": business(number)}) + "\n"
