"""Writes of every route of the API's description."""

import json
import re
from typing import Any

import values
from callers import Caller, Prepared
from prober import Prober, Request
from values import Dice

WEIGHTS = {"DELETE": 0.2, "POST /api/v1/session": 0.1, "DELETE /api/v1/session": 0.02,
           "DELETE /api/v1/me/sessions": 0.02, "DELETE /api/v1/me/sessions/{id}": 0.02, "POST /api/v1/setup": 0.05, "POST /api/v1/me/password": 0.1,
           "POST /api/v1/users/{id}/password": 0.1, "PUT /api/v1/admin/read-only": 0.05, "POST /api/v1/admin/import": 0,
           "POST /api/v1/admin/setup-link": 0.05, "POST /api/v1/events": 8, "PATCH /api/v1/events/{slug}": 8,
           "POST /api/v1/businesses": 4, "PATCH /api/v1/businesses/{slug}": 6, "PATCH /api/v1/town": 3}
# What does not go with another field, and what another field needs.
WITHOUT = [("business", ("latitude", "longitude")), ("opening_hours", ("hours",)), ("series_starts_at", ("starts_at",)),
           ("series_ends_at", ("ends_at",)), ("rrule", ("rdates",)), ("rdates", ("exdates", "overrides"))]
WITH = [("latitude", "longitude"), ("longitude", "latitude"), ("exdates", "rrule"), ("overrides", "rrule")]


class Raw(str):
    """A value that stands in JSON as it is."""


class Writes:
    """Chooses and makes writes."""

    def __init__(self, prober: Prober, town: Prepared, dice: Dice) -> None:
        self.prober, self.town, self.dice, self.start = prober, town, dice, ""
        self._schemas = town.description["components"]["schemas"]
        self.routes = [(method.upper(), path, operation) for path, operations in town.description["paths"].items()
                       for method, operation in operations.items() if method != "get"]
        self.weights = [WEIGHTS.get(f"{method} {path}", WEIGHTS.get(method, 1)) for method, path, _ in self.routes]

    def step(self) -> Request | None:
        """Sends a write; the request when it was accepted."""
        request = self.write()
        status, _ = self.prober.send(request)
        return request if status // 100 == 2 else None

    def write(self) -> Request:
        """A write of one route, mostly of somebody who may."""
        dice, records = self.dice, json.loads(self.prober.export)
        slugs = {kind: [record["slug"] for record in records[kind]] or ["x"]
                 for kind in ("categories", "event_types", "businesses", "events")}
        self.known = {**slugs, "category": slugs["categories"], "event_type": slugs["event_types"],
                      "business": slugs["businesses"], "id": [str(user["id"]) for user in records["users"]]}
        self.start = values.moment(dice, dice.choice([0, 0.3]))
        method, pattern, operation = dice.choices(self.routes, self.weights)[0]
        admin = self.town.callers[-1]
        caller = admin if dice.random() < 0.7 else dice.choice(self.town.callers)
        kind = next((kind for kind in ("events", "categories", "event-types") if kind in pattern), "businesses")
        named = {"slug": slugs[kind.replace("-", "_")], "from": [values.day(dice, 0.3)], "item": ["1", "2"],
                 "id": self.known["id"] if "users" in pattern else ["1", "2", "3"]}
        path = re.sub(r"\{(\w+)\}", lambda found: dice.choice(named.get(found[1], ["1"])), pattern)
        content = operation.get("requestBody", {}).get("content", {})
        kind = next(iter(content), "")
        headers = [("Content-Type", kind)] * bool(kind)
        if any(given["name"] == "If-Match" for given in operation.get("parameters", [])):
            headers.append(("If-Match", self._tag(admin, path) if "/approve" in path else "*"))
        if dice.random() < 0.1:
            headers.append(("Idempotency-Key", f"key-{dice.randrange(50)}"))
        edge = dice.choice([0.0, 0.0, 0.05, 0.2])
        body = self.value("", content[kind]["schema"], edge, "patch" in kind) if kind else None
        if pattern.endswith("special-hours") and method == "DELETE":
            path += f"?from={values.day(dice, 0.3)}&to={values.day(dice, 0.3)}"
        return self._built(caller, method, path, headers, body)

    def _built(self, caller: Caller, method: str, target: str, headers: list[tuple[str, str]], body: Any) -> Request:
        parts = list(body.items()) if isinstance(body, dict) else []
        again = (lambda some: self._built(caller, method, target, headers, dict(some))) if parts else None
        return Request(caller.name, method, target, [*headers, *caller.api_headers()],
                       b"" if body is None else encoded(body), parts=parts, build=again)

    def _tag(self, admin: Caller, path: str) -> str:
        """The entity tag of the record that a decision is about."""
        _, answer = self.prober.send(Request(admin.name, "GET", path.rsplit("/", 1)[0], admin.api_headers()))
        found = re.search(rb"\r\n[Ee][Tt]ag: ([^\r]*)", answer)
        return found[1].decode() if found else "*"

    # Bodies that the description allows, with values at their edges

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
        match next(kind for kind in kinds if kind != "null"):
            case "object":
                return self._object(schema, edge, is_patch)
            case "array":
                count = dice.choice([0, 1, 1, 1, 2, 3, 7] + [500, 501] * (dice.random() < 0.03))
                return [self.value(name, schema["items"], edge if count < 50 else 0) for _ in range(count)]
            case "boolean":
                return dice.random() < 0.3
            case "integer" | "number" if dice.random() < edge:
                return Raw(values.number(dice) or "0")
            case "number":
                return dice.choice([round(dice.uniform(-90, 90), 6), 90, -90, Raw("-0"), Raw("5e-324"), Raw("90.00")])
            case "integer":
                return dice.randrange(7) if name == "day_of_week" else int(dice.choice(self.known["id"]))
        return self._text(name, schema, edge)

    def _object(self, schema: dict[str, Any], edge: float, is_patch: bool) -> dict[str, Any]:
        """The required fields and a share of the others, such that they go together more often than not."""
        dice, properties = self.dice, schema.get("properties", {})
        required, share = [] if is_patch else schema.get("required", []), dice.choice([0.1, 0.3, 0.6])
        names = {name: None for name in properties if name in required or dice.random() < share}
        if is_patch and not names and properties:
            names = {dice.choice(list(properties)): None}
        if dice.random() < 0.95:
            names |= {other: None for one, other in WITH if one in names and other in properties}
            if is_patch and dice.random() < 0.7:  # a series has other names for its times
                names = {"series_" + name if "series_" + name in properties else name: None for name in names}
            for one, others in WITHOUT:
                names = {name: None for name in names if one not in names or name not in others}
        made = {name: self.value(name, properties[name], edge) for name in names}
        if "is_closed" in properties and not (made.get("open_time") and made.get("close_time")):
            made["is_closed"] = True
        return made

    def _text(self, name: str, schema: dict[str, Any], edge: float) -> str:
        dice = self.dice
        if schema.get("format") == "date-time":  # that goes with the start, more often than not
            if name.endswith("starts_at") and dice.random() < 0.8:
                return self.start
            if name.endswith("ends_at") and dice.random() < 0.5:
                return self.start[:11] + "23:59:59" + re.sub(r"^.{19}(\.\d+)?", "", self.start)
            return values.moment(dice, 0.6)
        if schema.get("format") == "date":
            return values.day(dice, 0.5)
        if name in ("open_time", "close_time"):
            return dice.choice(values.CLOCKS[:8] if dice.random() < 0.9 else values.CLOCKS)
        if name in self.known:
            return dice.choice(self.known[name])
        if name == "slug" or "email" in name and dice.random() > edge:
            return f"p{dice.randrange(10**6)}" + "@town.example" * (name != "slug")
        if "password" in name:
            return values.words(dice) + " and a longer walk"
        found = values.named(dice, name, 0.6)
        return found if found is not None else values.words(dice) if dice.random() > edge else values.text(dice)


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
