"""Lists of numbers made into the arrays that the compiled kernel wants."""

from array import array
from collections.abc import Mapping, Sequence

import numpy as np

from shutbox.solver.kernel import Floats, Packed, Worth


def packed(
    lowest: Sequence[int],
    few: Mapping[int, int],
    *,
    weight: Sequence[float],
    may: bool,
    **integers: Sequence[int],
) -> Packed:
    """A box for the kernel, under the names of its `Packed`.

    The fewest dice that may be thrown are given by the lowest bit that is set: `lowest` has one
    number for each bit, and one for state 0. `few` has the states at which it is otherwise.
    """
    needed = np.full(1 << len(integers["points"]), lowest[-1], np.uint8)
    for bit, number in enumerate(lowest[:-1]):
        needed[1 << bit :: 2 << bit] = number
    for state, number in few.items():
        needed[state] = number
    arrays = {name: np.array(numbers, np.int64) for name, numbers in integers.items()}
    return Packed(weight=np.array(weight, np.float64), needed=needed, may=may, **arrays)


def worth(stuck: "array[float]", shut: float) -> Worth:
    """What the ends are worth, see the kernel's `Worth`."""
    return Worth(np.array(stuck, np.float64), shut)


def table(values: memoryview) -> Floats:
    """Values of a book as an array, without a copy."""
    return np.frombuffer(values, np.float64)
