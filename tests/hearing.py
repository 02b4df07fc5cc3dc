"""A stream of a room, heard in a thread."""

import json
import threading
from typing import Any

import httpx2

from serving import PATIENCE


class Stream(threading.Thread):
    """Hears a room at one process until it has come to some number; notes what it hears."""

    def __init__(self, url: str, room: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self.room = room["view"]["room"]
        self.key = room["keys"]["0"]
        self.url = f"{url}/api/rooms/{self.room}/events?since=1"
        self.numbers: list[int] = []
        self.watching: list[int] = []
        self.changed = threading.Condition()

    def run(self) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        try:
            with httpx2.stream("GET", self.url, headers=headers, timeout=PATIENCE) as response:
                for line in response.iter_lines():
                    if line.startswith("data: "):
                        self._hear(json.loads(line[6:]))
        except httpx2.HTTPError:
            return

    def _hear(self, message: dict[str, Any]) -> None:
        with self.changed:
            if message["type"] == "watching":
                self.watching.append(message["watching"])
            else:
                self.watching.append(message["view"]["watching"])
                self.numbers.append(message["number"])
            self.changed.notify_all()

    def until(self, last: int) -> list[int]:
        """What was heard, once it has come so far."""
        with self.changed:
            assert self.changed.wait_for(lambda: last in self.numbers, PATIENCE), self.numbers
            return list(self.numbers)

    def until_watched_by(self, watching: int) -> None:
        """Wait until so many watch."""
        with self.changed:
            seen = self.changed.wait_for(lambda: self.watching[-1:] == [watching], PATIENCE)
            assert seen, self.watching
