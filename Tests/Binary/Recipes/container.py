"""Machines to follow the recipes on: containers with this machine's programs and a real systemd, on an overlay of
its files. What they write is gone with them.

The process that makes them must have a mount namespace of its own.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
import uuid
from pathlib import Path
from typing import NamedTuple

from harness import Tally, with_checksum

# Nothing of this machine's own services starts there, and nothing that is called Sooke is there.
NOT_THERE = ("etc/systemd/system", "etc/systemd/network", "etc/cron.d", "etc/cron.daily", "etc/cron.monthly",
             "etc/init.d", "etc/default/sooke", "etc/ssh/sshd_config.d", "usr/local/bin/sooke", "usr/local/sbin",
             "usr/sbin/policy-rc.d", "var/lib/sooke", "var/backups", "var/log/journal", "srv", "mnt", "root/.ssh")
# What the commands of the checks may use.
FUNCTIONS = """\
businesses() {  # NUMBER: the server has so many
    local found; found=$(curl -s 'http://127.0.0.1:8080/api/v1/businesses?per_page=1' | grep -o '"total_items":[0-9]*')
    [ "$found" = "\\"total_items\\":$1" ] || { echo "the server has $found, not $1"; false; }; }
own() { ! find "$@" \\( ! -user sooke -o -perm /077 \\) | grep .; }  # only the service's user can read these files
log() { journalctl --sync; journalctl --unit "$1" --output cat --no-pager; }
pid() { systemctl show --property MainPID --value sooke; }
ended() { systemctl show --property ExecMainStatus --value "${2:-sooke}" | grep -x "$1"; }
"""


class Result(NamedTuple):
    """How a command ended and what it said."""

    status: int
    output: str


class Container:
    """A machine; its only network is a line to one other."""

    def __init__(self, folder: Path, name: str, address: str, system: Path = Path("/")) -> None:
        self.name, self.address, self.system = name, address, system
        self.folder, self.root = folder / name, folder / name / "root"
        self.log = self.folder / "console"
        self.process: subprocess.Popen[bytes] | None = None
        self.init = 0
        self.groups: list[Path] = []
        self.make_root()
        ip("netns", "add", name)
        ip("-n", name, "link", "set", "lo", "up")

    def make_root(self) -> None:
        self.folder.mkdir()
        mount("tmpfs", "-t", "tmpfs", self.folder)
        for part in ("upper", "work", "root"):
            (self.folder / part).mkdir()
        mount("overlay", "-t", "overlay", "-o",
              f"lowerdir={self.system},upperdir={self.folder}/upper,workdir={self.folder}/work", self.root)
        for name in NOT_THERE:
            path = self.root / name
            if path.is_file():
                path.unlink()
            elif path.is_dir():
                shutil.rmtree(path)
                path.mkdir()
        for name in ("passwd", "group", "shadow", "gshadow"):
            path = self.root / "etc" / name
            lines = path.read_text().splitlines(True) if path.exists() else []
            path.write_text("".join(line for line in lines if not line.startswith("sooke:")))
        for name in ("cron.d", "cron.daily", "cron.monthly", "systemd/system"):
            (self.root / "etc" / name).mkdir(parents=True, exist_ok=True)
        # With no number this would be a first boot, and all services of the machine would be enabled.
        (self.root / "etc/machine-id").write_text(uuid.uuid4().hex + "\n")
        (self.root / "etc/hostname").write_text(self.name + "\n")
        (self.root / "mnt/functions").write_text(FUNCTIONS)

    def boot(self) -> bool:
        """Starts systemd; whether it is up."""
        command = ["systemd-nspawn", "--quiet", "--boot", f"--directory={self.root}", "--register=no", "--keep-unit",
                   f"--network-namespace-path=/run/netns/{self.name}", "--resolv-conf=off", "--console=pipe",
                   "--link-journal=no", "systemd.unit=multi-user.target"]
        # systemd 256 and newer must be told to use control groups of version 1, where a machine has those.
        self.groups = self.make_control_groups()
        environment = {**os.environ, "SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE": "1"}
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log.open("wb"),
                                        stderr=subprocess.STDOUT, preexec_fn=self.enter_control_groups)
        end = time.monotonic() + 90
        while time.monotonic() < end and self.process.poll() is None:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            self.init = int(children[0]) if children else self.init
            if self.init and self.run("systemctl is-system-running").output.strip() in ("running", "degraded"):
                return True
            time.sleep(0.1)
        print(f"skipped: this machine boots no container with systemd: {self.log.read_text()[-800:]}")
        return False

    def enter_control_groups(self) -> None:
        for group in self.groups:
            (group / "cgroup.procs").write_text("0")

    def make_control_groups(self) -> list[Path]:
        """Control groups of its own, since two machines in one would stop each other's services."""
        made = []
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for mounted in {"name=systemd": ["systemd"], "": ["unified", ""]}.get(controllers, []):
                parent = Path("/sys/fs/cgroup", mounted, path.strip("/"))
                if (parent / "cgroup.procs").exists():
                    made.append(parent / f"{self.name}-{os.getpid()}")
                    made[-1].mkdir()
                    break
        return made

    def run(self, command: str, user: str = "root", functions: str = "") -> Result:
        """Runs a command in a shell of a user in /mnt."""
        words = ["nsenter", f"--target={self.init}", "--all", "env", "-i", "HOME=/root", "LANG=C.UTF-8",
                 "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
        words += [] if user == "root" else ["runuser", "-u", user, "--"]
        done = subprocess.run([*words, "bash", "-c", f"cd /mnt; {functions}{command}"], timeout=120, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return Result(done.returncode, done.stdout)

    def holds(self, tally: Tally, commands: str, user: str = "root") -> None:
        """Runs commands, one a line, each of which must succeed; those behind `USER:` as the given user."""
        for line in filter(None, map(str.strip, commands.splitlines())):
            command = line.removeprefix("USER: ")
            result = self.run(command, user if command != line else "root", ". /mnt/functions; ")
            tally.check(result.status == 0, f"`{command}` ended with {result.status}", result.output[-1500:])

    def make_newer(self, tally: Tally) -> None:
        """Makes the town's folder as a newer version would have written it."""
        manifest = self.root / "var/lib/sooke/manifest.json"
        text = manifest.read_bytes()
        newer = re.sub(rb"(sooke-manifest/)(\d+)", lambda found: b"%b%d" % (found[1], int(found[2]) + 1), text)
        tally.check(newer != text, "the manifest names its format")
        manifest.write_bytes(with_checksum(newer))

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            os.kill(self.init or self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=30)
        for group in self.groups:
            for folder, _, _ in os.walk(group, topdown=False):
                with contextlib.suppress(OSError):
                    os.rmdir(folder)
        subprocess.run(["umount", "--lazy", self.root, self.folder], check=False)
        self.folder.rmdir()


def separate() -> None:
    """What is mounted from now on, and the names of networks, are seen by this process and its children only."""
    mount("--make-rprivate", "/")
    Path("/run/netns").mkdir(exist_ok=True)  # `ip netns` makes it, on a machine that has used it
    mount("-t", "tmpfs", "tmpfs", "/run/netns")


def mount(*words: object) -> None:
    subprocess.run(["mount", *map(str, words)], check=True)


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def connect(machines: list[Container], key: Path) -> None:
    """A line between two machines, on which root of the first logs in at both by ssh."""
    first, second = machines
    ip("link", "add", "line", "netns", first.name, "type", "veth", "peer", "name", "line", "netns", second.name)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    for machine in machines:
        ip("-n", machine.name, "address", "add", f"{machine.address}/24", "dev", "line")
        ip("-n", machine.name, "link", "set", "line", "up")
        keys = machine.root / "root/.ssh"
        keys.mkdir(mode=0o700, exist_ok=True)
        shutil.copy(key, keys / "id_ed25519")
        shutil.copy(f"{key}.pub", keys / "authorized_keys")
        (keys / "config").write_text("StrictHostKeyChecking accept-new\nLogLevel ERROR\n")
        (machine.root / "etc/ssh/sshd_config").write_text("PermitRootLogin prohibit-password\nUsePAM no\n")
        (machine.root / "etc/hosts").write_text(
            f"127.0.0.1 localhost town.example\n::1 localhost\n{second.address} {second.name}\n")
        wanted = machine.root / "etc/systemd/system/multi-user.target.wants"
        wanted.mkdir()
        # Caddy runs after its installation, which finds it installed: the machine reaches no other but its neighbour.
        for name in ("ssh", "caddy"):
            (wanted / f"{name}.service").symlink_to(f"/lib/systemd/system/{name}.service")
