"""The host's tools: the list of tables, their records, and orders to the servers they are at."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic, sleep
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from shutbox.engine.errors import BadRecord, NotKept, ShutboxError
from shutbox.web.actions.replays import records_of
from shutbox.web.errors import DamagedStore, RoomClosed, UnknownRoom
from shutbox.web.rooms.access import Keyring, is_room_id
from shutbox.web.rooms.events import Numbered
from shutbox.web.rooms.room import OPENER, Room, replay_room
from shutbox.web.storage.database import Database, check_schema
from shutbox.web.storage.log import (
    Kind,
    database_unusable,
    events_of,
    give_order,
    numbered_events,
    secret_of,
)
from shutbox.web.storage.schema import orders, rooms

_LOOK_SECONDS = 0.1
_PATIENCE = 10.0  # seconds for a server to carry out an order; it looks every two


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRow:
    """A table as a row of the host's list of tables."""

    room: str
    title: str = ""
    game: str = ""
    phase: str  # `damaged` or `unplayable` if it has no title, game and seats here
    seats: tuple[str, ...] = ()  # the names at its seats
    opened: float  # the time of its opening, in seconds since 1970
    last: float  # the time of its last event
    events: int


@contextmanager
def admin_database(url: str) -> Iterator[Database]:
    """Open an existing database for the block, without creating anything.

    Raises as `Database`; and NotKept if it is missing, of another program or version, or cannot be
    used, also from inside the block.
    """
    database = Database(url, for_admin=True)
    try:
        with database.reader.connect() as connection:
            check_schema(connection)
        yield database
    except SQLAlchemyError as error:
        raise database_unusable(error) from None
    finally:
        database.close()


def listed_rooms(database: Database, limit: int | None = None) -> Iterator[RoomRow]:
    """Yield up to `limit` tables (None: all), those with the latest event first.

    Raises SQLAlchemyError.
    """
    query = select(rooms.c.id, rooms.c.opened, rooms.c.at, rooms.c.length)
    for row in database.rows(query.order_by(rooms.c.at.desc(), rooms.c.id).limit(limit)):
        with suppress(UnknownRoom):  # deleted since the query
            yield _listed(database, row)


def _listed(database: Database, row: Any) -> RoomRow:
    """Return the list's row for a row of the table `rooms`. Raises UnknownRoom."""
    known = {"room": row.id, "opened": row.opened, "last": row.at, "events": row.length}
    try:
        room = room_at(database, row.id)
        title = room.rule_card.title
    except (DamagedStore, BadRecord, SQLAlchemyError):
        return RoomRow(phase="damaged", **known)
    except UnknownRoom:
        raise
    except ShutboxError:  # its game is missing or fails
        return RoomRow(phase="unplayable", **known)
    names = tuple(seat.name for seat in room.seats)
    return RoomRow(title=title, game=room.opened.game, phase=room.phase, seats=names, **known)


def room_at(database: Database, id: str) -> Room:
    """Return a room replayed from its log.

    Raises UnknownRoom, DamagedStore, BadRecord and the game's errors.
    """
    return replay_room(id, _history(database, id))


def _history(database: Database, id: str) -> Sequence[Numbered]:
    if not is_room_id(id) or not (rows := events_of(database, id)):
        raise _unknown(id)
    return numbered_events(rows)


def _unknown(room: str) -> UnknownRoom:
    return UnknownRoom("there is no table {room!r}", room=room)


def check_exists(database: Database, id: str) -> None:
    """Raise UnknownRoom if there is no such room; a damaged one passes."""
    if not is_room_id(id) or not database.rows(select(rooms.c.id).where(rooms.c.id == id)):
        raise _unknown(id)


def games(database: Database, room: str) -> Sequence[tuple[int, bytes]]:
    """Return the number from 1 and the record of each game of a table. Raises as `room_at`."""
    return list(records_of(room, _history(database, room)))


def opener_link(database: Database, id: str) -> str:
    """Return the link of a room's opener as /r/ID#KEY. Raises as `room_at`."""
    keyring, renewed = Keyring(bytes.fromhex(secret_of(database))), room_at(database, id).links
    return f"/r/{id}#{keyring.key(id, OPENER, renewed[OPENER])}"


def carry_out(database: Database, kind: Kind, id: str) -> None:
    """Let a room's server close it, renew its opener's link, or delete it; wait until that is done.

    A closed room is only deleted, and then all its data but a try's result is, even if it is
    damaged. Raises UnknownRoom, RoomClosed, and unless it is deleted, as `room_at`; NotKept if no
    server answers in time: then it is done as soon as the server runs.
    """
    if kind == "delete":
        check_exists(database, id)
    elif room_at(database, id).closed:
        raise RoomClosed("the host of this server has closed this table")
    database.write(partial(give_order, kind=kind, room=id))
    query = select(orders.c.id).where(orders.c.room == id, orders.c.kind == kind)
    end = monotonic() + _PATIENCE
    while database.rows(query):
        if monotonic() > end:
            # Translators: the command of the host waits, and is carried out later.
            raise NotKept("no server answers; it will be done as soon as the server runs")
        sleep(_LOOK_SECONDS)
