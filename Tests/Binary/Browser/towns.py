"""The towns that the pages show: that of the demo, an empty one, and those that a check makes."""

import contextlib
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

HERE = Path(__file__).resolve().parent
from town import ADMIN, PASSWORDS, Town, good
from demo import Process
from harness import Answer, free_port, send

RESIDENT = "priya.sandhu@mail.example"
PASSWORDS.setdefault(RESIDENT, "fiddles on a Friday night")
DATA = HERE.parents[2] / "data" / "sooke.json"
# A Friday afternoon in the week before the events of the data begin.
FRIDAY = "2027-01-08T15:12:00-08:00"
PAGES = ["/", "/businesses", "/businesses?q=chouder&open=1", "/businesses?q=nothingofthekind",
         "/businesses/the-slack-tide-pub", "/events", "/events?when=weekend", "/events/indoor-winter-market", "/week",
         "/businesses/not-here"]


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

    def take(self, *files: Path, settings: bool = False) -> None:
        """Imports files; raises RuntimeError with what the command said when it refuses."""
        result = self.sooke("import", *(["--settings"] if settings else []), *files)
        if result.returncode:
            raise RuntimeError(f"import left with {result.returncode}: {result.stderr[:2000]}")

    def get(self, path: str, **headers: str) -> Answer:
        """A page, as a stranger gets it."""
        return send(self.url, path, headers={name.replace("_", "-"): text for name, text in headers.items()})

    def change(self, path: str, **fields: Any) -> dict[str, Any]:
        """Changes a record as the administrator does."""
        return good(self.ask("PATCH", path, fields, self.admin)).json()

    def metric(self, name: str) -> float:
        """The sum of all samples of a metric."""
        text = self.local_text("/metrics")
        return sum(float(value) for value in re.findall(rf"^{name}(?:\{{[^}}]*\}})? (\S+)$", text, re.M))

    def reads(self) -> float:
        """How many requests have come for pages, their files and the feed."""
        for _ in range(8):  # a thread counts what it has answered when it answers the next request
            self.get("/live")
        text = self.local_text("/metrics")
        counts = re.findall(r'^sooke_http_requests_total\{method="GET",route="([^"]*)",[^}]*\} (\S+)$', text, re.M)
        return sum(float(value) for route, value in counts if route not in ("/live", "/metrics"))

    def local_text(self, path: str) -> str:
        return good(self.local("GET", path)).body.decode()


def give_password(town: Pages, email: str) -> None:
    """Gives somebody a password to log in with."""
    result = town.sooke("user", "password", email, stdin=PASSWORDS[email] + "\n")
    if result.returncode:
        raise RuntimeError(f"user password left with {result.returncode}: {result.stderr}")


def administrated(town: Pages) -> Pages:
    """Adds an administrator; whoever is in the data may have an account, so that no setup note is printed."""
    for words in (["add", ADMIN, "--role", "super_admin"], ["password", ADMIN]):
        result = town.sooke("user", *words, stdin=PASSWORDS[ADMIN] + "\n")
        if result.returncode:
            raise RuntimeError(f"user {words[0]} left with {result.returncode}: {result.stderr}")
    town.admin = town.session(ADMIN)
    return town


def demo_town(binary: Path, data: Path, now: str = FRIDAY, *options: str) -> Pages:
    """The town of the demo with its dates as they are, and with an administrator."""
    town = Pages(binary, data).start("--now", now, "--now-ticks", *options)
    town.take(DATA)
    return administrated(town)


def town_of(binary: Path, data: Path, dataset: dict[str, Any], now: str = FRIDAY) -> Pages:
    """A town of some records; those that are `settings` count as well."""
    town = Pages(binary, data).start("--now", now, "--now-ticks")
    file = data.parent / f"{data.name}.json"
    file.write_text(json.dumps(dataset))
    if dataset:
        town.take(file, settings="settings" in dataset)
    return administrated(town)


@contextlib.contextmanager
def demo(binary: Path, folder: Path, *options: str) -> Iterator[str]:
    """The demo as the README has it; its address."""
    process = Process(binary, folder / "prints", "demo", "--port", "0", "--log", "off", *options)
    try:
        yield process.url
    finally:
        process.stop(signal.SIGTERM)


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
        path = waiting.pop(0)
        if path in answers:
            continue
        answers[path] = town.get(path)
        if answers[path].headers["Content-Type"] == "text/html; charset=utf-8" and not path.startswith("/docs"):
            waiting += sorted(links(town.url, answers[path].body.decode()) - set(answers))
    return answers
