"""How often chance shows a face: exact bounds from the binomial distribution.

The weights of the counts are summed from the likeliest one outwards, each made from its neighbour,
until they are too small to matter. So nothing overflows, no logarithm loses digits, and the work
grows with the square root of the number of dice.
"""

from collections.abc import Iterator
from itertools import accumulate

TOO_SMALL = 1e-30  # a weight that does not matter beside the largest


def band(dice: int, sides: int, beyond: float) -> tuple[int, int]:
    """How many of so many fair dice show one face, from the fewest to the most.

    >>> band(800, 6, 0.01)
    (107, 161)

    The band is the narrowest for which fewer have a probability of at most `beyond / 2`, and more
    have too. `beyond` lies between 0 and 1, and above 10 ** -20.
    """
    counts, weights = _weights(dice, sides)
    cut = beyond / 2 * sum(sorted(weights))
    return counts[_reached(weights, cut)], counts[-1 - _reached(weights[::-1], cut)]


def _reached(weights: list[float], cut: float) -> int:
    """The first place up to which the weights sum to more than `cut`."""
    return next(place for place, total in enumerate(accumulate(weights)) if total > cut)


def _weights(dice: int, sides: int) -> tuple[range, list[float]]:
    """The counts that matter, ascending, and the weight of each; that of the likeliest is 1."""
    mode = (dice + 1) // sides
    up = list(_tail(dice, mode, 1, sides - 1))
    down = list(_tail(dice, dice - mode, sides - 1, 1))
    return range(mode - len(down), mode + len(up) + 1), [*reversed(down), 1.0, *up]


def _tail(dice: int, count: int, ways: int, others: int) -> Iterator[float]:
    """The weights of more than so many dice that fall in `ways`, not in `others`."""
    weight = 1.0
    while count < dice and weight > TOO_SMALL:
        weight *= (dice - count) * ways / ((count + 1) * others)
        count += 1
        yield weight
