"""The pages, as they are and compressed, against nginx, which sends the same bytes from files that it keeps open."""

import gzip
import subprocess
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import peers
import towns
from bench import Bench
from fresh import BUSINESSES, CONNECTIONS, FILE_CACHE, LISTS, bodies
from generator import wrk
from harness import send
from reading import CONNECTIONS as CACHED_CONNECTIONS
from results import Bound, Result, Side, compare

FIRST, AGAIN = Bound(0.5, 0.9), Bound(1.0, 1.3)
AGAINST_JSON = Bound(0.8, 1.1)
OF_PEOPLE = Bound(0.5, 0.9)
NAMES = {"": "", "gzip": ", gzip"}
# More than the cache of responses holds, also when they are compressed.
PAGES = [f"/businesses?{which}page={number}" for which, count in (("", 5000), ("open=1&", 2500))
         for number in range(1, count + 1)]
DETAILS = [f"/businesses/town-{number}" for number in range(1, 12_001)]
STATIC = f"{FILE_CACHE} gzip_static on;"


def cached(bench: Bench) -> list[Result]:
    """A list and the page of a business, asked for again and again."""
    url = bench.town(BUSINESSES).url
    return [row for what, path in (("list", "/businesses"), ("business", "/businesses/town-1"))
            for coding in NAMES for row in against_files(bench, url, f"cached page, {what}", [path], coding, AGAIN)]


def first_time(bench: Bench) -> list[Result]:
    """More different pages than the cache of responses holds; and the same lists in JSON, in the same run."""
    url = bench.town(BUSINESSES).url
    rows = [row for what, paths in (("list", PAGES), ("business", DETAILS))
            for coding in NAMES for row in against_files(bench, url, f"first-time page, {what}", paths, coding, FIRST)]
    turns = {"HTML": turn(bench, url, PAGES[:3000], "", CONNECTIONS), "JSON": turn(bench, url, LISTS, "", CONNECTIONS)}
    return [*rows, compare("first-time list in HTML, against JSON", AGAINST_JSON, *bench.alternate("req/s", turns))]


def of_people(bench: Bench) -> list[Result]:
    """Pages that somebody who is logged in looks at, against the same ones for strangers, each another one."""
    data = bench.scratch / "people"
    subprocess.run(["cp", "-a", towns.town(bench, BUSINESSES), data], check=True)
    password = "seven rain coats dry"
    for action, given in (("add", ""), ("password", password + "\n")):
        done = subprocess.run([bench.binary, "user", action, "ada@town.example", "--data", data], input=given, text=True,
                              capture_output=True, check=False)
        if done.returncode:
            raise RuntimeError(f"sooke user {action} left with {done.returncode}: {done.stderr.strip()}")
    with bench.serve(data, timeout=300) as server:
        form = urllib.parse.urlencode({"login-email": "ada@town.example", "login-password": password})
        sent = send(server.url, "/login", "POST", {"Sec-Fetch-Site": "same-origin",
                    "Content-Type": "application/x-www-form-urlencoded"}, form.encode())
        cookie = sent.headers["Set-Cookie"].split(";")[0]
        rows = []
        for what, paths in (("list", PAGES), ("business", DETAILS)):
            sides = bench.alternate("req/s", {
                "logged in": turn(bench, server.url, paths, "", CONNECTIONS, cookie),
                "strangers": turn(bench, server.url, paths, "", CONNECTIONS)})
            rows.append(compare(f"page of a person, {what}, against strangers", OF_PEOPLE, *sides))
        return rows


def against_files(bench: Bench, url: str, what: str, paths: list[str], coding: str, bound: Bound) -> list[Result]:
    bench.tell(f"fetching {len(paths):,} pages: {what}")
    contents = bodies(url, paths)
    files = {f"/{number}": body for number, body in enumerate(contents)}
    packed = {f"{path}.gz": gzip.compress(body, 1, mtime=0) for path, body in files.items()}
    connections = CONNECTIONS if len(paths) > 1 else CACHED_CONNECTIONS
    name = what.replace(" ", "-").replace(",", "") + coding
    with peers.nginx(bench, bench.scratch / name, files | packed, STATIC) as other:
        sent = send(url, paths[0], "GET", {"Accept-Encoding": coding} if coding else {})
        if (sent.headers.get("Content-Encoding") == "gzip") != bool(coding):
            raise RuntimeError(f"{paths[0]} came with {sent.headers.get('Content-Encoding')}")
        sides = bench.alternate("req/s", {
            "sooke": turn(bench, url, paths, coding, connections),
            "nginx, open_file_cache": turn(bench, other, [*files], coding, connections)})
    mean = sum(map(len, contents)) / len(contents)
    sizes = f"{mean:,.0f} bytes" + (f", compressed {sum(map(len, packed.values())) / len(packed):,.0f}" if coding else "")
    return [compare(f"{what}{NAMES[coding]}, against nginx with open_file_cache", bound, *sides, sizes)]


def turn(bench: Bench, url: str, paths: list[str], coding: str, connections: int,
         cookie: str = "") -> Callable[[], float]:
    """How many of the pages are sent in a second, one after the other over all connections."""
    file: Path | None = None
    if len(paths) > 1:
        file = bench.scratch / f"paths-{abs(hash((url, *paths)))}"
        file.write_text("".join(f"{path}\n" for path in paths))
    address = url if file else url + paths[0]
    wrk(address, connections, 1, file, coding, cookie)
    return lambda: wrk(address, connections, bench.seconds, file, coding, cookie).rate


def first_visit(bench: Bench) -> list[Result]:
    """What a phone loads for the home page of the demo: its bytes, compressed."""
    loaded = {}
    for path in visit(bench.contract):
        loaded[path] = len(send(bench.contract, path, "GET", {"Accept-Encoding": "gzip"}).body)
    whole = sum(loaded.values())
    remark = ", ".join(f"{path} {size:,}" for path, size in loaded.items())
    return [Result("first visit, compressed", Bound(20, 12, at_most=True), whole / 1000, "kB",
                   [Side("sooke", "kB", [whole / 1000])], remark)]


def visit(url: str) -> list[str]:
    """The page, its stylesheet and its script."""
    page = send(url, "/").body.decode()
    return ["/", page.split('rel="stylesheet" href="')[1].split('"')[0], page.split('<script src="')[1].split('"')[0]]
