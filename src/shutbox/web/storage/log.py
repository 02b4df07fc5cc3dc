"""The log of all rooms in a database: what `rooms/ports.py` asks for, on a server."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Executable
from sqlalchemy.exc import SQLAlchemyError

from shutbox.web import limits
from shutbox.web.errors import DamagedStore, NewerStore, NoAnswer, UnknownRoom, one_line
from shutbox.web.logs import log
from shutbox.web.rooms import events
from shutbox.web.rooms.commands import Outcome
from shutbox.web.rooms.ports import Addition, Entries, not_read
from shutbox.web.rooms.room import Room, replayed
from shutbox.web.rooms.shapes import json_text
from shutbox.web.storage.group_commit import Batch, Write
from shutbox.web.storage.host import notice
from shutbox.web.storage.reader import Archive, numbered_events
from shutbox.web.storage.schema import Grant, StoredEvent
from shutbox.web.storage.seals import sealed

T = TypeVar("T")
_READERS = 4  # threads that wait for the database, and for nothing else
_AT_ONCE = 2  # short logs that are replayed at once, so that who acts has the core


class StoredLog:
    """The log of one process."""

    def __init__(self, archive: Archive, keep: Callable[[Batch], Awaitable[None]]) -> None:
        """`keep` returns once a batch is on the disk. Raises OutOfDate and NotKept."""
        self.archive = archive
        self.keep = keep
        self.shared = archive.database.is_shared
        self.damaged: set[str] = set()
        """The rooms whose log is not what was stored, as far as somebody has asked for them."""
        self._short, self._long = asyncio.Semaphore(_AT_ONCE), asyncio.Semaphore(1)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._reads = ThreadPoolExecutor(_READERS, "reader")

    async def ask(self, question: Callable[..., T], *about: object) -> T:
        """Return what the database answers, from a thread that does nothing but wait for it."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reads, question, *about)
        except SQLAlchemyError as error:
            raise NoAnswer(error) from error

    async def rows(self, query: Executable) -> Sequence[Any]:
        """Return all that a query finds."""
        return await self.ask(self.archive.database.rows, query)

    async def write(self, *writes: Write) -> None:
        """Return once these are on the disk, all or none. Raises OutOfDate and NotKept."""
        await self.keep(Batch(also=writes))

    async def replayed(self, room: str, who: str) -> tuple[Room, Entries]:
        """Return the room that its whole log leads to; `who` waits for no other caller.

        Raises UnknownRoom, DamagedStore, and NewerStore for what this release cannot play.
        """
        try:
            with self._noting(room):
                length = await self.ask(self.archive.length, room)
                if not length:
                    raise UnknownRoom("there is no such table")
                async with self._turn(who, length):
                    rows = await self.ask(self.archive.events, room)
                    return await asyncio.to_thread(_replayed, room, rows)
        except (DamagedStore, UnknownRoom, NewerStore, NoAnswer):
            raise
        except Exception as error:  # whatever it is: it is not what this release has stored
            raise not_read(error, log) from error

    async def stored(self, room: str) -> Sequence[StoredEvent]:
        """Return the whole log of a room; none without such a room. Raises DamagedStore."""
        with self._noting(room):
            return await self.ask(self.archive.events, room)

    @contextmanager
    def _noting(self, room: str) -> Iterator[None]:
        """Note whether a room is damaged, while the whole of it is read."""
        try:
            yield
        except DamagedStore as error:
            self.damaged.add(room)
            log.error("damaged room", reason=one_line(error), mend="shutbox admin verify")
            raise
        except UnknownRoom:
            self.damaged.discard(room)
            raise
        self.damaged.discard(room)

    @asynccontextmanager
    async def _turn(self, who: str, length: int) -> AsyncIterator[None]:
        """Wait for the turn of a log of so many events that `who` asks for.

        Long logs do not hold up the others, nor a caller of many of them other callers.
        """
        if length <= limits.SHORT_LOG:
            async with self._short:
                yield
        else:
            own = self._turns.setdefault(who, asyncio.Lock())
            async with own, self._long:
                yield

    async def read(self, room: str, after: int = 0, seal: str = "") -> Entries:
        """Return what is stored of a room after that number, which has that seal.

        Raises UnknownRoom, DamagedStore, NewerStore and BadRecord.
        """
        if after:  # a few more events are read at once; a whole log holds nobody up
            return _entries(await self.ask(self.archive.events, room, after, seal))
        return await asyncio.to_thread(_entries, await self.stored(room))

    async def has(self, room: str) -> bool:
        """Return whether there is anything of a room."""
        return bool(await self.ask(self.archive.length, room))

    async def append(self, addition: Addition) -> tuple[str, int]:
        """Return once it is on the disk: the seal of the last event, and the bytes stored.

        Raises OutOfDate if another was first, and NotKept.
        """
        batch = batch_of(addition)
        await self.keep(batch)
        stored = sum(len(row.entry) + len(row.answer or "") for row in batch.events)
        return batch.events[-1].seal if batch.events else addition.seal, stored

    async def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Return where a device, by its hash, may sit."""
        return await self.ask(self.archive.seats_of, room, device)

    async def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """Return the rooms in which a device, by its hash, may sit, the newest first."""
        return await self.ask(self.archive.rooms_of, device, most)

    def close(self) -> None:
        """Let go of the threads that read."""
        self._reads.shutdown(wait=False)


def _replayed(room: str, rows: Sequence[StoredEvent]) -> tuple[Room, Entries]:
    found = _entries(rows)
    return replayed(room, found.events), found


def _entries(rows: Sequence[StoredEvent]) -> Entries:
    done = {
        row.action: (row.by, Outcome(row.number, tuple(json.loads(row.answer or "[]"))))
        for row in rows
        if row.action is not None
    }
    return Entries(numbered_events(rows), done, rows[-1].seal if rows else "")


def batch_of(addition: Addition) -> Batch:
    """Return what happens in a room as it is stored; events of a game have their place there."""
    room, made, key = addition.room, addition.made, addition.key
    anew = (event.seat for event in made.events if isinstance(event, events.Renewed))
    rows, version = [], room.table.version if room.table else 0
    for number, at, event in addition.events:
        played = isinstance(event, events.Played)
        version += played
        row = StoredEvent(
            room=room.id,
            number=number,
            game=room.game if played else None,
            version=version if played else None,
            at=at,
            action=key.action if key else None,
            by=key.by if key else None,
            answer=json_text(made.answer) if played and made.answer else None,
            entry=events.encoded(event),
        )
        rows.append(row)
        key = None  # the action goes with the first
    opens = (room.id, addition.events[0][1]) if addition.opens else None
    return Batch(
        events=sealed(addition.seal, rows),
        seal=addition.seal,
        grants=tuple(Grant(room.id, *one) for one in made.devices),
        opens=opens,
        revokes=tuple((room.id, seat) for seat in (*anew, *made.revokes)),
        also=(
            *((notice("change", room.id),) if made.by_host else ()),
            *((addition.extra(*opens),) if addition.extra and opens else ()),
        ),
    )
