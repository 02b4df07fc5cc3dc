"""Turns played by the table of a strategy: arrays of numbers in and out, compiled or by NumPy.

A row of the table is a node at which something is drawn: first `ways`, the number of its equally
likely outcomes, and then where each of them leads: the place of another row, or, below zero, the
complement of the number of an end. `TurnTable` of `analysis.simulation` makes it.

The draws are those of SplitMix64, by their number: draw `k` of turn `i` is

    mix(key + (i * most + k + 1) * GOLDEN)    modulo 2**64

where no turn draws more than `most` times. Its upper half, times `ways`, has the outcome above
2**32. What is below must be at least `2**32 % ways`, or else it is drawn again, as Lemire does, so
that each outcome is exactly as likely: `mix(draw + GOLDEN)`, until it is.

No draw depends on another turn. So the turns of a seed are the same in whatever order they are
played, by whichever of three ways: compiled, by NumPy, or in plain Python.

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
Words: TypeAlias = NDArray[np.uint64]

COMPILED = jit.COMPILED
SIDE_BY_SIDE = 1 << 15  # turns that NumPy plays at a time: their numbers stay in the cache

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
    play = _one_by_one if COMPILED else _side_by_side
    return play(table, root, ends, most, np.uint64(key), first, turns)


@jit.compiled
def _one_by_one(
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


def _side_by_side(
    table: Table, root: int, ends: int, most: int, key: np.uint64, first: int, turns: int
) -> Integers:
    found = np.zeros(ends, np.int64)
    wide = table.astype(np.int64)
    for begin in range(first, first + turns, SIDE_BY_SIDE):
        there = min(SIDE_BY_SIDE, first + turns - begin)
        _play_block(wide, root, begin, there, most, key, found)
    return found


def _play_block(
    table: Integers, root: int, begin: int, there: int, most: int, key: np.uint64, found: Integers
) -> None:
    here = np.full(there, root, np.int64)
    counter = np.arange(begin, begin + there, dtype=np.uint64)
    counter *= _product(most)
    counter += key
    if root < 0:
        found[~root] += there
        return
    while len(here):
        counter += GOLDEN
        ways = table[here].view(np.uint64)
        share = shares(counter, ways)
        here = table[here + 1 + (share >> HALF).view(np.int64)]
        over = here < 0
        if over.any():
            found += np.bincount(~here[over], minlength=len(found))
            on = ~over
            here, counter = here[on], counter[on]


def _product(most: int) -> np.uint64:
    """`most` times GOLDEN modulo 2**64; NumPy warns of single numbers that overflow."""
    return np.uint64(most * int(GOLDEN) % (1 << 64))


def shares(counter: Words, ways: Words) -> Words:
    """What draws of these counters have, their outcome above 2**32."""
    draw = counter >> S30
    draw ^= counter
    draw *= ONE
    draw ^= draw >> S27
    draw *= TWO
    draw ^= draw >> S31
    share = draw >> HALF
    share *= ways
    again = (share & LOWER) < ways
    if again.any():
        _draw_again(draw, share, ways, np.flatnonzero(again))
    return share


def _draw_again(draw: Words, share: Words, ways: Words, places: Integers) -> None:
    """Draw those places again whose outcome would otherwise be likelier than others."""
    limits = RANGE % ways[places]
    while len(places):
        low = (share[places] & LOWER) < limits
        places, limits = places[low], limits[low]
        word = draw[places] + GOLDEN
        word = (word ^ (word >> S30)) * ONE
        word = (word ^ (word >> S27)) * TWO
        draw[places] = word ^ (word >> S31)
        share[places] = (draw[places] >> HALF) * ways[places]
