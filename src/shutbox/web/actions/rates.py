"""The rates at which addresses may do what costs work, and the number of their streams.

Each kind has a token bucket for each address or seat, in the memory of this process: the rate's
number can be done at once, and comes back evenly within the rate's time. A proxy before the server
limits requests and connections.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import ceil
from time import monotonic

from shutbox.engine.lru import LruCache
from shutbox.engine.messages import gettext_noop, ngettext
from shutbox.web import limits
from shutbox.web.errors import Full, TooOften
from shutbox.web.limits import network

_MOST = 50_000  # buckets; beyond that, those used longest ago are dropped
_SECONDS = {"minute": 60, "hour": 3600, "day": 86_400}
_TOO_MANY = {
    "openings": gettext_noop("too many openings; come back in {seconds} seconds"),
    "tables": gettext_noop("too many tables; come back in {seconds} seconds"),
    "phrases": gettext_noop("too many phrases; come back in {seconds} seconds"),
    "keys": gettext_noop("too many keys; come back in {seconds} seconds"),
    "hints": gettext_noop("too many hints; come back in {seconds} seconds"),
    "bytes": gettext_noop("too much to store for one day; come back in {seconds} seconds"),
    "records": gettext_noop("too many records; come back in {seconds} seconds"),
    "analyses": gettext_noop("too many analyses; come back in {seconds} seconds"),
    "pictures": gettext_noop("too many pictures; come back in {seconds} seconds"),
    "questions": gettext_noop("too many questions; come back in {seconds} seconds"),
    "reviews": gettext_noop("too many reviews; come back in {seconds} seconds"),
    "handovers": gettext_noop("too many links to another device; come back in {seconds} seconds"),
    "subscriptions": gettext_noop("too many subscriptions; come back in {seconds} seconds"),
}
"""The messages of exceeded rates, by the label under which each is counted."""


class Rates:
    """The counter that limits what addresses and seats do; `unlimited` addresses are not counted.

    >>> rates = Rates(frozenset())
    >>> for _ in range(60):
    ...     rates.check("60/hour", "tables", "192.0.2.7")
    >>> rates.check("60/hour", "tables", "192.0.2.7")
    Traceback (most recent call last):
    shutbox.web.errors.TooOften: too many tables; come back in 60 seconds
    """

    def __init__(self, unlimited: frozenset[str]) -> None:
        self._unlimited = unlimited
        self._buckets = LruCache[tuple[str, str, str], tuple[float, float]](_MOST)
        """What is left of a rate for an address or seat, and the `monotonic` time then."""
        self._streams: Counter[str] = Counter()

    def check(
        self, rate: str, what: str, counted: str, *, address: str = "", number: int = 1
    ) -> None:
        """Count `number` `what` by `counted`, an address or a seat. Raises TooOften above `rate`.

        `rate` is like "60/hour", `what` a key of `_TOO_MANY`. For a seat, `address` is the
        caller's, which may be unlimited. More than is left can be taken, if there is any.
        """
        if (address or counted) in self._unlimited:
            return
        most, _, unit = rate.partition("/")
        a_second, now, key = int(most) / _SECONDS[unit], monotonic(), (rate, what, network(counted))
        left, since = self._buckets.find(key) or (float(most), now)
        left = min(float(most), left + (now - since) * a_second)
        if left < 1:
            raise TooOften(_TOO_MANY[what], max(1, ceil((1 - left) / a_second)))
        self._buckets.put(key, (max(0.0, left - number), now))

    def check_day(self, address: str) -> None:
        """Raise TooOften if an address has stored as many bytes today as it may."""
        self.check(limits.BYTES_OF_ADDRESS_A_DAY, "bytes", address, number=0)

    def stored(self, address: str, size: int) -> None:
        """Count bytes stored for an address, which a later `check_day` may then refuse."""
        with suppress(TooOften):
            self.check(limits.BYTES_OF_ADDRESS_A_DAY, "bytes", address, number=size)

    @contextmanager
    def stream(self, address: str, *, seated: bool = False) -> Iterator[None]:
        """Count an open stream of an address inside the block. Raises Full if it has too many.

        Streams of players, `seated`, are counted apart: spectators do not use up their number.
        """
        counted = f"seated:{network(address)}" if seated else network(address)
        if self._streams[counted] >= limits.STREAMS_OF_ADDRESS and address not in self._unlimited:
            raise Full(
                ngettext(
                    "{number} stream is open from this address already",
                    "{number} streams are open from this address already",
                    limits.STREAMS_OF_ADDRESS,
                )
            )
        self._streams[counted] += 1
        try:
            yield
        finally:
            self._streams[counted] -= 1
            if self._streams[counted] <= 0:
                del self._streams[counted]
