"""Header fields with structured values and parameters of addresses, at their edges, on the pages and in the API."""

import random
import re
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import values
from callers import Caller, Prepared
from prober import Prober, Request
from values import Dice

ROUND = 300  # requests before the town starts over
PAGES = ["/", "/businesses", "/events", "/week", "/businesses/slack-tide", "/events/open-mic", "/new-event", "/login",
         "/account", "/account/waiting", "/account/events/open-mic", "/account/businesses/slack-tide/hours", "/admin/town",
         "/admin/businesses", "/admin/people", "/sitemap.xml", "/robots.txt", "/icon.svg", "/docs", "/nowhere",
         "/account/new-event", "/businesses/slack-tide/report"]
# Parameters of the pages; those of the API are in its description.
PARAMETERS = ["page", "per_page", "near", "radius_m", "bbox", "from", "to", "since", "at", "open_at", "open", "when", "type",
              "category", "q", "business", "part", "limit", "before", "then", "copy", "done", "tz", "cursor", "fields", "sort"]
# {n} is a number, {d} a day, {m} a time, {t} a text.
HEADERS: dict[str, list[str]] = {
    "Accept": ["*/*;q={n}", "text/html;q={n}", "text/html;q={n}, application/json;q={n}", "application/json;v={n};q=0.{n}",
               "*/*;Q={n}", "text/*;q=\"{n}\"", "*/*;q=", "*/*;q", ";q={n}", "text/event-stream;q={n}", "{t}/{t};q={n}",
               "*/*, " * 300],
    "Accept-Encoding": ["gzip;q={n}", "gzip;q={n}, identity;q={n}", "*;q={n}", "identity;q=0, *;q={n}", "br;q={n}, gzip"],
    "Accept-Language": ["en;q={n}", "fr-CA;q={n}, *;q={n}", "{t}"],
    "Range": ["bytes={n}-{n}", "bytes=-{n}", "bytes={n}-", "bytes=0-0,{n}-{n}", "bytes=" + "0-0," * 500, "{n}={n}-{n}"],
    "If-Range": ["\"{n}\"", "{m}", "Sat, 31 Dec 9999 23:59:59 GMT"],
    "If-None-Match": ["*", "\"{n}\"", "W/\"{n}\"", "\"{n}.{n}\", \"{t}\"", "\"", "W/", "\"{n}\"," * 200, "{n}"],
    "If-Match": ["*", "\"{n}\"", "\"{n}.{n}\"", "\"-{n}\"", "W/\"{n}\", \"\"", "\"", "{n}.{n}"],
    "If-Modified-Since": ["{n}", "Sat, 31 Dec 9999 23:59:60 GMT", "Sun, 01 Jan 0000 00:00:00 GMT",
                          "Thu, 01 Jan 10000 00:00:00 GMT", "{m}", "Sat, {n} Nov {n} 00:00:00 GMT",
                          "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"],
    "If-Unmodified-Since": ["{n}", "Sat, 31 Dec 9999 24:00:00 GMT"],
    "Content-Length": ["{n}", "{n}, {n}", "0{n}", "+{n}", "0"],
    "Transfer-Encoding": ["chunked", "gzip, chunked", "chunked;q={n}", "identity", "chunked, chunked", "{t}"],
    "Expect": ["100-continue", "{t}", "100-continue;q={n}"],
    "Last-Event-ID": ["{n}", "{n}.{n}", "{n}-{n}", "{t}", "{n}:{n}.{n}", "{n}.abcdef"],
    "Cookie": ["sooke-{n}={n}", "sooke-1=", "=; ;; =", "sooke-1={t}", "a=b; " * 300, "sooke-{n}=sooke_ses_{t}", "\"{t}\""],
    "Authorization": ["Bearer {n}", "Bearer", "Basic {t}", "Bearer sooke_ses_{t}", "bearer  {n}", "Bearer sooke_tok_" + "A" * 43,
                      "Digest q={n}"],
    "X-Forwarded-For": ["{n}", "{n}.{n}.{n}.{n}", "1.2.3.4:{n}", "[::{n}]:{n}", "::ffff:{n}.0.0.1", "1.2.3.4, " * 300, "1::%{n}"],
    "X-Forwarded-Proto": ["https", "{t}", "{n}"], "X-Forwarded-Host": ["{t}", "a:{n}"], "X-Real-IP": ["{n}", "::1%{n}"],
    "Forwarded": ["for={n}", "for=\"[::1]:{n}\";proto=https", "for=1.2.3.4;q={n}, for=\"", "for=\"{t}"],
    "Host": ["127.0.0.1:{n}", "[::1]:{n}", "[::{n}]", "{n}", "{t}", "localhost:{n}", "a" * 300, "127.0.0.1:80:{n}", ":",
             "[", ""],
    "Origin": ["null", "http://127.0.0.1:{n}", "https://[::1]:{n}", "http://{t}", "{n}", "http://localhost:{n}", "://"],
    "Sec-Fetch-Site": ["same-origin", "cross-site", "none", "{n}", "{t}", "same-origin;q={n}"],
    "Idempotency-Key": ["{n}", "{t}", "\"{n}\"", "a" * 255, "a" * 256, ""],
    "Content-Type": ["application/json; charset={n}", "application/json;q={n}", "multipart/form-data; boundary={t}",
                     "application/x-www-form-urlencoded; charset=\"{t}\"",
                     "application/merge-patch+json;{n}", "text/csv; header={n}", ";", "/"],
    "Content-Encoding": ["gzip", "identity", "deflate, gzip;q={n}", "{t}"],
    "Connection": ["keep-alive", "close, {t}", "upgrade", "{n}"], "Keep-Alive": ["timeout={n}, max={n}"],
    "Upgrade": ["h2c", "websocket", "{n}"], "HTTP2-Settings": ["{t}"], "Access-Control-Request-Method": ["PATCH", "{t}"],
    "Access-Control-Request-Headers": ["authorization, " * 200, "{t}"], "Prefer": ["wait={n}", "respond-async, wait={n}"],
    "Max-Forwards": ["{n}"], "Priority": ["u={n}, i", "u={t}"], "TE": ["trailers;q={n}"], "X-Request-ID": ["{n}", "{t}"],
    "X-HTTP-Method-Override": ["PATCH", "{t}"], "Date": ["{m}", "{n}"], "Age": ["{n}"],
    "Cache-Control": ["max-age={n}", "no-cache"],
}
SHARP = ["nan", "inf", "1e999", "-0", values.LARGEST, values.SMALLEST]  # numbers that are tried everywhere first
SHARP_VALUES = ["{n}", "{n},{n}", "{n},{n},{n},{n}"]
SHARP_DAYS = ["9999-12-31", "0000-01-01", "10000-01-01", "-0001-01-01", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00+23:59"]
QUERY_VALUES = ["{n}", "{n}", "{n}", "{d}", "{d}", "{m}", "{n},{n}", "{n},{n},{n},{n}", "{d}/{d}", "{t}", "", "{n}.{n}", "now",
                "today", "true", "48.37,-123.72", "90,180", "-90,-180,90,180", "slack-tide", "open-mic", "{d}T{n}", "-{n}"]
SCHEMES = ["json", "csv", "ndjson", "postgres", "ics", "geojson"]
CHUNKS = [b"0\r\n\r\n", b"FFFFFFFFFFFFFFFF\r\n", b"7FFFFFFFFFFFFFFF\r\nx\r\n0\r\n\r\n", b"-1\r\n", b"\r\n",
          b"1;q=nan\r\nx\r\n0\r\nA: b\r\n\r\n", b"00000000000000000000001\r\nx\r\n0\r\n\r\n", b"8000000000000000\r\n",
          b"2\r\n{}\r\n0\r\n\r\n"]


def filled(template: str, dice: Dice) -> str:
    """A template with values in its places; each one its own."""
    text = re.sub(r"\{([ndmt])\}", lambda found: {
        "n": values.number, "d": lambda dice: values.day(dice, 0.8), "m": lambda dice: values.moment(dice, 0.8),
        "t": lambda dice: values.text(dice)[:200]}[found[1]](dice), template)
    return text


def clean(text: str, dice: Dice) -> str:
    """A text that may be the value of a field; now and then one that may not."""
    return text if dice.random() < 0.05 else re.sub(r"[\r\n\0]", "?", text)


class Headers:
    """Chooses addresses, parameters and header fields."""

    def __init__(self, town: Prepared, dice: Dice) -> None:
        self.town, self.dice = town, dice
        self.routes = list(self._routes())

    def _routes(self) -> Iterator[tuple[str, str, list[str]]]:
        for path, operations in self.town.description["paths"].items():
            for method, operation in operations.items():
                if "backup" in path or "setup-link" in path:
                    continue
                names = [given["name"] for given in operation.get("parameters", []) if given["in"] == "query"]
                yield method.upper(), path, names
        for path in PAGES:
            yield "GET", path, PARAMETERS

    def first(self) -> Iterator[Request]:
        """Each field and each parameter with numbers that are hard to read, in an order of the dice."""
        sharp = [(number, template.replace("{n}", number)) for template in SHARP_VALUES for number in SHARP]
        stranger, others = self.town.callers[0], self.town.callers[1:]
        every = [(caller, path, (name, filled(template.replace("{n}", number), self.dice)))
                 for name, templates in HEADERS.items() for template in templates if "{n}" in template for number in SHARP
                 for caller, path in ((stranger, self.dice.choice(["/", "/api/v1/businesses", "/events"])),
                                      (self.dice.choice(others), self.dice.choice(["/account", "/api/v1/events", "/api/v1/me"])))]
        every += [(others[-1] if "/admin" in path else self.dice.choice(self.town.callers), path,
                   ("?" + name, self.dice.choice([value for number, value in sharp] + SHARP_DAYS * 3)))
                  for method, path, names in self.routes if method == "GET" for name in names for _ in range(4)]
        self.dice.shuffle(every)
        for caller, path, part in every:
            parts = [part] + [("?format", self.dice.choice(SCHEMES))] * ("export" in path and part[0] != "?format")
            yield self._built(caller, "GET", self._named(path, 0), parts, b"", "127.0.0.2")

    def request(self) -> Request:
        """A request with one to three strange things in it."""
        dice = self.dice
        caller = dice.choice(self.town.callers)
        reads = [route for route in self.routes if route[0] == "GET"]
        method, path, names = dice.choice(reads if dice.random() < 0.7 else self.routes)
        if method == "GET" and dice.random() < 0.1:
            method = dice.choice(["HEAD", "OPTIONS"])
        path = self._named(path)
        parts: list[tuple[str, Any]] = []
        for _ in range(dice.choice([1, 1, 1, 2, 3, 4])):
            if names and dice.random() < 0.5:
                name = dice.choice(names) if dice.random() < 0.9 else dice.choice(PARAMETERS)
                parts.append(("?" + name, clean(filled(dice.choice(QUERY_VALUES), dice), dice)))
            else:
                name = dice.choice(list(HEADERS))
                parts.append((name, clean(filled(dice.choice(HEADERS[name]), dice), dice)))
        if dice.random() < 0.1:
            parts.append(dice.choice(parts))
        if "export" in path:
            parts.append(("?format", dice.choice(SCHEMES)))
        bodies = [b"{}", b"{}", b"[]", b"", b"{\"name\":\"x\"}", *CHUNKS]
        body = b"" if method in ("GET", "HEAD", "OPTIONS") else dice.choice(bodies)
        return self._built(caller, method, path, parts, body, f"127.0.{dice.randrange(256)}.{dice.randrange(1, 255)}")

    def _named(self, path: str, edge: float = 0.4) -> str:
        """A path with records that there are, or numbers at an edge."""
        dice = self.dice
        known = {"slug": "open-mic" if "events" in path else "books" if "categories" in path else "market" if "types" in path
                 else "slack-tide", "id": "1", "item": "1", "from": "2027-12-24"}
        return re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], "1") if dice.random() >= edge else quote(dice.choice(
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


def run(prober: Prober, town: Prepared, seed: str, seconds: float, every: int, writes: int = 0) -> None:
    """Sends requests until the time is over."""
    dice = random.Random(f"{seed} headers")
    headers = Headers(town, dice)
    first = headers.first()
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        if count % ROUND == 0:
            prober.check()
            prober.begin(town.folder)
        count += 1
        request = next(first, None) or headers.request()
        status, _ = prober.send(request)
        if status // 100 == 2 and request.method not in ("GET", "HEAD", "OPTIONS"):
            prober.accepted(request, every)
    prober.check()
    prober.stop()
