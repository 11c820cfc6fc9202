"""Commands that meet a server which stops, a server of another folder, or something at the edge of what can be."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from checks import Row
from harness import Server, send, sooke
from rig import BAD_DATA, NOT_PERMITTED, File, changed, contents, count_businesses, make_store
from tracing import Trace, require_strace


from backups import served

UNAVAILABLE, UNANSWERED = 69, 75
SURE = "the import may have been committed: run it again to check, it changes nothing twice"


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    """One after the other."""
    return [stopping(binary, folder, short), linked(binary, folder), ages(binary, folder), numbers(binary, folder),
            long_path(binary, folder), left_out(binary, folder),
            warnings(binary, folder), impostors(binary, folder)]


def result_of(command: "subprocess.Popen[str]") -> tuple[int, str]:
    """How a command ends and what it says."""
    output, errors = command.communicate(timeout=120)
    return command.returncode, (output + errors).strip()


def start_import(binary: Path, data: Path, file: Path) -> "subprocess.Popen[str]":
    """An import that runs."""
    return subprocess.Popen([binary, "import", "--data", data, file], stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def stopping(binary: Path, folder: Path, short: bool) -> Row:
    """A server that stops during an import: the command says what is known, and a second run finds out the rest."""
    row = Row("a server that stops during an import")
    file = folder / "rows.ndjson"
    file.write_bytes(File("stopping", 2000).body)
    with served(folder / "takes", b"", whole=True) as data:
        status, said = result_of(start_import(binary, data, file))
        wrong = [] if status == UNANSWERED and SURE in said else [f"it ended with {status}: {said}"]
        row.case("it ends when it has the whole request", [], wrong)
        for command in (["user", "add", "ada@town.example"], ["snapshot"]):
            done = sooke(binary, *command, "--data", data)
            wrong = [] if done.returncode == UNANSWERED and "may have been made" in done.stderr else [
                f"it ended with {done.returncode}: {done.stderr.strip()}"]
            row.case(f"the same, {command[0]}", [], wrong)
        for command in (["status"], ["import", "--dry-run", str(file)]):
            done = sooke(binary, *command, "--data", data)
            wrong = [] if done.returncode == UNAVAILABLE and "stopped before it answered" in done.stderr else [
                f"it ended with {done.returncode}: {done.stderr.strip()}"]
            row.case(f"the same, {command[0]}, which changes nothing", [], wrong)
    # The smaller ones end before the command has read its file, the larger ones in the middle of the work.
    data = folder / "stopping"
    make_store(binary, data)
    for number, how in enumerate([signal.SIGTERM, signal.SIGKILL] * (3 if short else 20)):
        file.write_bytes(File(f"stopping-{number}", 2000).body)
        server = Server(binary, data).ready()
        before = count_businesses(server.url)
        command = start_import(binary, data, file)
        time.sleep(0.02 * (number // 2 + 1))
        ended = server.stop(how)
        status, said = result_of(command)
        server = Server(binary, data).ready()
        try:
            there = count_businesses(server.url) - before
        finally:
            server.stop()
        lost = ["it was answered and is gone"] if status == 0 and there == 0 else []
        wrong = [] if there in (0, 2000) else [f"{there} of 2000 rows are there"]
        wrong += [] if ended == (0 if how == signal.SIGTERM else -how) else [f"the server ended with {ended}"]
        if status not in (0, UNAVAILABLE, UNANSWERED) or (status == UNANSWERED) != (SURE in said):
            wrong.append(f"the import ended with {status}: {said}")
        if status == UNAVAILABLE and there:
            wrong.append(f"rows are there, but it said: {said}")
        if how == signal.SIGTERM and status == UNANSWERED:
            wrong.append("a server that is told to stop did not answer")
        row.case(f"{how.name}, import {number + 1}", lost, wrong)
    if not short:
        row.case("a sync that takes longer than the server waits for others", [], slow(binary, folder, file))
    return row


def slow(binary: Path, folder: Path, file: Path) -> list[str]:
    """SIGTERM while the import waits for its sync for 15 seconds: it is answered all the same."""
    require_strace()
    data = folder / "slow"
    make_store(binary, data)
    server = Server(binary, data).ready()
    try:
        trace = Trace(folder / "strace", data, "fdatasync", "fdatasync:delay_enter=15000000:when=1")
        with trace.attached(server.thread("commit")):
            command = start_import(binary, data, file)
            time.sleep(3)
            server.stop(timeout=60)
        status, said = result_of(command)
        return [] if status == 0 and "2,000 new" in said else [f"the import ended with {status}: {said}"]
    finally:
        server.kill()


def linked(binary: Path, folder: Path) -> Row:
    """A copy with hard links has the socket of the folder that is served: no command reaches that town through it."""
    row = Row("a copy with hard links of a folder that is served")
    data, copied = folder / "live", folder / "linked"
    make_store(binary, data)
    file, backup = folder / "linked.ndjson", folder / "linked.json"
    file.write_bytes(File("linked", 3).body)
    server = Server(binary, data).ready()
    try:
        subprocess.run(["cp", "-al", data, copied], check=True)
        before, sequence = contents(copied), server.sequence()
        for command in (["import", file], ["export"], ["backup", backup], ["snapshot"], ["status"],
                        ["user", "add", "ada@town.example"]):
            done = sooke(binary, *command, "--data", copied)
            wrong = [] if done.returncode == UNAVAILABLE and "another folder" in done.stderr else [
                f"it ended with {done.returncode}: {done.stdout} {done.stderr.strip()}"]
            # The copy says of itself that its backup has failed.
            names = [name for name in changed(before, contents(copied)) if name != "backup.json"]
            row.case(str(command[0]), [], wrong + ([f"{names} changed"] if names else []))
        wrong = [] if server.sequence() == sequence else [f"the live town is at {server.sequence()}"]
        wrong += ["there is a backup"] if backup.exists() else []
        row.case("the live town", [], wrong)
        (folder / "link").symlink_to(data)
        done = sooke(binary, "import", file, "--data", folder / "link")
        row.case("a symbolic link leads to the same folder", [],
                 [] if done.returncode == 0 else [f"it ended with {done.returncode}: {done.stderr.strip()}"])
    finally:
        server.stop()
    return row


def ages(binary: Path, folder: Path) -> Row:
    """A session and a token that are made at the end of the last year that can be written."""
    row = Row("sessions at the end of the year 9999")
    data, password = folder / "ages", "a long walk to Whiffin Spit"
    moment = "9999-12-31T23:50:00Z"
    server = Server(binary, data, "--now", moment).ready()
    wrong: list[str] = []
    try:
        end = time.monotonic() + 20
        while not (token := re.search(r"sooke_set_[A-Za-z0-9_-]{43}", server.said)) and time.monotonic() < end:
            time.sleep(0.01)
        body = {"token": token and token[0], "email": "ada@town.example", "password": password}
        for path, answer in (("setup", body), ("session", {"email": "ada@town.example", "password": password}),
                             ("session", {"email": "ada@town.example", "password": password, "stay_signed_in": True})):
            found = server.ask("POST", f"/api/v1/{path}", json.dumps(answer).encode())
            wrong += [] if found.status == 201 else [f"{path} got {found.status}: {found.body[:200]!r}"]
    finally:
        server.stop()
    server = Server(binary, data)
    wrong += [] if server.outcome() is None else [f"the next start ended with {server.status}: {server.said}"]
    server.kill()
    row.case(moment, [], wrong)
    return row


def numbers(binary: Path, folder: Path) -> Row:
    """An import cannot take IDs so high that none is left for what comes after it."""
    row = Row("imports of the highest IDs")
    highest, data, file = 2**52, folder / "numbers", folder / "numbers.json"
    place = {"name": "Kelp", "slug": "kelp", "category": "cafes", "address": "1 Pier", "latitude": 48, "longitude": -123}

    def town(identifier: int, part: int) -> dict[str, object]:
        menus = [{"id": part, "name": "Lunch", "items": [{"id": part, "name": "Soup", "price": "7.50"}]}]
        return {"categories": [{"id": identifier, "name": "Cafés", "slug": "cafes"}],
                "event_types": [{"id": identifier, "name": "Music", "slug": "music"}],
                "users": [{"id": identifier, "email": "ada@town.example", "role": "general_user"}],
                "businesses": [{"id": identifier, **place, "menus": menus}]}

    for identifier, part in ((highest + 1, 1), (2**53 - 1, 1), (1, highest + 1)):
        for kind, records in town(identifier, part).items() if part == 1 else [("", None)]:
            file.write_text(json.dumps({kind: records} if kind else town(identifier, part)))
            done = sooke(binary, "import", "--data", data, file)
            wrong = [] if done.returncode == BAD_DATA and "id: must" in done.stderr else [
                f"it ended with {done.returncode}: {done.stdout} {done.stderr.strip()}"]
            row.case(f"{kind or 'parts'} {max(identifier, part)}", [], wrong)
    file.write_text(json.dumps(town(highest, highest)))
    done = sooke(binary, "import", "--data", data, file)
    row.case("the highest that may be", [], [] if done.returncode == 0 else [done.stderr.strip()])
    server = Server(binary, data).ready()
    try:
        for path, body in (("categories", {"name": "Pubs"}), ("event-types", {"name": "Talks"}),
                           ("users", {"email": "bob@town.example", "role": "general_user"}),
                           ("businesses", {**place, "slug": "wrack"})):
            added = server.ask("POST", f"/api/v1/{path}", json.dumps(body).encode())
            row.case(f"one more of {path}", [], [] if added.status == 201 else [
                f"it got {added.status}: {added.body[:200]!r}"])
    finally:
        server.stop()
    return row


def long_path(binary: Path, folder: Path) -> Row:
    """The socket of a folder whose path is too long for an address."""
    row = Row("a data folder with a long path")
    parent = folder / ("a-long-name-" * 12)
    parent.mkdir()
    data = parent / "data"
    make_store(binary, folder / "short")
    shutil.copytree(folder / "short", data, ignore=shutil.ignore_patterns("admin.sock"))
    file = folder / "long.ndjson"
    file.write_bytes(File("long", 3).body)
    server = Server(binary, data)
    ended = server.outcome()
    row.case("it is served", [], [] if ended is None else [f"it ended with {ended}: {server.said}"])
    if ended is not None:
        return row
    done = sooke(binary, "import", file, "--data", data)
    row.case("an import through the socket", [], [] if done.returncode == 0 and "3 new" in done.stdout else [
        f"it ended with {done.returncode}: {done.stderr.strip()}"])
    second = Server(binary, data)
    wrong = [] if second.outcome() is not None else ["a second server runs"]
    second.kill()
    row.case("a second server", [], wrong)
    server.kill()
    server = Server(binary, data)
    row.case("a socket that was left behind", [], [] if server.outcome() is None else [server.said])
    row.case("the end", [], [] if server.stop() == 0 and not os.path.lexists(data / "admin.sock") else [server.said])
    return row


def left_out(binary: Path, folder: Path) -> Row:
    """A repair names the older history that it could read and leaves out."""
    row = Row("a repair that leaves out older history")
    data, made = folder / "gap", folder / "mended"
    make_store(binary, data)
    logs = sorted(data.glob("wal-*.log"))
    damaged = next(path for path in logs if b'"base-1' in path.read_bytes())
    damaged.write_bytes(damaged.read_bytes().replace(b'"base-1', b'"BASE-1', 1))
    done = sooke(binary, "repair", "--data", data, "--to", made)
    wrong = [] if done.returncode == 0 and "left out: changes 1 to 3" in done.stderr else [
        f"it ended with {done.returncode}: {done.stdout} {done.stderr.strip()}"]
    row.case("damage between a snapshot and older changes", [], wrong)
    whole = folder / "whole"
    make_store(binary, folder / "sound")
    done = sooke(binary, "repair", "--data", folder / "sound", "--to", whole)
    row.case("a sound folder", [], [] if done.returncode == 0 and not done.stderr else [done.stderr.strip()])
    return row


def warnings(binary: Path, folder: Path) -> Row:
    """What is dangerous about a server is said at its start, and nothing else."""
    row = Row("warnings at the start of a server")
    for name, mode, options, expected in (
            ("nothing", 0o700, [], []), ("readable by others", 0o755, [], []),
            ("a clock that stands", 0o700, ["--now", "2026-11-21T09:30:00Z"], ["--now"]),
            ("writable by its group", 0o770, [], ["chmod go-w"]), ("writable by all", 0o777, [], ["chmod go-w"]),
            ("both", 0o777, ["--now", "2026-11-21T09:30:00Z"], ["--now", "chmod go-w"])):
        data = folder / "warned"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        data.chmod(mode)
        server = Server(binary, data, *options).ready()
        server.stop()
        said = [line for line in server.said.split(" | ") if line.startswith("sooke: warning: ")]
        wrong = [] if len(said) == len(expected) and all(word in line for word, line in zip(expected, said)) else [
            f"it said {said}"]
        row.case(name, [], wrong)
    for named in (False, True):
        server = Server(binary, folder / "warned", *(["--proxy", "127.0.0.1"] if named else [])).ready()
        for _ in range(3):
            send(server.url, "/api/v1/businesses", headers={"X-Forwarded-For": "192.0.2.7"})
        server.stop()
        found = server.said.count("--proxy 127.0.0.1")
        row.case(f"a proxy that is{'' if named else ' not'} named", [], [] if found == (0 if named else 1) else [
            f"it said {server.said}"])
    return row


class Impostor:
    """A process of another user that listens where a command expects the server, and remembers what it gets."""

    USER = 65_533

    def __init__(self, path: Path) -> None:
        self._reading, writing = os.pipe()
        ready, told = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                os.setgid(self.USER)
                os.setuid(self.USER)
                listener = socket.socket(socket.AF_UNIX)
                listener.bind(str(path))
                path.chmod(0o777)
                listener.listen()
                os.write(told, b"x")
                while True:
                    connection, _ = listener.accept()
                    connection.settimeout(1)
                    with connection, contextlib.suppress(OSError):
                        while text := connection.recv(65_536):
                            os.write(writing, text)
            finally:
                os._exit(0)
        os.close(writing)
        os.close(told)
        self.listens = os.read(ready, 1) == b"x"
        os.close(ready)

    def heard(self) -> bytes:
        """What it got, once it has ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)
        with os.fdopen(self._reading, "rb") as pipe:
            return pipe.read()


def impostors(binary: Path, folder: Path) -> Row:
    """Another user listens in the folder: no command sends anything there, and none works where everyone can write."""
    row = Row("a folder in which another user listens")
    if os.geteuid() != 0:
        row.skipped = "it takes root"
        return row
    folder.chmod(0o755)
    folder.parent.chmod(0o755)
    for mode in (0o755, 0o777, 0o1777):
        data = folder / "trap"
        shutil.rmtree(data, ignore_errors=True)
        made = sooke(binary, "user", "add", "ada@town.example", "--data", make_served(binary, data))
        data.chmod(0o777)
        impostor = Impostor(data / "admin.sock")
        data.chmod(mode)
        for words in (["user", "password", "ada@town.example"], ["status"], ["backup", folder / "trapped.json"]):
            done = subprocess.run([binary, *words, "--data", data], input="a secret of root\n", text=True,
                                  capture_output=True, timeout=60)
            wrong = [] if made.returncode == 0 and impostor.listens else ["the trap could not be set"]
            if done.returncode != NOT_PERMITTED:
                wrong.append(f"it ended with {done.returncode}: {done.stderr.strip()}")
            row.case(f"{words[0]} in a folder of mode {mode:o}", [], wrong)
        heard = impostor.heard()
        row.case(f"what was heard, mode {mode:o}", [], [f"it heard {heard[:200]!r}"] if heard else [])
    return row


def make_served(binary: Path, data: Path) -> Path:
    """A new store."""
    make_store(binary, data)
    return data
