"""A cache that drops its least recently used values."""

from collections import OrderedDict
from collections.abc import Iterator
from math import inf
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """A cache of the `most` values used last; iteration yields keys, the least recently used first.

    The sizes given to `put` total at most `room`, but the newest value always stays.

    >>> cache = LruCache[str, int](most=2)
    >>> cache.put("a", 1), cache.put("b", 2), cache.find("a"), cache.put("c", 3)
    (1, 2, 1, 3)
    >>> cache.find("b"), list(cache)
    (None, ['a', 'c'])
    """

    def __init__(self, most: int, room: float = inf) -> None:
        self.most = most
        self.room = room
        self._size = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __iter__(self) -> Iterator[K]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: K) -> V | None:
        """Return the value of a key and mark it as just used, or return None if there is none."""
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def put(self, key: K, value: V, size: int = 0) -> V:
        """Store and return a value, dropping the least recently used others until all fit."""
        _, before = self._entries.pop(key, (value, 0))
        self._entries[key] = value, size
        self._size += size - before
        while len(self) > 1 and (len(self) > self.most or self._size > self.room):
            _, (_, dropped) = self._entries.popitem(last=False)
            self._size -= dropped
        return value
