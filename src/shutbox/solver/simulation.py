"""Compiled simulation of turns that follow the table of a strategy.

A row of the table is a node with a random draw. It holds `count`, the number of equally likely
outcomes, and then the target of each outcome: the index at which another row begins or, if
negative, the bitwise complement of an end's number. `analysis.simulation.TurnTable` makes it.

The draws come from SplitMix64, by their number: draw `k` of turn `i` is

    mix(key + (i * most + k + 1) * GOLDEN)    modulo 2**64

where no turn draws more than `most` times. Its upper half times `count` has the outcome in the bits
above 2**32. The bits below must be at least `2**32 % count`, which makes all outcomes equally
likely (Lemire). Otherwise the draw is repeated as `mix(draw + GOLDEN)` until they are.

No draw depends on another turn. So a seed gives the same turns in any order, whether they are
compiled here or played by `TurnTable` in plain Python.

Sources: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014; Lemire, Fast
random integer generation in an interval, 2019.

Inputs are not checked: a table that breaks its description is read out of bounds.
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
    """Play the `turns` turns from number `first` on; return how many end at each end: int64[ends].

    Each begins at the row with the index `root`; `most` and `key` are as in the module's formula.

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
            count = np.uint64(table[here])
            here = table[here + 1 + np.int64(share_of(counter, count) >> HALF)]
        found[~here] += 1
    return found


@jit.compiled
def share_of(counter: Any, count: Any) -> Any:
    """Return the upper half of a counter's draw, times `count`; bits 32 and up are the outcome.

    Draws that would make some outcomes likelier are repeated.
    """
    draw = mixed(counter)
    share = (draw >> HALF) * count
    # The remainder is computed only where it can matter, which is hardly ever.
    if share & LOWER < count:
        limit = RANGE % count
        while share & LOWER < limit:
            draw = mixed(draw + GOLDEN)
            share = (draw >> HALF) * count
    return share


@jit.compiled
def mixed(word: Any) -> Any:
    """Return the output of SplitMix64 for a counter."""
    word = (word ^ (word >> S30)) * ONE
    word = (word ^ (word >> S27)) * TWO
    return word ^ (word >> S31)
