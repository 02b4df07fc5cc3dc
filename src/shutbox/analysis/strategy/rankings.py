"""How simple players rank what can be chosen: by the numbers of the tiles that it takes.

A player at a table and a strategy on a graph ask the same functions, so that both choose alike.
"""

from collections.abc import Callable

Rank = Callable[[tuple[int, ...]], list[int]]
"""What a choice is worth, from the numbers of the tiles it takes; 0 for a piece that has none."""


def most_tiles(taken: tuple[int, ...]) -> list[int]:
    """The number of pieces it takes."""
    return [len(taken)]


def fewest_tiles(taken: tuple[int, ...]) -> list[int]:
    """The number of pieces that it leaves."""
    return [-len(taken)]


def highest_tile(taken: tuple[int, ...]) -> list[int]:
    """The highest tile it takes, then the next highest."""
    return sorted(taken, reverse=True)
