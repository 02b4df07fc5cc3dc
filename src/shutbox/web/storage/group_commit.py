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
from math import inf
from queue import SimpleQueue
from time import monotonic

from sqlalchemy import Connection, func, insert, select, text, tuple_
from sqlalchemy.exc import IntegrityError

from shutbox.errors import NotKept, OutOfDate
from shutbox.web.limits import MOST_DEVICES, MOST_TOGETHER
from shutbox.web.logs import log, one_line
from shutbox.web.storage.engine import Database
from shutbox.web.storage.schema import Grant, StoredEvent, events, grants, rooms, secrets

CHANNEL = "shutbox"
"""The one channel on which PostgreSQL tells the other processes that a room has gone on."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is kept together or not at all."""

    events: tuple[StoredEvent, ...] = ()
    grants: tuple[Grant, ...] = ()
    opens: tuple[str, float] | None = None
    """A room that begins with this: its id, and when."""
    revokes: tuple[tuple[str, int], ...] = ()
    """The rooms and seats whose grants are void from now on."""
    probes: bool = False
    """Whether something is written that changes nothing, to see that it can be."""


class GroupCommit:
    """The thread that writes. `close` waits until all that was handed over is kept."""

    def __init__(self, database: Database, heard: Callable[[int], None]) -> None:
        """`heard` is told how many batches were committed together."""
        self._database = database
        self._heard = heard
        self._waiting: SimpleQueue[tuple[Batch, Future[None]] | None] = SimpleQueue()
        self._closed = False
        self.kept_at = -inf
        """When something was kept, by the clock of `monotonic`; -inf where the last was not."""
        self._thread = threading.Thread(target=self._run, name="writer")
        self._thread.start()

    async def keep(self, batch: Batch) -> None:
        """Return once it is on the disk. Raises OutOfDate if another was first, and NotKept."""
        if self._closed:
            raise NotKept("the server is shutting down")
        future = asyncio.get_running_loop().create_future()
        self._waiting.put((batch, future))
        # Who waits may go away, and the batch is kept all the same.
        await asyncio.shield(future)

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
        try:
            self._commit([batch for batch, _ in taken])
        except Exception as error:  # whatever it is: those who wait must hear of it
            if len(taken) == 1:
                refusal = _refusal(error)
                if isinstance(refusal, NotKept):
                    self.kept_at = -inf
                _tell(taken[0][1], refusal)
            else:
                for one in taken:
                    self._keep_together([one])
        else:
            self.kept_at = monotonic()
            self._heard(len(taken))
            for _, future in taken:
                _tell(future, None)

    def _commit(self, batches: Sequence[Batch]) -> None:
        with self._database.writer.begin() as connection:
            for batch in batches:
                if batch.probes:
                    connection.execute(insert(secrets), {"name": "probe", "value": ""})
                    connection.execute(secrets.delete().where(secrets.c.name == "probe"))
                if batch.opens is not None:
                    id, opened = batch.opens
                    connection.execute(insert(rooms), {"id": id, "opened": opened})
                for room, seat in batch.revokes:
                    mine = (grants.c.room == room) & (grants.c.seat == seat)
                    connection.execute(grants.delete().where(mine))
            # In the same order everywhere, so that two processes never wait for each other.
            stored = sorted(
                (event for batch in batches for event in batch.events), key=lambda event: event[:2]
            )
            if stored:
                _check_gaps(connection, stored)
                connection.execute(insert(events), [event._asdict() for event in stored])
            for grant in (grant for batch in batches for grant in batch.grants):
                _give(connection, grant)
            if self._database.is_shared:
                self._ring(connection, batches)

    def _ring(self, connection: Connection, batches: Sequence[Batch]) -> None:
        """Tell the other processes, with the commit: the room, and how far it has come."""
        last = {event.room: event.number for batch in batches for event in batch.events}
        for room, number in last.items():
            says = {"channel": CHANNEL, "payload": f"{room} {number}"}
            connection.execute(text("SELECT pg_notify(:channel, :payload)"), says)


class _Gap(Exception):
    """An event comes where the one before it is not: the database is older than this process."""


def _check_gaps(connection: Connection, stored: Sequence[StoredEvent]) -> None:
    """Raise _Gap unless every room goes on where it ends in the database."""
    first = {event.room: event.number for event in reversed(stored)}
    before = [(room, number - 1) for room, number in first.items() if number > 1]
    there = tuple_(events.c.room, events.c.number).in_(before)
    found = connection.scalar(select(func.count()).select_from(events).where(there))
    if found != len(before):
        raise _Gap


def _give(connection: Connection, grant: Grant) -> None:
    give = (
        "INSERT INTO passes (room, seat, device) VALUES (:room, :seat, :device) "
        "ON CONFLICT (room, seat, device) DO NOTHING"
    )
    connection.execute(text(give), grant._asdict())
    mine = (grants.c.room == grant.room) & (grants.c.seat == grant.seat)
    newest = select(grants.c.id).where(mine).order_by(grants.c.id.desc()).limit(MOST_DEVICES)
    connection.execute(grants.delete().where(mine & grants.c.id.not_in(newest)))


def _refusal(error: Exception) -> Exception:
    if isinstance(error, IntegrityError | _Gap):
        return OutOfDate("somebody else was first; the table has moved on")
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
