"""The towns that the pages show: that of the demo, and those that a check makes."""

import contextlib
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from harness import Answer, free_port, send
from town import ADMIN, OWNER, PASSWORDS, Town, good

RESIDENT = "priya.sandhu@mail.example"
PASSWORDS.setdefault(RESIDENT, "fiddles on a Friday night")
DATA = Path(__file__).resolve().parents[3] / "data" / "sooke.json"
FRIDAY = "2027-01-08T15:12:00-08:00"  # in the week before the events of the data begin
PLACE = "the-slack-tide-pub"  # which OWNER owns
HALL = f"/account/businesses/{PLACE}"


class Pages(Town):
    """A town whose server starts again as it was started, on the same port."""

    def __init__(self, binary: Path, data: Path) -> None:
        super().__init__(binary, data)
        self.options: tuple[str, ...] = ()
        self.admin = ""

    def start(self, *options: str) -> "Pages":
        if options:
            self.options = (*options, "--port", str(free_port()), "--write-limit", "1000000")
        super().start(*self.options)
        return self

    def must(self, *words: str | Path, stdin: str | None = None) -> None:
        """Runs a command; raises RuntimeError with what it said when it does not succeed."""
        result = self.sooke(*words, stdin=stdin)
        if result.returncode:
            raise RuntimeError(f"{words[0]} left with {result.returncode}: {result.stderr[:2000]}")

    def get(self, path: str) -> Answer:
        """A page, as a stranger gets it."""
        return send(self.url, path)

    def change(self, path: str, **fields: Any) -> dict[str, Any]:
        """Changes a record as the administrator does."""
        return good(self.ask("PATCH", path, fields, self.admin)).json()

    def place(self) -> dict[str, Any]:
        """The place of the owner, as the API has it."""
        return good(self.ask("GET", f"/businesses/{PLACE}")).json()

    def sequence(self) -> int:
        """The number of the last commit."""
        return int(good(self.local("GET", "/admin/status")).json()["sequence"])

    def streams(self) -> int:
        """How many clients follow the feed."""
        return int(re.search(r"^sooke_feed_subscribers (\d+)", self.metrics(), re.M)[1])

    def reads(self) -> float:
        """How many requests have come for pages, their files and the feed."""
        for _ in range(8):  # a thread counts what it has answered when it answers the next request
            self.get("/live")
        counts = re.findall(r'^sooke_http_requests_total\{method="GET",route="([^"]*)",[^}]*\} (\S+)$',
                            self.metrics(), re.M)
        return sum(float(value) for route, value in counts if route not in ("/live", "/metrics"))

    def metrics(self) -> str:
        return good(self.local("GET", "/metrics")).body.decode()


def administrated(town: Pages) -> Pages:
    """Adds an administrator; whoever is in the data may have an account, so that no setup note is printed."""
    town.must("user", "add", ADMIN, "--role", "super_admin")
    town.must("user", "password", ADMIN, stdin=PASSWORDS[ADMIN] + "\n")
    town.admin = town.session(ADMIN)
    return town


def demo_town(binary: Path, data: Path, *options: str, now: str = FRIDAY, people: tuple[str, ...] = (OWNER,)) -> Pages:
    """The town of the demo with its dates as they are, an administrator, and passwords for some people."""
    town = Pages(binary, data).start("--now", now, "--now-ticks", *options)
    town.must("import", DATA)
    for email in people:
        town.must("user", "password", email, stdin=PASSWORDS[email] + "\n")
    return administrated(town)


def town_of(binary: Path, data: Path, dataset: dict[str, Any], now: str = FRIDAY) -> Pages:
    """A town of some records and settings."""
    town = Pages(binary, data).start("--now", now, "--now-ticks")
    file = data.parent / f"{data.name}.json"
    file.write_text(json.dumps(dataset))
    if dataset:
        town.must("import", "--settings", file)
    return administrated(town)


@contextlib.contextmanager
def demo(binary: Path, *options: str) -> Iterator[str]:
    """The demo as the README has it; its address."""
    process = subprocess.Popen([binary, "demo", "--port", "0", "--log", "off", *options], text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        for line in process.stdout or ():
            if found := re.search(r"ready at (http://[^\s\"]+)", line):
                yield found[1]
                break
    finally:
        process.terminate()
        process.communicate(timeout=30)


def links(base: str, body: str) -> set[str]:
    """The targets on the same site that a page refers to, without fragments."""
    found = set()
    for text in re.findall(r'(?:href|src|action)="([^"]*)"', body):
        url = urlsplit(urljoin(base + "/", text.replace("&amp;", "&").replace("&#39;", "'")))
        if f"{url.scheme}://{url.netloc}" == base:
            found.add(quote(url.path, safe="/%") + (f"?{url.query}" if url.query else ""))
    return found


def crawl(town: Pages, first: list[str], most: int) -> dict[str, Answer]:
    """The answers of some paths and of all to which pages among them lead."""
    answers: dict[str, Answer] = {}
    waiting = list(first)
    while waiting and len(answers) < most:
        if (path := waiting.pop(0)) in answers:
            continue
        answers[path] = town.get(path)
        if answers[path].headers["Content-Type"] == "text/html; charset=utf-8" and not path.startswith("/docs"):
            waiting += sorted(links(town.url, answers[path].body.decode()) - set(answers))
    return answers


@contextlib.contextmanager
def other_site(content: str) -> Iterator[int]:
    """A site of others with one page; the port on which it is served."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"<!doctype html><title>Other</title>{content}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
