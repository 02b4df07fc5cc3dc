"""The writer thread: it commits all waiting writes together, then resolves their futures.

One commit to disk takes as long for twenty events as for one. Writes that arrive during a commit
wait for the next one. If a commit fails, each is retried alone, so that a conflict affects only the
write that caused it. If the database is locked, full or gone, all fail at once, with those that
wait, so that nobody waits in a row.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from sqlalchemy.exc import OperationalError

from shutbox.engine.errors import NotKept, OutOfDate
from shutbox.web.errors import one_line
from shutbox.web.limits import MOST_TOGETHER
from shutbox.web.logs import log
from shutbox.web.storage.database import Database, Write


class _Waiting(NamedTuple):
    """Writes that happen together or not at all."""

    room: str  # what they are about; empty for anything else
    writes: Sequence[Write]
    done: Future[None]  # resolved once they are on disk


class GroupCommit:
    """The writer thread: it commits queued writes together. `close` waits until all were tried."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting = deque[_Waiting]()
        self._thread = ThreadPoolExecutor(1, "writer")
        self._closed = False

    async def store(self, *writes: Write, room: str = "") -> None:
        """Make writes together, about a `room` or none, on disk on return, even if cancelled.

        Raises NotKept, and OutOfDate as `Database.write` does.
        """
        if self._closed:
            raise NotKept("the server is shutting down")
        done = Future[None]()
        self._waiting.append(_Waiting(room, writes, done))
        if len(self._waiting) == 1:  # else the thread has yet to take the earlier ones
            self._thread.submit(self._store_waiting)
        # A caller that is cancelled does not cancel its writes.
        await asyncio.shield(asyncio.wrap_future(done))

    def close(self) -> None:
        """Make the queued writes and stop the thread; from now on `store` raises NotKept."""
        self._closed = True
        self._thread.shutdown()

    def _store_waiting(self) -> None:
        while together := min(len(self._waiting), MOST_TOGETHER):
            self._store_together([self._waiting.popleft() for _ in range(together)])

    def _store_together(self, taken: Sequence[_Waiting]) -> None:
        # Rooms in the same order, so that this never deadlocks with a device link used elsewhere.
        in_order = sorted(taken, key=lambda waiting: waiting.room)
        try:
            self._database.write(*(write for waiting in in_order for write in waiting.writes))
        except Exception as error:  # any failure must reach the waiting callers
            if isinstance(error, OperationalError):
                taken = [*taken, *(self._waiting.popleft() for _ in range(len(self._waiting)))]
            elif len(taken) > 1:
                for alone in taken:
                    self._store_together([alone])
                return
            if not isinstance(error, OutOfDate):
                log.error("not kept", reason=one_line(error))
                error = NotKept("it could not be saved\ntry again: it will be done only once")
            for waiting in taken:
                waiting.done.set_exception(error)
        else:
            for waiting in taken:
                waiting.done.set_result(None)
