"""A seeded random town in the dataset format, with the names and times that people trip over."""

import itertools
import random
import unicodedata
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

WORDS = """
cafe Cafe CAFE café Café CAFÉ e\u0301clair Éclair eclair coop co-op Co-op COOP Zed's zeds ZED'S O'Brien OBrien
obrien Sooke sooke SOOKE Tire Straße STRASSE strasse Maße ẞ ſtone Æther aether Œuvre oeuvre ﬁne fine ﬂour oﬀer
ǅungla İstanbul ırmak Irmak Ångström angstrom Åse ase Øre ore Łódź Lodz Þing ðal naïve naive ñandú nandu crème
Zoë Zoe Müller Mueller Dvořák Škoda Ğül Ế Việt 42nd 7 007 100% ½ ² № 1a 10 2 k K \u212a a A ª Ａｂ Ⓐ 𝐀 Σίσυφος
ΟΔΟΣ οδος οδοσ Αθήνα Ω \u2126 \u212b \u00b5 \u03bc Жук жук ёж Ёлка Йод пекарня Київ らーめん がき かき กาแฟ
קפה قهوة 🌊 🦦 🍕 ❤️ 👩‍👩‍👧 🇨🇦 © ™ € $1 £ ° x_y under_score back\\slash \\ 50% % _
%_ <b>Bold</b> "Quoted" “Curly” ‘s [a-z] {} k.s a&b a=b a;b #tag @home ^ * ? ! ... … — – - ' '' , . : | ~ ` +
east/west and of the The by Sea Shop Bar Pub Yoga
""".split()
JOINTS = [" "] * 12 + ["  ", "-", " - ", "", "'", "_", " & ", "/", ", ", ". ", "\u00a0", "\u200b", "\t", "—", "+"]
ROLES = ["general_user", "business_owner", "editor", "super_admin", "general_user", "business_owner"]
ZONES_OF_EVENTS = [0, 0, 0, -480, -420, 60, 120, 330, 345, 840, -720]


def slug_of(name: str) -> str:
    """The slug for a name by the contract's rule; empty for a name of nothing but dropped characters."""
    kept = "".join(c.lower()[:1] for c in name if c not in "'!")
    spaced = "".join("-" if c in "*()^$#@&%_ " else c for c in kept)
    return "-".join(part for part in spaced.split("-") if part)


class Town:
    """Makes the records of one town; the same generator state and time give the same town."""

    def __init__(self, dice: random.Random, now: datetime, businesses: int = 250, events: int = 220) -> None:
        self.dice = dice
        self.now = now
        self._numbers = {kind: self._shuffled_numbers() for kind in ("record", "hours", "menu", "item")}
        self.dataset: dict[str, list[dict[str, Any]]] = {
            "categories": self._terms(12), "event_types": self._terms(12), "users": [
                {"id": number, "clerk_id": f"made_{number}", "role": role, "email": f"p{number}@example.test",
                 "display_name": self._name()} for number, role in enumerate(ROLES, 1)]}
        self.dataset["businesses"] = self._named(businesses, self._business)
        self.dataset["events"] = self._named(events, self._event)

    def _shuffled_numbers(self) -> Iterator[int]:
        for start in itertools.count(1, 900):
            yield from self.dice.sample(range(start, start + 900), 700)  # with gaps, as after deletions

    def _number(self, kind: str) -> int:
        return next(self._numbers[kind])

    def _chance(self, percent: int) -> bool:
        return self.dice.randrange(100) < percent

    def _name(self) -> str:
        dice = self.dice
        words = 1 + min(dice.randrange(5), dice.randrange(5))
        if self._chance(2):
            words = 40
        name = dice.choice(WORDS)
        for _ in range(words - 1):
            name += dice.choice(JOINTS) + dice.choice(WORDS)
        if self._chance(6):
            name = dice.choice([" ", "  ", "\t", "\n"]) + name
        if self._chance(6):
            name += dice.choice([" ", "  ", "!", "."])
        return name[:300]

    def _twin(self, name: str) -> str:
        """A name that differs from another one by little or nothing."""
        return self.dice.choice([
            name, name.lower(), name.upper(), name.swapcase(), name.title(), without_accents(name),
            unicodedata.normalize("NFD", name), name.replace(" ", "-"), name.replace(" ", ""), name.replace("-", " "),
            name.replace("'", "’"), name + "s", name + " ", " " + name,
        ])[:300]

    def _named(self, count: int, make: Callable[[], dict[str, Any]]) -> list[dict[str, Any]]:
        """Records with a name and a unique slug each, one in three named like an earlier one."""
        records: list[dict[str, Any]] = []
        taken: set[str] = set()
        while len(records) < count:
            name = self._twin(self.dice.choice(records)["name"]) if records and self._chance(33) else self._name()
            slug = slug_of(name)
            if slug.strip() in ("", ".", ".."):  # no address can hold these
                continue
            suffix = 1
            while (unique := slug if suffix == 1 else f"{slug}-{suffix}") in taken:
                suffix += 1
            taken.add(unique)
            records.append({"id": self._number("record"), "name": name, "slug": unique, **make()})
        self.dice.shuffle(records)
        return records

    def _text(self, absent: int = 40) -> str | None:
        """A text that may be absent, empty or full of markup."""
        if self._chance(absent):
            return None
        markup = self.dice.choice(["", ' <i>"&"</i>', "\r\n\\ / \u2028 \x7f", " 𝄞"])
        return "" if self._chance(5) else self._name() + markup

    def _terms(self, count: int) -> list[dict[str, Any]]:
        terms = self._named(count * 2, dict)
        return list({term["name"]: term for term in terms}.values())[:count]

    def _of(self, collection: str, key: str) -> Any:
        return self.dice.choice(self.dataset[collection])[key]

    def _coordinate(self, limit: int, middle: float) -> float:
        near = middle + self.dice.uniform(-0.1, 0.1)
        return self.dice.choice([round(near, self.dice.randrange(1, 8)), near, self.dice.choice(
            [0, limit, -limit, 1e-7, int(middle), limit - 1e-12, 5e-324, -0.1])])

    def _business(self) -> dict[str, Any]:
        dice = self.dice
        return {
            "owner_id": None if self._chance(60) else self._of("users", "id"),
            "category": None if self._chance(8) else self._of("categories", "slug"),
            "description": self._text(),
            "phone": dice.choice([None, "", "250-555-0101", "+1 (250) 555-0108 ext. 7"]),
            "email": dice.choice([None, "", "eat@zeds.example", "a&b@bold.example"]),
            "website": dice.choice([None, "", "https://müller.example/?a=1&b=<x>", "http://alma.example"]),
            "address": dice.choice(["12 Otter Point Rd", "45\\2 Vinyl Row", "8 Rue de l'Été", "1 <Wharf> & Co"]),
            "latitude": self._coordinate(90, 48.37),
            "longitude": self._coordinate(180, -123.73),
            "hours": self._hours(),
            "menus": self._menus(),
        }

    def _hours(self) -> list[dict[str, Any]]:
        days = self.dice.sample(range(7), self.dice.choice([0, 0, 1, 3, 5, 6, 7, 7, 7, 7]))
        spans = [("07:00:00", "21:00:00"), ("00:00:00", "24:00:00"), ("11:30:00", "01:30:00"), ("00:00:00", "00:00:00"),
                 ("22:00:00", "06:15:00"), ("09:05:00", "23:59:00")]
        return [{"id": self._number("hours"), "day_of_week": day, "open_time": span[0], "close_time": span[1],
                 "is_closed": self._chance(15)} for day in days for span in [self.dice.choice(spans)]]

    def _menus(self) -> list[dict[str, Any]]:
        """Some menus; no two of a business have the same name."""
        names = {self.dice.choice(["Lunch", "Dinner", "Ètè", self.dice.choice(WORDS)]).casefold()
                 for _ in range(max(0, self.dice.randrange(-3, 4)))}
        return [{"id": self._number("menu"), "name": name, "description": self._text(), "items": [
            {"id": self._number("item"), "name": self._name().strip() or "Soup", "description": self._text(70),
             "price": self.dice.choice(["0.00", "0.01", "4.50", "10.00", "99999999.99"])}
            for _ in range(max(0, self.dice.randrange(-2, 9)))]} for name in sorted(names)]

    def _event(self) -> dict[str, Any]:
        start, end = self._times()
        place = self.dice.choice(["business"] * 3 + ["public", "nowhere"])
        return {
            "event_type": self._of("event_types", "slug"),
            "submitted_by": self._of("users", "id"),
            "business": self._of("businesses", "slug") if place == "business" else None,
            "description": self._text(),
            "latitude": self._coordinate(90, 48.37) if place == "public" else None,
            "longitude": self._coordinate(180, -123.73) if place == "public" else None,
            "starts_at": self._moment(start),
            "ends_at": end and self._moment(end),
            "status": self.dice.choice(["approved"] * 6 + ["draft", "pending_review", "rejected", "cancelled"]),
        }

    def _times(self) -> tuple[datetime, datetime | None]:
        """Start and end of an event: many around now, to the microsecond."""
        now, tick, hour = self.now, timedelta(microseconds=1), timedelta(hours=1)
        unit = self.dice.choice([1, 1000, 100_000, 1_000_000, 60_000_000, 3_600_000_000])
        day = now + timedelta(microseconds=self.dice.randrange(-10**13, 10**14) // unit * unit)
        return self.dice.choice([
            (now - hour, now), (now - hour, now - tick), (now - hour, now + tick), (now, None), (now - tick, None),
            (now + tick, None), (now, now), (now - 24 * hour, now + 24 * hour), (utc(1000, 1, 1), None),
            (utc(1969, 12, 31, 23, 59, 59, 999_999), utc(1970, 1, 1)), (utc(2038, 1, 19, 3, 14, 8), None),
            (utc(9999, 12, 31, 23, 59, 59, 999_999), None), (utc(2028, 2, 29, 12), utc(2028, 3, 1)),
            (utc(1999, 1, 1), utc(9998, 1, 1)), *[(day, None)] * 3,
            *[(day, day + timedelta(minutes=self.dice.choice([0, 30, 90, 60 * 72])))] * 5])

    def _moment(self, moment: datetime) -> str:
        """RFC 3339 text in some zone."""
        inside = 1001 < moment.year < 9999  # elsewhere the offset could leave the four-digit years
        offset = self.dice.choice(ZONES_OF_EVENTS) if inside else 0
        text = moment.astimezone(timezone(timedelta(minutes=offset))).isoformat()
        return text.replace("+00:00", self.dice.choice(["Z", "+00:00"]))


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=timezone.utc)


def without_accents(text: str) -> str:
    """The text with every mark taken off its letter."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
