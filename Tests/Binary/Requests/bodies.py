"""Bodies that the description of the API allows, with values at their edges."""

import json
import re
from typing import Any

import values
from values import Dice


class Raw(str):
    """A value that stands in JSON as it is."""


class Bodies:
    """Makes the bodies that the description of the API allows, with values at their edges."""

    def __init__(self, description: dict[str, Any], dice: Dice) -> None:
        self._schemas, self.dice = description["components"]["schemas"], dice
        self.slugs: dict[str, list[str]] = {}
        self.numbers: list[str] = ["1"]
        self.start = ""

    def body(self, schema: dict[str, Any], is_patch: bool) -> Any:
        self.start = values.moment(self.dice, self.dice.choice([0, 0.3]))
        edge = self.dice.choice([0.0, 0.0, 0.05, 0.2])
        return self.value("", schema, edge, is_patch)

    def value(self, name: str, schema: dict[str, Any], edge: float, is_patch: bool = False) -> Any:
        """A value of a field by its schema and its name."""
        dice = self.dice
        if "$ref" in schema:
            schema = self._schemas[schema["$ref"].rsplit("/", 1)[1]]
        if dice.random() < edge / 4:
            return dice.choice([Raw(dice.choice(values.TOKENS)), values.edge(dice), None, [], {}])
        kinds = schema.get("type", "string")
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)
        if "null" in kinds and name not in ("latitude", "longitude", "name", "address") and dice.random() < 0.1:
            return None
        if "enum" in schema:
            return dice.choice(schema["enum"])
        kind = next(kind for kind in kinds if kind != "null")
        if kind == "object":
            return self._object(schema, edge, is_patch)
        if kind == "array":
            count = dice.choice([0, 1, 1, 1, 2, 3, 7] + [500, 501] * (dice.random() < 0.03))
            return [self.value(name, schema["items"], edge if count < 50 else 0) for _ in range(count)]
        if kind == "boolean":
            return dice.random() < 0.3
        return self._number(name, kind, edge) if kind in ("integer", "number") else self._text(name, schema, edge)

    def _object(self, schema: dict[str, Any], edge: float, is_patch: bool) -> dict[str, Any]:
        dice, properties = self.dice, schema.get("properties", {})
        required = [] if is_patch else schema.get("required", [])
        share = dice.choice([0.1, 0.3, 0.6])
        names = [name for name in properties if name in required or dice.random() < share]
        if is_patch and not names and properties:
            names = [dice.choice(list(properties))]
        made = {name: self.value(name, properties[name], edge) for name in self._together(names, properties, is_patch)}
        if "is_closed" in properties and not (made.get("open_time") and made.get("close_time")):
            made["is_closed"] = True
        return made

    def _together(self, names: list[str], properties: dict[str, Any], is_patch: bool) -> list[str]:
        """The fields without what does not go with others, and with what others need; now and then as they are."""
        dice, found = self.dice, dict.fromkeys(names)
        if dice.random() < 0.05:
            return names
        for one, other in (("latitude", "longitude"), ("longitude", "latitude"), ("exdates", "rrule"), ("overrides", "rrule")):
            if one in found and other in properties:
                found[other] = None
        without = {"rrule": ["rdates"], "rdates": ["rrule", "exdates", "overrides"]}[dice.choice(["rrule", "rdates"])]
        if "rrule" in found and "rdates" in found:
            found = {name: None for name in found if name not in without}
        for one, others in (("business", ("latitude", "longitude")), ("opening_hours", ("hours",)),
                            ("series_starts_at", ("starts_at",)), ("series_ends_at", ("ends_at",))):
            if one in found:
                found = {name: None for name in found if name not in others}
        if is_patch:  # those of a series are changed by the other names, which others have, too
            named = {"starts_at": "series_starts_at", "ends_at": "series_ends_at"} if dice.random() < 0.7 else {}
            found = {named.get(name, name): None for name in found if named.get(name, name) in properties}
        return list(found)

    def _number(self, name: str, kind: str, edge: float) -> Any:
        dice = self.dice
        if dice.random() < edge:
            return Raw(values.number(dice) or "0")
        if kind == "number":
            return dice.choice([round(dice.uniform(-90, 90), 6), 90, -90, 0, Raw("-0"), Raw("5e-324"), Raw("90.00")])
        return dice.randrange(7) if name == "day_of_week" else int(dice.choice(self.numbers))

    def _text(self, name: str, schema: dict[str, Any], edge: float) -> str:
        dice = self.dice
        if schema.get("format") == "date-time":
            return self._moment(name)
        if schema.get("format") == "date":
            return values.day(dice, 0.5)
        if name in ("open_time", "close_time"):
            return values.one(dice, values.CLOCKS[:8] if dice.random() < 0.9 else values.CLOCKS)
        lists = {"rrule": values.RULES, "opening_hours": values.OPENING_HOURS, "time_zone": values.ZONES, "price": values.PRICES,
                 "center": values.PLACES, "website": values.SITES, "holidays": ["CA-BC", "CA-AB", "none", "XX"]}
        if name in lists:  # of these, the first ones are the usual
            return values.one(dice, lists[name][:3] if dice.random() < 0.4 else lists[name])
        if name in ("category", "event_type", "business"):
            return dice.choice(self.slugs.get(name) or ["x"])
        if "email" in name:
            return f"p{dice.randrange(10**6)}@town.example" if dice.random() > edge else values.one(dice, values.MAILS)
        if name == "slug":
            return f"slug-{dice.randrange(10**6)}"
        if "password" in name:
            return values.words(dice) + " and a longer walk"
        return values.words(dice) if dice.random() > edge else values.text(dice)

    def _moment(self, name: str) -> str:
        """A time that goes with the start, more often than not."""
        dice = self.dice
        if name.endswith("starts_at") and dice.random() < 0.8:
            return self.start
        if name.endswith("ends_at") and dice.random() < 0.5:
            return self.start[:11] + "23:59:59" + re.sub(r"^.{19}(\.\d+)?", "", self.start)
        return values.moment(dice, 0.6)


def encoded(value: Any) -> bytes:
    """JSON in which raw values stand as they are."""
    raw: list[str] = []

    def marked(value: Any) -> Any:
        if isinstance(value, Raw):
            raw.append(str(value))
            return f"\x01{len(raw) - 1}\x01"
        if isinstance(value, dict):
            return {name: marked(each) for name, each in value.items()}
        return [marked(each) for each in value] if isinstance(value, list) else value

    text = json.dumps(marked(value), ensure_ascii=False)
    return re.sub(r'"\\u0001(\d+)\\u0001"', lambda found: raw[int(found[1])], text).encode(errors="surrogatepass")
