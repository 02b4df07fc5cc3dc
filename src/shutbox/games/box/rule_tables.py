"""The rule atoms of a box: an enum member and a row of a table for each rule.

To add a rule, add a member, its row in the table below it, and test data. The engine reads only
the tables and never tests which rule is in play.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import ceil
from typing import NamedTuple

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import Word, listed
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.games.box.tile_sets import Cover, TileSets

SMALL_SUM = 6  # the most that the tiles seen can total for the `sum` rules; forms say it in digits


class Fewer(Word):
    """The options for throwing fewer dice: when, and whether a player may or must; see `FEWER`."""

    NEVER = "never"
    MAY_TOP = "may-top"
    MUST_TOP = "must-top"
    MAY_SUM = "may-sum"
    MUST_SUM = "must-sum"
    MAY_LAST = "may-last"
    MUST_LAST = "must-last"
    MAY_ANY = "may-any"


class FewerRow(NamedTuple):
    """What a `Fewer` option means: how few dice are allowed, and the texts that say so."""

    more_dice: bool  # whether the player may throw more dice than `needed`, up to all
    needed: Callable[[Sequence[int], Sequence[int], Dice], int]
    """The fewest dice, from the numbers on the tiles up (at least one) and seen, and the dice."""
    label: str  # the rule as an option in a form
    says: str = ""
    """The sentence of the card, a template with `{most}` (SMALL_SUM); empty if the card computes it
    from the tiles and dice."""
    says_of_two_rows: str = ""  # `says` for boxes with two rows, if hidden tiles matter to the rule
    only_small_sums: bool = False
    """Whether the rule demands all dice if the tiles seen total more than SMALL_SUM. If False, the
    fewest dice must depend on nothing but the highest tile up. `solving/box/fast.py` needs both."""


def _to_reach_the_top(up: Sequence[int], seen: Sequence[int], dice: Dice) -> int:
    """Return how many dice, all of one kind, can show the highest number up, at most all."""
    return min(len(dice), ceil(max(up) / dice.sides[0]))


def _one_for_a_small_sum(up: Sequence[int], seen: Sequence[int], dice: Dice) -> int:
    return 1 if sum(seen) <= SMALL_SUM else len(dice)


def _one_for_the_1(up: Sequence[int], seen: Sequence[int], dice: Dice) -> int:
    return 1 if list(up) == [1] else len(dice)


FEWER: dict[Fewer, FewerRow] = {
    Fewer.NEVER: FewerRow(
        more_dice=False,
        needed=lambda up, seen, dice: len(dice),
        label=gettext_noop("Never, always all dice"),
    ),
    Fewer.MAY_TOP: FewerRow(
        more_dice=True,
        needed=_to_reach_the_top,
        label=gettext_noop("When fewer dice reach the highest tile"),
    ),
    Fewer.MUST_TOP: FewerRow(
        more_dice=False,
        needed=_to_reach_the_top,
        label=gettext_noop("Always when fewer dice reach the highest tile"),
    ),
    Fewer.MAY_SUM: FewerRow(
        more_dice=True,
        needed=_one_for_a_small_sum,
        label=gettext_noop("When 6 or less remain"),
        says=gettext_noop("Once the tiles up add up to {most} or less, you may throw one die."),
        says_of_two_rows=gettext_noop(
            "Once the visible tiles add up to {most} or less, you may throw one die."
        ),
        only_small_sums=True,
    ),
    Fewer.MUST_SUM: FewerRow(
        more_dice=False,
        needed=_one_for_a_small_sum,
        label=gettext_noop("Always when 6 or less remain"),
        says=gettext_noop("Once the tiles up add up to {most} or less, you must throw one die."),
        says_of_two_rows=gettext_noop(
            "Once the visible tiles add up to {most} or less, you must throw one die."
        ),
        only_small_sums=True,
    ),
    Fewer.MAY_LAST: FewerRow(
        more_dice=True,
        needed=_one_for_the_1,
        label=gettext_noop("When only the 1 remains"),
        says=gettext_noop("You may throw one die once only the 1 is up."),
        only_small_sums=True,
    ),
    Fewer.MUST_LAST: FewerRow(
        more_dice=False,
        needed=_one_for_the_1,
        label=gettext_noop("Always when only the 1 remains"),
        says=gettext_noop("You must throw one die once only the 1 is up."),
        only_small_sums=True,
    ),
    Fewer.MAY_ANY: FewerRow(
        more_dice=True,
        needed=lambda up, seen, dice: 1,
        label=gettext_noop("Whenever you like"),
        says=gettext_noop("You may throw one die at any time."),
    ),
}


class CoverRule(Word):
    """The options for which sets of tiles a roll can cover; `COVERS` has what each means."""

    SUM = "sum"
    SUM2 = "sum2"
    BOTH_OR_SUM = "both-or-sum"
    DIE_OR_SUM = "die-or-sum"
    ONE = "one"


class CoverRow(NamedTuple):
    """What a `CoverRule` means: the covers of a roll, the reason against others, and its texts."""

    covers: Callable[[TileSets, Roll], tuple[Cover, ...]]
    """Every cover of the roll with all tiles up, in canonical order."""
    fault: Callable[[str, Sequence[int], Roll], str]
    """The reason against covering tiles of these names and numbers with the roll; "" exactly if
    `covers` has them."""
    label: str  # the rule as an option in a form
    says: str  # the sentence of the card, a template
    bounds: Callable[[Sequence[int], int], list[int]]
    """An upper bound on the covers of each total, from the numbers on the tiles and the highest
    total. Totals count from 0, which no dice make, so that a bound has the index of its total."""
    most_dice: int | None = None
    """The most dice for which the rule is defined; None if it is defined for any number."""


def _at_most_two(sets: TileSets, roll: Roll) -> tuple[Cover, ...]:
    """Return each tile of the total, and each two tiles that add up to it."""
    singles = (1 << place for place in sets.places_of(roll.total))
    pairs = (
        1 << place | 1 << other
        for place, number in enumerate(sets.numbers)
        for other in sets.places_of(roll.total - number)
        if other != place
    )
    return sets.in_order([*singles, *pairs])


def _both_or_sum(sets: TileSets, roll: Roll) -> tuple[Cover, ...]:
    """Return each tile of the total, and each two tiles of two dice that differ."""
    covers = [1 << place for place in sets.places_of(roll.total)]
    if len(roll.pips) == 2 and roll.pips[0] != roll.pips[1]:
        first, second = (sets.places_of(face) for face in roll.pips)
        covers += [1 << a | 1 << b for a, b in product(first, second)]
    return sets.in_order(covers)


def _exactly_one(sets: TileSets, roll: Roll) -> tuple[Cover, ...]:
    """Return each tile of a die or of the total."""
    numbers = {*roll.pips, roll.total}
    return sets.in_order(1 << place for number in numbers for place in sets.places_of(number))


def _either_both_or_sum(sets: TileSets, roll: Roll) -> tuple[Cover, ...]:
    covers = _exactly_one(sets, roll) + _both_or_sum(sets, roll)
    return sets.in_order(cover.tiles for cover in covers)


def _not_the_sum(tiles: str, numbers: Sequence[int], roll: Roll) -> str:
    facts = {"tiles": tiles, "sum": sum(numbers), "total": roll.total}
    if sum(numbers) == roll.total:
        return ""
    if len(numbers) == 1:
        return gettext("{tiles} does not make {total}", **facts)
    return gettext("{tiles} make {sum}, not {total}", **facts)


def _not_two_for_the_sum(tiles: str, numbers: Sequence[int], roll: Roll) -> str:
    if len(numbers) > 2:
        return gettext("at most two tiles go down at a time, not {tiles}", tiles=tiles)
    return _not_the_sum(tiles, numbers, roll)


def _not_both_nor_the_sum(tiles: str, numbers: Sequence[int], roll: Roll) -> str:
    if len(numbers) == 1:
        return _not_the_sum(tiles, numbers, roll)
    return _not_together(tiles, numbers, roll, [roll.total])


def _not_together(tiles: str, numbers: Sequence[int], roll: Roll, alone: Sequence[int]) -> str:
    """Return the reason against several tiles, "" if they are the dice and these differ.

    `alone` are the numbers that go down on their own, in the order in which they are named.
    """
    # There are at most two dice: `most_dice` of these rules.
    if len(set(roll.pips)) == len(roll.pips) and sorted(numbers) == list(roll.pips):
        return ""
    both = [listed(roll.pips)] if len(set(roll.pips)) == 2 else []
    what = listed([*alone, *both], last="or")
    facts = {"tiles": tiles, "roll": roll, "what": what}
    return gettext("{tiles} cannot go down together; {roll} puts down {what}", **facts)


def _not_one_of_the_dice(tiles: str, numbers: Sequence[int], roll: Roll) -> str:
    if len(numbers) > 1:
        # Translators: the rules let a player cover one tile with each throw, not several.
        return gettext("only one tile goes down at a time, not {tiles}", tiles=tiles)
    if numbers[0] in (*roll.pips, roll.total):
        return ""
    facts = {"tiles": tiles, "roll": roll, "total": roll.total}
    return gettext("{tiles} is neither one of the dice {roll} nor their total {total}", **facts)


def _neither_dice_nor_the_sum(tiles: str, numbers: Sequence[int], roll: Roll) -> str:
    if len(numbers) == 1:
        return _not_one_of_the_dice(tiles, numbers, roll)
    return _not_together(tiles, numbers, roll, sorted({*roll.pips, roll.total}, reverse=True))


def count_covers(numbers: Iterable[int], most: int) -> list[int]:
    """Count the sets of numbers that add up to each total from 0 to `most`, without listing them.

    >>> count_covers([1, 2, 3], 6)
    [1, 1, 1, 2, 1, 1, 1]
    """
    counts = [1] + [0] * most
    for number in numbers:
        for total in range(most, number - 1, -1):
            counts[total] += counts[total - number]
    return counts


# The bounds: at most two tiles have the same number, one in each row.
COVERS: dict[CoverRule, CoverRow] = {
    CoverRule.SUM: CoverRow(
        covers=lambda sets, roll: sets.adding_up_to(roll.total),
        fault=_not_the_sum,
        label=gettext_noop("Any tiles that add up"),
        says=gettext_noop("Cover any tiles that are up and add up to the throw."),
        bounds=count_covers,
    ),
    CoverRule.SUM2: CoverRow(
        covers=_at_most_two,
        fault=_not_two_for_the_sum,
        label=gettext_noop("One or two tiles"),
        says=gettext_noop("Cover one or two tiles that are up and add up to the throw."),
        # Up to 2 tiles alone; each of n is in up to 2 pairs, which count twice so: n pairs.
        bounds=lambda numbers, highest: [len(numbers) + 2] * (highest + 1),
    ),
    CoverRule.BOTH_OR_SUM: CoverRow(
        covers=_both_or_sum,
        fault=_not_both_nor_the_sum,
        label=gettext_noop("The total, or both dice"),
        says=gettext_noop(
            "Cover the tile of the total, or both tiles of the two dice if the dice differ and "
            "both tiles are up."
        ),
        # 2 tiles of the total, and a tile of each of two dice in 2 * 2 ways.
        bounds=lambda numbers, highest: [2 + 2 * 2] * (highest + 1),
        most_dice=2,
    ),
    CoverRule.DIE_OR_SUM: CoverRow(
        covers=_either_both_or_sum,
        fault=_neither_dice_nor_the_sum,
        label=gettext_noop("A die, both dice or the total"),
        says=gettext_noop(
            "Cover the tile of one die, both tiles of the two dice if the dice differ, or the tile "
            "of the total."
        ),
        # 2 tiles of each die and of the total, and a tile of each of two dice in 2 * 2 ways.
        bounds=lambda numbers, highest: [3 * 2 + 2 * 2] * (highest + 1),
        most_dice=2,
    ),
    CoverRule.ONE: CoverRow(
        covers=_exactly_one,
        fault=_not_one_of_the_dice,
        label=gettext_noop("One tile only"),
        says=gettext_noop(
            "Cover exactly one tile: the number of one of the dice, or of the total."
        ),
        bounds=lambda numbers, highest: [len(numbers)] * (highest + 1),
    ),
}


class ScoreRule(Word):
    """The options for the score of a turn; `SCORES` has what each means."""

    SUM = "sum"
    COUNT = "count"
    DIGITS = "digits"
    COVERED = "covered"


class ScoredTile(NamedTuple):
    """The number and the weight of a tile, from which a score is computed."""

    number: int
    weight: int = 1


class ScoreRow(NamedTuple):
    """What a `ScoreRule` means: the function for the score, and the texts that describe it."""

    score: Callable[[Iterable[ScoredTile], Iterable[ScoredTile]], int]
    """The score, from the tiles up and the tiles covered in this turn."""
    label: str  # the rule as an option in a form
    says: str  # the sentence of the card, a template
    low_is_good: bool = True
    weighs: bool = True  # whether the weights of tiles count


def _sum(tiles: Iterable[ScoredTile]) -> int:
    return sum(tile.number * tile.weight for tile in tiles)


def _digits_up(up: Iterable[ScoredTile], covered: Iterable[ScoredTile]) -> int:
    return int("".join(map(str, sorted(tile.number for tile in up))) or "0")


SCORES: dict[ScoreRule, ScoreRow] = {
    ScoreRule.SUM: ScoreRow(
        score=lambda up, covered: _sum(up),
        label=gettext_noop("Add up what is left"),
        says=gettext_noop("Your score is the sum of the tiles still up; low is good."),
    ),
    ScoreRule.COUNT: ScoreRow(
        score=lambda up, covered: sum(tile.weight for tile in up),
        label=gettext_noop("Count the tiles left"),
        says=gettext_noop("Your score is how many tiles are still up; low is good."),
    ),
    ScoreRule.DIGITS: ScoreRow(
        score=_digits_up,
        label=gettext_noop("Read the tiles as a number"),
        says=gettext_noop(
            "Your score is the number that the tiles still up spell, lowest first; low is good."
        ),
        weighs=False,
    ),
    ScoreRule.COVERED: ScoreRow(
        score=lambda up, covered: _sum(covered),
        # Translators: an order to the player: the score is the sum of the tiles put down.
        label=gettext_noop("Add up what you covered"),
        says=gettext_noop("Your score is the sum of the tiles you put down; high is good."),
        low_is_good=False,
    ),
}
