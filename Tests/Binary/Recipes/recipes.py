"""The recipes of the pages for operators: what must hold after each."""

import json
import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import machine
from harness import with_checksum
from machine import BACKUPS, BINARY, DATA, WORK, Result, count, run

# Only root may do these, or may write where the page has them write.
ROOT_ONLY = {"apt", "install", "useradd", "systemctl", "mv", "cp", "cat", "chmod", "ssh", "rsync", "if", "for"}
BLOCKS = 10
MORE = machine.HEADER + "The Crab Shack,1 Wharf Road,48.37,-123.73,Shops & Galleries\n"


def blocks(page: Path, start: str, end: str = "") -> list[str]:
    """The blocks for operators of a page, between two of its headings or to its end."""
    text = page.read_text()
    part = text[text.index(f"{start}\n"):text.index(f"\n{end}\n") if end else None]
    return re.findall(r"^```sh\n(.*?)^```", part, re.M | re.S)


def commands(block: str) -> list[list[str]]:
    """The commands of a block; those with `&&` between them are together. A text in `<<'END'` belongs to its command, and
    the lines of an `if` or `for` are one command."""
    found: list[list[str]] = []
    is_open = follows = False
    for line in block.splitlines():
        if is_open:
            found[-1][-1] += f"\n{line}"
        elif follows:
            found[-1].append(line.strip())
        else:
            found.append([line])
        last = found[-1][-1]
        if re.match("if |for ", last):
            is_open = re.search(r"\n(fi|done)\b.*$", last) is None
            continue
        is_open = not last.endswith("\nEND") if "<<'END'" in last else last.endswith("\\")
        follows = last.endswith("&&")
        found[-1][-1] = last.removesuffix("&&")
    return found


class Follower:
    """Follows the recipes as a user; root does what only root can."""

    def __init__(self, user: str) -> None:
        self.user = user
        page = machine.ROOT / "Sources/sooke/README.md"
        self.blocks = [*blocks(machine.ROOT / "README.md", "## On a server", "## For app developers"),
                       *blocks(page, "## Updates", "## People and programs"),
                       *blocks(page.parent / "Backup/README.md", "# Backups on another machine")]
        self.page = " ".join(page.read_text().split())
        self.image = (WORK / "sooke").read_bytes()
        self.wrong: list[str] = []

    def check(self, holds: bool, what: object) -> None:
        if not holds:
            self.wrong.append(str(what))

    def follow(self, number: int, *, fails: dict[str, set[int]] | None = None, at: str = "") -> list[Result]:
        """Runs a block; `fails` has how commands may end that begin with a text, `at` replaces the time in it."""
        results = []
        for chain in commands(self.blocks[number].replace("2026-11-20 18:00", at) if at else self.blocks[number]):
            for command in chain:
                is_root = command.split()[0] in ROOT_ONLY or re.search(r"> /etc/|--to /var/lib/|/srv/before|before-update", command)
                results.append(run(command, "root" if is_root else self.user))
                expected = next((codes for start, codes in (fails or {}).items() if command.startswith(start)), {0})
                self.check(results[-1].status in expected, results[-1])
                if results[-1].status != 0:
                    break
        return results

    def runs(self, businesses: int) -> None:
        """The server has what it should, and everything in its folder is its own."""
        self.check(machine.service_status() == "it runs", f"it ended with {machine.service_status()}")
        self.check(count() == businesses, f"{count()} businesses, not {businesses}")
        self.check(not machine.strangers(DATA), machine.strangers(DATA))

    def add(self) -> None:
        """One more business, through the server."""
        (WORK / "more.csv").write_text(MORE.replace("Crab", f"Crab {time.monotonic_ns()}"))
        (WORK / "more.csv").chmod(0o644)
        result = run(f"sooke import --data {DATA} more.csv", self.user)
        self.check(result.status == 0 and "1 new" in result.output, result)

    # The recipes, in the order of the page

    def installation(self) -> None:
        link = self.follow(0)[-1]
        self.check("warning: " not in link.output and "https://town.example/setup" in link.output, link)
        proxied = Path("/etc/caddy/Caddyfile").read_text()
        self.check(proxied == "town.example\nreverse_proxy 127.0.0.1:8080\n", proxied)
        if shutil.which("caddy"):
            result = run("caddy validate --adapter caddyfile --config /etc/caddy/Caddyfile")
            self.check(result.status == 0, result)
        self.town = count()
        self.check(self.town == 8, f"{self.town} businesses")
        self.runs(self.town)
        self.check(not machine.strangers(BACKUPS), machine.strangers(BACKUPS))
        self.check(BINARY.stat().st_uid == 0 and BINARY.stat().st_mode & 0o777 == 0o755, "the binary's mode")
        self.check(machine.service_log().count("sooke: ready at") == 1, machine.service_log())

    def update(self) -> None:
        """The new binary is this one, with some bytes after it that mean nothing."""
        (WORK / "sooke").write_bytes(self.image + b"\nnewer")
        for _ in range(2):
            before = machine.service_pid()
            self.follow(1)
            self.runs(self.town)
            self.check(machine.service_pid() != before, "the server was not restarted")
        self.check(Path("/usr/local/bin/sooke-before-update").read_bytes() == self.image, "the older binary is lost")
        self.check(Path(f"/proc/{machine.service_pid()}/exe").read_bytes().endswith(b"newer"), "the old binary runs")
        self.check((BACKUPS / "before-update.json").stat().st_size > 0, "there is no backup")

    def rollback(self) -> None:
        for _ in range(2):
            self.follow(2)
            self.runs(self.town)
            self.check(Path(f"/proc/{machine.service_pid()}/exe").read_bytes() == self.image, "the new binary runs")

    def rollback_of_the_format(self) -> None:
        """The folder is as a newer version would have written it: the older one refuses it, and the backup restores."""
        for pattern, old, new in (("manifest.json", b"sooke-manifest/3", b"sooke-manifest/4"),
                                  ("wal-*.log", b"sooke-log/3", b"sooke-log/4"), ("snapshot-*.json", b'"sooke/3', b'"sooke/4')):
            self.follow(1)
            self.add()
            run("systemctl stop sooke")
            path = max(DATA.glob(pattern))
            text = path.read_bytes()
            self.check(old in text, f"{path} has another format")
            path.write_bytes(with_checksum(text.replace(old, new, 1)))
            result = self.follow(2, fails={"systemctl start": {1}})[-1]
            self.check(result.status == 1 and machine.service_status() == "78", f"{pattern}: {result}")
            said = "Start the version of sooke that wrote it"
            self.check(said in self.page and said in machine.service_log(), machine.service_log())
            for _ in range(2):
                self.follow(3)
                self.runs(self.town)
                self.remove_former()

    def move(self) -> None:
        """From a machine whose service user has another number, and which serves until it is told to stop."""
        for command in ("systemctl stop sooke",
                        "ssh old.example useradd --system --uid 731 --home-dir /var/lib/sooke --shell /usr/sbin/nologin sooke",
                        "rsync --archive /usr/local/bin/sooke old.example:/usr/local/bin/",
                        "rsync /etc/systemd/system/sooke.service old.example:/etc/systemd/system/",
                        "rsync --archive /var/lib/sooke old.example:/var/lib/",
                        "ssh old.example systemctl enable --now sooke"):
            result = run(command)
            self.check(result.status == 0, result)
        self.check(run("ssh old.example stat --format %u /var/lib/sooke").output == "731\n", "its user has the same number")
        shutil.rmtree(DATA)
        machine.run("systemctl start sooke")
        self.check(count() == 0, "the new machine is not empty")
        self.follow(4)
        self.runs(self.town)
        left = run("ssh old.example 'systemctl is-active sooke; systemctl is-enabled sooke'").output
        self.check(left == "inactive\ndisabled\n", f"the old machine is {left}")

    def daily_backup(self) -> None:
        """The first backup of a day; of those of older days as many stay as the unit says."""
        self.follow(5)
        self.stop_timer("sooke-backup")
        for path in BACKUPS.iterdir():
            path.unlink()
        self.backup()
        good = {name: text for name, text in files(BACKUPS).items() if name.startswith("town-")}
        self.check(len(good) == 1 and not machine.strangers(BACKUPS), machine.strangers(BACKUPS) or list(good))
        for number in range(20):
            older = BACKUPS / f"town-2020-01-{number + 1:02}.json"
            older.write_bytes(next(iter(good.values())))
            os.utime(older, (number, number))
        before = set(files(BACKUPS))
        self.backup()
        self.check(set(files(BACKUPS)) == before, "a second one of the day was made")
        for name in good:
            (BACKUPS / name).unlink()
        self.backup()
        left = [f"town-2020-01-{number + 1:02}.json" for number in range(7, 20)]
        there = [name for name in files(BACKUPS) if name.startswith("town-")]
        self.check(sorted(there) == sorted([*left, *good]), sorted(there))

    def stop_timer(self, name: str) -> None:
        """Another run at the next minute would be in the way."""
        for command in (f"systemctl is-active {name}.timer", f"systemctl stop {name}.timer {name}"):
            result = run(command)
            self.check(result.status == 0, result)

    def backup(self, status: int = 0) -> Result:
        """What the timer starts every minute."""
        result = machine.start("sooke-backup")
        self.check(result.status == status and (status or not result.output), result)
        return result

    def backup_of_every_minute(self) -> None:
        """One of a town that has changed since the last; nothing is written of one that has not, also after a login."""
        password = "a long walk to Whiffin Spit"
        run(f"sooke user add ada@town.example --role editor --data {DATA}", self.user)
        run(f"echo '{password}' | sooke user password ada@town.example --data {DATA}", self.user)
        login = json.dumps({"email": "ada@town.example", "password": password})
        for event, changes in (("users", 1), ("", 0), ("add", 1), ("login", 0), ("login", 0), ("add", 1), ("", 0)):
            if event == "add":
                self.add()
                self.town += 1
            if event == "login":
                result = run(f"curl -s -f -o /dev/null http://127.0.0.1:8080/api/v1/session --json '{login}'")
                self.check(result.status == 0, result)
            before = set(files(BACKUPS))
            time.sleep(1)  # the second is in the name
            self.backup()
            new = set(files(BACKUPS)) - before
            self.check(len(new) == changes and all(re.fullmatch(r"now-[-\d]{17}\.json", name) for name in new),
                       f"{event}: {sorted(new)}")
            for name in new:
                self.check(not machine.strangers(BACKUPS / name), machine.strangers(BACKUPS / name))

    def failing_backup(self) -> None:
        """A full disk of backups, and no folder of them: the town says so until there is a good one again."""
        good = files(BACKUPS)
        self.add()
        self.town += 1
        run(f"mount -t tmpfs -o size=64k,mode=777 none {BACKUPS} && head -c 65536 /dev/zero > {BACKUPS}/full")
        self.failed_backup("No space left on device")
        run(f"umount {BACKUPS}")
        self.check(files(BACKUPS) == good, "the good ones have changed")
        BACKUPS.rename(f"{BACKUPS}-away")
        self.failed_backup("No such file or directory")
        Path(f"{BACKUPS}-away").rename(BACKUPS)
        self.backup()
        status = json.loads(run(f"sooke status --format json --data {DATA}", self.user).output)
        self.check(status["backup_at"] and not status["backup_error"] and not status["problem"], status)
        self.runs(self.town)

    def failed_backup(self, why: str) -> None:
        """A backup fails, and the journal, the status and the metrics say why."""
        result = self.backup(1)
        self.check("sooke: cannot write" in result.output and why in result.output, result)
        errors = run("journalctl --unit sooke-backup --priority err --output cat --no-pager").output
        self.check(result.output in errors, f"it is no error in the journal, which has {errors}")
        status = json.loads(run(f"sooke status --format json --data {DATA}", self.user).output)
        self.check(why in status["backup_error"] and why in status["problem"] and status["backup_at"], status)
        metrics = run(f"curl -s --unix-socket {DATA}/admin.sock http://localhost/metrics").output
        self.check("\nsooke_backup_failed 1\n" in metrics, "the metrics do not say it")

    def fetching(self) -> None:
        """A file is copied once, also an old one of a quiet town, and outlives that of the town."""
        self.follow(9)
        for name in ("sooke-fetch", "sooke-check"):
            self.stop_timer(name)
        half, quiet = BACKUPS / "town-2026-11-24.json.partial", BACKUPS / "now-2020-01-01-000000.json"
        for path in (half, quiet):
            path.write_text("")
            os.utime(path, (0, 0))
        fetched = Path("/srv/backups/sooke")
        self.fetch()
        half_less = {name: text for name, text in files(BACKUPS).items() if name != half.name}
        self.check(files(fetched) == half_less, "other files were fetched")
        before = identities(fetched)
        self.fetch()
        self.check(identities(fetched) == before, "files of a quiet town were copied or deleted again")
        half.unlink()
        quiet.unlink()
        self.fetch()
        self.check(identities(fetched) == before, "one that the town no longer has was deleted")
        self.fetch_too_many(fetched)
        result = machine.start("sooke-check")
        self.check(result.status == 0 and not result.output, result)
        newest = max(fetched.iterdir(), key=lambda path: path.stat().st_mtime)
        good = newest.read_bytes()
        newest.write_bytes(good.replace(b"Blue Camas", b"Blue Xamas"))
        result = machine.start("sooke-check")
        self.check(machine.service_status("sooke-check") == "65" and "checksum" in result.output, result)
        newest.write_bytes(good)

    def fetch(self) -> None:
        result = machine.start("sooke-fetch")
        self.check(result.status == 0 and not result.output, result)

    def fetch_too_many(self, fetched: Path) -> None:
        """Of each kind the oldest are deleted, by their names."""
        bounds = {"now": 1440, "town": 366}
        for kind, bound in bounds.items():
            for number in range(bound):
                path = fetched / f"{kind}-2019-{number:06}.json"
                path.write_text("")
                os.utime(path, (0, 0))
        names = sorted(files(fetched))
        self.fetch()
        left = sorted(files(fetched))
        for kind, bound in bounds.items():
            expected = [name for name in names if name.startswith(f"{kind}-")][-bound:]
            kept = [name for name in left if name.startswith(f"{kind}-")]
            self.check(kept == expected, f"not the last {bound} of {kind} were kept")
        self.check(set(files(BACKUPS)) <= set(left), "one that the town has was deleted")

    def remove_former(self) -> None:
        """Removes the folder that was moved aside."""
        former = [path for path in DATA.parent.glob("sooke-2*") if (path / "manifest.json").exists()]
        self.check(len(former) == 1, f"the former folders are {former}")
        for path in former:
            shutil.rmtree(path)

    def restoring(self) -> None:
        self.add()
        for _ in range(2):
            self.follow(6)
            self.runs(self.town)
            self.remove_former()
        run("install -d -o sooke -g sooke -m 0700 /var/lib/towns")
        result = run(f"sooke restore {max(BACKUPS.glob('*.json'))} --data /var/lib/towns/copy", self.user)
        self.check(result.status == 0 and not machine.strangers(Path("/var/lib/towns/copy")), result)

    def restoring_what_is_damaged(self) -> None:
        """No empty town is served, and the former folder can be moved back."""
        (BACKUPS / "zzz.json").write_bytes(max(BACKUPS.glob("*.json")).read_bytes().replace(b"Blue Camas", b"Blue Xamas"))
        (BACKUPS / "zzz.json").chmod(0o644)
        results = self.follow(6, fails={"sooke restore": {65}})
        self.check(results[-1].command.startswith("sooke restore"), results[-1])
        self.check(machine.service_status() == "0", "it serves an empty town")
        (BACKUPS / "zzz.json").unlink()
        shutil.rmtree(DATA)
        run(f"mv /var/lib/sooke-2* {DATA} && systemctl start sooke")
        self.runs(self.town)

    def repairing(self) -> None:
        """A byte of the log has changed, so a start is refused."""
        self.add()
        self.damage(max(DATA.glob("wal-*.log")), b"Crab")
        results = self.follow(7, fails={"sooke verify": {1, 2}, "sooke repair": {0, 2}})
        self.check(re.search(r"wal-\d+\.log", results[1].output) is not None, results[1])
        self.runs(count())
        self.check(count() in (self.town, self.town + 1), f"{count()} businesses are left")
        self.remove_former()

    def one_record(self) -> None:
        """A place that was deleted is there again, and nothing else has changed; the second time there is nothing to do."""
        (WORK / "more.csv").write_text(MORE)
        (WORK / "more.csv").chmod(0o644)
        result = run(f"sooke import --data {DATA} more.csv", self.user)
        self.check(result.status == 0, result)
        time.sleep(1.1)  # whole seconds are in the recipe
        zone = run(f"sooke town --data {DATA} | sed -n 's/^time zone *//p'").output.strip()
        at = run(f"TZ={zone} date '+%F %T'").output.strip()
        self.add()
        result = run(f"curl -s -f -X DELETE --unix-socket {DATA}/admin.sock http://localhost/api/v1/businesses/the-crab-shack")
        self.check(result.status == 0 and count() == self.town + 1, f"{count()} businesses after a deletion: {result}")
        for said in ("1 new", "nothing changed"):
            results = self.follow(8, at=at)
            self.check(said in results[1].output, results[1])
            self.check(count() == self.town + 2 and not Path("/srv/before").exists(), f"{count()} businesses")
        self.town = count()
        self.runs(self.town)

    def repairing_in_vain(self) -> None:
        """Nothing is left to repair: no empty town is served, and the folder stays."""
        for snapshot in DATA.glob("snapshot-*.json"):
            snapshot.unlink()
        self.damage(min(DATA.glob("wal-*.log")), b"{")
        before = files(DATA)
        results = self.follow(7, fails={"sooke verify": {1, 2}, "sooke repair": {2}, "test": {1}})
        self.check(results[-1].command.startswith("test"), results[-1])
        self.check(machine.service_status() not in ("0", "it runs"), "it serves an empty town")
        self.check(files(DATA) == before, "the damaged folder has changed")

    def damage(self, file: Path, text: bytes) -> None:
        """Changes a byte of a file so that the server does not start."""
        run("systemctl stop sooke")
        found = bytearray(file.read_bytes())
        found[found.index(text)] ^= 1
        file.write_bytes(found)
        result = run("systemctl start sooke")
        self.check(result.status == 1 and machine.service_status() == "65", f"a damaged folder is served: {result}")

    def all(self) -> list[tuple[str, Callable[[], None]]]:
        """Every block of the page, by what it is for, and what may happen to those that replace the folder."""
        return [
            ("install", self.installation), ("update", self.update), ("roll back", self.rollback),
            ("roll back over a format", self.rollback_of_the_format), ("move", self.move),
            ("backup of every day", self.daily_backup), ("backup of every minute", self.backup_of_every_minute),
            ("backup that fails", self.failing_backup),
            ("fetch backups", self.fetching), ("restore", self.restoring),
            ("restore a damaged backup", self.restoring_what_is_damaged), ("one record", self.one_record), ("repair", self.repairing),
            ("repair in vain", self.repairing_in_vain),
        ]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def identities(folder: Path) -> dict[str, tuple[int, int, int]]:
    """What changes when a file is copied again."""
    found = {path.name: path.stat() for path in folder.iterdir()}
    return {name: (status.st_ino, status.st_mtime_ns, status.st_ctime_ns) for name, status in found.items()}
