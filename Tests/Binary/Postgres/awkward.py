"""A town with all that the tables of the Go service cannot hold, and with ends of lines, statements and values, of JSON
and of COPY, and what psql replaces."""

import json
import re
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from harness import Local, Server, load, sooke

DATASET = Path(__file__).with_name("awkward.json")
MESSAGE = "a;\nDROP TABLE users;\n-- :name :'name' :\"name\""


def make(binary: Path, folder: Path) -> Path:
    """A data folder with the town, with secrets and a proposal."""
    data = folder / "awkward"
    load(binary, data, DATASET)
    server = Server(binary, data).ready()
    try:
        local = Local(data, server.url)
        local.must("POST", "/api/v1/users/7/password", {"new_password": "correct horse battery"})
        local.must("POST", "/api/v1/admin/tokens", {"name": "till; '", "email": "ada@town.example", "scope": "read"})
        propose(server.url)
    finally:
        server.stop()
    return data


def propose(url: str) -> None:
    """Sends the form of a report without an account, as slowly as a person does."""
    page = urllib.request.urlopen(f"{url}/businesses/place-16/report").read().decode()
    fields = dict(re.findall(r'<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"', page))
    time.sleep(4)
    body = urllib.parse.urlencode({**fields, "message": MESSAGE, "sign": "closed", "day": "mon", "key": "awkward"})
    headers = {"Origin": url, "Content-Type": "application/x-www-form-urlencoded"}
    urllib.request.urlopen(urllib.request.Request(f"{url}/businesses/place-16/report", body.encode(), headers))


def export(binary: Path, data: Path) -> bytes:
    """The export of a folder."""
    done = sooke(binary, "export", "--data", data)
    if done.returncode:
        raise RuntimeError(f"the export left with {done.returncode}: {done.stderr}")
    return done.stdout.encode()


def backup(binary: Path, data: Path, folder: Path) -> dict[str, Any]:
    """A backup of a folder, which has the private records and the highest IDs ever given, too."""
    file = folder / "backup.json"
    if (done := sooke(binary, "backup", "--data", data, file)).returncode:
        raise RuntimeError(f"the backup left with {done.returncode}: {done.stderr}")
    return json.loads(file.read_text())
