"""The rates at which addresses may do what costs work, and the number of their streams.

Each kind has a token bucket for each address or seat, in the memory of this process: the rate's
number can be done at once, and comes back evenly within the rate's time. A proxy before the server
limits requests and connections.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from math import ceil
from time import monotonic

from shutbox.engine.messages import gettext_noop, ngettext
from shutbox.web import limits
from shutbox.web.errors import Full, TooOften
from shutbox.web.limits import network

_SWEEP = 10_000  # the number of buckets at which the full ones are dropped
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


@cache
def _parsed(rate: str) -> tuple[int, int]:
    """Return the number and the seconds of a rate such as "60/hour"."""
    number, _, time = rate.partition("/")
    return int(number), _SECONDS[time]


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
        self._buckets: dict[tuple[str, str, str], tuple[float, float]] = {}
        """What is left of a rate for whom, and the `monotonic` time when that was so."""
        self._sweep_at = _SWEEP
        self._streams: Counter[str] = Counter()

    def check(self, rate: str, what: str, who: str, *, address: str = "") -> None:
        """Count one `what` by `who`, an address or a seat. Raises TooOften above `rate`.

        `rate` is like "60/hour", `what` a key of `_TOO_MANY`. For a seat, `address` is the
        caller's, which may be unlimited.
        """
        if (address or who) not in self._unlimited:
            self._require(rate, what, who)
            self._take(rate, what, who, 1)

    def check_day(self, who: str) -> None:
        """Raise TooOften if an address has stored as many bytes today as it may."""
        if who not in self._unlimited:
            self._require(limits.BYTES_OF_ADDRESS_A_DAY, "bytes", who)

    def stored(self, who: str, size: int) -> None:
        """Count bytes stored for an address, which a later `check_day` may then refuse."""
        if who not in self._unlimited:
            self._take(limits.BYTES_OF_ADDRESS_A_DAY, "bytes", who, size)

    def _left(self, rate: str, what: str, who: str) -> float:
        most, seconds = _parsed(rate)
        left, at = self._buckets.get((rate, what, network(who)), (most, 0.0))
        return min(most, left + (monotonic() - at) * most / seconds)

    def _require(self, rate: str, what: str, who: str) -> None:
        if (missing := 1 - self._left(rate, what, who)) > 0:
            most, seconds = _parsed(rate)
            raise TooOften(_TOO_MANY[what], max(1, ceil(missing * seconds / most)))

    def _take(self, rate: str, what: str, who: str, number: int) -> None:
        if len(self._buckets) >= self._sweep_at:
            full = [key for key in self._buckets if self._left(*key) >= _parsed(key[0])[0]]
            for key in full:
                del self._buckets[key]
            self._sweep_at = max(_SWEEP, 2 * len(self._buckets))
        left = max(0.0, self._left(rate, what, who) - number)
        self._buckets[rate, what, network(who)] = left, monotonic()

    @contextmanager
    def stream(self, who: str, *, seated: bool = False) -> Iterator[None]:
        """Count an open stream of an address inside the block. Raises Full if it has too many.

        Streams of players, `seated`, are counted apart: spectators do not use up their number.
        """
        counted = f"seated:{network(who)}" if seated else network(who)
        if self._streams[counted] >= limits.STREAMS_OF_ADDRESS and who not in self._unlimited:
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
