"""The baseline of solved matches: it solves the turn again for each standing.

Standings with the same sum of totals are computed in parallel on all cores. The graph of the turn
comes from the box solver. The code supports only the two matches timed: a race that stops at once,
with a turn that always adds points, and a knock-out played to the end of its rounds.

A round of a knock-out can add nothing, so its standings lead back to themselves. There are two
baselines for it. `knockout` repeats the whole table until nothing changes. It is the simplest
method, and computes every standing as often as the slowest one needs. `knockout_by_sums` takes the
standings in the order of their sums, as the solver does, and repeats each one until it no longer
changes. This is the fairer comparison, and gives the lower ratio.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from shutbox.solving.graph import Graph

Compiled = TypeVar("Compiled", bound=Callable[..., Any])
Floats = NDArray[np.float64]
SAME = 1e-13


class Turn(NamedTuple):
    """A graph as arrays, with nodes in the graph's order. Nodes after the root are not used."""

    first: NDArray[np.int64]
    child: NDArray[np.int64]
    weight: Floats  # of each edge of a throw; 0 for a choice
    throw: NDArray[np.bool_]
    score: NDArray[np.int64]  # of each end; -1 for other nodes
    root: int


def turn_of(graph: Graph, root: int) -> Turn:
    """Return a graph as arrays."""
    weights = zip(graph.children, graph.weights, strict=True)
    return Turn(
        np.cumsum([0, *map(len, graph.children)]),
        np.array([child for children in graph.children for child in children], np.int64),
        np.array([w / graph.total for c, ws in weights for w in (ws or [0] * len(c))], np.float64),
        np.array([bool(falls) for falls in graph.weights]),
        np.array([graph.ends.get(n, (-1, False))[0] for n in range(len(graph.children))], np.int64),
        root,
    )


def _compiled(function: Compiled, *, parallel: bool = False) -> Compiled:
    return cast(Compiled, numba.njit(parallel=parallel, cache=True, error_model="numpy")(function))


def _on_all_cores(function: Compiled) -> Compiled:
    return _compiled(function, parallel=True)


@_compiled
def _solve(turn: Turn, worth: Floats, values: Floats) -> float:
    """Return the value of a turn in which a score is worth `worth[score]`."""
    for node in range(turn.root + 1):
        first, after = turn.first[node], turn.first[node + 1]
        if first == after:
            values[node] = worth[turn.score[node]]
        elif turn.throw[node]:
            mean = 0.0
            for edge in range(first, after):
                mean += turn.weight[edge] * values[turn.child[edge]]
            values[node] = mean
        else:
            best = values[turn.child[first]]
            for edge in range(first + 1, after):
                best = max(best, values[turn.child[edge]])
            values[node] = best
    found: float = values[turn.root]
    return found


@_on_all_cores
def race(turn: Turn, target: int, most: int) -> Floats:
    """Return the current player's share of the win, by [mine, theirs]."""
    table = np.empty((target, target))
    for total in range(2 * target - 2, -1, -1):
        lowest = max(0, total - target + 1)
        for place in numba.prange(total - 2 * lowest + 1):
            mine = lowest + place
            theirs = total - mine
            worth, values = np.empty(most + 1), np.empty(turn.root + 1)
            for score in range(most + 1):
                there = mine + score >= target
                # A score of 0 cannot occur. It would lead to a standing not computed yet.
                worth[score] = 1.0 if there else 1.0 - table[theirs, mine + score] if score else 0.0
            table[mine, theirs] = _solve(turn, worth, values)
    return table


@_compiled
def _second(turn: Turn, first: Floats, mine: int, theirs: int, worth: Floats, v: Floats) -> float:
    """Return the value of the second turn in a round of a knock-out. `theirs` includes the points
    of the first turn.
    """
    limit = len(first)
    for score in range(len(worth)):
        after = mine + score
        if after < limit and theirs < limit:
            worth[score] = 1.0 - first[theirs, after]
        elif after >= limit and theirs >= limit:
            worth[score] = 0.5 * (1 + np.sign(theirs - after))
        else:
            worth[score] = 1.0 if after < limit else 0.0
    return _solve(turn, worth, v)


@_compiled
def _first(turn: Turn, second: Floats, mine: int, theirs: int, worth: Floats, v: Floats) -> float:
    """Return the value of the first turn of a round."""
    for score in range(len(worth)):
        worth[score] = 1.0 - second[theirs, mine + score]
    return _solve(turn, worth, v)


@_on_all_cores
def knockout(turn: Turn, limit: int, most: int) -> Floats:
    """Return the share of the player who begins a round, by repeating the whole table until nothing
    changes.
    """
    wide = limit + most
    first, second = np.full((limit, limit), 0.5), np.full((limit, wide), 0.5)
    apart = np.ones(limit)
    while apart.max() > SAME:
        for mine in numba.prange(limit):
            worth, values = np.empty(most + 1), np.empty(turn.root + 1)
            for theirs in range(wide):
                second[mine, theirs] = _second(turn, first, mine, theirs, worth, values)
        for mine in numba.prange(limit):
            worth, values = np.empty(most + 1), np.empty(turn.root + 1)
            apart[mine] = 0.0
            for theirs in range(limit):
                found = _first(turn, second, mine, theirs, worth, values)
                apart[mine] = max(apart[mine], abs(found - first[mine, theirs]))
                first[mine, theirs] = found
    return first


@_on_all_cores
def knockout_by_sums(turn: Turn, limit: int, most: int) -> Floats:
    """Return the share of the player who begins a round, by repeating each standing after those it
    leads to.
    """
    wide = limit + most
    first, second = np.full((limit, limit), 0.5), np.full((limit, wide), 0.5)
    for total in range(limit + wide - 2, -1, -1):
        lowest = max(0, total - wide + 1)
        for place in numba.prange(min(limit - 1, total) - lowest + 1):
            mine = lowest + place
            theirs = total - mine
            worth, values = np.empty(most + 1), np.empty(turn.root + 1)
            apart = 1.0
            while apart > SAME:
                second[mine, theirs] = _second(turn, first, mine, theirs, worth, values)
                if theirs >= limit:
                    break
                found = _first(turn, second, theirs, mine, worth, values)
                apart = abs(found - first[theirs, mine])
                first[theirs, mine] = found
    return first
