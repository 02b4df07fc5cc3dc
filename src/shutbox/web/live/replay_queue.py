"""Whose log is replayed next."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from shutbox.web import limits

_AT_ONCE = 2  # short logs that are replayed at once, so that who acts has the core


class ReplayQueue:
    """Long logs do not hold up the others, nor who asks for many of them anybody else."""

    def __init__(self) -> None:
        self._short, self._long = asyncio.Semaphore(_AT_ONCE), asyncio.Semaphore(1)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, who: str, length: int) -> AsyncIterator[None]:
        """Wait for the turn of a log of so many events that `who` asks for."""
        if length <= limits.SHORT_LOG:
            async with self._short:
                yield
        else:
            own = self._turns.setdefault(who, asyncio.Lock())
            async with own, self._long:
                yield
