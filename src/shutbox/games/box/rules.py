"""The rules of one box as a value, and its engine: positions, what each awaits, and legal covers.

A `Variant` is checked when it is made, so that no later code fails on it. Its rules are tables in
`rule_tables`, which the engine applies in order. A position does not store whether its throw is the
first of the turn. Every roll that does not end the turn covers a tile, so a throw is the first
exactly while all the tiles of the start are up.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache, partial
from itertools import repeat
from typing import Any, NamedTuple

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import listed
from shutbox.engine.errors import BadVariant
from shutbox.engine.game import Awaited, Choose, Over, Throw
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.typed_text import check_type, text_problems
from shutbox.games.box.rule_tables import (
    COVERS,
    FEWER,
    SCORES,
    CoverRule,
    Fewer,
    ScoredTile,
    ScoreRule,
)
from shutbox.games.box.tile_sets import Cover, TileSets

MOST_TILES = 30  # the most tiles of a box, all rows together
HIGHEST_NUMBER = 999  # the highest number on a tile; the lowest is 1
MOST_BOX_DICE = 12
HEAVIEST = 99  # the greatest weight of a tile; the least is 1
MOST_COVERS = 30_000  # the most of one throw; more could not be listed within a second


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
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        if problems := tuple(text_problems(values) or find_problems(values)):
            raise BadVariant("variant", problems)


def find_problems(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each problem with fields of a Variant; missing ones have none."""
    tiles: tuple[int, ...] | None = values.get("tiles")
    behind: tuple[int, ...] | None = values.get("behind")
    dice: Dice | None = values.get("dice")
    for key in ("tiles", "behind"):
        for number in _outside(values.get(key, ()), 1, HIGHEST_NUMBER):
            facts = {"key": key, "number": number, "most": HIGHEST_NUMBER}
            says = gettext_noop("{key}: {number} is not allowed; numbers on tiles are 1 to {most}")
            yield gettext(says, **facts)
        yield from _repeats(key, values.get(key, ()))
    numbers = None if tiles is None or behind is None else tiles + behind
    if tiles is not None and behind and len(behind) != len(tiles):
        rows = {"behind": len(behind), "front": len(tiles)}
        says = gettext_noop(
            "behind: {behind} behind {front}; there is one behind each tile, or none"
        )
        yield gettext(says, **rows)
    if numbers is not None and not 1 <= len(numbers) <= MOST_TILES:
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
    counts = COVERS[cover].bounds([n for n in numbers if n >= 1], sum(dice.sides))
    most = max(counts[1:])
    if most <= MOST_COVERS:
        return
    facts = {"dice": dice, "total": counts.index(most), "most": MOST_COVERS}
    says = gettext_noop(
        "dice: {dice}; the total {total} has {covers:,} covers, and at most {most:,} are played"
    )
    yield gettext(says, covers=most, **facts)


class BoxPosition(NamedTuple):
    """A position in a turn of a box: the tiles up, and any dice to throw or roll on the table."""

    up: int  #: the tiles up: bit i is the tile in place i, front row first
    dice: int | None = None  #: how many dice are about to be thrown, if the player chose the number
    roll: Roll | None = None  #: the roll on the table


@dataclass(frozen=True, slots=True)
class UseDice:
    """A choice of how many dice to throw next, in a box whose rules leave that open."""

    number: int


Choice = Cover | UseDice  # a choice in a box


class BoxRules:
    """The engine of one variant: what is legal, and scores. Bit i of a set of tiles is place i."""

    def __init__(self, variant: Variant) -> None:
        check_type(variant, Variant)
        self.variant = variant
        numbers = variant.tiles + variant.behind
        self.sets = TileSets(numbers)
        self.tiles = tuple(map(ScoredTile, numbers, variant.weights or repeat(1)))
        """The tiles by place: the front row, then the row behind in the same order."""
        self.front = len(variant.tiles)  # the number of tiles in the front row
        self.front_row = (1 << self.front) - 1  # the tiles in the front row
        order = sorted(range(len(numbers)), key=lambda at: (at >= self.front, numbers[at]))
        self.names = {1 << at: f"{'b' * (at >= self.front)}{numbers[at]}" for at in order}
        """The name of each tile in notation, by its bit: the front row, then the row behind."""
        self.start = (1 << len(numbers)) - 1 & ~self._bits(variant.down)  # the tiles up at first
        self._first = self._bits(variant.first)
        self.dice = {n: Dice(variant.dice.sides[:n]) for n in range(1, len(variant.dice) + 1)}
        """The dice of a throw by their number, from one to all."""
        self._fewer = FEWER[variant.fewer]
        self.covers = lru_cache(maxsize=4096)(partial(COVERS[variant.cover].covers, self.sets))
        """All covers of a roll with every tile up, in canonical order, including blocked ones."""
        self._score = SCORES[variant.score]
        self.dice_open = lru_cache(maxsize=4096)(self._dice_open)
        """The range of numbers of dice that can be thrown with these tiles up."""
        self.labels: dict[str, tuple[str, ...]] = {}
        """The spoken names of all tiles in place order, by language; scenes fill it."""
        # Cached, because playing and drawing ask about a position several times in a row.
        self._last_awaited: tuple[BoxPosition, Awaited[Choice]] | None = None

    def _bits(self, numbers: tuple[int, ...]) -> int:
        return sum(1 << self.variant.tiles.index(number) for number in numbers)

    def __reduce__(self) -> tuple[type["BoxRules"], tuple[Variant]]:
        # The caches are not pickled: the copy fills its own.
        return BoxRules, (self.variant,)

    @cached_property
    def most_covers(self) -> int:
        """An upper bound on the number of covers of one throw, with all tiles up."""
        highest = sum(self.variant.dice.sides)
        return max(COVERS[self.variant.cover].bounds(self.sets.numbers, highest)[1:])

    def awaits(self, position: BoxPosition) -> Awaited[Choice]:
        """Return a throw or a choice of dice or tiles; Over if won, stuck or stopped by a total."""
        # Read once: another thread can replace it at any time.
        known = self._last_awaited
        if known is None or known[0] is not position:
            known = self._last_awaited = position, self._awaits(position)
        return known[1]

    def _awaits(self, position: BoxPosition) -> Awaited[Choice]:
        up = position.up
        if self.is_shut(up):
            return Over((self.score(up),), shut=True)
        if position.roll is not None:
            covers = () if self.stops(up, position.roll) else self.legal_covers(up, position.roll)
            return Choose(covers) if covers else Over((self.score(up),))
        if position.dice is not None:
            return Throw(self.dice[position.dice])
        numbers = self.dice_open(up)
        if len(numbers) == 1:
            return Throw(self.dice[numbers[0]])
        return Choose(tuple(map(UseDice, numbers)))

    def legal_covers(self, up: int, roll: Roll) -> tuple[Cover, ...]:
        """Return a roll's legal covers with tiles `up`, in canonical order, even if it `stops`."""
        down = ~up
        covers = [cover for cover in self.covers(roll) if not cover.tiles & down]
        if self.variant.behind:
            covers = [cover for cover in covers if not self.blockers(cover) & up]
        if self._first and self.is_first(up):
            covers = [cover for cover in covers if self._first & ~cover.tiles == 0]
        return tuple(covers)

    def blockers(self, cover: Cover) -> int:
        """Return the front tiles, other than the cover's own, that must be down before it."""
        return cover.tiles >> self.front & ~cover.tiles if self.variant.behind else 0

    def hidden(self, up: int) -> int:
        """Return the tiles behind that cannot be seen because the tile in front of them is up."""
        return up & (up & self.front_row) << self.front if self.variant.behind else 0

    def _dice_open(self, up: int) -> range:
        seen = up & ~self.hidden(up)
        needed = self._fewer.needed(self.numbers(up), self.numbers(seen), self.variant.dice)
        return range(needed, (len(self.dice) if self._fewer.more_dice else needed) + 1)

    def is_shut(self, up: int) -> bool:
        """Whether the turn is won with these tiles up: none, or a total of at most `shut_at`."""
        most = self.variant.shut_at
        return not up or (most > 0 and self.total(up) <= most)

    def numbers(self, tiles: int) -> list[int]:
        """Return the numbers on some tiles, in place order."""
        return [number for at, number in enumerate(self.sets.numbers) if tiles >> at & 1]

    def total(self, tiles: int) -> int:
        """Return the sum of the numbers on some tiles."""
        return sum(self.numbers(tiles))

    def is_first(self, up: int) -> bool:
        """Whether the throw with these tiles up is the first of the turn."""
        return up == self.start

    def stops(self, up: int, roll: Roll) -> bool:
        """Whether a roll with these tiles up ends the turn by a total that the variant stops on."""
        variant = self.variant
        totals = variant.stop_on + (variant.stop_first if self.is_first(up) else ())
        return bool(totals) and roll.total in totals

    def score(self, up: int) -> int:
        """Return the score of a turn that ends with these tiles up. All won turns score alike."""
        up = 0 if self.is_shut(up) else up
        tiles, down = [*enumerate(self.tiles)], self.start & ~up
        covered = [tile for at, tile in tiles if down >> at & 1]
        return self._score.score([tile for at, tile in tiles if up >> at & 1], covered)
