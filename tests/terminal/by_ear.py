"""A player at a terminal with a voice at the pace of people, who presses in one of four ways.

The truth is the record of the game. `by_ear.WAYS` are the ways.
"""

import time
from pathlib import Path
from typing import Any

from by_ear import SPEED, Event, Heard, heard_of
from shutbox.engine.errors import ShutboxError
from shutbox.engine.game import Choose, Over
from shutbox.engine.narrator import Narrator
from shutbox.engine.play import Rolled, replay_log
from shutbox.record.folder import Store
from shutbox.table.lookup import game_of
from terminal.driver import PROMPT, command
from terminal.live import Live
from terminal.voices import FakeDispatcher

QUIET = 1.0  # seconds of silence after which all has been said
EACH = 0.5  # seconds between two keys of a player who does not listen
MOST = 400  # the most seconds of a game
MOVES = 60  # the most moves: the tray has no end
NOTHING = 2.0  # seconds after which nothing has come of the keys
LONG = 9.0  # seconds after which a question that is not heard will not be
PLAYERS = "Ann,computer:fewest,computer:highest"


class Ear:
    """A game at a terminal with a voice; `play` plays it, and `heard` compares."""

    def __init__(self, folder: Path, game: str, *options: str) -> None:
        self.folder = folder
        self.voice = FakeDispatcher(folder / "voice", speed=SPEED)
        if game in ("pub", "parlour-night") and "--players" not in options:
            options = ("--players", PLAYERS, *options)
        players = options[options.index("--players") + 1] if "--players" in options else ""
        names = players.split(",")
        self.people = {seat for seat, name in enumerate(names) if "computer" not in name}
        words = ("play", game, "--seed", "listen", "--speak", "--plain", *options)
        changes = {
            "SPEECHD_ADDRESS": self.voice.address,
            "SHUTBOX_DATA": str(folder),
            "SHUTBOX_PACE": "normal",
        }
        self.terminal = Live(program=command(*words), changes=changes, columns=200, rows=50)
        self.keys = self.again = 0
        self._answered = 0  # how much of the terminal's text was there at the last answer

    def __enter__(self) -> "Ear":
        return self

    def __exit__(self, *_: object) -> None:
        self.terminal.child.close(force=True)
        self.voice.__exit__(None, None, None)

    def play(self, way: str) -> None:
        """Play to the end; `way` is one of `by_ear.WAYS`."""
        end, last, moves = time.monotonic() + MOST, -1, 0
        while moves < MOVES and (answer := self._answer()) != "over":
            assert time.monotonic() < end, self.terminal.text[-2000:]
            if answer is None or (way != "half" and not self._asked()):
                if way == "half":  # who waits presses a key that means nothing
                    self._press(" ")
                self._take(EACH if way == "half" else 0.05)
                continue
            if way == "silence":
                self._quiet()
            elif way == "heard":
                self._heard()
            version, moves = self._version, moves + 1
            self.again += version == last
            last = version
            self._answered = len(self.terminal.raw)
            for key in [*answer, "\r"]:
                self._press(key)
                self._take(EACH if way == "half" else 0.12)
            self._until_moved(version)
        self._quiet()

    def _until_moved(self, version: int) -> None:
        """Wait until something has happened, unless nothing comes of the keys."""
        end = time.monotonic() + NOTHING
        while self._version == version and time.monotonic() < end:
            self._take(0.05)

    @property
    def _version(self) -> int:
        reading = self._reading()
        return len(reading.play.log) if reading else -1

    def _reading(self) -> Any:
        store = Store(self.folder)
        try:
            return store.read(1, game_of) if store.ids() else None
        except ShutboxError:
            return None

    def _answer(self) -> str | None:
        """What to type now: for the first choice, or to throw; "over"; None if nobody is asked."""
        if (reading := self._reading()) is None:  # nothing has happened yet
            return "" if self._asked() else None
        play, game = reading.play, reading.game
        awaits = game.awaits(play.position)
        if isinstance(awaits, Over):
            return "over"
        if awaits.seat not in self.people:
            return None
        if not isinstance(awaits, Choose):
            return "" if self._asked() else None
        scene = game.scene(play.position)
        if scene.default is not None:
            return ""
        offer = scene.offers[0]
        return " ".join(offer.takes) or offer.says

    def _asked(self) -> bool:
        """Whether the terminal ends with a question that is not answered yet."""
        self._take(0.01)
        return bool(PROMPT.search(self.terminal.raw, max(0, len(self.terminal.raw) - 400))) and (
            len(self.terminal.raw) > self._answered
        )

    def _press(self, key: str) -> None:
        self.terminal.child.send(key)
        self.keys += 1

    def _take(self, seconds: float) -> None:
        """Read for so many seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.terminal.take(left)

    def _quiet(self) -> None:
        """Wait for the end of speech."""
        since = time.monotonic()
        while time.monotonic() - since < QUIET:
            self._take(0.05)
            if not self.voice.is_silent:
                since = time.monotonic()

    def _heard(self) -> None:
        """Wait until the question is said."""
        pressed, end = time.monotonic(), time.monotonic() + MOST
        while time.monotonic() < end:
            self._take(0.05)
            last = self.voice.lines[-1] if self.voice.lines else None
            if last is None or last.how != "whole":
                continue
            if last.text.endswith(("?", ":")) or time.monotonic() - pressed > LONG:
                return

    def heard(self) -> Heard:
        """Compare what was heard with the record."""
        reading = self._reading()
        play, game = reading.play, reading.game
        narrator = Narrator(
            game, reading.header.names, own=self.people if len(self.people) == 1 else ()
        )
        narrator.begin(play.start)
        events = []
        for prepared in replay_log(game, play.log, play.start):
            if says := narrator.after(prepared):
                mine, throw = prepared.seat in self.people, isinstance(prepared.event, Rolled)
                events.append(Event(tuple(says), mine, throw))
        lines = [*self.voice.lines]  # a late one can still come
        return heard_of(events, lines, self.voice.cancels, self.keys, self.again)
