"""What the choices of a position cost: the one place where values become costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import eq
from typing import Any

from shutbox.solver.solution import Number, Solution, apart

Vector = tuple[Number, ...]  # a number for each choice, or for each seat


@dataclass(frozen=True, slots=True)
class Options:
    """What the choices of a position are worth to the one who chooses, in canonical order."""

    values: Vector
    costs: Vector  # against the best: 0 or more, and 0 for what is as good

    @property
    def best(self) -> int:
        """The place of the best; of equally good ones the first."""
        return self.costs.index(0)

    @property
    def differ(self) -> bool:
        """Whether it matters which one is chosen."""
        return any(self.costs)


def options_of(values: Sequence[Number], solution: Solution[Any, Any] | None = None) -> Options:
    """The options of such values, under the aim of a solution and with its ties.

    Without a solution more is better, and only equal values are ties.

    >>> options = options_of([Fraction(1, 2), Fraction(1, 3), Fraction(1, 2)])
    >>> options.best, options.costs[1], options.differ
    (0, Fraction(1, 6), True)
    """
    best = min(values) if solution is not None and not solution.more else max(values)
    as_good = eq if solution is None else solution.as_good
    none = Fraction(0)
    costs = (none if as_good(value, best) else apart(value, best) for value in values)
    return Options(tuple(values), tuple(costs))
