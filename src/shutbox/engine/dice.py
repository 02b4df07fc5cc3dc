"""Dice as weighted outcomes: which rolls can fall and how often. Chance is left to a cup.

`Dice` are thrown, a `Roll` is the result, and a `Cup` produces it. Dice with equally many sides
are of one kind and interchangeable, so a roll is sorted; kinds are in ascending order of sides.
The weight of an outcome is the number of ways in which it can fall if every die is distinct.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, groupby, product
from math import comb, factorial, prod
from operator import index
from typing import Protocol

from shutbox.engine.english import counted, dice_words, listed, number_word, shown
from shutbox.engine.errors import IllegalRoll, NotUnderstood, TooLarge
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.typed_text import bounded, check_type, in_ascii, typed_words, was_typed

MOST_DICE = 20  # in one throw
MOST_SIDES = 100  # of a die; the fewest are 2
MOST_OUTCOMES = 200_000  # the most different rolls that `Dice.outcomes` lists
MOST_CACHED = 1000  # different rolls up to which dice cache all, to check others quickly
LONGEST_TEXT = 400  # characters in the text of dice or of a roll

_KIND = re.compile(r"([0-9]{0,3})[dD]([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class Roll:
    """The pips that fell: ascending, and with mixed dice ascending within each kind.

    >>> roll = Roll((3, 5))
    >>> str(roll), roll.total
    ('3+5', 8)

    `Dice.read` makes a roll from text or pips in any order, and checks that the dice can show it.
    `Roll` itself only raises IllegalRoll for pips that are not a tuple of whole numbers.
    """

    pips: tuple[int, ...]

    def __post_init__(self) -> None:
        if type(self.pips) is not tuple or {*map(type, self.pips)} - {int}:
            raise refusal_of_non_roll(self.pips)

    @property
    def total(self) -> int:
        """The sum of the pips."""
        return sum(self.pips)

    @property
    def words(self) -> str:
        """The pips as they are spoken: `6`, or `3 and 5, 8`."""
        return throw_words(self.pips, self.total)

    def __str__(self) -> str:
        return "+".join(map(str, self.pips))

    def __repr__(self) -> str:
        return f"Roll({self.pips!r})"


def throw_words(pips: Sequence[object], total: int, held: Sequence[object] = ()) -> str:
    """Return a throw as it is spoken, with its total; `held` are the dice that counted but stayed.

    >>> throw_words((3, 5), 8), throw_words((4,), 6, held=(2,))
    ('3 and 5, 8', '4; with the 2 held, 6')
    """
    # Translators: {held} are dice that were not thrown again, but count.
    says = gettext_noop("{pips}; with the {held} held, {total}")
    if not held:
        says = gettext_noop("{pips}, {total}") if len(pips) > 1 else "{pips}"
    return gettext(says, pips=listed(pips), held=listed(held), total=total)


def refusal_of_non_roll(offered: object, position: object = None) -> IllegalRoll:
    """Return the refusal of an object that is no roll, such as the text of one."""
    return IllegalRoll(
        "{roll} is not a roll; a roll is written Roll((3, 5)), or read by dice.read",
        position,
        roll=shown(repr(offered)),
    )


@dataclass(frozen=True)
class Dice:
    """The dice of one throw: 1 to MOST_DICE, of 2 to MOST_SIDES sides; others raise NotUnderstood.

    >>> dice = Dice.parse("2d6+1d20")
    >>> dice.sides
    (6, 6, 20)
    >>> dice
    Dice.parse('2d6+1d20')
    """

    sides: tuple[int, ...]  # the number of sides of each die, ascending

    def __post_init__(self) -> None:
        given: object = self.sides
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise NotUnderstood(
                "{sides} is not a list of sides; Dice.parse reads a text such as 2d6",
                sides=shown(repr(given)),
            )
        if not 1 <= (number := len(self.sides)) <= MOST_DICE:
            facts = {"number": number, "most": MOST_DICE}
            raise NotUnderstood("{number} dice were asked for; 1 to {most} are held", **facts)
        for n in self.sides:
            if not hasattr(n, "__index__") or not 2 <= n <= MOST_SIDES:
                facts = {"sides": n, "most": MOST_SIDES}
                raise NotUnderstood("a die of {sides} sides; dice have 2 to {most} sides", **facts)
        object.__setattr__(self, "sides", tuple(sorted(self.sides)))

    @classmethod
    def of(cls, number: int, sides: int) -> "Dice":
        """Return `number` dice of `sides` sides each. Raises NotUnderstood as the class does."""
        check_type(number, int)
        return cls((sides,) * number)

    @classmethod
    def parse(cls, text: str) -> "Dice":
        """Read a text such as `2d6`, `d20` or `2d6+1d20`. Raises NotUnderstood for any other."""
        quoted = shown(text)
        sides: list[int] = []
        for part in in_ascii(bounded(text, LONGEST_TEXT)).split("+"):
            match = _KIND.fullmatch(part.strip())
            if match is None:
                raise NotUnderstood("{text} is not dice; write 2d6, 1d20 or 2d6+1d20", text=quoted)
            sides += [int(match[2])] * int(match[1] or 1)
        return cls(tuple(sides))

    def __str__(self) -> str:
        return "+".join(f"{number}d{sides}" for sides, number in self.kinds)

    def __repr__(self) -> str:
        return f"Dice.parse({str(self)!r})"

    def __len__(self) -> int:
        return len(self.sides)

    @cached_property
    def kinds(self) -> tuple[tuple[int, int], ...]:
        """A pair (sides, number) for each kind, ascending in sides."""
        return tuple((sides, len(list(group))) for sides, group in groupby(self.sides))

    @property
    def words(self) -> str:
        """A label for the dice: `two dice` if all are six-sided, or `two d6 and one d20`."""
        if self.are_plain:
            return dice_words(len(self))
        return listed(
            gettext("{number} d{sides}", number=number_word(number), sides=sides)
            for sides, number in self.kinds
        )

    @property
    def are_plain(self) -> bool:
        """Whether all dice are six-sided, so that their number is enough to name them."""
        return self.kinds == ((6, len(self)),)

    @property
    def total_weight(self) -> int:
        """The sum of the weights of all outcomes: the number of ways the dice can fall."""
        return prod(self.sides)

    @property
    def roll_count(self) -> int:
        """The number of different rolls, by the formula for multisets.

        >>> Dice.parse("2d6").roll_count
        21
        """
        return prod(comb(sides + number - 1, number) for sides, number in self.kinds)

    def check(self, roll: Roll, position: object = None) -> None:
        """Raise IllegalRoll unless these dice can show `roll` and its pips are in order.

        `position` is that of the error, if the caller has one.
        """
        if not isinstance(roll, Roll):
            raise refusal_of_non_roll(roll, position)
        pips = roll.pips
        if pips in self._cached_pips:
            return
        if len(pips) != len(self.sides):
            says = counted(
                "one die shows one number, not {found}",
                "{number} dice show {number} numbers, not {found}",
                len(self),
                found=number_word(len(pips)),
            )
            raise IllegalRoll(says, position)
        for face, sides in zip(pips, self.sides, strict=True):
            if not 1 <= face <= sides:
                says = gettext_noop("a die of {sides} sides shows 1 to {sides}, not {face}")
                raise IllegalRoll(says, position, sides=sides, face=face)
        if pips != self._sort(pips):
            raise IllegalRoll(
                "the roll {roll} is written {right}: pips ascend within each kind of dice",
                position,
                roll=roll,
                right=Roll(self._sort(pips)),
            )

    @cached_property
    def _cached_pips(self) -> frozenset[tuple[int, ...]]:
        """The pips of every roll, so that solvers check one quickly; empty if there are many."""
        rolls = self.outcomes() if self.roll_count <= MOST_CACHED else ()
        return frozenset(roll.pips for roll, _ in rolls)

    def read(self, offered: str | Sequence[int]) -> Roll:
        """Return the roll that a person typed or said, its pips in any order within each kind.

        >>> dice = Dice.parse("2d6")
        >>> dice.read("5 3"), dice.read("5+3"), dice.read("53"), dice.read([5, 3])
        (Roll((3, 5)), Roll((3, 5)), Roll((3, 5)), Roll((3, 5)))

        Raises NotUnderstood for anything but whole numbers, IllegalRoll for numbers that these
        dice cannot show.
        """
        try:
            numbers = self._split_digits(offered) if isinstance(offered, str) else offered
            pips = tuple(map(index, numbers))
        except TypeError:
            text = shown(repr(offered))
            raise NotUnderstood("{roll} is not a roll; write '3 5' or [3, 5]", roll=text) from None
        roll = Roll(self._sort(pips) if len(pips) == len(self) else pips)
        self.check(roll)
        return roll

    def _split_digits(self, text: str) -> list[int]:
        """Return the numbers in a text; digits in one word, one for each die, are split: "35"."""
        words = typed_words(bounded(text, LONGEST_TEXT))
        example = " ".join(str(min(sides, 3)) for sides in self.sides)
        if not words:
            raise NotUnderstood("type what the dice show, such as {example}", example=example)
        if len(words) == 1 and len(words[0]) == len(self) and max(self.sides) <= 9:
            words = list(words[0]) if was_typed(words[0], text) else words
        if not all(re.fullmatch(r"[0-9]{1,6}", word) for word in words):
            facts = {"text": shown(text), "example": example}
            raise NotUnderstood("{text} is not a roll; type the pips, such as {example}", **facts)
        return [int(word) for word in words]

    def _sort(self, pips: Sequence[int]) -> tuple[int, ...]:
        if len(self.kinds) == 1:
            return tuple(sorted(pips))
        # `sides` ascends, so the kinds stay in place: only faces of equal dice are swapped.
        return tuple(face for _, face in sorted(zip(self.sides, pips, strict=True)))

    def outcomes(self) -> tuple[tuple[Roll, int], ...]:
        """Return every roll with its weight, in ascending order of pips.

        >>> Dice.parse("2d2").outcomes()
        ((Roll((1, 1)), 1), (Roll((1, 2)), 2), (Roll((2, 2)), 1))

        The weights sum to `total_weight`: a roll of n dice of one kind has the weight
        n! / (m1! m2! ...), where m1, m2, ... dice show the same face. The weights of several
        kinds are multiplied. Raises TooLarge above MOST_OUTCOMES different rolls.
        """
        if self.roll_count > MOST_OUTCOMES:
            raise TooLarge(
                "{dice} can show {number:,} different rolls; at most {most:,} are listed",
                dice=self,
                number=self.roll_count,
                most=MOST_OUTCOMES,
            )
        return _outcomes(self)


@lru_cache(maxsize=64)
def _outcomes(dice: Dice) -> tuple[tuple[Roll, int], ...]:
    def of_one_kind(sides: int, number: int) -> Iterator[tuple[tuple[int, ...], int]]:
        for pips in combinations_with_replacement(range(1, sides + 1), number):
            same = (len(list(group)) for _, group in groupby(pips))
            yield pips, factorial(number) // prod(map(factorial, same))

    kinds = [list(of_one_kind(sides, number)) for sides, number in dice.kinds]
    return tuple(
        (Roll(tuple(face for pips, _ in parts for face in pips)), prod(w for _, w in parts))
        for parts in product(*kinds)
    )


def dice_meant(offered: Dice | str) -> Dice:
    """Return dice as they are, or those of a text such as `2d6`. Raises NotUnderstood."""
    return offered if isinstance(offered, Dice) else Dice.parse(offered)


class Cup(Protocol):
    """The protocol of a source of rolls, which is the only place where chance enters a game."""

    def throw(self, dice: Dice, /) -> Roll:
        """Return a roll of these dice. Raises NoDice if none is left, IllegalRoll if it misfits."""
