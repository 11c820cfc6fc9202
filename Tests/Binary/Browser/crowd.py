"""Clients that follow the feed and fetch a page again after each change, as the script of the pages does."""

import http.client
import random
import threading
import time

from follower import events, open_stream


class Client:
    """One page that is open somewhere, without a browser around it."""

    def __init__(self, port: int, path: str, topics: str) -> None:
        self.port, self.path, self.topics = port, path, topics
        self.resets = 0
        self.faults: list[str] = []
        self.tag = self.body = ""
        self.is_following = False
        self._change = threading.Event()
        self._ended = False
        for work in (self._follow, self._fetch):
            threading.Thread(target=work, daemon=True).start()

    def _follow(self) -> None:
        while not self._ended:
            try:
                stream = open_stream(self.port, timeout=60, query=f"?since=now&topics={self.topics}")
                self.is_following = True
                self._change.set()
                for event in events(line.decode().rstrip("\n") for line in stream):
                    if self._ended:
                        return
                    self.resets += event.kind == "reset"
                    if event.kind in self.topics.split(","):
                        self._change.set()
            except OSError:  # the server is away; a browser tries again, too
                time.sleep(0.5)

    def _fetch(self) -> None:
        while not self._ended:
            if not self._change.wait(1):
                continue
            time.sleep(random.uniform(0.05, 0.15))
            self._change.clear()
            try:
                self._ask()
            except (OSError, http.client.HTTPException):
                self._change.set()
                time.sleep(0.5)

    def _ask(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", self.path, headers={"If-None-Match": self.tag} if self.tag else {})
        response = connection.getresponse()
        body = response.read().decode()
        if response.status == 200:
            self.tag, self.body = response.headers["ETag"], body
        elif response.status != 304:
            self.faults.append(f"{response.status} for {self.path}")
        connection.close()

    def stop(self) -> None:
        self._ended = True
        self._change.set()


def crowd(port: int, count: int) -> list[Client]:
    """Some clients, each at one of three pages."""
    places = [("/", "business,event,category"), ("/businesses", "business,category"),
              ("/businesses/3-crows-antiques", "business,event,category")]
    return [Client(port, *places[number % 3]) for number in range(count)]
