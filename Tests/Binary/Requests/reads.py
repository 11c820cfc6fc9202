"""Header fields with structured values and parameters of addresses, at their edges, on the pages and in the API."""

import re
from typing import Any
from urllib.parse import quote

import values
from callers import Caller, Prepared
from prober import Request
from values import Dice

PAGES = ["/", "/businesses", "/events", "/week", "/businesses/slack-tide", "/events/open-mic", "/new-event", "/login",
         "/account", "/account/waiting", "/account/events/open-mic", "/account/businesses/slack-tide/hours", "/admin/town",
         "/admin/businesses", "/admin/people", "/sitemap.xml", "/robots.txt", "/docs", "/nowhere",
         "/account/new-event", "/businesses/slack-tide/report"]
# Parameters of the pages; those of the API are in its description.
PARAMETERS = ["page", "per_page", "near", "radius_m", "bbox", "from", "to", "since", "at", "open_at", "open", "when", "type",
              "category", "q", "business", "limit", "before", "then", "copy", "done", "tz", "cursor", "fields", "sort"]
# {n} is a number, {d} a day, {m} a time, {t} a text.
HEADERS: dict[str, list[str]] = {
    "Accept": ["*/*;q={n}", "text/html;q={n}, application/json;q={n}", "application/json;v={n};q=0.{n}", "*/*;q=", ";q={n}",
               "text/event-stream;q={n}", "{t}/{t};q={n}", "*/*, " * 300],
    "Accept-Encoding": ["gzip;q={n}", "gzip;q={n}, identity;q={n}", "identity;q=0, *;q={n}"],
    "Accept-Language": ["fr-CA;q={n}, *;q={n}", "{t}"],
    "Range": ["bytes={n}-{n}", "bytes=-{n}", "bytes=0-0,{n}-{n}", "bytes=" + "0-0," * 500, "{n}={n}-{n}"],
    "If-None-Match": ["*", "\"{n}\"", "W/\"{n}\"", "\"{n}.{n}\", \"{t}\"", "\"", "W/", "\"{n}\"," * 200, "{n}"],
    "If-Match": ["*", "\"{n}\"", "\"{n}.{n}\"", "\"-{n}\"", "W/\"{n}\", \"\"", "\"", "{n}.{n}"],
    "If-Modified-Since": ["{n}", "{m}", "Thu, 01 Jan 10000 00:00:00 GMT", "Sat, {n} Nov {n} 00:00:00 GMT"],
    "Content-Length": ["{n}", "{n}, {n}", "0{n}", "+{n}", "0"],
    "Transfer-Encoding": ["chunked", "gzip, chunked", "chunked;q={n}", "chunked, chunked", "{t}"],
    "Expect": ["100-continue", "{t}", "100-continue;q={n}"],
    "Last-Event-ID": ["{n}", "{n}.{n}", "{t}", "{n}:{n}.{n}", "{n}.abcdef"],
    "Cookie": ["sooke-{n}={n}", "=; ;; =", "sooke-1={t}", "a=b; " * 300, "sooke-{n}=sooke_ses_{t}", "\"{t}\""],
    "Authorization": ["Bearer {n}", "Bearer", "Basic {t}", "Bearer sooke_ses_{t}", "Bearer sooke_tok_" + "A" * 43],
    "X-Forwarded-For": ["{n}", "{n}.{n}.{n}.{n}", "1.2.3.4:{n}", "[::{n}]:{n}", "::ffff:{n}.0.0.1", "1.2.3.4, " * 300],
    "X-Forwarded-Host": ["{t}", "a:{n}"], "Forwarded": ["for=\"[::1]:{n}\";proto=https", "for=1.2.3.4;q={n}, for=\""],
    "Host": ["127.0.0.1:{n}", "[::{n}]", "{n}", "{t}", "a" * 300, "127.0.0.1:80:{n}", ":", "[", ""],
    "Origin": ["null", "http://127.0.0.1:{n}", "https://[::1]:{n}", "http://{t}", "{n}", "://"],
    "Sec-Fetch-Site": ["cross-site", "none", "{t}", "same-origin;q={n}"],
    "Idempotency-Key": ["{n}", "{t}", "a" * 255, "a" * 256, ""],
    "Content-Type": ["application/json; charset={n}", "multipart/form-data; boundary={t}", "application/merge-patch+json;{n}",
                     "application/x-www-form-urlencoded; charset=\"{t}\"", ";", "/"],
    "Content-Encoding": ["gzip", "identity", "deflate, gzip;q={n}"], "Connection": ["keep-alive", "close, {t}", "upgrade"],
    "Upgrade": ["h2c", "websocket"], "Access-Control-Request-Method": ["PATCH", "{t}"], "X-Request-ID": ["{n}", "{t}"],
    "Prefer": ["wait={n}", "respond-async, wait={n}"], "Cache-Control": ["max-age={n}", "no-cache"],
}
QUERY_VALUES = ["{n}", "{n}", "{n}", "{d}", "{d}", "{m}", "{n},{n}", "{n},{n},{n},{n}", "{d}/{d}", "{t}", "", "{n}.{n}", "now",
                "today", "true", "48.37,-123.72", "-90,-180,90,180", "slack-tide", "open-mic", "{d}T{n}", "-{n}"]
SCHEMES = ["json", "csv", "ndjson", "postgres", "ics", "geojson"]
BODIES = [b"{}", b"{}", b"[]", b"", b"{\"name\":\"x\"}", b"0\r\n\r\n", b"FFFFFFFFFFFFFFFF\r\n", b"7FFFFFFFFFFFFFFF\r\nx\r\n0\r\n",
          b"-1\r\n", b"1;q=nan\r\nx\r\n0\r\nA: b\r\n\r\n", b"8000000000000000\r\n", b"2\r\n{}\r\n0\r\n\r\n"]


class Reads:
    """Chooses addresses, parameters and header fields; each of the routes first."""

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
        caller = dice.choice(self.town.callers)
        reads = [route for route in self.routes if route[0] == "GET"]
        method, path, names = self._first.pop() if self._first else dice.choice(
            reads if dice.random() < 0.7 else self.routes)
        if method == "GET" and dice.random() < 0.1:
            method = dice.choice(["HEAD", "OPTIONS"])
        parts: list[tuple[str, Any]] = []
        for _ in range(dice.choice([1, 1, 1, 2, 3, 4])):
            if names and dice.random() < 0.5:
                name = dice.choice(names) if dice.random() < 0.9 else dice.choice(PARAMETERS)
                parts.append(("?" + name, self.filled(dice.choice(QUERY_VALUES))))
            else:
                name = dice.choice(list(HEADERS))
                parts.append((name, self.filled(dice.choice(HEADERS[name]))))
        parts += [dice.choice(parts)] * (dice.random() < 0.1) + [("?format", dice.choice(SCHEMES))] * ("export" in path)
        body = b"" if method in ("GET", "HEAD", "OPTIONS") else dice.choice(BODIES)
        source = f"127.0.{dice.randrange(256)}.{dice.randrange(1, 255)}"
        return self._built(caller, method, self._named(path), parts, body, source)

    def _named(self, path: str) -> str:
        """A path with records that there are, or numbers at an edge."""
        dice = self.dice
        known = {"slug": "open-mic" if "events" in path else "books" if "categories" in path else "market" if "types" in path
                 else "slack-tide", "from": "2027-12-24"}
        return re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], "1") if dice.random() >= 0.4 else quote(dice.choice(
            [values.number(dice), values.day(dice, 1), values.text(dice)[:300]]), safe="", errors="replace"), path)

    def _built(self, caller: Caller, method: str, path: str, parts: list[tuple[str, Any]], body: bytes, source: str) -> Request:
        query = "&".join(f"{quote(name[1:])}={quote(value, safe=',:/')}" for name, value in parts if name[0] == "?")
        headers = [(name, value) for name, value in parts if name[0] != "?"]
        given = {name.lower() for name, _ in headers}
        own = caller.page_headers() if not path.startswith("/api") else caller.api_headers()
        headers += [pair for pair in own if pair[0].lower() not in given]
        if body and "content-type" not in given:
            headers.append(("Content-Type", "application/merge-patch+json" if method == "PATCH" else "application/json"))
        # A body that does not come is waited for, a connection that is kept does not end, and nor does the feed.
        ends = not (given & {"content-length", "transfer-encoding", "connection", "expect", "upgrade"} or
                    path.startswith(("/api/v1/changes", "/api/v1/admin/changes", "/api/v1/admin/log")))
        return Request(caller.name, method, path + ("?" + query if query else ""), headers, body, source, parts,
                       lambda some: self._built(caller, method, path, some, body, source), ends=ends,
                       allowed=(501, 503, 505, 507))
