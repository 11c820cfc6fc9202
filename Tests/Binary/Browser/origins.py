"""Who may send a form: a page of the site itself and no other; and nobody gets what is another's."""

import gzip
import http.client
import random
import threading
from pathlib import Path

from town import ADMIN, OWNER, PASSWORDS, good
from browser import PHONE, Browser, until
from checks import Row
from forms import Hand
from harness import send
from towns import HALL, PLACE, RESIDENT, Pages, crawl, demo_town, other_site

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
FORMS = [f"{HALL}/confirm", HALL, "/account/password", "/account/new-event", "/reference/x/withdrawal",
         f"{HALL}/closed-today", "/logout"]


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data", people=(OWNER, RESIDENT))
    return [elsewhere(town), own(town, 1_000 if short else 10_000)]


def elsewhere(town: Pages) -> Row:
    """Forms on pages of another site and of another port, which sends the cookie, change nothing; a link works."""
    row, hand = Row("forms on pages of others"), Hand(Browser().size(PHONE))
    browser = hand.browser
    browser.open(town.url + HALL)
    hand.log_in(OWNER, PASSWORDS[OWNER])
    row.check(browser.has("Are these details still correct?"), "somebody is logged in", browser.text)
    # A link to a page of the town, and buttons that send forms to it.
    parts = '<input name="phone"><button>Go</button></form>'
    forms = "".join(f'<form method="post" action="{town.url}{path}">{parts}' for path in FORMS)
    before = town.sequence()
    with other_site(f'<a href="{town.url}/account">open</a>{forms}') as port:
        for host in ("localhost", "127.0.0.1"):
            for number, path in enumerate(FORMS):
                browser.open(f"http://{host}:{port}/")
                browser.every("button")[number].click()
                row.check(until(lambda: browser.driver.current_url == town.url + path, 10)
                          and "You do not have access to this" in browser.driver.title, f"{path} from {host} is refused",
                          browser.driver.page_source[:600])
            browser.open(f"http://{host}:{port}/")
            browser.one("a").click()
            row.check(browser.has("Your places"), f"the log-in survives a link on a page of {host}", browser.text)
    row.check(town.sequence() == before, "nothing is changed", town.sequence() - before)
    browser.stop()
    return row


def cookie(town: Pages, email: str) -> str:
    """The cookie of a new session."""
    body = f"login-email={email}&login-password={PASSWORDS[email].replace('+', '%2B')}".encode()
    answer = send(town.url, "/login", "POST", FORM, body)
    if answer.status != 303:
        raise RuntimeError(f"the log-in of {email} was answered with {answer.status}")
    return answer.headers["Set-Cookie"].split(";")[0]


def own(town: Pages, count: int) -> Row:
    """Many requests of three people and a stranger on the same connections: nobody gets what is another's."""
    row, names = Row("what is one's own, among others"), {ADMIN: "zq7admin", OWNER: "zq7owner", RESIDENT: "zq7resident"}
    people = {email: cookie(town, email) for email in names}
    allowed = {"zq7resident": [RESIDENT, ADMIN], "zq7owner": [OWNER, ADMIN], "zq7admin": [ADMIN]}
    events = []
    for email in (RESIDENT, OWNER):
        body = {"name": "Own", "event_type": "live-music", "starts_at": "2027-02-06T20:00:00-08:00",
                "description": names[email]}
        events.append(good(town.ask("POST", "/events", body, town.session(email)), 201).json()["slug"])
    for person in list(town.pages("/users", town.admin)):
        if name := names.get(person["email"]):
            town.change(f"/users/{person['id']}", display_name=name)
    private = ["/account", "/account/waiting", *(f"/account/events/{slug}" for slug in events), "/account/new-event",
               HALL, f"{HALL}/hours", "/admin/people", *(f"/events/{slug}" for slug in events), "/login", "/new-event",
               f"/businesses/{PLACE}/report", "/api/v1/me", "/api/v1/users", "/api/v1/events?status=pending_review",
               *(f"/api/v1/events/{slug}" for slug in events), "/api/v1/events", "/api/v1/events.ics", "/sitemap.xml"]
    public = [path for path in crawl(town, ["/"], 40) if not path.startswith(("/docs", "/api/v1/changes"))]
    seen: set[tuple[str, str]] = set()
    faults: set[str] = set()

    def work(dice: random.Random) -> None:
        connection, tags = http.client.HTTPConnection("127.0.0.1", town.port, timeout=30), {}
        for _ in range(count // 4):
            who, path = dice.choice([*people, ""]), dice.choice(private if dice.random() < 0.7 else public)
            headers = {"Cookie": people[who]} if who else {}
            if dice.random() < 0.5:
                headers["Accept-Encoding"] = "gzip"
            if path in tags and dice.random() < 0.3:
                headers["If-None-Match"] = tags[path]
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            body = response.read()
            tags[path] = response.headers["ETag"] or "x"
            if response.headers["Content-Encoding"] == "gzip":
                body = gzip.decompress(body)
            for name in [name for name in allowed if name in str(response.headers) + body.decode(errors="replace")]:
                seen.add((who, name))
                if who not in allowed[name]:
                    faults.add(f"{who or 'a stranger'} gets {name} from {path}")
                if "no-store" not in (response.headers["Cache-Control"] or ""):
                    faults.add(f"{path} of {who} may be stored")
        connection.close()

    threads = [threading.Thread(target=work, args=(random.Random(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    row.cases = count
    row.check(not faults, "nobody gets what is another's", sorted(faults)[:8])
    for name, who in allowed.items():
        row.check(all((email, name) in seen for email in who), f"{name} is seen by those who may", seen)
    row.figures = f"{count:,} requests"
    return row
