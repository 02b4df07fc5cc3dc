"""The work that a game costs the server, estimated before any of it is done."""

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Any

from shutbox.analysis.advice.adviser import advice_is_stored, seconds_to_win
from shutbox.analysis.solvers.select import whole_cost
from shutbox.errors import TooLarge, UnknownGame
from shutbox.game import Game
from shutbox.games.catalogue import find
from shutbox.games.traits import Cost, traits_of
from shutbox.lru import LruCache
from shutbox.match import Match
from shutbox.seats import Seat
from shutbox.web.limits import (
    HINT_MEMORY,
    HINT_SECONDS,
    MOST_COVERS,
    MOST_ESTIMATES,
    MOST_ROLLS,
    QUICK_SECONDS,
)

SOLVERS = ("perfect", "sheet")  # the kinds of computer players that solve their game

_FEW_ROLLS, _FEW_POSITIONS = 500, 20_000  # up to these sizes, an estimate takes no time


def check_text(name: str) -> None:
    """Raise UnknownGame for a name that could be a file on this machine."""
    if any(sign in name for sign in ("/", "\\", "#")) or ".toml" in name.lower():
        raise UnknownGame("name a game; boxes from files can be played only in the terminal")


def is_quick(game: Game[Any, Any]) -> bool:
    """Whether advice on a game takes only a moment, by an estimate, or because it is stored.

    >>> is_quick(find("classic")), is_quick(find("classic(tiles=1-24,dice=3d8)"))
    (True, False)
    """
    small = is_small(inner_of(game))
    if small and _seconds_of(game) <= QUICK_SECONDS:
        return True
    return (small or is_ordinary(game)) and advice_is_stored(game, seconds=HINT_SECONDS)


def is_ordinary(game: Game[Any, Any]) -> bool:
    """Whether a game, or the game of a match, is one of the catalogue without changed rules.

    >>> is_ordinary(find("double-shutter")), is_ordinary(find("classic(tiles=1-24,dice=3d8)"))
    (True, False)
    """
    return "(" not in inner_of(game).name


def queue_of(game: Game[Any, Any]) -> dict[str, bool]:
    """Return `quick` and `patient` of `Pool.do` for work on a game: changed ones are patient."""
    return {"quick": is_quick(game), "patient": not is_ordinary(game)}


def is_small(game: Game[Any, Any]) -> bool:
    """Whether a game is so small, by a formula, that estimating its cost takes no time."""
    traits = traits_of(game)
    if traits.most_positions is None or traits.most_rolls is None:
        return False
    return traits.most_rolls <= _FEW_ROLLS and traits.most_positions <= _FEW_POSITIONS


def _seconds_of(game: Game[Any, Any]) -> float:
    """Estimate the seconds that the first advice on a game takes; infinite if unknown."""
    if (seconds := _seconds.find(game.name)) is None:
        cost = cost_of(inner_of(game).name)
        to_win = seconds_to_win(game) if cost else inf
        seconds = to_win if to_win <= HINT_SECONDS else cost.seconds if cost else inf
        _seconds.put(game.name, seconds)
    return seconds


_seconds = LruCache[str, float](MOST_ESTIMATES)
"""Earlier estimates, by the name of the game or match, which contains no players' names."""


def can_advise(game: Game[Any, Any]) -> bool:
    """Whether hints on a game, or on the turns of a match, are worked out here.

    The estimate itself takes up to a second for the largest boxes that are estimated, so a worker
    makes it, once for each game.
    """
    cost = cost_of(inner_of(game).name)
    return cost is not None and cost.seconds <= HINT_SECONDS and cost.memory <= HINT_MEMORY


def can_solve_from(game: Game[Any, Any], position: Any) -> bool:
    """Whether the rest of a game is small enough to solve here, by a formula.

    >>> large = find("classic(tiles=1-24,dice=3d8)")
    >>> can_solve_from(large, large.position_at("1.2.3.4")), can_solve_from(large, large.start())
    (True, False)
    """
    traits = traits_of(game)
    if traits.cost is None or (traits.most_rolls or MOST_ROLLS) >= MOST_ROLLS:
        return False
    cost = traits.cost(position)
    return cost.seconds <= HINT_SECONDS and cost.memory <= HINT_MEMORY


def inner_of(game: Game[Any, Any]) -> Game[Any, Any]:
    """Return the game that a match plays in each turn; any other game itself."""
    return game.game if isinstance(game, Match) else game


@lru_cache(maxsize=MOST_ESTIMATES)
def cost_of(name: str) -> Cost | None:
    """Estimate the cost of solving a game, by its name; None if the server refuses to solve it."""
    game = find(name)
    rolls = traits_of(game).most_rolls
    return None if rolls is None or rolls > MOST_ROLLS else whole_cost(game)


def check_work(game: Game[Any, Any]) -> None:
    """Raise TooLarge if one throw can have too many covers to list here, or an unknown number."""
    inner = inner_of(game)
    most = traits_of(inner).most_choices
    if most is None:
        raise TooLarge(
            "{game} does not say how many choices one throw can have, so it cannot be played here",
            game=inner.name,
        )
    if most > MOST_COVERS:
        raise TooLarge(
            "{game}: one throw can have {covers:,} covers; at most {most:,} are allowed here",
            game=inner.name,
            covers=most,
            most=MOST_COVERS,
        )


def solvers_of(seats: Sequence[Seat]) -> list[str]:
    """Return the kinds of computer players at these seats that solve their game, sorted."""
    kinds = {seat.computer.partition(":")[0] for seat in seats}
    return sorted(kinds & set(SOLVERS))
