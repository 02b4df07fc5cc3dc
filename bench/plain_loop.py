"""The plain compiled loop: every cover of every outcome is tested on every state."""

import math

import numba
import numpy as np

from shutbox.solve.kernel import Floats, Packed, Worth


def values(packed: Packed, worth: Worth) -> Floats:
    """What `shutbox.solve.kernel.values` gives, with the same compiler on as many cores."""
    size = len(packed.needed)
    states = np.arange(size, dtype=np.int32)
    order = np.argsort(np.bitwise_count(states), kind="stable").astype(np.int32)
    table = np.empty(size)
    done = 0
    for bits in range(len(packed.points) + 1):
        layer = order[done : done + math.comb(len(packed.points), bits)]
        done += len(layer)
        _settle(layer, table, packed, worth)
    return table


@numba.njit(parallel=True, cache=True)
def _settle(layer, table, packed, worth):
    dice = len(packed.outcome_first) - 2
    for place in numba.prange(len(layer)):
        state = np.int64(layer[place])
        if state == 0 and not np.isnan(worth.shut):
            table[0] = worth.shut
            continue
        total = 0
        for bit in range(len(packed.points)):
            total += packed.points[bit] * (state >> bit & 1)
        needed = np.int64(packed.needed[state])
        top = -np.inf
        for k in range(needed, (dice if packed.may else needed) + 1):
            mean = 0.0
            for outcome in range(packed.outcome_first[k], packed.outcome_first[k + 1]):
                best = -np.inf
                for index in range(packed.first[outcome], packed.first[outcome + 1]):
                    if state & packed.need[index] == packed.cover[index]:
                        best = max(best, table[state ^ packed.cover[index]])
                if best == -np.inf:
                    best = worth.stuck[total]
                mean += packed.weight[outcome] * best
            top = max(top, mean)
        table[state] = top
