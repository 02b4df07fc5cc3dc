"""The compiled solver of boxes against the plain compiled loop, and what one more tile costs.

The plain loop tests every cover of every outcome on every state, with the same compiler and on as
many cores. It and the solver must agree before a ratio is printed. The 300 is the box with tiles 1
to 24 and four dice, its tables built here from its rules.
"""

import resource
import statistics
import sys
from collections.abc import Iterator
from functools import partial

import numpy as np

from bench import plain_loop
from bench.covers import seconds
from shutbox.solve.kernel import Floats, Integers, Packed, Worth, values

TILES = 24
DICE = 4
PUBLISHED_MEAN = 142.647
"""The expected score of The 300 under best play."""
ROUNDS = 3
"""Timed in turn; the median counts."""
SMALL = range(16, TILES + 1)
TO_BEAT = 100


def the_300(tiles: int = TILES) -> Packed:
    """The box with tiles 1 to `tiles`, and the fewest dice that can make its highest tile up."""
    cover: list[int] = []
    first, weight, outcome_first = [0], [], [0, 0]
    ways = {0: 1}
    for dice in range(1, DICE + 1):
        ways = thrown(ways)
        for total, count in sorted(ways.items()):
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
        needed(tiles),
        False,
        integers(range(tiles, 0, -1)),
    )


def integers(numbers: list[int] | range) -> Integers:
    return np.array(numbers, np.int64)


def thrown(ways: dict[int, int]) -> dict[int, int]:
    """In how many ways each total comes with one die more."""
    more: dict[int, int] = {}
    for total, count in ways.items():
        for face in range(1, 7):
            more[total + face] = more.get(total + face, 0) + count
    return more


def sets(total: int, tiles: int, lowest: int = 1) -> Iterator[int]:
    """The sets of tiles with this sum, as bits."""
    if total == 0:
        yield 0
    for tile in range(lowest, min(total, tiles) + 1):
        for rest in sets(total - tile, tiles, tile + 1):
            yield rest | 1 << tiles - tile


def needed(tiles: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """For every state how many dice its highest tile needs."""
    dice = np.ones(1 << tiles, np.uint8)
    for tile in range(1, tiles + 1):
        # The states whose highest tile is this one: its bit is set and none below.
        dice[1 << tiles - tile :: 2 << tiles - tile] = min(DICE, -(-tile // 6))
    return dice


def aims(packed: Packed) -> dict[str, Worth]:
    """The worths that are timed: the mean score, to shut the box, to beat a score."""
    sums = np.arange(packed.points.sum() + 1.0)
    beaten = np.where(sums < TO_BEAT, 1.0, np.where(sums == TO_BEAT, 0.5, 0.0))
    return {
        "mean": Worth(-sums, 0.0),
        "shut": Worth(np.zeros_like(sums), 1.0),
        f"beat:{TO_BEAT}": Worth(beaten, 1.0),
    }


def peak_megabytes() -> float:
    """The most memory this process had so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def timed(packed: Packed, worth: Worth) -> tuple[float, Floats]:
    """The median time of the solver, and the values."""
    tables: list[Floats] = []

    def solve() -> None:
        tables.clear()
        tables.append(values(packed, worth))

    return statistics.median(seconds(solve) for _ in range(ROUNDS)), tables[0]


def main() -> None:
    """Print seconds, ratios and memory."""
    small = the_300(10)
    compiled = seconds(partial(values, small, aims(small)["mean"]))
    packed = the_300()
    print(f"first call, compiled or read from disk: {compiled:.2f} seconds")
    print(f"The 300, all {len(packed.needed):,} states, seconds; baseline: plain compiled loop")
    print(f"{'aim':>10} {'shutbox':>12} {'baseline':>12} {'ratio':>9}")
    ours = {aim: timed(packed, worth)[0] for aim, worth in aims(packed).items()}
    peak = peak_megabytes()
    plain_loop.values(small, aims(small)["mean"])
    for aim, worth in aims(packed).items():
        if aim == "mean":
            # Once, and for one aim: the loop takes as long for every other.
            plain = seconds(partial(compare, packed, worth))
            print(f"{aim:>10} {ours[aim]:>12.2f} {plain:>12.2f} {plain / ours[aim]:>9.1f}")
        else:
            print(f"{aim:>10} {ours[aim]:>12.2f}")
    print(f"peak memory of the solver: {peak:.0f} MB")
    one_more_tile()
