"""The rule atoms of a box: an enum member and a row of a table for each rule.

To add a rule, add a member, its row in the table below it, and test data. The engine reads only
the tables and never tests which rule is in play.

Tiles are bits: bit i is the tile in place i. The sets of a total are listed for the box with all
its tiles up, in canonical order. With some tiles down, the legal sets are those whose bits are all
up, in the same order. Big boxes are cheap because this filter is one `and` for each set.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import Word, listed
from shutbox.engine.messages import gettext, gettext_noop


@dataclass(frozen=True, slots=True)
class Cover:
    """A choice at a box: the tiles to cover with one roll."""

    tiles: int  # bit i is the tile in place i of the box, front row first


def places(tiles: int) -> list[int]:
    """Return the places of the tiles in a set, which is given as bits, ascending.

    >>> places(0b1011)
    [0, 1, 3]
    """
    found = []
    while tiles:
        lowest = tiles & -tiles
        found.append(lowest.bit_length() - 1)
        tiles ^= lowest
    return found


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


class TileSets:
    """The sets of tiles of one box: finds those that add up to a total, and puts sets in order.

    >>> nine = TileSets((1, 2, 3, 4, 5, 6, 7, 8, 9))
    >>> [bin(cover.tiles) for cover in nine.adding_up_to(4)]
    ['0b1000', '0b101']
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        """Take the number on the tile in each place; numbers can repeat."""
        self.numbers = tuple(numbers)
        # Highest number first, equal numbers in place order: the canonical order of tiles.
        self._descending = sorted(range(len(numbers)), key=lambda place: (-numbers[place], place))
        self.adding_up_to = cache(self._search)
        """Every cover whose numbers add up to a total, in canonical order; none for the total 0."""

    def showing(self, number: int) -> list[int]:
        """Return the places of the tiles with this number, ascending."""
        return [place for place, shown in enumerate(self.numbers) if shown == number]

    def in_order(self, sets: Iterable[int]) -> tuple[Cover, ...]:
        """Return sets as covers in canonical order: fewest tiles, highest tile, next highest etc.

        Of equal numbers, the one in the lower place comes first. Repeated sets are dropped.
        """
        rank = {place: index for index, place in enumerate(self._descending)}
        keyed = ((sorted(rank[place] for place in places(tiles)), tiles) for tiles in set(sets))
        return tuple(Cover(tiles) for _, tiles in sorted(keyed, key=lambda k: (len(k[0]), k[0])))

    def _search(self, total: int) -> tuple[Cover, ...]:
        # Depth first, highest tile first, entering only branches that can still reach the total:
        # reachable[i] has bit t set if some of the tiles from the i-th on add up to t.
        reachable = [1]
        for place in reversed(self._descending):
            reachable.append(reachable[-1] | reachable[-1] << self.numbers[place])
        reachable.reverse()
        by_size: list[list[int]] = [[] for _ in range(len(self.numbers) + 1)]

        def search(index: int, left: int, tiles: int, size: int) -> None:
            if left == 0:
                by_size[size].append(tiles)
                return
            for here in range(index, len(self._descending)):
                if not reachable[here] >> left & 1:
                    return
                place = self._descending[here]
                after = left - self.numbers[place]
                if after >= 0 and reachable[here + 1] >> after & 1:
                    search(here + 1, after, tiles | 1 << place, size + 1)

        if total > 0:
            search(0, total, 0, 0)
        return tuple(Cover(tiles) for sets in by_size for tiles in sets)


SMALL_SUM = 6  # the greatest total of the tiles seen at which the `sum` rules allow one die


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


class CoverRule(Word):
    """The options for which sets of tiles a roll can cover; `COVERS` has what each means."""

    SUM = "sum"
    SUM2 = "sum2"
    BOTH_OR_SUM = "both-or-sum"
    DIE_OR_SUM = "die-or-sum"
    ONE = "one"


class ScoreRule(Word):
    """The options for the score of a turn; `SCORES` has what each means."""

    SUM = "sum"
    COUNT = "count"
    DIGITS = "digits"
    COVERED = "covered"


class FewerRow(NamedTuple):
    """What a `Fewer` option means: how few dice are allowed, and the texts that say so."""

    more_dice: bool  # whether the player can throw more dice than `needed`, up to all
    needed: Callable[[Sequence[int], Sequence[int], Dice], int]
    """The fewest dice, from the numbers on the tiles up (at least one) and seen, and the dice."""
    short: str  # the rule as an option in a form, a template
    says: str = ""
    """The sentence of the card, a template with `{most}` (SMALL_SUM); empty if the card computes it
    from the tiles and dice."""
    says_of_two_rows: str = ""  # `says` for boxes with two rows, if hidden tiles matter to the rule
    by_sum: bool = False
    """Whether the rule demands all dice if the tiles seen total more than SMALL_SUM. If False, the
    fewest dice must depend on nothing but the highest tile up. The float solver relies on both."""


def _to_reach_the_top(up: Sequence[int], seen: Sequence[int], dice: Dice) -> int:
    return max(1, min(len(dice), -(-max(up) // dice.sides[0])))


FEWER: dict[Fewer, FewerRow] = {
    Fewer.NEVER: FewerRow(
        False, lambda up, seen, dice: len(dice), gettext_noop("Never, always all dice")
    ),
    Fewer.MAY_TOP: FewerRow(
        True, _to_reach_the_top, gettext_noop("When fewer dice reach the highest tile")
    ),
    Fewer.MUST_TOP: FewerRow(
        False, _to_reach_the_top, gettext_noop("Always when fewer dice reach the highest tile")
    ),
    Fewer.MAY_SUM: FewerRow(
        True,
        lambda up, seen, dice: 1 if sum(seen) <= SMALL_SUM else len(dice),
        gettext_noop("When 6 or less remain"),
        gettext_noop("Once the tiles up add up to {most} or less, you may throw one die."),
        gettext_noop("Once the visible tiles add up to {most} or less, you may throw one die."),
        by_sum=True,
    ),
    Fewer.MUST_SUM: FewerRow(
        False,
        lambda up, seen, dice: 1 if sum(seen) <= SMALL_SUM else len(dice),
        gettext_noop("Always when 6 or less remain"),
        gettext_noop("Once the tiles up add up to {most} or less, you must throw one die."),
        gettext_noop("Once the visible tiles add up to {most} or less, you must throw one die."),
        by_sum=True,
    ),
    Fewer.MAY_LAST: FewerRow(
        True,
        lambda up, seen, dice: 1 if list(up) == [1] else len(dice),
        gettext_noop("When only the 1 remains"),
        gettext_noop("You may throw one die once only the 1 is up."),
        by_sum=True,
    ),
    Fewer.MUST_LAST: FewerRow(
        False,
        lambda up, seen, dice: 1 if list(up) == [1] else len(dice),
        gettext_noop("Always when only the 1 remains"),
        gettext_noop("You must throw one die once only the 1 is up."),
        by_sum=True,
    ),
    Fewer.MAY_ANY: FewerRow(
        True,
        lambda up, seen, dice: 1,
        gettext_noop("Whenever you like"),
        gettext_noop("You may throw one die at any time."),
    ),
}


class CoverRow(NamedTuple):
    """What a `CoverRule` means: the covers of a roll, the reason against others, and its texts."""

    covers: Callable[[TileSets, Roll], tuple[Cover, ...]]
    """Every cover of the roll with all tiles up, in canonical order."""
    fault: Callable[[str, Sequence[int], Roll], str]
    """The reason against covering tiles of these names and numbers with the roll; "" if none."""
    short: str  # the rule as an option in a form, a template
    says: str  # the sentence of the card, a template
    most: Callable[[Sequence[int], int], list[int]] | None = None
    """An upper bound on the covers of each total from 0 to the highest, from the numbers on the
    tiles and the highest total. None: every set of tiles counts as a possible cover."""
    most_dice: int | None = None
    """The most dice for which the rule is defined; None if it is defined for any number."""


def _at_most_two(sets: TileSets, roll: Roll) -> tuple[Cover, ...]:
    singles = (1 << place for place in sets.showing(roll.total))
    pairs = (
        1 << place | 1 << other
        for place, number in enumerate(sets.numbers)
        for other in sets.showing(roll.total - number)
        if other != place
    )
    return sets.in_order([*singles, *pairs])


def _both_or_sum(sets: TileSets, roll: Roll) -> tuple[Cover, ...]:
    covers = [1 << place for place in sets.showing(roll.total)]
    if len(roll.pips) == 2 and roll.pips[0] != roll.pips[1]:
        first, second = (sets.showing(face) for face in roll.pips)
        covers += [1 << a | 1 << b for a, b in product(first, second)]
    return sets.in_order(covers)


def _exactly_one(sets: TileSets, roll: Roll) -> tuple[Cover, ...]:
    numbers = {*roll.pips, roll.total}
    return sets.in_order(1 << place for number in numbers for place in sets.showing(number))


def _either_both_or_sum(sets: TileSets, roll: Roll) -> tuple[Cover, ...]:
    covers = _exactly_one(sets, roll) + _both_or_sum(sets, roll)
    return sets.in_order(cover.tiles for cover in covers)


def _not_the_sum(names: str, numbers: Sequence[int], roll: Roll) -> str:
    facts = {"tiles": names, "sum": sum(numbers), "total": roll.total}
    if sum(numbers) == roll.total:
        return ""
    if len(numbers) == 1:
        return gettext("{tiles} does not make {total}", **facts)
    return gettext("{tiles} make {sum}, not {total}", **facts)


def _not_two_for_the_sum(names: str, numbers: Sequence[int], roll: Roll) -> str:
    if len(numbers) > 2:
        return gettext("at most two tiles go down at a time, not {tiles}", tiles=names)
    return _not_the_sum(names, numbers, roll)


def _not_both_nor_the_sum(names: str, numbers: Sequence[int], roll: Roll) -> str:
    if len(numbers) == 1:
        return _not_the_sum(names, numbers, roll)
    return _not_together(names, numbers, roll, [roll.total])


def _not_together(names: str, numbers: Sequence[int], roll: Roll, single: Sequence[int]) -> str:
    """Return the reason against several tiles that are not the dice; `single` can go down alone."""
    if len(set(roll.pips)) == len(roll.pips) and sorted(numbers) == list(roll.pips):
        return ""
    both = [listed(roll.pips)] if len(set(roll.pips)) == 2 else []
    what = listed([*single, *both], last="or")
    facts = {"tiles": names, "roll": roll, "what": what}
    return gettext("{tiles} cannot go down together; {roll} puts down {what}", **facts)


def _not_one_of_the_dice(names: str, numbers: Sequence[int], roll: Roll) -> str:
    if len(numbers) > 1:
        return gettext("only one tile goes down at a time, not {tiles}", tiles=names)
    if numbers[0] in (*roll.pips, roll.total):
        return ""
    facts = {"tiles": names, "roll": roll, "total": roll.total}
    return gettext("{tiles} is neither one of the dice {roll} nor their total {total}", **facts)


def _neither_dice_nor_the_sum(names: str, numbers: Sequence[int], roll: Roll) -> str:
    if len(numbers) == 1:
        return _not_one_of_the_dice(names, numbers, roll)
    return _not_together(names, numbers, roll, sorted({*roll.pips, roll.total}, reverse=True))


COVERS: dict[CoverRule, CoverRow] = {
    CoverRule.SUM: CoverRow(
        lambda sets, roll: sets.adding_up_to(roll.total),
        _not_the_sum,
        gettext_noop("Any tiles that add up"),
        gettext_noop("Cover any tiles that are up and add up to the throw."),
        most=count_covers,
    ),
    CoverRule.SUM2: CoverRow(
        _at_most_two,
        _not_two_for_the_sum,
        gettext_noop("One or two tiles"),
        gettext_noop("Cover one or two tiles that are up and add up to the throw."),
        # At most two tiles have the same number, so a tile is in at most two pairs.
        most=lambda numbers, highest: [len(numbers) + 2] * (highest + 1),
    ),
    CoverRule.BOTH_OR_SUM: CoverRow(
        _both_or_sum,
        _not_both_nor_the_sum,
        gettext_noop("The total, or both dice"),
        gettext_noop(
            "Cover the tile of the total, or both tiles of the two dice if the dice differ and "
            "both tiles are up."
        ),
        most=lambda numbers, highest: [2 + 2 * 2] * (highest + 1),
        most_dice=2,
    ),
    CoverRule.DIE_OR_SUM: CoverRow(
        _either_both_or_sum,
        _neither_dice_nor_the_sum,
        gettext_noop("A die, both dice or the total"),
        gettext_noop(
            "Cover the tile of one die, both tiles of the two dice if the dice differ, or the tile "
            "of the total."
        ),
        most=lambda numbers, highest: [3 * 2 + 2 * 2] * (highest + 1),
        most_dice=2,
    ),
    CoverRule.ONE: CoverRow(
        _exactly_one,
        _not_one_of_the_dice,
        gettext_noop("One tile only"),
        gettext_noop("Cover exactly one tile: the number of one of the dice, or of the total."),
        most=lambda numbers, highest: [len(numbers)] * (highest + 1),
    ),
}


def most_covers(rule: CoverRule, numbers: Sequence[int], dice: Dice) -> list[int]:
    """Return an upper bound on covers by total, from a formula; `numbers` are on the tiles."""
    most, highest = COVERS[rule].most, sum(dice.sides)
    return [2 ** len(numbers)] * (highest + 1) if most is None else most(numbers, highest)


class Tile(NamedTuple):
    """The number and the weight of a tile, from which a score is computed."""

    number: int
    weight: int = 1


class ScoreRow(NamedTuple):
    """What a `ScoreRule` means: the function for the score, and the texts that describe it."""

    score: Callable[[Iterable[Tile], Iterable[Tile]], int]
    """The score, from the tiles up and the tiles covered in this turn."""
    short: str  # the rule as an option in a form, a template
    says: str  # the sentence of the card, a template
    low_is_good: bool = True
    weighs: bool = True  # whether the weights of tiles count


def _sum(tiles: Iterable[Tile]) -> int:
    return sum(tile.number * tile.weight for tile in tiles)


def _digits_up(up: Iterable[Tile], covered: Iterable[Tile]) -> int:
    return int("".join(map(str, sorted(tile.number for tile in up))) or "0")


SCORES: dict[ScoreRule, ScoreRow] = {
    ScoreRule.SUM: ScoreRow(
        lambda up, covered: _sum(up),
        gettext_noop("Add up what is left"),
        gettext_noop("Your score is the sum of the tiles still up; low is good."),
    ),
    ScoreRule.COUNT: ScoreRow(
        lambda up, covered: sum(tile.weight for tile in up),
        gettext_noop("Count the tiles left"),
        gettext_noop("Your score is how many tiles are still up; low is good."),
    ),
    ScoreRule.DIGITS: ScoreRow(
        _digits_up,
        gettext_noop("Read the tiles as a number"),
        gettext_noop(
            "Your score is the number that the tiles still up spell, lowest first; low is good."
        ),
        weighs=False,
    ),
    ScoreRule.COVERED: ScoreRow(
        lambda up, covered: _sum(covered),
        gettext_noop("Add up what you covered"),
        gettext_noop("Your score is the sum of the tiles you put down; high is good."),
        low_is_good=False,
    ),
}
