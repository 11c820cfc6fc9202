"""A notice comes and goes by the clock: in the list, on pages, in the feed, at a start, and behind nginx's cache."""

import time
from pathlib import Path

from checks import Row
from follower import until
from harness import free_port, send
from proxies import proxy_command, serving
from town import ADMIN, Town, peopled

# As operators set it up who want all that may be cached to be cached.
CACHE = """location / {{ proxy_pass http://127.0.0.1:{server}; proxy_cache all; proxy_cache_key $request_uri;
proxy_cache_valid 200 10m; proxy_cache_use_stale off; }}"""
PATHS = ["/api/v1/notices", "/", "/notices", "/events.atom", "/businesses"]


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    row = Row("a notice by the clock")
    folder.chmod(0o755)
    town, sessions = peopled(binary, folder / "town", "--proxy", "127.0.0.1")
    port = free_port()
    position = town.ask("GET", "/changes").json()["position"]
    with serving(proxy_command("nginx", folder, port, CACHE.format(server=town.port)), folder, port):
        sites = [town.url, f"http://127.0.0.1:{port}"]
        row.check(not shown(sites, "Snow"), "nothing is there before")
        make(town, sessions[ADMIN], "Snow", 1, 4)
        row.check(until(lambda: len(shown(sites, "Snow")) == 2 * len(PATHS)), "it comes", shown(sites, "Snow"))
        row.check(until(lambda: not shown(sites, "Snow")), "it goes, from caches too", shown(sites, "Snow"))
        changes = town.ask("GET", f"/changes?since={position}&topics=notice").json()["changes"]
        row.check([change["action"] for change in changes] == ["created", "deleted"], "so it does in the feed", changes)
    # What ends while the server does not run is over at its start.
    make(town, sessions[ADMIN], "Flood", 0, 2)
    town.stop()
    time.sleep(2)
    town.start()
    row.check(not shown([town.url], "Flood"), "it is over at a start", shown([town.url], "Flood"))
    row.check(until(lambda: states(town, sessions[ADMIN]) == ["over", "over"]), "that is stored",
              states(town, sessions[ADMIN]))
    town.stop()
    return [row]


def make(town: Town, session: str, title: str, start: int, end: int) -> None:
    times = [time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds)) for seconds in (start, end)]
    answer = town.ask("POST", "/notices", {"title": title, "from": times[0], "until": times[1]}, session)
    if answer.status != 201:
        raise RuntimeError(f"the notice was answered with {answer.body!r}")


def shown(sites: list[str], title: str) -> list[str]:
    """The addresses whose answers have it."""
    return [site + path for site in sites for path in PATHS if title.encode() in send(site, path).body]


def states(town: Town, session: str) -> list[str]:
    return [notice["state"] for notice in town.ask("GET", "/notices", token=session).json()["items"]]
