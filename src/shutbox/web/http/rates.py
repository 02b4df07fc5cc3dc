"""The order in which requests begin, and their rates.

When more requests arrive than can be answered at once, they wait in a fair queue. The library
`limits` counts rates in fixed windows: in Redis for several processes, or else in this process. If
Redis does not answer, requests are allowed without counting.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from heapq import heappop, heappush
from itertools import count
from math import exp, inf
from time import monotonic, time
from urllib.parse import urlsplit, urlunsplit

from limits import parse
from limits.aio.storage import MemoryStorage, Storage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import ConfigurationError, StorageError
from limits.storage import storage_from_string

from shutbox.errors import needing
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.web import limits
from shutbox.web.errors import BadRequest, Full, Limit, TooOften, one_line
from shutbox.web.limits import network
from shutbox.web.logs import log

_SWEEP = 10_000  # the number of known addresses, or of counts, at which old ones are dropped
_LONGEST_PAUSE = 0.1  # seconds
_LATELY = 1.0  # seconds after a request with priority in which a long turn makes strangers pause
_SHORT = 0.001  # the longest turn in seconds that causes no pause
_WRITTEN_AGAIN = 0.002  # seconds between checks whether the writer has caught up


class FairQueue:
    """A queue that begins one request in each turn of the event loop.

    People at tables go first, unless their address sends far more requests than people do; all
    others are strangers. In both groups the address with the fewest unanswered requests is next,
    then the one with the fewest recent requests: a person waits for each answer, a program seldom
    does. While people play, strangers pause after a long turn four times its length, so they get a
    fifth of the time. While many writes are queued, strangers wait, and so do addresses with
    unanswered requests: actions are committed together, and a player's would wait for all of them.
    """

    def __init__(
        self, now: Callable[[], float] = monotonic, writes: Callable[[], int] = lambda: 0
    ) -> None:
        self._now = now
        self._writes = writes  # returns the number of unwritten batches
        self._waiting: list[tuple[bool, int, float, int, bool, asyncio.Future[None]]] = []
        """A heap: whether a request has no priority, the unanswered and the recent requests of its
        address, a serial number, whether it is for computer players, and its future."""
        self._unanswered: Counter[str] = Counter()  # by address, queued ones included
        self._numbers = count()
        self._asked: dict[str, tuple[float, float]] = {}
        """The decaying request count of each address, and the time at which it was updated."""
        self._sweep_at = _SWEEP
        self._seated: dict[str, float] = {}  # the time of the last request from a table, by address
        self._begun: float | None = None  # when the current turn began; None between turns
        self._pause_ends = 0.0  # the time until which no stranger begins
        self._pause: asyncio.TimerHandle | None = None
        self._first_at = -inf  # the time of the last request with priority

    def sits(self, address: str) -> None:
        """Note that a player at a table has sent a request from this address."""
        self._seated[network(address)] = self._now()

    def is_seated(self, address: str) -> bool:
        """Whether a seated player sent a request from this address in the last `SEATED_SECONDS`."""
        since = self._seated.get(network(address))
        return since is not None and self._now() - since < limits.SEATED_SECONDS

    async def asked(self, address: str) -> Callable[[], None]:
        """Wait for the turn of a request; return a function to call when its answer begins.

        Further calls of the function do nothing. Raises Full if too many requests wait.
        """
        who = network(address)
        before = self._unanswered[who]
        self._unanswered[who] = before + 1
        with ExitStack() as unanswered:
            unanswered.callback(self._answered, who)
            await self.turn(address, before=before)
            return unanswered.pop_all().close

    def _answered(self, who: str) -> None:
        self._unanswered[who] -= 1
        if not self._unanswered[who]:
            del self._unanswered[who]

    async def turn(
        self, address: str, *, before: int = 0, stranger: bool = False, computers: bool = False
    ) -> None:
        """Count a request and wait for its turn; a `stranger` never has priority, even if seated.

        `before` is the number of other unanswered requests of the address. Turns of `computers` are
        never refused, and counted apart, at no cost to people who play with them. Raises Full if
        too many others wait.
        """
        who = network(address)
        asked = self._ask(f"{who}+" if computers else who)
        stranger = stranger or asked > limits.FIRST_REQUESTS or not self.is_seated(address)
        if not stranger:
            self._first_at = self._now()
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (stranger, before, asked, next(self._numbers), computers, turn))
        if len(self._waiting) > limits.MOST_REQUESTS:
            self._refuse_some()
        self._serve()
        await turn

    def _refuse_some(self) -> None:
        """Refuse the last tenth of the queue, the busiest strangers, except computer players."""
        self._waiting.sort()  # which makes a heap
        most = 9 * limits.MOST_REQUESTS // 10
        last, self._waiting = self._waiting[most:], self._waiting[:most]
        # Computer players' turns sort after all that are left, so the list stays a heap.
        self._waiting += (one for one in last if one[-2])
        for *_, computers, turn in last:
            if not (computers or turn.done()):
                turn.set_exception(Full("too many requests wait", Limit.REQUESTS))

    def _ask(self, who: str) -> float:
        """Count a request of an address, and return its count, which decays with time."""
        now = self._now()
        asked, since = self._asked.get(who, (0.0, now))
        asked = 1 + asked * exp((since - now) / limits.ASKED_SECONDS)
        self._asked[who] = asked, now
        if len(self._asked) > self._sweep_at:
            before = now - limits.ASKED_SECONDS
            self._asked = {one: entry for one, entry in self._asked.items() if entry[1] > before}
            self._seated = {one: at for one, at in self._seated.items() if self.is_seated(one)}
            self._sweep_at = max(_SWEEP, 2 * len(self._asked))
        return asked

    def _end(self) -> None:
        """End the turn: a round of the event loop is over. Begin the next; strangers may pause."""
        assert self._begun is not None  # a turn ends only once
        now = self._now()
        took, self._begun = now - self._begun, None
        if took > _SHORT and now - self._first_at < _LATELY:
            self._pause_ends = max(self._pause_ends, now + min(4 * took, _LONGEST_PAUSE))
        self._serve()

    def _serve(self) -> None:
        while self._waiting and self._waiting[0][-1].done():  # its client has gone
            heappop(self._waiting)
        if self._begun is not None or not self._waiting:
            return
        loop = asyncio.get_running_loop()
        pause = self._pause_before(*self._waiting[0][:2])
        if pause > 0:
            if self._pause is None:
                self._pause = loop.call_later(pause, self._resume)
            return
        heappop(self._waiting)[-1].set_result(None)
        self._begun = self._now()
        loop.call_soon(self._end)

    def _pause_before(self, stranger: bool, before: int) -> float:
        """Return the seconds for which a request with these arguments of `turn` has to pause."""
        pause = self._pause_ends - self._now() if stranger else 0.0
        if (stranger or before) and self._writes() >= limits.MOST_WRITES:
            pause = max(pause, _WRITTEN_AGAIN)
        return max(pause, 0.0)

    def _resume(self) -> None:
        self._pause = None
        self._serve()


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
        raise TooOften(gettext(_TOO_MANY[what], seconds=seconds), what, seconds)

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
                ),
                Limit.STREAMS,
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
        raise BadRequest(
            "{url!r} cannot count rates; write memory:// or redis://host", url=url
        ) from None
    assert isinstance(found, Storage)  # the scheme says async
    return found
