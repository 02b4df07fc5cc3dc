"""A compiled solver for all positions of a box of tiles, on arrays of numbers.

A state is a number whose set bits are the tiles still up. The player throws the best of the numbers
of dice that are allowed there. A number of dice has the mean value of its outcomes. An outcome has
the value of the best state that a legal cover leads to, or the payoff of being stuck if no cover is
legal. A cover clears bits, so successors are smaller numbers: one ascending pass computes all.

Four things make the pass fast, most of all if bit 0 is the highest tile, which few covers use.

- A *part* is 1,024 neighbouring states. A cover that depends on none of their lowest ten bits is
  legal in all of a part or in none, and leads from state to state into another whole part: one
  vector operation. This also holds for a *row* of 32 states. All others are tried state by state.
- The covers are *sifted* by the high bits of the states: once for a group, and the remaining ones
  again for each part. No state has to test a cover that was sifted out.
- A *group* is up to 32,768 states with equal high bits. It leads to groups whose high bits are a
  subset of its own, so groups with the same number of high bits set run in parallel threads. Each
  is a short call without the GIL: Ctrl-C and other threads do not have to wait.
- Within a call arrays are passed by name and offset. numba counts references to every slice, and
  threads that count the same references wait for each other. That cost more than all the rest.

The threads are Python's own. The only thread pool that numba has on every platform aborts the
process if two threads enter it at a time, and parallel code takes longer to compile.

This is one long file because numba would not notice a change in a file that it depends on.
Inputs are not checked: arrays that break their description are read and written out of bounds.
An array of another type, not contiguous or not writeable, only costs another compilation.
"""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.solving import jit
from shutbox.solving.progress import Progress

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

ROW_BITS, PART_BITS, GROUP_BITS = 5, 10, 15
ROW, PART = 1 << ROW_BITS, 1 << PART_BITS
FEW = 3  # if no more states of a row can throw k dice, they are computed one by one
SLACK = 1e-12  # values that differ by no more, absolutely or relatively, are ties
STUCK = -1  # the target of an outcome that leaves no legal cover


class Packed(NamedTuple):
    """A box as arrays: `n` tiles, 5 to 30, throws of 1 to `D` dice, `O` outcomes and `C` covers."""

    cover: Integers
    """int64[C]: the bits that a cover clears, at least one; by outcome, each in canonical order."""
    need: Integers
    """int64[C]: the bits that a cover depends on, its own and its blockers'. It is legal at a state
    `s` if `s & need == cover`, and leads to `s ^ cover`."""
    first: Integers
    """int64[O + 1]: outcome `o` has the covers from `first[o]` to before `first[o + 1]`, if any."""
    weight: Floats
    """float64[O]: the probability of each outcome; they sum to 1 for each number of dice."""
    outcome_first: Integers
    """int64[D + 2]: `k` dice have the outcomes from `outcome_first[k]` to before
    `outcome_first[k + 1]`; entry 0 is 0."""
    lowest: Integers
    """int64[n + 1]: the fewest dice that can be thrown, 1 to `D`, by the lowest bit that is set.
    The last entry is for state 0, and has no effect if that is an end."""
    few: Integers  # int64[F]: the states at which `lowest` does not hold, ascending
    few_needed: Integers  # int64[F]: the fewest dice at each of these
    more_dice: bool
    """Whether more dice than the fewest can be thrown, up to `D`; otherwise exactly the fewest."""
    front: Integers
    """int64[B]: the bits of tiles that hide another one, which cannot go down before them."""
    back: Integers
    """int64[B]: the bits of the hidden tiles. A state with a bit of `front` but without its bit of
    `back` never comes up. Many of these are skipped, and their values have no meaning."""
    points: Integers
    """int64[n]: the points that a tile adds to the sum of a stuck state if it is up; at least 0."""


class Payoffs(NamedTuple):
    """The payoffs of the ends of a turn, in the unit of the aim; more is always better."""

    stuck: Floats
    """float64[sum of points + 1]: the payoff of being stuck, by the sum of the tiles up. Finite."""
    shut: float
    """The payoff of state 0. NaN means that the turn goes on there until it is stuck."""


class Ends(NamedTuple):
    """The probabilities of the ends of a turn, and its expected length."""

    stuck: Floats
    """float64[sum of points + 1]: the probability to end stuck, by the sum of the tiles up."""
    shut: float  # the probability to end at state 0; 0 where the turn goes on there
    throws: float  # the expected number of throws


def values(packed: Packed, payoffs: Payoffs, progress: Progress | None = None) -> Floats:
    """Return the value of every state under best play: float64[2**n], in the unit of `payoffs`."""
    bits, table = _group_bits(packed), np.zeros(1 << len(packed.points))
    _run_by_layers(len(table), bits, partial(_settle, packed, payoffs, table, bits), progress)
    return table


def evaluate_policy(
    packed: Packed, own: Payoffs, table: Floats, other: Payoffs, progress: Progress | None = None
) -> Floats:
    """Return the values under `other` of a player who plays best for `own`: float64[2**n].

    `table` is the result of `values` for `own`. Of equally good numbers of dice this player takes
    the fewest, of equally good covers the first; SLACK defines equal. State 0 is an end under both
    payoffs or under neither.
    """
    bits, result = _group_bits(packed), np.zeros(len(table))
    settle = partial(_evaluate_policy, packed, own, table, other, result, bits)
    _run_by_layers(len(result), bits, settle, progress)
    return result


def reach(
    packed: Packed, own: Payoffs, table: Floats, start: int, progress: Progress | None = None
) -> Ends:
    """Return how turns from state `start` end for the player and `table` of `evaluate_policy`."""
    bits, chance = _group_bits(packed), np.zeros(len(table))
    chance[start] = 1.0
    stuck = np.zeros(len(own.stuck))
    throws = 0.0
    last = start >> bits
    for group in range(last, -1, -1):
        throws += _reach(packed, own, table, chance, stuck, bits, group)
        if progress is not None:
            progress((last + 1 - group) << bits, (last + 1) << bits)
    return Ends(stuck, 0.0 if math.isnan(own.shut) else float(chance[0]), throws)


def _group_bits(packed: Packed) -> int:
    """Return how many low bits tell the states of a group apart; fewer if many covers are legal.

    A random state of a box of 24 tiles has 150 legal covers. On 32,768 states these take some
    milliseconds, so Ctrl-C works soon.
    """
    legal = float(np.exp2(-np.bitwise_count(packed.need).astype(np.float64)).sum())
    # With b for the bit length of 7 * legal, 7 * legal < 2 ** b. So a group of 2 ** (26 - b) states
    # has fewer than 2 ** 26 / 7, some ten million, legal covers.
    return max(PART_BITS, min(GROUP_BITS, 26 - int(7 * legal).bit_length()))


def _run_by_layers(
    size: int, bits: int, settle: Callable[[int], None], progress: Progress | None
) -> None:
    """Run `settle` on every group, after all groups that its states lead to."""
    count = max(1, size >> bits)
    layers: list[list[int]] = [[] for _ in range(count.bit_length())]
    for group in range(count):
        layers[group.bit_count()].append(group)
    done = 0
    with ThreadPoolExecutor(jit.cores()) as pool:
        for layer in layers:
            # The first layer has one group, which is all of a box of up to 15 tiles.
            for _ in map(settle, layer) if len(layer) == 1 else pool.map(settle, layer):
                done += size // count
                if progress is not None:
                    progress(done, size)


class Sieve(NamedTuple):
    """The covers that some high bits of the states allow, in arrays as in `Packed`."""

    cover: Integers
    need: Integers
    first: Integers


class PartSpace(NamedTuple):
    """The working arrays of a part, whose states are counted from 0 by their *offset* in it.

    An outcome *waits* if a cover of it stays inside the part, since it needs the values of lower
    states there. It has a *slot*, a number counted from 0 in each part.
    """

    stuck: Floats  # the payoff of being stuck, by offset
    needed: Integers  # the fewest dice, by offset
    throwers: Integers  # how many states of a row can throw k dice, by row and k
    mean: Floats  # the mean of the outcomes of k dice so far, by k * part + offset
    slot_first: Integers  # k dice have the slots from `slot_first[k]` to before `slot_first[k + 1]`
    waiting: Integers  # the outcome, by slot
    inner: Sieve  # the covers that stay inside the part, by slot in place of the outcome
    best: Floats  # the best value after the other covers so far, by slot * part + offset
    is_open: NDArray[np.bool_]  # whether covers stay inside the current row, by slot


class RowSpace(NamedTuple):
    """The working arrays of a row, whose states are counted from 0 in it."""

    covers: Sieve
    sums: Integers  # the points of the tiles up, by state
    thrown: Integers  # the number of dice to throw, by state
    target: Integers  # the state that an outcome leads to, or STUCK, by outcome * ROW + state
    mean: Floats  # the mean of k dice, by k * ROW + state


@jit.inlined
def _row_length(table: Floats) -> int:
    """Return ROW, hidden from the compiler: it would unroll loops over it, not use vectors."""
    return min(ROW, len(table))  # a table has at least as many states


@jit.inlined
def _max_into(best: Floats, best_at: int, table: Floats, table_at: int, count: int) -> None:
    """Replace `count` values at `best[best_at]` by those at `table[table_at]` that are greater."""
    # Unsigned offsets: numba tests signed ones for negative values, which prevents vectors.
    to_best, from_table = np.uint64(best_at), np.uint64(table_at)
    for i in range(np.uint64(count)):
        x, y = best[to_best + i], table[from_table + i]
        # Adding zero keeps LLVM from storing only the values that changed. The next cover would
        # have to wait for such a store.
        best[to_best + i] = (x if x > y else y) + 0.0


@jit.inlined
def _max_row_into(
    best: Floats, best_at: int, table: Floats, table_at: int, cover: int, need: int, row: int
) -> None:
    """Replace values of the row `best[best_at]` by greater ones of `table[table_at]`, where legal.

    `best_at` is where the row of the states before the cover begins, `table_at` that of the states
    after it.
    """
    # The bits of a row that the cover clears, and those that it does not depend on. It is legal at
    # the states that have `gone`, any subset of `free` and nothing else, and leaves the subset.
    gone, free = cover & (ROW - 1), ~need & (ROW - 1)
    if free == ROW - 1:
        _max_into(best, best_at, table, table_at, row)
        return
    # All subsets of `free`, from the largest down to 0: subtracting 1 clears the lowest bit and
    # sets all below it, and `& free` drops those that are not free.
    subset = free
    while True:
        best[best_at + (subset | gone)] = max(
            best[best_at + (subset | gone)], table[table_at + subset]
        )
        if subset == 0:
            return
        subset = (subset - 1) & free


@jit.inlined
def _add(
    mean: Floats,
    mean_at: int,
    weight: float,
    best: Floats,
    best_at: int,
    stuck: Floats,
    stuck_at: int,
    count: int,
) -> None:
    """Add `count` weighted values of `best`, or of `stuck` where no cover is legal, to `mean`.

    `mean_at`, `best_at` and `stuck_at` are where these values begin. Without a legal cover, `best`
    is -inf.
    """
    in_mean, in_best, in_stuck = np.uint64(mean_at), np.uint64(best_at), np.uint64(stuck_at)
    for i in range(np.uint64(count)):
        x = best[in_best + i]
        mean[in_mean + i] += weight * (x if x > -np.inf else stuck[in_stuck + i])


@jit.compiled
def _empty_sieve(packed: Packed) -> Sieve:
    """Return unset arrays for up to all covers of a box, with room for one more."""
    size = len(packed.cover) + 1
    return Sieve(np.empty(size, np.int64), np.empty(size, np.int64), np.empty_like(packed.first))


@jit.compiled
def _sift(source: Sieve, state: int, low_bits: int, into: Sieve) -> None:
    """Overwrite `into` with the covers legal at a state as far as its high bits tell.

    The `low_bits` lowest bits are ignored.
    """
    cover, need, first = source
    to_cover, to_need, to_first = into
    judged = -1 << low_bits
    size = 0
    for outcome in range(len(first) - 1):
        to_first[outcome] = size
        for index in range(first[outcome], first[outcome + 1]):
            # Written first and counted after: the CPU would mispredict half of the branches here.
            to_cover[size], to_need[size] = cover[index], need[index]
            size += int((state ^ cover[index]) & need[index] & judged == 0)
    to_first[len(first) - 1] = size


@jit.inlined
def _points_up(points: Integers, state: int) -> int:
    """Return the sum of the points of the tiles up at a state."""
    total = 0
    for bit in range(len(points)):
        total += points[bit] * (state >> bit & 1)
    return total


@jit.inlined
def _never_comes_up(packed: Packed, state: int, low_bits: int) -> bool:
    """Whether no state with these high bits comes up; the `low_bits` lowest bits are ignored."""
    for index in range(len(packed.front)):
        front, back = packed.front[index] >> low_bits, packed.back[index] >> low_bits
        if front and back and state >> low_bits & front and not state >> low_bits & back:
            return True
    return False


@jit.inlined
def _write_needed(packed: Packed, base: int, needed: Integers) -> None:
    """Write to `needed` the fewest dice at each state of the part or the row from `base` on."""
    lowest, few = packed.lowest, packed.few
    size = len(needed)
    for bit in range(len(packed.points)):
        step = 1 << bit
        if step < size:
            needed[step :: 2 * step] = lowest[bit]
        elif base & step:
            needed[0] = lowest[bit]
            break
    if base == 0:
        needed[0] = lowest[-1]
    for index in range(np.searchsorted(few, base), len(few)):
        if few[index] >= base + size:
            break
        needed[few[index] - base] = packed.few_needed[index]


@jit.compiled
def _part_space(packed: Packed, part: int) -> PartSpace:
    """Return unset arrays for parts of so many states, with room for one more outcome."""
    slots, dice = len(packed.weight) + 1, len(packed.outcome_first) - 2
    return PartSpace(
        stuck=np.empty(part),
        needed=np.empty(part, np.int64),
        throwers=np.empty((part // ROW, dice + 1), np.int64),
        mean=np.empty((dice + 1) * part),
        slot_first=np.zeros(dice + 2, np.int64),
        waiting=np.empty(slots, np.int64),
        inner=_empty_sieve(packed),
        best=np.empty(slots * part),
        is_open=np.empty(slots, np.bool_),
    )


@jit.compiled
def _settle(packed: Packed, payoffs: Payoffs, table: Floats, bits: int, group: int) -> None:
    """Write the values of a group to `table`, which has those of the groups it leads to."""
    if _never_comes_up(packed, group << bits, bits):
        return
    part = min(PART, len(table))
    of_group, of_part, space = _empty_sieve(packed), _empty_sieve(packed), _part_space(packed, part)
    low_sums = np.array([_points_up(packed.points, offset) for offset in range(part)])
    start = group << bits
    _sift(Sieve(packed.cover, packed.need, packed.first), start, bits, of_group)
    for base in range(start, min(start + (1 << bits), len(table)), part):
        if _never_comes_up(packed, base, PART_BITS):
            continue
        _sift(of_group, base, PART_BITS, of_part)
        _begin_part(packed, payoffs, base, low_sums, space)
        for k in range(1, len(packed.outcome_first) - 1):
            _throw(packed, k, of_part, table, base, space)
        # Rows ascend, and states in a row: all successors inside the part are known by then.
        for row_at in range(0, part, ROW):
            if not _never_comes_up(packed, base + row_at, ROW_BITS):
                _close_row(packed.weight, table, base, row_at, space)
                _settle_row(packed, payoffs, of_part, table, base, row_at, space)


@jit.compiled
def _begin_part(
    packed: Packed, payoffs: Payoffs, base: int, low_sums: Integers, space: PartSpace
) -> None:
    """Write `stuck`, `needed` and `throwers` of the part from `base` on, and empty its slots.

    `low_sums` are the sums of the points of the lowest tiles, by offset.
    """
    part, throwers = len(space.stuck), space.throwers
    high_sum = _points_up(packed.points, base)
    for offset in range(part):
        space.stuck[offset] = payoffs.stuck[high_sum + low_sums[offset]]
    _write_needed(packed, base, space.needed)
    throwers[:] = 0
    for offset in range(1 if base == 0 and not np.isnan(payoffs.shut) else 0, part):
        throwers[offset // ROW, space.needed[offset]] += 1
    if packed.more_dice:
        for k in range(2, throwers.shape[1]):
            throwers[:, k] += throwers[:, k - 1]
    space.inner.first[0] = 0


@jit.inlined
def _close_row(weight: Floats, table: Floats, base: int, row_at: int, space: PartSpace) -> None:
    """Apply the covers of waiting outcomes that lead out of a row, for all its states at once.

    An outcome with a cover that stays inside the row is left open; the others are added to `mean`.
    """
    part, row = len(space.stuck), _row_length(table)
    best, stuck = space.best, space.stuck
    for k in range(1, space.throwers.shape[1]):
        if space.throwers[row_at // ROW, k] <= FEW:
            continue
        for slot in range(space.slot_first[k], space.slot_first[k + 1]):
            best_at = slot * part + row_at
            is_open = _close(table, base + row_at, best, best_at, space.inner, slot, row)
            space.is_open[slot] = is_open
            if not is_open:
                share = weight[space.waiting[slot]]
                _add(space.mean, k * part + row_at, share, best, best_at, stuck, row_at, row)


@jit.inlined
def _settle_row(
    packed: Packed,
    payoffs: Payoffs,
    of_part: Sieve,
    table: Floats,
    base: int,
    row_at: int,
    space: PartSpace,
) -> None:
    """Write the values of a row that has been closed to `table`."""
    most = len(packed.outcome_first) - 2
    for offset in range(row_at, row_at + ROW):
        state = base + offset
        if state == 0 and not np.isnan(payoffs.shut):
            table[0] = payoffs.shut
            continue
        fewest = space.needed[offset]
        top = -np.inf
        for k in range(fewest, (most if packed.more_dice else fewest) + 1):
            if space.throwers[row_at // ROW, k] > FEW:
                value = _mean_in_row(packed.weight, k, table, state, offset, space)
            else:
                value = _mean_alone(packed, k, of_part, table, state, space.stuck[offset])
            top = max(top, value)
        table[state] = top


@jit.inlined
def _close(
    table: Floats, base: int, best: Floats, best_at: int, inner: Sieve, slot: int, row: int
) -> bool:
    """Apply to a row of `best` the covers that leave it; return whether others stay inside it.

    `base` is the first state of the row, and its values begin at `best_at`.
    """
    cover, need, first = inner
    is_open = False
    for index in range(first[slot], first[slot + 1]):
        c, n = cover[index], need[index]
        if (base ^ c) & n & -ROW == 0:
            if c < ROW:
                is_open = True
            else:
                _max_row_into(best, best_at, table, (base ^ c) & -ROW, c, n, row)
    return is_open


@jit.inlined
def _mean_in_row(
    weight: Floats, k: int, table: Floats, state: int, offset: int, space: PartSpace
) -> float:
    """Return the mean of the outcomes of k dice at a state of a row that has been closed."""
    mean: float = space.mean[k * len(space.stuck) + offset]
    for slot in range(space.slot_first[k], space.slot_first[k + 1]):
        if space.is_open[slot]:
            best = space.best[slot * len(space.stuck) + offset]
            best = _best_in_row(table, state, best, space.inner, slot)
            mean += weight[space.waiting[slot]] * (best if best > -np.inf else space.stuck[offset])
    return mean


@jit.inlined
def _best_in_row(table: Floats, state: int, best: float, inner: Sieve, slot: int) -> float:
    """Return the best value at a state of an open outcome, after the covers inside the row."""
    cover, need, first = inner
    for index in range(first[slot], first[slot + 1]):
        c = cover[index]
        if c < ROW and (state ^ c) & need[index] == 0:
            best = max(best, table[state ^ c])
    return best


@jit.inlined
def _mean_alone(
    packed: Packed, k: int, sieve: Sieve, table: Floats, state: int, stuck: float
) -> float:
    """Return the mean of the outcomes of k dice at a state, cover by cover."""
    cover, need, first = sieve
    mean = 0.0
    for outcome in range(packed.outcome_first[k], packed.outcome_first[k + 1]):
        best = -np.inf
        for index in range(first[outcome], first[outcome + 1]):
            if state & need[index] == cover[index]:
                best = max(best, table[state ^ cover[index]])
        mean += packed.weight[outcome] * (best if best > -np.inf else stuck)
    return mean


@jit.compiled
def _throw(
    packed: Packed, k: int, sieve: Sieve, table: Floats, base: int, space: PartSpace
) -> None:
    """Add to `mean`, at each state of a part, the outcomes of k dice with no cover inside the part.

    Give the other outcomes slots, after those of fewer dice. `base` is the first state of the part.
    Do nothing if few states of each row can throw so many dice.
    """
    cover, need, first = sieve
    inner_cover, inner_need, inner_first = space.inner
    mean, best, stuck, weight = space.mean, space.best, space.stuck, packed.weight
    part, row = len(stuck), _row_length(table)
    slot = space.slot_first[k]
    space.slot_first[k + 1] = slot
    if space.throwers[:, k].max() <= FEW:
        return
    mean[k * part : (k + 1) * part] = 0.0
    for outcome in range(packed.outcome_first[k], packed.outcome_first[k + 1]):
        best_at = slot * part
        best[best_at : best_at + part] = -np.inf
        end = inner_first[slot]
        for index in range(first[outcome], first[outcome + 1]):
            c, n = cover[index], need[index]
            table_at = (base ^ c) & -part
            if table_at == base:
                inner_cover[end], inner_need[end] = c, n
                end += 1
            elif n & (part - 1) == 0:
                _max_into(best, best_at, table, table_at, part)
            else:
                # The rows where the cover is legal: all subsets of `free`, as in `_max_row_into`.
                free, gone = ~n & (part - ROW), c & (part - ROW)
                subset = free
                while True:
                    _max_row_into(
                        best, best_at + (subset | gone), table, table_at + subset, c, n, row
                    )
                    if subset == 0:
                        break
                    subset = (subset - 1) & free
        if end == inner_first[slot]:
            _add(mean, k * part, weight[outcome], best, best_at, stuck, 0, part)
        else:
            space.waiting[slot] = outcome
            slot += 1
            inner_first[slot] = end
    space.slot_first[k + 1] = slot


@jit.inlined
def _aim_row(
    target: Integers,
    target_at: int,
    enough: Floats,
    table: Floats,
    table_at: int,
    cover: int,
    need: int,
    row: int,
) -> None:
    """Set the targets of a row to the states after a cover, where legal and worth `enough`.

    The states are walked as in `_max_row_into`.
    """
    gone, free = cover & (ROW - 1), ~need & (ROW - 1)
    subset = free
    if free == ROW - 1:
        in_target, from_table = np.uint64(target_at), np.uint64(table_at)
        for i in range(np.uint64(row)):
            aimed = table[from_table + i] >= enough[i]
            target[in_target + i] = np.int64(from_table + i) if aimed else target[in_target + i]
        return
    while True:
        if table[table_at + subset] >= enough[subset | gone]:
            target[target_at + (subset | gone)] = table_at + subset
        if subset == 0:
            return
        subset = (subset - 1) & free


@jit.compiled
def _row_space(packed: Packed) -> RowSpace:
    """Return unset arrays for the rows of a box."""
    return RowSpace(
        covers=_empty_sieve(packed),
        sums=np.empty(ROW, np.int64),
        thrown=np.empty(ROW, np.int64),
        target=np.empty(len(packed.weight) * ROW, np.int64),
        mean=np.empty((len(packed.outcome_first) - 1) * ROW),
    )


@jit.inlined
def _least_tie(value: float) -> float:
    """Return the least value that ties with this one as the best."""
    return value - SLACK * max(1.0, abs(value))


@jit.compiled
def _decide(packed: Packed, own: Payoffs, table: Floats, base: int, space: RowSpace) -> None:
    """Write to `space` the choices of dice and targets in the row from `base` on, and the sums.

    Unlike in `_settle`, no state has to wait for another, because all values are known. `_sift` has
    put the covers in `space`.
    """
    (cover, need, first), sums, thrown, target, mean = space
    row = _row_length(table)
    weight, outcome_first = packed.weight, packed.outcome_first
    most = len(outcome_first) - 2
    stuck, best = np.empty(ROW), np.empty(ROW)
    least_needed, most_needed = most, 1
    _write_needed(packed, base, thrown)
    if base == 0 and not np.isnan(own.shut):
        thrown[0] = most  # state 0 is an end, so its entry has no meaning
    for i in range(ROW):
        sums[i] = _points_up(packed.points, base + i)
        stuck[i] = own.stuck[sums[i]]
        least_needed, most_needed = min(least_needed, thrown[i]), max(most_needed, thrown[i])
    for k in range(least_needed, (most if packed.more_dice else most_needed) + 1):
        mean[k * ROW : (k + 1) * ROW] = 0.0
        for outcome in range(outcome_first[k], outcome_first[k + 1]):
            target_at = outcome * ROW
            best[:] = -np.inf
            target[target_at : target_at + ROW] = STUCK
            for index in range(first[outcome], first[outcome + 1]):
                c, n = cover[index], need[index]
                _max_row_into(best, 0, table, (base ^ c) & -ROW, c, n, row)
            _add(mean, k * ROW, weight[outcome], best, 0, stuck, 0, row)
            for i in range(ROW):
                best[i] = _least_tie(best[i])
            # Backwards, so that the first cover is written last.
            for index in range(first[outcome + 1] - 1, first[outcome] - 1, -1):
                c, n = cover[index], need[index]
                _aim_row(target, target_at, best, table, (base ^ c) & -ROW, c, n, row)
    if packed.more_dice:
        for i in range(ROW):
            enough = _least_tie(table[base + i])
            while thrown[i] < most and mean[thrown[i] * ROW + i] < enough:
                thrown[i] += 1


@jit.compiled
def _evaluate_policy(
    packed: Packed,
    own: Payoffs,
    table: Floats,
    other: Payoffs,
    result: Floats,
    bits: int,
    group: int,
) -> None:
    """Write a group's values under `other` to `result`, which has those of its successors."""
    weight, outcome_first, other_stuck = packed.weight, packed.outcome_first, other.stuck
    of_group, of_part, space = _empty_sieve(packed), _empty_sieve(packed), _row_space(packed)
    sums, thrown, target = space.sums, space.thrown, space.target
    start = group << bits
    _sift(Sieve(packed.cover, packed.need, packed.first), start, bits, of_group)
    for base in range(start, min(start + (1 << bits), len(table)), ROW):
        if base % PART == 0:
            _sift(of_group, base, PART_BITS, of_part)
        if _never_comes_up(packed, base, ROW_BITS):
            continue
        _sift(of_part, base, ROW_BITS, space.covers)
        _decide(packed, own, table, base, space)
        for i in range(ROW):
            if base + i == 0 and not np.isnan(own.shut):
                result[0] = other.shut
                continue
            mean = 0.0
            for outcome in range(outcome_first[thrown[i]], outcome_first[thrown[i] + 1]):
                successor = target[outcome * ROW + i]
                mean += weight[outcome] * (
                    other_stuck[sums[i]] if successor == STUCK else result[successor]
                )
            result[base + i] = mean


@jit.compiled
def _reach(
    packed: Packed, own: Payoffs, table: Floats, chance: Floats, ends: Floats, bits: int, group: int
) -> float:
    """Add the chances in a group to its successors and `ends`; return its expected throws."""
    weight, outcome_first = packed.weight, packed.outcome_first
    of_group, of_part, space = _empty_sieve(packed), _empty_sieve(packed), _row_space(packed)
    sums, thrown, target = space.sums, space.thrown, space.target
    throws = 0.0
    sifted = -1
    start = group << bits
    for base in range(min(start + (1 << bits), len(table)) - ROW, start - 1, -ROW):
        if not chance[base : base + ROW].any():
            continue
        if sifted == -1:
            _sift(Sieve(packed.cover, packed.need, packed.first), start, bits, of_group)
        if sifted != base // PART:
            sifted = base // PART
            _sift(of_group, base, PART_BITS, of_part)
        _sift(of_part, base, ROW_BITS, space.covers)
        _decide(packed, own, table, base, space)
        for i in range(ROW - 1, -1, -1):
            probability = chance[base + i]
            if probability == 0.0 or (base + i == 0 and not np.isnan(own.shut)):
                continue
            throws += probability
            for outcome in range(outcome_first[thrown[i]], outcome_first[thrown[i] + 1]):
                successor = target[outcome * ROW + i]
                if successor == STUCK:
                    ends[sums[i]] += probability * weight[outcome]
                else:
                    chance[successor] += probability * weight[outcome]
    return throws
