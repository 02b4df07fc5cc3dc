"""The baseline of the box solver: it tests every cover of every outcome in every state.

States with the same number of tiles up are computed in parallel on all cores, since none of them
leads to another.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from shutbox.solving.kernel import Floats, Packed, Payoffs

Compiled = TypeVar("Compiled", bound=Callable[..., Any])


def values(packed: Packed, payoffs: Payoffs) -> Floats:
    """Return the same values as `shutbox.solving.kernel.values`."""
    size = 1 << len(packed.points)
    dice = needed(packed)
    tiles_up = np.bitwise_count(np.arange(size, dtype=np.int32))
    order = np.argsort(tiles_up, kind="stable").astype(np.int32)
    table = np.empty(size)
    done = 0
    for bits in range(len(packed.points) + 1):
        layer = order[done : done + math.comb(len(packed.points), bits)]
        done += len(layer)
        _settle(layer, table, packed, dice, payoffs)
    return table


def needed(packed: Packed) -> NDArray[np.uint8]:
    """Return the fewest dice allowed in every state."""
    dice = np.full(1 << len(packed.points), packed.lowest[-1], np.uint8)
    for bit, number in enumerate(packed.lowest[:-1]):
        # All states in which this is the lowest bit set.
        dice[1 << bit :: 2 << bit] = number
    dice[packed.few] = packed.few_needed
    return dice


def _compiled(function: Compiled) -> Compiled:
    return cast(Compiled, numba.njit(parallel=True, cache=True)(function))


@_compiled
def _settle(
    layer: NDArray[np.int32],
    table: Floats,
    packed: Packed,
    fewest: NDArray[np.uint8],
    payoffs: Payoffs,
) -> None:
    dice = len(packed.outcome_first) - 2
    for place in numba.prange(len(layer)):
        state = np.int64(layer[place])
        if state == 0 and not np.isnan(payoffs.shut):
            table[0] = payoffs.shut
            continue
        tiles = 0
        for bit in range(len(packed.points)):
            tiles += packed.points[bit] * (state >> bit & 1)
        needed = np.int64(fewest[state])
        top = -np.inf
        for k in range(needed, (dice if packed.more_dice else needed) + 1):
            mean = 0.0
            for outcome in range(packed.outcome_first[k], packed.outcome_first[k + 1]):
                best = -np.inf
                for index in range(packed.first[outcome], packed.first[outcome + 1]):
                    if state & packed.need[index] == packed.cover[index]:
                        best = max(best, table[state ^ packed.cover[index]])
                if best == -np.inf:
                    best = payoffs.stuck[tiles]
                mean += packed.weight[outcome] * best
            top = max(top, mean)
        table[state] = top
