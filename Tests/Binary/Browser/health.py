"""What breaks is red on the page of administrators, on a phone, with words that lead to the mend; mended, it is green."""

import ctypes
import subprocess
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import shots
from browser import PHONE, Browser, until
from checks import Row, Skip
from forms import Hand
from harness import free_port
from town import ADMIN, PASSWORDS, RESIDENT, good
from towns import Pages, administrated
from tracing import mounted, require_root

NEW_MOUNTS = 0x00020000  # CLONE_NEWNS
ZONES = Path("/usr/share/zoneinfo")
PLENTY, TIGHT = "size=4g", "size=200m"
CATEGORIES = '{"event_types":[{"id":1,"name":"All","slug":"all"}]}'
MAIL_FROM = "town@town.example"
STATE = """const row = document.querySelector(`[data-key="${arguments[0]}"]`);
return [row?.querySelector('.state')?.className ?? '', row?.innerText ?? ''];"""
RED, GREEN = "state broken", "state open"


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    require_root()
    if ctypes.CDLL(None).unshare(NEW_MOUNTS):
        raise Skip("this process may have no mounts of its own")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    with mounted(folder / "disk", "-t", "tmpfs", "-o", PLENTY, "none") as disk:
        watch = Watch(binary, folder, disk / "data")
        watch.backups()
        watch.room(disk)
        watch.settings()
        watch.zones()
        watch.mailer()
        watch.restarts(binary)
        if not short:
            watch.by_itself()
        watch.late()
        watch.phone.stop()
        Pages.stop_all()
    return [watch.row]


class Watch:
    """Somebody with the page on their phone, and the machine of the town."""

    def __init__(self, binary: Path, folder: Path, data: Path) -> None:
        self.row, self.folder, self.made, self.count = Row("what breaks is red on a phone"), folder, folder / "backups", 0
        self.made.mkdir()
        self.exit = folder / "exit"
        self.exit.write_text("0")
        mailer = folder / "mailer"
        mailer.write_text(f"#!/bin/sh\ncat > /dev/null\nexit $(cat {self.exit})\n")
        mailer.chmod(0o755)
        self.town = Pages(binary, data).start("--sendmail", str(mailer))
        self.town.must("import", "--format", "json", "-", stdin=CATEGORIES)
        administrated(self.town)
        self.phone = Browser().size(PHONE)
        self.enter()

    def enter(self) -> None:
        self.phone.open(self.town.url + "/login")
        Hand(self.phone).log_in(ADMIN, PASSWORDS[ADMIN])
        until(lambda: "/login" not in self.phone.driver.current_url, 10)

    def sees(self, name: str, state: str, *words: str, opens: bool = True) -> None:
        """Expects the state of a thing on the page within a minute."""
        def holds() -> bool:
            if opens:
                self.phone.open(self.town.url + "/admin")
            return bool(self.phone.js(STATE, name)[0] == state)
        held = until(holds, 60 if opens else 40)
        text = self.phone.js(STATE, name)[1]
        self.row.check(held and all(word in text for word in words), f"{name} has the {state}", text or self.phone.text)

    def breaks(self, name: str, how: Callable[[], object], mend: Callable[[], object], *words: str) -> None:
        """Something is green, red once it is broken, and green once it is mended."""
        self.sees(name, GREEN)
        how()
        self.sees(name, RED, *words)
        mend()
        self.sees(name, GREEN)
        self.count += 1

    def again(self, *options: str) -> None:
        """A start with other options, on another port, of which the browser knows no cookie."""
        self.town.stop()
        self.town.start(*options)
        self.enter()

    def backup(self, *options: str) -> int:
        """What the timer does each minute, or once a day."""
        return self.town.sooke("backup", *options, self.made / "now-%Y-%m-%d-%H%M%S.json").returncode

    def backups(self) -> None:
        away = self.folder / "away"
        self.sees("backup", RED, "There is none yet", "systemctl enable --now sooke-backup.timer")
        self.backup("--if-changed"), self.backup("--check")
        self.breaks("backup", lambda: (self.made.rename(away), self.backup("--if-changed")),
                    lambda: (away.rename(self.made), self.backup("--if-changed")), "No such file or directory", "Mend")
        newest = max(self.made.iterdir())
        whole = newest.read_bytes()
        self.breaks("restore", lambda: (newest.write_bytes(whole.replace(b"super_admin", b"super_adnim")), self.backup("--check")),
                    lambda: (newest.unlink(), self.backup("--if-changed"), self.backup("--check")), "checksum", "systemctl start sooke-backup")
        shots.take(self.phone, "admin")

    def room(self, disk: Path) -> None:
        def resize(size: str) -> None:
            subprocess.run(["mount", "-o", f"remount,{size}", disk], check=True)
        self.breaks("disk", lambda: resize(TIGHT), lambda: resize(PLENTY), "are free", "See what takes the room")
        filler, name = disk / "filler", {"name": "Sooke"}

        def fill() -> None:
            resize("size=8m")
            with filler.open("wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    pass
            # The log has taken room for some commits already.
            event = {"name": "Songs", "event_type": "all", "starts_at": "2099-06-01T19:00:00-07:00"}
            for number in range(2_000):
                event["description"] = f"{number} " + "x" * 9_000
                if self.town.local("POST", "/events", event).status == 507:
                    break
        self.breaks("changes", fill, lambda: (filler.unlink(), resize(PLENTY), self.town.local("PATCH", "/town", name)),
                    "the disk is full", "Make room")

    def settings(self) -> None:
        def until_year(year: int) -> None:
            days = [{"date": f"{year}-12-25", "name": "Christmas Day"}]
            good(self.town.local("PATCH", "/town", {"holiday_dates": days}))
        self.breaks("holidays", lambda: until_year(2020), lambda: until_year(2099), "until 2020-12-25", "sooke town --holidays")
        self.breaks("changes", lambda: self.town.must("read-only", "on", "--reason", "moving"),
                    lambda: self.town.must("read-only", "off"), "read-only since", "moving", "sooke read-only off")

    def zones(self) -> None:
        empty = self.folder / "empty"
        empty.mkdir()
        self.breaks("zone_data", lambda: subprocess.run(["mount", "--bind", empty, ZONES], check=True), lambda: subprocess.run(["umount", "--lazy", ZONES], check=True),
                    "gone from the machine", "apt-get install tzdata")

    def mailer(self) -> None:
        def invite(name: str) -> None:
            body = {"email": f"{name}@far.example", "role": "general_user"}
            good(self.town.ask("POST", "/invitations", body, self.town.admin), 201)
        self.breaks("mail", lambda: (self.exit.write_text("1"), invite("una")),
                    lambda: (self.exit.write_text("0"), invite("ivo")), "was not sent", "mail provider")

    def restarts(self, binary: Path) -> None:
        """What only a start changes: the options, and that whoever sent e-mail is silent."""
        socket = self.folder / "outside.sock"
        service = ("--outside-socket", str(socket), "--keep-history")
        server = f"smtp://127.0.0.1:{free_port()}"

        def outside() -> None:
            subprocess.run([binary, "outside", "--socket", socket, "--mail", server, "--mail-from", MAIL_FROM],
                           capture_output=True, check=False)
        self.sees("history", GREEN)
        self.again(*service, "0")
        self.sees("history", RED, "--keep-history 30")
        outside()
        self.sees("mail", GREEN, "sent by sooke outside".capitalize())
        self.again(*service, "30")
        self.sees("history", GREEN)
        self.sees("mail", RED, "it was sooke outside", "systemctl restart sooke-outside")
        outside()
        self.sees("mail", GREEN)
        self.count += 2

    def by_itself(self) -> None:
        """An open page looks again, with nothing that tells it to."""
        self.sees("backup", GREEN)
        self.backup("--check")
        self.made.rename(self.folder / "away")
        self.backup("--if-changed")
        self.sees("backup", RED, opens=False)
        (self.folder / "away").rename(self.made)
        self.backup("--if-changed")
        self.sees("backup", GREEN, opens=False)

    def late(self) -> None:
        """Two weeks later nobody has decided, and the timer for backups has stopped."""
        event = {"name": "Songs", "event_type": "all", "starts_at": "2099-06-01T19:00:00-07:00"}
        self.town.must("user", "add", RESIDENT, "--role", "general_user")
        self.town.must("user", "password", RESIDENT, stdin=PASSWORDS[RESIDENT] + "\n")
        slug = good(self.town.ask("POST", "/events", event, self.town.session(RESIDENT)), 201).json()["slug"]
        self.sees("waiting", GREEN)
        then = datetime.now(timezone.utc) + timedelta(days=15)
        self.again("--now", f"{then:%Y-%m-%dT%H:%M:%SZ}", "--now-ticks")
        self.sees("backup", RED, "15 days ago", "sooke-backup.timer")
        self.sees("waiting", RED, "15 days ago", "Decide on them", "Waiting")
        shots.take(self.phone, "admin-late")
        seen = good(self.town.local("GET", f"/events/{slug}")).headers["ETag"]
        good(self.town.local("POST", f"/events/{slug}/approve", headers={"If-Match": seen}))
        self.sees("waiting", GREEN)
        self.count += 2
        self.row.figures = f"{self.count} things broken and mended"
