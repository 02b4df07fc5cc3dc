"""What work a game asks of the server, estimated before any of it is done."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from shutbox.analysis.solvers.select import Cost, whole_cost
from shutbox.errors import TooLarge, UnknownGame
from shutbox.game import Game
from shutbox.games.box import Box
from shutbox.games.box.atoms import CoverRule
from shutbox.games.box.tile_sets import ways
from shutbox.games.catalogue import find
from shutbox.match import Match
from shutbox.seats import Seat
from shutbox.web.limits import HINT_MEMORY, HINT_SECONDS, MOST_COVERS

SOLVERS = ("perfect", "sheet")
"""The kinds of computer players who solve the game they play."""


def check_text(name: str) -> None:
    """Raise UnknownGame for a name that would be a file of this machine.

    >>> check_text("classic(fewer=must-top)")
    """
    if any(sign in name for sign in ("/", "\\", "#")) or ".toml" in name.lower():
        raise UnknownGame("a game is named here; boxes from files are played in the terminal")


def can_advise(game: Game[Any, Any]) -> bool:
    """Whether hints on a game, or on the turns of a match, are worked out here.

    The estimate itself takes up to some seconds for the largest boxes: ask in a thread. It is
    made once for each game.
    """
    inner = game.game if isinstance(game, Match) else game
    cost = _cost_of(inner.name)
    return cost is not None and cost.seconds <= HINT_SECONDS and cost.memory <= HINT_MEMORY


@lru_cache(maxsize=1000)
def _cost_of(name: str) -> Cost | None:
    return whole_cost(find(name))


def check_work(game: Game[Any, Any], seats: Sequence[Seat]) -> None:
    """Raise TooLarge for a game that would keep the server too long from everybody else."""
    inner = game.game if isinstance(game, Match) else game
    if isinstance(inner, Box) and (most := most_covers(inner)) > MOST_COVERS:
        raise TooLarge(
            f"{inner.name}: one throw has {most:,} covers; at most {MOST_COVERS:,} are played here"
        )
    solves = {seat.computer.partition(":")[0] for seat in seats} & {*SOLVERS}
    if solves and not can_advise(game):
        raise TooLarge(
            f"{inner.name} takes a computer player {min(solves)} more to solve than the "
            f"{HINT_SECONDS:g} seconds and {HINT_MEMORY >> 20} MB that are spent on it here"
        )


def most_covers(box: Box) -> int:
    """The most sets of tiles that one throw can ask for, all tiles up; estimated from above.

    >>> from shutbox.games.catalogue import find
    >>> most_covers(find("the-300"))
    122
    """
    if box.rules.variant.cover is not CoverRule.SUM:
        return len(box.rules.tiles)  # these rules name one or two tiles, and few pairs of them
    numbers = (tile.number for tile in box.rules.tiles)
    return max(ways(numbers, sum(box.rules.variant.dice.sides))[1:])
