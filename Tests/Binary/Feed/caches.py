"""A cache in front of the server, nginx, which keeps all responses, gives each client its own form of an address."""

import contextlib
import http.client
import os
import shutil
from pathlib import Path

from checks import Row
from town import ADMIN, peopled
from foreign import serving
from harness import free_port

APP = "https://app.example"
NGINX = """{user}worker_processes 1; pid {folder}/cache.pid; error_log {folder}/cache.log; daemon off;
events {{ worker_connections 64; }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
proxy_cache_path {folder}/cached keys_zone=all:1m;
server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://127.0.0.1:{server}; proxy_cache all;
proxy_cache_key $request_uri; proxy_ignore_headers Cache-Control Expires; proxy_cache_valid 200 10m;
add_header X-Cache $upstream_cache_status; }} }} }}
"""


def run(binary: Path, folder: Path, short: bool) -> list[Row]:
    row = Row("a cache of nginx")
    if not shutil.which("nginx"):
        row.skipped = "nginx is not installed"
        return [row]
    town, sessions = peopled(binary, folder / "cached-town", "--proxy", "127.0.0.1", "--cors-origin", APP)
    port = free_port()
    configuration = folder / "cache.conf"
    user = "user root; " if os.geteuid() == 0 else ""
    configuration.write_text(NGINX.format(user=user, folder=folder, port=port, server=town.port))
    try:
        with serving(["nginx", "-c", str(configuration)], folder, port):
            forms(row, port, sessions[ADMIN])
    finally:
        town.stop()
    return [row]


def forms(row: Row, port: int, token: str) -> None:
    bearer = {"Authorization": f"Bearer {token}"}
    position = ask(port, "/api/v1/changes")["X-Position"]
    poll = f"/api/v1/changes?since={position}"
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
            answer = ask(port, path, fields)
            row.check((answer[field] == value) == (fields is second), f"{path} with {fields} as number {number}",
                      dict(answer.items()))
            if number in (1, 3):
                row.check(answer["X-Cache"] == "HIT", f"{path} is served by the cache", answer["X-Cache"])


def ask(port: int, path: str, fields: dict[str, str] | None = None) -> http.client.HTTPMessage:
    """The fields of a response; with `X-Position` that of a poll."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", path, headers=fields or {})
        answer = connection.getresponse()
        if answer.headers.get_content_type() == "application/json":
            text = answer.read().decode()
            answer.headers["X-Position"] = text.rpartition('"position":"')[2].partition('"')[0]
        return answer.headers
