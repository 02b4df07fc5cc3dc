"""A box in numbers: its rules asked once, and the graph of its turns made from the answers.

Nothing is decided here: what may be covered, how many dice are open, what a turn scores is all
asked of the rules of the box. What is gained is that each question is asked once, and not at
each of the positions.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from shutbox.games.box import Box
from shutbox.games.box.position import Position
from shutbox.games.box.tile_sets import places
from shutbox.solver.graph import Builder, Progress, Taken, unheard

Covers = tuple[tuple[int, int], ...]
"""(tiles, need) in canonical order: the tiles go down if, of those in `need`, they and no others
are up."""
Moves = dict[int, list[tuple[int, tuple[int, ...]]]]
"""For each number of dice that may be thrown: (weight, tiles of each legal cover)."""


@dataclass(frozen=True, slots=True)
class Fall:
    """Rolls of a number of dice that put down the same tiles."""

    weight: int
    """How often one of them falls."""
    covers: Covers


class Packed:
    """The rules of a box for the positions with at most the tiles `up`.

    Tiles that no throw can ever put down are kept apart: they are `fixed`, the others `movable`.
    """

    def __init__(self, box: Box, up: int) -> None:
        self.rules = box.rules
        self.up = up
        numbers = range(1, len(self.rules.dice) + 1)
        raw = {number: self._raw(number) for number in numbers}
        self.movable = self._movable(
            {pair for falls in raw.values() for cs in falls for pair in cs}
        )
        self.fixed = up & ~self.movable
        self.falls = {number: tuple(self._merged(falls)) for number, falls in raw.items()}
        """What each number of dice does, but for the first throw of a turn."""

    def _raw(self, number: int) -> dict[Covers, int]:
        """The weight of each list of covers, by what could be covered with all of `up` up."""
        rules, up = self.rules, self.up
        found: dict[Covers, int] = {}
        # Rolls of one total share their covers; holding them keeps their ids from being reused.
        seen: dict[int, tuple[object, Covers]] = {}
        for roll, weight in rules.dice[number].outcomes():
            covers = rules.covers(roll)
            if id(covers) not in seen:
                inside = (cover for cover in covers if not cover.tiles & ~up)
                pairs = ((c.tiles, c.tiles | rules.blockers(c) & up) for c in inside)
                seen[id(covers)] = covers, tuple(pairs)
            legal = () if rules.stops(Position(0, None, roll)) else seen[id(covers)][1]
            found[legal] = found.get(legal, 0) + weight
        return found

    def _movable(self, covers: set[tuple[int, int]]) -> int:
        """The tiles that some throw can put down, once all that can go before them are down."""
        movable = -1
        while True:
            left = [tiles for tiles, need in covers if not need & ~movable]
            found = 0
            for tiles in left:
                found |= tiles
            if found == movable:
                return found
            movable = found

    def _merged(self, raw: dict[Covers, int]) -> Iterator[Fall]:
        merged: dict[Covers, int] = {}
        for covers, weight in raw.items():
            legal = tuple(pair for pair in covers if not pair[1] & self.fixed)
            merged[legal] = merged.get(legal, 0) + weight
        return (Fall(weight, covers) for covers, weight in merged.items())

    @property
    def positions(self) -> int:
        """The most positions there can be: where tiles stand behind others, not all sets are."""
        front, free = self.rules.front, self.movable
        behind = free & free >> front if self.rules.variant.behind else 0
        pairs = (behind & (1 << front) - 1).bit_count()
        most: int = 3**pairs << (free.bit_count() - 2 * pairs)
        return most

    @property
    def numbers_open(self) -> Iterable[int]:
        """The numbers of dice that are thrown with most of the positions."""
        return self.rules.dice_open(self.up) if self.up else ()

    def numbers(self, tiles: int) -> Taken:
        """The numbers on some tiles."""
        return tuple(self.rules.tiles[place].number for place in places(tiles))

    def falls_at(self, up: int, number: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """(weight, the tiles of each legal cover in canonical order) of so many dice."""
        if self.rules.is_first(up):
            for roll, weight in self.rules.dice[number].outcomes():
                stops = self.rules.stops(Position(up, None, roll))
                covers = () if stops else self.rules.legal_covers(up, roll)
                yield weight, tuple(cover.tiles for cover in covers)
            return
        for fall in self.falls[number]:
            yield fall.weight, tuple([tiles for tiles, need in fall.covers if up & need == tiles])


class BoxGraph:
    """The graph of every turn from the positions with the tiles `up`, or fewer of them.

    >>> from fractions import Fraction
    >>> from shutbox.games.catalogue import find
    >>> six = BoxGraph(find("six"), 0b111111)
    >>> worths = {node: int(shut) for node, (score, shut) in six.graph.ends.items()}
    >>> values = six.graph.solved(worths, more=True)
    >>> Fraction(values[six.find(Position(0b111111))], six.graph.scale)
    Fraction(145, 1944)
    """

    def __init__(self, box: Box, up: int, progress: Progress = unheard) -> None:
        self._packed = Packed(box, up)
        self._at: dict[int, int] = {}
        self._throws: dict[tuple[int, int], int] = {}
        self._builder = Builder()
        moves = self._moves(progress)
        covers = {
            t for here in moves.values() for falls in here.values() for _, c in falls for t in c
        }
        self._builder.taken.update((tiles, self._packed.numbers(tiles)) for tiles in covers)
        # A subset is a smaller number: what a position leads to is there before it.
        for here in sorted(moves):
            self._add(here, moves.pop(here))
        self.graph = self._builder.graph()

    def find(self, position: Position) -> int | None:
        """The node of a position at which dice are due, or nothing more; None where they lie."""
        if position.roll:
            return None
        if position.dice is None:
            return self._at.get(position.up)
        return self._throws.get((position.up, position.dice))

    def holds(self, position: Position) -> bool:
        """Whether the position can come up from where the graph begins."""
        return position.up in self._at

    def _moves(self, progress: Progress) -> dict[int, Moves]:
        """What can happen at each position that can be reached."""
        packed = self._packed
        moves: dict[int, Moves] = {}
        seen, waiting = {packed.up}, [-packed.up]
        while waiting:
            up = -heappop(waiting)
            numbers = packed.rules.dice_open(up) if up else range(0)
            here = moves[up] = {number: list(packed.falls_at(up, number)) for number in numbers}
            covers = {tiles for falls in here.values() for _, cs in falls for tiles in cs}
            for after in {up ^ tiles for tiles in covers} - seen:
                seen.add(after)
                heappush(waiting, -after)
            if len(moves) % 1024 == 0:
                progress(len(moves), 2 * packed.positions)
        return moves

    def _add(self, up: int, moves: Moves) -> None:
        builder, at = self._builder, self._at
        if not up:
            at[0] = builder.end(self._packed.rules.score(0), True)
            return
        stuck = None
        for number, falls in moves.items():
            children = []
            for weight, covers in falls:
                if covers:
                    child = builder.choice(tuple([at[up ^ tiles] for tiles in covers]), covers)
                else:
                    if stuck is None:
                        stuck = builder.end(self._packed.rules.score(up), False)
                    child = stuck
                children.append((child, weight))
            self._throws[up, number] = builder.throw(children)
        at[up] = builder.choice(tuple(self._throws[up, number] for number in moves))
