#!/usr/bin/env python3
"""Writes a town of every kind of record with a binary, and keeps what it has written: `make.py BINARY NAME`.

The archive `NAME.tar.gz` holds the data folder of a server that was killed (with two snapshots and some segments), a
backup, and an export of the same state. Tests read all archives for ever; a new version of the format, or a binary whose
files are others, gets an archive of its own. What is in an archive is never changed.
"""

import argparse
import json
import sys
import tarfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Binary" / "Contract"))
from harness import Local, Server, executable, send, sooke, temporary_folder  # noqa: E402

API = "/api/v1"
PLACE = {"address": "6701 West Coast Rd", "latitude": 48.37, "longitude": -123.72}


class Town(Local):
    """Requests to the API of a server, by the rest of their paths."""

    def must(self, method: str, path: str, body: Any = None, token: str = "", **fields: str) -> Any:
        return super().must(method, API + path, body, token, **fields)

    def log_in(self, email: str, password: str) -> str:
        body = json.dumps({"email": email, "password": password}).encode()
        return send(self.url, f"{API}/session", "POST", {"Content-Type": "application/json"}, body).json()["token"]


def people(town: Town) -> str:
    """Accounts, passwords, a session, tokens, a link and a receipt; the token of the administrator's session."""
    ids = {name: town.must("POST", "/users", {"email": f"{name}@town.example", "role": role})["id"]
           for name, role in (("ada", "super_admin"), ("olga", "business_owner"), ("gus", "general_user"))}
    for name in ("ada", "gus"):
        town.must("POST", f"/users/{ids[name]}/password", {"new_password": f"quite a long one of {name}'s"})
    ada, gus = (town.log_in(f"{name}@town.example", f"quite a long one of {name}'s") for name in ("ada", "gus"))
    town.must("POST", "/admin/tokens", {"name": "prometheus", "scope": "read", "email": "gus@town.example"}, ada)
    town.must("POST", "/invitations", {"email": "new@town.example"}, ada)
    town.must("POST", "/events", {"name": "Bring a chair", "event_type": "farmers-market",
                                  "starts_at": "2035-06-01T19:00:00Z"}, gus, Idempotency_Key="once")
    town.must("PATCH", "/businesses/the-slack-tide-pub", {"owner_id": ids["olga"]}, ada)
    return ada


def changes(town: Town, token: str) -> None:
    """Records that are new, changed and gone, one at a time and several in one commit."""
    town.must("POST", "/businesses", {"name": "Harbour Books", "category": "restaurants", **PLACE, "hours": [
        {"day_of_week": 1, "open_time": "09:00", "close_time": "17:00"}]}, token)
    town.must("POST", "/businesses/harbour-books/menus", {"name": "Tea", "items": [
        {"name": "Chaï \U0001F375", "price": "4.50"}]}, token)
    town.must("PATCH", "/businesses/harbour-books", {"phone": "250-555-0199", "description": "\"Books\"\n\u0007"}, token)
    town.must("PATCH", "/businesses/harbour-books", {"slug": "harbour-books-and-tea", "phone": None}, token)
    town.must("POST", "/businesses", {"name": "Gone", "category": "restaurants", **PLACE}, token)
    town.must("POST", "/events", {"name": "At one that goes", "event_type": "farmers-market", "business": "gone",
                                  "starts_at": "2035-06-02T19:00:00Z"}, token)
    town.must("DELETE", "/businesses/gone", token=token)
    town.must("POST", "/categories", {"name": "Shipyards"}, token)
    town.must("PATCH", "/categories/restaurants", {"slug": "places-to-eat"}, token)
    town.must("DELETE", "/categories/shipyards", token=token)


def make(binary: Path, archive: Path) -> None:
    """Runs a server four times: closed, and killed with commits behind the last snapshot.

    The third one has a clock that is far ahead, so that the commits of the last one also say what the clock said.
    """
    with temporary_folder() as work:
        data = work / "data"
        result = sooke(binary, "import", "--data", data, HERE.parents[2] / "data" / "sooke.json")
        if result.returncode:
            raise RuntimeError(result.stderr)
        server = Server(binary, data).ready()
        town = Town(data, server.url)
        token = people(town)
        town.must("POST", "/admin/snapshot")
        changes(town, token)
        server.stop()
        server = Server(binary, data).ready()
        town = Town(data, server.url)
        town.must("PATCH", "/businesses/the-slack-tide-pub", {"website": "https://slack.example"}, token)
        server.kill()
        server = Server(binary, data, "--now", "2060-01-01T12:00:00Z", "--keep-history-size", "512").ready()
        town = Town(data, server.url)
        town.must("PATCH", "/businesses/the-slack-tide-pub", {"phone": "250-555-0160"})
        server.kill()
        server = Server(binary, data).ready()
        town = Town(data, server.url)
        town.must("PATCH", "/businesses/the-slack-tide-pub", {"website": None, "email": "dan@slack.example"})
        town.must("DELETE", "/businesses/3-crows-antiques")
        for name, command in (("backup.json", ["backup", "--data", data, work / "backup.json"]),
                              ("export.json", ["export", "--data", data, "--format", "json"])):
            result = sooke(binary, *command)
            if result.returncode:
                raise RuntimeError(result.stderr)
            if name == "export.json":
                (work / name).write_text(result.stdout)
        server.kill()
        for name in ("lock", "admin.sock", "spare"):
            (data / name).unlink(missing_ok=True)
        with tarfile.open(archive, "w:gz", compresslevel=9) as tar:
            for name in ("data", "backup.json", "export.json"):
                tar.add(work / name, name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=executable)
    parser.add_argument("name", help="what the archive is called, such as 3-first")
    options = parser.parse_args()
    make(options.binary, HERE / f"{options.name}.tar.gz")


if __name__ == "__main__":
    main()
