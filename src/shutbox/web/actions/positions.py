"""Positions by their text: read within the bounds of the server, and worked out by the pool."""

from typing import Any

from shutbox.errors import TooLarge
from shutbox.game import Game
from shutbox.lookup import find_any, find_any_position
from shutbox.match import Match
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.compute import positions
from shutbox.web.compute.budget import check_text, check_work, is_ordinary
from shutbox.web.compute.estimates import can_be_estimated
from shutbox.web.compute.positions import PositionWorth
from shutbox.web.errors import BadRequest

AnyGame = Game[Any, Any]


def read_position(text: str) -> tuple[AnyGame, Any]:
    """The game and the position of a full text, such as `classic:1.5.9/2+2`.

    >>> game, position = read_position("classic:1.5.9/2+2")
    >>> game.name, game.position_id(position)
    ('classic', '1.5.9/2+2')

    Raises BadRequest for a text that is too long, and what is wrong with the game or the position.
    """
    if len(text) > limits.LONGEST_TEXT:
        raise BadRequest("a position has at most {most} characters here", most=limits.LONGEST_TEXT)
    name, colon, id = text.rpartition(":")
    check_text(name if colon else text)
    check_text(id.replace("/", ""))  # what ends like a file is none
    check_work(find_any(name if colon else text))
    return find_any_position(text)


async def worth(who: Caller, game: AnyGame, position: Any, aim: str) -> PositionWorth:
    """What a position is worth. Raises TooOften, Full, TooLarge and NotUnderstood.

    What is not solved is estimated, where that is bounded; no ordinary game waits for it.
    """
    await who.count(limits.HINTS_OF_ADDRESS, "analyses")
    about, pool = (game, position, aim), who.services.pool
    patient = not is_ordinary(game)
    try:
        return await pool.do(who.waits_as, positions.worth, *about, patient=patient)
    except TooLarge:
        if isinstance(game, Match) or not can_be_estimated(game):
            raise
    return await pool.do(who.waits_as, positions.estimated, *about, patient=True)


async def picture(who: Caller, game: AnyGame, position: Any) -> bytes:
    """A position as a PNG. Raises TooOften, Full and NotInstalled."""
    await who.count(limits.HINTS_OF_ADDRESS, "pictures")
    return await who.services.pool.do(
        who.waits_as, positions.drawn, game, position, quick=is_ordinary(game)
    )
