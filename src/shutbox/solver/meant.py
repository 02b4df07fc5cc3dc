"""Positions and choices as callers of the library pass them: as objects or as text."""

from contextlib import suppress
from typing import Any, Protocol, runtime_checkable

from shutbox.dice import Roll
from shutbox.english import shown
from shutbox.errors import NothingDue, NotUnderstood
from shutbox.game import C, Choose, Game, P, Throw


@runtime_checkable
class Placed(Protocol):
    """A position together with its game: a view as `shutbox.view` returns, or a table."""

    @property
    def game(self) -> Game[Any, Any]:
        """The game of the position."""

    @property
    def position(self) -> Any:
        """The position itself."""


def position_meant(game: Game[Any, Any], offered: Any, start: Any = None) -> Any:
    """Return the position that `offered` means; None means `start`, or the start of the game.

    >>> from shutbox.games.catalogue import find
    >>> six = find("six")
    >>> six.position_id(position_meant(six, "six:1.2"))
    '1.2'

    Raises NotUnderstood for a text or a view of another game and for anything that is no position,
    and any error of `Game.position_at`. A bare position carries no game, so one of another game
    is accepted if it has the same form.
    """
    start = game.start() if start is None else start
    if offered is None:
        return start
    if isinstance(offered, type(start)):
        return offered
    if isinstance(offered, str):
        return _read(game, offered)
    if isinstance(offered, Placed):
        if offered.game.name != game.name:
            raise NotUnderstood(
                "{what} is a position of {other}, and this is about {game}",
                what=repr(offered),
                other=offered.game.name,
                game=game.name,
            )
        return offered.position
    with suppress(AttributeError, TypeError):
        game.position_id(offered)
        return offered
    raise NotUnderstood("{what} is not a position of {game}", what=repr(offered), game=game.name)


def due(game: Game[P, C], position: P) -> Choose[C]:
    """Return the choices that are due at a position.

    Raises NothingDue at an end and before a throw, where the error says how to write the roll.
    """
    awaited = game.awaits(position)
    if isinstance(awaited, Choose):
        return awaited
    id = game.position_id(position)
    if not isinstance(awaited, Throw):
        raise NothingDue("no choice is due at {position}: it is over", position=id)
    roll = Roll(tuple(min(3, sides) for sides in awaited.dice.sides))
    raise NothingDue(
        "no choice is due at {position}: the dice come first; write the roll into it, such as "
        "{after}",
        position=id,
        after=game.position_id(game.rolled(position, roll)),
    )


def _read(game: Game[Any, Any], text: str) -> Any:
    id = text.removeprefix(f"{game.name}:")
    try:
        return game.position_at(id)
    except NotUnderstood:
        name, colon, _ = id.rpartition(":")
        if not colon:
            raise
    raise NotUnderstood(
        "{what} is a position of {other}, and this is about {game}; "
        "leave the name out if you mean {game}",
        what=shown(text),
        other=name,
        game=game.name,
    )
