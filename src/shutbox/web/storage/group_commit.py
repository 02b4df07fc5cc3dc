"""The writer thread: it commits all waiting batches together, then resolves their futures.

One commit to disk takes as long for twenty events as for one. Batches that arrive during a commit
wait for the next one. If a commit fails, each of its batches is retried alone, so that a conflict
affects only the batch that caused it.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import wraps
from math import inf
from queue import SimpleQueue
from time import monotonic
from typing import Any, Concatenate, ParamSpec

from sqlalchemy import Connection, insert, select, text
from sqlalchemy.exc import IntegrityError

from shutbox.errors import NotKept, OutOfDate, ShutboxError
from shutbox.web.errors import one_line
from shutbox.web.limits import MOST_DEVICES, MOST_TOGETHER
from shutbox.web.logs import log
from shutbox.web.storage.engine import Database
from shutbox.web.storage.schema import Grant, StoredEvent, events, grants, rooms, secrets
from shutbox.web.storage.seals import seal

P = ParamSpec("P")
CHANNEL = "shutbox"
"""The one PostgreSQL channel on which processes announce new events and spectators."""
Write = Callable[[Connection], object]
"""A function that writes through a connection, inside the transaction of a batch."""


def written(write: Callable[Concatenate[Connection, P], None]) -> Callable[P, Write]:
    """Turn `write(connection, ...)` into a function of the other arguments that returns a Write."""

    @wraps(write)
    def prepared(*args: P.args, **named: P.kwargs) -> Write:
        return lambda connection: write(connection, *args, **named)

    return prepared


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows that are stored together or not at all."""

    events: tuple[StoredEvent, ...] = ()
    """Sealed events of one room."""
    seal: str = ""
    """The seal of the room before these events and grants."""
    grants: tuple[Grant, ...] = ()
    """New grants in the same room."""
    opens: tuple[str, float] | None = None
    """The id and opening time of a room that this batch creates."""
    revokes: tuple[tuple[str, int], ...] = ()
    """The rooms and seats whose existing grants are revoked."""
    extra: tuple[Write, ...] = ()
    """Further writes in the same transaction; see `host.py`."""


class GroupCommit:
    """The writer thread and its queue. `close` waits until every queued batch was tried."""

    def __init__(
        self,
        database: Database,
        committed: Callable[[int, float], None] = lambda together, seconds: None,
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        """Call `committed` with the batches and seconds of each commit, `failed` if one fails."""
        self._database = database
        self._committed, self._failed = committed, failed
        self._waiting: SimpleQueue[tuple[Batch, Future[None]] | None] = SimpleQueue()
        self._closed = False
        self.unwritten = 0
        """The number of batches not yet on disk."""
        self.committed_at = -inf
        """The `monotonic` time of the last commit; -inf before the first and after a failure."""
        self._thread = threading.Thread(target=self._run, name="writer")
        """Started by the first batch: it would keep a process alive whose start has failed."""

    async def store(self, batch: Batch) -> None:
        """Queue a batch, and return once it is on disk.

        Raises OutOfDate if another was first or a write of `extra` raises it; else NotKept.
        """
        if self._closed:
            raise NotKept("the server is shutting down")
        if self._thread.ident is None:
            self._thread.start()
        future = Future[None]()
        self.unwritten += 1
        stored = asyncio.wrap_future(future)
        stored.add_done_callback(self._done)
        self._waiting.put((batch, future))
        # A caller that is cancelled does not cancel its batch.
        await asyncio.shield(stored)

    @property
    def waiting(self) -> int:
        """The number of batches queued for the next commit."""
        return self._waiting.qsize()

    def _done(self, _: object) -> None:
        self.unwritten -= 1

    def close(self) -> None:
        """Write the queued batches and stop the thread."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        open = True
        while open:
            taken = [self._waiting.get()]
            while len(taken) < MOST_TOGETHER and not self._waiting.empty():
                taken.append(self._waiting.get())
            open = None not in taken
            if waiting := [one for one in taken if one is not None]:
                self._store_together(waiting)

    def _store_together(self, taken: Sequence[tuple[Batch, Future[None]]]) -> None:
        begun = monotonic()
        try:
            self._commit([batch for batch, _ in taken])
        except Exception as error:  # any failure must reach the waiting callers
            if len(taken) == 1:
                refusal = _refusal(error)
                if isinstance(refusal, NotKept):
                    self.committed_at = -inf
                    self._failed()
                taken[0][1].set_exception(refusal)
            else:
                for one in taken:
                    self._store_together([one])
        else:
            self.committed_at = monotonic()
            self._committed(len(taken), self.committed_at - begun)
            for _, future in taken:
                future.set_result(None)

    def _commit(self, batches: Sequence[Batch]) -> None:
        commit(self._database, batches)


def commit(database: Database, batches: Sequence[Batch]) -> None:
    """Store all batches in one transaction, or none.

    Raises OutOfDate if another player was first or a row violates a constraint, SQLAlchemyError,
    and the errors of `extra`.
    """
    try:
        with database.writer.begin() as connection:
            _write(connection, batches)
    except IntegrityError:
        raise _quicker() from None


def _write(connection: Connection, batches: Sequence[Batch]) -> None:
    for id, opened in (batch.opens for batch in batches if batch.opens is not None):
        row = {"id": id, "opened": opened, "length": 0, "at": opened, "seal": ""}
        connection.execute(insert(rooms), row)
    if going_on := [batch for batch in batches if batch.events or batch.grants]:
        # Always in the same order, so that two processes never deadlock.
        going_on.sort(key=lambda batch: (batch.events or batch.grants)[0][:2])
        _go_on(connection, going_on)
    # Each room is locked by now: grants from another process are visible here, or refused there.
    for room, seat in (revoked for batch in batches for revoked in batch.revokes):
        mine = (grants.c.room == room) & (grants.c.seat == seat)
        connection.execute(grants.delete().where(mine))
    for grant in (grant for batch in batches for grant in batch.grants):
        give(connection, grant)
    for write in (write for batch in batches for write in batch.extra):
        write(connection)
    if connection.dialect.name == "postgresql":
        _ring(connection, batches)


@written
def probe(connection: Connection) -> None:
    """Insert a row and delete it again, to check that the database accepts writes."""
    connection.execute(insert(secrets), {"name": "probe", "value": "", "seal": ""})
    connection.execute(secrets.delete().where(secrets.c.name == "probe"))


def _ring(connection: Connection, batches: Sequence[Batch]) -> None:
    """Notify the other processes, at commit, of each room and its last event number."""
    last = {event.room: event.number for batch in batches for event in batch.events}
    for room, number in last.items():
        notice = {"channel": CHANNEL, "payload": f"{room} {number}"}
        connection.execute(text("SELECT pg_notify(:channel, :payload)"), notice)


def _quicker() -> OutOfDate:
    return OutOfDate("another player was first; the table has moved on")


_MOVE_END = text(
    "UPDATE rooms SET length = coalesce(CAST(:number AS INTEGER), length), "
    "at = coalesce(CAST(:last AS DOUBLE PRECISION), at), "
    "seal = coalesce(CAST(:sealed AS VARCHAR), seal) "
    "WHERE id = :room AND length = coalesce(CAST(:before AS INTEGER), length) AND seal = :after"
)
"""The update that moves the end of a room, or leaves it in place for a batch with grants alone.

Either way it matches only if the room still has the seal on which the batch is based.
"""


def _go_on(connection: Connection, batches: Sequence[Batch]) -> None:
    """Store the events of these batches. Raises OutOfDate if a room has moved on."""
    ends = [_end(batch) for batch in batches]
    if connection.execute(_MOVE_END, ends).rowcount != len(ends):
        raise _quicker()
    if rows := [one._asdict() for batch in batches for one in batch.events]:
        connection.execute(insert(events), rows)


def _end(batch: Batch) -> dict[str, Any]:
    """Return the parameters of `_MOVE_END`, which moves the end of a room, for a batch."""
    if not batch.events:
        unchanged = dict.fromkeys(("before", "number", "last", "sealed"))
        return {"room": batch.grants[0].room, "after": batch.seal, **unchanged}
    first, last = batch.events[0], batch.events[-1]
    return {
        "room": first.room,
        "before": first.number - 1,
        "after": batch.seal,
        "number": last.number,
        "last": last.at,
        "sealed": last.seal,
    }


def give(connection: Connection, grant: Grant) -> None:
    """Grant a seat to a device. Only the newest `MOST_DEVICES` grants of a seat are left."""
    add = (
        "INSERT INTO passes (room, seat, device, seal) VALUES (:room, :seat, :device, :seal) "
        "ON CONFLICT (room, seat, device) DO NOTHING"
    )
    connection.execute(text(add), {**grant._asdict(), "seal": seal(*grant)})
    mine = (grants.c.room == grant.room) & (grants.c.seat == grant.seat)
    newest = select(grants.c.id).where(mine).order_by(grants.c.id.desc()).limit(MOST_DEVICES)
    connection.execute(grants.delete().where(mine & grants.c.id.not_in(newest)))


def _refusal(error: Exception) -> ShutboxError:
    if isinstance(error, OutOfDate):
        return error
    log.error("not kept", reason=one_line(error))
    return NotKept("it may not have been saved; try again with the same id: it is done only once")
