"""The turns of a room that came to their end, as workers tell them, and what their choices lost."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shutbox.analysis.review.valuation import ScoreValuation, TurnValuation, Valuation
from shutbox.errors import TooLarge
from shutbox.game import Choose
from shutbox.match import Match
from shutbox.play import Chosen, Play, Step
from shutbox.solver.solution import Number
from shutbox.stats.collect import ended
from shutbox.table import Table
from shutbox.web import limits
from shutbox.web.actions.replays import after_each_game
from shutbox.web.actions.reviews import reviewer_of
from shutbox.web.compute.budget import inner_of, is_quick
from shutbox.web.rooms.events import Numbered
from shutbox.web.rooms.room import Room


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn that came to its end, at a table."""

    game: str
    title: str
    seat: int
    score: int
    shut: bool
    low_is_good: bool
    loss: float | None
    """Points, 0 or more, that its choices lost against perfect play for the score, in a match, too.

    None where that takes more than a moment to work out.
    """


def turns_of(room: str, history: Sequence[Numbered]) -> tuple[PlayedTurn, ...]:
    """Every turn of a room that came to its end and counts, game after game.

    One that began at a position is practice, and is not counted.
    """
    return tuple(turn for again in after_each_game(room, history) for turn in _turns(again))


def _turns(room: Room) -> Iterator[PlayedTurn]:
    table, sitting = room.table, room.sitting
    if table is None or sitting is None or sitting.header.position:
        return
    box = inner_of(table.game)
    if box.scoring is None:
        return
    about = box.name, box.card().title
    valuation = _valuation(table)
    lost: Number = Fraction(0)
    for step in Play(table.game, table.log).steps:
        if valuation is not None:
            lost += _cost(valuation, table, step)
        for seat, score, shut in ended(table.game, step.after):
            loss = None if valuation is None else float(lost)
            yield PlayedTurn(*about, seat, score, shut, box.scoring.low_is_good, loss)
            lost = Fraction(0)


def _valuation(table: Table[Any, Any]) -> Valuation | None:
    """What the positions of a table are worth in points; None where that takes long."""
    game, box = table.game, inner_of(table.game)
    if len(table.log) > limits.VERDICT_EVENTS or not is_quick(box):
        return None
    with suppress(TooLarge):
        turn = reviewer_of(box).turn(box)
        return ScoreValuation(game, turn) if isinstance(game, Match) else TurnValuation(turn)
    return None


def _cost(valuation: Valuation, table: Table[Any, Any], step: Step[Any, Any]) -> Number:
    """What the choice of a step lost; nothing for a throw, and for what belongs to no turn."""
    if not isinstance(step.event, Chosen):
        return Fraction(0)
    options, awaited = valuation.options(step.before), table.game.awaits(step.before)
    if options is None:
        return Fraction(0)
    assert isinstance(awaited, Choose)  # a choice was made
    return options.costs[awaited.choices.index(step.event.choice)]
