"""All standings of two-player matches, compared with a plain compiled loop; and three-player
matches.

The plain loop solves the turn again for each standing, with the same compiler and number of cores.
If standings lead back to themselves, it repeats the whole table until nothing changes. A better
baseline repeats each standing alone. Baseline and solver must find the same values before a
ratio is printed. Compilation and files are not timed. `plain_turns` describes the two baselines of
a knock-out. Three-player matches have no baseline: here the estimate is tested, which should be
right to a factor of 2.
"""

import statistics
from collections.abc import Callable
from functools import partial

import numpy as np

from bench import note, plain_turns, seconds, times
from shutbox.match import Match
from shutbox.solving import WIN, ExactSolver, compiled
from shutbox.solving.equity.cost import cost_of_whole, whole_turn
from shutbox.solving.equity.match_value import NEAR
from shutbox.solving.equity.rows import Pairs
from shutbox.solving.equity.sweep import Sweep
from shutbox.solving.graph import no_progress
from shutbox.solving.solvers import turns_of
from shutbox.table.lookup import match_of

ROUNDS = 5
"""The number of timings for a median."""
Plain = Callable[[plain_turns.Turn, int, int], plain_turns.Floats]
TIMED: list[tuple[str, str, Plain | None]] = [
    ("race-500", "by sums", plain_turns.race),
    ("knockout", "whole table", plain_turns.knockout),
    ("knockout", "by sums", plain_turns.knockout_by_sums),
    *((name, "", None) for name in ("race-200", "markers-five", "parlour-night", "cargo-night")),
]
"""A match, the order in which its baseline works, and that baseline if there is one."""
OF_THREE = ("cargo-night", "markers-five", "parlour-night", "knockout")


def solved(match: Match[object, object]) -> plain_turns.Floats:
    """Return the values at the beginning of a round, by [mine, theirs], or by difference."""
    standings, turn = whole_turn(match)
    values = Sweep(standings, turn, compiled.columns(), float(NEAR)).values
    return standings.table(values, 1, None)


def timed(match: Match[object, object]) -> float:
    """Return the solver's median time in seconds. The first call, which compiles, is not timed."""
    solved(match)
    return statistics.median(seconds(partial(solved, match)) for _ in range(times(ROUNDS)))


def main() -> None:
    """Print times and ratios."""
    print("all standings of a match of two, seconds; baseline: one turn after the other, compiled")
    print(
        f"{'':>14} {'standings':>12} {'estimate':>9} {'shutbox':>9} {'baseline':>22} {'ratio':>7}"
    )
    for name, over, plain in TIMED:
        match = match_of(name, ("Ann", "Bob"))
        cost, took = cost_of_whole(match), timed(match)
        told = f"{name:>14} {cost.positions:>12,} {cost.seconds:>9.2f} {took:>9.3f}"
        baseline = ratio = None
        if plain is not None:
            baseline = against_the_plain_loop(match, plain)
            ratio = baseline / took
            told += f" {over:>13} {baseline:>8.2f} {ratio:>7.1f}"
        print(told)
        note(f"all of {name} {over}".rstrip(), took, "s", baseline, ratio)
    of_rows()
    print("of three; the ratio is the seconds by the estimate")
    solved_for_three("cargo-night")  # compiles
    for name in OF_THREE:
        cost = cost_of_whole(match_of(name, ("Ann", "Bob", "Cy")))
        took = seconds(partial(solved_for_three, name))
        told = f"{name:>14} {cost.positions:>12,} {cost.seconds:>9.2f} {took:>9.3f}"
        print(f"{told} {'':>22} {took / cost.seconds:>7.1f}")
        note(f"all of {name} for three", took, "s", cost.seconds)


def of_rows() -> None:
    """Print the time of all pairs of rows, and that of the exact solver for a small box."""
    print("two with one throw each; baseline: the exact solver on the protocol")
    for name in ("two-dice(tiles=1-5,dice=1d4)", "family"):
        match = match_of(name, ("Ann", "Bob"), "turns=throw,shut=wins")
        pairs = Pairs(match, no_progress)  # compiles
        took = statistics.median(seconds(pairs._made) for _ in range(times(ROUNDS)))
        told, baseline = f"{name:>30} {took:>9.4f}", None
        if name != "family":
            baseline = seconds(ExactSolver(match, WIN).value)
            told += f" {baseline:>9.3f} {baseline / took:>7.1f}"
        print(told)
        note(f"all pairs of rows of {name}", took, "s", baseline, baseline and baseline / took)


def solved_for_three(name: str) -> None:
    """Solve all standings of a match of three."""
    standings, turn = whole_turn(match_of(name, ("Ann", "Bob", "Cy")))
    Sweep(standings, turn, compiled.columns(), float(NEAR))


def against_the_plain_loop(match: Match[object, object], plain: Plain) -> float:
    """Return the seconds of the baseline, and assert that it finds the same values."""
    turns = turns_of(match.game, match.game.start())
    root = turns.find(match.game.start())
    assert root is not None  # a turn begins with a throw
    turn = plain_turns.turn_of(turns.graph, root)
    standings, _ = whole_turn(match)
    plain(turn, 10, standings.most)  # compiles
    found: list[plain_turns.Floats] = []
    total = standings.bound or 0
    took = seconds(lambda: found.append(plain(turn, total, standings.most)))
    ours = solved(match)[:total, :total]
    assert np.allclose(found[0], ours, rtol=0, atol=1e-9)
    return took


if __name__ == "__main__":
    main()
