"""The host's tools: the list of tables, their records, and orders to the servers they are at."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic, sleep

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from shutbox.engine.errors import BadRecord, NotKept, ShutboxError
from shutbox.web.actions.replays import records_of
from shutbox.web.errors import DamagedStore, NoAnswer, RoomClosed, UnknownRoom
from shutbox.web.rooms.access import Keyring, is_room_id
from shutbox.web.rooms.room import OPENER, Room, replayed
from shutbox.web.storage.engine import Database, check_schema
from shutbox.web.storage.group_commit import Batch, commit
from shutbox.web.storage.log import Archive, numbered_events, unusable
from shutbox.web.storage.orders import Kind, delete_records, give_order
from shutbox.web.storage.schema import orders, records, rooms

_LOOK_SECONDS = 0.1
_PATIENCE = 10.0  # seconds for a server to carry out an order; it looks every two


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A table as a row of the host's list of tables."""

    room: str
    title: str
    game: str
    phase: str  # `damaged` or `unplayable` if it has no title, game and seats here
    seats: tuple[str, ...]  # the names at its seats
    opened: float  # the time of its opening, in seconds since 1970
    last: float  # the time of its last event
    events: int


@contextmanager
def admin_archive(url: str) -> Iterator[Archive]:
    """Open an existing database for the block, without creating anything.

    Raises as `Database`; NotKept if it is missing, or of another program or version; and NotKept or
    DamagedStore if it cannot be used, also from inside the block.
    """
    database = Database(url, for_admin=True)
    try:
        with database.reader.connect() as connection:
            check_schema(connection)
        yield Archive(database)
    except (SQLAlchemyError, UnicodeDecodeError) as error:
        raise unusable(error) from None
    except NoAnswer as error:
        raise unusable(error.cause) from None
    finally:
        database.close()


def listed_rooms(archive: Archive, limit: int | None = None) -> Iterator[RoomRow]:
    """Yield up to `limit` tables (None: all), those with the latest event first."""
    query = select(rooms.c.id, rooms.c.opened, rooms.c.at, rooms.c.length)
    for row in archive.database.rows(query.order_by(rooms.c.at.desc(), rooms.c.id).limit(limit)):
        with suppress(UnknownRoom):  # deleted since the query
            yield RoomRow(row.id, *_about(archive, row.id), row.opened, row.at, row.length)


def _about(archive: Archive, id: str) -> tuple[str, str, str, tuple[str, ...]]:
    """Return a table's title, game, phase, names; if not replayed, a phase. Raises UnknownRoom."""
    try:
        room = room_at(archive, id)
        title = room.rule_card.title
    except (DamagedStore, BadRecord):
        return "", "", "damaged", ()
    except UnknownRoom:
        raise
    except ShutboxError:  # its game is missing or fails
        return "", "", "unplayable", ()
    return title, room.opened.game, room.phase, tuple(seat.name for seat in room.seats)


def room_at(archive: Archive, id: str) -> Room:
    """Return a room replayed from its log.

    Raises UnknownRoom, DamagedStore, BadRecord and the game's errors.
    """
    return replayed(id, numbered_events(archive.log_of(id)))


def games(archive: Archive, room: str) -> Sequence[tuple[int, bytes]]:
    """Return (number, record) of each game of a table, even an expired one; raises as `room_at`."""
    with suppress(UnknownRoom):
        history = numbered_events(archive.log_of(room))
        return [(game, record) for game, record, _ in records_of(room, history)]
    stored = _records(archive, room)
    if not stored:
        raise _unknown(room)
    return stored


def _records(archive: Archive, room: str) -> Sequence[tuple[int, bytes]]:
    """Return the (number, record) of each stored game of an expired table."""
    query = select(records.c.game, records.c.record).where(records.c.room == room)
    rows = archive.database.rows(query.order_by(records.c.game)) if is_room_id(room) else ()
    return [(game, record.encode()) for game, record in rows]


def _unknown(room: str) -> UnknownRoom:
    return UnknownRoom("there is no table {room!r}", room=room)


def close(archive: Archive, id: str) -> None:
    """Close a room to all actions. Raises RoomClosed, and as `room_at` and `_carried_out`."""
    if room_at(archive, id).closed:
        raise RoomClosed("the host of this server has closed this table")
    _carried_out(archive, "close", id)


def new_link(archive: Archive, id: str) -> str:
    """Renew the link of a room's opener; return it as /r/ID#KEY. Raises as `close`."""
    if room_at(archive, id).closed:
        raise RoomClosed("the host of this server has closed this table")
    _carried_out(archive, "link", id)
    renewed = room_at(archive, id).links[OPENER]
    return f"/r/{id}#{Keyring(bytes.fromhex(archive.secret())).key(id, OPENER, renewed)}"


def check_exists(archive: Archive, id: str) -> None:
    """Raise UnknownRoom if there is no such room, nor a record of one; a damaged one passes."""
    with suppress(DamagedStore):
        if not is_room_id(id) or not (archive.length(id) or _records(archive, id)):
            raise _unknown(id)


def delete(archive: Archive, id: str) -> None:
    """Delete a room, damaged or not, and all its data but a try's result; or its last records.

    Raises UnknownRoom, and as `_carried_out`.
    """
    check_exists(archive, id)
    if _records(archive, id):
        commit(archive.database, [Batch(writes=(partial(delete_records, room=id),))])
    else:
        _carried_out(archive, "delete", id)


def _carried_out(archive: Archive, kind: Kind, room: str) -> None:
    """Give an order about a room to its server, and wait until that has carried it out.

    Raises NotKept if it does not in time; it carries the order out as soon as it runs.
    """
    commit(archive.database, [Batch(writes=(partial(give_order, kind=kind, room=room),))])
    query = select(orders.c.id).where(orders.c.room == room, orders.c.kind == kind)
    end = monotonic() + _PATIENCE
    while archive.database.rows(query):
        if monotonic() > end:
            raise NotKept("no server answers; it will be done as soon as the server runs")
        sleep(_LOOK_SECONDS)
