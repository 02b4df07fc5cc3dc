"""The compiled kernel at work: progress, interrupts and groups. `test_fast` compares its values."""

import pytest

pytest.importorskip("numba", reason="the compiled kernel needs numba")
import numpy as np

from shutbox.solving import kernel
from shutbox.solving.kernel import Packed, Payoffs


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
    packed, payoffs = one_die_per_tile(12), Payoffs(np.arange(13.0), 20.0)
    times = 1 + (1 << 15) // len(packed.cover)
    many = packed._replace(
        cover=np.repeat(packed.cover, times),
        need=np.repeat(packed.need, times),
        first=packed.first * times,
    )
    told: list[int] = []
    same = kernel.values(many, payoffs, lambda done, total: told.append(done))
    assert told == [1 << 10, 2 << 10, 3 << 10, 4 << 10]
    assert (same == kernel.values(packed, payoffs)).all()
