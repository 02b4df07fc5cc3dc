"""The rates at which addresses may do what costs work.

Each kind has a token bucket for each address, in the memory of this process: the rate's
number can be done at once, and comes back evenly within the rate's time. A proxy before the server
limits requests and connections.
"""

from contextlib import suppress
from math import ceil
from time import monotonic

from shutbox.engine.lru import LruCache
from shutbox.engine.messages import gettext_noop
from shutbox.web import limits
from shutbox.web.errors import TooOften
from shutbox.web.limits import network

_MOST = 50_000  # buckets; beyond that, those used longest ago are dropped
_SECONDS = {"minute": 60, "hour": 3600, "day": 86_400}
_TOO_OFTEN = gettext_noop("too often; come back in {seconds} seconds")
_TOO_MUCH = gettext_noop("too much to store for one day; come back in {seconds} seconds")


class Rates:
    """The counter that limits what addresses do; `unlimited` addresses are not counted.

    >>> rates = Rates(frozenset())
    >>> for _ in range(60):
    ...     rates.check("60/hour", "tables", "192.0.2.7")
    >>> rates.check("60/hour", "tables", "192.0.2.7")
    Traceback (most recent call last):
    shutbox.web.errors.TooOften: too often; come back in 60 seconds
    """

    def __init__(self, unlimited: frozenset[str]) -> None:
        self._unlimited = unlimited
        self._buckets = LruCache[tuple[str, str, str], tuple[float, float]](_MOST)
        """What is left of a rate for an address, and the `monotonic` time then."""

    def check(self, rate: str, what: str, address: str, number: int = 1) -> None:
        """Count `number` `what` by an address. Raises TooOften above `rate`.

        `rate` is like "60/hour"; each `what` is counted apart. More than is left can be taken, if
        there is any.
        """
        if address in self._unlimited:
            return
        most, _, unit = rate.partition("/")
        a_second, now, key = int(most) / _SECONDS[unit], monotonic(), (rate, what, network(address))
        left, since = self._buckets.find(key) or (float(most), now)
        left = min(float(most), left + (now - since) * a_second)
        if left < 1:
            says = _TOO_MUCH if what == "bytes" else _TOO_OFTEN
            raise TooOften(says, max(2, ceil((1 - left) / a_second)))  # a plural in every language
        self._buckets.put(key, (max(0.0, left - number), now))

    def check_day(self, address: str) -> None:
        """Raise TooOften if an address has stored as many bytes today as it may."""
        self.check(limits.BYTES_OF_ADDRESS_A_DAY, "bytes", address, 0)

    def count_stored(self, address: str, size: int) -> None:
        """Count bytes stored for an address, which a later `check_day` may then refuse."""
        with suppress(TooOften):
            self.check(limits.BYTES_OF_ADDRESS_A_DAY, "bytes", address, size)
