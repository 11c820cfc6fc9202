"""The server of the calendars: HTTPS on loopback, with a certificate of a test authority, and what attacks need."""

import gzip
import itertools
import subprocess
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from generator import Answer

LONGEST_SILENCE = 30
# Where no fetch may lead: as an address that is pasted, and as the target of a redirect.
FORBIDDEN = {
    "loopback": "http://127.0.0.1:{port}/",
    "loopback, short": "http://127.1:{port}/",
    "its name": "http://localhost:{port}/",
    "decimal": "http://2130706433:{port}/",
    "hexadecimal": "http://0x7f000001:{port}/",
    "octal": "http://0177.0.0.1:{port}/",
    "this host": "http://0.0.0.0:{port}/",
    "loopback of 6": "http://[::1]:{port}/",
    "this host of 6": "http://[::]:{port}/",
    "mapped": "http://[::ffff:127.0.0.1]:{port}/",
    "compatible": "http://[::127.0.0.1]:{port}/",
    "NAT64": "http://[64:ff9b::7f00:1]:{port}/",
    "NAT64, local": "http://[64:ff9b:1::7f00:1]:{port}/",
    "6to4": "http://[2002:7f00:1::]:{port}/",
    "private 10": "http://10.0.0.1:{port}/",
    "private 172": "http://172.16.0.1:{port}/",
    "private 192": "http://192.168.0.1:{port}/",
    "shared": "http://100.64.0.1:{port}/",
    "metadata": "http://169.254.169.254/",
    "link-local of 6": "http://[fe80::1]:{port}/",
    "unique local": "http://[fc00::1]:{port}/",
    "multicast": "http://224.0.0.1:{port}/",
    "broadcast": "http://255.255.255.255:{port}/",
    "a user before it": "http://calendar.example@127.0.0.1:{port}/",
    "file": "file:///etc/passwd",
    "gopher": "gopher://127.0.0.1:{port}/_x",
    "dict": "dict://127.0.0.1:{port}/x",
    "ftp": "ftp://127.0.0.1:{port}/x",
    "a line break": "http://127.0.0.1:{port}/%0d%0aHost:%20evil",
}
SLOW = ("endless", "large", "bomb", "headers", "drip", "hops")


def certificates(folder: Path) -> Path:
    """Makes an authority and a certificate of it for this machine; the file of the authority."""
    run = lambda *words: subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)  # noqa: E731
    for name in ("authority", "other"):
        run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN=Test {name}",
            "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem")
    run("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", folder / "server.key",
        "-out", folder / "server.csr")
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    run("x509", "-req", "-in", folder / "server.csr", "-CA", folder / "authority.pem", "-CAkey",
        folder / "authority.key", "-CAcreateserial", "-days", "2", "-extfile", folder / "names", "-out",
        folder / "server.pem")
    return folder / "authority.pem"


class CalendarServer:
    """Answers `/cal/N.ics` as the present step has it, and remembers what it was asked."""

    def __init__(self, folder: Path | None = None) -> None:
        """With a folder, it speaks TLS."""
        self.answers: dict[int, Answer] = {}
        self.asked: list[tuple[str, dict[str, str], int]] = []  # path, header, status; 0 for none
        self.forbidden_port = 0
        self.delay = 0.0  # seconds before each answer
        self.began = threading.Event()  # somebody waits in silence, or reads what does not end
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"calendars": self}))
        self._server.daemon_threads = True
        self._server.handle_error = lambda request, address: None  # clients that end are what is wanted
        self.port = self._server.server_address[1]
        self.authority = None
        if folder:
            self.authority = certificates(folder)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(folder / "server.pem", folder / "server.key")
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, path: str) -> str:
        return f"{'https' if self.authority else 'http'}://127.0.0.1:{self.port}/{path}"

    def close(self) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()

    def record(self, path: str, headers: dict[str, str], status: int) -> None:
        with self._lock:
            self.asked.append((path, headers, status))

    def take_asked(self) -> list[tuple[str, dict[str, str], int]]:
        """What was asked since the last call."""
        with self._lock:
            asked, self.asked = self.asked, []
        return asked

    def end_silence(self) -> None:
        """All that wait get no answer at once, and so do those who come."""
        self._ended.set()

    def wait(self, seconds: float) -> None:
        """A silence, until it is over or the server ends."""
        self.began.set()
        self._ended.wait(seconds)


class Handler(BaseHTTPRequestHandler):
    calendars: CalendarServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: object) -> None:
        pass

    def do_GET(self) -> None:
        self.close_connection = True
        parts = self.path.partition("?")[0].strip("/").split("/")
        if parts[0] in ("cal", "moved") and parts[-1].removesuffix(".ics").isdigit():
            self._calendar(int(parts[-1].removesuffix(".ics")), parts[0] == "moved")
        elif parts[0] == "to":
            target = list(FORBIDDEN.values())[int(parts[1])].format(port=self.calendars.forbidden_port)
            self._answer(302, {"Location": target}, b"")
        elif parts[0] in SLOW:
            getattr(self, f"_{parts[0]}")(parts)
        else:
            self._answer(404, {}, b"nothing here")

    def _calendar(self, number: int, is_moved: bool) -> None:
        answer = self.calendars.answers[number]
        time.sleep(self.calendars.delay)
        if answer.behaviour == "redirect" and not is_moved:
            return self._answer(302, {"Location": f"/moved/{number}.ics"}, b"")
        asked = {"ETag": self.headers.get("If-None-Match"), "Last-Modified": self.headers.get("If-Modified-Since")}
        if answer.behaviour == "silence":
            self.calendars.record(self.path, dict(self.headers), 0)
            return self.calendars.wait(LONGEST_SILENCE)
        if answer.behaviour == "reset":
            return self.calendars.record(self.path, dict(self.headers), 0)
        is_known = answer.validator and asked[answer.validator[0]] == answer.validator[1]
        if answer.status == 200 and is_known and answer.behaviour != "cut":
            return self._answer(304, answer.headers, b"")
        sent = len(answer.body) // 2 if answer.behaviour == "cut" else None
        self._answer(answer.status, answer.headers, answer.body, sent)

    def _answer(self, status: int, headers: dict[str, str], body: bytes, sent: int | None = None) -> None:
        self.calendars.record(self.path, dict(self.headers), status)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body[:sent])

    # What does not end by itself; the client must end it, which is an error of the connection here

    def _begin(self, **headers: str) -> None:
        self.calendars.record(self.path, dict(self.headers), 200)
        self.send_response(200)
        for name, value in {"Content-Type": "text/calendar", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.calendars.began.set()

    def _endless(self, parts: list[str]) -> None:
        self._begin(Connection="close")
        line = b"BEGIN:VCALENDAR\r\n" + b"X-NOTHING:" + b"x" * 60_000 + b"\r\n"
        for _ in itertools.count():
            self.wfile.write(line)

    def _large(self, parts: list[str]) -> None:
        self._begin(Content_Length=str(2 << 30))
        for _ in range(2 << 14):
            self.wfile.write(b"x" * (1 << 16))

    def _bomb(self, parts: list[str]) -> None:
        self._begin(Content_Encoding="gzip", Connection="close")
        zeros = gzip.compress(bytes(16 << 20))
        for _ in range(128):  # members one after another: 2 GiB
            self.wfile.write(zeros)

    def _headers(self, parts: list[str]) -> None:
        self.calendars.record(self.path, dict(self.headers), 200)
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in itertools.count():
            self.wfile.write(b"X-Number-%d: %s\r\n" % (number, b"x" * 1000))

    def _drip(self, parts: list[str]) -> None:
        self._begin(Connection="close")
        for letter in itertools.cycle(b"BEGIN:VCALENDAR\r\n"):
            self.wfile.write(bytes([letter]))
            time.sleep(1)

    def _hops(self, parts: list[str]) -> None:
        """`/hops/4`: a calendar behind so many redirects."""
        left = int(parts[1])
        if left:
            return self._answer(302, {"Location": f"/hops/{left - 1}"}, b"")
        self._answer(200, {"Content-Type": "text/calendar"}, b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
