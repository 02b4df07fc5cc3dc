"""The kinds of computer players by name. A new kind is one more entry here."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from shutbox.analysis.strategy.heuristics import fewest_tiles, highest_tile, most_tiles
from shutbox.bots.heuristic import ByTiles, Careful, FixedChoice, RandomChoice
from shutbox.english import listed, shown
from shutbox.errors import BadName
from shutbox.game import Game
from shutbox.messages import gettext_noop
from shutbox.player import FirstChoice, Player
from shutbox.seats import Seat
from shutbox.solver.graph import Progress


@runtime_checkable
class Solves(Protocol):
    """A computer player that solves the game, which can be too large or take long."""

    progress: Progress

    def check(self, game: Game[Any, Any]) -> None:
        """Raise TooLarge for a game that is too large to solve."""


def _solving(name: str) -> Player[Any, Any]:
    from shutbox.bots import perfect  # slow to import

    return perfect.Perfect() if name == "perfect" else perfect.OnPaper()


KINDS: dict[str, tuple[Callable[[str], Player[Any, Any]], str]] = {
    "perfect": (
        lambda seed: _solving("perfect"),
        gettext_noop("makes the best choice there is; in the last round for the win"),
    ),
    "fewest": (lambda seed: ByTiles(fewest_tiles), gettext_noop("covers as few tiles as it can")),
    "most": (lambda seed: ByTiles(most_tiles), gettext_noop("covers as many tiles as it can")),
    "highest": (lambda seed: ByTiles(highest_tile), gettext_noop("covers the highest tile it can")),
    "first": (lambda seed: FirstChoice(), gettext_noop("takes the first choice that is listed")),
    "careful": (
        lambda seed: Careful(),
        gettext_noop("goes by the chance to be stuck on the next throw"),
    ),
    "sheet": (
        lambda seed: _solving("sheet"),
        gettext_noop("plays by a strategy that fits on one sheet of paper"),
    ),
    "random": (
        lambda seed: FixedChoice(seed) if seed else RandomChoice(),
        gettext_noop("chooses at random each time"),
    ),
    "fixed": (
        FixedChoice,
        gettext_noop(
            "chooses as if at random, at the same position always the same; fixed:SEED is another "
            "one for each seed"
        ),
    ),
}
"""For each kind, a function that makes the player from a seed, and what the player does."""

SEEDED = ("fixed", "random")  # the kinds that can have a seed after the name


def bot(kind: str) -> Player[Any, Any]:
    """Return a computer player of a kind, such as `fewest` or `fixed:pub`.

    `random:pub` is an older name of `fixed:pub`, and plays as it always did. Raises BadName for
    an unknown kind, with a list of all kinds.
    """
    name, _, seed = kind.partition(":")
    if name not in KINDS or (seed and name not in SEEDED):
        facts = {"kind": shown(kind), "kinds": listed(KINDS)}
        raise BadName(
            "{kind} is not a kind of computer player; they are {kinds}, and fixed:SEED", **facts
        )
    return KINDS[name][0](seed)


def check_bots(bots: Mapping[int, Player[Any, Any]], game: Game[Any, Any]) -> None:
    """Raise TooLarge if a computer player would have to solve a game that is too large."""
    for player in bots.values():
        if isinstance(player, Solves):
            player.check(game)


def tell_progress(bots: Mapping[int, Player[Any, Any]], progress: Progress) -> None:
    """Set the progress callback of the computer players that solve the game."""
    for player in bots.values():
        if isinstance(player, Solves):
            player.progress = progress


def bots_of(seats: Iterable[Seat]) -> dict[int, Player[Any, Any]]:
    """Return the computer player of each seat that has one, by the number of the seat.

    >>> sorted(bots_of([Seat("Ann"), Seat("Robo", "most")]))
    [1]

    Raises BadName for an unknown kind.
    """
    return {index: bot(seat.computer) for index, seat in enumerate(seats) if seat.computer}
