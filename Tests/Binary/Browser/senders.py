"""Strangers send events and reports: one goes its way, a flood gets nowhere, and what they wrote stays private."""

import json
import re
import time
from pathlib import Path

from town import ADMIN, OWNER, PASSWORDS, good
from browser import PHONE, Browser, until
from checks import Row
from follower import open_stream
from forms import OWN, Client, Hand
from harness import Answer
from origins import kind, sequence
from owners import PLACE
from towns import FRIDAY, RESIDENT, Pages, crawl, demo_town, give_password

MARK = "zq9"
MAIL = f"{MARK}mail@stranger.example"
NETWORKS = 40
FEEDS = ["/api/v1/changes?topics=event&since=now", "/api/v1/events?all=true", "/api/v1/events.ics",
         "/api/v1/businesses",
         f"/api/v1/businesses/{PLACE}", "/sitemap.xml", "/api/v1/proposals", "/openapi.json"]
WAIT = 3.2  # a person takes so long to fill in a form


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data", FRIDAY, "--proxy", "127.0.0.1", "--log", "text")
    for email in (OWNER, RESIDENT):
        give_password(town, email)
    admin = Client(town.url).log_in(ADMIN, PASSWORDS[ADMIN])
    rows = [whole_event(town), whole_report(town), private(town, admin), programs(town, admin)]
    return [*rows, floods(town, admin)]


def waiting(town: Pages) -> list[dict[str, object]]:
    """The open proposals as an administrator has them."""
    return list(town.pages("/proposals", town.admin))


def whole_event(town: Pages) -> Row:
    """From a phone to the queue, to the page, the feed and the calendar."""
    row, hand = Row("an event of a stranger"), Hand(Browser().size(PHONE))
    phone = hand.browser
    phone.open(town.url + "/new-event")
    began = time.monotonic()
    for name, text in [("name", "Whistle Party"), ("day", "2027-02-05"), ("from", "8 pm"), ("to", "12:30 am"),
                       ("place", "the slack tide pub"), ("about", "Bring a fiddle."), ("email", "mia@home.example"),
                       ("message", "I am Mia"), ("type", kind(town))]:
        hand.fill(name, text)
    row.check(phone.has("8 pm – 12:30 am"), "it says what it understands", phone.text)
    row.check(phone.js("return document.documentElement.scrollWidth") <= PHONE, "it fits")
    time.sleep(max(0, WAIT - time.monotonic() + began))
    hand.tap("Send")
    row.check(phone.has("Thank you"), "it is sent", phone.text)
    row.check(town.get("/events/whistle-party").status == 404, "nobody sees it yet")
    phone.open(town.url + "/account/waiting")
    hand.log_in(ADMIN, PASSWORDS[ADMIN])
    row.check(phone.has("Whistle Party") and "mia@home.example" in phone.text, "it waits, with whom to ask", phone.text)
    hand.tap("Edit first")
    until(lambda: phone.every("#name"), 10)
    hand.fill("name", "Whistle Party at the Pub")
    hand.tap("Publish")
    row.check(phone.has("Add to calendar") and "Whistle Party at the Pub" in phone.text, "it is published", phone.text)
    body = town.get("/events/whistle-party-at-the-pub").body.decode()
    row.check("Bring a fiddle." in body and "The Slack Tide Pub" in body, "everybody sees it")
    row.check("mia@home.example" not in body and "I am Mia" not in body, "but not what is for those who decide")
    found = [event["name"] for event in town.pages("/events") if event["name"].startswith("Whistle Party")]
    row.check(found == ["Whistle Party at the Pub"], "it is in the API once", found)
    row.check("Whistle Party at the Pub" in changes(town, "whistle-party-at-the-pub"), "it is in the feed")
    calendar = town.get("/api/v1/events.ics").body.decode()
    row.check("Whistle Party at the Pub" in calendar, "it is in the calendar")
    row.check("20270206T040000Z" in town.get("/api/v1/events/whistle-party-at-the-pub.ics").body.decode(),
              "at its time")
    row.check(not phone.refused(), "nothing is refused", phone.refused())
    row.figures = f"{hand.done} taps and fields"
    phone.stop()
    return row


def changes(town: Pages, wanted: str) -> str:
    """What the feed sends of all events and places, until it has sent a text, or nothing for a while."""
    stream = open_stream(town.port, timeout=1.5, query="?topics=event,business")
    lines: list[str] = []
    try:
        while line := stream.readline().decode():
            lines.append(line)
            if wanted in line:
                break
    except OSError:  # it has sent everything
        pass
    return "".join(lines)


def whole_report(town: Pages) -> Row:
    """Somebody stood before a locked door; the owner makes the change with one tap."""
    row, hand = Row("a report of a stranger"), Hand(Browser().size(PHONE))
    phone = hand.browser
    phone.open(f"{town.url}/businesses/{PLACE}")
    link = phone.one(f"a[href='/businesses/{PLACE}/report']")
    phone.js("arguments[0].scrollIntoView({block: 'center'})", link)
    link.click()
    until(lambda: phone.every("#day"), 10)
    began = time.monotonic()
    hand.fill("day", "wed")
    hand.fill("sign", "closed")
    hand.fill("message", "I stood before a locked door.")
    time.sleep(max(0, WAIT - time.monotonic() + began))
    hand.tap("Send")
    row.check(phone.has("Thank you"), "it is sent", phone.text)
    phone.open(town.url + "/account/waiting")
    hand.log_in(OWNER, PASSWORDS[OWNER])
    row.check(phone.has("I stood before a locked door."), "the owner reads it", phone.text)
    before = good(town.ask("GET", f"/businesses/{PLACE}")).json()["hours"]
    hand.tap("Make this change")
    row.check(until(lambda: good(town.ask("GET", f"/businesses/{PLACE}")).json()["hours"] != before, 10),
              "one tap makes it")
    body = re.sub(r"<[^>]+>", " ", town.get(f"/businesses/{PLACE}").body.decode())
    row.check(re.search(r"Wednesday\s+Closed", body, re.I) is not None, "the public page shows it", body[2000:3500])
    row.check(phone.has("Nothing to review"), "nothing is left to review", phone.text)
    phone.stop()
    return row


def event(client: Client, town: Pages, key: str, name: str = "Flood", network: str = "", **fields: str) -> Answer:
    """Sends an event as a page does whose form was opened a while ago."""
    form = client.form("/new-event") if "stamp" not in fields else {}
    sent = form | {"name": name, "day": "2027-03-06", "from": "8 pm", "type": kind(town), "key": key,
                   "about": "Words", "email": "", **fields}
    return client.post("/new-event", sent, OWN | ({"X-Forwarded-For": network} if network else {}))


def private(town: Pages, admin: Client) -> Row:
    """What a stranger wrote, before and after the decision."""
    row, stranger = Row("what a stranger wrote"), Client(town.url)
    stamp = stranger.form("/new-event")["stamp"]
    report = stranger.form(f"/businesses/{PLACE}/report")
    time.sleep(WAIT)
    answer = event(stranger, town, "private", f"{MARK}name", "203.0.113.9", stamp=stamp, about=f"{MARK}about",
                   email=MAIL, message=f"{MARK}message")
    row.answered(answer, 303, "an event is sent")
    row.check(MARK not in str(answer.headers), "the address after it has nothing of it", answer.headers)
    sent = report | {"message": f"{MARK}report", "sign": "closed", "day": "mon", "email": MAIL, "key": "private-2"}
    row.answered(stranger.post(f"/businesses/{PLACE}/report", sent, OWN | {"X-Forwarded-For": "203.0.113.9"}), 303,
                 "a report is sent")
    people = {"a stranger": stranger, "a resident": Client(town.url).log_in(RESIDENT, PASSWORDS[RESIDENT])}
    owner = Client(town.url).log_in(OWNER, PASSWORDS[OWNER])
    look(town, row, people, "before the decision", True)
    text = owner.get("/account/waiting").body.decode()
    row.check(f"{MARK}report" in text and MAIL in text, "the owner of the place has the report")
    row.check(f"{MARK}name" not in text, "but not the event")
    text = admin.get("/account/waiting").body.decode()
    row.check(f"{MARK}name" in text and f"{MARK}message" in text and MAIL in text, "the administrator has the event",
              text[-900:])
    for proposal in waiting(town):
        row.answered(admin.post(f"/account/waiting/{proposal['id']}/reject", {"reason": "No"}), 303, "a rejection")
    people |= {"the owner": owner, "the administrator": admin}
    look(town, row, people, "after the decision", False)
    row.check(MARK not in json.dumps(list(town.pages("/proposals", town.admin))),
              "the list of proposals has nothing of it")
    return row


def look(town: Pages, row: Row, people: dict[str, Client], when: str, is_open: bool) -> None:
    """Looks for a stranger's text in what the people get who may not have it."""
    public = [path for path in crawl(town, ["/", "/events", "/new-event"],
                                     80 if is_open else 30) if "changes" not in path]
    for who, client in people.items():
        paths = ["/account", "/account/waiting", "/account/new-event", "/api/v1/me", "/admin/people",
                 "/admin/businesses",
                 *FEEDS[1:], *(public if who == "a stranger" else [])]
        for path in paths:
            text = client.get(path).body.decode(errors="replace")
            row.check(MARK not in text, f"{who} finds nothing at {path} {when}",
                      re.findall(f".{{0,80}}{MARK}.{{0,40}}", text)[:2])
    feed = changes(town, MARK)
    row.check("indoor-winter-market" in feed and MARK not in feed, f"the feed has nothing {when}", feed[-300:])
    whole = town.sooke("export").stdout
    row.check(MARK not in whole, f"the export has nothing {when}", re.findall(f".{{0,80}}{MARK}.{{0,40}}", whole)[:2])
    row.check("/new-event" in town.server.printed, f"the log has requests {when}")
    row.check(MARK not in town.server.printed, f"the log has nothing {when}", town.server.printed[-300:])


def programs(town: Pages, admin: Client) -> Row:
    """A form that a program fills in makes nothing."""
    row, program = Row("forms that programs fill in"), Client(town.url)
    stamp = program.form("/new-event")["stamp"]
    before = sequence(town)
    answer = event(program, town, "quick", "Quick")
    row.answered(answer, 422, "a form that is sent at once")
    row.check(b"Look at it once more" in answer.body and b'value="Quick"' in answer.body,
              "it says what to do, and keeps all")
    time.sleep(WAIT)
    row.answered(event(program, town, "trap", "Trap", stamp=stamp, homepage="https://spam.example"), 303,
                 "the hidden field")
    row.answered(event(program, town, "forged", "Forged", stamp="1799449920.AAAA"), 422, "a stamp of one's own")
    row.answered(event(program, town, "none", "None", stamp=""), 422, "no stamp")
    report = program.form(f"/businesses/{PLACE}/report") | {"message": "Buy", "homepage": "x"}
    row.answered(program.post(f"/businesses/{PLACE}/report", report), 303, "the hidden field of a report")
    row.answered(program.post(f"/businesses/{PLACE}/report", report | {"homepage": ""}), 422,
                 "a report that is sent at once")
    gone = row.answered(program.post("/businesses/not-here/report", report | {"message": "Closed for good"}), 404,
                        "a report about what is not there")
    row.check(b"Closed for good" in gone.body and report["stamp"].encode() not in gone.body,
              "it shows what was written, and nothing that the form added", gone)
    row.check(sequence(town) == before and not waiting(town), "nothing is made", waiting(town))
    return row


def floods(town: Pages, admin: Client) -> Row:
    """One network gets five, many networks cannot keep others out, nor displace what has an account."""
    row, sender = Row("floods"), Client(town.url)
    stamp = sender.form("/new-event")["stamp"]
    time.sleep(WAIT)
    statuses = [event(sender, town, f"one-{n}", f"One {n}", "198.51.100.7", stamp=stamp).status for n in range(100)]
    row.check(statuses[:5] == [303] * 5 and set(statuses[5:]) == {429}, "five of a network are accepted", statuses[:10])
    row.check(len(waiting(town)) == 5, "they wait", len(waiting(town)))
    refused = event(sender, town, "late", "A night of songs", "198.51.100.7", stamp=stamp)
    row.check(b"A night of songs" in refused.body, "whoever is refused keeps what they wrote", refused)
    resident = Client(town.url).log_in(RESIDENT, PASSWORDS[RESIDENT])
    row.answered(event(resident, town, "own", "Own of Priya"), 303, "an account sends")
    statuses = [event(sender, town, f"many-{network}-{n}", f"Many {network}", f"{20 + network}.7.3.1",
                      stamp=stamp).status
                for network in range(NETWORKS) for n in range(6)]
    each = [statuses[first:first + 6] for first in range(0, len(statuses), 6)]
    row.check(all(one == [303] * 5 + [429] for one in each[:38]), "five of each network while there is room",
              statuses[:14])
    row.check(all(one[0] == 303 and one[5] == 429 and {*one} == {303, 429} for one in each),
              "the first of each network is accepted when the queue is full, and never six", each[38:42])
    row.answered(event(sender, town, "victim", "From elsewhere", "77.1.2.3", stamp=stamp), 303,
                 "another network can send")
    row.answered(event(resident, town, "own-2", "Second of Priya"), 303, "and so can an account")
    names = [json.dumps(proposal) for proposal in waiting(town)]
    for name in ("From elsewhere", "Own of Priya", "Second of Priya"):
        row.check(any(name in text for text in names), f"“{name}” waits")
    open_ones = [text for text in names if "Priya" not in text]
    row.check(len(open_ones) <= 200, "no more wait than may", len(open_ones))
    answer = admin.get("/account/waiting")
    row.check(answer.status == 200 and len(answer.body) < 400_000, "the queue can be read", len(answer.body))
    row.figures = f"{100 + len(statuses)} of {NETWORKS + 1} networks, {len(open_ones)} wait"
    return row
