"""Machines to follow the recipes on: containers with this machine's programs and a real systemd, on an overlay of
its files. What they write is gone with them.

The process that makes them must have a mount namespace of its own.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import time
import uuid
from pathlib import Path

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Nothing of this machine's own services starts there, and nothing that is called Sooke is there.
NOT_THERE = ("etc/systemd/system", "etc/systemd/network", "etc/cron.d", "etc/cron.daily", "etc/cron.monthly",
             "etc/init.d", "etc/default/sooke", "etc/ssh/sshd_config.d", "usr/local/bin/sooke", "usr/local/sbin",
             "usr/sbin/policy-rc.d", "var/lib/sooke", "var/backups", "var/log/journal", "srv", "mnt", "root/.ssh")


class Container:
    """A machine; its only network is a line to one other."""

    def __init__(self, folder: Path, name: str, address: str, system: Path = Path("/")) -> None:
        self.name, self.address, self.system = name, address, system
        self.folder = folder / name
        self.root = self.folder / "root"
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

    def boot(self, binds: list[Path]) -> bool:
        """Starts systemd; whether it is up."""
        command = ["systemd-nspawn", "--quiet", "--boot", f"--directory={self.root}", "--register=no", "--keep-unit",
                   f"--network-namespace-path=/run/netns/{self.name}", "--resolv-conf=off", "--console=pipe",
                   "--link-journal=no", *(f"--bind={path}" for path in binds), "systemd.unit=multi-user.target"]
        # systemd 256 and newer must be told to use control groups of version 1, where a machine has those.
        self.groups = self.make_control_groups()
        environment = {**os.environ, "SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE": "1"}
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log.open("wb"),
                                        stderr=subprocess.STDOUT, preexec_fn=self.enter_control_groups)
        end = time.monotonic() + 90
        while time.monotonic() < end and self.process.poll() is None:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            self.init = int(children[0]) if children else self.init
            if self.init and self.says("systemctl is-system-running") in ("running", "degraded"):
                return True
            time.sleep(0.1)
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

    def command(self, *words: str) -> list[str]:
        """The words of a command that runs on the machine."""
        environment = [f"PATH={PATH}", "HOME=/root", "LANG=C.UTF-8"]
        return ["nsenter", f"--target={self.init}", "--all", "env", "-i", *environment, *words]

    def says(self, command: str) -> str:
        command = self.command("sh", "-c", command)
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()

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
    for machine in machines:
        ip("-n", machine.name, "address", "add", f"{machine.address}/24", "dev", "line")
        ip("-n", machine.name, "link", "set", "line", "up")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    for machine in machines:
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
