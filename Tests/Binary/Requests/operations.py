"""Writes of every route of the API's description, forms and imports, in years from 0 to 9999, with starts between them."""

import json
import random
import re
import time
from typing import Any

import values
from bodies import Bodies, encoded
from forms import Forms, read
from imports import Imports
from callers import Caller, Prepared
from prober import Prober, Request, signals
from values import Dice

ROUND = 60  # operations in a town before it starts over
FEW = {"DELETE": 0.2, "POST /api/v1/session": 0.1, "DELETE /api/v1/session": 0.02, "DELETE /api/v1/me/sessions": 0.02,
       "DELETE /api/v1/me/sessions/{id}": 0.02, "POST /api/v1/setup": 0.05, "POST /api/v1/me/password": 0.1,
       "POST /api/v1/users/{id}/password": 0.1, "PUT /api/v1/admin/read-only": 0.05, "POST /api/v1/admin/snapshot": 0.2,
       "POST /api/v1/admin/import": 0, "POST /api/v1/admin/setup-link": 0.05, "POST /api/v1/events": 8,
       "PATCH /api/v1/events/{slug}": 8, "POST /api/v1/businesses": 4, "PATCH /api/v1/businesses/{slug}": 6,
       "PATCH /api/v1/town": 3, "POST /api/v1/businesses/{slug}/special-hours": 2}


class Operations:
    """Chooses and sends writes."""

    def __init__(self, prober: Prober, town: Prepared, dice: Dice) -> None:
        self.prober, self.town, self.dice = prober, town, dice
        self.bodies = Bodies(town.description, dice)
        self.imports = Imports(prober, town, self.bodies, dice)
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
            request = operations.imports.request() if kind < 0.5 else operations.write()
            status, _ = prober.send(request)
            request = request if status // 100 == 2 else None
        if request:
            prober.accepted(request, every, next(ends))
            read(prober, town, dice)
    prober.check()
    prober.stop()
