"""Packed rules: the rules of a box in numbers, from which a graph or tables of its turns are made.

This module decides nothing. `BoxRules` says which covers are legal, how many dice can be thrown
and what a turn scores. Packing saves time: a rule is evaluated once, not at every position.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_

from shutbox.games.box.rules import BoxRules
from shutbox.games.traits import Cost

Covers = tuple[tuple[int, int], ...]
"""Pairs (tiles, need) in canonical order; legal if, of the tiles in `need`, just `tiles` are up."""


@dataclass(frozen=True, slots=True)
class Fall:
    """All rolls of a number of dice that have the same covers."""

    weight: int  # the total weight of these rolls
    covers: Covers


class PackedRules:
    """The packed rules of a box, for the positions with the tiles `up` or fewer of them.

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
