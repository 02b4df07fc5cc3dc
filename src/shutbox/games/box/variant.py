"""The rules of one box as a value, checked when made: what passes here never crashes later."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from shutbox.dice import Dice
from shutbox.english import listed, number_word
from shutbox.errors import BadVariant
from shutbox.games.box.atoms import COVERS, SCORES, CoverRule, Fewer, ScoreRule, most_covers
from shutbox.messages import gettext, ngettext

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
    shut_at: int = 0
    """The turn is won as with a shut box once the tiles up total this or less."""
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
        yield "tiles", gettext("tiles: none; a box has 1 to {most} tiles", most=MOST_TILES)
    if tiles is not None and behind is not None:
        if behind and len(behind) != len(tiles):
            yield (
                "behind",
                gettext(
                    "behind: {behind} behind {front}; there is one behind each tile, or none",
                    behind=_tiles(len(behind)),
                    front=_tiles(len(tiles)),
                ),
            )
        if (number := len(tiles) + len(behind)) > MOST_TILES:
            yield (
                "tiles",
                gettext(
                    "tiles: {number} in all; a box has 1 to {most} tiles",
                    number=number,
                    most=MOST_TILES,
                ),
            )
    if tiles:
        yield from _subset_mistakes(tiles, values)
        if behind is not None:
            yield from _shut_mistakes(tiles, behind, values)
    if dice is not None:
        yield from _dice_mistakes(dice, values)
    yield from _weight_mistakes(tiles, behind, values)
    if tiles and behind is not None and dice is not None and len(tiles) <= MOST_TILES:
        yield from _size_mistakes(tiles + behind, dice, values)


def _tiles(number: int) -> str:
    return ngettext("{count} tile", "{count} tiles", number, count=number_word(number))


def _row_mistakes(key: str, numbers: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    for number in sorted({n for n in numbers if not 1 <= n <= HIGHEST_NUMBER}):
        yield (
            key,
            gettext(
                "{key}: {number} is not allowed; numbers on tiles are 1 to {most}",
                key=key,
                number=number,
                most=HIGHEST_NUMBER,
            ),
        )
    yield from _repeats(key, numbers)


def _repeats(key: str, numbers: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    for number in sorted({n for n in numbers if numbers.count(n) > 1}):
        yield key, gettext("{key}: {number} is there more than once", key=key, number=number)


def _subset_mistakes(
    tiles: tuple[int, ...], values: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    down: tuple[int, ...] = values.get("down", ())
    first: tuple[int, ...] = values.get("first", ())
    for key, numbers in (("down", down), ("first", first)):
        yield from _repeats(key, numbers)
        for number in sorted(set(numbers) - set(tiles)):
            yield (
                key,
                gettext(
                    "{key}: {number} is not a tile of the front row ({tiles})",
                    key=key,
                    number=number,
                    tiles=listed(tiles),
                ),
            )
    if set(tiles) <= set(down):
        yield "down", gettext("down: every tile; at least one tile is up at the start")
    for number in sorted(set(first) & set(down)):
        yield (
            "first",
            gettext("first: {number} is down from the start and cannot be covered", number=number),
        )


def _shut_mistakes(
    tiles: tuple[int, ...], behind: tuple[int, ...], values: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    shut_at: int = values.get("shut_at", 0)
    up = sum(tiles) + sum(behind) - sum(set(values.get("down", ())) & set(tiles))
    if shut_at < 0 or 0 < up <= shut_at:
        yield (
            "shut_at",
            gettext(
                "shut_at: {total} is not allowed; it is 0, or less than the tiles up at the "
                "start, which total {up}",
                total=shut_at,
                up=up,
            ),
        )


def _dice_mistakes(dice: Dice, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if len(dice.kinds) > 1:
        yield (
            "dice",
            gettext("dice: {dice}; the dice of a box are all of one kind, such as 2d6", dice=dice),
        )
    if len(dice) > MOST_BOX_DICE:
        yield (
            "dice",
            gettext("dice: {dice}; a box has 1 to {most} dice", dice=dice, most=MOST_BOX_DICE),
        )
    cover: CoverRule | None = values.get("cover")
    most = COVERS[cover].most_dice if cover is not None else None
    if cover is not None and most is not None and len(dice) > most:
        yield (
            "cover",
            gettext(
                "cover: {rule} is a rule for 1 to {most} dice, and there are {dice}",
                rule=cover.value,
                most=most,
                dice=dice,
            ),
        )
    lowest = len(dice) if values.get("fewer") is Fewer.NEVER else 1
    highest = sum(dice.sides)
    for key in ("stop_first", "stop_on"):
        totals: tuple[int, ...] = values.get(key, ())
        for total in sorted({t for t in totals if not lowest <= t <= highest}):
            yield (
                key,
                gettext(
                    "{key}: {total} cannot be thrown; totals are {lowest} to {highest}",
                    key=key,
                    total=total,
                    lowest=lowest,
                    highest=highest,
                ),
            )
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
            gettext(
                "weights: {number} for {tiles}; one for each tile, front row first, or none",
                number=len(weights),
                tiles=_tiles(len(tiles + behind)),
            ),
        )
    for weight in sorted({w for w in weights if not 1 <= w <= HEAVIEST}):
        yield (
            "weights",
            gettext(
                "weights: {weight} is not allowed; weights are 1 to {most}",
                weight=weight,
                most=HEAVIEST,
            ),
        )
    if score is not None and not SCORES[score].weighs:
        yield (
            "weights",
            gettext("weights: the score {score} does not weigh tiles", score=score.value),
        )


def _size_mistakes(
    numbers: tuple[int, ...], dice: Dice, values: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    cover: CoverRule | None = values.get("cover")
    if cover is None or len(dice) > MOST_BOX_DICE:
        return
    counts = most_covers(cover, [n for n in numbers if n >= 1], dice)
    most = max(counts[1:])
    if most <= MOST_COVERS:
        return
    facts = {"tiles": _tiles(len(numbers)), "covers": most, "most": MOST_COVERS}
    if COVERS[cover].most is None:
        yield (
            "cover",
            gettext(
                "cover: {rule} does not say how many covers a throw can have; {tiles} make "
                "{covers:,} sets, and at most {most:,} are played",
                rule=cover.value,
                **facts,
            ),
        )
        return
    yield (
        "dice",
        gettext(
            "dice: {dice} on {tiles}; the total {total} has {covers:,} covers, and at most "
            "{most:,} are played",
            dice=dice,
            total=counts.index(most),
            **facts,
        ),
    )
