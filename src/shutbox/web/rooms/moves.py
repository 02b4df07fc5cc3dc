"""What one event of a game was, in figures: the dice, the tiles that went down, a turn's end.

A front end draws a game move by move from these, and reads no sentence for them.
"""

from dataclasses import dataclass
from typing import Any

from shutbox.game import Over, Throw
from shutbox.match import Match
from shutbox.play import Applied, Chosen, Corrected, Rolled
from shutbox.scene import Kind, Scene
from shutbox.table import Table


@dataclass
class ThrownView:
    """One die of a throw: how many sides it has, and what it showed."""

    sides: int
    face: str


@dataclass
class MoveView:
    """A throw, a choice, or one of them taken back or corrected, in figures."""

    thrown: tuple[ThrownView, ...] = ()
    """The dice as they fell, or as they were corrected."""
    covered: tuple[str, ...] = ()
    """What is written on the tiles that a choice took."""
    score: int | None = None
    """The score of the turn that ended with it; None where none has."""
    shut: bool = False
    """Whether that turn did what a turn is for, such as shutting the box."""


def move_view(table: Table[Any, Any], applied: Applied[Any, Any], before: Scene) -> MoveView:
    """What has just been applied at a table; `before` is what lay there.

    >>> from shutbox import ScriptCup, Table, find
    >>> table = Table(find("classic(tiles=7-9)"), ScriptCup(["4+5", "1+1"]))
    >>> move_view(table, table.apply(table.prepare_throw()), table.scene).thrown
    (ThrownView(sides=6, face='4'), ThrownView(sides=6, face='5'))
    >>> before, applied = table.scene, table.apply(table.prepare_choice("9"))
    >>> move_view(table, applied, before).covered
    ('9',)
    >>> before, applied = table.scene, table.apply(table.prepare_throw())
    >>> move_view(table, applied, before).score
    15
    """
    thrown: tuple[ThrownView, ...] = ()
    covered: tuple[str, ...] = ()
    match applied.event:
        case Rolled() | Corrected():
            thrown = last_thrown(table)
        case Chosen() if applied.offer is not None:
            tiles = {p.key: p.face for p in before.pieces if p.kind is Kind.TILE}
            covered = tuple(tiles[key] for key in applied.offer.takes if key in tiles)
    return MoveView(thrown, covered, *_ended(table))


def last_thrown(table: Table[Any, Any]) -> tuple[ThrownView, ...]:
    """The last throw of a game as it stands; empty before the first."""
    for step in reversed(table.steps):
        awaited = table.game.awaits(step.before)
        if isinstance(step.event, Rolled) and isinstance(awaited, Throw):
            dice = zip(awaited.dice.sides, step.event.roll.pips, strict=True)
            return tuple(ThrownView(sides, str(face)) for sides, face in dice)
    return ()


def _ended(table: Table[Any, Any]) -> tuple[int | None, bool]:
    """The score of the turn that ended just now, and whether it shut the box."""
    if isinstance(table.game, Match):
        turn = table.game.settled(table.position).turn
        return (None, False) if turn is None else (turn.score, turn.shut)
    over = table.awaits
    return (over.scores[0], over.shut) if isinstance(over, Over) else (None, False)
