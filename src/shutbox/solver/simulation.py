"""Turns played by the table of a strategy: arrays of numbers in and out, compiled.

A row of the table is a node at which something is drawn: first `ways`, the number of its equally
likely outcomes, and then where each of them leads: the place of another row, or, below zero, the
complement of the number of an end. `TurnTable` of `analysis.simulation` makes it.

The draws are those of SplitMix64, by their number: draw `k` of turn `i` is

    mix(key + (i * most + k + 1) * GOLDEN)    modulo 2**64

where no turn draws more than `most` times. Its upper half, times `ways`, has the outcome above
2**32. What is below must be at least `2**32 % ways`, or else it is drawn again, as Lemire does, so
that each outcome is exactly as likely: `mix(draw + GOLDEN)`, until it is.

No draw depends on another turn. So the turns of a seed are the same in whatever order they are
played, compiled here or by `TurnTable` in plain Python.

Sources: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014; Lemire, Fast
random integer generation in an interval, 2019.

Nothing is checked here: a table that breaks its description is read out of bounds.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.solver import jit

Integers: TypeAlias = NDArray[np.int64]
Table: TypeAlias = NDArray[np.int32]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
ONE, TWO = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, HALF = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOWER = np.uint64(0xFFFFFFFF)
RANGE = np.uint64(1 << 32)


def counts(
    table: Table, root: int, ends: int, most: int, key: int, first: int, turns: int
) -> Integers:
    """How often turns number `first` and those after it end at each of the ends: int64[ends].

    >>> coin = np.array([2, -1, -2], np.int32)
    >>> counts(coin, 0, 2, 1, key=7, first=0, turns=1000).tolist()
    [525, 475]
    """
    found: Integers = _played(table, root, ends, most, np.uint64(key), first, turns)
    return found


@jit.compiled
def _played(
    table: Table, root: int, ends: int, most: int, key: np.uint64, first: int, turns: int
) -> Integers:
    found = np.zeros(ends, np.int64)
    for turn in range(first, first + turns):
        here = root
        counter = key + np.uint64(turn) * np.uint64(most) * GOLDEN
        while here >= 0:
            counter += GOLDEN
            ways = np.uint64(table[here])
            here = table[here + 1 + np.int64(share_of(counter, ways) >> HALF)]
        found[~here] += 1
    return found


@jit.compiled
def share_of(counter: Any, ways: Any) -> Any:
    """What the draw of this counter has, its outcome above 2**32."""
    draw = mixed(counter)
    share = (draw >> HALF) * ways
    # The remainder is worked out only where it can matter, which is next to never.
    if share & LOWER < ways:
        limit = RANGE % ways
        while share & LOWER < limit:
            draw = mixed(draw + GOLDEN)
            share = (draw >> HALF) * ways
    return share


@jit.compiled
def mixed(word: Any) -> Any:
    """The output function of SplitMix64."""
    word = (word ^ (word >> S30)) * ONE
    word = (word ^ (word >> S27)) * TWO
    return word ^ (word >> S31)
