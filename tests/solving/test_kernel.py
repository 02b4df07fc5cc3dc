"""The compiled kernel, compared with its definition in plain Python, on random boxes.

The boxes are wilder than any game: covers of any tiles with any blockers, outcomes without covers,
free choice of dice, repeated points, and ends with any value.
"""

import math
import random
from collections.abc import Iterator
from functools import cache

import pytest

pytest.importorskip("numba", reason="the compiled kernel needs numba")
import numpy as np

from shutbox.solving import kernel
from shutbox.solving.kernel import Ends, Packed, Payoffs

NEAR = 1e-9
SEEDS = range(60)
WIDE = {11: 40, 12: 60, 13: 90, 16: 25}
"""Boxes of more than one part, and of more than one group: tiles and covers per outcome."""


def random_box(chance: random.Random, tiles: int, most_covers: int = 6) -> Packed:
    """A box that keeps the contract, and nothing else."""
    dice = chance.randint(1, 4)
    size = 1 << tiles
    cover: list[int] = []
    need: list[int] = []
    first, weight, outcome_first = [0], [], [0, 0]
    for _ in range(dice):
        shares = [chance.random() + 0.05 for _ in range(chance.randint(1, 5))]
        for share in shares:
            for _ in range(chance.randint(0, most_covers)):
                taken = random_set(chance, tiles) or 1 << chance.randrange(tiles)
                blockers = random_set(chance, tiles) if chance.random() < 0.3 else 0
                cover.append(taken)
                need.append(taken | blockers)
            first.append(len(cover))
            weight.append(share / sum(shares))
        outcome_first.append(len(weight))
    lowest = [chance.randint(1, dice) for _ in range(tiles + 1)]
    few = [state for state in range(size) if chance.random() < 0.1]
    return Packed(
        np.array(cover, np.int64),
        np.array(need, np.int64),
        np.array(first, np.int64),
        np.array(weight),
        np.array(outcome_first, np.int64),
        np.array(lowest, np.int64),
        np.array(few, np.int64),
        np.array([chance.randint(1, dice) for _ in few], np.int64),
        chance.random() < 0.5,
        np.array([], np.int64),
        np.array([], np.int64),
        np.array([chance.randint(0, 4) for _ in range(tiles)], np.int64),
    )


def random_set(chance: random.Random, tiles: int) -> int:
    """A set of up to three tiles."""
    bits = 0
    for _ in range(chance.randint(0, 3)):
        bits |= 1 << chance.randrange(tiles)
    return bits


def random_payoffs(chance: random.Random, packed: Packed, is_end: bool) -> Payoffs:
    """Whole numbers, so that there are ties; a shut box may be worse than a stuck one."""
    stuck = [float(chance.randint(-9, 9)) for _ in range(int(packed.points.sum()) + 1)]
    return Payoffs(np.array(stuck), float(chance.randint(-9, 9)) if is_end else math.nan)


class Plain:
    """The definition, one state at a time."""

    def __init__(self, packed: Packed, payoffs: Payoffs) -> None:
        self.packed, self.payoffs = packed, payoffs
        self.cover, self.need, self.first, self.weight, self.outcome_first, self.points = (
            array.tolist()
            for array in (
                packed.cover,
                packed.need,
                packed.first,
                packed.weight,
                packed.outcome_first,
                packed.points,
            )
        )
        self.few = dict(zip(packed.few.tolist(), packed.few_needed.tolist(), strict=True))
        self.value = cache(self._value)

    def is_end(self, state: int) -> bool:
        return state == 0 and not math.isnan(self.payoffs.shut)

    def sum(self, state: int) -> int:
        return sum(p for bit, p in enumerate(self.points) if state >> bit & 1)

    def dice(self, state: int) -> range:
        bit = (state & -state).bit_length() - 1 if state else len(self.points)
        needed = self.few.get(state, int(self.packed.lowest[bit]))
        return range(needed, (len(self.outcome_first) - 2 if self.packed.more_dice else needed) + 1)

    def outcomes(self, k: int) -> range:
        return range(self.outcome_first[k], self.outcome_first[k + 1])

    def after(self, state: int, outcome: int) -> list[int]:
        """The states that legal covers lead to, in order."""
        covers = range(self.first[outcome], self.first[outcome + 1])
        return [state & ~self.cover[j] for j in covers if state & self.need[j] == self.cover[j]]

    def thrown(self, state: int, k: int) -> float:
        stuck = float(self.payoffs.stuck[self.sum(state)])
        return math.fsum(
            self.weight[o] * max(map(self.value, self.after(state, o)), default=stuck)
            for o in self.outcomes(k)
        )

    def _value(self, state: int) -> float:
        if self.is_end(state):
            return self.payoffs.shut
        return max(self.thrown(state, k) for k in self.dice(state))

    def policy(self, state: int) -> Iterator[tuple[float, int | None]]:
        """(probability, state after it or None) of the outcomes of the dice that are chosen."""
        k = first_best(list(self.dice(state)), [self.thrown(state, k) for k in self.dice(state)])
        for outcome in self.outcomes(k):
            after = self.after(state, outcome)
            chosen = first_best(after, [self.value(s) for s in after]) if after else None
            yield self.weight[outcome], chosen

    def followed(self, other: Payoffs) -> list[float]:
        found: list[float] = []
        for state in range(1 << len(self.points)):
            stuck = float(other.stuck[self.sum(state)])
            found.append(
                other.shut
                if self.is_end(state)
                else math.fsum(
                    w * (stuck if s is None else found[s]) for w, s in self.policy(state)
                )
            )
        return found

    def reached(self, start: int) -> Ends:
        chances = {start: 1.0}
        stuck, shut, throws = np.zeros(len(self.payoffs.stuck)), 0.0, 0.0
        for state in range(start, -1, -1):
            here = chances.get(state, 0.0)
            if self.is_end(state):
                shut = here
            elif here:
                throws += here
                for share, after in self.policy(state):
                    if after is None:
                        stuck[self.sum(state)] += here * share
                    else:
                        chances[after] = chances.get(after, 0.0) + here * share
        return Ends(stuck, shut, throws)


def first_best(things: list[int], values: list[float]) -> int:
    """The first that is as good as the best."""
    best = max(values)
    return next(
        thing
        for thing, payoffs in zip(things, values, strict=True)
        if payoffs >= best - 1e-12 * max(1, abs(best))
    )


def check(packed: Packed, payoffs: Payoffs, other: Payoffs, start: int) -> None:
    """Hold all three functions against the definition."""
    plain = Plain(packed, payoffs)
    table = kernel.values(packed, payoffs)
    assert table.shape == (1 << len(packed.points),)
    expected = [plain.value(state) for state in range(len(table))]
    np.testing.assert_allclose(table, expected, rtol=0, atol=NEAR)
    followed = kernel.evaluate_policy(packed, payoffs, table, other)
    np.testing.assert_allclose(followed, plain.followed(other), rtol=0, atol=NEAR)
    ends, by_hand = kernel.reach(packed, payoffs, table, start), plain.reached(start)
    np.testing.assert_allclose(ends.stuck, by_hand.stuck, rtol=0, atol=NEAR)
    assert (ends.shut, ends.throws) == pytest.approx((by_hand.shut, by_hand.throws), abs=NEAR)
    assert ends.stuck.sum() + ends.shut == pytest.approx(1, abs=NEAR)
    for each, value in ((payoffs, table[start]), (other, followed[start])):
        end = 0.0 if math.isnan(each.shut) else each.shut
        assert ends.stuck @ each.stuck + ends.shut * end == pytest.approx(value, abs=NEAR)


@pytest.mark.parametrize("seed", SEEDS)
def test_small_boxes(seed: int) -> None:
    chance = random.Random(f"kernel {seed}")
    tiles = seed % 6 + 5
    packed = random_box(chance, tiles)
    is_end = chance.random() < 0.7
    if is_end:
        packed.lowest[-1] = chance.choice((0, 255))
    payoffs, other = (random_payoffs(chance, packed, is_end) for _ in range(2))
    start = (1 << tiles) - 1 if seed % 2 else chance.randrange(1 << tiles)
    check(packed, payoffs, other, start)


@pytest.mark.parametrize("tiles", WIDE)
def test_wide_boxes(tiles: int) -> None:
    chance = random.Random(f"wide {tiles}")
    packed = random_box(chance, tiles, WIDE[tiles])
    payoffs, other = (random_payoffs(chance, packed, is_end=True) for _ in range(2))
    check(packed, payoffs, other, (1 << tiles) - 1)


def comes_up(state: int, packed: Packed) -> bool:
    """Whether no tile is down that another one hides."""
    pairs = zip(packed.front.tolist(), packed.back.tolist(), strict=True)
    return all(state & back or not state & front for front, back in pairs)


@pytest.mark.parametrize("tiles", [9, 13, 16])
def test_what_never_comes_up_is_passed_over(tiles: int) -> None:
    chance = random.Random(f"hidden {tiles}")
    packed = random_box(chance, tiles, 20)
    payoffs, other = (random_payoffs(chance, packed, is_end=True) for _ in range(2))
    order = [tiles - 1, tiles - 2, *chance.sample(range(tiles - 2), tiles - 2)]
    front, back = (np.array([1 << bit for bit in order[k::2]][:4], np.int64) for k in (0, 1))
    need = packed.need.copy()
    for f, b in zip(front, back, strict=True):
        need |= np.where((packed.cover & b > 0) & (packed.cover & f == 0), f, 0)
    whole = packed._replace(need=need)
    hidden = whole._replace(front=front, back=back)
    possible = np.array([comes_up(state, hidden) for state in range(1 << tiles)])
    assert 0.25 < possible.mean() < 0.4
    table = kernel.values(whole, payoffs)
    same = kernel.values(hidden, payoffs)
    assert (same[possible] == table[possible]).all()
    assert (same[~possible] == 0).any(), "some were passed over"
    expected = kernel.evaluate_policy(whole, payoffs, table, other)
    followed = kernel.evaluate_policy(hidden, payoffs, same, other)
    assert (followed[possible] == expected[possible]).all()
    start = (1 << tiles) - 1
    ends, known = (kernel.reach(box, payoffs, same, start) for box in (hidden, whole))
    assert (ends.stuck == known.stuck).all()


def one_die_per_tile(tiles: int) -> Packed:
    """Throw the number of a tile, or miss: each of the tiles comes with the same probability."""
    bits = np.array([1 << bit for bit in range(tiles)], np.int64)
    return Packed(
        bits,
        bits.copy(),
        np.arange(tiles + 1, dtype=np.int64),
        np.full(tiles, 1 / tiles),
        np.array([0, 0, tiles], np.int64),
        np.ones(tiles + 1, np.int64),
        np.array([], np.int64),
        np.array([], np.int64),
        False,
        np.array([], np.int64),
        np.array([], np.int64),
        np.ones(tiles, np.int64),
    )


def test_progress_is_told_up_to_the_end() -> None:
    packed = one_die_per_tile(18)
    payoffs = Payoffs(np.zeros(19), 1.0)
    size = 1 << 18
    told: list[list[tuple[int, int]]] = [[], [], []]
    table = kernel.values(packed, payoffs, lambda *told_: told[0].append(told_))
    kernel.evaluate_policy(packed, payoffs, table, payoffs, lambda *told_: told[1].append(told_))
    kernel.reach(packed, payoffs, table, size - 1, lambda *told_: told[2].append(told_))
    for calls in told:
        assert calls == [(size // 8 * (step + 1), size) for step in range(8)]


def test_whoever_interrupts_is_heard_at_once() -> None:
    packed = one_die_per_tile(20)
    calls = []

    def interrupt(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kernel.values(packed, Payoffs(np.zeros(21), 1.0), interrupt)
    assert len(calls) == 3


def test_many_covers_make_small_groups() -> None:
    # A group must stay short enough for Ctrl-C; and it gives the same.
    chance = random.Random("small groups")
    packed = random_box(chance, 12, 40)
    payoffs = random_payoffs(chance, packed, is_end=True)
    table = kernel.values(packed, payoffs)
    times = 1 + (1 << 15) // len(packed.cover)
    many = packed._replace(
        cover=np.concatenate([np.repeat(c, times) for c in np.split(packed.cover, packed.first)]),
        need=np.concatenate([np.repeat(n, times) for n in np.split(packed.need, packed.first)]),
        first=packed.first * times,
    )
    told: list[int] = []
    same = kernel.values(many, payoffs, lambda done, total: told.append(done))
    assert told == [1 << 10, 2 << 10, 3 << 10, 4 << 10]
    assert (same == table).all()
