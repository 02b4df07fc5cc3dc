"""A player at a table who hears the page with Orca as it comes, and presses in one of four ways.

One game and one way, by hand, in two minutes or so:

    cd tests; PYTHONPATH=../src ../.venv/bin/python -m browser.by_ear pub half

It prints what was heard, each line with the seconds when it came to the voice and when it began,
and `whole`, `cut` or `never`, with the keys between; then the figures. A third word is the number
of computers (for pub and parlour-night 2, else none), and a fourth the seed of the dice. The truth
is the log of the table. `by_ear.WAYS` are the ways.
"""

import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2

from browser.screen_reader import LOADED, ScreenReader, reading
from browser.visitors import ANN
from by_ear import WAYS, Event, Heard, heard_of
from serving import Served

COMPUTERS = [{"who": "computer:fewest"}, {"who": "computer:highest"}]
EACH = 0.5
"""Seconds between two keys of a player who does not listen."""
BETWEEN = 0.12
"""Seconds between two keys of one move."""
NOTHING = 2.0
"""Seconds after which nothing has come of the keys."""
TELLS = 150.0
"""Seconds in which a page tells the rest, once a game is over."""
MOST = 900
"""The most seconds of a game."""
MOVES = 60
"""The most moves: the tray has no end."""
ASKS = r"\?|\bEnter\b|\bPress\b"
REACTS = 0.25
"""Seconds from the end of a question to the key of somebody who has waited for it."""


def opened(client: httpx2.Client, game: str, seats: list[Any], **terms: Any) -> tuple[str, str]:
    """A new table, and the link of the player there."""
    body = {"action": secrets.token_urlsafe(16), "game": game, "seats": seats, **terms}
    reply = client.post("/api/rooms", json=body).json()
    [link, *_] = reply["you"]["links"]["seats"].values()
    return reply["view"]["room"], link


def keys_of(table: dict[str, Any]) -> list[str]:
    """What is pressed for the first choice that is open."""
    if table["does"] == "throw" or table["default"]:
        return ["Return"]
    takes = table["offers"][0]["takes"]
    tiles = {piece["key"] for piece in table["pieces"] if piece["kind"] == "tile"}
    if not takes or not set(takes) <= tiles:
        return ["1"]
    large = max(map(len, tiles)) > 1  # then Space completes what is typed
    return [key for tile in takes for key in (*tile, *(["space"] if large else []))] + ["Return"]


class Ear:
    """Somebody who has opened a table; `play` plays it, and `heard` compares."""

    def __init__(
        self,
        client: httpx2.Client,
        reader: ScreenReader,
        game: str,
        seats: list[Any],
        **terms: Any,
    ) -> None:
        self.client, self.reader = client, reader
        self.mine = {place for place, seat in enumerate(seats) if seat["who"] == "me"}
        self.room, link = opened(client, game, seats, **terms)
        self.opened = reader.mark
        reader.open(link)
        reader.hears(LOADED, self.opened)
        self.keys = self.again = 0
        self.log: dict[int, dict[str, Any]] = {}  # a snapshot has the latest lines only
        self.pressed: list[tuple[float, str]] = []  # with the time, as the lines of the voice

    def begin(self) -> None:
        """Give all keys to the page, and begin to listen."""
        self.reader.press("Insert+a", "Insert+a")
        self.reader.hears("Focus mode is sticky", self.opened)
        self.reader.settle()
        self.begun, self.cancels = self.reader.mark, len(self.reader.voice.cancels)
        self.room_now()
        self.before = max(self.log, default=-1)

    def room_now(self) -> dict[str, Any]:
        """The view of the room, its log, and what one is there."""
        reply: dict[str, Any] = self.client.get(f"/api/rooms/{self.room}").json()
        self.log |= {line["number"]: line for line in reply["log"]}
        return reply

    def play(self, way: str) -> None:
        """Play to the end; `way` is one of `by_ear.WAYS`."""
        end, last, at, moves = time.monotonic() + MOST, -1, self.begun, 0
        while moves < MOVES and (view := self.room_now()["view"])["phase"] == "playing":
            assert time.monotonic() < end, self.reader.said(self.begun)[-1000:]
            table = view["table"]
            if table["seat"] not in self.mine:
                if way == "half":
                    self._press("Return")
                time.sleep(EACH if way == "half" else 0.1)
                continue
            if way in ("silence", "heard"):
                self.reader.asked(ASKS, at)
                time.sleep(REACTS)
            if way == "silence":
                self.reader.settle()
            version, moves = table["version"], moves + 1
            if version == last:  # nothing came of the keys
                self.again += 1
                if table["does"] == "choose":
                    self._press("Escape")
            last, at = version, self.reader.mark
            for key in keys_of(table):
                self._press(key)
                time.sleep(EACH if way == "half" else BETWEEN)
            self._until_moved(version)
        self._until(lambda: not self.heard().lost, TELLS)
        self.reader.settle()

    def _until_moved(self, version: int) -> None:
        """Wait until something has happened, unless nothing comes of the keys."""
        self._until(lambda: self._version() != version, NOTHING)

    def _version(self) -> int:
        version: int = (self.room_now()["view"]["table"] or {}).get("version", -1)
        return version

    def _press(self, key: str) -> None:
        self.pressed.append((time.monotonic(), key))
        self.reader.press(key)
        self.keys += 1

    def _until(self, holds: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not holds() and time.monotonic() < end:
            time.sleep(0.05)

    def events(self) -> list[Event]:
        """Return what has happened since the beginning, by the log of the table."""
        self.room_now()
        log = [line for number, line in sorted(self.log.items()) if number > self.before]
        told = [((self.mine == {line["seat"]} and line.get("own")) or line)["says"] for line in log]
        return [
            Event((" ".join(says),), line["seat"] in self.mine, "threw" in says[0])
            for line, says in zip(log, told, strict=True)
            if says
        ]

    def heard(self) -> Heard:
        """Compare what was heard with the log of the table."""
        voice = self.reader.voice
        lines, cancels = voice.lines[self.begun :], voice.cancels[self.cancels :]
        return heard_of(self.events(), lines, cancels, self.keys, self.again)


def main(game: str, way: str, computers: str = "", seed: str = "listen") -> None:
    """Play one game in one way, and print what was heard."""
    number = int(computers or (2 if game in ("pub", "parlour-night") else 0))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("served", "reader"):
            (folder / part).mkdir()
        with (
            Served(folder / "served", deals=seed) as served,
            served.client() as client,
            reading(folder / "reader") as reader,
        ):
            reader.settle()
            ear = Ear(client, reader, game, [ANN, *COMPUTERS[:number]])
            ear.begin()
            ear.play(way)
            lines, heard = reader.voice.lines[ear.begun :], ear.heard()
    start = lines[0].came
    rows = [(at, f"{at - start:7.2f} <{key}>") for at, key in ear.pressed]
    for line in lines:
        begun = line.begun and line.begun - start
        row = f"{line.came - start:7.2f} {begun:7.2f} {line.how:6} {line.text!r}"
        rows.append((line.came, row))
    print(*(row for _, row in sorted(rows)), sep="\n")
    for fault in heard.faults:
        print("!", fault)
    print(f"{game}, {way}: {heard}")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[2] not in WAYS:
        sys.exit(f"GAME WAY [COMPUTERS] [SEED]; ways: {', '.join(WAYS)}")
    main(*sys.argv[1:])
