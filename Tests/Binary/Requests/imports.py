"""Files to import: tables, calendars, cards, places, and the town's own export with other values in it."""

import json
import re
from collections.abc import Callable
from typing import Any

import values
from bodies import Bodies, Raw, encoded
from callers import Prepared
from prober import Prober, Request
from values import Dice


class Imports:
    """Makes files, and the requests that import them."""

    def __init__(self, prober: Prober, town: Prepared, bodies: Bodies, dice: Dice) -> None:
        self.prober, self.town, self.bodies, self.dice = prober, town, bodies, dice

    def request(self) -> Request:
        """An import of a file: a table, a calendar, places, or the export with other values in it."""
        dice = self.dice
        kind, file = dice.choice([self._export, self._export, self._table, self._events, self._calendar, self._places,
                                  self._cards])()
        query = "".join(f"&{name}=true" for name in ("create_categories", "skip_invalid", "delete_missing", "settings")
                        if dice.random() < 0.3)
        if dice.random() < 0.3:
            query += f"&time_zone={values.one(dice, values.ZONES[:8])}"
        if kind in ("csv", "icalendar", "geojson", "vcard"):
            query += "&category=restaurants&event_type=live-music"
        admin = self.town.callers[-1]
        return Request(admin.name, "POST", f"/api/v1/admin/import?format={kind}{query}",
                       [("Content-Type", "application/octet-stream"), *admin.api_headers()], file.encode(errors="surrogatepass"))

    def _export(self) -> tuple[str, str]:
        """The town as it is, with values changed in any record."""
        dice, town = self.dice, json.loads(self.prober.export)
        places: list[tuple[Any, Any]] = []

        def visit(value: Any) -> None:
            for key in value if isinstance(value, dict) else range(len(value)):
                places.append((value, key))
                if isinstance(value[key], (dict, list)):
                    visit(value[key])

        visit({kind: records for kind, records in town.items() if isinstance(records, list)})
        for owner, key in dice.sample(places, min(len(places), dice.choice([1, 1, 2, 4]))):
            owner[key] = self._instead(str(key), owner[key])
        town.pop("end", None)
        return "json", encoded(town).decode(errors="surrogatepass")

    def _instead(self, key: str, old: Any) -> Any:
        """Another value of the same kind."""
        dice = self.dice
        if isinstance(old, str) and re.match(r"\d{4}-\d\d-\d\dT", old) or key in ("starts_at", "ends_at", "occurrence"):
            return values.moment(dice, 0.9)
        if isinstance(old, str) and re.match(r"\d{4}-\d\d-\d\d$", old) or key in ("from", "to", "date"):
            return values.day(dice, 0.9)
        schema = next((schema["properties"][key] for name, schema in self.town.description["components"]["schemas"].items()
                       if name.endswith("_input") and key in schema.get("properties", {})), None)
        if schema and dice.random() < 0.8:
            return self.bodies.value(key, schema, 0.3)
        return Raw(dice.choice(values.TOKENS)) if isinstance(old, (int, float)) else values.edge(dice)

    def _table(self) -> tuple[str, str]:
        dice = self.dice
        columns = {"name": values.words, "address": values.words, "latitude": values.number, "longitude": values.number,
                   "monday": of(values.HOURS), "opening_hours": of(values.OPENING_HOURS), "website": of(values.SITES),
                   "description": values.text, "time_zone": of(values.ZONES), "map": of(values.PLACES)}
        names = ["name", "address", *dice.sample(list(columns)[2:], dice.randrange(4))]
        return "csv", table(names, [[columns[name](dice) for name in names] for _ in range(dice.choice([1, 2, 20]))])

    def _events(self) -> tuple[str, str]:
        dice = self.dice
        columns = {"name": values.words, "starts_at": values.moment, "ends_at": values.moment, "rrule": of(values.RULES),
                   "rdates": values.moment, "exdates": values.moment, "start_date": values.day,
                   "start_time": of(values.PEOPLES_TIMES), "end_date": values.day, "time_zone": of(values.ZONES)}
        names = ["name", dice.choice(["starts_at", "start_date"]), *dice.sample(list(columns)[2:], dice.randrange(4))]
        return "csv", table(list(dict.fromkeys(names)), [[columns[name](dice) for name in dict.fromkeys(names)]
                                                         for _ in range(dice.choice([1, 2, 20]))])

    def _calendar(self) -> tuple[str, str]:
        dice = self.dice

        def time_of(name: str) -> str:
            moment = re.sub(r"[-:]|\.\d+", "", values.moment(dice, 0.5)[:19]) + dice.choice(["", "Z"])
            return dice.choice([f"{name}:{moment}", f"{name};VALUE=DATE:{moment[:8]}",
                                f"{name};TZID={dice.choice(values.ZONES)}:{moment}"])

        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"]
        for index in range(dice.choice([1, 2, 10])):
            more = [time_of("DTEND"), time_of("EXDATE"), time_of("RDATE"), time_of("RECURRENCE-ID"),
                    f"RRULE:{dice.choice(values.RULES)}", f"DURATION:P{values.number(dice)}D",
                    f"DURATION:PT{values.number(dice)}S", f"GEO:{values.number(dice)};{values.number(dice)}",
                    f"SEQUENCE:{values.number(dice)}", "STATUS:CANCELLED", f"LAST-MODIFIED:{values.number(dice)}"]
            lines += ["BEGIN:VEVENT", f"UID:{dice.choice([index, 0])}@x", f"SUMMARY:{values.words(dice)}", time_of("DTSTART"),
                      *dice.sample(more, dice.randrange(4)), "END:VEVENT"]
        return "icalendar", "\r\n".join([*lines, "END:VCALENDAR", ""])

    def _cards(self) -> tuple[str, str]:
        dice = self.dice
        lines = ["BEGIN:VCARD", f"VERSION:{dice.choice(['3.0', '4.0'])}", f"FN:{values.words(dice)}",
                 "ADR:;;1 Wharf Rd;Sooke;BC;;", f"GEO:geo:{dice.choice(values.PLACES[:7]).replace(' ', '')}",
                 f"TZ:{dice.choice(values.ZONES)}", f"URL:{dice.choice(values.SITES)}",
                 f"NOTE:{values.text(dice)[:200]}", "END:VCARD", ""]
        return "vcard", "\r\n".join(lines)

    def _places(self) -> tuple[str, str]:
        dice = self.dice

        def feature() -> dict[str, Any]:
            number = values.number(dice) or "0"
            place = [Raw(dice.choice(["-123.7", "180", number])), Raw(dice.choice(["48.3", "-90", number]))]
            kind = dice.choice(["Point", "Point", "Point", "Polygon"])
            properties = {"name": values.words(dice), "opening_hours": dice.choice(values.OPENING_HOURS),
                          "addr:street": "Wharf Rd", "shop": "books", "website": dice.choice(values.SITES)}
            return {"type": "Feature", "geometry": {"type": kind, "coordinates": place}, "properties": properties}

        features = [feature() for _ in range(dice.choice([1, 3]))]
        return "geojson", encoded({"type": "FeatureCollection", "features": features}).decode(errors="surrogatepass")


def of(texts: list[str]) -> Callable[[Dice], str]:
    """What chooses one of some texts."""
    return lambda dice: values.one(dice, texts)


def table(names: list[str], rows: list[list[str]]) -> str:
    """A CSV table."""
    quoted = ["\"" + cell.replace("\"", "\"\"") + "\"" for row in rows for cell in row]
    return ",".join(names) + "\n" + "".join(",".join(quoted[start:start + len(names)]) + "\n"
                                            for start in range(0, len(quoted), len(names)))
