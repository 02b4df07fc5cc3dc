"""Sets of tiles of a box: covers, and which sets add up to a total.

Tiles are bits: bit i is the tile in place i, front row first. The sets of a total are listed for
the box with all its tiles up, in canonical order. With some tiles down, the legal sets are those
whose bits are all up, in the same order. Big boxes are cheap because this filter is one `and` for
each set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

TileBits: TypeAlias = int  # a set of tiles


@dataclass(frozen=True, slots=True)
class Cover:
    """A choice at a box: the tiles to cover with one roll."""

    tiles: TileBits


def places(tiles: TileBits) -> list[int]:
    """Return the places of the tiles in a set, ascending.

    >>> places(0b1011)
    [0, 1, 3]
    """
    return [place for place in range(tiles.bit_length()) if tiles >> place & 1]


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
        descending = sorted(range(len(numbers)), key=lambda place: (-numbers[place], place))
        self._rank = {place: rank for rank, place in enumerate(descending)}
        self.adding_up_to = cache(self._find_covers)
        """Every cover whose numbers add up to a total, in canonical order; none for the total 0."""

    def places_of(self, number: int) -> list[int]:
        """Return the places of the tiles with this number, ascending."""
        return [place for place, shown in enumerate(self.numbers) if shown == number]

    def in_order(self, sets: Iterable[TileBits]) -> tuple[Cover, ...]:
        """Return sets as covers in canonical order: fewest tiles, highest tile, next highest etc.

        Of equal numbers, the one in the lower place comes first. Repeated sets are dropped.
        """

        def key(tiles: TileBits) -> tuple[int, list[int]]:
            ranks = sorted(self._rank[place] for place in places(tiles))
            return len(ranks), ranks

        return tuple(map(Cover, sorted(set(sets), key=key)))

    def _find_covers(self, total: int) -> tuple[Cover, ...]:
        sets: list[list[TileBits]] = [[0], *([] for _ in range(total))]  # by their total
        for place, number in enumerate(self.numbers):
            for reached in range(total, number - 1, -1):
                sets[reached] += [tiles | 1 << place for tiles in sets[reached - number]]
        return self.in_order(sets[total]) if total else ()
