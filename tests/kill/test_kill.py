"""Games killed at random moments: every acknowledged event is in the record once.

A game is played through a pipe and killed with SIGKILL. From the remaining record, the library
computes the terminal's output. The real output must be the beginning of it, and the record may have
at most one event that was not announced. Then `shutbox resume` plays to the end, and is killed once
more in every third game.
"""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from kill.heard import answers, heard, opening
from kill.life import Life, live
from shutbox import Game, Over
from shutbox.engine.cups import SealedCup, SeededCup, wrong_rolls
from shutbox.engine.errors import BadRecord
from shutbox.engine.play import Event, Play
from shutbox.record import Reading
from shutbox.record.folder import Store, find_envelope
from shutbox.table.lookup import game_of

ASK = ("--throw", "ask")
GAMES: tuple[tuple[str, ...], ...] = (
    ("play", "classic", "--seed", "kill"),
    ("play", "pub", "--players", "Ann,Bob,computer", "--seed", "kill"),
    ("play", "pub", "--players", "Ann,computer:fixed:7", "--format", "rounds=3,purse=3", *ASK),
    ("play", "cargo-night", "--players", "Ann,Bob", "--seed", "kill", *ASK),
    ("play", "pub", "--players", "Ann,Bob", "--dice", "hand"),
    ("play", "parlour-night", "--players", "Ann,computer:random,Zo\xeb \U0001f3b2"),
    ("play", "double-shutter(fewer=may-any)", "--seed", "kill", *ASK),
)
AT_ONCE = 2
"""Games that are played at the same time."""
SEALED = "The dice are sealed; ?dice shows the envelope."
OPENED = "The envelope is open; shutbox check 1 checks every throw."
MOST_TRIES = 20
"""A game that ends before it is killed is begun anew so many times, with a shorter life."""


@dataclass
class Killed:
    """A game in a folder of its own, from its beginning to its end."""

    number: int
    folder: Path
    deaths: int = 0
    log: tuple[Event[Any], ...] = ()
    """The events that were in the record at the end of the last life."""
    answers: list[str] = field(default_factory=list)
    """What people answered to bring them about."""
    data: bytes = b""
    """The sound bytes of the record."""
    seed: bytes = b""
    """The seed of sealed dice, once it is known."""
    ended: bool = False
    """Whether the game was heard to its end."""

    @cached_property
    def chance(self) -> random.Random:
        return random.Random(self.number)

    @property
    def arguments(self) -> tuple[str, ...]:
        return GAMES[self.number % len(GAMES)]

    @property
    def resume(self) -> tuple[str, ...]:
        return ("resume", *self.arguments[-2:]) if self.arguments[-2:] == ASK else ("resume",)

    def read(self) -> Reading[Any, Any] | None:
        """The record; None where there is none, or it ends before its first event."""
        store = Store(self.folder)
        assert store.ids() in ((), (1,))
        try:
            return store.read(1, game_of) if store.ids() else None
        except BadRecord:
            assert not self.log
            return None

    def live(self, arguments: tuple[str, ...], delay: float | None = None) -> Life:
        """One life, and whether the record is what was heard."""
        life = live(arguments, str(self.folder), self.chance, delay)
        self.deaths += life.killed
        reading = self.read()
        if reading is None:
            assert not any("hrew" in line for line in life.said)
            assert not life.acknowledged
            return life
        assert reading.fault is None
        assert reading.torn <= life.killed
        self._compare_what_was_said(reading, life, resumed=arguments[0] == "resume")
        self._compare_what_was_answered(reading, life)
        data = (self.folder / "1.shutbox").read_bytes()
        self._compare_dice(reading)
        assert data.startswith(self.data)
        self.data, self.log = data[: reading.sound_bytes], reading.play.log
        return life

    def _compare_dice(self, reading: Reading[Any, Any]) -> None:
        """The dice are those of the seed, and one seed alone is there: in the record or beside."""
        dice, game, log = reading.header.dice, reading.game, reading.play.log
        if dice.kind == "seed":
            assert not list(wrong_rolls(SeededCup(dice.seed), game, log))
        if dice.seal is not None:
            beside = list(self.folder.glob("*.envelope"))
            hidden = find_envelope(self.folder, reading.header)
            assert len(beside) <= 1
            assert reading.opening is None or over(game, log)
            opened = reading.opening or hidden
            assert opened is not None
            assert (reading.opening is None) or not self.ended or not beside
            assert self.seed in (b"", opened.seed)
            self.seed = opened.seed
            cup = SealedCup(dice.seal.gid, opened.seed, opened.words_digest)
            assert not list(wrong_rolls(cup, game, log))

    def _compare_what_was_said(
        self, reading: Reading[Any, Any], life: Life, *, resumed: bool
    ) -> None:
        """Every sentence is of an event of the record, and all but one event were heard of."""
        game, log, since = reading.game, reading.play.log, len(self.log)
        assert log[:since] == self.log
        people = {seat for seat, one in enumerate(reading.header.players) if not one.computer}
        own = people if len(people) == 1 else ()
        begins = opening(game, log[:since], resumed=resumed, own=own)
        sealed = reading.header.dice.kind == "sealed"
        begins[1:1] = [SEALED] if sealed and not resumed else []
        if resumed:
            begins.insert(0, f"Game 1, begun {reading.header.begun}.")
        for_each = list(heard(game, log, since, own))
        told = [*begins, *chain.from_iterable(for_each)]
        told += [OPENED] if sealed and over(game, log) else []
        assert life.said == told[: len(life.said)]
        firsts = [len(begins) + sum(map(len, for_each[:index])) for index in range(len(for_each))]
        assert len([first for first in firsts if first >= len(life.said)]) <= life.killed
        self.ended = over(game, log) and life.said == told
        assert self.ended or life.killed

    def _compare_what_was_answered(self, reading: Reading[Any, Any], life: Life) -> None:
        """Every acknowledged answer is in the record once and in order, and at most one more."""
        answered, before = answers(reading), len(self.answers)
        assert answered[:before] == self.answers
        assert answered[before:] in (
            life.acknowledged,
            life.acknowledged + life.unacknowledged,
        )
        assert len(life.unacknowledged) <= life.killed
        self.answers = answered

    def is_over(self) -> bool:
        reading = self.read()
        return reading is not None and over(reading.game, reading.play.log)


def over(game: Game[Any, Any], log: tuple[Event[Any], ...]) -> bool:
    return isinstance(game.awaits(Play(game, log).position), Over)


def killed_and_gone_on_with(number: int, folder: Path, lifetimes: list[float]) -> Killed:
    """Play a game, kill it, and go on with it to its end."""
    lifetime = lifetimes[number % len(GAMES)]
    delay = random.Random(f"delay {number}").random() * lifetime
    for attempt in range(MOST_TRIES):
        game = Killed(number, folder / f"{number}-{attempt}")
        game.live(game.arguments, delay)
        if game.deaths and not game.ended:
            break
        delay *= 0.8
    assert game.deaths, f"game {number} was not killed"
    assert not game.ended, f"game {number} was not killed in the middle"
    if number % 3 == 0 and game.log and not game.is_over():
        game.live(game.resume, game.chance.random() * lifetime)
    if not game.log:  # nothing was kept: whoever plays begins anew
        return game
    if not game.is_over():
        game.live(game.resume)
    assert game.is_over()
    return game


def test_what_was_acknowledged_is_kept_once_whenever_the_program_is_killed(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    kills: int = pytestconfig.getoption("--kills")
    whole = [Killed(number, tmp_path / f"whole {number}") for number in range(len(GAMES))]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        lives = pool.map(lambda game: game.live(game.arguments), whole)
        lifetimes = [life.seconds for life in lives]
        played = pool.map(
            lambda number: killed_and_gone_on_with(number, tmp_path, lifetimes), range(kills)
        )
        games = list(played)
    assert len(games) == kills
