"""The log of all rooms in a database; without a server, `_DeviceLog` stands in for it.

The log of a room is a hash chain: the seal of an event is a checksum of it and of the seal before
it, and the room stores the number of events and the last seal. So changed, missing and inserted
events show, and a room whose log does not match its seals is refused.

A room is at one server, whose name begins its id. Nobody else changes it: the host and other
servers leave an order, which that server carries out within seconds.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection, Executable, Select, delete, func, insert, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from shutbox.engine.errors import NotKept, OutOfDate
from shutbox.web import limits
from shutbox.web.errors import DAMAGED, FASTER, DamagedStore, NoAnswer, UnknownRoom, one_line
from shutbox.web.logs import log
from shutbox.web.rooms.access import ROOM_ID_LENGTH, new_secret
from shutbox.web.rooms.changes import Entries, IdempotencyKey, Outcome, RoomChange
from shutbox.web.rooms.events import Numbered, Renewed, decode_event, encode_event
from shutbox.web.rooms.room import WATCHERS, Room, replay_room
from shutbox.web.rooms.shapes import checksum, json_text
from shutbox.web.storage import schema
from shutbox.web.storage.database import Database, Write
from shutbox.web.storage.group_commit import GroupCommit
from shutbox.web.storage.schema import LINKS, StoredEvent, events, grants, rooms, secrets, seeds

T = TypeVar("T")
_READERS = 4  # threads that only wait for the database
_SHORT_REPLAYS = 2  # short logs replayed at once, so that players' actions still get the core


def events_of(
    database: Database, room: str, after: int = 0, seal: str = ""
) -> Sequence[StoredEvent]:
    """Return the events of a room after event number `after`, whose seal is `seal`. This blocks.

    An unknown room has none, but with `after` raises UnknownRoom. Bad seals raise DamagedStore.
    Raises SQLAlchemyError, too.
    """
    # One statement, so that a room played or deleted during the read does not look damaged.
    later = (events.c.room == rooms.c.id) & (events.c.number > after)
    query = select(rooms.c.length, rooms.c.seal, *events.c).outerjoin_from(rooms, events, later)
    rows = database.rows(query.where(rooms.c.id == room).order_by(events.c.number))
    if not rows:
        if after:
            raise UnknownRoom("there is no such table")
        return []
    length, room_seal = rows[0][:2]
    stored = [StoredEvent(*row[2:]) for row in rows if row.number is not None]
    numbers = [event.number for event in stored]
    last_seal = stored[-1].seal if stored else seal
    complete = length >= max(after, 1) and numbers == [*range(after + 1, length + 1)]
    if not (complete and last_seal == room_seal and are_seals_right(seal, stored)):
        raise DamagedStore(DAMAGED)
    return stored


def secret_of(database: Database, name: str = LINKS, make: Callable[[], str] = new_secret) -> str:
    """Return a secret of the servers; on first use store the one that `make` returns.

    Blocks. Raises SQLAlchemyError.
    """
    query = select(secrets.c.value).where(secrets.c.name == name)
    for (secret,) in database.rows(query):
        return str(secret)
    with suppress(OutOfDate):
        database.write(insert(secrets).values(name=name, value=make()))
    return secret_of(database, name, make)  # this one, or one that another server stored first


def newest_rooms(device: str, most: int) -> Select[tuple[str]]:
    """Return a query for up to `most` rooms where a device sits or that it opened, newest first."""
    mine = (grants.c.device == device) & (grants.c.seat != WATCHERS)
    query = select(grants.c.room).where(mine).group_by(grants.c.room)
    return query.order_by(func.max(grants.c.id).desc()).limit(most)


def numbered_events(rows: Sequence[StoredEvent]) -> Sequence[Numbered]:
    """Return decoded events, each with its number and time. Raises BadRecord."""
    return [(row.number, row.at, decode_event(row.entry)) for row in rows]


def database_unusable(error: Exception) -> NotKept:
    """Return the refusal for an error of a database."""
    reason = one_line(error.__cause__ or error)
    return NotKept("the database cannot be used: {reason}", reason=reason)


class StoredLog:
    """All rooms' events and devices' seats in the database, read in threads, and written by one.

    Methods raise NoAnswer if the database does not answer.
    """

    def __init__(self, database: Database, writer: GroupCommit) -> None:
        self.database = database
        self.write = writer.store
        self._short, self._long = asyncio.Semaphore(_SHORT_REPLAYS), asyncio.Semaphore(1)
        self._reads = ThreadPoolExecutor(_READERS, "reader")

    async def ask(self, question: Callable[..., T], *arguments: object) -> T:
        """Return `question(*arguments)`, run in a thread. Raises NoAnswer for SQLAlchemyError.

        A DamagedStore is logged.
        """
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._reads, question, *arguments)
        except SQLAlchemyError as error:
            raise NoAnswer(one_line(error)) from error
        except DamagedStore as error:
            log.error("damaged room", reason=one_line(error))
            raise

    async def rows(self, query: Executable) -> Sequence[Any]:
        """Return all rows of a query, run in a reader thread."""
        return await self.ask(self.database.rows, query)

    async def replay(self, room: str) -> tuple[Room, Entries]:
        """Return a room replayed from its whole log, and its entries.

        Raises UnknownRoom, DamagedStore, BadRecord and as `replay_room`.
        """
        lengths = await self.rows(select(rooms.c.length).where(rooms.c.id == room))
        if not lengths and len(room) < ROOM_ID_LENGTH:
            raise UnknownRoom(
                "this link is missing its end\ncopy the whole link, or ask for it again"
            )
        if not lengths:
            raise UnknownRoom("there is no such table")
        # Long logs do not delay short ones.
        async with self._short if lengths[0].length <= limits.SHORT_LOG else self._long:
            return await asyncio.to_thread(_replayed, room, await self.stored_events(room))

    async def stored_events(
        self, room: str, after: int = 0, seal: str = ""
    ) -> Sequence[StoredEvent]:
        """Return the events of a room as `events_of`, run in a reader thread."""
        return await self.ask(events_of, self.database, room, after, seal)

    async def read(self, room: str, after: int = 0, seal: str = "") -> Entries:
        """Return a room's events after number `after`, whose seal is `seal`.

        Raises UnknownRoom (without `after`, may return none), DamagedStore and BadRecord.
        """
        return await asyncio.to_thread(_entries, await self.stored_events(room, after, seal))

    async def seed_of(self, gid: str) -> bytes:
        """Return the seed of sealed dice by their gid in hex; empty if it is gone."""
        rows = await self.rows(select(seeds.c.seed).where(seeds.c.gid == gid))
        return bytes.fromhex(rows[0].seed) if rows else b""

    async def count_beginnings(self, most: int) -> Sequence[tuple[str, int]]:
        """Return the beginnings of events of the `most` newest sealed rooms, each with its count.

        A beginning has 60 characters, which hold the step of sealed dice, or the throw.
        """
        newest = select(rooms.c.id).where(rooms.c.id.in_(select(seeds.c.room)))
        newest = newest.order_by(rooms.c.opened.desc()).limit(most)
        beginning = func.substr(events.c.entry, 1, 60)
        query = select(beginning, func.count()).where(events.c.room.in_(newest)).group_by(beginning)
        return await self.rows(query)

    async def append(
        self,
        room: Room,
        seal: str,
        change: RoomChange,
        at: float,
        key: IdempotencyKey | None = None,
    ) -> tuple[str, int]:
        """Store a change of a room, still without it; return the new seal and the stored bytes.

        `at` is its time, in seconds since 1970, and `seal` that of the last event, empty for a new
        room. Raises OutOfDate if another writer was first or the change's `write` raises it, and
        NotKept for any other failure.
        """
        rows = seal_events(seal, _rows(room, change, at, key))
        writes = _writes(room.id, change)
        if rows or change.devices:
            writes.insert(0, partial(add_events, room=room.id, seal=seal, added=rows))
        if writes:
            await self.write(*writes, room=room.id)
        stored = sum(len(f"{row.entry}{row.answer or ''}".encode()) for row in rows)
        return rows[-1].seal if rows else seal, stored

    async def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Return a device's seats, by its hash; WATCHERS if it may watch, OPENER if it opened."""
        mine = (grants.c.room == room) & (grants.c.device == device)
        return frozenset(row.seat for row in await self.rows(select(grants.c.seat).where(mine)))

    async def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """Return up to `most` rooms that a device, by hash, opened or sits in, newest first."""
        return [row.room for row in await self.rows(newest_rooms(device, most))]

    def stop_readers(self) -> None:
        """Shut down the reader threads without waiting for them; the database stays open."""
        self._reads.shutdown(wait=False)


def _replayed(room: str, rows: Sequence[StoredEvent]) -> tuple[Room, Entries]:
    entries = _entries(rows)
    return replay_room(room, entries.events), entries


def _entries(rows: Sequence[StoredEvent]) -> Entries:
    done = {
        row.action: (row.by, Outcome(row.number, tuple(json.loads(row.answer or "[]"))))
        for row in rows
        if row.action is not None
    }
    return Entries(numbered_events(rows), done, rows[-1].seal if rows else "")


def seal_events(before: str, events: Iterable[StoredEvent]) -> tuple[StoredEvent, ...]:
    """Return events with their seals, chained to the seal `before` them ("" for a new room)."""
    chain = []
    for event in events:
        before = checksum(before, *event[:-1])
        chain.append(event._replace(seal=before))
    return tuple(chain)


def are_seals_right(before: str, events: Sequence[StoredEvent]) -> bool:
    """Whether the seals of events, chained to the seal `before` them, are right."""
    try:
        return seal_events(before, events) == tuple(events)
    except (AttributeError, TypeError):  # for example bytes instead of text
        return False


def _rows(
    room: Room, change: RoomChange, at: float, key: IdempotencyKey | None
) -> Iterator[StoredEvent]:
    """Yield the events of a change, not sealed yet; one has the action and its answer."""
    answer = json_text(change.answer) if change.answer else None
    answer_number = change.answer_number(room.event_count)
    for number, _, event in change.numbered(room.event_count, at):
        of = key if number == answer_number else None
        action, by, said = (of.action, of.by, answer) if of else (None, None, None)
        yield StoredEvent(room.id, number, at, action, by, said, encode_event(event))


def _writes(room: str, change: RoomChange) -> list[Write]:
    """Return the writes of a change besides its events: revoked and new seats, and the rest."""
    renewed = (event.seat for event in change.events if isinstance(event, Renewed))
    writes: list[Write] = [
        grants.delete().where(grants.c.room == room, grants.c.seat == seat)
        for seat in (*renewed, *change.revokes)
    ]
    writes += (partial(grant_seat, room=room, seat=n, device=of) for n, of in change.devices)
    gid, seed = change.seed
    if gid:
        writes.append(insert(seeds).values(gid=gid, room=room, seed=seed))
    return [*writes, change.write] if change.write else writes


def add_events(connection: Connection, room: str, seal: str, added: Sequence[StoredEvent]) -> None:
    """Add sealed events to a room that still ends with `seal`, or open it if that is empty.

    Without events, only lock the room: then grants of another process are visible here, or refused
    there. Raises OutOfDate if the room has moved on.
    """
    if not added:
        query = select(rooms.c.id).where(rooms.c.id == room, rooms.c.seal == seal)
        still = connection.scalar(query.with_for_update()) is not None
    else:
        first, last = added[0], added[-1]
        ends = {"number": last.number, "at": last.at, "seal": last.seal, "room": room}
        facts = {**ends, "opened": first.at, "before": first.number - 1, "after": seal}
        still = connection.execute(_MOVE_END if seal else _OPEN, facts).rowcount == 1
    if not still:
        raise OutOfDate(FASTER)
    if added:
        connection.execute(insert(events), [event._asdict() for event in added])


_OPEN = text(
    "INSERT INTO rooms (id, opened, length, at, seal) VALUES (:room, :opened, :number, :at, :seal)"
)
_MOVE_END = text(
    "UPDATE rooms SET length = :number, at = :at, seal = :seal "
    "WHERE id = :room AND length = :before AND seal = :after"
)


def grant_seat(connection: Connection, room: str, seat: int, device: str) -> None:
    """Grant a device a seat, or a place such as WATCHERS.

    Only the newest `MOST_DEVICES` of a seat are left. A device that has it becomes no newer.
    """
    add = (
        "INSERT INTO grants (room, seat, device) VALUES (:room, :seat, :device) "
        "ON CONFLICT (room, seat, device) DO NOTHING"
    )
    connection.execute(text(add), {"room": room, "seat": seat, "device": device})
    mine = (grants.c.room == room) & (grants.c.seat == seat)
    newest = select(grants.c.id).where(mine).order_by(grants.c.id.desc()).limit(limits.MOST_DEVICES)
    connection.execute(grants.delete().where(mine & grants.c.id.not_in(newest)))


Kind = Literal["close", "delete", "link", "forget", "seats"]
"""What a server is to do with a room: close it, delete it, renew its opener's link, leave it for a
device whose data is deleted, or read the seats of its devices again."""


def give_order(connection: Connection, kind: Kind, room: str, device: str = "") -> None:
    """Store an order about a room for its server."""
    row = {"server": room[0], "kind": kind, "room": room, "device": device}
    connection.execute(insert(schema.orders), row)


def delete_room(connection: Connection, room: str, length: int | None = None) -> None:
    """Delete a room and its data, except tries with a result.

    Raises OutOfDate if the room is gone, or if `length` is given and no longer its length.
    """
    query = select(rooms.c.length).where(rooms.c.id == room).with_for_update()
    stored_length = connection.scalar(query)
    if stored_length is None or length not in (None, stored_length):
        raise OutOfDate("the table has moved on; look again")
    for table in (grants, events, seeds):
        connection.execute(delete(table).where(table.c.room == room))
    connection.execute(delete(rooms).where(rooms.c.id == room))
    # A finished try stays in the ranking of its day; an unfinished one may be started again.
    tries = schema.tries
    connection.execute(delete(tries).where(tries.c.room == room, tries.c.loss.is_(None)))
    connection.execute(update(tries).where(tries.c.room == room).values(room=None))
