"""`sooke log`: every acknowledged commit, once and in order, over restarts of the server, by a chain computed again."""

import json
import subprocess
from typing import Any

from checks import Row
from town import Town


class Chain:
    """What a reader knows of the history: where it is, and whether each commit leads there."""

    def __init__(self) -> None:
        self.store = self.position = ""
        self.commits: list[dict[str, Any]] = []
        self.faults: list[str] = []

    def read(self, lines: list[bytes]) -> None:
        """Reads the lines of one stream, which continues an earlier one."""
        import xxhash

        if not lines:
            return
        head = json.loads(lines[0])
        if head.get("format") != "sooke-commits/1" or self.position and (head["store"], head["after"]) != (
                self.store, self.position):
            self.faults.append(f"it begins with {lines[0]!r} at {self.position}")
        self.store, self.position = head["store"], head["after"]
        for line in lines[1:]:
            if line.startswith(b'{"position":'):
                if json.loads(line)["position"] != self.position:
                    self.faults.append(f"{line!r} at {self.position}")
                continue
            sequence, chain = self.position.split(".")
            start = b'{"seq":%d,' % (int(sequence) + 1)
            if not line.startswith(start):
                self.faults.append(f"{line[:80]!r} follows {self.position}")
            self.position = f"{int(sequence) + 1}.{xxhash.xxh64_hexdigest(line[len(start):-1], int(chain, 16))}"
            self.commits.append(json.loads(line))


class Reader:
    """`sooke log` of a town, over restarts of its server."""

    def __init__(self, town: Town) -> None:
        self.town, self.chain = town, Chain()
        self.since = position(town)

    def follow(self) -> None:
        """Goes on from the last position."""
        self.file = self.town.data.with_suffix(".log").open("w+b")
        command = [self.town.binary, "log", "--follow", "--since", self.since, "--data", self.town.data]
        self.process = subprocess.Popen(command, stdout=self.file, stderr=subprocess.PIPE)

    def end(self, row: Row) -> None:
        """Reads what it has printed, after the server has ended."""
        said = self.process.communicate(timeout=60)[1]
        self.file.seek(0)
        output = self.file.read()
        ends_well = self.process.returncode == 69 and b"continue with --since" in said
        row.check(ends_well or not output, "it says so at the end", said)
        self.chain.read(output[:output.rfind(b"\n") + 1].splitlines())
        self.since = self.chain.position or self.since

    def conclude(self, row: Row, phones: list[str]) -> None:
        """It has each acknowledged write, and ends with the position that the town has, with a server and without."""
        since, rest, end = self.since, self.town.sooke("log", "--since", self.since), position(self.town)
        self.chain.read(rest.stdout.encode().splitlines())
        row.check(not self.chain.faults, "no commit is missing or changed", self.chain.faults[:2])
        row.check(self.chain.position == end, "it has the position of the town", self.chain.position)
        logged = {change["business"].get("phone") for commit in self.chain.commits for change in commit["changes"]
                  if "business" in change}
        row.check(logged >= set(phones), "none that was acknowledged is missing", sorted(set(phones) - logged)[:3])
        self.town.stop()
        row.check(self.town.sooke("log", "--since", since).stdout == rest.stdout, "the same lines without a server")
        row.check(self.town.sooke("log", "--follow").returncode == 69, "--follow needs a server")
        row.figures = f"{len(self.chain.commits):,} commits, {len(phones):,} acknowledged changes looked for"


def position(town: Town) -> str:
    return json.loads(town.sooke("status", "--format", "json").stdout)["position"]
