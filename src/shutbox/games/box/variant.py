"""The rules of one box as a value, checked when made: what passes here never crashes later."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from shutbox.dice import Dice
from shutbox.english import counted, listed
from shutbox.errors import BadVariant
from shutbox.games.box.atoms import COVERS, SCORES, CoverRule, Fewer, ScoreRule
from shutbox.games.box.tile_sets import ways

MOST_TILES = 30
"""The most tiles of a box, all rows together."""
HIGHEST_NUMBER = 999
"""The highest number on a tile; the lowest is 1."""
MOST_BOX_DICE = 12
"""The most dice of a box."""
HEAVIEST = 99
"""The greatest weight of a tile; the least is 1."""
MOST_COVERS = 30_000
"""The most covers that one throw may have. More could not be listed within a second."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One box with its rules. The defaults are those of the rulebook's catalogue.

    >>> Variant(tiles=(1, 2, 3), fewer=Fewer.MUST_TOP).tiles
    (1, 2, 3)

    Raises BadVariant with every mistake at once.
    """

    tiles: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9)
    """The numbers of the front row, in place order, none twice."""
    behind: tuple[int, ...] = ()
    """The numbers behind them, one behind each tile; empty for a box with one row."""
    down: tuple[int, ...] = ()
    """The tiles of the front row that are down from the start."""
    dice: Dice = Dice((6, 6))
    """Dice of one kind."""
    fewer: Fewer = Fewer.NEVER
    """When fewer dice are thrown."""
    cover: CoverRule = CoverRule.SUM
    """What a roll may cover."""
    first: tuple[int, ...] = ()
    """Tiles of the front row that the first cover must include."""
    stop_first: tuple[int, ...] = ()
    """Totals that end the turn on its first throw."""
    stop_on: tuple[int, ...] = ()
    """Totals that end the turn on any throw."""
    score: ScoreRule = ScoreRule.SUM
    """What the turn is worth."""
    weights: tuple[int, ...] = ()
    """What each tile counts times, front row first; empty: once each."""

    def __post_init__(self) -> None:
        problems = tuple(
            sentence
            for _, sentence in mistakes({f.name: getattr(self, f.name) for f in fields(self)})
        )
        if problems:
            raise BadVariant("variant", problems)


def mistakes(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(key, sentence) for everything about these values that cannot be played.

    `values` has the fields of a Variant; those that could not be read may be missing, and what
    would follow from them is not reported.
    """
    tiles: tuple[int, ...] | None = values.get("tiles")
    behind: tuple[int, ...] | None = values.get("behind")
    dice: Dice | None = values.get("dice")
    for key, numbers in (("tiles", tiles), ("behind", behind)):
        if numbers is not None:
            yield from _row_mistakes(key, numbers)
    if tiles == ():
        yield "tiles", f"tiles: none; a box has 1 to {MOST_TILES} tiles"
    if tiles is not None and behind is not None:
        if behind and len(behind) != len(tiles):
            yield (
                "behind",
                f"behind: {counted(len(behind), 'tile')} behind {counted(len(tiles), 'tile')}; "
                "there is one behind each tile, or none",
            )
        if len(tiles) + len(behind) > MOST_TILES:
            yield (
                "tiles",
                f"tiles: {len(tiles) + len(behind)} in all; a box has 1 to {MOST_TILES} tiles",
            )
    if tiles:
        yield from _subset_mistakes(tiles, values)
    if dice is not None:
        yield from _dice_mistakes(dice, values)
    yield from _weight_mistakes(tiles, behind, values)
    if tiles and behind is not None and dice is not None and len(tiles) <= MOST_TILES:
        yield from _size_mistakes(tiles + behind, dice, values)


def _row_mistakes(key: str, numbers: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    for number in sorted({n for n in numbers if not 1 <= n <= HIGHEST_NUMBER}):
        yield key, f"{key}: {number} is not allowed; numbers on tiles are 1 to {HIGHEST_NUMBER}"
    yield from _repeats(key, numbers)


def _repeats(key: str, numbers: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    for number in sorted({n for n in numbers if numbers.count(n) > 1}):
        yield key, f"{key}: {number} is there more than once"


def _subset_mistakes(
    tiles: tuple[int, ...], values: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    down: tuple[int, ...] = values.get("down", ())
    first: tuple[int, ...] = values.get("first", ())
    for key, numbers in (("down", down), ("first", first)):
        yield from _repeats(key, numbers)
        for number in sorted(set(numbers) - set(tiles)):
            yield key, f"{key}: {number} is not a tile of the front row ({listed(tiles)})"
    if set(tiles) <= set(down):
        yield "down", "down: every tile; at least one tile is up at the start"
    for number in sorted(set(first) & set(down)):
        yield "first", f"first: {number} is down from the start and cannot be covered"


def _dice_mistakes(dice: Dice, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if len(dice.kinds) > 1:
        yield "dice", f"dice: {dice}; the dice of a box are all of one kind, such as 2d6"
    if len(dice) > MOST_BOX_DICE:
        yield "dice", f"dice: {dice}; a box has 1 to {MOST_BOX_DICE} dice"
    cover: CoverRule | None = values.get("cover")
    most = COVERS[cover].most_dice if cover is not None else None
    if cover is not None and most is not None and len(dice) > most:
        yield "cover", f"cover: {cover.value} is a rule for 1 to {most} dice, and there are {dice}"
    lowest = len(dice) if values.get("fewer") is Fewer.NEVER else 1
    highest = sum(dice.sides)
    for key in ("stop_first", "stop_on"):
        totals: tuple[int, ...] = values.get(key, ())
        for total in sorted({t for t in totals if not lowest <= t <= highest}):
            yield key, f"{key}: {total} cannot be thrown; totals are {lowest} to {highest}"
        yield from _repeats(key, totals)


def _weight_mistakes(
    tiles: tuple[int, ...] | None, behind: tuple[int, ...] | None, values: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    weights: tuple[int, ...] = values.get("weights", ())
    score: ScoreRule | None = values.get("score")
    if not weights:
        return
    if tiles is not None and behind is not None and len(weights) != len(tiles + behind):
        yield (
            "weights",
            f"weights: {len(weights)} for {counted(len(tiles + behind), 'tile')}; "
            "one for each tile, front row first, or none",
        )
    for weight in sorted({w for w in weights if not 1 <= w <= HEAVIEST}):
        yield "weights", f"weights: {weight} is not allowed; weights are 1 to {HEAVIEST}"
    if score is not None and not SCORES[score].weighs:
        yield "weights", f"weights: the score {score.value} does not weigh tiles"


def _size_mistakes(
    numbers: tuple[int, ...], dice: Dice, values: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    # Only sums can have many covers; the other rules name at most two tiles.
    if values.get("cover") is not CoverRule.SUM or len(dice) > MOST_BOX_DICE:
        return
    counts = ways((n for n in numbers if n >= 1), sum(dice.sides))
    most = max(counts[1:])
    if most > MOST_COVERS:
        yield (
            "dice",
            f"dice: {dice} on {counted(len(numbers), 'tile')}; the total {counts.index(most)} "
            f"has {most:,} covers, and at most {MOST_COVERS:,} are played",
        )
