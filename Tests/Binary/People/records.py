"""What an ordinary account tries with records that are not its own, or that nobody may see yet."""

import contextlib
import re
import socket
import time
from pathlib import Path
from typing import Any

from checks import Row
from town import ADMIN, OWNER, RESIDENT, business, event, good, peopled

PIPELINED = 1_200
BAD_SLUGS = ["a/b", "a?b", "a\\b", "a#b", 'a"b', "a<b", "a b", "a\u202eb", "a\u2028b", "a\x01", "a..b"]


class Attacks:
    """One town, and the requests of people in it."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self.town, self.sessions = peopled(binary, folder / "town", "--write-limit", "100000")

    def ask(self, who: str | None, method: str, path: str, body: Any = None, **headers: str) -> Any:
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.town.ask(method, path, body, self.sessions.get(who) if who else None, fields)

    def bytes_of_log(self) -> int:
        """How long the log is, without the zeros that are reserved behind it."""
        return sum(len(path.read_bytes().rstrip(b"\0")) for path in self.town.data.glob("wal-*"))

    def hidden_business(self, row: Row) -> None:
        """An event at a business that is not listed is refused as one at a business that is not there."""
        good(self.ask(ADMIN, "POST", "/businesses", {**business("Secret Den"), "category": None}), 201)
        mine = good(self.ask(RESIDENT, "POST", "/events", event("Walk")), 201).json()["slug"]
        for method, path in (("POST", "/events"), ("PATCH", f"/events/{mine}")):
            answers = [self.ask(RESIDENT, method, path, event("Look", business=slug)) for slug in ("secret-den", "nada")]
            texts = [answer.json()["error"]["fields"]["business"].replace(slug, "…")
                     for answer, slug in zip(answers, ("secret-den", "nada"), strict=True)]
            row.check([answer.status for answer in answers] == [422, 422] and texts[0] == texts[1],
                      f"{method}: what is hidden is as what is not there", texts)
        good(self.ask(RESIDENT, "DELETE", f"/events/{mine}"), 204)

    def pending_slugs(self, row: Row) -> None:
        """Nobody finds out what waits, and what waits takes no address from what is public."""
        made = good(self.ask(RESIDENT, "POST", "/events", event("Big News")), 201).json()
        row.check(re.fullmatch(r"big-news-[0-9a-f]{16}", made["slug"]) is not None, "its slug cannot be guessed", made)
        named = good(self.ask(ADMIN, "POST", "/events", event("Big News")), 201).json()["slug"]
        row.check(named == "big-news", "no number says that something waits", named)
        good(self.ask(ADMIN, "PATCH", "/events/big-news", {"slug": "old-news"}))
        other = self.ask(ADMIN, "POST", "/events", event("Big News"))
        row.check(other.json()["slug"] == "big-news-2", "a public event keeps its former address", other.json())
        former = self.ask(None, "GET", "/events/big-news")
        row.check(former.status == 301 and former.headers["Location"].endswith("/old-news"), "it leads on", former)
        for fields in ({"slug": "big-news"}, {"slug": "free"}):
            for method, path in (("POST", "/events"), ("PATCH", f"/events/{made['slug']}")):
                answer = self.ask(RESIDENT, method, path, {**event("Big News"), **fields})
                row.check(answer.status == 422, f"{method}: who submits chooses no slug", answer)
        approve = f"/events/{made['slug']}/approve"
        row.check(self.ask(ADMIN, "POST", approve).status == 428, "an approval names what was read")
        row.check(self.ask(ADMIN, "POST", approve, {"version": "0" * 16}).status == 412, "and nothing else")
        good(self.ask(RESIDENT, "DELETE", f"/events/{made['slug']}"), 204)

    def slugs(self, row: Row) -> None:
        """What a path cannot hold is in no slug that somebody sets or a name makes."""
        for slug in BAD_SLUGS:
            answer = self.ask(ADMIN, "POST", "/businesses", {**business("Odd"), "slug": slug})
            row.check(answer.status == 422, "it is refused as a slug", (slug, answer))
        made = good(self.ask(ADMIN, "POST", "/businesses", business('A/C "D?C" <e> #1..\u202e 2')), 201).json()
        row.check(made["slug"] == "a-c-d-c-e-1-2", "names make none of it", made["slug"])

    def renames(self, row: Row, count: int) -> None:
        """Renaming does not make a record grow."""
        good(self.ask(ADMIN, "POST", "/events", event("Renamed")), 201)
        slug = "renamed"
        for number in range(count):
            new = f"{'x' * 500}-{number}"
            good(self.ask(ADMIN, "PATCH", f"/events/{slug}", {"slug": new}))
            slug = new
        size = self.bytes_of_log()
        for number in range(10):
            good(self.ask(ADMIN, "PATCH", f"/events/{slug}", {"description": f"{number}"}))
        each = (self.bytes_of_log() - size) / 10
        row.check(each < 16 * 600 + 2_000, "a record keeps 16 former slugs", f"{each:.0f} bytes a change")
        waits = good(self.ask(RESIDENT, "POST", "/events", event("Unseen")), 201).json()["slug"]
        for name in ("b", "c", "d"):
            waits = good(self.ask(ADMIN, "PATCH", f"/events/{waits}", {"slug": f"unseen-{name}"})).json()["slug"]
        kept = [item.get("former_slugs") for item in self.town.export()["events"] if item["name"] == "Unseen"]
        row.check(kept == [None], "what was never public keeps none", kept)
        good(self.ask(RESIDENT, "DELETE", f"/events/{waits}"), 204)

    def histories(self, row: Row, megabytes: int) -> str:
        """Many histories at once, of which the client hears none: the log is not read for it."""
        text = "x" * 9_900
        for number in range(megabytes * 100):
            good(self.ask(OWNER, "PATCH", "/businesses/slack-tide", {"description": f"{number} {text}"}))
        request = (f"GET /api/v1/history?of=businesses/slack-tide HTTP/1.1\r\nHost: localhost\r\n"
                   f"Authorization: Bearer {self.sessions[OWNER]}\r\n\r\n").encode()
        before = cpu_seconds(self.town.server.pid)
        with socket.create_connection(("127.0.0.1", self.town.port)) as client:
            with contextlib.suppress(OSError):
                client.sendall(request * PIPELINED)
            time.sleep(0.2)
        time.sleep(1)
        middle = cpu_seconds(self.town.server.pid)
        time.sleep(2)
        after = cpu_seconds(self.town.server.pid)
        row.check(after - middle < 1, "it stops when the client has gone", f"{after - middle:.2f} s in 2 s")
        refused = [self.ask(OWNER, "GET", "/history?of=businesses/slack-tide&limit=1") for _ in range(40)]
        good(self.ask(ADMIN, "GET", "/history?of=businesses/slack-tide&limit=1"))
        row.check(refused[-1].status == 429 and int(refused[-1].headers["Retry-After"]) > 0,
                  "an account may not ask without end", refused[-1])
        return f"{middle - before:.2f} s of processor time for {PIPELINED} histories"


def cpu_seconds(pid: int) -> float:
    """The processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """The attacks, one after the other."""
    row = Row("records that are not one's own")
    attacks = Attacks(binary, folder)
    attacks.hidden_business(row)
    attacks.pending_slugs(row)
    attacks.slugs(row)
    attacks.renames(row, 20 if short else 400)
    row.figures = attacks.histories(row, 2 if short else 50)
    row.check(attacks.town.stop() == 0, "the server stops")
    return [row]
