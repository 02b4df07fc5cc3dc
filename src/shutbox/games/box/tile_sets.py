"""Sets of tiles by their sum, found once for the whole box and then filtered.

Tiles are bits: bit i is the tile in place i. The sets of a total are listed for the box with all
its tiles up, in canonical order. With some tiles down, the legal sets are those whose bits are all
up, in the same order. Big boxes are cheap because this filter is one `and` for each set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Cover:
    """The tiles covered with one roll."""

    tiles: int  # bit i is the tile in place i of the box, front row first


def places(tiles: int) -> list[int]:
    """Return the places of the bits that are set, ascending.

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
    """The sets of tiles of one box.

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
