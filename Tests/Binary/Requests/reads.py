"""Addresses, parameters and header fields at their edges, on the pages and in the API."""

import re
from typing import Any
from urllib.parse import quote

import values
from callers import Caller, Prepared
from prober import Request
from values import Dice

PAGES = ["/", "/businesses", "/events", "/week", "/businesses/slack-tide", "/events/open-mic", "/new-event", "/login",
         "/account", "/account/waiting", "/account/events/open-mic", "/account/businesses/slack-tide/hours", "/admin/town",
         "/admin/businesses", "/admin/people", "/sitemap.xml", "/docs", "/account/new-event", "/businesses/slack-tide/report"]
# Parameters of the pages; those of the API are in its description.
PARAMETERS = ["page", "near", "radius_m", "bbox", "from", "to", "at", "open_at", "open", "when", "type", "category", "q",
              "business", "limit", "before", "then", "copy", "done", "tz", "cursor", "sort"]
# {n} is a number, {d} a day, {m} a moment, {t} a text.
HEADERS: dict[str, list[str]] = {
    "Accept": ["*/*;q={n}", "application/json;v={n};q=0.{n}", ";q={n}", "text/event-stream;q={n}", "{t}/{t};q={n}"],
    "Accept-Encoding": ["gzip;q={n}, identity;q={n}"], "Accept-Language": ["fr-CA;q={n}, *;q={n}"],
    "Range": ["bytes={n}-{n}", "bytes=0-0,{n}-{n}", "{n}={n}-{n}"], "If-Modified-Since": ["{n}", "{m}"],
    "If-None-Match": ["\"{n}\"", "W/\"{n}\"", "\"{n}.{n}\", \"{t}\"", "\"", "\"{n}\"," * 200],
    "If-Match": ["*", "\"{n}\"", "\"{n}.{n}\"", "\"-{n}\"", "\"", "{n}.{n}"],
    "Last-Event-ID": ["{n}", "{n}.{n}", "{t}", "{n}:{n}.{n}"], "Idempotency-Key": ["{n}", "{t}", "a" * 256],
    "Cookie": ["sooke-{n}={n}", "=; ;; =", "a=b; " * 300, "sooke-{n}=sooke_ses_{t}"],
    "Authorization": ["Bearer {n}", "Basic {t}", "Bearer sooke_ses_{t}"], "Host": ["127.0.0.1:{n}", "[::{n}]", "{t}", "["],
    "X-Forwarded-For": ["{n}.{n}.{n}.{n}", "1.2.3.4:{n}", "[::{n}]:{n}", "1.2.3.4, " * 300],
    "Origin": ["http://127.0.0.1:{n}", "https://[::1]:{n}", "://"], "Sec-Fetch-Site": ["cross-site", "{t}"],
    "Content-Length": ["{n}", "{n}, {n}", "+{n}"], "Transfer-Encoding": ["chunked", "chunked;q={n}", "{t}"],
    "Content-Type": ["application/json; charset={n}", "multipart/form-data; boundary={t}", "/"], "Expect": ["100-continue"]}
QUERY_VALUES = ["{n}", "{n}", "{d}", "{d}", "{m}", "{n},{n}", "{n},{n},{n},{n}", "{d}/{d}", "{t}", "", "{n}.{n}", "true",
                "48.37,-123.72", "slack-tide", "open-mic", "{d}T{n}", "-{n}"]
SCHEMES = ["json", "csv", "ndjson", "postgres", "ics", "geojson"]
BODIES = [b"{}", b"[]", b"", b"0\r\n\r\n", b"7FFFFFFFFFFFFFFF\r\nx\r\n0\r\n", b"-1\r\n", b"2\r\n{}\r\n0\r\n\r\n"]


class Reads:
    """Chooses requests; each of the routes first."""

    def __init__(self, town: Prepared, dice: Dice) -> None:
        self.town, self.dice = town, dice
        self.routes = [(method.upper(), path, [given["name"] for given in operation.get("parameters", [])
                                               if given["in"] == "query"])
                       for path, operations in town.description["paths"].items() for method, operation in operations.items()
                       if "backup" not in path and "setup-link" not in path]
        self.routes += [("GET", path, PARAMETERS) for path in PAGES]
        self._first = dice.sample(self.routes, len(self.routes))

    def filled(self, template: str) -> str:
        """A template with values in its places, each one its own; now and then one that no field may have."""
        text = re.sub(r"\{([ndmt])\}", lambda found: {
            "n": values.number, "d": lambda dice: values.day(dice, 0.8), "m": lambda dice: values.moment(dice, 0.8),
            "t": lambda dice: values.text(dice)[:200]}[found[1]](self.dice), template)
        return text if self.dice.random() < 0.05 else re.sub(r"[\r\n\0]", "?", text)

    def request(self) -> Request:
        """A request with one to four strange things in it."""
        dice = self.dice
        method, path, names = self._first.pop() if self._first else dice.choice(self.routes)
        parts: list[tuple[str, Any]] = [("?format", dice.choice(SCHEMES))] * ("export" in path)
        for _ in range(dice.choice([1, 1, 1, 2, 3, 4])):
            name = "?" + dice.choice(names) if names and dice.random() < 0.6 else dice.choice(list(HEADERS))
            parts.append((name, self.filled(dice.choice(HEADERS.get(name, QUERY_VALUES)))))
        slug = "open-mic" if "events" in path else "books" if "categories" in path else "slack-tide"
        path = re.sub(r"\{(\w+)\}", lambda found: {"slug": slug, "from": "2027-12-24"}.get(found[1], "1")
                      if dice.random() >= 0.4 else quote(self.filled("{t}") or "x", safe="", errors="replace"), path)
        body = b"" if method == "GET" else dice.choice(BODIES)
        source = f"127.0.{dice.randrange(256)}.{dice.randrange(1, 255)}"
        return self._built(dice.choice(self.town.callers), method, path, parts, body, source)

    def _built(self, caller: Caller, method: str, path: str, parts: list[tuple[str, Any]], body: bytes, source: str) -> Request:
        query = "&".join(f"{quote(name[1:])}={quote(value, safe=',:/')}" for name, value in parts if name[0] == "?")
        headers = [(name, value) for name, value in parts if name[0] != "?"]
        given = {name.lower() for name, _ in headers}
        own = caller.page_headers() if not path.startswith("/api") else caller.api_headers()
        headers += [pair for pair in own if pair[0].lower() not in given]
        if body and "content-type" not in given:
            headers.append(("Content-Type", "application/merge-patch+json" if method == "PATCH" else "application/json"))
        # A body that does not come is waited for, and the feed does not end.
        ends = not (given & {"content-length", "transfer-encoding", "expect"} or
                    path.startswith(("/api/v1/changes", "/api/v1/admin/changes", "/api/v1/admin/log")))
        return Request(caller.name, method, path + ("?" + query if query else ""), headers, body, source, parts,
                       lambda some: self._built(caller, method, path, some, body, source), ends=ends,
                       allowed=(501, 503, 505, 507))
