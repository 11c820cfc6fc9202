"""A town whose calendars are pulled: its server, the helper that fetches, and what the town has afterwards."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from entries import ZONE
from harness import Local, Server, load, sooke
from merge import Event, Town
from replay import Act, Replay
from server import CalendarServer

TOWN = {"categories": [{"name": "Theatres"}], "event_types": [{"name": "Community"}]}
ROUND = 1200  # seconds; thirty answers of silence among three hundred calendars


class PulledTown:
    """A data folder with its server at a time of its own, and the servers of its calendars."""

    def __init__(self, binary: Path, folder: Path, calendars: CalendarServer, businesses: dict[int, str] | None = None,
                 key: str = "") -> None:
        self.binary, self.folder, self.data, self.calendars = binary, folder, folder / "town", calendars
        self.socket, self.key, self.printed, self._server = folder / "outside.sock", key, "", None
        self._has_zone = False
        self.ids: dict[int, str] = {}
        (folder / "town.json").write_text(json.dumps({**TOWN, "businesses": [
            {"name": name, "slug": f"playhouse-{number}", "category": "theatres", "address": f"{number} Main St",
             "latitude": 48.37, "longitude": -123.72} for number, name in (businesses or {}).items()]}))
        load(binary, self.data, folder / "town.json")

    def serve(self, now: datetime) -> None:
        """Ends the server that runs, and starts one at this time."""
        self.stop()
        options = "--url", "https://town.example", "--now", f"{now:%Y-%m-%dT%H:%M:%SZ}", "--now-ticks", "--log", "text"
        self._server = Server(self.binary, self.data, "--outside-socket", str(self.socket), *options).ready()
        if not self._has_zone:
            Local(self.data, self.server.url).must("PATCH", "/api/v1/town", {"time_zone": ZONE.key})
            self._has_zone = True

    @property
    def server(self) -> Server:
        if self._server is None:
            raise RuntimeError("no server runs")
        return self._server

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._server:
            self._server.stop(how)
            self.printed += self._server.said
        self._server = None

    # Commands

    def command(self, *words: str) -> str:
        """A command of `sooke calendar` that must succeed."""
        result = sooke(self.binary, "calendar", *words, "--data", self.data)
        if result.returncode:
            raise RuntimeError(f"calendar {words[0]} left with {result.returncode}: {result.stderr or result.stdout}")
        return result.stdout

    def add(self, number: int, trust: str = "publish", host: str | None = None, path: str = "") -> None:
        address = self.calendars.url(path or f"cal/{number}.ics") + (f"?key={self.key}" if self.key else "")
        self.command("add", address, "--name", f"Calendar {number}", "--event-type", "community", "--trust", trust,
                     *(("--host", host) if host else ()))

    def helper(self, *options: str, private: bool = True) -> list[str]:
        """The command that fetches what is due, once."""
        allowed = ["--allow-private", f"127.0.0.1:{self.calendars.port}"] if private else []
        authority = ["--ca", str(self.calendars.authority)] if self.calendars.authority else []
        return [str(self.binary), "outside", "--socket", str(self.socket), *authority, *allowed, *options]

    def fetch(self, prefix: tuple[str, ...] = (), **options: Any) -> subprocess.CompletedProcess[str]:
        """All calendars, now."""
        self.command("fetch")
        return subprocess.run([*prefix, *self.helper(**options)], capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=ROUND)

    def export(self) -> dict[str, Any]:
        result = sooke(self.binary, "export", "--format", "json", "--data", self.data)
        if result.returncode:
            raise RuntimeError(f"export left with {result.returncode}: {result.stderr}")
        town = json.loads(result.stdout)
        town["calendars"] = json.loads(self.command("list", "--format", "json"))["items"]
        self.ids = {int(one["name"].split()[1]): str(one["id"]) for one in town["calendars"]}
        for event in town["events"]:
            if any(one["part"] == "source" for one in event.get("sources", [])):
                event["source"] = source_of(event["sources"])
        return town

    def act(self, acts: list[Act], seen: dict[int, tuple[int, str]]) -> None:
        """What people do; `seen` are ID and slug of events by their identity."""
        owner = Local(self.data, self.server.url)
        for act, number, value in acts:
            if act == "edit":
                slug = seen[number][1]
                answer = owner.must("PATCH", f"/api/v1/events/{quote(slug)}", {"name": value})
                seen[number] = seen[number][0], answer["slug"]
            else:
                self.command(value or act, self.ids[number])


def order(town: dict[str, Any], count: int) -> list[int]:
    """The calendars in the order in which their answers were merged."""
    tried = {int(one["name"].split()[1]): one.get("last_good_at") or "" for one in town["calendars"]}
    return sorted(range(count), key=lambda number: (tried.get(number, ""), number))


def source_of(sources: list[dict[str, Any]]) -> dict[str, Any]:
    """What an event follows, with the others that have it."""
    first = next(one for one in sources if one["part"] == "source")
    theirs = {one["name"]: json.loads(one["value"]) for one in first.get("fields", []) if one.get("value")}
    return {**first, "theirs": {name: value.get(name, value) for name, value in theirs.items()},
            "others": [one for one in sources if one["part"] == "other"],
            "apart": [one["key"] for one in sources if one["part"] == "apart"]}


# Comparing


def told(event: Event, ids: dict[int, str]) -> dict[str, Any]:
    """An event of reference as an export has it."""
    times, number = event.ours["times"], event.calendar
    return {"calendar": ids[number], "key": plain(event.key), "name": event.ours["name"],
            "description": event.ours["description"], "place": event.ours["place"],
            "start": f"{times.start:%Y-%m-%dT%H:%M}", "end": f"{times.end:%Y-%m-%dT%H:%M}" if times.end else "",
            "all_day": times.all_day, "is_series": bool(times.rule), "left_out": len(times.left_out),
            "moved": len(times.moved), "status": event.status, "withdrawn": bool(event.withdrawn_at),
            "missed": 0 if event.withdrawn_at else event.missed, "kept": event.kept,
            "theirs": sorted(event.theirs), "their_name": event.theirs.get("name", ""),
            "others": [(ids[other], plain(key)) for other, key in event.others],
            "apart": [plain(key) for key in event.apart]}


def exported(event: dict[str, Any], businesses: dict[str, str]) -> dict[str, Any]:
    source = event["source"]
    place = event.get("location") or businesses.get(event.get("business") or "", "")
    withdrawn, theirs = bool(source.get("withdrawn_at")), source.get("theirs") or {}
    return {"calendar": str(source["calendar"]), "key": plain(source["key"]), "name": event["name"],
            "description": event.get("description") or "", "place": place,
            "start": (event.get("starts_at") or "")[:16], "end": (event.get("ends_at") or "")[:16],
            "all_day": bool(event.get("all_day")), "is_series": bool(event.get("rrule")),
            "left_out": len(event.get("exdates") or []), "moved": len(event.get("overrides") or []),
            "status": event["status"], "withdrawn": withdrawn,
            "missed": 0 if withdrawn else source.get("missed") or 0, "kept": bool(source.get("is_kept")),
            "theirs": sorted(theirs), "their_name": theirs.get("name", ""),
            "others": [(str(one["calendar"]), plain(one["key"])) for one in source.get("others") or []],
            "apart": [plain(key) for key in source.get("apart") or []]}


def plain(key: str) -> str:
    """However a date follows the UID of a single one."""
    return re.sub(r"[^A-Za-z0-9]", "", key)


def differences(want: Town, town: dict[str, Any], ids: dict[int, str], seen: dict[int, tuple[int, str]],
                without: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Where a town is not as it must be; `seen` keeps which event is which, and must go on to be so."""
    businesses = {one["slug"]: one["name"] for one in town["businesses"]}
    numbers = {identifier: number for number, identifier in ids.items()}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for event in town["events"]:
        if event.get("source"):
            key = str(event["source"]["calendar"]), plain(event["source"]["key"])
            if key in found:
                yield f"calendar {numbers.get(key[0])}, {key[1]}", "is here twice"
            found[key] = event
    for event in want.events:
        must = told(event, ids)
        name = f"calendar {event.calendar}, {event.key}"
        record = found.pop((must["calendar"], must["key"]), None)
        if record is None:
            yield name, f"is missing ({event.status}, missed {event.missed})"
            continue
        stands = seen.setdefault(event.identity, (record["id"], record["slug"]))
        if stands != (record["id"], record["slug"]):
            yield name, f"is {record['id']} {record['slug']}, and was {stands[0]} {stands[1]}"
        is_so = exported(record, businesses)
        for field, value in must.items():
            if field not in without and is_so[field] != value:
                yield name, f"{field} is {is_so[field]!r}, must be {value!r}"
    for (calendar, key), record in found.items():
        yield f"calendar {numbers.get(calendar)}, {key}", f"is not expected ({record['status']}, {record['name']!r})"
    for one in town["calendars"]:
        number, waiting = numbers.get(str(one["id"])), None
        if one.get("gone"):
            waiting = {"gone": one["gone"], "of": one["gone_of"]}
        must_wait = want.calendars[number].waiting if number in want.calendars else None
        if (waiting and (waiting["gone"], waiting["of"])) != must_wait and (waiting or must_wait):
            yield f"calendar {number}", f"waiting is {waiting}, must be {must_wait}"


def adopt_second_merges(want: Town, town: dict[str, Any], ids: dict[int, str]) -> None:
    """An answer that is merged again after an edit shows what it says beside the edit, sooner than the next answer."""
    shown = {(str(event["source"]["calendar"]), plain(event["source"]["key"])): event["source"]["theirs"]
             for event in town["events"] if event.get("source")}
    for event in want.events:
        for name in shown.get((ids[event.calendar], plain(event.key)), {}):
            if event.ours[name] != event.base[name]:
                event.theirs.setdefault(name, event.base[name])


def add_all(town: PulledTown, replay: Replay) -> None:
    for number, calendar in replay.town.calendars.items():
        town.add(number, calendar.trust, calendar.host)
    town.export()
