"""Lists of numbers made into the arrays that the compiled kernel wants."""

from array import array
from collections.abc import Mapping, Sequence

import numpy as np

from shutbox.solver.kernel import Floats, Packed, Worth


def packed(
    few: Mapping[int, int], *, weight: Sequence[float], may: bool, **integers: Sequence[int]
) -> Packed:
    """A box for the kernel, under the names of its `Packed`.

    `few` has the states at which the fewest dice are others than those of their lowest bit.
    """
    arrays = {name: np.array(numbers, np.int64) for name, numbers in integers.items()}
    arrays["few"] = np.array(sorted(few), np.int64)
    arrays["few_needed"] = np.array([few[state] for state in sorted(few)], np.int64)
    return Packed(weight=np.array(weight, np.float64), may=may, **arrays)


def worth(stuck: "array[float]", shut: float) -> Worth:
    """What the ends are worth, see the kernel's `Worth`."""
    return Worth(np.array(stuck, np.float64), shut)


def table(values: memoryview) -> Floats:
    """Values of a book as an array, without a copy."""
    return np.frombuffer(values, np.float64)
