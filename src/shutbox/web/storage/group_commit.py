"""The writer thread: it commits all waiting batches together, then resolves their futures.

One commit to disk takes as long for twenty events as for one. Batches that arrive during a commit
wait for the next one. If a commit fails, each of its batches is retried alone, so that a conflict
affects only the batch that caused it. If the database is locked, full or gone, all fail at once,
with those that wait, so that nobody waits in a row.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Executable, insert, select, text
from sqlalchemy.exc import IntegrityError, OperationalError

from shutbox.engine.errors import NotKept, OutOfDate
from shutbox.engine.messages import gettext_noop
from shutbox.web.errors import one_line
from shutbox.web.limits import MOST_DEVICES, MOST_TOGETHER
from shutbox.web.logs import log
from shutbox.web.storage.engine import Database
from shutbox.web.storage.schema import StoredEvent, events, grants, rooms, secrets

_QUICKER = gettext_noop("another player was faster; look at the table, then try again")
Write = Executable | Callable[[Connection], object]
"""A statement, or a function that is called inside the transaction of a batch."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Writes that happen together or not at all: new events of a room, and others."""

    room: str = ""  # the room that must still end with `seal`; empty if it concerns no room's log
    seal: str = ""  # the seal of the last event before these; empty for a room that they open
    events: tuple[StoredEvent, ...] = ()  # sealed events of the room
    writes: tuple[Write, ...] = ()  # in the same transaction, once the room is locked


class GroupCommit:
    """The writer thread: it commits queued batches together. `close` waits until all were tried."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting = deque[tuple[Batch, Future[None]]]()
        self._thread = ThreadPoolExecutor(1, "writer")
        self._closed = False
        self.committed_at = -inf  # `monotonic` at the last commit; -inf before, and after a failure

    async def store(self, batch: Batch) -> None:
        """Store a batch on disk, even if cancelled. Raises NotKept; OutOfDate as `commit` does."""
        if self._closed:
            raise NotKept("the server is shutting down")
        future = Future[None]()
        self._waiting.append((batch, future))
        if len(self._waiting) == 1:  # else the thread has yet to take the earlier ones
            self._thread.submit(self._store_waiting)
        # A caller that is cancelled does not cancel its batch.
        await asyncio.shield(asyncio.wrap_future(future))

    def close(self) -> None:
        """Write the queued batches and stop the thread; from now on `store` raises NotKept."""
        self._closed = True
        self._thread.shutdown()

    def _store_waiting(self) -> None:
        while together := min(len(self._waiting), MOST_TOGETHER):
            self._store_together([self._waiting.popleft() for _ in range(together)])

    def _store_together(self, taken: Sequence[tuple[Batch, Future[None]]]) -> None:
        try:
            self._commit([batch for batch, _ in taken])
        except Exception as error:  # any failure must reach the waiting callers
            if isinstance(error, OperationalError):
                taken = [*taken, *(self._waiting.popleft() for _ in range(len(self._waiting)))]
            elif len(taken) > 1:
                for one in taken:
                    self._store_together([one])
                return
            if not isinstance(error, OutOfDate):
                log.error("not kept", reason=one_line(error))
                error = NotKept("it could not be saved\ntry again: it will be done only once")
                self.committed_at = -inf
            for _, future in taken:
                future.set_exception(error)
        else:
            self.committed_at = monotonic()
            for _, future in taken:
                future.set_result(None)

    def _commit(self, batches: Sequence[Batch]) -> None:
        commit(self._database, batches)


def commit(database: Database, batches: Sequence[Batch]) -> None:
    """Store all batches in one transaction, or none.

    Raises SQLAlchemyError, what `writes` raise, and OutOfDate if another write came first.
    """
    try:
        with database.writer.begin() as connection:
            _write(connection, batches)
    except IntegrityError:
        raise OutOfDate(_QUICKER) from None


def _write(connection: Connection, batches: Sequence[Batch]) -> None:
    for batch in batches:
        if batch.events and not batch.seal:
            opened = batch.events[0].at
            row = {"id": batch.room, "opened": opened, "length": 0, "at": opened, "seal": ""}
            connection.execute(insert(rooms), row)
    if going_on := [batch for batch in batches if batch.room]:
        # Always in the same order, so that this never deadlocks with a device link used elsewhere.
        going_on.sort(key=lambda batch: (batch.room, batch.events[:1]))
        ends = [_end(batch) for batch in going_on]
        if connection.execute(_MOVE_END, ends).rowcount != len(ends):  # a room has moved on
            raise OutOfDate(_QUICKER)
        if rows := [one._asdict() for batch in going_on for one in batch.events]:
            connection.execute(insert(events), rows)
    # Each room is locked by now: grants from another process are visible here, or refused there.
    for write in (write for batch in batches for write in batch.writes):
        connection.execute(write) if isinstance(write, Executable) else write(connection)


def probe(connection: Connection) -> None:
    """Insert a row and delete it again, to check that the database accepts writes."""
    connection.execute(insert(secrets), {"name": "probe", "value": ""})
    connection.execute(secrets.delete().where(secrets.c.name == "probe"))


_MOVE_END = text(
    "UPDATE rooms SET length = coalesce(CAST(:number AS INTEGER), length), "
    "at = coalesce(CAST(:at AS DOUBLE PRECISION), at), "
    "seal = coalesce(CAST(:seal AS VARCHAR), seal) "
    "WHERE id = :room AND length = coalesce(CAST(:before AS INTEGER), length) AND seal = :after"
)
"""Moves the end of a room that still has the seal `after`, or leaves it for grants alone."""


def _end(batch: Batch) -> dict[str, Any]:
    """Return the parameters of `_MOVE_END` for a batch."""
    end: dict[str, Any] = dict.fromkeys(("before", "number", "at", "seal"))
    if batch.events:
        end = {"before": batch.events[0].number - 1, **batch.events[-1]._asdict()}
    return {**end, "room": batch.room, "after": batch.seal}


def give(connection: Connection, room: str, seat: int, device: str) -> None:
    """Grant a device a seat, or WATCHERS etc. Only the newest `MOST_DEVICES` of a seat are left."""
    add = (
        "INSERT INTO grants (room, seat, device) VALUES (:room, :seat, :device) "
        "ON CONFLICT (room, seat, device) DO NOTHING"
    )
    connection.execute(text(add), {"room": room, "seat": seat, "device": device})
    mine = (grants.c.room == room) & (grants.c.seat == seat)
    newest = select(grants.c.id).where(mine).order_by(grants.c.id.desc()).limit(MOST_DEVICES)
    connection.execute(grants.delete().where(mine & grants.c.id.not_in(newest)))
