"""One game played again from its log: the dice that fell, and the turns that came to an end.

Nobody goes back past a throw, so dice that fell stay fallen; a correction replaces the dice it
corrects, and a turn that ended with a choice that was taken back has not ended.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shutbox.dice import Dice, Roll
from shutbox.game import Over, Throw
from shutbox.match import Match
from shutbox.play import Rolled
from shutbox.record import Reading


@dataclass(frozen=True, slots=True)
class Fallen:
    """Dice that fell."""

    seat: int
    dice: Dice
    roll: Roll


@dataclass(frozen=True, slots=True)
class Finished:
    """A turn that came to an end."""

    seat: int
    score: int
    shut: bool


def walk(reading: Reading[Any, Any]) -> Iterator[Fallen | Finished]:
    """What fell and what ended in a game, in order, a turn's end after its last dice.

    >>> from shutbox import Corrected, Play, find
    >>> from shutbox.record import Header
    >>> from shutbox.seats import Seat
    >>> header = Header(
    ...     program="shutbox 0.1.0", begun="2026-11-21 12:00:05 UTC", game="lucky-seven",
    ...     players=(Seat("Ann"),),
    ... )
    >>> game = find("lucky-seven")
    >>> play = Play(game, [Rolled(Roll((1, 3)), typed=True), Corrected(Roll((1, 1)))])
    >>> fallen, finished = walk(Reading(header, game, play, None, False, 0))
    >>> fallen
    Fallen(seat=0, dice=Dice.parse('2d6'), roll=Roll((1, 1)))
    >>> finished
    Finished(seat=0, score=7, shut=False)
    """
    game, seats = reading.game, len(reading.header.players)
    for step in reading.play.steps:
        throw = game.awaits(step.before)
        if isinstance(step.event, Rolled) and isinstance(throw, Throw):
            yield Fallen(throw.seat, throw.dice, step.event.roll)
        if isinstance(game, Match):
            if (turn := game.settled(step.after).turn) is not None:
                yield Finished(turn.seat, turn.score, turn.shut)
        elif isinstance(over := game.awaits(step.after), Over):
            for seat, score in enumerate(over.scores[:seats]):
                yield Finished(seat, score, over.shut)
