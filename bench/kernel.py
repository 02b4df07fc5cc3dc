"""The compiled box solver, compared with a plain compiled loop, and the cost of one more tile.

The plain loop tests every cover of every outcome in every state, with the same compiler and number
of cores. Both must find the same values before a ratio is printed. The 300 is the box with tiles 1
to 24 and four dice. Its tables are built here from its rules.
"""

import resource
import statistics
import sys
from collections.abc import Iterator
from functools import partial

import numpy as np

from bench import note, plain_loop, seconds, times
from shutbox.solving.kernel import Floats, Integers, Packed, Payoffs, values

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


def timed(packed: Packed, payoffs: Payoffs, rounds: int = ROUNDS) -> float:
    """Return the solver's median time in seconds."""
    return statistics.median(
        seconds(partial(values, packed, payoffs)) for _ in range(times(rounds))
    )


def main() -> None:
    """Print times, ratios and peak memory."""
    small = the_300(min(SMALL))
    first = seconds(partial(values, small, aims(small)["mean"]))
    print(f"boxes, compiled; the first call, which compiles or reads what is kept: {first:.1f} s")
    note("boxes, the first call", first, "s")
    against_the_plain_loop(the_300())
    one_more_tile()


def against_the_plain_loop(packed: Packed) -> None:
    """Print the times for three aims.

    The baseline runs once, for the mean, since it takes minutes of processor time and tests the
    same covers for every aim.
    """
    ours = {aim: timed(packed, payoffs) for aim, payoffs in aims(packed).items()}
    peak = peak_megabytes()
    mean = aims(packed)["mean"]
    table = values(packed, mean)
    assert round(-table[-1], 3) == PUBLISHED_MEAN
    small = the_300(min(SMALL))
    plain_loop.values(small, aims(small)["mean"])
    plain: list[Floats] = []
    baseline = seconds(lambda: plain.append(plain_loop.values(packed, mean)))
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
        took = found[tiles] = timed(packed, aims(packed)["mean"], SMALL_ROUNDS)
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


if __name__ == "__main__":
    if len(sys.argv) > 1:
        plot(one_more_tile(), sys.argv[1])
    else:
        main()
