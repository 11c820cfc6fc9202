"""Writes of every route of the API's description, forms and imports, in years from 0 to 9999, with starts between them."""

import json
import random
import re
import time
from typing import Any

import values
from forms import Forms, read
from people import Caller, Prepared
from prober import Prober, Request, signals
from values import Dice

ROUND = 60  # operations in a town before it begins anew
FEW = {"DELETE": 0.2, "POST /api/v1/session": 0.1, "DELETE /api/v1/session": 0.02, "DELETE /api/v1/me/sessions": 0.02,
       "DELETE /api/v1/me/sessions/{id}": 0.02, "POST /api/v1/setup": 0.05, "POST /api/v1/me/password": 0.1,
       "POST /api/v1/users/{id}/password": 0.1, "PUT /api/v1/admin/read-only": 0.05, "POST /api/v1/admin/snapshot": 0.2,
       "POST /api/v1/admin/import": 0, "POST /api/v1/admin/setup-link": 0.05, "POST /api/v1/events": 8,
       "PATCH /api/v1/events/{slug}": 8, "POST /api/v1/businesses": 4, "PATCH /api/v1/businesses/{slug}": 6,
       "PATCH /api/v1/town": 3, "POST /api/v1/businesses/{slug}/special-hours": 2}


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


class Operations:
    """Chooses and sends writes."""

    def __init__(self, prober: Prober, town: Prepared, dice: Dice) -> None:
        self.prober, self.town, self.dice = prober, town, dice
        self.bodies = Bodies(town.description, dice)
        self.routes = [(method.upper(), path, operation) for path, operations in town.description["paths"].items()
                       for method, operation in operations.items() if method != "get"]
        self.weights = [FEW.get(f"{method} {path}", FEW.get(method, 1)) for method, path, _ in self.routes]
        self.records: dict[str, list[dict[str, Any]]] = {}
        self.tags: dict[str, str] = {}

    def look(self) -> None:
        """Reads from the last export what there is."""
        self.records = {kind: found for kind, found in json.loads(self.prober.export).items() if isinstance(found, list)}
        slugs = {kind: [record["slug"] for record in self.records.get(kind, [])]
                 for kind in ("categories", "event_types", "businesses", "events")}
        self.bodies.slugs = {"category": slugs["categories"], "event_type": slugs["event_types"],
                             "business": slugs["businesses"], **slugs}
        self.bodies.numbers = [str(record["id"]) for record in self.records.get("users", [])] or ["1"]

    def write(self) -> Request:
        """A write of one route, mostly of somebody who may."""
        dice = self.dice
        method, pattern, operation = dice.choices(self.routes, self.weights)[0]
        caller = self.town.callers[-1] if dice.random() < 0.7 else dice.choice(self.town.callers)
        path, query = self._path(pattern, operation), ""
        if pattern.endswith("special-hours") and method == "DELETE":
            query = f"?from={values.day(dice, 0.3)}&to={values.day(dice, 0.3)}"
        content = operation.get("requestBody", {}).get("content", {})
        kind = next(iter(content), "")
        headers = [("Content-Type", kind)] * bool(kind)
        if any(given["name"] == "If-Match" for given in operation.get("parameters", [])) and "proposals" not in path:
            headers.append(("If-Match", self._tag(path) if "/approve" in path else "*"))
        if dice.random() < 0.1:
            headers.append(("Idempotency-Key", f"key-{dice.randrange(50)}"))
        body = self.bodies.body(content[kind]["schema"], "patch" in kind) if kind else None
        if "/proposals/" in path and path.endswith("accept"):
            body = self._decision(path)
        return self._built(caller, method, path + query, headers, body)

    def _built(self, caller: Caller, method: str, target: str, headers: list[tuple[str, str]], body: Any) -> Request:
        parts = list(body.items()) if isinstance(body, dict) else []
        request = Request(caller.name, method, target, [*headers, *caller.api_headers()], b"" if body is None else encoded(body),
                          parts=parts)
        if parts:
            request.build = lambda some: self._built(caller, method, target, headers, dict(some))
        return request

    def _path(self, pattern: str, operation: dict[str, Any]) -> str:
        dice = self.dice
        kind = "events" if "events" in pattern else "categories" if "categories" in pattern else (
            "event_types" if "event-types" in pattern else "businesses")
        known = {"slug": self.bodies.slugs.get(kind) or ["x"], "from": [values.day(dice, 0.3)],
                 "id": self.bodies.numbers if "users" in pattern else ["1", "2", "3"], "item": ["1", "2"]}
        return re.sub(r"\{(\w+)\}", lambda found: dice.choice(known.get(found[1], ["1"])), pattern)

    def _tag(self, path: str) -> str:
        """The entity tag of the record that a decision is about."""
        admin = self.town.callers[-1]
        _, answer = self.prober.send(Request(admin.name, "GET", path.rsplit("/", 1)[0], admin.api_headers()))
        found = re.search(rb"\r\n[Ee][Tt]ag: ([^\r]*)", answer)
        return found[1].decode() if found else "*"

    def _decision(self, path: str) -> dict[str, Any]:
        """The body that accepts a proposal in the version that it has, at times with another event instead."""
        admin = self.town.callers[-1]
        _, answer = self.prober.send(Request(admin.name, "GET", "/api/v1/proposals", admin.api_headers()))
        found = re.findall(rb'"id":(\d+),.*?"version":"(\w+)"', answer)
        versions = {int(number): version.decode() for number, version in found}
        body: dict[str, Any] = {"version": versions.get(int(path.split("/")[-2]), "x")}
        if self.dice.random() < 0.5:
            body["changes"] = self.bodies.body(self.town.description["components"]["schemas"]["event_input"], False)
        return body

    # Imports

    def imported(self) -> Request:
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
                   "monday": lambda dice: values.one(dice, values.HOURS), "opening_hours": lambda dice: values.one(dice, values.OPENING_HOURS),
                   "website": lambda dice: values.one(dice, values.SITES), "description": values.text,
                   "time_zone": lambda dice: values.one(dice, values.ZONES), "map": lambda dice: values.one(dice, values.PLACES)}
        names = ["name", "address", *dice.sample(list(columns)[2:], dice.randrange(4))]
        return "csv", table(names, [[columns[name](dice) for name in names] for _ in range(dice.choice([1, 2, 20]))])

    def _events(self) -> tuple[str, str]:
        dice = self.dice
        columns = {"name": values.words, "starts_at": lambda dice: values.moment(dice, 0.5), "ends_at": lambda dice: values.moment(dice, 0.5),
                   "rrule": lambda dice: values.one(dice, values.RULES), "rdates": lambda dice: values.moment(dice, 0.7),
                   "exdates": lambda dice: values.moment(dice, 0.7), "start_date": values.day,
                   "start_time": lambda dice: values.one(dice, values.PEOPLES_TIMES), "end_date": values.day,
                   "time_zone": lambda dice: values.one(dice, values.ZONES)}
        names = ["name", dice.choice(["starts_at", "start_date"]), *dice.sample(list(columns)[2:], dice.randrange(4))]
        return "csv", table(list(dict.fromkeys(names)), [[columns[name](dice) for name in dict.fromkeys(names)]
                                                         for _ in range(dice.choice([1, 2, 20]))])

    def _calendar(self) -> tuple[str, str]:
        dice = self.dice

        def time_of(name: str) -> str:
            moment = re.sub(r"[-:]|\.\d+", "", values.moment(dice, 0.5)[:19]) + dice.choice(["", "Z"])
            return dice.choice([f"{name}:{moment}", f"{name};VALUE=DATE:{moment[:8]}", f"{name};TZID={dice.choice(values.ZONES)}:{moment}"])

        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"]
        for index in range(dice.choice([1, 2, 10])):
            more = [time_of("DTEND"), time_of("EXDATE"), time_of("RDATE"), time_of("RECURRENCE-ID"), f"RRULE:{dice.choice(values.RULES)}",
                    f"DURATION:P{values.number(dice)}D", f"DURATION:PT{values.number(dice)}S", f"GEO:{values.number(dice)};{values.number(dice)}",
                    f"SEQUENCE:{values.number(dice)}", "STATUS:CANCELLED", f"LAST-MODIFIED:{values.number(dice)}"]
            lines += ["BEGIN:VEVENT", f"UID:{dice.choice([index, 0])}@x", f"SUMMARY:{values.words(dice)}", time_of("DTSTART"),
                      *dice.sample(more, dice.randrange(4)), "END:VEVENT"]
        return "icalendar", "\r\n".join([*lines, "END:VCALENDAR", ""])

    def _cards(self) -> tuple[str, str]:
        dice = self.dice
        lines = ["BEGIN:VCARD", f"VERSION:{dice.choice(['3.0', '4.0'])}", f"FN:{values.words(dice)}", "ADR:;;1 Wharf Rd;Sooke;BC;;",
                 f"GEO:geo:{dice.choice(values.PLACES[:7])}", f"TZ:{dice.choice(values.ZONES)}", f"URL:{dice.choice(values.SITES)}",
                 f"NOTE:{values.text(dice)[:200]}", "END:VCARD", ""]
        return "vcard", "\r\n".join(lines)

    def _places(self) -> tuple[str, str]:
        dice = self.dice
        features = [{"type": "Feature", "geometry": {"type": dice.choice(["Point", "Point", "Polygon"]), "coordinates": [
            Raw(dice.choice(["-123.7", "180", values.number(dice) or "0"])), Raw(dice.choice(["48.3", "-90", values.number(dice) or "0"]))]},
            "properties": {"name": values.words(dice), "opening_hours": dice.choice(values.OPENING_HOURS), "addr:street": "Wharf Rd",
                           "shop": "books", "website": dice.choice(values.SITES)}} for _ in range(dice.choice([1, 3]))]
        return "geojson", encoded({"type": "FeatureCollection", "features": features}).decode(errors="surrogatepass")


def table(names: list[str], rows: list[list[str]]) -> str:
    """A CSV table."""
    quoted = ["\"" + cell.replace("\"", "\"\"") + "\"" for row in rows for cell in row]
    return ",".join(names) + "\n" + "".join(",".join(quoted[start:start + len(names)]) + "\n"
                                            for start in range(0, len(quoted), len(names)))


def run(prober: Prober, town: Prepared, seed: str, seconds: float, every: int, writes: int = 0) -> None:
    """Sends writes until the time is over, or until so many were accepted."""
    dice = random.Random(f"{seed} operations")
    town.wait_for_stamp()
    prober.begin(town.folder)
    operations, forms, ends = Operations(prober, town, dice), Forms(prober, town, dice), signals(dice)
    forms.explore()
    pages, end, count = list(forms.known), time.monotonic() + seconds, 0
    while prober.writes < writes if writes else time.monotonic() < end:
        if count % ROUND == 0:
            prober.check()
            prober.begin(town.folder)
            forms.known = list(pages)
        count += 1
        operations.look()
        kind = dice.random()
        if kind < 0.3:
            request = forms.step()
        else:
            request = operations.imported() if kind < 0.5 else operations.write()
            status, _ = prober.send(request)
            request = request if status // 100 == 2 else None
        if request:
            prober.accepted(request, every, next(ends))
            read(prober, town, dice)
    prober.check()
    prober.stop()
