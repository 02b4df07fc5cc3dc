"""The rules of a box as integers, for solvers.

A solver asks for all positions that one turn can reach. What is the same at all of them, such as
which tiles a roll covers, is computed once, from the answers of `BoxRules`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import NamedTuple

from shutbox.games.box.rules import BoxRules
from shutbox.games.traits import Cost

Covers = tuple[tuple[int, int], ...]
"""Pairs (tiles, need) in canonical order; legal if, of those in `need`, exactly `tiles` are up."""


class Fall(NamedTuple):
    """The rolls of a number of dice that have the same covers, taken together as one."""

    weight: int  # the total weight of these rolls
    covers: Covers


class PackedRules:
    """The rules of a box as integers, for solvers, at positions whose tiles up are all in `up`.

    All answers come from `BoxRules`, which is called once for each roll, not at every position.
    Tiles of `up` that no throw can ever cover are `fixed`, the others `movable`.
    """

    def __init__(self, rules: BoxRules, up: int) -> None:
        self.rules = rules
        self.up = up
        raw = {number: self._raw(number) for number in rules.dice}
        pairs = {pair for falls in raw.values() for covers in falls for pair in covers}
        self.movable = self._movable(pairs)
        self.fixed = up & ~self.movable
        self.falls = {number: tuple(self._merge(falls)) for number, falls in raw.items()}
        """The falls of each number of dice, for every throw but the first of a turn."""

    def _raw(self, number: int) -> Counter[Covers]:
        """Return the weight of the rolls of `number` dice for each tuple of covers within `up`."""
        rules, up = self.rules, self.up
        weights = Counter[Covers]()
        # Rolls of one total share one tuple of covers. Holding it keeps its id from being reused.
        seen: dict[int, tuple[object, Covers]] = {}
        for roll, weight in rules.dice[number].outcomes():
            covers = rules.covers(roll)
            if id(covers) not in seen:
                inside = (cover for cover in covers if not cover.tiles & ~up)
                pairs = ((c.tiles, c.tiles | rules.blockers(c) & up) for c in inside)
                seen[id(covers)] = covers, tuple(pairs)
            weights[() if rules.stops(0, roll) else seen[id(covers)][1]] += weight
        return weights

    def _movable(self, covers: set[tuple[int, int]]) -> int:
        """Return, as bits, the tiles that throws can cover, some only after their blockers."""
        movable = -1
        while True:
            reached = reduce(or_, (tiles for tiles, need in covers if not need & ~movable), 0)
            if reached == movable:
                return reached
            movable = reached

    def _merge(self, raw: Counter[Covers]) -> Iterator[Fall]:
        merged = Counter[Covers]()
        for covers, weight in raw.items():
            merged[tuple(pair for pair in covers if not pair[1] & self.fixed)] += weight
        return (Fall(weight, covers) for covers, weight in merged.items())

    @property
    def positions(self) -> int:
        """An upper bound on possible sets of tiles up; no tile is down behind one that is up."""
        front, free = self.rules.front, self.movable
        behind = free & free >> front if self.rules.variant.behind else 0
        pairs = (behind & self.rules.front_row).bit_count()
        most: int = 3**pairs << (free.bit_count() - 2 * pairs)
        return most

    @property
    def numbers_open(self) -> Iterable[int]:
        """The numbers of dice that the first throw from `up` can have; estimates use only these."""
        return self.rules.dice_open(self.up) if self.up else ()

    def falls_at(self, up: int, number: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield (weight, tiles of legal covers in canonical order) for `number` dice with `up` up.

        At the first throw of a turn each pair is one roll; later, rolls with equal covers are one.
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
        """The cost, estimated from measurements, of solving exactly (in fractions) from `up`."""
        positions = self.positions
        falls = [fall for number in self.numbers_open for fall in self.falls[number]]
        covers = sum(len(fall.covers) for fall in falls)
        seconds = positions * (2.2 * len(falls) + 0.12 * covers) * 1e-6
        nodes = positions * (1 + len(falls) * 0.6)
        return Cost(positions, seconds, int(nodes * 400))
