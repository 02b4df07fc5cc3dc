"""What work a game asks of the server, estimated before any of it is done."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from shutbox.analysis.solvers.select import whole_cost
from shutbox.errors import TooLarge, UnknownGame
from shutbox.game import Game
from shutbox.games.catalogue import find
from shutbox.games.traits import Cost, traits_of
from shutbox.match import Match
from shutbox.seats import Seat
from shutbox.table.setup import playable
from shutbox.web.limits import (
    HINT_MEMORY,
    HINT_SECONDS,
    MOST_COVERS,
    MOST_ROLLS,
    QUICK_SECONDS,
    QUICK_WORK,
)

SOLVERS = ("perfect", "sheet")  # the kinds of computer players who solve the game they play

_FEW_ROLLS, _FEW_POSITIONS = 500, 20_000  # an estimate of so few takes no time


def check_text(name: str) -> None:
    """Raise UnknownGame for a name that would be a file of this machine."""
    if any(sign in name for sign in ("/", "\\", "#")) or ".toml" in name.lower():
        raise UnknownGame("a game is named here; boxes from files are played in the terminal")


def is_quick(game: Game[Any, Any]) -> bool:
    """Whether a game is solved in a moment, by a formula; a match may take some times as long.

    >>> is_quick(find("classic")), is_quick(find("classic(tiles=1-24,dice=3d8)"))
    (True, False)
    """
    traits, times = traits_of(inner_of(game)), 1
    if isinstance(game, Match):
        times = 4 * len(game.players)
    if traits.most_positions is None or traits.most_rolls is None:
        return False
    if traits.most_positions * traits.most_rolls * times <= QUICK_WORK:
        return True
    # Where the estimate itself takes no time, it knows better.
    small = traits.most_rolls <= _FEW_ROLLS and traits.most_positions <= _FEW_POSITIONS
    cost = cost_of(inner_of(game).name) if small else None
    return cost is not None and cost.seconds * times <= QUICK_SECONDS


def can_advise(game: Game[Any, Any]) -> bool:
    """Whether hints on a game, or on the turns of a match, are worked out here.

    The estimate itself takes up to a second for the largest boxes that are estimated: it is the
    work of a worker, and made once for each game.
    """
    cost = cost_of(inner_of(game).name)
    return cost is not None and cost.seconds <= HINT_SECONDS and cost.memory <= HINT_MEMORY


def inner_of(game: Game[Any, Any]) -> Game[Any, Any]:
    """What is played in a turn."""
    return game.game if isinstance(game, Match) else game


@lru_cache(maxsize=1000)
def cost_of(name: str) -> Cost | None:
    """What solving a game is estimated to take; None where it is refused."""
    game = find(name)
    rolls = traits_of(game).most_rolls
    return None if rolls is None or rolls > MOST_ROLLS else whole_cost(game)


def check_work(game: Game[Any, Any]) -> None:
    """Raise TooLarge for a game that would keep the server too long from everybody else."""
    inner = inner_of(game)
    most = traits_of(inner).most_choices
    if most is None:
        raise TooLarge(
            "{game} does not say how many choices one throw can have, so it is not played here",
            game=inner.name,
        )
    if most > MOST_COVERS:
        raise TooLarge(
            "{game}: one throw has {covers:,} covers; at most {most:,} are played here",
            game=inner.name,
            covers=most,
            most=MOST_COVERS,
        )


def solves(seats: Sequence[Seat]) -> bool:
    """Whether a computer player among them solves the game."""
    return any(seat.computer.partition(":")[0] in SOLVERS for seat in seats)


def check_solvers(game: Game[Any, Any], seats: Sequence[Seat]) -> None:
    """Raise TooLarge where computer players cannot solve the game here; the work of a worker."""
    if not can_advise(game):
        kinds = (seat.computer.partition(":")[0] for seat in seats)
        raise TooLarge(
            "{game} takes a computer player {kind} more to solve than the {seconds:g} seconds "
            "and {memory} MB that are spent on it here",
            game=inner_of(game).name,
            kind=min(kind for kind in kinds if kind in SOLVERS),
            seconds=HINT_SECONDS,
            memory=HINT_MEMORY >> 20,
        )
    playable(game, seats)
