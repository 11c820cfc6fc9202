"""curl, httpx-sse and a browser follow through nginx and Caddy, which are set up with the samples of the README."""

import contextlib
import http.server
import json
import os
import re
import shutil
import signal
import socket
import socketserver
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from checks import Row, Skip
from town import ADMIN, Town, business, good, peopled
from follower import Event, Replica, events, whole
from harness import free_port
from packages import python

HERE = Path(__file__).resolve().parent
NGINX = """{user}worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log; daemon off;
events {{ worker_connections 256; }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
server {{ listen 127.0.0.1:{port};
location = /page {{ root {folder}; default_type text/html; }}
location = /report {{ proxy_pass http://127.0.0.1:{reports}; }}
{sample} }} }}
"""
# Without a grace period, a Caddy that ends waits for all streams.
CADDY = "{{\nadmin off\nauto_https off\ngrace_period 1s\n}}\n{sample}"
PAGE = """<!doctype html><title>follows</title><script>
const source = new EventSource("/api/v1/changes");
let queue = Promise.resolve();
for (const kind of ["reset", "revoked", "business", "event", "category", "event_type"])
  source.addEventListener(kind, event => {
    const body = JSON.stringify([kind, event.lastEventId, event.data]);
    queue = queue.then(() => fetch("/report", {method: "POST", body})).catch(() => {});
  });
</script>"""


class Client:
    """A program that follows; `lines` are those that it printed."""

    def __init__(self, name: str, command: list[str], parse: str) -> None:
        self.name, self.command, self.parse = name, command, parse
        self.received: list[Event] = []
        self.replica = Replica()
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = list(self.command)
        if self.parse == "sse" and self.replica.position:
            command += ["-H", f"Last-Event-ID: {self.replica.position}"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        stdin=subprocess.DEVNULL)
        threading.Thread(target=self._read, args=[self.process], daemon=True).start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        lines = (line.rstrip("\n") for line in process.stdout or ())
        found = events(lines) if self.parse == "sse" else (Event(*json.loads(line)) for line in lines)
        for event in found:
            self.take(event)

    def take(self, event: Event) -> None:
        self.received.append(event)
        self.replica.receive(event)

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()


class Browser(Client):
    """A page in a headless Chromium, which reports what its EventSource gets."""

    def __init__(self, folder: Path, port: int, reports: int) -> None:
        profile = f"--user-data-dir={folder}/profile"
        super().__init__("Chromium's EventSource", [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", profile,
            "--remote-debugging-port=0", f"http://127.0.0.1:{port}/page"], "none")
        browser = self
        last = ["?"]

        class Reports(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                kind, position, data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                # An EventSource gives the last ID with each event; only a new one ends a commit.
                browser.take(Event(kind, position if position != last[0] else "", data))
                last[0] = position
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None: pass

        self.server = socketserver.TCPServer(("127.0.0.1", reports), Reports)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        super().stop()
        self.server.shutdown()


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    os.chmod(folder, 0o755)
    rows = []
    for proxy in ["nginx", "Caddy"]:
        try:
            rows += follow(proxy, binary, folder, short or proxy != "nginx")
        except Skip as reason:
            rows.append(Row(f"through {proxy}", skipped=str(reason)))
    return rows


def follow(proxy: str, binary: Path, folder: Path, short: bool) -> list[Row]:
    if not shutil.which(proxy.lower()):
        raise Skip(f"{proxy} is not installed")
    port, reports = free_port(), free_port()
    town, sessions = peopled(binary, folder / proxy, "--proxy", "127.0.0.1")
    (folder / "page").write_text(PAGE)
    configuration = folder / f"{proxy}.conf"
    if proxy == "nginx":
        user = "user root; " if os.geteuid() == 0 else ""
        configuration.write_text(NGINX.format(user=user, folder=folder, port=port, reports=reports,
                                              sample=sample("nginx", town.port)))
        command = ["nginx", "-c", str(configuration)]
    else:
        site = f"http://127.0.0.1:{port} {{\n{sample('sh', town.port)}}}\n"
        configuration.write_text(CADDY.format(sample=site))
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(configuration)]
    url = f"http://127.0.0.1:{port}/api/v1/changes"
    clients = [Client("curl", ["curl", "-sN", "-H", "Accept: text/event-stream", url], "sse"),
               Client("httpx-sse", [str(python()), str(HERE / "httpx_follower.py"), url], "json")]
    if not short:
        clients.append(Browser(folder, port, reports))
    rows = {client.name: Row(f"{client.name} through {proxy}") for client in clients}
    try:
        with serving(command, folder, port):
            for client in clients:
                client.start()
            step(town, sessions, clients, rows, "Live")
        # What happens while nobody can follow comes when they connect again.
        add(town, sessions, "Missed")
        for client in clients:
            if client.name == "curl":
                client.stop()
        with serving(command, folder, port):
            clients[0].start()
            step(town, sessions, clients, rows, "Later")
    finally:
        for client in clients:
            client.stop()
    for client in clients:
        row = rows[client.name]
        resets = sum(event.kind == "reset" for event in client.received)
        row.check(resets == 1, "it continued with Last-Event-ID", f"{resets} snapshots")
        row.check(not client.replica.faults, "nothing twice, nothing missed", client.replica.faults)
        for name in ["live", "missed", "later"]:
            times = sum(f'"slug":"{name}"' in event.data for event in client.received)
            row.check(times == 1, f"{name} came once", times)
        row.figures = f"{len(client.received)} events"
    town.stop()
    return list(rows.values())


def step(town: Town, sessions: dict[str, str], clients: list[Client], rows: dict[str, Row], name: str) -> None:
    """Waits until all follow, makes a change, and counts whether each gets it."""
    until(lambda: all(client.received for client in clients), 30)
    add(town, sessions, name)
    fresh = whole(town, None)
    for client in clients:
        until(lambda: client.replica.records == fresh, 30)
        rows[client.name].check(client.replica.records == fresh, f"{name}: it has what a fresh client gets",
                                [event[:2] for event in client.received[-3:]])


def until(holds, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not holds():
        time.sleep(0.05)


def add(town: Town, sessions: dict[str, str], name: str) -> None:
    good(town.ask("POST", "/businesses", business(name), sessions[ADMIN]), 201)


def sample(language: str, port: int) -> str:
    """The block of the README that sets up a proxy, for a server on another port."""
    readme = "".join((HERE.parents[2] / name).read_text() for name in ("README.md", "Sources/sooke/README.md"))
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", readme, re.M | re.S)
    for name, block in blocks:
        if name == language and "127.0.0.1:8080" in block and "proxy" in block:
            # Caddy's is in the commands of the installation, after the name of its site.
            block = block.partition("END'\ntown.example\n")[2].partition("END\n")[0] or block
            return block.replace("127.0.0.1:8080", f"127.0.0.1:{port}")
    raise RuntimeError("the pages have no sample for the proxy")


@contextlib.contextmanager
def serving(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """A proxy that runs, until the end."""
    # Caddy stores its configuration at home.
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder),
                   "XDG_DATA_HOME": str(folder)}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    try:
        until(lambda: is_open(port) or process.poll() is not None, 10)
        if process.poll() is not None:
            raise RuntimeError(f"{command[0]} ended with {process.returncode}")
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
