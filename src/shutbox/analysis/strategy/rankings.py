"""How simple players rank what can be chosen: by the numbers of the tiles that it takes.

A player at a table and a strategy on a graph ask the same functions, so
that both choose alike.
"""

from collections.abc import Callable, Sequence

Rank = Callable[[tuple[int, ...]], list[int]]
"""What a choice is worth, from the numbers of the tiles it takes; 0 for a piece that has none."""


def most_tiles(taken: tuple[int, ...]) -> list[int]:
    """The number of pieces it takes.

    >>> most_tiles((1, 2, 5)) > most_tiles((8,))
    True
    """
    return [len(taken)]


def fewest_tiles(taken: tuple[int, ...]) -> list[int]:
    """The number of pieces that it leaves.

    >>> fewest_tiles((8,)) > fewest_tiles((1, 7))
    True
    """
    return [-len(taken)]


def highest_tile(taken: tuple[int, ...]) -> list[int]:
    """The highest tile it takes, then the next highest.

    >>> highest_tile((1, 2, 9)) > highest_tile((4, 8))
    True
    """
    return sorted(taken, reverse=True)


def as_listed(taken: tuple[int, ...]) -> list[int]:
    """Nothing: all choices rank alike.

    >>> as_listed((8,)) == as_listed((1, 7))
    True
    """
    return []


def foremost(ranks: Sequence[list[int]]) -> int:
    """The place of the highest rank; of equal ones the first.

    >>> foremost([[1], [3], [3]])
    1
    """
    return ranks.index(max(ranks))
