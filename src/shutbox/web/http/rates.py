"""The rates of requests, for each address and each seat.

The library `limits` counts them in fixed windows: in Redis for several processes, or else in this
process. If Redis does not answer, requests are allowed without counting.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from time import monotonic, time
from urllib.parse import urlsplit, urlunsplit

from limits import parse
from limits.aio.storage import MemoryStorage, Storage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import ConfigurationError, StorageError
from limits.storage import storage_from_string

from shutbox.engine.errors import needing
from shutbox.engine.messages import gettext_noop, ngettext
from shutbox.web import limits
from shutbox.web.errors import BadRequest, Full, TooOften, one_line
from shutbox.web.limits import network
from shutbox.web.logs import log

_SWEEP = 10_000  # the number of known addresses, or of counts, at which old ones are dropped
_REDIS_SECONDS = 0.3  # the timeout of a request to Redis
_SILENT_SECONDS = 10.0  # without requests to Redis after a failure
_item = cache(parse)
_TOO_MANY = {
    "openings": gettext_noop("too many openings; come back in {seconds} seconds"),
    "tables": gettext_noop("too many tables; come back in {seconds} seconds"),
    "seat-actions": gettext_noop("too many actions of a seat; come back in {seconds} seconds"),
    "seat-changes": gettext_noop("too many changes by a seat; come back in {seconds} seconds"),
    "phrases": gettext_noop("too many phrases; come back in {seconds} seconds"),
    "seats": gettext_noop("too many seats; come back in {seconds} seconds"),
    "keys": gettext_noop("too many keys; come back in {seconds} seconds"),
    "hints": gettext_noop("too many hints; come back in {seconds} seconds"),
    "events": gettext_noop("too many actions for one day; come back in {seconds} seconds"),
    "bytes": gettext_noop("too much to store for one day; come back in {seconds} seconds"),
    "records": gettext_noop("too many records; come back in {seconds} seconds"),
    "analyses": gettext_noop("too many analyses; come back in {seconds} seconds"),
    "pictures": gettext_noop("too many pictures; come back in {seconds} seconds"),
    "questions": gettext_noop("too many questions; come back in {seconds} seconds"),
    "reviews": gettext_noop("too many reviews; come back in {seconds} seconds"),
    "handovers": gettext_noop("too many links to another device; come back in {seconds} seconds"),
    "recoveries": gettext_noop(
        "too many tries with a recovery phrase; come back in {seconds} seconds"
    ),
    "subscriptions": gettext_noop("too many subscriptions; come back in {seconds} seconds"),
    "requests": gettext_noop("too many requests; come back in {seconds} seconds"),
    "looks": gettext_noop("too many page views; come back in {seconds} seconds"),
}
"""The messages of exceeded rates, by the label under which each is counted."""


class Rates:
    """The counter that limits what addresses and seats do; `unlimited` addresses are not counted.

    `storage` is `memory://` or `redis://host`. Raises BadRequest for anything else, and
    NotInstalled if the Redis client is missing.
    """

    def __init__(self, storage: str, unlimited: frozenset[str]) -> None:
        self._limiter = FixedWindowRateLimiter(_storage(storage))
        self._unlimited = unlimited
        self._let_in = FixedWindowRateLimiter(_Here())  # addresses at each set of seats, by hour
        self._streams: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()  # those stored for each address and not counted yet
        self._silent_until = 0.0  # the `monotonic` time until which Redis is not asked

    async def check(
        self, rate: str, what: str, who: str, *, address: str = "", cost: int = 1
    ) -> None:
        """Count `cost` of `what` for `who`, an address or a seat. Raises TooOften above `rate`.

        `rate` is like "60/hour", `what` a key of `_TOO_MANY`. For a seat, `address` is the
        caller's, which may be unlimited.
        """
        if (address or who) in self._unlimited or monotonic() < self._silent_until:
            return
        item, who = _item(rate), network(who)
        try:
            if await self._limiter.hit(item, what, who, cost=cost):
                return
            resets = (await self._limiter.get_window_stats(item, what, who)).reset_time
        except StorageError as error:
            self._silent_until = monotonic() + _SILENT_SECONDS
            log.warning("rates are not counted", reason=one_line(error))
            return
        seconds = max(1, round(resets - time()))
        raise TooOften(_TOO_MANY[what], seconds)

    async def check_day(self, who: str) -> None:
        """Count one more event that an address stores today, or its bytes. Raises TooOften.

        Once `stored` has added up `COUNTED_BYTES` for the address, count these bytes instead of the
        event, and start again from 0. So each call asks Redis only once.
        """
        if self._bytes[network(who)] < limits.COUNTED_BYTES:
            await self.check(limits.EVENTS_OF_ADDRESS_A_DAY, "events", who)
            return
        size = self._bytes.pop(network(who))  # before anything is awaited, so that it counts once
        try:
            await self.check(limits.BYTES_OF_ADDRESS_A_DAY, "bytes", who, cost=size)
        except BaseException:
            self._bytes[network(who)] += size
            raise

    def stored(self, who: str, size: int) -> None:
        """Add bytes stored for an address, to be counted by `check_day`."""
        if len(self._bytes) > _SWEEP:
            self._bytes.clear()
        self._bytes[network(who)] += size

    async def count_day(self, who: str, size: int) -> None:
        """Count one more event stored for an address, and its bytes, without refusing it."""
        with suppress(TooOften):
            await self.check_day(who)
        self.stored(who, size)

    async def let_in(self, who: str, seats: str) -> None:
        """Count an address's first access in an hour to `seats`, which names a room and its seats.

        Otherwise the rates of a seat could be evaded by taking many seats. Raises TooOften.
        """
        entry = _item("1/hour"), network(who), seats
        if await self._let_in.test(*entry):
            await self.check(limits.SEATS_OF_ADDRESS, "seats", who)
            await self._let_in.hit(*entry)

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


class _Here(MemoryStorage):
    """The storage of counts in the memory of this process.

    The library's own scans all counts at each new one, in a thread: a third of an action's time.
    """

    STORAGE_SCHEME = ["async+here"]  # noqa: RUF012 - the library's name, and its type
    _sweep_at = _SWEEP

    async def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add to a count and return it; the first call begins its window of `expiry` seconds."""
        now = monotonic()
        if self.expirations.get(key, 0.0) <= now:
            if len(self.expirations) >= self._sweep_at:
                for over in [k for k, ends in self.expirations.items() if ends <= now]:
                    await self.clear(over)
                self._sweep_at = max(_SWEEP, 2 * len(self.expirations))
            self.storage[key], self.expirations[key] = 0, now + expiry
        self.storage[key] += amount
        return self.storage[key]

    async def get(self, key: str) -> int:
        """Return a count; 0 if its window has ended."""
        return self.storage[key] if self.expirations.get(key, 0.0) > monotonic() else 0

    async def get_expiry(self, key: str) -> float:
        """Return when the window of a count ends, in seconds since 1970; now for no count."""
        now = monotonic()
        return time() + self.expirations.get(key, now) - now


def _storage(url: str) -> Storage:
    if url == "memory://":
        return _Here()
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("redis", "rediss") or not parts.hostname:
            raise ValueError
        with needing("redis"):
            import redis.asyncio  # noqa: F401 - the library below does not name what is missing
        with_port = parts if parts.port else parts._replace(netloc=f"{parts.netloc}:6379")
        found = storage_from_string(
            f"async+{urlunsplit(with_port)}",
            implementation="redispy",
            wrap_exceptions=True,
            socket_timeout=_REDIS_SECONDS,
            socket_connect_timeout=_REDIS_SECONDS,
        )
    except (ConfigurationError, ValueError):
        raise BadRequest("--rates is not understood; write memory:// or redis://host") from None
    assert isinstance(found, Storage)  # the scheme says async
    return found
