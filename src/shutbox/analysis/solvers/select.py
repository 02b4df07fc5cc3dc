"""Which solver a game is given to, and what that costs.

Small games are solved in whole fractions, with nothing installed. Large boxes are given to the
compiled kernel of the extra `fast`, in floats, and what it finds is kept in a book. What neither
can do within the limits is refused with an estimate, unless it is asked for all the same.
"""

from dataclasses import dataclass
from math import comb, prod
from typing import Any

from shutbox.analysis.solvers.box_graph import BoxGraph, Packed
from shutbox.english import numbered
from shutbox.errors import TooLarge
from shutbox.game import Game
from shutbox.games.box import Box
from shutbox.games.cargo import Cargo
from shutbox.games.cargo.rules import SIDES, Hold
from shutbox.solver.expand import Unfolded
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.objectives import Aim
from shutbox.solver.solution import GraphSolution, Solution, Turns

MOST_SECONDS = 600
"""What is estimated to take longer is refused."""
MOST_MEMORY = 2 << 30
"""What is estimated to take more bytes is refused."""
BY_GRAPH = 4.0
"""Seconds up to which a box is solved in whole fractions although it could be done in floats."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What solving is estimated to take, on one core of an ordinary machine of 2026."""

    positions: int
    seconds: float
    memory: int
    """Bytes."""

    @property
    def fits(self) -> bool:
        """Whether it is within the limits."""
        return self.seconds <= MOST_SECONDS and self.memory <= MOST_MEMORY

    def __str__(self) -> str:
        return f"about {_time(self.seconds)} and {_size(self.memory)}"


def _time(seconds: float) -> str:
    for unit, length in (("year", 31_557_600), ("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return numbered(round(seconds / length), unit)
    return numbered(max(1, round(seconds)), "second")


def _size(memory: int) -> str:
    for unit, length in (("TB", 10**12), ("GB", 10**9)):
        if memory >= length:
            return f"{memory / length:,.0f} {unit}"
    return f"{max(1, memory // 10**6)} MB"


def turns_of(game: Game[Any, Any], position: Any, progress: Progress = unheard) -> Turns[Any]:
    """The graph of the turns of a game from a position on."""
    if isinstance(game, Box):
        return BoxGraph(game, position.up, progress)
    if isinstance(game, Cargo):
        return Unfolded(game, position, game.alike, progress)
    return Unfolded(game, position, progress=progress)


def cost_of(game: Game[Any, Any], position: Any) -> Cost:
    """What it takes to solve a game from a position on, in whole fractions.

    >>> from shutbox.games.catalogue import find
    >>> game = find("classic")
    >>> cost_of(game, game.start()).positions
    512

    A game that is neither a box nor Cargo is not estimated: the cost is nothing.
    """
    if isinstance(game, Box):
        packed = Packed(game, position.up)
        return _of_graph(packed)
    if isinstance(game, Cargo):
        return _of_cargo(game)
    return Cost(0, 0.0, 0)


def _of_graph(packed: Packed) -> Cost:
    positions = packed.positions
    falls = [fall for number in packed.numbers_open for fall in packed.falls[number]]
    covers = sum(len(fall.covers) for fall in falls)
    nodes = positions * (1 + len(falls) * 0.6)
    return Cost(positions, positions * (2.2 * len(falls) + 0.12 * covers) * 1e-6, int(nodes * 400))


def _of_cargo(game: Cargo) -> Cost:
    cargo, rolls = game.rules.cargo, game.rules.rolls
    first = rolls * comb(len(game.rules.dice) + SIDES - 1, SIDES - 1) * 4
    held = 0
    if game.rules.hold is Hold.EACH:
        kinds = [comb(number + SIDES - 1, SIDES - 1) for number in range(cargo + 1)]
        held = rolls * sum(map(prod, zip(kinds, reversed(kinds), strict=True)))
        held += rolls * kinds[-1] * 2**cargo
    return Cost(first + held, (first + held) * 8e-6, (first + held) * 300)


def check_cost(game: Game[Any, Any], position: Any, *, times: int = 1) -> None:
    """Raise TooLarge where solving in whole fractions, so many times, is beyond the limits."""
    cost = cost_of(game, position)
    cost = Cost(cost.positions, cost.seconds * times, cost.memory)
    if not cost.fits:
        raise TooLarge(
            f"{game.name}: {cost.positions:,} positions in whole fractions take {cost}; at most "
            f"{_time(MOST_SECONDS)} and {_size(MOST_MEMORY)} are spent",
            costly=True,
        )


def solved(
    game: Game[Any, Any],
    position: Any,
    aim: Aim,
    *,
    exact: bool = False,
    anyway: bool = False,
    progress: Progress = unheard,
) -> Solution[Any, Any]:
    """A game solved for an aim, from a position on.

    `exact`: in whole fractions, also where floats are faster. `anyway`: beyond the limits too.

    >>> from shutbox.games.catalogue import find
    >>> from shutbox.solver import MEAN
    >>> game = find("classic")
    >>> round(float(solved(game, game.start(), MEAN).value(game.start())), 4)
    11.0092

    Raises TooLarge with the estimate.
    """
    if game.longest is None or game.scoring is None:
        raise TooLarge(f"{game.name} need never end, so its positions have no value")
    cost, quick = _costs(game, position, exact=exact)
    if isinstance(game, Box) and quick is not None and (anyway or quick.fits) and _can_be_quick():
        from shutbox.analysis.solvers.compiled import FastSolution

        return FastSolution(game, position, aim, progress)
    if cost.fits or anyway:
        return GraphSolution(game, aim, turns_of(game, position, progress))
    raise TooLarge(_refusal(game, cost, quick), costly=True)


def check_solvable(game: Game[Any, Any]) -> None:
    """Raise TooLarge for a game that `solved` would refuse from its start; solves nothing."""
    if game.longest is None or game.scoring is None:
        raise TooLarge(f"{game.name} need never end, so its positions have no value")
    cost, quick = _costs(game, game.start())
    if not cost.fits and not (quick is not None and quick.fits and _can_be_quick()):
        raise TooLarge(_refusal(game, cost, quick), costly=True)


def whole_cost(game: Game[Any, Any]) -> Cost | None:
    """What `solved` is estimated to take from the start of a game; None where it refuses.

    >>> from shutbox.games.catalogue import find
    >>> whole_cost(find("classic")).seconds < 1, whole_cost(find("tray"))
    (True, None)
    """
    try:
        check_solvable(game)
    except TooLarge:
        return None
    cost, quick = _costs(game, game.start())
    return cost if quick is None or not _can_be_quick() else quick


def _costs(game: Game[Any, Any], position: Any, *, exact: bool = False) -> tuple[Cost, Cost | None]:
    """What whole fractions cost, and if that is much, what floats cost where they will do."""
    cost = cost_of(game, position)
    if exact or not isinstance(game, Box) or cost.seconds <= BY_GRAPH:
        return cost, None
    # Imported here: small boxes, nearly all there are, need none of it.
    from shutbox.analysis.solvers.box_layout import cost_in_floats

    quick = cost_in_floats(game, position)
    return cost, None if quick is None else Cost(*quick)


def _can_be_quick() -> bool:
    from shutbox.analysis.solvers.compiled import installed

    return installed()


def _refusal(game: Game[Any, Any], cost: Cost, quick: Cost | None) -> str:
    sentence = (
        f"{game.name}: {cost.positions:,} positions take {cost} in whole fractions; at most "
        f"{_time(MOST_SECONDS)} and {_size(MOST_MEMORY)} are spent"
    )
    if quick is None:
        return sentence
    if _can_be_quick():
        return f"{sentence}. In floats it takes {quick}"
    return f"{sentence}. With the extra fast, pip install 'shutbox[fast]', it takes {quick}"
