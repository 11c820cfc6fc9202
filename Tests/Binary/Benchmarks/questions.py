"""The questions that a town asks, of 100,000 businesses: what is open, what is near, and a search with a typo.

Each request is another one, so that no stored response is sent; the town has menus, several kinds of hours, and words.
"""

import random
import shutil
import subprocess
import time
import urllib.parse
from collections.abc import Iterator

import decoding
import towns
from bench import Bench
from generator import ask
from harness import send
from reading import LIST
from results import Bound, Result, Side
from scale import NEW, TOWN, resident

OPEN_NOW, OPEN_AT, TYPO, NEAR = (Bound(must, aim, at_most=True) for must, aim in ((5, 1), (30, 10), (5, 2), (2, 0.5)))  # ms
EVALUATIONS = Bound(2_000_000, 5_000_000)  # a second
MEMORY = Bound(2, 1, at_most=True)  # kB a business
READY = 60.0  # seconds until the words must be indexed


def questions(bench: Bench) -> list[Result]:
    """One keep-alive connection asks one question after the other."""
    url = bench.town(TOWN).url
    wait_for_words(url)
    dice = random.Random(1)
    kinds = {
        "open_now=true, first page with total": (OPEN_NOW, [f"{LIST}?open_now=true&{NEW}"]),
        "open_at another moment": (OPEN_AT, [f"{LIST}?open_at={moment(dice)}" for _ in range(3000)]),
        "q with one typo": (TYPO, [f"{LIST}?q={urllib.parse.quote(words)}" for words in typos(dice, 3000)]),
        "near, within 5 km": (NEAR, [f"{LIST}?near={center(dice)}&radius_m=5000" for _ in range(3000)]),
    }
    results = []
    for what, (bound, paths) in kinds.items():
        ask(bench, url, paths[:1], 1, 1)  # to warm up
        side, = bench.alternate("ms p99", {"sooke": lambda paths=paths: ask(bench, url, paths, 1, bench.seconds).p99})
        results.append(Result(f"{what}, of {TOWN:,} businesses", bound, side.median, "ms", [side],
                              f"p99 of one connection, {len(paths):,} different requests"))
    return results


def wait_for_words(url: str) -> float:
    """Until the words are indexed; the seconds that it took."""
    began = time.monotonic()
    while send(url, f"{LIST}?q=harbour").status != 200:
        if time.monotonic() - began > READY:
            raise RuntimeError(f"the words are not indexed after {READY:.0f} s")
        time.sleep(0.05)
    return time.monotonic() - began


def moment(dice: random.Random) -> str:
    return f"2027-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}T{dice.randrange(24):02}:{dice.randrange(60):02}:00Z"


def center(dice: random.Random) -> str:
    return f"{48.3 + dice.random() / 10:.6f},{-123.7 - dice.random() / 10:.6f}"


def typos(dice: random.Random, count: int) -> Iterator[str]:
    """Words of names with a letter that is missing, doubled, changed or swapped, some of them with a second word."""
    words = [word.lower() for word in towns.THINGS + towns.QUALITIES if len(word) >= 5]
    rare = [towns.surname(number).lower() for number in range(8000)]
    for number in range(count):
        word = dice.choice(words if number % 3 else rare)
        place = dice.randrange(1, len(word) - 1)
        changed = dice.choice([word[:place] + word[place + 1:], word[:place] + word[place] + word[place:],
                               word[:place] + "z" + word[place + 1:],
                               word[:place] + word[place + 1] + word[place] + word[place + 2:]])
        yield changed if number % 2 else f"{changed} {dice.choice(towns.TRADES).lower()}"


def hours(bench: Bench) -> list[Result]:
    """How many states one core evaluates in a second, at random times of a year."""
    program = decoding.built(bench, "HoursRace")
    bench.tell("evaluating")
    result = subprocess.run([program, str(bench.runs)], capture_output=True, text=True, timeout=600)
    if result.returncode:
        raise RuntimeError(f"the race left with {result.returncode}: {result.stderr[-500:]}")
    side = Side("sooke", "/s", [float(line) for line in result.stdout.split()])
    return [Result("hours evaluated on one core", EVALUATIONS, side.median, "/s", [side],
                   "13 expressions, with holidays and seasons: status, until when, next opening and why")]


def memory(bench: Bench) -> list[Result]:
    """What a business takes once everything was asked for, with all indexes and states, beside a town just started."""
    data = bench.scratch / "asked"
    # Another measure may keep a server on the town.
    shutil.copytree(towns.town(bench, TOWN), data, ignore=shutil.ignore_patterns("admin.sock", "lock"))
    with bench.serve(data, timeout=300) as server:
        send(server.url, LIST)
        before = resident(server)
        ready = wait_for_words(server.url)
        for page in range(1, TOWN // 100 + 1):
            send(server.url, f"{LIST}?open_now=true&per_page=100&page={page}")
            send(server.url, f"{LIST}?per_page=100&page={page}")
        after = resident(server)
    grown = Side("sooke", "kB", [(after - before) / TOWN / 1000])
    return [Result("memory of a business for words, hours and states", MEMORY, grown.median, "kB", [grown],
                   "resident memory after all pages and questions, beside that after the first answer"),
            Result("from the first answer to the words", None, ready, "s", [Side("sooke", "s", [ready])],
                   "q is 503 with Retry-After until then")]
