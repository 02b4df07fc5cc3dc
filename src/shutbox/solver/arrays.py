"""Lists of numbers made into the arrays that the compiled kernel wants."""

from array import array
from collections.abc import Mapping, Sequence

import numpy as np

from shutbox.solver.kernel import Floats, Packed, Worth


def packed(
    *,
    cover: Sequence[int],
    need: Sequence[int],
    first: Sequence[int],
    weight: Sequence[float],
    outcome_first: Sequence[int],
    lowest: Sequence[int],
    few: Mapping[int, int],
    may: bool,
    points: Sequence[int],
) -> Packed:
    """A box for the kernel, see its `Packed`.

    The fewest dice that may be thrown are given by the lowest bit that is set: `lowest` has one
    number for each bit, and one for state 0. `few` has the states at which it is otherwise.

    >>> box = packed(
    ...     cover=[1], need=[1], first=[0, 1], weight=[1.0], outcome_first=[0, 0, 1],
    ...     lowest=[2, 1, 2], few={3: 1}, may=False, points=[1, 2],
    ... )
    >>> box.needed.tolist()
    [2, 2, 1, 1]
    """
    needed = np.full(1 << len(points), lowest[-1], np.uint8)
    for bit, number in enumerate(lowest[:-1]):
        needed[1 << bit :: 2 << bit] = number
    for state, number in few.items():
        needed[state] = number
    return Packed(
        cover=np.array(cover, np.int64),
        need=np.array(need, np.int64),
        first=np.array(first, np.int64),
        weight=np.array(weight, np.float64),
        outcome_first=np.array(outcome_first, np.int64),
        needed=needed,
        may=may,
        points=np.array(points, np.int64),
    )


def worth(stuck: "array[float]", shut: float) -> Worth:
    """What the ends are worth, see the kernel's `Worth`."""
    return Worth(np.array(stuck, np.float64), shut)


def table(values: memoryview) -> Floats:
    """Values of a book as an array, without a copy."""
    return np.frombuffer(values, np.float64)
