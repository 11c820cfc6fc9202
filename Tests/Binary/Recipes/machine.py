"""The machine on which the recipes are followed, seen from itself."""

import json
import os
import pwd
import shutil
import subprocess
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TOOLS, WORK = Path("/mnt/tools"), Path("/mnt/work")
BINARY, DATA, BACKUPS = Path("/usr/local/bin/sooke"), Path("/var/lib/sooke"), Path("/var/backups/sooke")
HEADER = "name,address,latitude,longitude,category\n"


def set_up() -> None:
    """There is nothing of Sooke on the machine but the binary and a file to import, in the working folder."""
    TOOLS.mkdir()
    shutil.copy(ROOT / "data/businesses.csv", WORK)
    os.chdir(WORK)


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
    done = subprocess.run(shell, cwd=WORK, timeout=120, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return Result(command, done.returncode, done.stdout)


def start(name: str) -> Result:
    """Starts a service that ends by itself; its output is what it has said."""
    before = len(service_log(name))
    run(f"systemctl reset-failed {name}")  # so many starts in ten seconds are refused otherwise
    result = run(f"systemctl start {name}")
    return Result(result.command, result.status, service_log(name)[before:])


# What there is

def count(port: int = 8080) -> int:
    """The businesses that the server has."""
    return ask("/api/v1/businesses?per_page=1", port)["pagination"]["total_items"]


def ask(path: str, port: int = 8080) -> dict:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as response:
        return json.load(response)


def service_pid(name: str = "sooke") -> int:
    pid = int(show(name, "MainPID"))
    if pid == 0:
        raise ProcessLookupError(f"{name} does not run")
    return pid


def service_log(name: str = "sooke") -> str:
    """What the service has printed since the machine was booted."""
    return run(f"journalctl --sync; journalctl --unit {name} --output cat --no-pager _TRANSPORT=stdout").output


def service_status(name: str = "sooke") -> str:
    """How it ended: its status, or the signal as a negative number."""
    if show(name, "ActiveState") == "active":
        return "it runs"
    killed = show(name, "ExecMainCode") in ("2", "3")
    return ("-" if killed else "") + show(name, "ExecMainStatus")


def show(name: str, property: str) -> str:
    return run(f"systemctl show --property {property} --value {name}").output.strip()


def strangers(folder: Path, user: str = "sooke") -> list[str]:
    """The files of a folder that another user owns, or that others could read."""
    number = pwd.getpwnam(user).pw_uid
    wrong = []
    for path in [folder, *folder.rglob("*")]:
        status = path.lstat()
        if status.st_uid != number or status.st_mode & 0o077:
            wrong.append(f"{path} {status.st_uid} {status.st_mode:o}")
    return wrong
