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
from shutbox.web.limits import HINT_MEMORY, HINT_SECONDS, MOST_COVERS

SOLVERS = ("perfect", "sheet")  # the kinds of computer players who solve the game they play


def check_text(name: str) -> None:
    """Raise UnknownGame for a name that would be a file of this machine."""
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
    solves = {seat.computer.partition(":")[0] for seat in seats} & {*SOLVERS}
    if solves and not can_advise(game):
        raise TooLarge(
            "{game} takes a computer player {kind} more to solve than the {seconds:g} seconds "
            "and {memory} MB that are spent on it here",
            game=inner.name,
            kind=min(solves),
            seconds=HINT_SECONDS,
            memory=HINT_MEMORY >> 20,
        )
