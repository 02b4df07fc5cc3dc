"""The compiled solvers of boxes and of matches, compared with plain compiled loops.

The plain loop for a box tests every cover of every outcome in every state. States with the same
number of tiles up are computed in parallel on all cores, since none of them leads to another. The
300 is the box with tiles 1 to 24 and four dice; its tables are built here from its rules. A second
table has the cost of one more tile.

The plain loop for a match of two solves the turn again for each standing. Standings with the same
sum of totals are computed in parallel. It supports only the two matches timed: a race that stops at
once, with a turn that always adds points, and a knock-out played to the end of its rounds. A round
of a knock-out can add nothing, so its standings lead back to themselves, and each is repeated until
it no longer changes. Matches of three have no baseline: here the estimate is tested, which should
be right to a factor of 2.

All use the same compiler and number of cores, and must find the same values before a ratio is
printed. Compilation and files are not timed.
"""

import math
import resource
import statistics
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from bench import note, seconds, times
from shutbox.match import Match
from shutbox.solving import WIN, ExactSolver, compiled
from shutbox.solving.equity.cost import cost_of_whole, whole_turn
from shutbox.solving.equity.match_value import NEAR
from shutbox.solving.equity.rows import Pairs
from shutbox.solving.equity.sweep import Sweep
from shutbox.solving.graph import Graph
from shutbox.solving.kernel import Floats, Integers, Packed, Payoffs, values
from shutbox.solving.progress import no_progress
from shutbox.solving.solvers import graph_of_turn
from shutbox.table.lookup import match_of

Compiled = TypeVar("Compiled", bound=Callable[..., Any])
SAME = 1e-13
TILES = 24
DICE = 4
PUBLISHED_MEAN = 142.647
"""The expected score of The 300 with best play."""
ROUNDS = 3
SMALL_ROUNDS = 7
"""The number of timings for a median. Small boxes take milliseconds, so they are timed more often.
"""
SMALL = range(16, TILES + 1)
TO_BEAT = 100


# Boxes


def plain_values(packed: Packed, payoffs: Payoffs) -> Floats:
    """Return the same values as `shutbox.solving.kernel.values`."""
    size = 1 << len(packed.points)
    dice = needed(packed)
    tiles_up = np.bitwise_count(np.arange(size, dtype=np.int32))
    order = np.argsort(tiles_up, kind="stable").astype(np.int32)
    table = np.empty(size)
    done = 0
    for bits in range(len(packed.points) + 1):
        layer = order[done : done + math.comb(len(packed.points), bits)]
        done += len(layer)
        _plain_settle(layer, table, packed, dice, payoffs)
    return table


def needed(packed: Packed) -> NDArray[np.uint8]:
    """Return the fewest dice allowed in every state."""
    dice = np.full(1 << len(packed.points), packed.lowest[-1], np.uint8)
    for bit, number in enumerate(packed.lowest[:-1]):
        # All states in which this is the lowest bit set.
        dice[1 << bit :: 2 << bit] = number
    dice[packed.few] = packed.few_needed
    return dice


def _compiled(function: Compiled, *, parallel: bool = False) -> Compiled:
    return cast(Compiled, numba.njit(parallel=parallel, cache=True, error_model="numpy")(function))


def _on_all_cores(function: Compiled) -> Compiled:
    return _compiled(function, parallel=True)


@_on_all_cores
def _plain_settle(
    layer: NDArray[np.int32],
    table: Floats,
    packed: Packed,
    fewest: NDArray[np.uint8],
    payoffs: Payoffs,
) -> None:
    dice = len(packed.outcome_first) - 2
    for place in numba.prange(len(layer)):
        state = np.int64(layer[place])
        if state == 0 and not np.isnan(payoffs.shut):
            table[0] = payoffs.shut
            continue
        tiles = 0
        for bit in range(len(packed.points)):
            tiles += packed.points[bit] * (state >> bit & 1)
        needed = np.int64(fewest[state])
        top = -np.inf
        for k in range(needed, (dice if packed.more_dice else needed) + 1):
            mean = 0.0
            for outcome in range(packed.outcome_first[k], packed.outcome_first[k + 1]):
                best = -np.inf
                for index in range(packed.first[outcome], packed.first[outcome + 1]):
                    if state & packed.need[index] == packed.cover[index]:
                        best = max(best, table[state ^ packed.cover[index]])
                if best == -np.inf:
                    best = payoffs.stuck[tiles]
                mean += packed.weight[outcome] * best
            top = max(top, mean)
        table[state] = top


def the_300(tiles: int = TILES) -> Packed:
    """Return the box with tiles 1 to `tiles`, thrown with the fewest dice that can make its highest
    tile.
    """
    cover: list[int] = []
    first, weight, outcome_first = [0], [], [0, 0]
    counts = {0: 1}
    for dice in range(1, DICE + 1):
        counts = thrown(counts)
        for total, count in sorted(counts.items()):
            cover += sets(total, tiles)
            first.append(len(cover))
            weight.append(count / 6**dice)
        outcome_first.append(len(weight))
    covers = integers(cover)
    return Packed(
        covers,
        covers.copy(),
        integers(first),
        np.array(weight),
        integers(outcome_first),
        integers([min(DICE, -(-tile // 6)) for tile in range(tiles, 0, -1)] + [1]),
        integers([]),
        integers([]),
        False,
        integers([]),
        integers([]),
        integers(range(tiles, 0, -1)),
    )


def integers(numbers: list[int] | range) -> Integers:
    return np.array(numbers, np.int64)


def thrown(counts: dict[int, int]) -> dict[int, int]:
    """Return the number of ways to throw each total with one more die."""
    more: dict[int, int] = {}
    for total, count in counts.items():
        for face in range(1, 7):
            more[total + face] = more.get(total + face, 0) + count
    return more


def sets(total: int, tiles: int, lowest: int = 1) -> Iterator[int]:
    """Yield the sets of tiles from `lowest` with this sum, as bits. Bit 0 is the highest tile."""
    if total == 0:
        yield 0
    for tile in range(lowest, min(total, tiles) + 1):
        for rest in sets(total - tile, tiles, tile + 1):
            yield rest | 1 << tiles - tile


def aims(packed: Packed) -> dict[str, Payoffs]:
    """Return the payoffs to time: the mean score, the chance to shut the box, and the chance to
    beat a score.
    """
    sums = np.arange(packed.points.sum() + 1.0)
    beaten = np.where(sums < TO_BEAT, 1.0, np.where(sums == TO_BEAT, 0.5, 0.0))
    return {
        "mean": Payoffs(-sums, 0.0),
        "shut": Payoffs(np.zeros_like(sums), 1.0),
        f"beat:{TO_BEAT}": Payoffs(beaten, 1.0),
    }


def peak_megabytes() -> float:
    """Return the peak memory of this process so far, in megabytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def timed_box(packed: Packed, payoffs: Payoffs, rounds: int = ROUNDS) -> float:
    """Return the solver's median time in seconds."""
    return statistics.median(
        seconds(partial(values, packed, payoffs)) for _ in range(times(rounds))
    )


def boxes() -> None:
    """Print times, ratios and peak memory."""
    small = the_300(min(SMALL))
    first = seconds(partial(values, small, aims(small)["mean"]))
    print(f"boxes, compiled; the first call, which compiles or reads what is kept: {first:.1f} s")
    note("boxes, the first call", first, "s")
    box_against_the_plain_loop(the_300())
    one_more_tile()


def box_against_the_plain_loop(packed: Packed) -> None:
    """Print the times for three aims.

    The baseline runs once, for the mean, since it takes minutes of processor time and tests the
    same covers for every aim.
    """
    ours = {aim: timed_box(packed, payoffs) for aim, payoffs in aims(packed).items()}
    peak = peak_megabytes()
    mean = aims(packed)["mean"]
    table = values(packed, mean)
    assert round(-table[-1], 3) == PUBLISHED_MEAN
    small = the_300(min(SMALL))
    plain_values(small, aims(small)["mean"])
    plain: list[Floats] = []
    baseline = seconds(lambda: plain.append(plain_values(packed, mean)))
    assert np.allclose(plain[0], table, rtol=0, atol=1e-9)
    print(f"all {len(table):,} states of The 300, seconds; baseline: plain compiled loop, the mean")
    print(f"{'aim':>8} {'shutbox':>12} {'baseline':>12} {'ratio':>9}")
    for aim, took in ours.items():
        print(f"{aim:>8} {took:>12.2f} {baseline:>12.1f} {baseline / took:>9.1f}")
        note(f"The 300, {aim}", took, "s", baseline, baseline / took)
    print(f"most memory before the baseline ran, with Python and the compiler: {peak:.0f} MB")
    note("The 300, most memory", peak, "MB")


def one_more_tile() -> dict[int, float]:
    """Print the times for boxes of growing size. Return the seconds by the number of tiles."""
    print("boxes of tiles 1 to n, four dice, seconds; baseline: the box with one tile less")
    print(f"{'n':>8} {'shutbox':>12} {'baseline':>12} {'ratio':>9}")
    found: dict[int, float] = {}
    for tiles in SMALL:
        packed = the_300(tiles)
        took = found[tiles] = timed_box(packed, aims(packed)["mean"], SMALL_ROUNDS)
        if before := found.get(tiles - 1):
            print(f"{tiles:>8} {took:>12.4f} {before:>12.4f} {took / before:>9.2f}")
            note(f"tiles 1 to {tiles}", took, "s", before)
    whole = (found[SMALL[-1]] / found[SMALL[0]]) ** (1 / (len(SMALL) - 1))
    print(f"{'each':>8} {whole:>35.2f}")
    note("each tile more", whole, "times as long")
    return found


def plot(found: dict[int, float], file: str) -> None:
    """Plot the cost of one more tile into an SVG file."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.fonttype"], rcParams["svg.hashsalt"] = "none", "shutbox"
    figure = Figure(figsize=(8, 4), layout="constrained")
    axis = figure.subplots()
    first = min(found)
    axis.plot(list(found), list(found.values()), "o-", color="#1f6b4a", label="solved")
    doubled = [found[first] * 2.2 ** (tiles - first) for tiles in found]
    axis.plot(list(found), doubled, "--", color="#b07a3c", label="2.2 times as long for each tile")
    axis.set_yscale("log")
    axis.set_xlabel("tiles 1 to n, four dice, all positions")
    axis.set_ylabel("seconds on two cores")
    axis.legend(frameon=False)
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, metadata={"Date": None})


# Matches


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
    """Return the share of the player who begins a round. Each standing is repeated after those
    it leads to.
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


MATCH_ROUNDS = 5
"""The number of timings for a median."""
Plain = Callable[[Turn, int, int], Floats]
TIMED: dict[str, Plain | None] = {
    "race-500": race,
    "knockout": knockout,
    **dict.fromkeys(("race-200", "markers-five", "parlour-night", "cargo-night")),
}
"""A match, and its baseline if there is one."""
OF_THREE = ("cargo-night", "markers-five", "parlour-night", "knockout")


def solved(match: Match[object, object]) -> Floats:
    """Return the values at the beginning of the first round, by [mine, theirs]."""
    numbering, turn = whole_turn(match)
    values = Sweep(numbering, turn, compiled.import_columns(), float(NEAR)).values
    state, first = next(iter(numbering.states.items()))
    mine, theirs = map(len, numbering.ranges(state))
    shares: Floats = values[first : first + mine * theirs].reshape(mine, theirs)
    return shares


def timed_match(match: Match[object, object]) -> float:
    """Return the solver's median time in seconds. The first call, which compiles, is not timed."""
    solved(match)
    return statistics.median(seconds(partial(solved, match)) for _ in range(times(MATCH_ROUNDS)))


def matches() -> None:
    """Print times and ratios."""
    print("all standings of a match of two, seconds; baseline: one turn after the other, compiled")
    print(f"{'':>14} {'standings':>12} {'estimate':>9} {'shutbox':>9} {'baseline':>9} {'ratio':>7}")
    for name, plain in TIMED.items():
        match = match_of(name, ("Ann", "Bob"))
        cost, took = cost_of_whole(match), timed_match(match)
        told = f"{name:>14} {cost.positions:>12,} {cost.seconds:>9.2f} {took:>9.3f}"
        baseline = ratio = None
        if plain is not None:
            baseline = match_against_the_plain_loop(match, plain)
            ratio = baseline / took
            told += f" {baseline:>9.2f} {ratio:>7.1f}"
        print(told)
        note(f"all of {name}", took, "s", baseline, ratio)
    of_rows()
    print("of three; the ratio is the seconds by the estimate")
    solved_for_three("cargo-night")  # compiles
    for name in OF_THREE:
        cost = cost_of_whole(match_of(name, ("Ann", "Bob", "Cy")))
        took = seconds(partial(solved_for_three, name))
        told = f"{name:>14} {cost.positions:>12,} {cost.seconds:>9.2f} {took:>9.3f}"
        print(f"{told} {'':>9} {took / cost.seconds:>7.1f}")
        note(f"all of {name} for three", took, "s", cost.seconds)


def of_rows() -> None:
    """Print the time of all pairs of rows, and that of the exact solver for a small box."""
    print("two with one throw each; baseline: the exact solver on the protocol")
    for name in ("two-dice(tiles=1-5,dice=1d4)", "family"):
        match = match_of(name, ("Ann", "Bob"), "turns=throw,shut=wins")
        pairs = Pairs(match, no_progress)  # compiles
        took = statistics.median(seconds(pairs.solve) for _ in range(times(MATCH_ROUNDS)))
        told, baseline = f"{name:>30} {took:>9.4f}", None
        if name != "family":
            baseline = seconds(ExactSolver(match, WIN).value)
            told += f" {baseline:>9.3f} {baseline / took:>7.1f}"
        print(told)
        note(f"all pairs of rows of {name}", took, "s", baseline, baseline and baseline / took)


def solved_for_three(name: str) -> None:
    """Solve all standings of a match of three."""
    numbering, turn = whole_turn(match_of(name, ("Ann", "Bob", "Cy")))
    Sweep(numbering, turn, compiled.import_columns(), float(NEAR))


def match_against_the_plain_loop(match: Match[object, object], plain: Plain) -> float:
    """Return the seconds of the baseline, and assert that it finds the same values."""
    turns = graph_of_turn(match.game, match.game.start())
    root = turns.find(match.game.start())
    assert root is not None  # a turn begins with a throw
    turn = turn_of(turns.graph, root)
    numbering, _ = whole_turn(match)
    plain(turn, 10, numbering.most)  # compiles
    found: list[Floats] = []
    total = numbering.memory.deciding_total or 0
    took = seconds(lambda: found.append(plain(turn, total, numbering.most)))
    ours = solved(match)[:total, :total]
    assert np.allclose(found[0], ours, rtol=0, atol=1e-9)
    return took


if __name__ == "__main__" and len(sys.argv) > 1:
    plot(one_more_tile(), sys.argv[1])
