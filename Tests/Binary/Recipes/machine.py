"""A machine to follow the recipes on: this one, with empty folders in the place of those that a recipe writes to.

The process must be the first of its mount, PID and network namespaces: all that it starts ends with it.
"""

import fcntl
import json
import os
import pwd
import re
import shutil
import socket
import struct
import subprocess
import sys
import urllib.request
from pathlib import Path

from sandbox import MS_PRIVATE, MS_REC, mount

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TOOLS, MACHINES, WORK = Path("/mnt/recipes"), Path("/mnt/machines"), Path("/mnt/work")
PATH = f"{TOOLS}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
BINARY, DATA, BACKUPS = Path("/usr/local/bin/sooke"), Path("/var/lib/sooke"), Path("/var/backups/sooke")
HEADER = "name,address,latitude,longitude,category\n"
OWN = ("/var/lib", "/var/backups", "/srv", "/usr/local/sbin", "/etc/cron.d", "/etc/cron.daily", "/etc/cron.monthly",
       "/etc/systemd/system")

SSH = f"""#!/bin/sh
# Stands in for ssh: `ssh [-l USER] HOST COMMAND…`. Another machine is a folder, and has a network of its own.
[ "$1" = -l ] && shift 2
host={MACHINES}/$1
shift
[ -d "$host" ] || exec sh -c "$*"
exec unshare --mount --net sh -c '
    for folder in etc run var/lib; do mount --rbind "$0/$folder" "/$folder" || exit; done
    exec sh -c "$*"
' "$host" "$@"
"""


def set_up(binary: Path) -> None:
    """Makes the machine. There is nothing of Sooke on it but the binary and two files to import, in the working folder."""
    image = binary.read_bytes()
    mount("none", "/", flags=MS_REC | MS_PRIVATE)
    mount("proc", "/proc", "proc")
    raise_loopback()
    for folder in ("/mnt", "/run"):
        mount("tmpfs", folder, "tmpfs", data="mode=755")
    for folder in ("/etc", "/usr/local/bin"):
        kept = MACHINES / "kept"
        shutil.copytree(folder, kept, symlinks=True)
        mount("tmpfs", folder, "tmpfs", data="mode=755")
        shutil.copytree(kept, folder, symlinks=True, dirs_exist_ok=True)
        shutil.rmtree(kept)
    for folder in OWN:
        Path(folder).mkdir(parents=True, exist_ok=True)
        mount("tmpfs", folder, "tmpfs", data="mode=755")
    for name in ("passwd", "group", "shadow", "gshadow"):
        edit(Path("/etc", name), r"^sooke:.*\n", "")
    BINARY.unlink(missing_ok=True)
    make_tool("systemctl", f'#!/bin/sh\nexec {sys.executable} -B {HERE / "systemctl"} "$@"\n')
    make_tool("ssh", SSH)
    WORK.mkdir()
    (WORK / "sooke").write_bytes(image)
    (WORK / "sooke").chmod(0o755)
    (WORK / "businesses.csv").write_text(HEADER + "".join(
        f"Shop {number},{number} Wharf Road,48.37,-123.73,Shops\n" for number in range(8)))
    os.chdir(WORK)


def make_tool(name: str, text: str) -> None:
    TOOLS.mkdir(exist_ok=True)
    (TOOLS / name).write_text(text)
    (TOOLS / name).chmod(0o755)


def edit(path: Path, pattern: str, text: str) -> None:
    """Replaces what matches in the lines of a file."""
    if path.exists():
        path.write_text(re.sub(pattern, text, path.read_text(), flags=re.M))


def raise_loopback() -> None:
    """`ip link set lo up`, where there is no `ip`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        up = 0x1 | 0x40
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14x", b"lo", up))


def make_other_machine(name: str, user: int) -> None:
    """Another machine, to which this one's town moves. Its users have other numbers."""
    other = MACHINES / name
    (other / "var").mkdir(parents=True)
    for folder in ("/etc", "/var/lib"):
        shutil.copytree(folder, other / folder[1:], symlinks=True)
    (other / "run").mkdir()
    for file in ("passwd", "group"):
        edit(other / "etc" / file, r"^(sooke:x:)\d+:(\d+)?", rf"\g<1>{user}:" + (str(user) if file == "passwd" else ""))
    for path in [other / "var/lib/sooke", *(other / "var/lib/sooke").rglob("*")]:
        os.lchown(path, user, user)


class Result:
    """How a command ended and what it said."""

    def __init__(self, command: str, status: int, output: str) -> None:
        self.command, self.status, self.output = command, status, output

    def __str__(self) -> str:
        return f"`{self.command}` ended with {self.status}: {self.output.strip()}"


def run(command: str, user: str = "root") -> Result:
    """Runs a command in a shell of a user."""
    shell = ["bash", "-c", command]
    if user != "root":
        shell = ["runuser", "-u", user, "--", *shell]
    done = subprocess.run(shell, cwd=WORK, env={"PATH": PATH, "HOME": "/", "LANG": "C.UTF-8"}, timeout=120, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return Result(command, done.returncode, done.stdout)


def run_nightly(name: str) -> int:
    """Runs a script of /etc/cron.daily, with the little that cron gives it; its exit status."""
    path = Path("/etc/cron.daily", name)
    listed = subprocess.run(["run-parts", "--test", path.parent], check=True, stdout=subprocess.PIPE, text=True).stdout
    if str(path) not in listed.split():
        return 127
    return as_cron(str(path)).status


def run_cron(name: str) -> Result:
    """Runs what a file of /etc/cron.d has root do every minute."""
    line = Path("/etc/cron.d", name).read_text()
    start = "* * * * * root "
    if not line.startswith(start) or "%" in line or not line.endswith("\n"):
        return Result(line, 127, "cron does not run that every minute")
    return as_cron(line.removeprefix(start).strip())


def as_cron(command: str) -> Result:
    """Runs a command with the little that cron gives it. Cron mails what it prints."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/root", "SHELL": "/bin/sh", "RSYNC_RSH": str(TOOLS / "ssh")}
    done = subprocess.run(["/bin/sh", "-c", command], env=environment, cwd="/", stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    return Result(command, done.returncode, done.stdout)


# What there is

def count(port: int = 8080) -> int:
    """The businesses that the server has."""
    return ask("/api/v1/businesses?per_page=1", port)["pagination"]["total_items"]


def ask(path: str, port: int = 8080) -> dict:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as response:
        return json.load(response)


def service_pid(name: str = "sooke") -> int:
    return int(Path("/run", f"{name}.pid").read_text())


def service_log(name: str = "sooke") -> str:
    return Path("/run", f"{name}.log").read_text()


def service_status(name: str = "sooke") -> str:
    path = Path("/run", f"{name}.status")
    return path.read_text() if path.exists() else "it runs"


def strangers(folder: Path, user: str = "sooke") -> list[str]:
    """The files of a folder that another user owns, or that others could read."""
    number = pwd.getpwnam(user).pw_uid
    wrong = []
    for path in [folder, *folder.rglob("*")]:
        status = path.lstat()
        if status.st_uid != number or status.st_mode & 0o077:
            wrong.append(f"{path} {status.st_uid} {status.st_mode:o}")
    return wrong
