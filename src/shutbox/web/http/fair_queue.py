"""Whose request is begun next, where more come than can be answered at once."""

import asyncio
from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import exp, inf
from time import monotonic

from shutbox.web import limits
from shutbox.web.errors import Full, Limit
from shutbox.web.network import network

_SWEEP = 10_000
"""Addresses that are known before those that have not asked lately are forgotten."""
_LONGEST_PAUSE = 0.05
_LATELY = 1.0
"""Strangers pause for people at tables who have asked within so many seconds."""
_SHORT = 0.001
"""A turn that takes no longer is followed by the next at once."""
_WRITTEN_AGAIN = 0.002
"""While much is to be written, it is looked again after so many seconds."""


class FairQueue:
    """One request begins in each turn of the event loop, so that none waits for all the others.

    People at tables go first, unless their address asks far more often than people do. Then comes
    the address that waits for fewest answers, and then the one that has asked least: a person waits
    for one answer before asking again, a program seldom does. While people play, strangers wait
    after a turn that took long for twice as long: they get a third of the time. Strangers, and
    whoever waits for an answer already, also wait while much is being written: actions are written
    together, and a person's would wait for all of them.
    """

    def __init__(
        self, now: Callable[[], float] = monotonic, writes: Callable[[], int] = lambda: 0
    ) -> None:
        self._now = now
        self._writes = writes
        """How much waits to be written."""
        self._waiting: list[tuple[bool, int, float, int, bool, asyncio.Future[None]]] = []
        """A heap of those who wait: strangers behind people, then by how many answers they wait for
        already, and by how much they have asked.

        Behind that: their number, and whether they are computers.
        """
        self._unanswered: Counter[str] = Counter()
        """How many requests of each address wait here, or for their answers."""
        self._numbers = count()
        self._asked: dict[str, tuple[float, float]] = {}
        """How much each address has asked lately, and when that was reckoned."""
        self._sweep_at = _SWEEP
        self._seated: dict[str, float] = {}
        """When somebody at a table asked from an address."""
        self._begun: float | None = None
        """When the turn began that is not over."""
        self._pause_ends = 0.0
        """Until then no stranger begins."""
        self._pause: asyncio.TimerHandle | None = None
        self._first_at = -inf
        """When somebody asked last who goes first."""

    def sits(self, address: str) -> None:
        """Somebody at a table asks from this address."""
        self._seated[network(address)] = self._now()

    def is_seated(self, address: str) -> bool:
        """Whether somebody at a table has asked from this address lately."""
        since = self._seated.get(network(address))
        return since is not None and self._now() - since < limits.SEATED_SECONDS

    async def asked(self, address: str) -> Callable[[], None]:
        """Wait for the turn of a request, and return what to call once its answer begins.

        To call it again does nothing. Raises Full.
        """
        who, waits = network(address), True

        def answered() -> None:
            nonlocal waits
            if waits:
                waits = False
                self._unanswered[who] -= 1
                if not self._unanswered[who]:
                    del self._unanswered[who]

        self._unanswered[who] += 1
        try:
            await self.turn(address, before=self._unanswered[who] - 1)
        except BaseException:
            answered()
            raise
        return answered

    async def turn(
        self, address: str, *, before: int = 0, stranger: bool = False, computers: bool = False
    ) -> None:
        """Wait for a turn; `stranger`: also where somebody at this address sits at a table.

        `before` says how many answers the address waits for already.

        What `computers` do there makes nobody wait who plays with them, and is never refused.
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
        """Refuse the tenth that would wait longest: the strangers who have asked most."""
        self._waiting.sort()  # which makes a heap
        kept = 9 * limits.MOST_REQUESTS // 10
        last, self._waiting = self._waiting[kept:], self._waiting[:kept]
        for one in last:
            *_, computers, turn = one
            if computers:
                self._waiting.append(one)  # behind all others, so that it stays a heap
            elif not turn.done():
                turn.set_exception(Full("too many requests wait", Limit.REQUESTS))

    def _ask(self, who: str) -> float:
        now = self._now()
        asked, since = self._asked.get(who, (0.0, now))
        asked = 1 + asked * exp((since - now) / limits.ASKED_SECONDS)
        self._asked[who] = asked, now
        if len(self._asked) > self._sweep_at:
            before = now - limits.ASKED_SECONDS
            self._asked = {one: it for one, it in self._asked.items() if it[1] > before}
            self._seated = {one: at for one, at in self._seated.items() if self.is_seated(one)}
            self._sweep_at = max(_SWEEP, 2 * len(self._asked))
        return asked

    def _begin(self) -> None:
        self._begun = self._now()
        asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        """The loop has come round."""
        assert self._begun is not None  # since a turn ends once
        now = self._now()
        took, self._begun = now - self._begun, None
        if took > _SHORT and now - self._first_at < _LATELY:
            self._pause_ends = max(self._pause_ends, now + min(2 * took, _LONGEST_PAUSE))
        self._serve()

    def _serve(self) -> None:
        while self._waiting and self._waiting[0][-1].done():  # who waited has gone
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
        """How many seconds whoever comes next pauses."""
        pause = self._pause_ends - self._now() if stranger else 0.0
        if (stranger or before) and self._writes() >= limits.MOST_WRITES:
            pause = max(pause, _WRITTEN_AGAIN)
        return max(pause, 0.0)

    def _resume(self) -> None:
        self._pause = None
        self._serve()
