"""Values of all positions of a box of tiles, compiled: arrays of numbers in and out.

A state is a number whose set bits are the tiles still up. The value of a state is the best, over
the numbers of dice that may be thrown there, of the mean over the outcomes of the best state that
a legal cover leads to, or of the worth of being stuck where no cover is legal. A cover takes bits
away, so every state leads to smaller numbers, and one pass upwards settles them all.

Four things make the pass fast, most of all where bit 0 is the highest tile, as few covers have it.

- A *part* is 1,024 neighbouring states. A cover that looks at none of their lowest ten bits is
  legal in all of a part or in none, and leads from state to state into another whole part: one
  vector operation. The same goes for a *row* of 32 states; what is left is done state by state.
- The covers are *sifted* by the high bits of the states, once for 32,768 states and what is left
  of them once for each part. No state has to test a cover that is sifted out.
- A *group* is those 32,768 states, with equal high bits. It leads to groups whose high bits are a
  subset of its own, so groups with equally many high bits set go to threads side by side. Each is
  a short call without Python's lock: Ctrl-C and other threads do not have to wait.
- Within a call arrays are passed by name and offset: numba counts references to every slice, and
  threads that count the same references wait for each other. It cost more than all the rest.

The threads are Python's own, not numba's: the one thread pool that numba has everywhere ends the
process when two threads of a program come in at a time, and parallel code takes longer to compile.

It is one file although it is long: numba keeps what it has compiled by file, and would not notice a
change in another one.

Nothing is checked here: arrays that break their description are read and written out of bounds.
An array of another type, not contiguous or not writeable, only costs another compilation.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.solver import jit

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Progress = Callable[[int, int], object]  # is told how many states are done, of how many

ROW_BITS, PART_BITS, GROUP_BITS = 5, 10, 15
ROW, PART = 1 << ROW_BITS, 1 << PART_BITS
FEW = 3  # so many states of a row that throw a number of dice alone are worked out singly
SLACK = 1e-12  # values that differ by no more, absolutely or relatively, are ties
STUCK = -1  # the target of an outcome that leaves no legal cover


class Packed(NamedTuple):
    """A box of `n` tiles, 1 to 30, and its throws of 1 to `D` dice, `O` outcomes, `C` covers."""

    cover: Integers
    """int64[C]: the bits that a cover takes away, at least one; outcome by outcome, each in
    canonical order."""
    need: Integers
    """int64[C]: the bits that a cover looks at, its own and its blockers'. It is legal at a state
    `s` where `s & need == cover`, and leads to `s ^ cover`."""
    first: Integers
    """int64[O + 1]: the covers of outcome `o` are those from `first[o]` to before `first[o + 1]`.
    There may be none."""
    weight: Floats
    """float64[O]: the probability of each outcome; 1 together for each number of dice."""
    outcome_first: Integers
    """int64[D + 2]: the outcomes of `k` dice are those from `outcome_first[k]` to before
    `outcome_first[k + 1]`; entry 0 is 0."""
    lowest: Integers
    """int64[n + 1]: the fewest dice that may be thrown, 1 to `D`, by the lowest bit that is set;
    the last entry is for state 0, and not read where that is the end."""
    few: Integers
    """int64[F]: the states at which it is otherwise, ascending."""
    few_needed: Integers
    """int64[F]: the fewest dice at each of these."""
    may: bool
    """Whether more dice than needed may be thrown, up to `D`; otherwise none but the needed."""
    front: Integers
    """int64[B]: the bits of tiles that hide another one, which cannot go down before them."""
    back: Integers
    """int64[B]: the bits of those that they hide. No state with a bit of `front` and without that
    of `back` ever comes up: many are passed over, and what their values are says nothing."""
    points: Integers
    """int64[n]: what a tile that is up adds to the sum of a stuck state; not negative."""


def packed(
    few: Mapping[int, int], *, weight: Sequence[float], may: bool, **integers: Sequence[int]
) -> Packed:
    """A box from lists of numbers, under the names of `Packed`.

    `few` has the states at which the fewest dice are others than those of their lowest bit.
    """
    integers |= {"few": sorted(few), "few_needed": [few[state] for state in sorted(few)]}
    arrays = {name: np.array(numbers, np.int64) for name, numbers in integers.items()}
    return Packed(weight=np.array(weight, np.float64), may=may, **arrays)


class Worth(NamedTuple):
    """What the ends of a turn are worth, in the unit of the aim; more is always better."""

    stuck: Floats
    """float64[sum of points + 1]: the worth of being stuck, by the sum of the tiles up. Finite."""
    shut: float
    """The worth of state 0. NaN: the turn goes on there, until it is stuck."""


class Ends(NamedTuple):
    """How turns end, and how long they last."""

    stuck: Floats
    """float64[sum of points + 1]: the probability to end stuck, by the sum of the tiles up."""
    shut: float  # the probability to end at state 0; 0 where the turn goes on there
    throws: float  # the expected number of throws


def values(packed: Packed, worth: Worth, progress: Progress | None = None) -> Floats:
    """The value of every state under best play: float64[2**n], in the unit of the worth."""
    box, bits = _padded(packed), _group_bits(packed)
    table = np.zeros(1 << len(box.points))

    _by_layers(len(table), bits, partial(_settle, box, worth, table, bits), progress)
    return table[: 1 << len(packed.points)]


def follow(
    packed: Packed, worth: Worth, table: Floats, other: Worth, progress: Progress | None = None
) -> Floats:
    """What another worth comes to for a player who plays for the first: float64[2**n].

    `table` is what `values` gave for the first. Of equally good numbers of dice this player takes
    the fewest, of equally good covers the first; SLACK says what is equal. State 0 is an end under
    both worths or under neither.
    """
    box, bits = _padded(packed), _group_bits(packed)
    known, followed = _padded_table(table), np.zeros(1 << len(box.points))

    settle = partial(_follow, box, worth, known, other, followed, bits)
    _by_layers(len(followed), bits, settle, progress)
    return followed[: 1 << len(packed.points)]


def reach(
    packed: Packed, worth: Worth, table: Floats, start: int, progress: Progress | None = None
) -> Ends:
    """How turns from one state end for the player of `follow`. States not reached cost nothing."""
    box, bits = _padded(packed), _group_bits(packed)
    known, chance = _padded_table(table), np.zeros(1 << len(box.points))
    chance[start] = 1.0
    stuck = np.zeros(len(worth.stuck))
    throws = 0.0
    last = start >> bits
    for group in range(last, -1, -1):
        throws += _reach(box, worth, known, chance, stuck, bits, group)
        if progress is not None:
            progress((last + 1 - group) << bits, (last + 1) << bits)
    return Ends(stuck, 0.0 if math.isnan(worth.shut) else float(chance[0]), throws)


def _padded(packed: Packed) -> Packed:
    """The same with tiles for a whole row: those added are in no cover and worth nothing."""
    more = ROW_BITS - len(packed.points)
    if more <= 0:
        return packed
    most = len(packed.outcome_first) - 2
    lowest = np.concatenate((packed.lowest[:-1], np.full(more, most), packed.lowest[-1:]))
    return packed._replace(lowest=lowest, points=np.append(packed.points, [0] * more))


def _padded_table(table: Floats) -> Floats:
    return np.resize(table, ROW) if len(table) < ROW else table


def _group_bits(packed: Packed) -> int:
    """How many low bits tell the states of a group apart; fewer where many covers are legal.

    A state that any tiles may be up at has 150 legal covers in a box of 24 tiles. On 32,768 states
    these take some milliseconds, so Ctrl-C is heard soon.
    """
    legal = float(np.exp2(-np.bitwise_count(packed.need).astype(np.float64)).sum())
    return max(PART_BITS, min(GROUP_BITS, 26 - int(7 * legal).bit_length()))


def _by_layers(
    size: int, bits: int, settle: Callable[[int], None], progress: Progress | None
) -> None:
    """Settle every group after all those that its states lead to."""
    count = max(1, size >> bits)
    layers: list[list[int]] = [[] for _ in range(count.bit_length())]
    for group in range(count):
        layers[group.bit_count()].append(group)
    done = 0
    with ThreadPoolExecutor(jit.cores()) as pool:
        for layer in layers:
            # The first layer has one group, and is all there is of a box of up to 15 tiles.
            for _ in map(settle, layer) if len(layer) == 1 else pool.map(settle, layer):
                done += size // count
                if progress is not None:
                    progress(done, size)


Sieve = tuple[Integers, Integers, Integers]  # covers, needs and firsts, as in Packed
Room = tuple[Sieve, Integers, Integers, Integers, Floats]
"""What is known of a row: its covers, sums, dice, targets and means."""


@jit.inlined
def _raise(best: Floats, to: int, table: Floats, source: int, count: int) -> None:
    """Raise a run of values to those of another run, where they are more."""
    # An offset that cannot be negative is not counted from the end, which no vector can do.
    into, out = np.uint64(to), np.uint64(source)
    for i in range(np.uint64(count)):
        x, y = best[into + i], table[out + i]
        # Adding nothing keeps LLVM from storing only what has changed. The next cover would wait
        # for such a store.
        best[into + i] = (x if x > y else y) + 0.0


@jit.inlined
def _raise_row(
    best: Floats, to: int, table: Floats, source: int, cover: int, need: int, row: int
) -> None:
    """Raise a row of values where a cover is legal, as far as the bits of the row tell."""
    gone, free = cover & (ROW - 1), ~need & (ROW - 1)
    if free == ROW - 1:
        _raise(best, to, table, source, row)
        return
    left = free
    while True:
        best[to + (left | gone)] = max(best[to + (left | gone)], table[source + left])
        if left == 0:
            return
        left = (left - 1) & free


@jit.inlined
def _add(
    mean: Floats, at: int, weight: float, best: Floats, to: int, stuck: Floats, low: int, count: int
) -> None:
    """Add an outcome to a run of means."""
    mean_at, best_at, stuck_at = np.uint64(at), np.uint64(to), np.uint64(low)
    for i in range(np.uint64(count)):
        x = best[best_at + i]
        mean[mean_at + i] += weight * (x if x > -np.inf else stuck[stuck_at + i])


@jit.compiled
def _empty_sieve(packed: Packed) -> Sieve:
    """Room for what is left of the covers, and one more."""
    size = len(packed.cover) + 1
    return np.empty(size, np.int64), np.empty(size, np.int64), np.empty_like(packed.first)


@jit.compiled
def _sift(source: Sieve, state: int, low: int, into: Sieve) -> None:
    """Keep the covers that are legal at a state as far as all bits but the `low` lowest tell."""
    cover, need, first = source
    to_cover, to_need, to_first = into
    bits = -1 << low
    kept = 0
    for outcome in range(len(first) - 1):
        to_first[outcome] = kept
        for index in range(first[outcome], first[outcome + 1]):
            # Written first and counted after: a jump here would be guessed wrong half the time.
            to_cover[kept], to_need[kept] = cover[index], need[index]
            kept += int((state ^ cover[index]) & need[index] & bits == 0)
    to_first[len(first) - 1] = kept


@jit.inlined
def _sum(points: Integers, state: int) -> int:
    """The sum of the tiles up."""
    total = 0
    for bit in range(len(points)):
        total += points[bit] * (state >> bit & 1)
    return total


@jit.inlined
def _passed(packed: Packed, state: int, low: int) -> bool:
    """Whether no state comes up that has these bits, but for the `low` lowest."""
    for index in range(len(packed.front)):
        front, back = packed.front[index] >> low, packed.back[index] >> low
        if front and back and state >> low & front and not state >> low & back:
            return True
    return False


@jit.inlined
def _needed(packed: Packed, base: int, thrown: Integers) -> None:
    """The fewest dice at each state of a part or a row."""
    lowest, few = packed.lowest, packed.few
    size = len(thrown)
    for bit in range(len(packed.points)):
        step = 1 << bit
        if step < size:
            thrown[step :: 2 * step] = lowest[bit]
        elif base & step:
            thrown[0] = lowest[bit]
            break
    if base == 0:
        thrown[0] = lowest[-1]
    for index in range(np.searchsorted(few, base), len(few)):
        if few[index] >= base + size:
            break
        thrown[few[index] - base] = packed.few_needed[index]


@jit.compiled
def _settle(packed: Packed, worth: Worth, table: Floats, bits: int, group: int) -> None:
    """Work out the values of a group."""
    if _passed(packed, group << bits, bits):
        return
    weight, points, stuck_worth = packed.weight, packed.points, worth.stuck
    outcome_first = packed.outcome_first
    outcomes, dice = len(weight), len(outcome_first) - 2
    is_end = not np.isnan(worth.shut)
    # A compiler that knows how long a row is writes it out instead of using vectors.
    part, row = min(PART, len(table)), min(ROW, len(table))
    of_group, of_part = _empty_sieve(packed), _empty_sieve(packed)
    cover, need, first = of_part
    low_sum = np.array([_sum(points, low) for low in range(part)])
    stuck, mean = np.empty(part), np.empty((dice + 1) * part)
    needed = np.empty(part, np.int64)
    throwers = np.empty((part // ROW, dice + 1), np.int64)
    # Outcomes with covers that stay within the part wait here for the states below.
    inner = _empty_sieve(packed)
    inner_cover, inner_need, inner_first = inner
    waiting, best = np.empty(outcomes + 1, np.int64), np.empty((outcomes + 1) * part)
    wait_first = np.zeros(dice + 2, np.int64)
    is_open = np.empty(outcomes + 1, np.bool_)

    start = group << bits
    _sift((packed.cover, packed.need, packed.first), start, bits, of_group)
    for base in range(start, min(start + (1 << bits), len(table)), part):
        if _passed(packed, base, PART_BITS):
            continue
        _sift(of_group, base, PART_BITS, of_part)
        high_sum = _sum(points, base)
        for low in range(part):
            stuck[low] = stuck_worth[high_sum + low_sum[low]]
        _needed(packed, base, needed)
        throwers[:] = 0
        for low in range(1 if base == 0 and is_end else 0, part):
            throwers[low // ROW, needed[low]] += 1
        inner_first[0] = 0
        for k in range(1, dice + 1):
            if packed.may:
                throwers[:, k] += throwers[:, k - 1]
            wait_first[k + 1] = wait_first[k]
            if throwers[:, k].max() > FEW:
                wait_first[k + 1] = _throw(
                    packed, k, of_part, table, base, stuck, mean, inner, waiting, best,
                    wait_first[k], row,
                )  # fmt: skip

        for low in range(0, part, ROW):
            if _passed(packed, base + low, ROW_BITS):
                continue
            for k in range(1, dice + 1):
                if throwers[low // ROW, k] <= FEW:
                    continue
                for wait in range(wait_first[k], wait_first[k + 1]):
                    is_open[wait] = False
                    for index in range(inner_first[wait], inner_first[wait + 1]):
                        c, n = inner_cover[index], inner_need[index]
                        if (base + low ^ c) & n & -ROW == 0:
                            if c < ROW:
                                is_open[wait] = True
                            else:
                                source = (base + low ^ c) & -ROW
                                _raise_row(best, wait * part + low, table, source, c, n, row)
                    if not is_open[wait]:
                        share = weight[waiting[wait]]
                        _add(mean, k * part + low, share, best, wait * part + low, stuck, low, row)
            for i in range(low, low + ROW):
                state = base + i
                if state == 0 and is_end:
                    table[0] = worth.shut
                    continue
                fewest = needed[i]
                top = -np.inf
                for k in range(fewest, (dice if packed.may else fewest) + 1):
                    if throwers[low // ROW, k] > FEW:
                        x = mean[k * part + i]
                        for wait in range(wait_first[k], wait_first[k + 1]):
                            if is_open[wait]:
                                y = best[wait * part + i]
                                for index in range(inner_first[wait], inner_first[wait + 1]):
                                    c = inner_cover[index]
                                    if c < ROW and (state ^ c) & inner_need[index] == 0:
                                        y = max(y, table[state ^ c])
                                x += weight[waiting[wait]] * (y if y > -np.inf else stuck[i])
                    else:
                        x = 0.0
                        for outcome in range(outcome_first[k], outcome_first[k + 1]):
                            y = -np.inf
                            for index in range(first[outcome], first[outcome + 1]):
                                if state & need[index] == cover[index]:
                                    y = max(y, table[state ^ cover[index]])
                            x += weight[outcome] * (y if y > -np.inf else stuck[i])
                    top = max(top, x)
                table[state] = top


@jit.compiled
def _throw(
    packed: Packed,
    k: int,
    sieve: Sieve,
    table: Floats,
    base: int,
    stuck: Floats,
    mean: Floats,
    inner: Sieve,
    waiting: Integers,
    best: Floats,
    wait: int,
    row: int,
) -> int:
    """Throw k dice at all states of a part, as far as covers lead out of it.

    Outcomes with covers that do not go on the waiting list, which is `wait` long; gives its length
    after.
    """
    cover, need, first = sieve
    inner_cover, inner_need, inner_first = inner
    weight = packed.weight
    part = len(stuck)
    mean[k * part : (k + 1) * part] = 0.0
    for outcome in range(packed.outcome_first[k], packed.outcome_first[k + 1]):
        to = wait * part
        best[to : to + part] = -np.inf
        kept = inner_first[wait]
        for index in range(first[outcome], first[outcome + 1]):
            c, n = cover[index], need[index]
            source = (base ^ c) & -part
            if source == base:
                inner_cover[kept], inner_need[kept] = c, n
                kept += 1
            elif n & (part - 1) == 0:
                _raise(best, to, table, source, part)
            else:
                # The rows where the cover is legal, as they are afterwards.
                free, gone = ~n & (part - ROW), c & (part - ROW)
                left = free
                while True:
                    _raise_row(best, to + (left | gone), table, source + left, c, n, row)
                    if left == 0:
                        break
                    left = (left - 1) & free
        if kept == inner_first[wait]:
            _add(mean, k * part, weight[outcome], best, to, stuck, 0, part)
        else:
            waiting[wait] = outcome
            wait += 1
            inner_first[wait] = kept
    return wait


@jit.inlined
def _aim_row(
    target: Integers,
    at: int,
    enough: Floats,
    table: Floats,
    source: int,
    cover: int,
    need: int,
    row: int,
) -> None:
    """Aim a row of targets at a cover, where it is legal and leads to a value that is enough."""
    gone, free = cover & (ROW - 1), ~need & (ROW - 1)
    left = free
    if free == ROW - 1:
        into, out = np.uint64(at), np.uint64(source)
        for i in range(np.uint64(row)):
            aimed = table[out + i] >= enough[i]
            target[into + i] = np.int64(out + i) if aimed else target[into + i]
        return
    while True:
        if table[source + left] >= enough[left | gone]:
            target[at + (left | gone)] = source + left
        if left == 0:
            return
        left = (left - 1) & free


@jit.compiled
def _room(packed: Packed) -> Room:
    tiles, thrown = np.empty(ROW, np.int64), np.empty(ROW, np.int64)
    target = np.empty(len(packed.weight) * ROW, np.int64)
    mean = np.empty((len(packed.outcome_first) - 1) * ROW)
    return _empty_sieve(packed), tiles, thrown, target, mean


@jit.compiled
def _decide(packed: Packed, worth: Worth, table: Floats, base: int, row: int, room: Room) -> None:
    """Choose the number of dice at each state of a row, and where each outcome leads.

    State `base + i` goes to `target[outcome * ROW + i]`. Other than in `_settle` no state has to
    wait for another, as all values are known.
    """
    (cover, need, first), tiles, thrown, target, mean = room
    weight, outcome_first = packed.weight, packed.outcome_first
    most = len(outcome_first) - 2
    stuck, best = np.empty(ROW), np.empty(ROW)
    low, high = most, 1
    _needed(packed, base, thrown)
    if base == 0 and not np.isnan(worth.shut):
        thrown[0] = most  # what state 0 needs means nothing where it is the end
    for i in range(ROW):
        tiles[i] = _sum(packed.points, base + i)
        stuck[i] = worth.stuck[tiles[i]]
        low, high = min(low, thrown[i]), max(high, thrown[i])
    for k in range(low, (most if packed.may else high) + 1):
        mean[k * ROW : (k + 1) * ROW] = 0.0
        for outcome in range(outcome_first[k], outcome_first[k + 1]):
            at = outcome * ROW
            best[:] = -np.inf
            target[at : at + ROW] = STUCK
            for index in range(first[outcome], first[outcome + 1]):
                c, n = cover[index], need[index]
                _raise_row(best, 0, table, (base ^ c) & -ROW, c, n, row)
            _add(mean, k * ROW, weight[outcome], best, 0, stuck, 0, row)
            for i in range(ROW):
                best[i] -= SLACK * max(1.0, abs(best[i]))
            # From the last to the first, so that the first stays.
            for index in range(first[outcome + 1] - 1, first[outcome] - 1, -1):
                c, n = cover[index], need[index]
                _aim_row(target, at, best, table, (base ^ c) & -ROW, c, n, row)
    if packed.may:
        for i in range(ROW):
            enough = table[base + i] - SLACK * max(1.0, abs(table[base + i]))
            while thrown[i] < most and mean[thrown[i] * ROW + i] < enough:
                thrown[i] += 1


@jit.compiled
def _follow(
    packed: Packed, worth: Worth, table: Floats, other: Worth, result: Floats, bits: int, group: int
) -> None:
    """Work out the other worth of the states of a group."""
    weight, outcome_first, other_worth = packed.weight, packed.outcome_first, other.stuck
    row = min(ROW, len(table))
    of_group, of_part, room = _empty_sieve(packed), _empty_sieve(packed), _room(packed)
    of_row, tiles, thrown, target, _ = room
    start = group << bits
    _sift((packed.cover, packed.need, packed.first), start, bits, of_group)
    for base in range(start, min(start + (1 << bits), len(table)), ROW):
        if base % PART == 0:
            _sift(of_group, base, PART_BITS, of_part)
        if _passed(packed, base, ROW_BITS):
            continue
        _sift(of_part, base, ROW_BITS, of_row)
        _decide(packed, worth, table, base, row, room)
        for i in range(ROW):
            if base + i == 0 and not np.isnan(worth.shut):
                result[0] = other.shut
                continue
            mean = 0.0
            for outcome in range(outcome_first[thrown[i]], outcome_first[thrown[i] + 1]):
                to = target[outcome * ROW + i]
                mean += weight[outcome] * (other_worth[tiles[i]] if to == STUCK else result[to])
            result[base + i] = mean


@jit.compiled
def _reach(
    packed: Packed, worth: Worth, table: Floats, chance: Floats, ends: Floats, bits: int, group: int
) -> float:
    """Pass on the chances of the states of a group; gives the expected number of throws there."""
    weight, outcome_first = packed.weight, packed.outcome_first
    row = min(ROW, len(table))
    of_group, of_part, room = _empty_sieve(packed), _empty_sieve(packed), _room(packed)
    of_row, tiles, thrown, target, _ = room
    throws = 0.0
    sifted = -1
    start = group << bits
    for base in range(min(start + (1 << bits), len(table)) - ROW, start - 1, -ROW):
        if not chance[base : base + ROW].any():
            continue
        if sifted == -1:
            _sift((packed.cover, packed.need, packed.first), start, bits, of_group)
        if sifted != base // PART:
            sifted = base // PART
            _sift(of_group, base, PART_BITS, of_part)
        _sift(of_part, base, ROW_BITS, of_row)
        _decide(packed, worth, table, base, row, room)
        for i in range(ROW - 1, -1, -1):
            here = chance[base + i]
            if here == 0.0 or (base + i == 0 and not np.isnan(worth.shut)):
                continue
            throws += here
            for outcome in range(outcome_first[thrown[i]], outcome_first[thrown[i] + 1]):
                to = target[outcome * ROW + i]
                if to == STUCK:
                    ends[tiles[i]] += here * weight[outcome]
                else:
                    chance[to] += here * weight[outcome]
    return throws
