"""Keeping events: everything that waits is committed together, and only then is it kept.

One commit to the disk takes as long for twenty events as for one. So a thread takes all that
waits, commits it, and then tells those who wait; what comes meanwhile waits for the next commit.
What cannot be kept with the others is tried by itself, so one conflict spoils nothing else.
"""

import asyncio
import threading
from asyncio import Future
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from math import inf
from queue import SimpleQueue
from time import monotonic
from typing import Any, Concatenate, ParamSpec, Protocol

from sqlalchemy import ColumnElement, Connection, bindparam, func, insert, select, text, update
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
"""The one channel on which PostgreSQL tells the other processes that a room has gone on."""
Write = Callable[[Connection], object]
"""Writes something by a connection, together with a batch or by itself."""


def written(write: Callable[Concatenate[Connection, P], None]) -> Callable[P, Write]:
    """Return a function that says what will be written; its first argument comes with the batch."""

    @wraps(write)
    def said(*args: P.args, **named: P.kwargs) -> Write:
        return lambda connection: write(connection, *args, **named)

    return said


@dataclass(frozen=True, slots=True)
class Batch:
    """What is kept together or not at all."""

    events: tuple[StoredEvent, ...] = ()
    """Those of one room, sealed."""
    seal: str = ""
    """The seal of the event before them, and before the grants."""
    grants: tuple[Grant, ...] = ()
    """Of the same room."""
    opens: tuple[str, float] | None = None
    """A room that begins with this: its id, and when."""
    revokes: tuple[tuple[str, int], ...] = ()
    """The rooms and seats whose grants are void from now on."""
    also: tuple[Write, ...] = ()
    """What else is written with it; see `host.py`."""


class Counts(Protocol):
    """Counts commits, whichever thread they are made in."""

    def committed(self, together: int, seconds: float) -> None:
        """So many batches were kept by one commit."""

    def not_committed(self) -> None:
        """A commit failed."""


class GroupCommit:
    """The thread that writes. `close` waits until all that was handed over is kept."""

    def __init__(self, database: Database, counts: Counts) -> None:
        self._database = database
        self._counts = counts
        self._waiting: SimpleQueue[tuple[Batch, Future[None]] | None] = SimpleQueue()
        self._closed = False
        self.unkept = 0
        """How many batches are on their way to the disk."""
        self.kept_at = -inf
        """When something was kept, by the clock of `monotonic`; -inf where the last was not."""
        self._thread = threading.Thread(target=self._run, name="writer")
        self._thread.start()

    async def keep(self, batch: Batch) -> None:
        """Return once it is on the disk. Raises OutOfDate if another was first, and NotKept."""
        if self._closed:
            raise NotKept("the server is shutting down")
        future = asyncio.get_running_loop().create_future()
        self.unkept += 1
        future.add_done_callback(self._done)
        self._waiting.put((batch, future))
        # Who waits may go away, and the batch is kept all the same.
        await asyncio.shield(future)

    @property
    def waiting(self) -> int:
        """How many batches wait for the next commit."""
        return self._waiting.qsize()

    def _done(self, _: object) -> None:
        self.unkept -= 1

    def close(self) -> None:
        """Keep what waits, and stop."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        open = True
        while open:
            taken = [self._waiting.get()]
            while len(taken) < MOST_TOGETHER and not self._waiting.empty():
                taken.append(self._waiting.get())
            open = None not in taken
            if waiting := [one for one in taken if one is not None]:
                self._keep_together(waiting)

    def _keep_together(self, taken: Sequence[tuple[Batch, Future[None]]]) -> None:
        begun = monotonic()
        try:
            self._commit([batch for batch, _ in taken])
        except Exception as error:  # whatever it is: those who wait must hear of it
            if len(taken) == 1:
                refusal = _refusal(error)
                if isinstance(refusal, NotKept):
                    self.kept_at = -inf
                    self._counts.not_committed()
                _tell(taken[0][1], refusal)
            else:
                for one in taken:
                    self._keep_together([one])
        else:
            self.kept_at = monotonic()
            self._counts.committed(len(taken), self.kept_at - begun)
            for _, future in taken:
                _tell(future, None)

    def _commit(self, batches: Sequence[Batch]) -> None:
        commit(self._database, batches)


def commit(database: Database, batches: Sequence[Batch]) -> None:
    """Keep all of them together, or nothing.

    Raises OutOfDate if another was first, what they raise, and SQLAlchemyError.
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
        # In the same order everywhere, so that two processes never wait for each other.
        going_on.sort(key=lambda batch: (batch.events or batch.grants)[0][:2])
        _go_on(connection, going_on)
    # Each room is held by now: what another process grants meanwhile is seen, or refused.
    for room, seat in (revoked for batch in batches for revoked in batch.revokes):
        mine = (grants.c.room == room) & (grants.c.seat == seat)
        connection.execute(grants.delete().where(mine))
    for grant in (grant for batch in batches for grant in batch.grants):
        give(connection, grant)
    for write in (write for batch in batches for write in batch.also):
        write(connection)
    if connection.dialect.name == "postgresql":
        _ring(connection, batches)


@written
def probe(connection: Connection) -> None:
    """Write something that changes nothing, to see that it can be written."""
    connection.execute(insert(secrets), {"name": "probe", "value": "", "seal": ""})
    connection.execute(secrets.delete().where(secrets.c.name == "probe"))


def _ring(connection: Connection, batches: Sequence[Batch]) -> None:
    """Tell the other processes, with the commit: the room, and how far it has come."""
    last = {event.room: event.number for batch in batches for event in batch.events}
    for room, number in last.items():
        says = {"channel": CHANNEL, "payload": f"{room} {number}"}
        connection.execute(text("SELECT pg_notify(:channel, :payload)"), says)


def _quicker() -> OutOfDate:
    return OutOfDate("another player was first; the table has moved on")


def _or_as_it_is(name: str, column: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.coalesce(bindparam(name, type_=column.type), column)


_GO_ON = (
    update(rooms)
    .where(
        rooms.c.id == bindparam("room"),
        rooms.c.length == _or_as_it_is("before", rooms.c.length),
        rooms.c.seal == bindparam("after"),
    )
    .values(
        length=_or_as_it_is("number", rooms.c.length),
        at=_or_as_it_is("last", rooms.c.at),
        seal=_or_as_it_is("sealed", rooms.c.seal),
    )
)
"""The room goes on, or stays as it is: who is let in there is let in by what it is then."""


def _go_on(connection: Connection, batches: Sequence[Batch]) -> None:
    """Store the events of these batches. Raises OutOfDate where a room ends elsewhere."""
    ends = [_end(batch) for batch in batches]
    if connection.execute(_GO_ON, ends).rowcount != len(ends):
        raise _quicker()
    if rows := [one._asdict() for batch in batches for one in batch.events]:
        connection.execute(insert(events), rows)


def _end(batch: Batch) -> dict[str, Any]:
    """How a room goes on, for `_GO_ON`."""
    if not batch.events:
        nothing = dict.fromkeys(("before", "number", "last", "sealed"))
        return {"room": batch.grants[0].room, "after": batch.seal, **nothing}
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
    """Let a device sit at a seat; of too many there the oldest is let go."""
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
    return NotKept("it may not be kept; ask again, and with the same id it is done once")


def _tell(future: Future[None], error: Exception | None) -> None:
    def done() -> None:
        if error is not None and not future.done():
            future.set_exception(error)
        elif not future.done():
            future.set_result(None)

    with suppress(RuntimeError):  # nobody waits any more: the server has stopped
        future.get_loop().call_soon_threadsafe(done)
