"""No room for one file while there is some for others: the admin socket, and files beyond a size limit."""

import contextlib
import resource
import shutil
import subprocess
from pathlib import Path

from disks import import_until_full, until_answered
from checks import Row, Skip
from harness import Server, send
from rig import IO_ERROR, File, check_restart, make_store
from tracing import mounted, require_root, require_strace


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """All of it, as far as this machine can make it."""
    rows = []
    for fault, rig in (("a start without room for the admin socket", without_socket), ("a start on a full XFS", full_xfs),
                       ("a size limit of files", size_limit)):
        try:
            rows.append(rig(binary, folder))
        except Skip as reason:
            rows.append(Row(fault, skipped=str(reason)))
    return rows


def full_xfs(binary: Path, folder: Path) -> Row:
    """XFS needs room for each new name: a server that was killed starts again, serves, and creates its socket later."""
    require_root()
    if not shutil.which("mkfs.xfs"):
        raise Skip("xfsprogs are not installed")
    row = Row("a start on a full XFS")
    image = folder / "xfs"
    with image.open("wb") as file:
        file.truncate(320 << 20)
    subprocess.run(["mkfs.xfs", "-q", "-f", image], check=True, capture_output=True)
    with mounted(folder / "disk", "-o", "loop", str(image)) as disk:
        data, fillers = disk / "data", disk / "fillers"
        ledger = make_store(binary, data)
        Server(binary, data).ready().kill()
        fillers.mkdir()
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError), (fillers / str(size)).open("wb", buffering=0) as file:
                while file.write(bytes(size)):
                    pass
        for number in range(10_000):
            try:
                (fillers / f"name-{number}").touch()
            except OSError:
                break
        server = Server(binary, data)
        wrong = []
        if (status := server.outcome()) is not None:
            wrong.append(f"it ended with {status}: {server.said}")
        else:
            if send(server.url, "/api/v1/businesses").status != 200:
                wrong.append("it does not serve")
            shutil.rmtree(fillers)
            if (waited := until_answered(server, ledger)) > 8:
                wrong.append(f"the first import got through {waited:.1f} s after there was room")
        server.kill()
        shutil.rmtree(fillers, ignore_errors=True)
        check_restart(row, "killed", binary, data, ledger, wrong)
    return row


def without_socket(binary: Path, folder: Path) -> Row:
    """The disk has no room for the admin socket: the server serves, says so, and creates it later."""
    require_strace()
    row = Row("a start without room for the admin socket")
    for error in ("ENOSPC", "EDQUOT"):
        data = folder / "socketless"
        shutil.rmtree(data, ignore_errors=True)
        ledger = make_store(binary, data)
        Server(binary, data).ready().kill()  # it leaves a stale socket
        # strace counts by thread. The first one binds the address twice, to try it and to serve, and then the socket;
        # another thread tries the socket again.
        prefix = ["strace", "-f", "--daemonize", "-o", str(folder / "strace"), "-e", "trace=bind",
                  "-e", f"inject=bind:error={error}:when=3+"]
        server = Server(binary, data, prefix=prefix)
        wrong = []
        if (status := server.outcome()) is not None:
            wrong.append(f"it ended with {status}: {server.said}")
        else:
            if send(server.url, "/api/v1/businesses").status != 200:
                wrong.append("it does not serve")
            if (waited := until_answered(server, ledger)) > 8:
                wrong.append(f"the socket was there after {waited:.1f} s")
            if (status := server.stop()) != 0:
                wrong.append(f"it stopped with {status}: {server.said}")
            if "until there is room" not in server.said or "there is room on the disk" not in server.said:
                wrong.append(f"it said {server.said!r}")
            if (data / "admin.sock").exists():
                wrong.append("the socket is still there")
        server.kill()
        check_restart(row, error, binary, data, ledger, wrong)
    return row


def size_limit(binary: Path, folder: Path) -> Row:
    """The size limit of files, as of `ulimit -f`, is like a full disk: 507, and writes go on when it is raised."""
    row = Row("a size limit of files")
    data = folder / "limited"
    ledger = make_store(binary, data)
    server = Server(binary, data).ready()
    wrong: list[str] = []
    unlimited = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (300_000, unlimited[1]))
    if import_until_full(server, ledger, wrong) == 0:
        wrong.append("no import was refused")
    if server.status is not None:
        wrong.append(f"it ended with {server.status}: {server.said}")
    else:
        if send(server.url, "/api/v1/businesses").status != 200:
            wrong.append("it does not serve")
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, unlimited)
        if (waited := until_answered(server, ledger)) > 5:
            wrong.append(f"the first import got through {waited:.1f} s after the limit was raised")
        if (status := server.stop()) != 0:
            wrong.append(f"it stopped with {status}: {server.said}")
    server.kill()
    check_restart(row, "a server", binary, data, ledger, wrong)
    (folder / "limited.ndjson").write_bytes(File("command", 2000).body)
    done = subprocess.run(["prlimit", "--fsize=300000", binary, "import", "--data", data, folder / "limited.ndjson"],
                          capture_output=True, text=True, timeout=60)
    wrong = [] if done.returncode == IO_ERROR and "too large" in done.stderr else [
        f"an import ended with {done.returncode}: {done.stderr.strip()}"]
    check_restart(row, "a command", binary, data, ledger, wrong)
    return row
