"""The log of all rooms in a database: the implementation of `rooms/ports.py` for a server.

The log of a room is a hash chain: the seal of an event is a checksum of it and of the seal before
it, and the room stores the number of events and the last seal. So changed, missing and inserted
events show, and a room whose log does not match its seals is refused.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Executable, Select, func, insert, select, text
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from shutbox.engine.errors import NotKept, PluginFailed, ShutboxError
from shutbox.web import limits
from shutbox.web.errors import DAMAGED, DamagedStore, NoAnswer, UnknownRoom, one_line
from shutbox.web.logs import log
from shutbox.web.rooms.access import is_room_id, new_secret
from shutbox.web.rooms.commands import IdempotencyKey, Outcome, RoomChange
from shutbox.web.rooms.events import (
    Numbered,
    Played,
    Renewed,
    checksum,
    decoded,
    encoded,
    json_text,
)
from shutbox.web.rooms.ports import Entries, not_read
from shutbox.web.rooms.room import WATCHERS, Room, replayed
from shutbox.web.storage.engine import Database, is_damage
from shutbox.web.storage.group_commit import Batch, Write, give
from shutbox.web.storage.schema import LINKS, StoredEvent, events, grants, rooms, secrets, seeds

T = TypeVar("T")
_READERS = 4  # threads that only wait for the database
_SHORT_REPLAYS = 2  # short logs replayed at once, so that players' actions still get the core


class Archive:
    """Stored rooms, seats and secrets. Methods block: use a thread. All raise SQLAlchemyError."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def length(self, room: str) -> int:
        """Return the number of events of a room, or 0 if it does not exist. Raises DamagedStore."""
        for (found,) in self.database.rows(select(rooms.c.length).where(rooms.c.id == room)):
            if isinstance(found, int) and found > 0:
                return found
            raise DamagedStore(DAMAGED)
        return 0

    def events(self, room: str, after: int = 0, seal: str = "") -> Sequence[StoredEvent]:
        """Return the events of a room after event number `after`, whose seal is `seal`.

        An unknown room has none, but with `after` raises UnknownRoom. Bad seals raise DamagedStore.
        """
        # One statement, so that a room played or deleted during the read does not look damaged.
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
        complete = 0 < length == after + len(found) and numbers == [*range(after + 1, length + 1)]
        if not (complete and ends == last and is_whole(seal, found)):
            raise DamagedStore(DAMAGED)
        return found

    def log_of(self, room: str) -> Sequence[StoredEvent]:
        """Return all events of a room. Raises UnknownRoom if there is none, and DamagedStore."""
        if not is_room_id(room) or not (found := self.events(room)):
            raise UnknownRoom("there is no table {room!r}", room=room)
        return found

    def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Return the seats granted to a device, by its hash; -1: may watch, -2: opened the room."""
        mine = (grants.c.room == room) & (grants.c.device == device)
        return frozenset(seat for (seat,) in self.database.rows(select(grants.c.seat).where(mine)))

    def secret(self, name: str = LINKS, make: Callable[[], str] = new_secret) -> str:
        """Return a secret of the servers; on first use store the one that `make` returns."""
        query = select(secrets.c.value).where(secrets.c.name == name)
        for (found,) in self.database.rows(query):
            return str(found)
        with suppress(IntegrityError), self.database.writer.begin() as connection:
            connection.execute(insert(secrets), {"name": name, "value": make()})
        return self.secret(name)  # this one, or one that another server stored first

    def ping(self) -> None:
        """Raise SQLAlchemyError unless the database answers."""
        self.database.rows(text("SELECT 1"))


def newest_rooms(device: str, most: int) -> Select[tuple[str]]:
    """Return a query for up to `most` rooms where a device sits or that it opened, newest first."""
    mine = (grants.c.device == device) & (grants.c.seat != WATCHERS)
    query = select(grants.c.room).where(mine).group_by(grants.c.room)
    return query.order_by(func.max(grants.c.id).desc()).limit(most)


def numbered_events(rows: Sequence[StoredEvent]) -> Sequence[Numbered]:
    """Return decoded events, each with its number and time. Raises BadRecord."""
    return [(row.number, row.at, decoded(row.entry)) for row in rows]


def unusable(error: Exception) -> ShutboxError:
    """Return DamagedStore for an error that means damage, and NotKept for any other."""
    reason = one_line(error.__cause__ or error)
    if isinstance(error, DamagedStore) or is_damage(error):
        return DamagedStore(
            "the database cannot be read: {reason}; "
            "to restore a backup, see Backup and restore in docs/hosting.md",
            reason=reason,
        )
    return NotKept("the database cannot be used: {reason}", reason=reason)


class StoredLog:
    """The log of all rooms in the database, read in threads, and written through `store`."""

    def __init__(self, archive: Archive, store: Callable[[Batch], Awaitable[None]]) -> None:
        """Write through `store`, which returns once on disk, and raises OutOfDate and NotKept."""
        self.archive = archive
        self.store = store
        self._short, self._long = asyncio.Semaphore(_SHORT_REPLAYS), asyncio.Semaphore(1)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._reads = ThreadPoolExecutor(_READERS, "reader")

    async def ask(self, question: Callable[..., T], *about: object) -> T:
        """Return `question(*about)`, run in a thread. Raises NoAnswer for SQLAlchemyError."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reads, question, *about)
        except SQLAlchemyError as error:
            raise NoAnswer(error) from error

    async def rows(self, query: Executable) -> Sequence[Any]:
        """Return all rows of a query, run in a reader thread. Raises NoAnswer and DamagedStore."""
        return await self.ask(self.archive.database.rows, query)

    async def write(self, *writes: Write) -> None:
        """Run `writes` in one transaction, on disk on return. Raises OutOfDate and NotKept."""
        await self.store(Batch(writes=writes))

    async def replayed(self, room: str, who: str) -> tuple[Room, Entries]:
        """Return the room replayed from its whole log; see `Log.replayed`."""
        try:
            with _noting_damage():
                length = await self.ask(self.archive.length, room)
                if not length:
                    raise UnknownRoom("there is no such table")
                async with self._turn(who, length):
                    rows = await self.ask(self.archive.events, room)
                    return await asyncio.to_thread(_replayed, room, rows)
        except (DamagedStore, UnknownRoom, PluginFailed, NoAnswer):
            raise
        except Exception as error:  # any failure, for example a bug
            raise not_read(error) from error

    async def stored(self, room: str) -> Sequence[StoredEvent]:
        """Return a room's whole log, empty if there is none. Raises DamagedStore and NoAnswer."""
        with _noting_damage():
            return await self.ask(self.archive.events, room)

    @asynccontextmanager
    async def _turn(self, who: str, length: int) -> AsyncIterator[None]:
        """Wait until `who` may replay a log of `length` events, and hold the turn in the block.

        Long logs do not delay short ones, and a caller of many long logs does not delay others.
        """
        if length <= limits.SHORT_LOG:
            async with self._short:
                yield
        else:
            own = self._turns.setdefault(who, asyncio.Lock())
            async with own, self._long:
                yield

    async def read(self, room: str, after: int = 0, seal: str = "") -> Entries:
        """Return a room's events after number `after`, whose seal is `seal`; see `Log.read`."""
        if after:  # only a few events; a whole log is decoded in a thread
            return _entries(await self.ask(self.archive.events, room, after, seal))
        return await asyncio.to_thread(_entries, await self.stored(room))

    async def seed_of(self, gid: str) -> bytes:
        """Return the seed of sealed dice by `gid` in hex; empty if it is gone. Raises as `rows`."""
        rows = await self.rows(select(seeds.c.seed).where(seeds.c.gid == gid))
        return bytes.fromhex(rows[0].seed) if rows else b""

    async def newest_dice(self, most: int) -> Sequence[tuple[str, int]]:
        """Return (60 characters, how many events begin so) of the `most` newest sealed rooms."""
        newest = select(rooms.c.id).where(rooms.c.id.in_(select(seeds.c.room)))
        newest = newest.order_by(rooms.c.opened.desc()).limit(most)
        deed = func.substr(events.c.entry, 1, 60)
        query = select(deed, func.count()).where(events.c.room.in_(newest)).group_by(deed)
        return await self.rows(query)

    async def append(
        self,
        room: Room,
        seal: str,
        change: RoomChange,
        at: float,
        key: IdempotencyKey | None = None,
    ) -> tuple[str, int]:
        """Store a change; return the last seal and the bytes stored; see `Log.append`."""
        rows, writes = sealed(seal, _rows(room, change, at, key)), tuple(_writes(room.id, change))
        await self.store(Batch(room.id if rows or change.devices else "", seal, rows, writes))
        stored = sum(len(f"{row.entry}{row.answer or ''}".encode()) for row in rows)
        return rows[-1].seal if rows else seal, stored

    async def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Return the seats granted to a device, by its hash; -1 and -2 as in `Archive.seats_of`."""
        return await self.ask(self.archive.seats_of, room, device)

    async def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """Return up to `most` rooms that a device, by hash, opened or sits in, newest first."""
        return [row.room for row in await self.rows(newest_rooms(device, most))]

    def close(self) -> None:
        """Shut down the reader threads without waiting for them."""
        self._reads.shutdown(wait=False)


@contextmanager
def _noting_damage() -> Iterator[None]:
    """Log damage found by the block, which reads a whole room."""
    try:
        yield
    except DamagedStore as error:
        log.error("damaged room", reason=one_line(error), mend="shutbox admin verify")
        raise


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


def sealed(before: str, events: Iterable[StoredEvent]) -> tuple[StoredEvent, ...]:
    """Return events with their seals, chained to the seal `before` them ("" for a new room)."""
    found = []
    for event in events:
        before = checksum(before, *event[:-1])
        found.append(event._replace(seal=before))
    return tuple(found)


def is_whole(before: str, events: Sequence[StoredEvent]) -> bool:
    """Whether the seals of events, chained to the seal `before` them, are right."""
    try:
        return sealed(before, events) == tuple(events)
    except (AttributeError, TypeError):  # for example bytes instead of text
        return False


def _rows(
    room: Room, change: RoomChange, at: float, key: IdempotencyKey | None
) -> Iterator[StoredEvent]:
    """Yield the events of a change, not sealed yet; a move gets its game and its number there."""
    version = room.table.version if room.table else 0
    for index, (number, _, event) in enumerate(change.numbered(room.event_count, at)):
        played, of = isinstance(event, Played), key if index == change.answering else None
        version += played
        yield StoredEvent(
            room=room.id,
            number=number,
            game=room.game_number if played else None,
            version=version if played else None,
            at=at,
            action=of.action if of else None,
            by=of.by if of else None,
            answer=json_text(change.answer) if played and change.answer else None,
            entry=encoded(event),
        )


def _writes(room: str, change: RoomChange) -> Iterator[Write]:
    """Yield the writes of a change besides its events: revoked and new seats, and the rest."""
    renewed = (event.seat for event in change.events if isinstance(event, Renewed))
    for seat in (*renewed, *change.revokes):
        yield grants.delete().where(grants.c.room == room, grants.c.seat == seat)
    for seat, device in change.devices:
        yield partial(give, room=room, seat=seat, device=device)
    gid, seed = change.seed
    if gid:
        yield insert(seeds).values(gid=gid, room=room, seed=seed)
    if change.write:
        yield change.write
