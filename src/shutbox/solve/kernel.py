"""Values of all positions of a box of tiles, compiled: whole tables of numbers in and out.

A state is a number whose set bits are the tiles still up. The value of a state is the best, over
the numbers of dice that may be thrown there, of the mean over the outcomes of the best state that
a legal cover leads to, or of the worth of being stuck where no cover is legal. A cover takes bits
away, so every state leads to smaller numbers, and one pass upwards settles them all.

Three things make the pass fast.

- *Lanes.* 32 neighbouring states, a block, differ in their lowest five bits only. A cover that
  asks nothing of those bits is legal in all of the block or in none of it, and leads to another
  whole block: one vector operation. With the highest tile at bit 0 most covers are of this kind.
- *Sieves.* The covers are sifted by the high bits of the states, once for thousands of states,
  what is left once for 1,024, and what is left of that once for a block. A cover that is sifted
  out is a cover that no state has to test. With the lowest tile at the highest bit nearly all go
  in the first sieve.
- *Groups.* A group is a run of states with the same high bits. Its states need only those of
  groups whose high bits are a subset of its own, so groups with equally many high bits set go to
  threads side by side. The compiled functions hold no lock of Python's, and each call is short:
  Python regains control after every group.

The threads are Python's own rather than numba's: those must not be entered by two threads of a
program at a time, and double the time of compilation.

Nothing is checked here: an array that breaks its description below reads and writes anywhere.
An array of another type, not contiguous or read-only, only costs another compilation.
"""

import math
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Progress = Callable[[int, int], object]
"""Is told how many states are done, of how many."""

LANE_BITS = 5
LANES = 1 << LANE_BITS
"""States of a block. Four vectors of the widest kind there is; 16 and 64 were slower."""
PART_BITS = LANE_BITS + 5
PART = 1 << PART_BITS
"""States that share the second sieve."""
FEW_LANES = 3
"""So many states of a block that throw a number of dice of their own are worked out one by one."""
SLACK = 1e-12
"""Values that differ by less, absolutely or relatively, are ties."""
STUCK = -1
"""The target of an outcome that leaves no legal cover."""


class Packed(NamedTuple):
    """A box of `n` tiles, 1 to 30, and its throws of 1 to `D` dice, `O` outcomes, `C` covers."""

    cover: Integers
    """int64[C]: the bits that a cover takes away, at least one; outcome by outcome, each in
    canonical order."""
    need: Integers
    """int64[C]: the bits that a cover looks at, its own and its blockers'. It is legal at a state
    `s` where `s & need == cover`."""
    first: Integers
    """int64[O + 1]: the covers of outcome `o` are those from `first[o]` to before `first[o + 1]`.
    There may be none."""
    weight: Floats
    """float64[O]: the probability of each outcome; 1 together for each number of dice."""
    outcome_first: Integers
    """int64[D + 2]: the outcomes of `k` dice are those from `outcome_first[k]` to before
    `outcome_first[k + 1]`; entry 0 is 0."""
    needed: NDArray[np.uint8]
    """uint8[2**n]: the fewest dice that may be thrown at each state, 1 to `D`."""
    may: bool
    """Whether more dice than needed may be thrown, up to `D`; otherwise none but the needed."""
    points: Integers
    """int64[n]: what a tile that is up adds to the sum of a stuck state; not negative."""


class Worth(NamedTuple):
    """What the ends of a turn are worth, in the unit of the aim; more is always better."""

    stuck: Floats
    """float64[sum of points + 1]: the worth of being stuck, by the sum of the tiles up. Finite."""
    shut: float
    """The worth of state 0. NaN: the turn goes on there, and whatever is thrown is stuck."""


class Ends(NamedTuple):
    """How turns end, and how long they last."""

    stuck: Floats
    """float64[len(worth.stuck)]: the probability to end stuck, by the sum of the tiles up."""
    shut: float
    """The probability to end at state 0; 0 where the turn goes on there."""
    throws: float
    """The expected number of throws."""


def values(packed: Packed, worth: Worth, progress: Progress | None = None) -> Floats:
    """The value of every state under best play: float64[2**n], in the unit of the worth."""
    packed, table = _padded(packed), np.empty(len(_padded(packed).needed))

    def settle(group: int) -> None:
        _settle(packed, worth, table, _group_bits(packed), group)

    _by_layers(packed, settle, progress)
    return table[: 1 << len(packed.points)]


def follow(
    packed: Packed,
    worth: Worth,
    table: Floats,
    other: Worth,
    progress: Progress | None = None,
) -> Floats:
    """What another worth comes to for a player who plays for the first: float64[2**n].

    `table` is what `values` gave for the first worth. Of equally good numbers of dice the player
    takes the fewest, of equally good covers the first; see SLACK.
    """
    packed, table = _padded(packed), _padded_table(packed, table)
    followed = np.empty(len(packed.needed))

    def settle(group: int) -> None:
        _follow(packed, worth, table, other, followed, _group_bits(packed), group)

    _by_layers(packed, settle, progress)
    return followed[: 1 << len(packed.points)]


def reach(
    packed: Packed,
    worth: Worth,
    table: Floats,
    start: int,
    progress: Progress | None = None,
) -> Ends:
    """How turns from one state end for the player of `follow`; only states reached cost time."""
    packed, table = _padded(packed), _padded_table(packed, table)
    chance = np.zeros(len(packed.needed))
    chance[start] = 1.0
    stuck = np.zeros(len(worth.stuck))
    throws = 0.0
    bits = _group_bits(packed)
    last = start >> bits
    for group in range(last, -1, -1):
        throws += _reach_group(packed, worth, table, chance, stuck, bits, group)
        if progress is not None:
            progress((last + 1 - group) << bits, (last + 1) << bits)
    return Ends(stuck, 0.0 if math.isnan(worth.shut) else float(chance[0]), throws)


def _padded(packed: Packed) -> Packed:
    """The same with enough tiles for a block: those added are in no cover and worth nothing."""
    more = LANE_BITS - len(packed.points)
    if more <= 0:
        return packed
    needed = np.full(LANES, len(packed.outcome_first) - 2, np.uint8)
    needed[: len(packed.needed)] = packed.needed
    return packed._replace(needed=needed, points=np.append(packed.points, [0] * more))


def _padded_table(packed: Packed, table: Floats) -> Floats:
    return np.resize(table, LANES) if len(table) < LANES else table


def _group_bits(packed: Packed) -> int:
    """How many low bits the states of a group have to themselves.

    Of 757 covers 32,768 states take some milliseconds; more covers, smaller groups, so that
    Ctrl-C is heard soon.
    """
    return max(PART_BITS, min(15, 26 - len(packed.cover).bit_length()))


def _by_layers(packed: Packed, settle: Callable[[int], None], progress: Progress | None) -> None:
    """Settle every group after all those that its states can lead to."""
    size, bits = len(packed.needed), _group_bits(packed)
    groups = range(max(1, size >> bits))
    layers: list[list[int]] = [[] for _ in range(len(groups).bit_length())]
    for group in groups:
        layers[group.bit_count()].append(group)
    done = 0
    with ThreadPoolExecutor(_cores()) as pool:
        for layer in layers:
            # A layer of one needs no thread, and a small box has no other layers.
            for _ in map(settle, layer) if len(layer) == 1 else pool.map(settle, layer):
                done += size // len(groups)
                if progress is not None:
                    progress(done, size)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


Compiled = TypeVar("Compiled", bound=Callable[..., Any])
Sieve = tuple[Integers, Integers, Integers]
"""Covers, needs and firsts, as in Packed."""


def _compiled(function: Compiled) -> Compiled:
    """Compile at the first call, keep it on disk, and let go of Python's lock while it runs.

    numba has no types of its own; here its decorator gets the one that is true of it.
    """
    same: Compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return same


@_compiled
def _empty_sieve(packed: Packed) -> Sieve:
    """Room for what is left of the covers."""
    size = len(packed.cover) + 1
    return np.empty(size, np.int64), np.empty(size, np.int64), np.empty_like(packed.first)


@_compiled
def _sift(source: Sieve, begin: int, end: int, state: int, low: int, into: Sieve) -> None:
    """Keep the covers legal at a state as far as its bits above the low ones tell.

    Those of the outcomes from `begin` to before `end`.
    """
    cover, need, first = source
    to_cover, to_need, to_first = into
    bits = -1 << low
    kept = 0
    for outcome in range(begin, end):
        to_first[outcome] = kept
        for index in range(first[outcome], first[outcome + 1]):
            # Written first and counted after: a jump here would be guessed wrong half the time.
            to_cover[kept] = cover[index]
            to_need[kept] = need[index]
            kept += np.int64(((state ^ cover[index]) & need[index] & bits) == 0)
    to_first[end] = kept


@_compiled
def _sum(points: Integers, state: int) -> int:
    """The sum of the tiles up."""
    total = 0
    for bit in range(len(points)):
        total += points[bit] * (state >> bit & 1)
    return total


@_compiled
def _mean(
    sieve: Sieve, weight: Floats, begin: int, end: int, table: Floats, state: int, stuck: float
) -> float:
    """The value of throwing the dice of some outcomes at one state."""
    cover, need, first = sieve
    mean = 0.0
    for outcome in range(begin, end):
        best = -np.inf
        for index in range(first[outcome], first[outcome + 1]):
            if state & need[index] == cover[index]:
                best = max(best, table[state ^ cover[index]])
        mean += weight[outcome] * (best if best > -np.inf else stuck)
    return mean


@_compiled
def _settle(packed: Packed, worth: Worth, table: Floats, bits: int, group: int) -> None:
    """Work out the values of a group."""
    weight, outcome_first, may = packed.weight, packed.outcome_first, packed.may
    outcomes, dice = len(weight), len(outcome_first) - 2
    is_shut = not np.isnan(worth.shut)
    rows, needed = table.reshape(-1, LANES), packed.needed.reshape(-1, LANES)
    everything = (packed.cover, packed.need, packed.first)
    of_group, of_part, of_block = _empty_sieve(packed), _empty_sieve(packed), _empty_sieve(packed)
    lane_sum = np.array([_sum(packed.points, lane) for lane in range(LANES)])
    stuck, best = np.empty(LANES), np.empty(LANES)
    throwers = np.empty(dice + 1, np.int64)
    means = np.empty((dice + 1, LANES))
    # Outcomes with covers that stay within the block have to wait for the lanes below.
    inner = _empty_sieve(packed)
    inner_outcome = np.empty(outcomes + 1, np.int64)
    inner_best = np.empty((outcomes + 1, LANES))
    inner_of = np.empty(dice + 2, np.int64)

    start = group << bits
    _sift(everything, 0, outcomes, start, bits, of_group)
    for base in range(start, min(start + (1 << bits), len(table)), LANES):
        if base % PART == 0:
            _sift(of_group, 0, outcomes, base, PART_BITS, of_part)
        row, fewest = rows[base >> LANE_BITS], needed[base >> LANE_BITS]
        high_sum = _sum(packed.points, base)
        for lane in range(LANES):
            stuck[lane] = worth.stuck[high_sum + lane_sum[lane]]
        bottom = 0
        if base == 0 and is_shut:
            row[0] = worth.shut
            bottom = 1

        throwers[:] = 0
        for lane in range(bottom, LANES):
            throwers[fewest[lane]] += 1
        count = 0
        waiting = 0
        inner[2][0] = 0
        for k in range(1, dice + 1):
            if may:
                throwers[k] += throwers[k - 1]
            inner_of[k] = waiting
            if throwers[k] > FEW_LANES:
                begin, end = outcome_first[k], outcome_first[k + 1]
                _sift(of_part, begin, end, base, LANE_BITS, of_block)
                waiting = _throw(
                    of_block, weight, begin, end, rows, base, stuck, best, means[k],
                    inner, inner_outcome, inner_best, waiting
                )
            inner_of[k + 1] = waiting

        for lane in range(bottom, LANES):
            state = base + lane
            top = -np.inf
            for k in range(fewest[lane], dice + 1 if may else fewest[lane] + 1):
                if throwers[k] > FEW_LANES:
                    mean = means[k, lane]
                    for wait in range(inner_of[k], inner_of[k + 1]):
                        x = inner_best[wait, lane]
                        for index in range(inner[2][wait], inner[2][wait + 1]):
                            if lane & inner[1][index] == inner[0][index]:
                                x = max(x, row[lane ^ inner[0][index]])
                        mean += weight[inner_outcome[wait]] * (x if x > -np.inf else stuck[lane])
                else:
                    mean = _mean(of_part, weight, outcome_first[k], outcome_first[k + 1], table, state, stuck[lane])
                top = max(top, mean)
            row[lane] = top


@_compiled
def _throw(
    sieve, weight, begin, end, rows, base, stuck, best, mean, inner, inner_outcome, inner_best, waiting
):
    cover, need, first = sieve
    inner_cover, inner_need, inner_first = inner
    for lane in range(len(best)):
        mean[lane] = 0.0
    for outcome in range(begin, end):
        for lane in range(len(best)):
            best[lane] = -np.inf
        kept = inner_first[waiting]
        for index in range(first[outcome], first[outcome + 1]):
            row = rows[(base ^ cover[index]) >> LANE_BITS]
            if need[index] & (LANES - 1) == 0:
                for lane in range(len(best)):
                    best[lane] = row[lane] if row[lane] > best[lane] else best[lane]
            elif cover[index] >= LANES:
                gone = cover[index] & (LANES - 1)
                free = ~need[index] & (LANES - 1)
                left = free
                while True:
                    if row[left] > best[left | gone]:
                        best[left | gone] = row[left]
                    if left == 0:
                        break
                    left = (left - 1) & free
            else:
                inner_cover[kept] = cover[index]
                inner_need[kept] = need[index] & (LANES - 1)
                kept += 1
        if kept == inner_first[waiting]:
            for lane in range(len(best)):
                mean[lane] += weight[outcome] * (best[lane] if best[lane] > -np.inf else stuck[lane])
        else:
            inner_outcome[waiting] = outcome
            for lane in range(len(best)):
                inner_best[waiting, lane] = best[lane]
            waiting += 1
            inner_first[waiting] = kept
    return waiting
