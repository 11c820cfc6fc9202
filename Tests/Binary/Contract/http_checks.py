#!/usr/bin/env python3
"""Checks what every answer of a running server has around its JSON: methods, entity tags, errors, other origins.

usage: http_checks.py BASE_URL
The server must hold dataset.json of this folder.
"""

import base64
import hashlib
import re
import socket
import sys
from pathlib import Path
import urllib.parse

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))
from harness import Answer, Tally, send  # noqa: E402

ROUTES = ["/api/v1/businesses", "/api/v1/businesses?search=caf&per_page=2&page=2", "/api/v1/businesses/zeds-diner",
          "/api/v1/categories", "/api/v1/categories/retail", "/api/v1/event-types", "/api/v1/event-types/live-music",
          "/api/v1/events", "/api/v1/events?type=live-music", "/api/v1/events/harbour-fiddle-night"]
HEALTH = "/api/v1/health"
ORIGIN = "http://localhost:8080"  # the one that is allowed unless the server is told otherwise
STRANGERS = ["http://localhost:8081", "https://localhost:8080", "http://localhost", "http://evil.example",
             "http://localhost:8080.evil.example", "null", ""]

NOT_FOUND = ["/api", "/api/v1", "/api/v1/", "/api/v2/health", "/api/v1/health/", "/api/v1/businesses/", "/api/v1/nope",
             "/api/v1/businesses/nope", "/api/v1/businesses/zeds-diner/nope", "/api/v1/Businesses",
             "/api/v1/events/pending-puppet-show", "/api/v1/events/draft-jam-session",
             "/api/v1/events/rejected-fireworks", "/api/v1/businesses/uncategorised-shed"]

INVALID = ["/api/v1/businesses/%00", "/api/v1/businesses/%ff", "/api/v1/events/%C0%AF", "/api/v1/businesses?search=%00",
           "/api/v1/businesses?category=%ED%A0%80", "/api/v1/events?event_type=%80", "/api/v1/events?search=a%FFb",
           "/api/v1/businesses?tz=Local", "/api/v1/businesses?tz=america/vancouver", "/api/v1/businesses?tz=%FF",
           "/api/v1/businesses?tz=/etc/localtime", "/api/v1/businesses?tz=../UTC"]

POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
SITE = ["/", "/businesses", "/events", "/week", "/no/such/page"]
SITE_SOURCES = ("; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
                "form-action 'self'")
HIDDEN = "/api/v1/events"  # with an event at a business without a category, whose street nobody may see

GET = b"GET /api/v1/health HTTP/1.1\r\n"
HOST = b"Host: localhost\r\n"
CLOSE = b"Connection: close\r\n\r\n"

# Whole requests as bytes, and the status that RFC 9112 or our limits give them.
RAW: list[tuple[str, bytes, int]] = [
    ("a plain request", GET + HOST + CLOSE, 200),
    ("HTTP/1.0", b"GET /api/v1/health HTTP/1.0\r\n\r\n", 200),
    ("the absolute form", b"GET http://localhost/api/v1/health HTTP/1.1\r\n" + HOST + CLOSE, 200),
    ("no Host", GET + CLOSE, 400),
    ("two Hosts", GET + HOST + HOST + CLOSE, 400),
    ("a space before the colon", GET + HOST + b"Accept : text/html\r\n\r\n", 400),
    ("a folded line", GET + HOST + b"Accept: text/html,\r\n application/json\r\n\r\n", 400),
    ("a length twice", GET + HOST + b"Content-Length: 0\r\nContent-Length: 0\r\n\r\n", 400),
    ("a length with a sign", GET + HOST + b"Content-Length: +0\r\n\r\n", 400),
    ("a length and chunks", GET + HOST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("a NUL in a field", GET + HOST + b"Accept: a\0b\r\n\r\n", 400),
    ("an unknown method", b"BREW /api/v1/health HTTP/1.1\r\n" + HOST + CLOSE, 501),
    ("another major version", b"GET /api/v1/health HTTP/2.0\r\n" + HOST + b"\r\n", 505),
    ("a target of 9 KiB", b"GET /api/v1/" + b"x" * 9216 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414),
    ("a field of 9 KiB", GET + HOST + b"X: " + b"x" * 9216 + b"\r\n\r\n", 431),
    ("101 fields", GET + HOST + b"X: x\r\n" * 100 + b"\r\n", 431),
    ("an expectation that nobody knows", GET + HOST + b"Expect: 200-ok\r\nContent-Length: 1\r\n\r\n", 417),
]


class Checks:
    """The checks of one server."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.tally = Tally()

    def send(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
        """Sends a request; an underscore in a field's name represents a hyphen."""
        return send(self.base, path, method, {name.replace("_", "-"): value for name, value in headers.items()}, body)

    def check(self, holds: object, what: str, detail: object = "") -> None:
        self.tally.check(bool(holds), what, detail)

    def error(self, answer: Answer, status: int, code: str | None, what: str) -> None:
        """Counts whether an answer is an error in the contract's form."""
        try:
            error = answer.json()["error"]
        except (ValueError, KeyError, TypeError):
            error = {}
        right = answer.status == status and media_type(answer) == "application/json" and error.get("message")
        self.check(right and error.get("code") == (code or error.get("code")), what, f"{answer.status} {error}")

    def form(self) -> None:
        for path in [HEALTH, *ROUTES, *NOT_FOUND[:3], *INVALID[:3]]:
            answer = self.send(path)
            self.check(media_type(answer) == "application/json", f"{path} is JSON", answer.headers.get("Content-Type"))
            self.check(answer.headers.get("Content-Length") == str(len(answer.body)), f"{path} has its length")
            self.check(answer.headers.get("Date"), f"{path} has a date")
            self.check(answer.headers.get("X-Content-Type-Options") == "nosniff", f"{path} is what it says it is")
            vary = answer.headers.get_all("Vary")
            self.check(vary == ["Accept, Accept-Encoding, Authorization, Cookie, Origin"], f"{path} says what it depends on", vary)
            server = answer.headers.get("Server", "")
            self.check(not any(map(str.isdigit, server)), f"{path} hides the server's version", server)

    def policies(self) -> None:
        """No answer loads anything, is no frame and sends no address on; pages have their own style."""
        login = {"Content_Type": "application/json"}
        tag = self.send(ROUTES[0]).headers.get("ETag")
        for answer, what in [
            *((self.send(path), path) for path in [*ROUTES, *NOT_FOUND, *INVALID, *SITE, "/docs", "/live", "/ready",
                                                   "/metrics", "/openapi.json", "/api/v1/events.ics", "/api/v1/businesses.csv"]),
            (self.send(ROUTES[0], "HEAD"), "HEAD"), (self.send(ROUTES[0], "OPTIONS"), "OPTIONS"),
            (self.send(ROUTES[0], "PUT"), "405"), (self.send(ROUTES[0], If_None_Match=tag or ""), "304"),
            (self.send("/api/v1/session", "POST", b"{", **login), "400"),
            (self.send("/api/v1/me"), "401"), (self.send("/api/v1/changes"), "a poll"),
        ]:
            styles = re.findall(rb"<style>(.*?)</style>", answer.body, re.S) if what == "/docs" else []
            hashes = [base64.b64encode(hashlib.sha256(style).digest()).decode() for style in styles]
            wanted = POLICY + "".join(f"; style-src 'self' 'sha256-{text}'" for text in hashes)
            if what in SITE:
                wanted += SITE_SOURCES
            self.check(answer.headers.get_all("Content-Security-Policy") == [wanted] and (what == "/docs") == bool(styles),
                       f"the policy of {what}", answer.headers.get_all("Content-Security-Policy"))
            self.check(answer.headers.get_all("Referrer-Policy") == ["same-origin"], f"the referrer of {what}")
            self.check(answer.headers.get("Strict-Transport-Security") is None, f"{what} without an https URL")
        stream = self.exchange(b"GET /api/v1/changes HTTP/1.1\r\nAccept: text/event-stream\r\n" + HOST + b"\r\n",
                               half_close=True).lower()
        for field in (b"vary: accept, accept-encoding, authorization, cookie, origin", b"content-security-policy: " + POLICY.encode()):
            self.check(b"\r\n" + field + b"\r\n" in stream, f"a stream has {field.decode()}", stream[:400])

    def other_sites(self) -> None:
        """What a page of any site may send uses up nothing, and changes nothing."""
        login = b'{"email":"nobody@town.example","password":"six other words altogether"}'
        for kind in ({}, {"Content_Type": "text/plain"}, {"Content_Type": "application/x-www-form-urlencoded"}):
            for number in range(1, 71):
                answer = self.send("/api/v1/session", "POST", login, **kind)
                if answer.status != 415 or number == 70:
                    self.error(answer, 415, "unsupported_media_type", f"login {number} with {kind}")
                    break
        kind = {"Content_Type": "application/json"}
        for origin, status in [("https://evil.example", 403), ("null", 403), (None, 403), (ORIGIN, 401)]:
            answer = self.send("/api/v1/session", "POST", login, Sec_Fetch_Site="cross-site", **kind,
                               **({"Origin": origin} if origin else {}))
            self.error(answer, status, "cross_site" if status == 403 else None, f"a login for a page of {origin}")
        self.error(self.send("/api/v1/session", "POST", login, **kind), 401, None, "then a program may try")
        self.check(self.send(ROUTES[0], Sec_Fetch_Site="cross-site", Origin="https://evil.example").status == 200,
                   "pages may read what they cannot see")

    def hidden_business(self) -> None:
        """An event at a business without a category shows its name and coordinates, and nothing finds it by it."""
        shed = "uncategorised-shed"
        for target, text in [(f"{HIDDEN}?business={shed}", "Shed Sale"), (f"{HIDDEN}?q=uncategorised", "Shed Sale"),
                             (f"{HIDDEN}.csv?business={shed}", "Shed Sale"), (f"{HIDDEN}.ics?business={shed}", "Shed"),
                             (f"{HIDDEN}.ics", "Behind the dump"), (f"{HIDDEN}/shed-sale.ics", "Behind the dump")]:
            answer = self.send(target)
            self.check(answer.status == 200 and text.encode() not in answer.body, f"{target} has no {text}",
                       answer.body[:300])
        for target, text in [(HIDDEN, '"business_name":"Uncategorised Shed","business_slug":"uncategorised-shed"'),
                             (f"{HIDDEN}/shed-sale.ics", "LOCATION:Uncategorised Shed"),
                             (f"{HIDDEN}/shed-sale.ics", "GEO:48.3;-123.8"), (f"{HIDDEN}?q=shed%20sale", "Shed Sale")]:
            answer = self.send(target)
            self.check(text.encode() in answer.body, f"{target} has {text}", answer.body[:300])

    def head(self) -> None:
        for path in [HEALTH, *ROUTES, *NOT_FOUND, *INVALID]:
            get, head = self.send(path), self.send(path, "HEAD")
            self.check(get.status == head.status, f"HEAD {path}", f"{head.status} instead of {get.status}")
            self.check(not head.body, f"HEAD {path} has no body", head.body[:50])
            self.check(fields(get) == fields(head), f"HEAD {path} has the fields of GET",
                       f"{fields(head)} instead of {fields(get)}")

    def entity_tags(self) -> None:
        for path in ROUTES:
            answer = self.send(path)
            tag = answer.headers.get("ETag") or ""
            strong = len(tag) > 2 and tag[0] == tag[-1] == '"' and '"' not in tag[1:-1]
            self.check(strong, f"{path} has a strong entity tag", tag)
            self.check(self.send(path).headers.get("ETag") == tag, f"{path} has the same tag again")
            for condition in (tag, f'"other", {tag}', f"W/{tag}", f'W/"other",{tag} , "third"', "*"):
                for method in ("GET", "HEAD"):
                    again = self.send(path, method, If_None_Match=condition)
                    same = again.status == 304 and not again.body and again.headers.get("ETag") == tag
                    self.check(same, f"{method} {path} if none match {condition}", f"{again.status} {fields(again)}")
            for condition in ('"other"', tag.strip('"'), "nonsense"):
                full = self.send(path, If_None_Match=condition)
                same = full.status == 200 and full.body == answer.body
                self.check(same, f"{path} if none match {condition}", full.status)
        tags = [self.send(path).headers.get("ETag") for path in ROUTES]
        self.check(len(set(tags)) == len(tags), "different answers have different tags", tags)

    def methods(self) -> None:
        for path in [HEALTH, *ROUTES]:
            answer = self.send(path, "PUT", b"{}", Content_Type="application/json")
            self.error(answer, 405, None, f"PUT {path}")
            self.check({"get", "head"} <= tokens(answer, "Allow"), f"PUT {path} says what is allowed", fields(answer))
            options = self.send(path, "OPTIONS")
            self.check(options.status == 204 and tokens(options, "Allow") == tokens(answer, "Allow"),
                       f"OPTIONS {path}", fields(options))
            self.error(self.send(path, If_Match='"other"'), 412, "precondition_failed", f"{path} as somebody knows it")
        everything = self.send("*", "OPTIONS")
        self.check(everything.status == 204 and {"get", "patch"} <= tokens(everything, "Allow"), "OPTIONS *",
                   fields(everything))
        self.error(self.send("/api/v1/nope", "OPTIONS"), 404, "not_found", "OPTIONS of an unknown route")
        coded = self.send("/api/v1/session", "POST", b"{}", Content_Encoding="gzip", Content_Type="application/json")
        self.error(coded, 415, "unsupported_media_type", "a body that is compressed")
        for path in ("/live", "/ready"):
            self.check(self.send(path).json().get("status") == "ok", f"{path} is well")
        for method in ("POST", "PATCH", "DELETE"):
            self.error(self.send(HEALTH, method), 405, None, f"{method} {HEALTH}")
            self.error(self.send("/api/v1/nope", method), 404, "not_found", f"{method} of an unknown route")

    def errors(self) -> None:
        for path in NOT_FOUND:
            self.error(self.send(path), 404, "not_found", path)
        for path in INVALID:
            self.error(self.send(path), 400, "invalid_parameter", path)
        message = self.send("/api/v1/businesses?tz=Mars/Base").json().get("error", {}).get("message")
        self.check(message == 'invalid time zone: "Mars/Base"', "a bad zone is named", message)

    def origins(self) -> None:
        for path in [HEALTH, *ROUTES, *NOT_FOUND[:3], *INVALID[:3]]:
            answer = self.send(path, Origin=ORIGIN)
            self.check(answer.headers.get("Access-Control-Allow-Origin") == ORIGIN, f"{path} is open to the app",
                       fields(answer))
            self.check({"etag", "location", "retry-after"} <= tokens(answer, "Access-Control-Expose-Headers"),
                       f"the app may read the fields of {path}", fields(answer))
        for origin in STRANGERS:
            for method in ("GET", "OPTIONS"):
                answer = self.send(HEALTH, method, Origin=origin, Access_Control_Request_Method="GET")
                allowed = answer.headers.get("Access-Control-Allow-Origin")
                self.check(allowed is None, f"{method} from {origin!r} is not allowed", allowed)

    def request_ids(self) -> None:
        """A request has the ID that it brings, else a new one; the body of an error names it."""
        seen: set[str] = set()
        for path in [HEALTH, *ROUTES, *ROUTES, *NOT_FOUND[:3], *INVALID[:3]]:
            for sent in (None, "a.b-c_9" * 9, "x" * 65, "a b", "", 'a"b', "a/b"):
                answer = self.send(path, **({} if sent is None else {"X_Request_ID": sent}))
                got = answer.headers.get_all("X-Request-ID") or [""]
                known = sent is not None and re.fullmatch(r"[A-Za-z0-9._-]{1,64}", sent)
                good = got == [sent] if known else re.fullmatch(r"[0-9a-f]{16}", got[0]) and got[0] not in seen
                self.check(good and len(got) == 1, f"the ID of {path} that brings {sent}", got)
                seen.add(got[0])
                if answer.status >= 400:
                    self.check(answer.json()["error"].get("request_id") == got[0], f"{path} names its ID", answer.body)

    def unreadable(self) -> None:
        """What cannot be read is refused as anything else is: with an ID, and so that the app may read why."""
        origin = f"Origin: {ORIGIN}\r\n".encode()
        for what, request, status in RAW:
            if status < 400 or b"HTTP/1.1" not in request:
                continue
            end = request.index(b"HTTP/1.1\r\n") + 10
            answer = self.exchange(request[:end] + origin + request[end:]).lower()
            self.check(first_status(answer.upper()) == status, f"{what} from the app", answer[:60])
            for field in (b"vary: accept, accept-encoding, authorization, cookie, origin", b"x-request-id: ",
                          b"x-content-type-options: nosniff", b"referrer-policy: same-origin", b"content-security-policy: " + POLICY.encode()):
                self.check(b"\r\n" + field in answer, f"{what} has {field.decode()}", answer[:300])
            if what not in ("a target of 9 KiB",):
                self.check(f"\r\naccess-control-allow-origin: {ORIGIN}\r\n".encode() in answer,
                           f"{what} may be read by the app", answer[:300])
            self.check(b'"request_id":"' in answer, f"{what} names its ID", answer[-200:])

    def preflight(self) -> None:
        for path in [HEALTH, *ROUTES]:
            answer = self.send(path, "OPTIONS", Origin=ORIGIN, Access_Control_Request_Method="GET",
                               Access_Control_Request_Headers="content-type")
            self.check(answer.status in (200, 204) and not answer.body, f"preflight of {path}", answer.status)
            self.check(answer.headers.get("Access-Control-Allow-Origin") == ORIGIN
                       and tokens(answer, "Access-Control-Allow-Methods") == tokens(answer, "Allow") - {"options"}
                       and "get" in tokens(answer, "Access-Control-Allow-Methods")
                       and "origin" in tokens(answer, "Vary"), f"preflight of {path} lets the app in", fields(answer))

    def raw(self) -> None:
        for what, request, status in RAW:
            got = first_status(self.exchange(request))
            self.check(got == status, what, f"{got} instead of {status}")
            self.check(self.send(HEALTH).status == 200, f"after {what} others are served")

    def connections(self) -> None:
        keep, last = GET + HOST + b"\r\n", GET + HOST + CLOSE
        other = b"GET /api/v1/nope HTTP/1.1\r\n" + HOST + b"\r\n"
        answers = self.exchange(keep + other + last)
        order = [int(part[:3]) for part in answers.split(b"HTTP/1.1 ")[1:]]
        self.check(order == [200, 404, 200], "three requests in one packet are answered in order", order)
        answers = self.exchange(keep, half_close=True)
        self.check(first_status(answers) == 200, "a client that has said all it will is answered", answers[:60])

    def exchange(self, request: bytes, half_close: bool = False) -> bytes:
        """Sends bytes and reads until the server closes, or is silent for five seconds."""
        url = urllib.parse.urlsplit(self.base)
        answer = b""
        try:
            with socket.create_connection((url.hostname, url.port), timeout=5) as connection:
                connection.sendall(request)
                if half_close:
                    connection.shutdown(socket.SHUT_WR)
                while block := connection.recv(65536):
                    answer += block
        except OSError:
            pass  # what came until then is judged
        return answer


def media_type(answer: Answer) -> str:
    return (answer.headers.get("Content-Type") or "").split(";")[0]


def tokens(answer: Answer, name: str) -> set[str]:
    """The members of a field that is a list, in lower case."""
    return {item.strip().lower() for value in answer.headers.get_all(name, []) for item in value.split(",")}


def fields(answer: Answer) -> list[tuple[str, str]]:
    """The fields that depend neither on the time nor on the single request."""
    return sorted((name.lower(), value) for name, value in answer.headers.items()
                  if name.lower() not in ("date", "x-request-id"))


def first_status(answer: bytes) -> int | None:
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.") and answer[9:12].isdigit() else None


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    checks = Checks(sys.argv[1])
    for group in (checks.form, checks.policies, checks.other_sites, checks.hidden_business,
                  checks.head, checks.entity_tags, checks.methods, checks.errors, checks.origins,
                  checks.request_ids, checks.unreadable,
                  checks.preflight, checks.raw, checks.connections):
        try:
            group()
        except (OSError, ValueError, AttributeError) as error:
            checks.check(False, f"{group.__name__} could be finished", repr(error))
    return checks.tally.close()


if __name__ == "__main__":
    sys.exit(main())
