"""What runs and what is kept: of all, of each table, its records, and what is not as stored."""

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
from shutbox.web.errors import DamagedStore, NoAnswer, UnknownRoom, one_line
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
_TOGETHER = 500  # rooms that are listed at once
_MOST_FAULTS = 10  # faults of the file that are named

Finding = tuple[str, str]
"""A table, and what is wrong with it; empty where nothing is. Of no table: something else."""


@dataclass(frozen=True, slots=True)
class Survey:
    """A database, and the servers that run on it."""

    servers: tuple[Process, ...]
    database: str
    """`sqlite` or `postgresql`."""
    revision: str
    bytes: dict[str, int]
    rooms: int
    events: int
    records: int
    """Games that are kept of tables which have expired."""
    bans: int
    damaged: tuple[str, ...]
    """The tables whose log does not end as it was stored; `verify` looks at all of it."""


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A table, as the list has it."""

    room: str
    title: str
    game: str
    phase: str
    seats: tuple[str, ...]
    opened: float
    last: float
    """When something happened there last."""
    events: int
    bytes: int


def status(archive: Archive) -> Survey:
    """What runs, and what is kept."""
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
    """The tables at which nothing has happened for so many seconds, one by one."""
    size = _size(archive.database)
    order = {"last": rooms.c.at, "opened": rooms.c.opened, "size": size}[sort]
    query: Select[Any] = select(rooms.c.id, rooms.c.opened, rooms.c.at, rooms.c.length, size)
    query = query.where(rooms.c.at <= time() - idle).order_by(order.desc(), rooms.c.id).limit(limit)
    for row in archive.database.rows(query):
        with suppress(UnknownRoom):  # it was deleted meanwhile
            about = _about(archive, row.id)
            yield RoomRow(row.id, *about, row.opened, row.at, row.length, row.bytes)


def room_at(archive: Archive, id: str) -> Room:
    """A table as it stands. Raises UnknownRoom, DamagedStore and BadRecord."""
    return replayed(id, numbered_events(log_of(archive, id)))


def log_of(archive: Archive, id: str) -> Sequence[StoredEvent]:
    """Its events as they are stored. Raises UnknownRoom and DamagedStore."""
    if not is_room_id(id) or not (rows := archive.events(id)):
        raise UnknownRoom("there is no table {room!r}", room=id)
    return rows


def _about(archive: Archive, id: str) -> tuple[str, str, str, tuple[str, ...]]:
    try:
        room = room_at(archive, id)
        title = room.rule_card.title
    except (DamagedStore, BadRecord, UnknownRecord):
        return "", "", "damaged", ()
    return title, room.opened.game, room.phase, tuple(seat.name for seat in room.seats)


def _size(database: Database) -> ColumnElement[int]:
    """The bytes of the events of a room, without what the database needs around them."""

    def octets(column: ColumnElement[str | None]) -> ColumnElement[int]:
        if database.is_shared:
            return func.coalesce(func.octet_length(column), 0)
        return func.coalesce(func.length(cast(column, LargeBinary)), 0)

    text = func.sum(octets(events.c.entry) + octets(events.c.answer))
    query = select(func.coalesce(text, 0)).where(events.c.room == rooms.c.id)
    return query.scalar_subquery().label("bytes")


@contextmanager
def beside(url: str) -> Iterator[Archive]:
    """What is kept there, as long as it is looked at. Nothing is made, nor brought up to date.

    Raises NotKept where that is no database of this release, and DamagedStore.
    """
    database = Database(url, beside=True)
    try:
        check_revision(database.reader)
        yield Archive(database)
    except (SQLAlchemyError, UnicodeDecodeError) as error:
        raise unusable(error) from None
    except NoAnswer as error:
        raise unusable(error.cause) from None
    except DamagedStore as error:
        # What was read whole, and is not what was stored, says so itself.
        raise unusable(error) if error.__cause__ else error from None
    finally:
        database.close()


def games(archive: Archive, room: str) -> Sequence[tuple[int, bytes]]:
    """The number and the record of every game of a table, of one that has expired, too.

    Raises UnknownRoom and DamagedStore.
    """
    with suppress(UnknownRoom):
        history = numbered_events(log_of(archive, room))
        return [(game, record) for game, record, _ in records_of(room, history)]
    query = select(records.c.game, records.c.record).where(records.c.room == room)
    kept = archive.database.rows(query.order_by(records.c.game)) if is_room_id(room) else ()
    if not kept:
        raise UnknownRoom("there is no table {room!r}", room=room)
    return [(game, record.encode()) for game, record in kept]


def log_lines(archive: Archive, room: str) -> Iterator[str]:
    """The log of a table, as it is kept: JSON for each event. Raises UnknownRoom, DamagedStore."""
    for row in log_of(archive, room):
        yield json_text({**row._asdict(), "entry": json.loads(row.entry)})


def verify(archive: Archive, only: Sequence[str] = ()) -> Iterator[Finding]:
    """Every table with what is wrong with it, or `only` these; first what is wrong besides.

    Holds one table in memory at a time. Raises UnknownRoom for one of `only` that there is not.
    """
    for id in only:
        yield id, _fault(archive, id)
    if only:
        return
    for fault in _file_faults(archive.database):
        yield "", fault
    try:
        archive.kept_secret()
    except (DamagedStore, SQLAlchemyError) as error:
        yield "", gettext("{reason}", reason=one_line(error.__cause__ or error))
    try:
        for id in _ids(archive.database):
            try:
                yield id, _fault(archive, id)
            except UnknownRoom:  # it was deleted meanwhile
                continue
        for id in _lost(archive.database):
            yield id, gettext("its events are there, and nothing else")
    except DamagedStore as error:
        reason = one_line(error.__cause__ or error)
        yield "", gettext("the list of tables: {reason}", reason=reason)


def _fault(archive: Archive, id: str) -> str:
    try:
        room_at(archive, id)
        return _grant_fault(archive.database, id)
    except UnknownRoom:
        raise
    except DamagedStore as error:
        return one_line(error.__cause__ or error)
    except ShutboxError as error:
        return gettext("it cannot be played again: {reason}", reason=one_line(error))


def _grant_fault(database: Database, id: str) -> str:
    query = select(grants.c.room, grants.c.seat, grants.c.device, grants.c.seal)
    found = database.rows(query.where(grants.c.room == id))
    if all(said == seal(*of) for *of, said in found):
        return ""
    return gettext("who may sit where is not what was stored")


def _ids(database: Database) -> Iterator[str]:
    """Every table there is."""
    query, last = select(rooms.c.id).order_by(rooms.c.id).limit(_TOGETHER), ""
    while found := [row.id for row in database.rows(query.where(rooms.c.id > last))]:
        yield from found
        last = found[-1]


def _lost(database: Database) -> Sequence[str]:
    """The tables of which only the events are left."""
    here = select(rooms.c.id).where(rooms.c.id == events.c.room).exists()
    lost = select(events.c.room).where(~here).distinct()
    return [row.room for row in database.rows(lost)]


def _file_faults(database: Database) -> Iterator[str]:
    """What SQLite says is wrong with its file."""
    if database.is_shared:
        return
    try:
        checked = database.rows(text(f"PRAGMA quick_check({_MOST_FAULTS})"))
        says = [says for (says,) in checked]
    except DamagedStore as error:
        says = [one_line(error.__cause__ or error)]
    for line in chain.from_iterable(map(str.splitlines, says)):
        if line != "ok" and not line.startswith("***"):
            yield gettext("the file: {reason}", reason=line)
