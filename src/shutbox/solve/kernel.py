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
FEW = 3
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
def _sift(source: Sieve, state: int, low: int, into: Sieve) -> None:
    """Keep the covers legal at a state as far as its bits above the low ones tell."""
    cover, need, first = source
    to_cover, to_need, to_first = into
    bits = -1 << low
    kept = 0
    for outcome in range(len(first) - 1):
        to_first[outcome] = kept
        for index in range(first[outcome], first[outcome + 1]):
            # Written first and counted after: a jump here would be guessed wrong half the time.
            to_cover[kept] = cover[index]
            to_need[kept] = need[index]
            kept += np.int64(((state ^ cover[index]) & need[index] & bits) == 0)
    to_first[len(first) - 1] = kept


@_compiled
def _sum(points: Integers, state: int) -> int:
    """The sum of the tiles up."""
    total = 0
    for bit in range(len(points)):
        total += points[bit] * (state >> bit & 1)
    return total


@_compiled
def _mean(
    sieve: Sieve, packed: Packed, k: int, table: Floats, state: int, stuck: float
) -> float:
    """The value of throwing the dice of some outcomes at one state."""
    cover, need, first = sieve
    mean = 0.0
    for outcome in range(packed.outcome_first[k], packed.outcome_first[k + 1]):
        best = -np.inf
        for index in range(first[outcome], first[outcome + 1]):
            if state & need[index] == cover[index]:
                best = max(best, table[state ^ cover[index]])
        mean += packed.weight[outcome] * (best if best > -np.inf else stuck)
    return mean


@_compiled
def _settle(packed: Packed, worth: Worth, table: Floats, bits: int, group: int) -> None:
    """Work out the values of a group."""
    outcome_first, may = packed.outcome_first, packed.may
    outcomes, dice = len(packed.weight), len(outcome_first) - 2
    size = min(PART, len(table))
    # Never another number; but a compiler that knows it unrolls loops instead of using vectors.
    lanes = min(LANES, len(table))
    is_shut = not np.isnan(worth.shut)
    everything = (packed.cover, packed.need, packed.first)
    of_group, of_part = _empty_sieve(packed), _empty_sieve(packed)
    low_sum = np.array([_sum(packed.points, low) for low in range(size)])
    stuck, means = np.empty(size), np.empty((dice + 1) * size)
    throwers = np.empty((size // LANES, dice + 1), np.int64)
    # Outcomes with covers that stay within the part, and so wait for the states below.
    inner = _empty_sieve(packed)
    waiting, best = np.empty(outcomes + 1, np.int64), np.empty((outcomes + 1) * size)
    wait_first = np.zeros(dice + 2, np.int64)
    is_open = np.empty(outcomes + 1, np.bool_)

    start = group << bits
    _sift(everything, start, bits, of_group)
    for base in range(start, min(start + (1 << bits), len(table)), size):
        _sift(of_group, base, PART_BITS, of_part)
        high_sum = _sum(packed.points, base)
        for low in range(size):
            stuck[low] = worth.stuck[high_sum + low_sum[low]]
        throwers[:] = 0
        for low in range(1 if base == 0 and is_shut else 0, size):
            throwers[low // LANES, packed.needed[base + low]] += 1
        inner[2][0] = 0
        for k in range(1, dice + 1):
            if may:
                throwers[:, k] += throwers[:, k - 1]
            wait_first[k + 1] = wait_first[k]
            if throwers[:, k].max() > FEW:
                wait_first[k + 1] = _throw(
                    packed, k, of_part, table, base, stuck, means, inner, waiting, best, wait_first[k], lanes
                )

        for first in range(0, size, LANES):
            row = base + first
            for k in range(1, dice + 1):
                if throwers[first // LANES, k] > FEW:
                    for wait in range(wait_first[k], wait_first[k + 1]):
                        at = wait * size + first
                        is_open[wait] = _raise_within(inner, wait, table, row, best, at, lanes)
                        if not is_open[wait]:
                            weight = packed.weight[waiting[wait]]
                            _add(means, k * size + first, weight, best, at, stuck, first, lanes)
            for state in range(row, row + LANES):
                if state == 0 and is_shut:
                    table[0] = worth.shut
                    continue
                low = state - base
                needed, top = np.int64(packed.needed[state]), -np.inf
                for k in range(needed, (dice if may else needed) + 1):
                    if throwers[first // LANES, k] > FEW:
                        x = means[k * size + low]
                        for wait in range(wait_first[k], wait_first[k + 1]):
                            if is_open[wait]:
                                y = best[wait * size + low]
                                for index in range(inner[2][wait], inner[2][wait + 1]):
                                    cover = inner[0][index]
                                    if cover < LANES and (state ^ cover) & inner[1][index] == 0:
                                        y = max(y, table[state ^ cover])
                                x += packed.weight[waiting[wait]] * (y if y > -np.inf else stuck[low])
                    else:
                        x = _mean(of_part, packed, k, table, state, stuck[low])
                    top = max(top, x)
                table[state] = top


@_compiled
def _throw(
    packed: Packed,
    k: int,
    sieve: Sieve,
    table: Floats,
    base: int,
    stuck: Floats,
    means: Floats,
    inner: Sieve,
    waiting: Integers,
    best: Floats,
    wait: int,
    lanes: int,
) -> int:
    """Throw k dice at all states of a part, as far as covers lead out of it.

    Outcomes with other covers are put on the waiting list, which is `wait` long. Gives its length
    after.
    """
    cover, need, first = sieve
    size = len(stuck)
    means[k * size : (k + 1) * size] = 0.0
    for outcome in range(packed.outcome_first[k], packed.outcome_first[k + 1]):
        to = wait * size
        best[to : to + size] = -np.inf
        kept = inner[2][wait]
        for index in range(first[outcome], first[outcome + 1]):
            source = (base ^ cover[index]) & -size
            free, gone = ~need[index] & (size - 1), cover[index] & (size - 1)
            if source == base:
                inner[0][kept] = cover[index]
                inner[1][kept] = need[index]
                kept += 1
            elif free == size - 1:
                _raise(best, to, table, source, size)
            else:
                some = free & -LANES
                left = some
                while True:
                    _raise_some(best, to + (left | gone & -LANES), table, source + left, gone & LANES - 1, free & LANES - 1, lanes)
                    if left == 0:
                        break
                    left = (left - 1) & some
        if kept == inner[2][wait]:
            _add(means, k * size, packed.weight[outcome], best, to, stuck, 0, size)
        else:
            waiting[wait] = outcome
            wait += 1
            inner[2][wait] = kept
    return wait


@_compiled
def _raise(best: Floats, to: int, table: Floats, source: int, count: int) -> None:
    to_, source_ = np.uint64(to), np.uint64(source)
    for lane in range(np.uint64(count)):
        x, y = best[to_ + lane], table[source_ + lane]
        best[to_ + lane] = (x if x > y else y) + 0.0


@_compiled
def _add(means: Floats, at: int, weight: float, best: Floats, to: int, stuck: Floats, first: int, count: int) -> None:
    at_, to_, first_ = np.uint64(at), np.uint64(to), np.uint64(first)
    for lane in range(np.uint64(count)):
        x = best[to_ + lane]
        means[at_ + lane] += weight * (x if x > -np.inf else stuck[first_ + lane])


@_compiled
def _raise_some(best: Floats, to: int, table: Floats, source: int, gone: int, free: int, lanes: int) -> None:
    if free == LANES - 1:
        _raise(best, to, table, source, lanes)
        return
    left = free
    while True:
        if table[source + left] > best[to + (left | gone)]:
            best[to + (left | gone)] = table[source + left]
        if left == 0:
            break
        left = (left - 1) & free


@_compiled
def _raise_within(inner: Sieve, wait: int, table: Floats, row: int, best: Floats, to: int, lanes: int) -> bool:
    cover, need, first = inner
    is_open = False
    for index in range(first[wait], first[wait + 1]):
        if (row ^ cover[index]) & need[index] & -LANES == 0:
            if cover[index] < LANES:
                is_open = True
            else:
                _raise_some(best, to, table, (row ^ cover[index]) & -LANES, cover[index] & LANES - 1, ~need[index] & LANES - 1, lanes)
    return is_open
