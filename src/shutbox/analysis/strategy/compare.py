"""Ways to play and players, compared with one another and with best play, exactly."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shutbox.analysis.named import aim_named, turn_named
from shutbox.analysis.solvers.select import check_cost, turns_of
from shutbox.analysis.strategy.evaluate import ASKING
from shutbox.analysis.strategy.following import (
    BEST,
    AnyPlayer,
    by_sheet,
    check_player,
    followed,
    is_named,
)
from shutbox.analysis.strategy.heuristics import WAYS
from shutbox.analysis.strategy.pocket_sheet import sheet_of
from shutbox.analysis.strategy.strength import Strength, strength
from shutbox.game import Game
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.objectives import MEAN, Aim
from shutbox.solver.solution import GraphSolution
from shutbox.specialists import PocketSheet


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ways to play one game for one aim."""

    game: str
    aim: str
    best: Strength
    ways: tuple[Strength, ...]  # the others, the best first
    sheet: PocketSheet | None = None  # if it was asked for and the game has one

    def way(self, name: str) -> Strength:
        """The way of a name. Raises KeyError for one that is not compared."""
        return {strength.way: strength for strength in (self.best, *self.ways)}[name]

    def report(self) -> dict[str, Any]:
        """The comparison for programs."""
        return {
            "game": self.game,
            "aim": self.aim,
            "best": self.best.report(),
            "ways": [strength.report() for strength in self.ways],
            "sheet": None if self.sheet is None else list(self.sheet.lines),
        }


def compare(
    game: Game[Any, Any] | str,
    aim: Aim | str = MEAN,
    *,
    players: Mapping[str, AnyPlayer] | None = None,
    sheet: bool = False,
    anyway: bool = False,
    progress: Progress = unheard,
) -> Comparison:
    """Best play and every fixed way to play, or some players instead, from the start of a game.

    >>> found = compare("classic")
    >>> [(way.way, round(float(way.value), 3)) for way in (found.best, *found.ways)][:3]
    [('best', 11.009), ('careful', 11.397), ('fewest', 12.217)]
    >>> def last(game, position, choices):
    ...     return choices[-1]
    >>> [way.way for way in compare("six", players={"mine": last, "first": "first"}).ways]
    ['first', 'mine']

    `players`: whom to compare, by what they are to be called, see `shutbox.evaluate`. `sheet`: also
    the strategy on a sheet of paper; `anyway`: whatever it costs. Raises NotUnderstood for a match,
    TooLarge where there is nothing to compare or too much, and what `evaluate` raises.
    """
    game = turn_named(game)
    aim = aim_named(aim, game)
    asked: Mapping[str, AnyPlayer] = {name: name for name in WAYS} if players is None else players
    for player in asked.values():
        check_player(player)
    times = sum(1 if is_named(player) else ASKING for player in asked.values())
    if not anyway:
        check_cost(game, game.start(), times=times + 1)
    solution = GraphSolution(game, aim, turns_of(game, game.start(), progress))
    found = [strength(name, followed(one, solution), solution) for name, one in asked.items()]
    on_paper = sheet_of(solution) if sheet else None
    if on_paper is not None and "sheet" not in asked:
        found.append(strength("sheet", by_sheet(on_paper, solution), solution))
    ways = sorted(found, key=lambda way: way.loss)
    best = strength("best", followed(BEST, solution), solution)
    return Comparison(game.name, aim.name, best, tuple(ways), on_paper)
