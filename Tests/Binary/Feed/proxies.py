"""curl and httpx-sse follow through nginx and Caddy, set up with the samples of the pages for operators; and a cache of
nginx, which keeps all responses, gives each client its own form of an address."""

import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from checks import Row
from follower import Replica, add, events, until, whole
from harness import free_port
from town import ADMIN, peopled

HERE = Path(__file__).resolve().parent
APP = "https://app.example"
NGINX = """{user}worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log; daemon off;
events {{ worker_connections 256; }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
proxy_cache_path {folder}/cached keys_zone=all:1m;
server {{ listen 127.0.0.1:{port};
{site} }} }}
"""
CACHE = """location / {{ proxy_pass http://127.0.0.1:{server}; proxy_cache all;
proxy_cache_key $request_uri; proxy_ignore_headers Cache-Control Expires; proxy_cache_valid 200 10m;
add_header X-Cache $upstream_cache_status; }}"""
# Without a grace period, a Caddy that ends waits for all streams.
CADDY = "{{\nadmin off\nauto_https off\ngrace_period 1s\n}}\nhttp://127.0.0.1:{port} {{\n{site}}}\n"


class Client:
    """A program that follows, and prints what it gets."""

    def __init__(self, *command: str) -> None:
        self.command = list(command)
        self.replica = Replica()
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        position = ["-H", f"Last-Event-ID: {self.replica.position}"] if self.replica.position else []
        self.process = subprocess.Popen(self.command + position, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, stdin=subprocess.DEVNULL)
        threading.Thread(target=self._read, args=[self.process], daemon=True).start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        for event in events(line.rstrip("\n") for line in process.stdout or ()):
            self.replica.receive(event)

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    os.chmod(folder, 0o755)
    return [*follow(binary, folder, "nginx"), *follow(binary, folder, "caddy"), cache(binary, folder)]


def follow(binary: Path, folder: Path, proxy: str) -> list[Row]:
    town, sessions = peopled(binary, folder / proxy, "--proxy", "127.0.0.1")
    port = free_port()
    url = f"http://127.0.0.1:{port}/api/v1/changes"
    curl = Client("curl", "-sN", "-H", "Accept: text/event-stream", url)
    clients = {"curl": curl, "httpx-sse": Client(sys.executable, str(HERE / "httpx_follower.py"), url)}
    rows = {name: Row(f"{name} through {proxy}") for name in clients}
    command = proxy_command(proxy, folder, port, sample("nginx" if proxy == "nginx" else "sh", town.port))

    def change(name: str) -> None:
        until(lambda: all(client.replica.position for client in clients.values()))
        add(town, sessions, name)
        fresh = whole(town, None)
        for key, client in clients.items():
            rows[key].check(until(lambda: client.replica.records == fresh), f"{name}: it has what a fresh client gets",
                            client.replica.position)

    try:
        with serving(command, folder, port):
            for client in clients.values():
                client.start()
            change("Live")
        # What happens while nobody can follow comes when they connect again: curl by its option, httpx-sse by itself.
        add(town, sessions, "Missed")
        curl.stop()
        with serving(command, folder, port):
            curl.start()
            change("Later")
    finally:
        for client in clients.values():
            client.stop()
    for key, client in clients.items():
        rows[key].check(client.replica.counts["resets"] == 1, "it continued with Last-Event-ID", client.replica.counts)
        rows[key].check(not client.replica.faults, "nothing twice, nothing missed", client.replica.faults)
        rows[key].check(client.replica.slugs == ["live", "missed", "later"], "each once", client.replica.slugs)
    town.stop()
    return list(rows.values())


def cache(binary: Path, folder: Path) -> Row:
    row = Row("a cache of nginx")
    town, sessions = peopled(binary, folder / "cached-town", "--proxy", "127.0.0.1", "--cors-origin", APP)
    port = free_port()
    url, bearer = f"http://127.0.0.1:{port}", {"Authorization": f"Bearer {sessions[ADMIN]}"}
    with serving(proxy_command("nginx", folder, port, CACHE.format(server=town.port)), folder, port):
        poll = f"/api/v1/changes?since={town.ask('GET', '/changes').json()['position']}"
        # Each address, what two clients send, and a field of the second response that the first one does not have.
        for path, first, second, field, value in [
            (poll, {}, {"Accept": "text/event-stream"}, "Content-Type", "text/event-stream"),
            (poll, {"Accept": "application/json"}, bearer, "Cache-Control", "no-store"),
            ("/api/v1/businesses", {}, {"Accept": "text/csv"}, "Content-Type", "text/csv; charset=utf-8"),
            ("/api/v1/events", {}, {"Accept": "text/calendar"}, "Content-Type", "text/calendar; charset=utf-8"),
            ("/api/v1/businesses?page=1", {}, bearer, "Cache-Control", "no-store"),
            ("/api/v1/categories", {}, {"Origin": APP}, "Access-Control-Allow-Origin", APP),
        ]:
            for number, fields in enumerate([first, first, second, first]):
                answer = head(url, path, fields)
                row.check((answer[field] == value) == (fields is second), f"{path} with {fields} as number {number}",
                          dict(answer.items()))
                if number in (1, 3):
                    row.check(answer["X-Cache"] == "HIT", f"{path} is served by the cache", answer["X-Cache"])
    town.stop()
    return row


def head(url: str, path: str, fields: dict[str, str]) -> http.client.HTTPMessage:
    """The fields of a response, whose body may have no end."""
    with contextlib.closing(http.client.HTTPConnection(url.removeprefix("http://"), timeout=20)) as connection:
        connection.request("GET", path, headers=fields)
        return connection.getresponse().headers


def proxy_command(proxy: str, folder: Path, port: int, site: str) -> list[str]:
    """How a proxy is started, after its configuration is written."""
    file = folder / f"{proxy}-{port}.conf"
    user = "user root; " if os.geteuid() == 0 else ""
    file.write_text((NGINX if proxy == "nginx" else CADDY).format(user=user, folder=folder, port=port, site=site))
    return ["nginx", "-c", str(file)] if proxy == "nginx" else [
        "caddy", "run", "--adapter", "caddyfile", "--config", str(file)]


def sample(language: str, port: int) -> str:
    """The block of the pages for operators that sets up a proxy, for a server on another port."""
    pages = "".join((HERE.parents[2] / name).read_text() for name in ("README.md", "Sources/sooke/README.md"))
    for name, block in re.findall(r"^```(\w*)\n(.*?)^```", pages, re.M | re.S):
        if name == language and "127.0.0.1:8080" in block and "proxy" in block:
            # Caddy's is in the commands of the installation, after the name of its site.
            block = block.partition("END'\ntown.example\n")[2].partition("END\n")[0] or block
            return block.replace("127.0.0.1:8080", f"127.0.0.1:{port}")
    raise RuntimeError("the pages have no sample for the proxy")


@contextlib.contextmanager
def serving(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """A proxy that runs, until the end."""
    # Caddy stores its configuration at home.
    environment = {**os.environ, **dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(folder))}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    try:
        with socket.socket() as probe:
            if not until(lambda: probe.connect_ex(("127.0.0.1", port)) == 0, 10):
                raise RuntimeError(f"{command[0]} does not listen; it ended with {process.poll()}")
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)
