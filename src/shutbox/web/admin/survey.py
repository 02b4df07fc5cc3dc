"""Reports for the host: running servers, stored tables and their records, and damage."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from time import time
from typing import Any, Literal

from sqlalchemy import ColumnElement, LargeBinary, Select, cast, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from shutbox.errors import BadRecord, ShutboxError, UnknownRecord
from shutbox.messages import gettext
from shutbox.web.actions.replays import records_of
from shutbox.web.errors import DamagedStore, NewerStore, NoAnswer, UnknownRoom, one_line
from shutbox.web.rooms.link_keys import is_room_id
from shutbox.web.rooms.room import Room, replayed
from shutbox.web.rooms.shapes import json_text
from shutbox.web.storage.engine import Database
from shutbox.web.storage.host import Process
from shutbox.web.storage.log import Archive, numbered_events, unusable
from shutbox.web.storage.migrate import check_revision
from shutbox.web.storage.schema import (
    StoredEvent,
    bans,
    events,
    grants,
    processes,
    records,
    rooms,
)
from shutbox.web.storage.seals import seal

Sort = Literal["last", "opened", "size"]
_TOGETHER = 500  # rooms returned by one query
_MOST_FAULTS = 10  # faults of the file that are reported

Finding = tuple[str, str]
"""The id of a table and its fault, "" if it is sound; with the id "", a fault of the database."""


@dataclass(frozen=True, slots=True)
class Survey:
    """A database and the servers that run on it."""

    servers: tuple[Process, ...]
    database: str
    """`sqlite` or `postgresql`."""
    revision: str
    bytes: dict[str, int]
    rooms: int
    events: int
    records: int
    """The number of stored games of expired tables."""
    bans: int
    damaged: tuple[str, ...]
    """The tables whose last event is wrong or missing; `verify` checks whole logs."""


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A row of the list of tables."""

    room: str
    title: str
    game: str
    phase: str
    """`damaged` for a log that cannot be replayed; its title, game and seats are empty."""
    seats: tuple[str, ...]
    opened: float
    last: float
    """The time of its last event."""
    events: int
    bytes: int


def status(archive: Archive) -> Survey:
    """Return a survey of the database and its servers. Raises NotKept and DamagedStore."""
    database = archive.database
    servers = select(*(processes.c[name] for name in Process.__slots__))
    ends = (events.c.room == rooms.c.id) & (events.c.number == rooms.c.length)
    broken = select(rooms.c.id).outerjoin(events, ends)
    broken = broken.where((events.c.seal != rooms.c.seal) | events.c.seal.is_(None))

    def number(query: Select[Any]) -> int:
        return int(database.rows(query)[0][0] or 0)

    return Survey(
        servers=tuple(Process(*row) for row in database.rows(servers)),
        database=database.url.get_backend_name(),
        revision=check_revision(database.reader),
        bytes=database.sizes(),
        rooms=number(select(func.count()).select_from(rooms)),
        events=number(select(func.sum(rooms.c.length))),
        records=number(select(func.count()).select_from(records)),
        bans=number(select(func.count()).select_from(bans)),
        damaged=tuple(row.id for row in database.rows(broken.order_by(rooms.c.id))),
    )


def listed_rooms(
    archive: Archive, *, sort: Sort = "last", limit: int | None = None, idle: float = 0.0
) -> Iterator[RoomRow]:
    """Yield up to `limit` tables (None: all) without an event for `idle` seconds.

    `sort` puts the table with the last event, the one opened last, or the largest one first.
    """
    size = _size(archive.database)
    order = {"last": rooms.c.at, "opened": rooms.c.opened, "size": size}[sort]
    query: Select[Any] = select(rooms.c.id, rooms.c.opened, rooms.c.at, rooms.c.length, size)
    query = query.where(rooms.c.at <= time() - idle).order_by(order.desc(), rooms.c.id).limit(limit)
    for row in archive.database.rows(query):
        with suppress(UnknownRoom):  # deleted since the query
            about = _about(archive, row.id)
            yield RoomRow(row.id, *about, row.opened, row.at, row.length, row.bytes)


def room_at(archive: Archive, id: str) -> Room:
    """Return a room replayed from its log.

    Raises UnknownRoom, DamagedStore, NewerStore, BadRecord and the game's errors.
    """
    return replayed(id, numbered_events(log_of(archive, id)))


def log_of(archive: Archive, id: str) -> Sequence[StoredEvent]:
    """Return the stored events of a table. Raises UnknownRoom and DamagedStore."""
    if not is_room_id(id) or not (rows := archive.events(id)):
        raise UnknownRoom("there is no table {room!r}", room=id)
    return rows


def _about(archive: Archive, id: str) -> tuple[str, str, str, tuple[str, ...]]:
    """Return a table's title, game, phase and names; of a damaged or newer one, only the phase."""
    try:
        room = room_at(archive, id)
        title = room.rule_card.title
    except NewerStore:
        return "", "", "newer", ()
    except (DamagedStore, BadRecord, UnknownRecord):
        return "", "", "damaged", ()
    return title, room.opened.game, room.phase, tuple(seat.name for seat in room.seats)


def _size(database: Database) -> ColumnElement[int]:
    """Return a column with the bytes of a room's events, without the database's overhead."""

    def octets(column: ColumnElement[str | None]) -> ColumnElement[int]:
        if database.is_shared:
            return func.coalesce(func.octet_length(column), 0)
        return func.coalesce(func.length(cast(column, LargeBinary)), 0)

    text = func.sum(octets(events.c.entry) + octets(events.c.answer))
    query = select(func.coalesce(text, 0)).where(events.c.room == rooms.c.id)
    return query.scalar_subquery().label("bytes")


@contextmanager
def admin_archive(url: str) -> Iterator[Archive]:
    """Open an existing database for the block, without creating or migrating anything.

    Raises NotKept if it is missing or not of this release, and what `Database` raises. A database
    error inside the block becomes NotKept or DamagedStore.
    """
    database = Database(url, for_admin=True)
    try:
        check_revision(database.reader)
        yield Archive(database)
    except (SQLAlchemyError, UnicodeDecodeError) as error:
        raise unusable(error) from None
    except NoAnswer as error:
        raise unusable(error.cause) from None
    except DamagedStore as error:
        # A mismatch of seals has no cause and a clear message of its own.
        raise unusable(error) if error.__cause__ else error from None
    finally:
        database.close()


def games(archive: Archive, room: str) -> Sequence[tuple[int, bytes]]:
    """Return the number and the record of every game of a table, even of one that has expired.

    Raises what `room_at` raises.
    """
    with suppress(UnknownRoom):
        history = numbered_events(log_of(archive, room))
        return [(game, record) for game, record, _ in records_of(room, history)]
    query = select(records.c.game, records.c.record).where(records.c.room == room)
    stored = archive.database.rows(query.order_by(records.c.game)) if is_room_id(room) else ()
    if not stored:
        raise UnknownRoom("there is no table {room!r}", room=room)
    return [(game, record.encode()) for game, record in stored]


def log_lines(archive: Archive, room: str) -> Iterator[str]:
    """Yield the stored log of a table, one line of JSON an event.

    Raises UnknownRoom and DamagedStore.
    """
    for row in log_of(archive, room):
        yield json_text({**row._asdict(), "entry": json.loads(row.entry)})


def verify(archive: Archive, only: Sequence[str] = ()) -> Iterator[Finding]:
    """Yield a finding for each of `only`, or else the database's faults and each table's finding.

    Holds one table in memory at a time. Raises UnknownRoom for one of `only` that does not exist.
    """
    for id in only:
        yield id, _fault(archive, id)
    if only:
        return
    for fault in _file_faults(archive.database):
        yield "", fault
    try:
        archive.stored_secret()
    except (DamagedStore, SQLAlchemyError) as error:
        yield "", gettext("{reason}", reason=one_line(error.__cause__ or error))
    try:
        for id in _ids(archive.database):
            try:
                yield id, _fault(archive, id)
            except UnknownRoom:  # deleted since the query
                continue
        for id in _lost(archive.database):
            yield id, gettext("only its events are left")
    except DamagedStore as error:
        reason = one_line(error.__cause__ or error)
        yield "", gettext("the list of tables: {reason}", reason=reason)


def _fault(archive: Archive, id: str) -> str:
    """Return the fault of a table, "" if it is sound. Raises UnknownRoom."""
    try:
        room_at(archive, id)
        return _grant_fault(archive.database, id)
    except UnknownRoom:
        raise
    except DamagedStore as error:
        return one_line(error.__cause__ or error)
    except ShutboxError as error:
        return gettext("it cannot be replayed: {reason}", reason=one_line(error))


def _grant_fault(database: Database, id: str) -> str:
    query = select(grants.c.room, grants.c.seat, grants.c.device, grants.c.seal)
    found = database.rows(query.where(grants.c.room == id))
    if all(stored == seal(*of) for *of, stored in found):
        return ""
    return gettext("its seats and links are not those that were stored")


def _ids(database: Database) -> Iterator[str]:
    """Yield the ids of all tables, in order."""
    query, last = select(rooms.c.id).order_by(rooms.c.id).limit(_TOGETHER), ""
    while found := [row.id for row in database.rows(query.where(rooms.c.id > last))]:
        yield from found
        last = found[-1]


def _lost(database: Database) -> Sequence[str]:
    """Return the ids of tables of which only the events are left."""
    here = select(rooms.c.id).where(rooms.c.id == events.c.room).exists()
    lost = select(events.c.room).where(~here).distinct()
    return [row.room for row in database.rows(lost)]


def _file_faults(database: Database) -> Iterator[str]:
    """Yield the faults that SQLite finds in its file; none for PostgreSQL."""
    if database.is_shared:
        return
    try:
        checked = database.rows(text(f"PRAGMA quick_check({_MOST_FAULTS})"))
        messages = [messages for (messages,) in checked]
    except DamagedStore as error:
        messages = [one_line(error.__cause__ or error)]
    for line in chain.from_iterable(map(str.splitlines, messages)):
        if line != "ok" and not line.startswith("***"):
            yield gettext("the file: {reason}", reason=line)
