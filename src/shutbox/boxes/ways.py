"""How strong the named ways to play are in a large box, in floats, by the compiled kernel.

In whole fractions such a box would take hours. A way that ranks covers by their tiles has them put
in the order of its ranking; the others are known to the kernel.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import lcm
from typing import Any

from shutbox.analysis.solvers.select import cost_of, fits
from shutbox.analysis.strategy.following import BEST
from shutbox.analysis.strategy.rankings import Rank, fewest_tiles, highest_tile, most_tiles
from shutbox.analysis.strategy.strength import Strength
from shutbox.boxes.fast import FastSolution
from shutbox.boxes.layout import Layout, cost_in_floats
from shutbox.game import Game, Over
from shutbox.games.box.packed import PackedRules
from shutbox.games.traits import Cost, traits_of
from shutbox.solver import compiled
from shutbox.solver.solution import Chances, apart


def _alike(taken: tuple[int, ...]) -> list[int]:
    return []


_RANKED: dict[str, Rank] = {
    "fewest": fewest_tiles,
    "sheet": fewest_tiles,  # the plain one: all tiles have the same points
    "most": most_tiles,
    "highest": highest_tile,
    "first": _alike,
}
_OTHERS = {"random": "EVENLY", "careful": "LEAST_RISK", BEST: "BEST"}

WAYS_KNOWN = {*_RANKED, *_OTHERS}

PER_COVER = 1.5e-9  # seconds for one cover at one position: one core, no vectors
BYTES_PER_POSITION = 17  # besides what the solution takes


def in_floats(
    game: Game[Any, Any], players: Iterable[Any], *, times: int, anyway: bool = False
) -> bool:
    """Whether these are followed in floats: nothing else is within the limits, and this is.

    `times`: how many times solving in whole fractions they would take; `anyway`: also where this is
    beyond the limits.
    """
    start, packed = game.start(), traits_of(game).packed
    names = list(players)
    if packed is None or not all(isinstance(n, str) and n in WAYS_KNOWN for n in names):
        return False
    cost = cost_of(game, start)
    if fits(replace(cost, seconds=cost.seconds * times)):
        return False
    layout = Layout(packed(start))
    if not layout.can_be_solved or layout.first_differs or not compiled.installed():
        return False
    return anyway or fits(cost_of_ways(game, len(names) + 1))


def cost_of_ways(game: Game[Any, Any], number: int) -> Cost:
    """What it takes to solve such a box in floats, and to follow so many ways."""
    rules = traits_of(game).packed(game.start())  # type: ignore[misc] # it is a box
    cost = cost_in_floats(rules)
    assert cost is not None
    falls = [fall for dice in rules.numbers_open for fall in rules.falls[dice]]
    covers = sum(1 + len(fall.covers) for fall in falls)
    seconds = cost.seconds + number * cost.positions * covers * PER_COVER
    return Cost(cost.positions, seconds, cost.memory + cost.positions * BYTES_PER_POSITION)


def strength_in_floats(name: str, way: str, solution: FastSolution) -> Strength:
    """What comes of a way in a large box that is solved; `name` is its name."""
    layout = solution.layout
    outcome = _followed(way, solution)
    chances: Chances = {
        (layout.score(total), False): chance
        for total, chance in enumerate(outcome.stuck.tolist())
        if chance
    }
    if outcome.shut:
        chances[layout.rules.score(0), True] = outcome.shut
    worth = solution.aim.worth
    value = sum(
        float(worth(Over((score,), shut))) * chance for (score, shut), chance in chances.items()
    )
    best = solution.value()
    return Strength(
        way=name,
        value=value,
        loss=0.0 if way == BEST else apart(value, best),
        chances=chances,
        throws=outcome.throws,
        decisions=outcome.decisions,
    )


def _followed(way: str, solution: FastSolution) -> Any:
    ways = compiled.ways()
    box, worth, values = solution.arrays
    rules = solution.layout.packed
    order, weights, total = _ordered(rules, _RANKED.get(way, _alike))
    turn = ways.BoxTurn(
        cover=box.cover[order],
        need=box.need[order],
        first=box.first,
        outcome_first=box.outcome_first,
        points=box.points,
        weight=ways.np.array(weights, ways.np.int64),
        ways=total,
        needed=ways.needed(len(box.points), box.lowest, box.few, box.few_needed),
        may=box.may,
        shut=not rules.fixed,
    )
    number = getattr(ways, _OTHERS.get(way, "FIRST"))
    return compiled.called(ways.follow, turn, number, values, worth.stuck)


def _ordered(rules: PackedRules, rank: Rank) -> tuple[list[int], list[int], int]:
    """The places of the covers, best ranked first in each outcome; the weights, and their sum."""
    order: list[int] = []
    weights: list[int] = []
    sums = [sum(fall.weight for fall in falls) for falls in rules.falls.values()]
    total = lcm(*sums)
    for falls, weight in zip(rules.falls.values(), sums, strict=True):
        for fall in falls:
            ranks = [rank(tuple(rules.rules.numbers(tiles))) for tiles, _ in fall.covers]
            # Python's sort leaves equal ones in their order, also where it is turned around.
            best = sorted(range(len(ranks)), key=ranks.__getitem__, reverse=True)
            begin = len(order)
            order += [begin + place for place in best]
            weights.append(fall.weight * (total // weight))
    return order, weights, total
