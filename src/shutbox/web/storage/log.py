"""The log of all rooms in a database: what `rooms/ports.py` asks for, on a server.

What is read is held against its seals: it is what was stored, or else it is damaged.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Executable, Select, func, insert, select, text
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from shutbox.errors import NotKept, ShutboxError
from shutbox.web import limits
from shutbox.web.errors import DAMAGED, DamagedStore, NewerStore, NoAnswer, UnknownRoom, one_line
from shutbox.web.logs import log
from shutbox.web.rooms.commands import Outcome
from shutbox.web.rooms.events import Numbered, Played, Renewed, decoded, encoded
from shutbox.web.rooms.ports import Addition, Entries, not_read
from shutbox.web.rooms.room import WATCHERS, Room, replayed
from shutbox.web.rooms.shapes import json_text
from shutbox.web.storage.engine import Database, is_damage
from shutbox.web.storage.group_commit import Batch, Write
from shutbox.web.storage.host import notice
from shutbox.web.storage.schema import Grant, StoredEvent, events, grants, rooms, secrets
from shutbox.web.storage.seals import LINKS, is_whole, seal, sealed, sealed_secret

T = TypeVar("T")
_READERS = 4  # threads that wait for the database, and for nothing else
_AT_ONCE = 2  # short logs that are replayed at once, so that who acts has the core


class Archive:
    """What is kept in a database. Every method waits for it: call it in a thread."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def length(self, room: str) -> int:
        """How many events a room has; 0 where there is no such room. Raises DamagedStore."""
        for (found,) in self.database.rows(select(rooms.c.length).where(rooms.c.id == room)):
            if isinstance(found, int) and found > 0:
                return found
            raise DamagedStore(DAMAGED)
        return 0

    def events(self, room: str, after: int = 0, seal: str = "") -> Sequence[StoredEvent]:
        """The events of a room after that number, which has that seal; none without such a room.

        Raises DamagedStore, and UnknownRoom where there was one with events before.
        """
        # In one statement: a room that goes on, or goes, meanwhile does not look damaged.
        mine = (events.c.room == rooms.c.id) & (events.c.number > after)
        query = select(rooms.c.length, rooms.c.seal, *events.c).outerjoin_from(rooms, events, mine)
        rows = self.database.rows(query.where(rooms.c.id == room).order_by(events.c.number))
        if not rows:
            if after:
                raise UnknownRoom("there is no such table")
            return []
        length, last = rows[0][:2]
        found = [StoredEvent(*row[2:]) for row in rows if row.number is not None]
        numbers = [event.number for event in found]
        ends = found[-1].seal if found else seal
        there = 0 < length == after + len(found) and numbers == [*range(after + 1, length + 1)]
        if not (there and ends == last and is_whole(seal, found)):
            raise DamagedStore(DAMAGED)
        return found

    def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Where a device may sit; -1: it may watch, -2: it opened the room."""
        mine = (grants.c.room == room) & (grants.c.device == device)
        found = self.database.rows(select(grants.c.seat, grants.c.seal).where(mine))
        return frozenset(seat for seat, said in found if said == seal(room, seat, device))

    def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """The rooms in which a device may sit or which it has opened, the newest first."""
        return tuple(row.room for row in self.database.rows(newest_rooms(device, most)))

    def secret(self) -> bytes:
        """The server's own secret, 256 bits, made the first time it is asked for.

        Raises DamagedStore.
        """
        if (found := self.kept_secret()) is not None:
            return found
        with suppress(IntegrityError), self.database.writer.begin() as connection:
            connection.execute(insert(secrets), sealed_secret())
        return self.secret()  # this one, or that of another process which was first

    def kept_secret(self) -> bytes | None:
        """The same, or None where there is none yet. Raises DamagedStore."""
        stored = self.database.rows(select(secrets).where(secrets.c.name == LINKS))
        for name, value, said in stored:
            if said == seal(name, value):
                return bytes.fromhex(value)
        if stored or self.database.rows(select(rooms.c.id).limit(1)):
            raise DamagedStore("its secret is not what was stored")
        return None

    def answers(self) -> bool:
        """Whether the database answers at all."""
        return bool(self.database.rows(text("SELECT 1")))


def newest_rooms(device: str, most: int) -> Select[tuple[str]]:
    """The rooms in which a device may sit or which it has opened, the newest first."""
    mine = (grants.c.device == device) & (grants.c.seat != WATCHERS)
    query = select(grants.c.room).where(mine).group_by(grants.c.room)
    return query.order_by(func.max(grants.c.id).desc()).limit(most)


def numbered_events(rows: Sequence[StoredEvent]) -> Sequence[Numbered]:
    """The events of a room, read. Raises BadRecord."""
    return [(row.number, row.at, decoded(row.entry)) for row in rows]


def unusable(error: Exception) -> ShutboxError:
    """What to say where a database cannot be used, or is damaged, and so cannot be."""
    reason = one_line(error.__cause__ or error)
    if isinstance(error, DamagedStore) or is_damage(error):
        return DamagedStore(
            "the database cannot be read: {reason}; if it was sound before, restore it from a "
            "backup, as docs/hosting.md tells under Backup and restore",
            reason=reason,
        )
    return NotKept("the database cannot be used: {reason}", reason=reason)


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
        """Return the room that its whole log leads to; see `Log.replayed`."""
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
        """Return what is stored of a room after that number; see `Log.read`."""
        if after:  # a few more events are read at once; a whole log holds nobody up
            return _entries(await self.ask(self.archive.events, room, after, seal))
        return await asyncio.to_thread(_entries, await self.stored(room))

    async def has(self, room: str) -> bool:
        """Return whether there is anything of a room."""
        return bool(await self.ask(self.archive.length, room))

    async def append(self, addition: Addition) -> tuple[str, int]:
        """Return once it is on the disk; see `Log.append`."""
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
    anew = (event.seat for event in made.events if isinstance(event, Renewed))
    rows, version = [], room.table.version if room.table else 0
    for number, at, event in addition.events:
        played = isinstance(event, Played)
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
            entry=encoded(event),
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
