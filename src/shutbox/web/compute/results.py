"""What was worked out last, kept for anyone who asks again."""

from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class Results(Generic[T]):
    """The last ones, by their keys.

    >>> kept = Results[int](2)
    >>> for key in "abc":
    ...     kept.keep(key, ord(key))
    >>> kept.find("a"), kept.find("c")
    (None, 99)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, T] = OrderedDict()

    def find(self, key: str) -> T | None:
        """What was kept under a key, which is the newest now."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, key: str, result: T) -> None:
        """Keep it; the one that nobody asked for longest is let go."""
        self._kept[key] = result
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
