"""The rules of one box as a value, checked when it is made so that no later code fails on it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from shutbox.dice import Dice
from shutbox.english import Word, listed, shown
from shutbox.errors import BadVariant, NotUnderstood
from shutbox.games.box.atoms import COVERS, SCORES, CoverRule, Fewer, ScoreRule, most_covers
from shutbox.messages import gettext, gettext_noop
from shutbox.typed_text import Reader, one_of, read_numbers

MOST_TILES = 30  # the most tiles of a box, all rows together
HIGHEST_NUMBER = 999  # the highest number on a tile; the lowest is 1
MOST_BOX_DICE = 12
HEAVIEST = 99  # the greatest weight of a tile; the least is 1
MOST_COVERS = 30_000
"""The most covers that one throw may have. More could not be listed within a second."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The rules of one box. The defaults are the rules of `two-dice` in the catalogue.

    >>> Variant(tiles=(1, 2, 3), fewer=Fewer.MUST_TOP).tiles
    (1, 2, 3)

    Raises BadVariant with every mistake at once.
    """

    tiles: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9)
    """The numbers of the front row, in place order, without repeats."""
    behind: tuple[int, ...] = ()
    """The numbers of the row behind, one behind each tile; empty for a box with one row."""
    down: tuple[int, ...] = ()  # the tiles of the front row that are down from the start
    dice: Dice = Dice((6, 6))  # dice of one kind
    fewer: Fewer = Fewer.NEVER
    cover: CoverRule = CoverRule.SUM
    first: tuple[int, ...] = ()  # tiles of the front row that the first cover must include
    stop_first: tuple[int, ...] = ()  # totals that end the turn on its first throw
    stop_on: tuple[int, ...] = ()  # totals that end the turn on any throw
    shut_at: int = 0  # the turn is won, as by a shut box, once the tiles up total this or less
    score: ScoreRule = ScoreRule.SUM
    weights: tuple[int, ...] = ()  # the factor of each tile in the score, in place order; empty: 1

    def __post_init__(self) -> None:
        if problems := tuple(mistakes({f.name: getattr(self, f.name) for f in fields(self)})):
            raise BadVariant("variant", problems)


def mistakes(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each reason why these values cannot be played.

    `values` has the fields of a Variant. Fields that could not be parsed may be missing, and
    problems that depend on them are not reported.
    """
    tiles: tuple[int, ...] | None = values.get("tiles")
    behind: tuple[int, ...] | None = values.get("behind")
    dice: Dice | None = values.get("dice")
    for key in ("tiles", "behind"):
        yield from _row_mistakes(key, values.get(key, ()))
    if tiles == ():
        yield gettext("tiles: none; a box has 1 to {most} tiles", most=MOST_TILES)
    numbers = None if tiles is None or behind is None else tiles + behind
    if tiles is not None and behind and len(behind) != len(tiles):
        rows = {"behind": len(behind), "front": len(tiles)}
        says = gettext_noop(
            "behind: {behind} behind {front}; there is one behind each tile, or none"
        )
        yield gettext(says, **rows)
    if numbers and len(numbers) > MOST_TILES:
        facts = {"number": len(numbers), "most": MOST_TILES}
        yield gettext("tiles: {number} in all; a box has 1 to {most} tiles", **facts)
    if tiles:
        yield from _subset_mistakes(tiles, values)
        if numbers:
            yield from _shut_mistakes(tiles, sum(numbers), values)
    if dice is not None:
        yield from _dice_mistakes(dice, values)
    if values.get("weights"):
        yield from _weight_mistakes(numbers, values)
    if tiles and numbers and dice is not None and len(tiles) <= MOST_TILES:
        yield from _size_mistakes(numbers, dice, values)


def _outside(numbers: Iterable[int], least: int, most: int) -> list[int]:
    return sorted({number for number in numbers if not least <= number <= most})


def _row_mistakes(key: str, numbers: tuple[int, ...]) -> Iterator[str]:
    for number in _outside(numbers, 1, HIGHEST_NUMBER):
        facts = {"key": key, "number": number, "most": HIGHEST_NUMBER}
        yield gettext("{key}: {number} is not allowed; numbers on tiles are 1 to {most}", **facts)
    yield from _repeats(key, numbers)


def _repeats(key: str, numbers: tuple[int, ...]) -> Iterator[str]:
    for number in sorted({n for n in numbers if numbers.count(n) > 1}):
        yield gettext("{key}: {number} is there more than once", key=key, number=number)


def _subset_mistakes(tiles: tuple[int, ...], values: Mapping[str, Any]) -> Iterator[str]:
    down, first = values.get("down", ()), values.get("first", ())
    for key, numbers in (("down", down), ("first", first)):
        yield from _repeats(key, numbers)
        for number in sorted(set(numbers) - set(tiles)):
            facts = {"key": key, "number": number, "tiles": listed(tiles)}
            yield gettext("{key}: {number} is not a tile of the front row ({tiles})", **facts)
    if set(tiles) <= set(down):
        yield gettext("down: every tile; at least one tile is up at the start")
    for number in sorted(set(first) & set(down)):
        yield gettext("first: {number} is down from the start and cannot be covered", number=number)


def _shut_mistakes(tiles: tuple[int, ...], total: int, values: Mapping[str, Any]) -> Iterator[str]:
    shut_at: int = values.get("shut_at", 0)
    up = total - sum(set(values.get("down", ())) & set(tiles))
    if shut_at < 0 or 0 < up <= shut_at:
        yield gettext(
            "shut_at: {total} is not allowed; it is 0, or less than the tiles up at the "
            "start, which total {up}",
            total=shut_at,
            up=up,
        )


def _dice_mistakes(dice: Dice, values: Mapping[str, Any]) -> Iterator[str]:
    if len(dice.kinds) > 1:
        yield gettext("dice: {dice}; the dice of a box are all of one kind, such as 2d6", dice=dice)
    if len(dice) > MOST_BOX_DICE:
        yield gettext("dice: {dice}; a box has 1 to {most} dice", dice=dice, most=MOST_BOX_DICE)
    cover: CoverRule | None = values.get("cover")
    if cover and (most := COVERS[cover].most_dice) and len(dice) > most:
        facts = {"rule": cover.value, "most": most, "dice": dice}
        yield gettext("cover: {rule} is a rule for 1 to {most} dice, and there are {dice}", **facts)
    lowest = len(dice) if values.get("fewer") is Fewer.NEVER else 1
    highest = sum(dice.sides)
    for key in ("stop_first", "stop_on"):
        for total in _outside(values.get(key, ()), lowest, highest):
            says = gettext_noop("{key}: {total} cannot be thrown; totals are {lowest} to {highest}")
            yield gettext(says, key=key, total=total, lowest=lowest, highest=highest)
        yield from _repeats(key, values.get(key, ()))


def _weight_mistakes(numbers: tuple[int, ...] | None, values: Mapping[str, Any]) -> Iterator[str]:
    weights: tuple[int, ...] = values["weights"]
    score: ScoreRule | None = values.get("score")
    if numbers is not None and len(weights) != len(numbers):
        facts = {"number": len(weights), "tiles": len(numbers)}
        yield gettext(
            "weights: {number} for {tiles}; there is one for each tile, front row first, or none",
            **facts,
        )
    for weight in _outside(weights, 1, HEAVIEST):
        says = gettext_noop("weights: {weight} is not allowed; weights are 1 to {most}")
        yield gettext(says, weight=weight, most=HEAVIEST)
    if score and not SCORES[score].weighs:
        yield gettext("weights: the score {score} does not weigh tiles", score=score.value)


def _size_mistakes(
    numbers: tuple[int, ...], dice: Dice, values: Mapping[str, Any]
) -> Iterator[str]:
    cover: CoverRule | None = values.get("cover")
    if cover is None or len(dice) > MOST_BOX_DICE:
        return
    counts = most_covers(cover, [n for n in numbers if n >= 1], dice)
    most = max(counts[1:])
    if most <= MOST_COVERS:
        return
    facts = {"rule": cover.value, "dice": dice, "total": counts.index(most), "most": MOST_COVERS}
    says = gettext_noop(
        "dice: {dice}; the total {total} has {covers:,} covers, and at most {most:,} are played"
    )
    if COVERS[cover].most is None:
        says = gettext_noop(
            "cover: {rule} does not say how many covers a throw can have; these tiles make "
            "{covers:,} sets, and at most {most:,} are played"
        )
    yield gettext(says, covers=most, **facts)


@dataclass(frozen=True, slots=True)
class Key:
    """The parser and the description of one key of a variant."""

    read: Reader
    about: str  # the line in a form, a template; `{words}` are the values of an atom
    words: tuple[str, ...] = ()


def _one_of(kind: type[Word], about: str) -> Key:
    return Key(one_of(kind), about, tuple(str(member.value) for member in kind))


def _total(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text):
        raise NotUnderstood("{text} is not a number", text=shown(text))
    return int(text)


def _set(text: str) -> tuple[int, ...]:
    return tuple(sorted(read_numbers(text)))


KEYS: dict[str, Key] = {
    "tiles": Key(read_numbers, gettext_noop("the numbers on the box: 1-9, or 1.3.5")),
    "behind": Key(read_numbers, gettext_noop("a second row, behind the first")),
    "down": Key(_set, gettext_noop("tiles that are down from the start")),
    "dice": Key(Dice.parse, gettext_noop("such as 2d6, 1d20")),
    "fewer": _one_of(Fewer, gettext_noop("when fewer dice are thrown: {words}")),
    "cover": _one_of(CoverRule, gettext_noop("{words}")),
    "first": Key(_set, gettext_noop("tiles that the first cover must include")),
    "stop_first": Key(_set, gettext_noop("totals that end the turn on the first throw")),
    "stop_on": Key(_set, gettext_noop("totals that end it on any throw")),
    "shut_at": Key(_total, gettext_noop("the total of tiles up that wins the turn: 3")),
    "score": _one_of(ScoreRule, gettext_noop("{words}")),
    "weights": Key(read_numbers, gettext_noop("what each tile counts")),
}
"""The keys of all rules, in the order in which names write them."""


def help_texts() -> dict[str, str]:
    """Return a line for a form about each rule of a box, by key.

    >>> help_texts()["cover"]
    'sum, sum2, both-or-sum or one'
    """
    return {
        key: gettext(row.about, words=listed(row.words, last="or")) for key, row in KEYS.items()
    }
