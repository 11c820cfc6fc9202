"""Who may send a form: a page of the site itself and no other; and nobody gets what is another's."""

import gzip
import http.client
import random
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import ClassVar

from town import ADMIN, OWNER, PASSWORDS, good
from checks import Row
from forms import Client, forms_of
from owners import PLACE
from harness import free_port
from towns import FRIDAY, HERE, RESIDENT, Pages, crawl, demo_town, give_password, links

RECIPES = [HERE.parents[2] / "README.md", HERE.parents[2] / "Sources/sooke/README.md"]
# Beside those to which the crawl leads.
FIXED = ["/login", "/logout", "/forgotten-password", "/password-reset", "/invitation", "/setup", "/confirmation",
         "/account/password", "/account/sessions", f"/account/businesses/{PLACE}", f"/account/businesses/{PLACE}/hours",
         f"/account/businesses/{PLACE}/menus", f"/account/businesses/{PLACE}/confirm", "/account/new-event",
         "/account/events/indoor-winter-market", "/account/events/indoor-winter-market/cancel",
         "/account/events/indoor-winter-market/resubmit", "/account/events/indoor-winter-market/withdraw",
         "/account/waiting/1", "/account/waiting/1/accept", "/account/waiting/1/reject",
         "/account/waiting/events/own-resident/approve", "/account/waiting/events/own-resident/reject", "/new-event",
         f"/businesses/{PLACE}/report", "/admin/start", "/admin/town", "/admin/businesses/new",
         f"/admin/businesses/{PLACE}",
         f"/admin/businesses/{PLACE}/merge", f"/admin/businesses/{PLACE}/delete", "/admin/deleted-businesses",
         "/admin/categories", "/admin/categories/restaurants", "/admin/people", "/admin/people/3",
         "/admin/people/3/password",
         "/admin/people/3/sessions", "/admin/people/3/delete"]
# What takes away the session or the record that others need comes last.
LAST = ["/delete", "/merge", "/withdraw", "/sessions", "/password", "/admin/people/3", "/logout"]
CANARIES = {"zq7resident": [RESIDENT, ADMIN], "zq7owner": [OWNER, ADMIN], "zq7admin": [ADMIN]}


def foreign(own: str) -> list[dict[str, str]]:
    """The headers of requests that no page of the site has sent."""
    return [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"}, {},
            {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": own + "1"},
            {"Origin": own + ".evil.example"},
            {"Referer": own + "/account"}, {"Sec-Fetch-Site": "cross-site", "Origin": own},
            {"Sec-Fetch-Site": "same-site", "Origin": own}]


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    town = demo_town(binary, folder / "data", FRIDAY, "--proxy", "127.0.0.1")
    for email in (OWNER, RESIDENT):
        give_password(town, email)
    people = {email: Client(town.url).log_in(email, PASSWORDS[email]) for email in (ADMIN, OWNER, RESIDENT)}
    slugs = plant(town, people)
    rows = [proxied(town, folder, name) for name in ("nginx", "caddy")]
    rows += [cookies(town, people), canaries(town, people, slugs, 1_000 if short else 10_000)]
    return [*rows, forms(town, people, slugs["zq7resident"])]


def plant(town: Pages, people: dict[str, Client]) -> dict[str, str]:
    """Gives each person something that only some may see; the slugs of their events."""
    slugs = {}
    for client, name in [(people[RESIDENT], "zq7resident"), (people[OWNER], "zq7owner")]:
        fields = {"name": name.replace("zq7", "Own "), "about": name, "day": "2027-02-06", "from": "8 pm"}
        form = client.form("/account/new-event") | fields | {"type": kind(town)}
        answer = client.post("/account/new-event", form)
        if answer.status != 303:
            raise RuntimeError(f"the event of {name} was answered with {answer.status}")
        slugs[name] = answer.headers["Location"].split("?")[0].rsplit("/", 1)[1]
    for person in town.pages("/users", town.admin):
        name = {ADMIN: "zq7admin", OWNER: "zq7owner", RESIDENT: "zq7resident"}.get(person["email"])
        if name:
            town.change(f"/users/{person['id']}", display_name=name)
    return slugs


def kind(town: Pages) -> str:
    """The slug of a type of events."""
    return str(good(town.ask("GET", "/event-types")).json()["items"][0]["slug"])


def sequence(town: Pages) -> int:
    return int(good(town.local("GET", "/admin/status")).json()["sequence"])


def all_forms(town: Pages, people: dict[str, Client], slug: str) -> dict[str, tuple[Client, dict[str, str]]]:
    """Every form that an administrator, an owner or a resident finds, with the one who finds it."""
    found: dict[str, tuple[Client, dict[str, str]]] = {
        path.replace("own-resident", slug): (people[ADMIN], {}) for path in FIXED}
    for client in people.values():
        waiting, seen = ["/", "/account", "/account/waiting", f"/account/businesses/{PLACE}", "/new-event"], set()
        while waiting and len(seen) < 120:
            path = waiting.pop(0)
            if path in seen:
                continue
            seen.add(path)
            answer = client.get(path)
            if answer.status != 200 or not answer.headers["Content-Type"].startswith("text/html"):
                continue
            body = answer.body.decode()
            for action, fields in forms_of(body, path.split("?")[0]):
                if action not in FIXED and re.sub(r"[^/]+$", "", action) in {re.sub(r"[^/]+$", "", a) for a in found}:
                    continue  # one of many of the same sort
                if not found.get(action, (client, {}))[1]:
                    found[action] = (client, fields)
            waiting += sorted(p for p in links(town.url, body) if re.match("/(account|admin)|/[^/]+$|/.*/report$", p))
    return found


def forms(town: Pages, people: dict[str, Client], slug: str) -> Row:
    """Each form, from everywhere."""
    row, found = Row("forms from pages of others"), all_forms(town, people, slug)
    row.check(len(found) > 40, "there are many", len(found))
    order = sorted(found, key=lambda path: next((n for n, end in enumerate(LAST, 1) if path.endswith(end)), 0))
    changed = []
    for path in order:
        client, fields = found[path]
        sent = {name: text + " x" if name in ("name", "phone", "display_name", "tagline") else text
                for name, text in fields.items()} or {"a": ""}
        before = sequence(town)
        for headers in foreign(town.url):
            answer = client.post(path, sent, headers)
            row.check(answer.status == 403, f"POST {path} with {headers} is refused", answer)
            row.check("Set-Cookie" not in answer.headers, f"POST {path} with {headers} sets no cookie")
        row.check(sequence(town) == before, f"POST {path} from elsewhere changes nothing", sequence(town) - before)
    for path in order:
        client, fields = found[path]
        sent = {name: text + "7" if name in ("name", "phone", "display_name", "tagline") else text
                for name, text in fields.items()} or {"a": ""}
        before = sequence(town)
        headers = {"Sec-Fetch-Site": "same-origin"} if len(path) % 2 else {"Origin": town.url}
        answer = client.post(path, sent, headers)
        row.check(b"not sent from a page of this site" not in answer.body, f"POST {path} with {headers} may be sent",
                  answer)
        if sequence(town) != before:
            changed.append(path)
    row.check(len(changed) > 12, "from its own page many change something", changed)
    row.figures = f"{len(found)} addresses, {len(changed)} of them change something at once"
    return row


class Proxy:
    """A proxy in front of the town, as the recipe has it."""

    _all: ClassVar[list["Proxy"]] = []

    def __init__(self, town: Pages, folder: Path, name: str) -> None:
        folder = folder / name
        folder.mkdir()
        self.port = free_port()
        page = "".join(recipe.read_text() for recipe in RECIPES)
        file = folder / "conf"
        if name == "nginx":
            block = re.search(r"```nginx\n(.*?)```", page, re.S)
            file.write_text(f"daemon off; pid {folder}/pid; error_log {folder}/log;\nevents {{}}\n"
                            f"http {{\naccess_log off;\n"
                            f"{temporary(folder)}server {{ listen 127.0.0.1:{self.port};\n{recipe(block, town)}}} }}\n")
            command = ["nginx", "-c", str(file), "-e", str(folder / "log")]
        else:
            block = re.search(r"> /etc/caddy/Caddyfile <<'END'\ntown\.example\n(.*?)END\n", page, re.S)
            # With options before it, a site has braces.
            site = f"http://127.0.0.1:{self.port} {{\n{recipe(block, town)}}}\n"
            file.write_text("{\nadmin off\nauto_https off\n}\n" + site)
            command = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
        self._all.append(self)
        self.url = f"http://127.0.0.1:{self.port}"
        for _ in range(200):
            try:
                if Client(self.url).get("/live").status == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"{name} does not answer: {file.read_text()}")

    def stop(self) -> None:
        self._all.remove(self)
        self._process.terminate()
        self._process.wait(10)

    @classmethod
    def stop_all(cls) -> None:
        for proxy in list(cls._all):
            proxy.stop()


def temporary(folder: Path) -> str:
    """Where nginx stores bodies."""
    names = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    return "".join(f"{name}_temp_path {folder}/{name};\n" for name in names)


def recipe(block: re.Match[str] | None, town: Pages) -> str:
    if block is None:
        raise RuntimeError("the recipe is not found")
    return block[1].replace("127.0.0.1:8080", f"127.0.0.1:{town.port}")


def proxied(town: Pages, folder: Path, name: str) -> Row:
    """The same through a proxy, by browsers that say where a form comes from and by those that say only the origin."""
    row = Row(f"forms through {name}")
    if not shutil.which(name):
        row.skipped = f"there is no {name}"
        return row
    proxy = Proxy(town, folder, name)
    for own in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": proxy.url}):
        client, path = Client(proxy.url), f"/account/businesses/{PLACE}"
        answer = client.post("/login", {"login-email": OWNER, "login-password": PASSWORDS[OWNER]}, own)
        if not row.check(answer.status == 303, f"a log-in with {own}", answer):
            continue
        client.cookie = answer.headers["Set-Cookie"].split(";")[0]
        form = client.form(path) | {"phone": f"250-555-{sequence(town):04}"}
        before = sequence(town)
        for headers in foreign(proxy.url):
            row.check(client.post(path, form, headers).status == 403, f"{headers} is refused")
        row.check(sequence(town) == before, "and changes nothing")
        row.answered(client.post(path, form, own), 303, f"{own} is accepted")
        row.check(sequence(town) > before, "and changes the number")
    proxy.stop()
    return row


def cookies(town: Pages, people: dict[str, Client]) -> Row:
    """The cookie of the pages reads the API, and changes nothing there."""
    row, client = Row("the API with the cookie alone"), people[ADMIN]
    before = sequence(town)
    for path in ["/me", "/users", f"/businesses/{PLACE}", "/admin/audit"]:
        row.answered(client.get(f"/api/v1{path}"), 200, f"GET {path}")
    for method, path in [("PATCH", f"/businesses/{PLACE}"), ("DELETE", f"/businesses/{PLACE}"), ("POST", "/events"),
                         ("POST", "/categories"), ("DELETE", "/session"), ("PATCH", "/users/3"), ("PATCH", "/town"),
                         ("POST", "/admin/tokens"), ("POST", "/invitations")]:
        for headers in ({}, {"Sec-Fetch-Site": "same-origin"}, {"Origin": town.url}):
            answer = town.ask(method, path, {"name": "x"}, headers={"Cookie": client.cookie, **headers})
            row.check(answer.status == 401, f"{method} {path} with {headers}", answer)
    row.check(sequence(town) == before, "nothing is changed")
    return row


def canaries(town: Pages, people: dict[str, Client], slugs: dict[str, str], count: int) -> Row:
    """Many requests of three people and a stranger on the same connections: nobody gets what is another's."""
    row = Row("what is one's own, among others")
    resident, owner = slugs["zq7resident"], slugs["zq7owner"]
    private = ["/account", "/account/waiting", f"/account/events/{resident}", f"/account/events/{owner}",
             "/account/new-event", f"/account/businesses/{PLACE}", f"/account/businesses/{PLACE}/hours",
             "/admin/people", f"/events/{owner}", "/login", "/new-event", f"/businesses/{PLACE}/report", "/api/v1/me",
             "/api/v1/users",
             "/api/v1/events?status=pending_review", f"/api/v1/events/{resident}", f"/api/v1/events/{owner}",
             "/api/v1/events", "/api/v1/events.ics", "/sitemap.xml", f"/account/new-event?copy={resident}"]
    public = [path for path in crawl(town, ["/"], 40) if not path.startswith(("/docs", "/api/v1/changes"))]
    seen: dict[tuple[str, str], int] = {}
    lock, faults = threading.Lock(), []

    def work(dice: random.Random) -> None:
        connection, tags = http.client.HTTPConnection("127.0.0.1", town.port, timeout=30), {}
        for _ in range(count // 4):
            who, path = dice.choice([*people, ""]), dice.choice(private if dice.random() < 0.7 else public)
            headers = {"Cookie": people[who].cookie} if who else {}
            if dice.random() < 0.5:
                headers["Accept-Encoding"] = "gzip"
            if path in tags and dice.random() < 0.3:
                headers["If-None-Match"] = tags[path]
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            body = response.read()
            if tag := response.headers["ETag"]:
                tags[path] = tag
            if response.headers["Content-Encoding"] == "gzip":
                body = gzip.decompress(body)
            text = str(response.headers) + body.decode(errors="replace")
            for canary, allowed in CANARIES.items():
                if canary not in text:
                    continue
                with lock:
                    seen[who, canary] = seen.get((who, canary), 0) + 1
                    if who not in allowed:
                        faults.append(f"{who or 'a stranger'} gets {canary} from {path}")
                    if "no-store" not in (response.headers["Cache-Control"] or ""):
                        faults.append(f"{path} of {who} may be stored")
        connection.close()

    threads = [threading.Thread(target=work, args=(random.Random(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    row.cases = count
    row.check(not faults, "nobody gets what is another's", sorted(set(faults))[:8])
    for canary, allowed in CANARIES.items():
        row.check(all((who, canary) in seen for who in allowed), f"{canary} is seen by those who may", seen)
    row.figures = f"{count:,} requests, {sum(seen.values()):,} with a canary"
    return row
