"""What `sooke unit` prints: what systemd says about it, and the server under all that it asks for."""

import fcntl
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import machine
from machine import BINARY, DATA, run

UNITS = Path("/etc/systemd/system")
LOCKED = 73
LIMIT = 2.0  # the exposure that systemd-analyze may see, from 0 to 10

# Options, and the port at which the server answers then.
VARIANTS = {
    "without options": ("", 8080),
    "with options": ("--url https://town.example --proxy ::1 --time-zone Europe/Paris --cors-origin https://a.example", 8080),
    "on port 80 for everyone": ("--host 0.0.0.0 --port 80", 80),
    "on another loopback address": ("--host ::1 --port 8081", 0),
    "in a folder with an awkward name": ("--data '/srv/50% of \"the\" town; $HOME'", 8080),
    "in a home": ("--data /run/user/town/data", 8080),
    "in a folder of a folder": ("--data /var/lib/towns/sooke", 8080),
}

# What a service must not be able to do, and what it must. Each prints a line when it could.
PROBE = f"""
touch /etc/probe && echo etc; touch /usr/local/bin/probe && echo bin; ls /root/* && echo root; ls /proc/1 && echo proc
ls /proc/meminfo && echo facts; unshare --user true && echo namespace; touch {DATA}/probe && echo data
chmod 4755 {DATA}/probe && echo setuid; chmod 700 {DATA}/probe && echo mode; ls /dev/fuse /dev/mem /dev/kmsg && echo device
touch /tmp/probe && echo temporary; [ -e /tmp/outside ] && echo shared; kill -0 1 && echo kill; chown 0 {DATA}/probe && echo owner
mount -t tmpfs none /mnt && echo mount; nice -n -1 true 2>&1 | grep -q . || echo nice; echo x > /sys/kernel/mm/ksm/run && echo tunable
"""
MAY = {"data", "mode", "temporary"}


class Hardening:
    """The checks of the unit, on a machine where the first recipe was followed."""

    def __init__(self) -> None:
        self.wrong: list[str] = []

    def check(self, holds: bool, what: object) -> None:
        if not holds:
            self.wrong.append(str(what))

    def analysis(self) -> None:
        """systemd reads the unit without a remark, and rates it."""
        for name, (options, _) in VARIANTS.items():
            path = self.write("analysed", options)
            verified = self.analyze("verify", path)
            self.check(not verified, f"{name}: {verified}")
            rated = self.analyze("security", "--offline=true", "--no-pager", path)
            exposure = re.search(r"Overall exposure level for \S+: ([0-9.]+)", rated)
            self.check(exposure is not None and float(exposure[1]) <= LIMIT, f"{name}: {rated[-200:]}")
            path.unlink()
        backups = UNITS / "analysed-backups.service"
        for options in ("", "--data '/srv/50% of \"the\" town; $HOME' --backup-dir '/srv/my 50%'", "--data /run/user/town/data"):
            self.write("analysed-backups", f"--backups service {options}")
            result = run(f"sooke unit --backups timer > {backups.with_suffix('.timer')}")
            verified = self.analyze("verify", backups, backups.with_suffix(".timer"))
            self.check(result.status == 0 and not verified, f"backups, {options}: {verified}")
            rated = self.analyze("security", "--offline=true", "--no-pager", backups)
            exposure = re.search(r"Overall exposure level for \S+: ([0-9.]+)", rated)
            self.check(exposure is not None and float(exposure[1]) <= LIMIT, f"backups, {options}: {rated[-200:]}")
        backups.unlink()
        backups.with_suffix(".timer").unlink()

    def analyze(self, *words: object) -> str:
        return subprocess.run(["systemd-analyze", *map(str, words)], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout.strip()

    def write(self, name: str, options: str) -> Path:
        path = UNITS / f"{name}.service"
        result = run(f"sooke unit {options} > {path}")
        self.check(result.status == 0 and not result.output, result)
        return path

    def restrictions(self) -> None:
        """They are in force, also for a program that tries what they forbid."""
        fields = dict(re.findall(r"^(\w+):\s*(.*)$", Path(f"/proc/{machine.service_pid()}/status").read_text(), re.M))
        self.check(fields["NoNewPrivs"] == "1" and fields["Seccomp"] == "2" and int(fields["CapBnd"], 16) == 0, fields)
        Path("/tmp/outside").touch()
        unit = self.write("probe", "")
        probe = machine.TOOLS / "probe"
        probe.write_text(f"#!/bin/bash\n{{ {PROBE} }} 2> /dev/null\n")
        probe.chmod(0o755)
        unit.write_text(re.sub(r"^ExecStart=.*", f"ExecStart={probe}", unit.read_text(), flags=re.M))
        run("systemctl start probe; systemctl stop probe")
        able = set(machine.service_log("probe").split())
        Path("/tmp/outside").unlink()
        self.check(able == MAY, f"it can do {sorted(able)}, not {sorted(MAY)}")
        Path(DATA, "probe").unlink(missing_ok=True)

    def work(self) -> None:
        """Everything that an operator does with a server works under them."""
        before, log = machine.count(), machine.service_log()
        for command in (f"sooke status --data {DATA}", f"sooke snapshot --data {DATA}",
                        f"sooke user add ada@town.example --role super_admin --data {DATA}",
                        f"sooke token create till --for ada@town.example --data {DATA}",
                        f"sooke backup --data {DATA} /mnt/work/town.json", f"sooke export --data {DATA} > /dev/null",
                        f"sooke verify --data {DATA}", "systemctl restart sooke", f"sooke changes --data {DATA}"):
            result = run(command)
            self.check(result.status == 0, result)
        self.check(machine.count() == before, f"{machine.count()} businesses, not {before}")
        self.check(not machine.strangers(DATA), machine.strangers(DATA))
        said = machine.service_log()[len(log):]
        self.check(not re.search("cannot|warning|denied|not permitted", said, re.I), said)

    def defaults(self) -> None:
        """/etc/default/sooke has further options; SIGHUP does not end the server, and a unit may name another binary."""
        Path("/etc/default/sooke").write_text("SOOKE_OPTIONS=--log off --write-limit 7\nSOOKE_URL=https://town.example\n")
        log = machine.service_log()
        run("systemctl restart sooke")
        command = Path(f"/proc/{machine.service_pid()}/cmdline").read_bytes().split(b"\0")
        self.check(command[-5:-1] == [b"--log", b"off", b"--write-limit", b"7"], command)
        environment = Path(f"/proc/{machine.service_pid()}/environ").read_bytes().split(b"\0")
        self.check(b"SOOKE_URL=https://town.example" in environment, environment)
        os.kill(machine.service_pid(), signal.SIGHUP)
        self.check(machine.count() > 0 and machine.service_status() == "it runs", machine.service_log()[len(log):])
        Path("/etc/default/sooke").unlink()
        result = run("sooke unit --binary /usr/bin/sooke | grep ^ExecStart=")
        self.check(result.output.startswith("ExecStart=/usr/bin/sooke serve"), result)
        self.check(run("sooke unit | grep -x Restart=always").status == 0, "the service may end for good")
        run("systemctl restart sooke")

    def crash(self) -> None:
        """A crash leaves a report in the journal and in the folder, which the next start names."""
        log = machine.service_log()
        os.kill(machine.service_pid(), signal.SIGSEGV)
        while machine.service_status() != str(-signal.SIGSEGV):
            time.sleep(0.02)
        run("systemctl start sooke")
        said, report = machine.service_log()[len(log):], DATA / "crash.log"
        self.check(f"they are also in {report}\n" in said and f"has crashed (request: none). Send {report}" in said, said)
        self.check(report.exists() and report.read_text() in said, "the file has another report")
        report.unlink(missing_ok=True)

    def race(self) -> None:
        """A command just after a start that does not wait, again and again; and beside a process that serves nothing."""
        for number in range(10):
            run("systemctl stop sooke")
            result = run(f"systemctl start sooke & sooke snapshot --data {DATA}; status=$?; wait; exit $status")
            self.check(result.status == 0, f"start {number}: {result}")
        run("systemctl stop sooke")
        for releases in (True, False):
            with open(DATA / "lock") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                command = subprocess.Popen([BINARY, "snapshot", "--data", DATA], stdout=subprocess.PIPE,
                                           stderr=subprocess.STDOUT, text=True)
                self.check(waits(command), "it does not wait")
                if releases:
                    fcntl.flock(lock, fcntl.LOCK_UN)
                said = command.communicate(timeout=60)[0]
            self.check(command.returncode == (0 if releases else LOCKED), f"{command.returncode}: {said}")
        run("systemctl start sooke")

    def variants(self) -> None:
        """The server runs under the unit of each variant."""
        run("systemctl stop sooke caddy")
        for name, (options, port) in VARIANTS.items():
            self.write("variant", options)
            if folder := re.search(r"--data ('.*?'|/run\S+)", options):
                run(f"install -d -o sooke -g sooke -m 0700 {folder[1]}")
            result = run("systemctl start variant")
            self.check(result.status == 0, f"{name}: {result}")
            if port and result.status == 0:
                self.check(machine.count(port) >= 0, name)
            result = run("systemctl stop variant")
            self.check(result.status == 0 and machine.service_status("variant") == "0", f"{name}: {result}")
        run("systemctl start sooke")

    def all(self) -> list[tuple[str, Callable[[], None]]]:
        return [("the unit, read by systemd", self.analysis), ("the restrictions", self.restrictions),
                ("work under them", self.work), ("options in a file", self.defaults), ("a crash under them", self.crash), ("commands during a start", self.race),
                ("units with other options", self.variants)]


def waits(command: "subprocess.Popen[str]") -> bool:
    """Whether a command comes to a point where it sleeps, and does not end before."""
    while command.poll() is None:
        if "nanosleep" in Path(f"/proc/{command.pid}/wchan").read_text():
            return True
        time.sleep(0.01)
    return False
