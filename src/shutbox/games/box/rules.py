"""The engine of one box: its positions, the event that each awaits, and the legal covers.

The rules themselves are tables in `atoms`; this module applies them in order. A position does not
store whether its throw is the first of the turn. Every roll that does not end the turn covers a
tile, so a throw is the first exactly while all the tiles of the start are up.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial, reduce
from itertools import repeat
from operator import or_

from shutbox.dice import Dice, Roll
from shutbox.game import Awaited, Choose, Over, Throw
from shutbox.games.box.atoms import COVERS, FEWER, SCORES, Tile, most_covers
from shutbox.games.box.tile_sets import Cover, TileSets, places
from shutbox.games.box.variant import Variant
from shutbox.games.traits import Cost


@dataclass(frozen=True, slots=True)
class BoxPosition:
    """A position in a turn of a box."""

    up: int  # the tiles up: bit i is the tile in place i, front row first
    dice: int | None = None  # how many dice are about to be thrown, if the player chose the number
    roll: Roll | None = None  # the roll on the table


@dataclass(frozen=True, slots=True)
class UseDice:
    """The choice of how many dice to throw."""

    number: int


Choice = Cover | UseDice  # a choice in a box


class BoxRules:
    """The rules of one variant. In a set of tiles, bit i is the tile in place i."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        numbers = variant.tiles + variant.behind
        self.sets = TileSets(numbers)
        self.tiles = tuple(map(Tile, numbers, variant.weights or repeat(1)))
        """The tiles by place: the front row, then the row behind in the same order."""
        self.front = len(variant.tiles)  # the number of tiles in the front row
        self.front_row = (1 << self.front) - 1  # the tiles in the front row
        self.names = {1 << variant.tiles.index(n): str(n) for n in sorted(variant.tiles)}
        """The name of each tile in notation, by its bit: the front row, then the row behind."""
        behind = {
            1 << self.front + variant.behind.index(n): f"b{n}" for n in sorted(variant.behind)
        }
        self.names |= behind
        self.start = (1 << len(numbers)) - 1 & ~self._bits(variant.down)
        """The tiles up at the start."""
        self._shut_at = variant.shut_at
        self._first = self._bits(variant.first)
        self.dice = {n: Dice(variant.dice.sides[:n]) for n in range(1, len(variant.dice) + 1)}
        """The dice of a throw by their number, from one to all."""
        self._fewer = FEWER[variant.fewer]
        self.covers = lru_cache(maxsize=4096)(partial(COVERS[variant.cover].covers, self.sets))
        """All covers of a roll with every tile up, in canonical order, including blocked ones."""
        self._score = SCORES[variant.score]
        self.dice_open = lru_cache(maxsize=4096)(self._dice_open)
        """The range of numbers of dice that can be thrown with these tiles up."""

    def _bits(self, numbers: tuple[int, ...]) -> int:
        return sum(1 << self.variant.tiles.index(number) for number in numbers)

    def __reduce__(self) -> tuple[type["BoxRules"], tuple[Variant]]:
        # The caches are not pickled: the copy fills its own.
        return BoxRules, (self.variant,)

    @cached_property
    def most_covers(self) -> int:
        """An upper bound on the number of covers of one throw, with all tiles up."""
        return max(most_covers(self.variant.cover, self.sets.numbers, self.variant.dice)[1:])

    def awaits(self, position: BoxPosition) -> Awaited[Choice]:
        """Return a throw or a choice of dice or tiles; Over if won, stuck or stopped by a total."""
        up = position.up
        if not up or (self._shut_at and self.is_shut(up)):
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
        """Return the covers of a roll with these tiles up, in canonical order, ignoring `stops`."""
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
        return not up or (self._shut_at > 0 and self.total(up) <= self._shut_at)

    def numbers(self, tiles: int) -> list[int]:
        """Return the numbers on some tiles, in place order."""
        return [self.sets.numbers[place] for place in places(tiles)]

    def total(self, tiles: int) -> int:
        """Return the sum of the numbers on some tiles."""
        return sum(self.numbers(tiles))

    def is_first(self, up: int) -> bool:
        """Whether the throw with these tiles up is the first of the turn."""
        return up == self.start

    def stops(self, up: int, roll: Roll) -> bool:
        """Whether a roll ends the turn by its total alone with these tiles up."""
        variant, total = self.variant, roll.total
        return total in variant.stop_on or (total in variant.stop_first and self.is_first(up))

    def score(self, up: int) -> int:
        """Return the score of a turn that ends with these tiles up. All won turns score alike."""
        if self._shut_at and self.is_shut(up):
            up = 0
        covered = [self.tiles[place] for place in places(self.start & ~up)]
        return self._score.score([self.tiles[place] for place in places(up)], covered)


Covers = tuple[tuple[int, int], ...]
"""Pairs (tiles, need) in canonical order; legal if, of the tiles in `need`, just `tiles` are up."""


@dataclass(frozen=True, slots=True)
class Fall:
    """All rolls of a number of dice that have the same covers."""

    weight: int  # the total weight of these rolls
    covers: Covers


class PackedRules:
    """The rules of a box in numbers, for the positions with the tiles `up` or fewer of them.

    They decide nothing: `BoxRules` is asked about each rule once, not at every position.
    Tiles that no throw can ever cover are `fixed`, the others `movable`.
    """

    def __init__(self, rules: BoxRules, up: int) -> None:
        self.rules = rules
        self.up = up
        raw = {number: self._raw(number) for number in rules.dice}
        pairs = {pair for falls in raw.values() for covers in falls for pair in covers}
        self.movable = self._movable(pairs)
        self.fixed = up & ~self.movable
        self.falls = {number: tuple(self._merged(falls)) for number, falls in raw.items()}
        """The falls of each number of dice, for every throw but the first of a turn."""

    def _raw(self, number: int) -> Counter[Covers]:
        """Return each list of covers within `up`, with the weight of its rolls of `number` dice."""
        rules, up = self.rules, self.up
        found = Counter[Covers]()
        # Rolls of one total share one tuple of covers. Holding it keeps its id from being reused.
        seen: dict[int, tuple[object, Covers]] = {}
        for roll, weight in rules.dice[number].outcomes():
            covers = rules.covers(roll)
            if id(covers) not in seen:
                inside = (cover for cover in covers if not cover.tiles & ~up)
                pairs = ((c.tiles, c.tiles | rules.blockers(c) & up) for c in inside)
                seen[id(covers)] = covers, tuple(pairs)
            found[() if rules.stops(0, roll) else seen[id(covers)][1]] += weight
        return found

    def _movable(self, covers: set[tuple[int, int]]) -> int:
        """Return the tiles that some throw can cover once all coverable blockers are down."""
        movable = -1
        while True:
            found = reduce(or_, (tiles for tiles, need in covers if not need & ~movable), 0)
            if found == movable:
                return found
            movable = found

    def _merged(self, raw: Counter[Covers]) -> Iterator[Fall]:
        merged = Counter[Covers]()
        for covers, weight in raw.items():
            merged[tuple(pair for pair in covers if not pair[1] & self.fixed)] += weight
        return (Fall(weight, covers) for covers, weight in merged.items())

    @property
    def positions(self) -> int:
        """An upper bound on the sets of tiles that can be up; with two rows some cannot come up."""
        front, free = self.rules.front, self.movable
        behind = free & free >> front if self.rules.variant.behind else 0
        pairs = (behind & self.rules.front_row).bit_count()
        most: int = 3**pairs << (free.bit_count() - 2 * pairs)
        return most

    @property
    def numbers_open(self) -> Iterable[int]:
        """The numbers of dice that can be thrown with all of `up` up; estimates use only these."""
        return self.rules.dice_open(self.up) if self.up else ()

    def falls_at(self, up: int, number: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield (weight, tiles of each legal cover in canonical order) for throws of `number` dice.

        Each pair is one roll if the throw is the first of the turn, otherwise one `Fall`.
        """
        if self.rules.is_first(up):
            for roll, weight in self.rules.dice[number].outcomes():
                covers = () if self.rules.stops(up, roll) else self.rules.legal_covers(up, roll)
                yield weight, tuple(cover.tiles for cover in covers)
            return
        for fall in self.falls[number]:
            yield fall.weight, tuple([tiles for tiles, need in fall.covers if up & need == tiles])

    @property
    def cost(self) -> Cost:
        """The cost of solving the graph exactly, with fractions, estimated from measurements."""
        positions = self.positions
        falls = [fall for number in self.numbers_open for fall in self.falls[number]]
        covers = sum(len(fall.covers) for fall in falls)
        seconds = positions * (2.2 * len(falls) + 0.12 * covers) * 1e-6
        nodes = positions * (1 + len(falls) * 0.6)
        return Cost(positions, seconds, int(nodes * 400))
