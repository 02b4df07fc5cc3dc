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
from shutbox.web.storage.log import events_of, numbered_events, secret_of, unusable
from shutbox.web.storage.orders import Kind, give_order
from shutbox.web.storage.schema import StoredEvent, orders, rooms

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
def admin_database(url: str) -> Iterator[Database]:
    """Open an existing database for the block, without creating anything.

    Raises as `Database`; NotKept if it is missing, or of another program or version; and NotKept or
    DamagedStore if it cannot be used, also from inside the block.
    """
    database = Database(url, for_admin=True)
    try:
        with database.reader.connect() as connection:
            check_schema(connection)
        yield database
    except (SQLAlchemyError, UnicodeDecodeError) as error:
        raise unusable(error) from None
    except NoAnswer as error:
        raise unusable(error.cause) from None
    finally:
        database.close()


def listed_rooms(database: Database, limit: int | None = None) -> Iterator[RoomRow]:
    """Yield up to `limit` tables (None: all), those with the latest event first."""
    query = select(rooms.c.id, rooms.c.opened, rooms.c.at, rooms.c.length)
    for row in database.rows(query.order_by(rooms.c.at.desc(), rooms.c.id).limit(limit)):
        with suppress(UnknownRoom):  # deleted since the query
            yield RoomRow(row.id, *_about(database, row.id), row.opened, row.at, row.length)


def _about(database: Database, id: str) -> tuple[str, str, str, tuple[str, ...]]:
    """Return a table's title, game, phase, names; if not replayed, a phase. Raises UnknownRoom."""
    try:
        room = room_at(database, id)
        title = room.rule_card.title
    except (DamagedStore, BadRecord):
        return "", "", "damaged", ()
    except UnknownRoom:
        raise
    except ShutboxError:  # its game is missing or fails
        return "", "", "unplayable", ()
    return title, room.opened.game, room.phase, tuple(seat.name for seat in room.seats)


def room_at(database: Database, id: str) -> Room:
    """Return a room replayed from its log.

    Raises UnknownRoom, DamagedStore, BadRecord and the game's errors.
    """
    return replayed(id, numbered_events(_log_of(database, id)))


def _log_of(database: Database, id: str) -> Sequence[StoredEvent]:
    if not is_room_id(id) or not (found := events_of(database, id)):
        raise _unknown(id)
    return found


def games(database: Database, room: str) -> Sequence[tuple[int, bytes]]:
    """Return (number, record) of each game of a table; raises as `room_at`."""
    history = numbered_events(_log_of(database, room))
    return [(game, record) for game, record, _ in records_of(room, history)]


def _unknown(room: str) -> UnknownRoom:
    return UnknownRoom("there is no table {room!r}", room=room)


def close(database: Database, id: str) -> None:
    """Close a room to all actions. Raises RoomClosed, and as `room_at` and `_carried_out`."""
    if room_at(database, id).closed:
        raise RoomClosed("the host of this server has closed this table")
    _carried_out(database, "close", id)


def new_link(database: Database, id: str) -> str:
    """Renew the link of a room's opener; return it as /r/ID#KEY. Raises as `close`."""
    if room_at(database, id).closed:
        raise RoomClosed("the host of this server has closed this table")
    _carried_out(database, "link", id)
    renewed = room_at(database, id).links[OPENER]
    return f"/r/{id}#{Keyring(bytes.fromhex(secret_of(database))).key(id, OPENER, renewed)}"


def check_exists(database: Database, id: str) -> None:
    """Raise UnknownRoom if there is no such room; a damaged one passes."""
    if not is_room_id(id) or not database.rows(select(rooms.c.id).where(rooms.c.id == id)):
        raise _unknown(id)


def delete(database: Database, id: str) -> None:
    """Delete a room, damaged or not, and all its data but a try's result.

    Raises UnknownRoom, and as `_carried_out`.
    """
    check_exists(database, id)
    _carried_out(database, "delete", id)


def _carried_out(database: Database, kind: Kind, room: str) -> None:
    """Give an order about a room to its server, and wait until that has carried it out.

    Raises NotKept if it does not in time; it carries the order out as soon as it runs.
    """
    database.write(partial(give_order, kind=kind, room=room))
    query = select(orders.c.id).where(orders.c.room == room, orders.c.kind == kind)
    end = monotonic() + _PATIENCE
    while database.rows(query):
        if monotonic() > end:
            raise NotKept("no server answers; it will be done as soon as the server runs")
        sleep(_LOOK_SECONDS)
