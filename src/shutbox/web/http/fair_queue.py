"""The order in which requests begin when more arrive than can be answered at once."""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from heapq import heappop, heappush
from itertools import count
from math import exp, inf
from time import monotonic

from shutbox.web import limits
from shutbox.web.errors import Full, Limit
from shutbox.web.network import network

_SWEEP = 10_000
"""The number of known addresses at which idle ones are dropped."""
_LONGEST_PAUSE = 0.1
_LATELY = 1.0
"""Seconds after a request with priority in which a long turn makes strangers pause."""
_SHORT = 0.001
"""The longest turn in seconds that causes no pause."""
_WRITTEN_AGAIN = 0.002
"""Seconds between checks whether the writer has caught up."""


class FairQueue:
    """A queue that begins one request in each turn of the event loop.

    People at tables go first, unless their address sends far more requests than people do. Next is
    the address with the fewest unanswered requests, then the one with the fewest recent requests: a
    person waits for each answer before the next request, a program seldom does. While people play,
    strangers pause after a long turn four times its length, so they get a fifth of the time. While
    many writes are queued, strangers wait, and so do addresses with unanswered requests: actions
    are committed together, and a player's would wait for all of them.
    """

    def __init__(
        self, now: Callable[[], float] = monotonic, writes: Callable[[], int] = lambda: 0
    ) -> None:
        self._now = now
        self._writes = writes
        """A callback that returns the number of unwritten batches."""
        self._waiting: list[tuple[bool, int, float, int, bool, asyncio.Future[None]]] = []
        """A heap of the waiting requests.

        An entry: whether it has no priority, the unanswered and the recent requests of its address,
        a serial number, whether it is for computer players, and its future.
        """
        self._unanswered: Counter[str] = Counter()
        """The number of unanswered requests of each address, queued ones included."""
        self._numbers = count()
        self._asked: dict[str, tuple[float, float]] = {}
        """The decaying request count of each address, and the time at which it was updated."""
        self._sweep_at = _SWEEP
        self._seated: dict[str, float] = {}
        """The time of the last request from a table, by address."""
        self._begun: float | None = None
        """The start of the current turn; None between turns."""
        self._pause_ends = 0.0
        """The time until which no stranger begins."""
        self._pause: asyncio.TimerHandle | None = None
        self._first_at = -inf
        """The time of the last request with priority."""

    def sits(self, address: str) -> None:
        """Note that a player at a table has sent a request from this address."""
        self._seated[network(address)] = self._now()

    def is_seated(self, address: str) -> bool:
        """Whether a request from a table came from this address within `SEATED_SECONDS`."""
        since = self._seated.get(network(address))
        return since is not None and self._now() - since < limits.SEATED_SECONDS

    async def asked(self, address: str) -> Callable[[], None]:
        """Wait for the turn of a request, and return a callback for when its answer begins.

        The callback can be called again, which does nothing. Raises Full.
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
        """Wait for a turn; as a `stranger`, without priority even if the address is seated.

        `before` is the number of other unanswered requests of the address. Turns of `computers` are
        never refused, and counted apart, so that people who play with them do not wait for that.
        Raises Full.
        """
        who = network(address)
        asked = self._ask(f"{who}+" if computers else who)
        stranger = stranger or asked > limits.FIRST_REQUESTS or not self.is_seated(address)
        if not stranger:
            self._first_at = self._now()
        if self._begun is None and not self._waiting and not self._pause_before(stranger, before):
            self._begin()
            return
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
        for one in last:
            *_, computers, turn = one
            if computers:
                self._waiting.append(one)  # sorts after all others, so the list stays a heap
            elif not turn.done():
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

    def _begin(self) -> None:
        self._begun = self._now()
        asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        """End the turn: the event loop has completed a round."""
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
        pause = self._pause_before(*self._waiting[0][:2])
        if pause > 0:
            if self._pause is None:
                self._pause = asyncio.get_running_loop().call_later(pause, self._resume)
            return
        heappop(self._waiting)[-1].set_result(None)
        self._begin()

    def _pause_before(self, stranger: bool, before: int) -> float:
        """Return the seconds for which a request with these arguments of `turn` has to pause."""
        pause = self._pause_ends - self._now() if stranger else 0.0
        if (stranger or before) and self._writes() >= limits.MOST_WRITES:
            pause = max(pause, _WRITTEN_AGAIN)
        return max(pause, 0.0)

    def _resume(self) -> None:
        self._pause = None
        self._serve()
