#!/usr/bin/env python3
"""A town in Ireland, whose holidays come from a calendar and whose places have addresses only; and a folder from before
towns had clocks of their own.

usage: elsewhere.py BINARY
"""

import argparse
import csv
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))
from harness import Local, Server, Tally, executable, send, sooke, temporary_folder  # noqa: E402

EARLIER = Path(__file__).resolve().parent / "earlier.tar.gz"
HOLIDAYS = {"20260317": "Saint Patrick's Day", "20260406": "Easter Monday", "20261026": "October Bank Holiday"}
TABLE = """name,address,category,hours,phone
An Tobar,1 Sráid Mhór,Cafés,"Mon-Fri 8:30-17:00, Sat 10-4, PH off",01 555 0101
The Harbour Bar,2 Pier Road,Pubs,"daily 12:00-23:30",01 555 0102
The Old Mill,3 Mill Lane,Pubs,,
"""
EVENTS = """name,event_type,date,time,end time,venue,rrule,status
Trad Session,Live Music,2026-10-21,20:30,22:00,The Harbour Bar,FREQ=WEEKLY;BYDAY=WE,approved
"""
MONDAY_NOON = "2026-10-26T12:00:00Z"  # a holiday, on clocks of winter; the day before they were those of summer
TUESDAY_NOON = "2026-10-27T12:00:00Z"  # the list has ended the day before


def calendar() -> str:
    events = "".join(f"BEGIN:VEVENT\r\nUID:{day}@x\r\nDTSTART;VALUE=DATE:{day}\r\nSUMMARY:{name}\r\nEND:VEVENT\r\n"
                     for day, name in HOLIDAYS.items())
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n{events}END:VCALENDAR\r\n"


def in_ireland(binary: Path, work: Path, tally: Tally) -> None:
    data = work / "howth"
    for name, text in (("places.csv", TABLE), ("events.csv", EVENTS), ("ireland.ics", calendar())):
        (work / name).write_text(text, encoding="utf-8")
    files = [work / "places.csv", work / "events.csv"]
    terms = ("--starter", "--create-categories", "--data", data, "--time-zone", "Europe/Dublin")
    refused = sooke(binary, "import", *terms, *files)
    tally.check(refused.returncode == 65 and "--center" in refused.stderr and not data.exists(),
                "places without a location ask for the center of a town", refused.stderr)
    link = "https://www.openstreetmap.org/#map=15/53.3890/-6.0700"
    taken = sooke(binary, "import", *terms, "--center", link, *files)
    tally.check(taken.returncode == 0 and "apps show it at the center" in taken.stderr
                and "the clocks of Europe/Dublin and no public holidays" in taken.stderr, "a link says where it is",
                taken.stdout + taken.stderr)
    changed = sooke(binary, "town", "--data", data, "--name", "Howth", "--holidays", work / "ireland.ics")
    tally.check(changed.returncode == 0 and "3 dates of a calendar; not known after 2026-10-26" in changed.stdout
                and "3 businesses without a location" in changed.stdout, "holidays from a calendar",
                changed.stdout + changed.stderr)
    served(binary, data, MONDAY_NOON, tally, {"an-tobar": ("closed", "October Bank Holiday"),
                                              "the-harbour-bar": ("open", None), "the-old-mill": ("unknown", None)})
    served(binary, data, TUESDAY_NOON, tally, {"an-tobar": ("unknown", None), "the-harbour-bar": ("open", None)})
    moves(binary, data, tally)
    leaves(binary, data, work, tally)


def served(binary: Path, data: Path, now: str, tally: Tally, states: dict[str, tuple[str, str | None]]) -> None:
    """What is open in Ireland, also when the command line names another town."""
    server = Server(binary, data, "--now", now, "--time-zone", "America/Vancouver", "--holidays", "CA-BC").ready()
    tally.check("--time-zone America/Vancouver was ignored: the town already uses Europe/Dublin" in server.said,
                "an option that does not count is told", server.said)
    for slug, (status, comment) in states.items():
        shown = send(server.url, f"/api/v1/businesses/{slug}").json()
        state = shown["open_state"]
        tally.check((state["status"], state["comment"]) == (status, comment), f"{slug} at {now}", state)
        tally.check((shown["latitude"], shown["longitude"], shown["has_location"]) == (53.389, -6.07, False),
                    f"{slug} is at the center", shown)
        page = send(server.url, f"/businesses/{slug}")
        words = {"closed": "Closed", "open": "Open until", "unknown": "Hours unknown"}[status]
        if status == "open" and now == MONDAY_NOON:  # its hours say nothing of the holiday
            words = "Usually open until 11:30 pm · not confirmed for October Bank Holiday"
        tally.check(page.status == 200 and words in page.body.decode(), f"the page of {slug} says {words}")
    home = send(server.url, "/").body.decode()
    tally.check("Howth, <span data-clock=\"0\">" in home and "12 pm</span>" in home.replace("noon", "12 pm"),
                "the clock of the home page is that of the town", home[home.find("<h1"):][:120])
    series = send(server.url, "/api/v1/events?when=week").json()["items"][0]
    tally.check(series["starts_at"] == "2026-10-28T20:30:00Z", "a series stays at its time when clocks change", series)
    feed = send(server.url, "/api/v1/events.ics").body.decode()
    tally.check("TZID=Europe/Dublin:20261021T203000" in feed, "the calendar is on the clocks of the town", feed[:400])
    whole = send(server.url, "/api/v1/changes?since=0").body.decode()
    tally.check('"holiday_dates":[{"date":"2026-03-17"' in whole, "clients get the holidays", whole[:300])
    tally.check('"latitude":null' in whole and "has_location" not in whole, "and no invalid location")
    tally.check(server.stop() == 0, "it ends", server.said)


def moves(binary: Path, data: Path, tally: Tally) -> None:
    """Another zone lists first what it moves."""
    asked = sooke(binary, "town", "--data", data, "--time-zone", "Europe/Lisbon")
    tally.check(asked.returncode == 65 and "the hours of 2 businesses" in asked.stdout
                and "Trad Session" in asked.stdout and "--yes" in asked.stderr, "what moves is listed",
                asked.stdout + asked.stderr)
    shown = sooke(binary, "town", "--data", data)
    tally.check("Europe/Dublin" in shown.stdout, "and nothing was changed", shown.stdout)
    moved = sooke(binary, "town", "--data", data, "--time-zone", "Europe/Lisbon", "--yes")
    tally.check(moved.returncode == 0 and "Europe/Lisbon" in moved.stdout, "until it is confirmed", moved.stderr)
    back = sooke(binary, "town", "--data", data, "--time-zone", "Europe/Dublin", "--yes")
    tally.check(back.returncode == 0, "and back", back.stderr)
    removed = send_town(binary, data, {"center": None})
    tally.check("3 businesses without a location are shown there" in removed, "the center stays while it is needed", removed)


def send_town(binary: Path, data: Path, change: dict[str, object]) -> str:
    server = Server(binary, data).ready()
    answer = Local(data, server.url).ask("PATCH", "/api/v1/town", change)
    server.stop()
    return answer.body.decode()


def leaves(binary: Path, data: Path, work: Path, tally: Tally) -> None:
    """Exports have the settings, and no locations that are not known; another town keeps its own."""
    exported, copy = work / "howth.json", work / "copy"
    exported.write_text(sooke(binary, "export", "--data", data).stdout, encoding="utf-8")
    town = json.loads(exported.read_text(encoding="utf-8"))
    settings = town["settings"][0]
    tally.check((settings["time_zone"], len(settings["holiday_dates"])) == ("Europe/Dublin", 3), "with its settings", settings)
    tally.check(all(business.get("latitude") is None for business in town["businesses"]), "and without locations")
    taken = sooke(binary, "import", "--data", copy, exported)
    again = sooke(binary, "export", "--data", copy).stdout
    tally.check(taken.returncode == 0 and again == exported.read_text(encoding="utf-8"), "a new town takes all of it",
                taken.stderr)
    table = sooke(binary, "export", "--data", data, "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(table)))
    tally.check([row["latitude"] for row in rows] == [""] * 3, "a table has empty cells", table[:300])
    other = work / "other"
    sooke(binary, "town", "--data", other)
    sooke(binary, "import", "--data", other, "--starter")
    kept = sooke(binary, "import", "--data", other, exported)
    tally.check("time_zone: left out, since the town has its own" in kept.stderr.replace("holidays, ", ""),
                "a town keeps its own clocks", kept.stderr)
    replaced = sooke(binary, "import", "--data", other, "--settings", exported)
    shown = sooke(binary, "town", "--data", other).stdout
    tally.check(replaced.returncode == 0 and "Europe/Dublin" in shown, "unless it is told", shown + replaced.stderr)


def from_before(binary: Path, work: Path, tally: Tally) -> None:
    with tarfile.open(EARLIER) as archive:
        archive.extractall(work, filter="data")
    data = work / "earlier"
    server = Server(binary, data).ready()
    town = Local(data, server.url).must("GET", "/api/v1/town")
    tally.check((town["time_zone"], town["holidays"], town["name"]) == ("America/Vancouver", "CA-BC", "Sooke"),
                "a folder from before keeps the clocks that it had", town)
    server.stop()
    tally.check("the town has the clocks of America/Vancouver and the public holidays of CA-BC; to change that: sooke town"
                in server.said, "and says so", server.said)
    again = Server(binary, data).ready()
    again.stop()
    tally.check("the town has the clocks" not in again.said, "once", again.said)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=executable, help="the server to test: the executable sooke")
    options = parser.parse_args()
    tally = Tally()
    with temporary_folder() as work:
        for part in (in_ireland, from_before):
            try:
                part(options.binary, work, tally)
            except (OSError, RuntimeError, ValueError, KeyError, IndexError, subprocess.SubprocessError) as error:
                tally.check(False, f"{part.__name__} goes on", repr(error))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
