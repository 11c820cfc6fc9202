"""Random requests to a town, each with the answer that the reference gives."""

import random
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus, urlencode

from reference import Reference
from randomtown import without_accents

HOME_ZONE = "America/Vancouver"
BAD_ZONES = ["Local", "utc", " UTC", "america/vancouver", "America", "/etc/localtime", "../etc/passwd", "PST",
             "America\\Vancouver", "+08:00", "é", "\u200b", "\x7f", "x" * 300, "America/Vancouver\n"]
PAGES = ["1", "1", "2", "3", "7", "0", "-1", "-0", "+2", "02", "2.0", "1e1", "0x2", "1_0", " 2", "2 ", "", "two", "٣", "１",
         "+", "-", "--1", "1000000", "2147483648", "9223372036854775807", "-9223372036854775809", "99999999999999999999"]
SIZES = PAGES + ["5", "10", "99", "100", "+100", "101"]
SEARCHES = ["%", "_", "\\", "\\\\", "%%", "_%", "\\%", "\\_", "a%", "%a", ".*", "", " ", "  ", "'", "''", '"',
            "e", "É", "é", "e\u0301", "\u0301", "ß", "ẞ", "ss", "SS", "σ", "ς", "Σ", "i", "I", "İ", "ı", "k", "\u212a",
            "ſ", "ﬁ", "FI", "🌊", "\u200b", "\u00a0", "\t", "\n", "ガ", "が", "zzz"]


class Case(NamedTuple):
    """A request and what must come back: an answer for 200, an address for 301, an error code otherwise."""

    path: str
    status: int
    want: Any = None
    message: str | None = None


class Cases:
    """Makes requests with their expected answers, from a seeded generator."""

    def __init__(self, dice: random.Random, reference: Reference, dataset: dict[str, Any]) -> None:
        self.dice = dice
        self.reference = reference
        self.dataset = dataset
        self.zones = reference.zones()
        self.names = [record["name"] for kind in ("businesses", "events") for record in dataset[kind]]

    def every_record(self) -> Iterator[Case]:
        """Each slug of the town."""
        for route, find in (("businesses", self.reference.business), ("events", self.reference.event)):
            for slug in [record["slug"] for record in self.dataset[route]]:
                status, found = self._found(route, slug, find)
                yield Case(f"/api/v1/{route}/{quote(slug, safe='')}", status, found)

    def terms(self) -> Iterator[Case]:
        yield Case("/api/v1/categories", 200, {"items": self.reference.terms("business_categories")})
        yield Case("/api/v1/event-types?page=2&per_page=1", 200, {"items": self.reference.terms("event_types")})

    @staticmethod
    def _found(route: str, slug: str, find: Callable[[str], dict[str, Any] | None]) -> tuple[int, Any]:
        """The answer to a slug; the decomposed form of one leads to it."""
        if found := find(slug):
            return 200, found
        composed = unicodedata.normalize("NFC", slug)
        address = f"/api/v1/{route}/{quote(composed, safe='')}"
        return (301, address) if composed != slug and find(composed) else (404, "not_found")

    def whole_lists(self) -> Iterator[Case]:
        """Every page of both lists, so that each name is seen in its order."""
        for number in range(1, 2 + len(self.dataset["businesses"]) // 100):
            found = self.reference.businesses(None, None, HOME_ZONE, 100, start(number, 100))
            yield Case(f"/api/v1/businesses?per_page=100&page={number}", 200, listed(*found, number, 100))
        for number in range(1, 2 + len(self.dataset["events"]) // 100):
            found = self.reference.events(None, [], HOME_ZONE, 100, start(number, 100))
            yield Case(f"/api/v1/events?per_page=100&page={number}", 200, listed(*found, number, 100))

    def some(self) -> Case:
        """One random request."""
        return self.dice.choice([self._businesses] * 10 + [self._events] * 7)()

    def _businesses(self) -> Case:
        search, category = self._search(), self._category()
        page, size, zone = self._maybe(40, PAGES), self._maybe(60, SIZES), self._zone()
        path = "/api/v1/businesses" + self._query(search=search, category=category, tz=zone, page=page, per_page=size)
        if zone and zone not in self.zones:
            plain = zone.isascii() and zone.isprintable() and "\\" not in zone
            return Case(path, 400, "invalid_parameter", f'invalid time zone: "{zone}"' if plain else None)
        number, limit = page_number(page), page_size(size)
        offset = start(number, limit)
        found = self.reference.businesses(search or None, category or None, zone or HOME_ZONE, limit, offset)
        return Case(path, 200, listed(*found, number, limit))

    def _events(self) -> Case:
        search, types = self._search(), self._event_types()
        page, size = self._maybe(40, PAGES), self._maybe(60, SIZES)
        path = "/api/v1/events" + self._query(search=search, event_type=types, page=page, per_page=size)
        number, limit = page_number(page), page_size(size)
        found = self.reference.events(search or None, types, HOME_ZONE, limit, start(number, limit))
        return Case(path, 200, listed(*found, number, limit))

    def _maybe(self, percent: int, values: list[str]) -> str | None:
        return self.dice.choice(values) if self.dice.randrange(100) < percent else None

    def _search(self) -> str | None:
        """A piece of a name of the town in another case, a special character, or nothing."""
        dice = self.dice
        kind = dice.randrange(100)
        if kind < 30:
            return None
        if kind < 45:
            return dice.choice(SEARCHES)
        name = dice.choice(self.names)
        begin = dice.randrange(len(name))
        piece = name[begin:begin + dice.choice([1, 1, 2, 2, 3, 4, 6, 300])]
        return dice.choice([piece, piece, piece.upper(), piece.lower(), piece.swapcase(), without_accents(piece),
                            unicodedata.normalize("NFD", piece), unicodedata.normalize("NFC", piece), piece + "%",
                            piece.replace(" ", "_"), piece.casefold(), " " + piece])

    def _category(self) -> str | None:
        slug = self.dice.choice(self.dataset["categories"])["slug"]
        return self._maybe(45, [slug] * 6 + [slug.upper(), " " + slug, slug + "%", slug + "," + slug, "", "none", "_"])

    def _event_types(self) -> list[str]:
        slugs = [term["slug"] for term in self.dataset["event_types"]]
        odd = [slugs[0].upper(), ",".join(slugs[:2]), "", "none", "{" + slugs[0] + "}", "%"]
        return self.dice.choices(slugs * 2 + odd, k=self.dice.choice([0, 0, 1, 1, 2, 3]))

    def _zone(self) -> str | None:
        kind = self.dice.randrange(100)
        if kind < 50:
            return None
        return self.dice.choice(BAD_ZONES) if kind < 57 else "" if kind < 60 else self.dice.choice(self.zones)

    def _query(self, **values: str | list[str] | None) -> str:
        """The parameters in any order, some twice (the first counts), strangers among them."""
        dice = self.dice
        pairs = [(name, text) for name, value in values.items() if value is not None
                 for text in ([value] if isinstance(value, str) else value)]
        dice.shuffle(pairs)
        for name in sorted({name for name, _ in pairs} - {"event_type"}):
            if dice.randrange(8) == 0:  # a second value never counts
                pairs.append((name, dice.choice(["x", "2", "UTC", "Bad/Zone", "", "e"])))
        if dice.randrange(8) == 0:  # names are matched by case, strangers are ignored
            stranger = dice.choice([("Search", "x"), ("PAGE", "2"), ("foo", "bar"), ("", "x"), ("search[]", "x")])
            pairs.insert(dice.randrange(len(pairs) + 1), stranger)
        return "?" + urlencode(pairs, quote_via=dice.choice([quote, quote_plus]), safe="") if pairs else ""


# The contract's rules for paging


def whole_number(text: str | None) -> int | None:
    """An optional sign and decimal digits, nothing else."""
    digits = text[1:] if text and text[0] in "+-" else text
    return int(text) if text and digits and digits.isascii() and digits.isdigit() else None


def page_number(text: str | None) -> int:
    return max(whole_number(text) or 1, 1)


def page_size(text: str | None) -> int:
    size = whole_number(text)
    return size if size is not None and 1 <= size <= 100 else 20


def start(number: int, limit: int) -> int:
    return min((number - 1) * limit, 2**62)  # SQL's offsets are 64-bit


def listed(items: list[dict[str, Any]], total: int, number: int, limit: int) -> dict[str, Any]:
    pagination = {"per_page": limit, "total_items": total, "total_pages": -(-total // limit)}
    if number < 2**31:  # what a server says of its number is open for a page beyond all reason
        pagination["page"] = number
    return {"items": items, "pagination": pagination}
