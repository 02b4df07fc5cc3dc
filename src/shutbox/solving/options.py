"""The choices of a position with their values: in canonical order, and as a person reads them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import eq
from typing import Generic

from shutbox.engine.english import figure
from shutbox.engine.game import C
from shutbox.engine.typed_text import find_named
from shutbox.output.results import Column, Result, Row

Number = Fraction | float  # a fraction from an exact solver, a float from a fast one
NumberTuple = tuple[Number, ...]  # a number for each choice, or for each seat


def apart(first: Number, other: Number) -> Number:
    """Return the distance between two values; it is exact if both are exact."""
    return max(first, other) - min(first, other)


@dataclass(frozen=True)
class Options(Generic[C]):
    """The choices of a position in canonical order, with their values to the player who chooses.

    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> options = Options(("a", "b", "c"), (half, third, half), top=half)
    >>> options, options.best, options.costs[1], options.differ
    (Options(3 choices, top = 0.5), 0, Fraction(1, 6), True)
    """

    choices: tuple[C, ...]  # at least one
    values: NumberTuple
    top: Number  # the best of the values
    as_good: Callable[[Number, Number], bool] = field(default=eq, compare=False)
    """Whether a value, the first argument, ties with the best, the second."""

    def __repr__(self) -> str:
        return f"Options({len(self.choices)} choices, top = {figure(self.top)})"

    @cached_property
    def best(self) -> int:
        """The index of the best choice; of equally good ones the first."""
        return next(i for i, value in enumerate(self.values) if self.as_good(value, self.top))

    @cached_property
    def costs(self) -> NumberTuple:
        """The loss of each choice against the best: positive, or `Fraction(0)` for a tie."""
        top, none = self.top, Fraction(0)
        return tuple(none if self.as_good(v, top) else apart(v, top) for v in self.values)

    @property
    def choice(self) -> C:
        """The best choice; of equally good ones the first."""
        return self.choices[self.best]

    def ranked(self, text_of: Callable[[C], str]) -> "Ranking[C]":
        """Return the choices best first; `text_of` returns a choice in notation."""
        rows = zip(self.choices, self.values, self.costs, strict=True)
        options = (Option(text_of(choice), value, cost, choice) for choice, value, cost in rows)
        return Ranking(sorted(options, key=lambda option: option.cost))

    @property
    def differ(self) -> bool:
        """Whether any choice is worse than the best."""
        return any(self.costs)


@dataclass(frozen=True, slots=True, repr=False)
class Option(Generic[C]):
    """One choice of a position, with its value and its cost.

    >>> Option("1 7", Fraction(1, 2), 0, choice=None)
    Option(1 7, value = 0.5, cost = 0)
    """

    text: str  # the choice in notation
    value: Number  # to the player who chooses, under best play
    cost: Number  # compared with the best choice: 0 or more
    choice: C  # as `Game.chosen` takes it

    def __repr__(self) -> str:
        return f"Option({self.text}, value = {figure(self.value)}, cost = {figure(self.cost)})"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return Ranking([self])._repr_html_()


class Ranking(Result, tuple[Option[C], ...]):
    """The choices of a position, best first; of equally good ones the first in canonical order.

    >>> ranking = Ranking([Option("4", 0.5, 0, None), Option("1 3", 0.25, 0.25, None)])
    >>> ranking, ranking.of("1 3").cost
    (Ranking(4: 0.5; 1 3: 0.25), 0.25)
    """

    __slots__ = ()
    COLUMNS = (Column("choice"), Column("value", float), Column("cost", float))

    def of(self, text: str) -> Option[C]:
        """Return the choice with this text in notation. Raises NotUnderstood for other texts."""
        return find_named(text, {option.text: option for option in self})

    def _rows(self) -> Iterator[Row]:
        return ((option.text, float(option.value), float(option.cost)) for option in self)

    def _summary(self) -> str:
        return "; ".join(f"{option.text}: {figure(option.value)}" for option in self)
