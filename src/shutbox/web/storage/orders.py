"""Orders to servers, which wait in the database, and the deletion of rooms.

A room is at one server, whose name begins its id. Nobody else changes it: the host and other
servers leave an order, which that server carries out within seconds.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, tuple_, update

from shutbox.engine.errors import OutOfDate
from shutbox.web.storage.engine import Database
from shutbox.web.storage.schema import (
    events,
    grants,
    orders,
    rooms,
    seeds,
    tries,
)

Kind = Literal["close", "delete", "link", "forget", "seats"]
"""What a server is to do with a room: close it, delete it, renew its opener's link, leave it for a
device whose data is deleted, or read the seats of its devices again."""
_TOGETHER = 200  # rooms returned by one query


class RoomOrder(NamedTuple):
    """An order to a server."""

    id: int
    kind: Kind
    room: str
    device: str  # the hash of the cookie of the device that it is about, or empty


def orders_for(database: Database, server: str) -> Sequence[RoomOrder]:
    """Return the orders that wait for a server, by its name, oldest first. This blocks."""
    query = select(*(orders.c[name] for name in RoomOrder._fields))
    if database.is_shared:
        query = query.where(orders.c.server == server)
    return [RoomOrder(*row) for row in database.rows(query.order_by(orders.c.id))]


def give_order(connection: Connection, kind: Kind, room: str, device: str = "") -> None:
    """Store an order about a room for its server."""
    row = {"server": room[0], "kind": kind, "room": room, "device": device}
    connection.execute(insert(orders), row)


def old_rooms(
    database: Database, server: str, before: float, last: tuple[float, str]
) -> Sequence[Any]:
    """Return a page of a server's rooms without events since `before`, oldest first: (at, id).

    The page begins after `last`, the final row of the page before; (0.0, "") for the first page.
    """
    behind = tuple_(rooms.c.at, rooms.c.id) > last
    query = select(rooms.c.at, rooms.c.id).where(rooms.c.at < before, behind)
    if database.is_shared:
        query = query.where(rooms.c.id.startswith(server))
    return database.rows(query.order_by(rooms.c.at, rooms.c.id).limit(_TOGETHER))


def newest_time(database: Database) -> float:
    """Return the time of the last event in any room, in seconds since 1970; 0 if there is none."""
    return database.rows(select(func.max(rooms.c.at)))[0][0] or 0.0


def delete_room(connection: Connection, room: str, length: int | None = None) -> None:
    """Delete a room and its data, except tries with a result.

    Raises OutOfDate if the room is gone, or if `length` is given and no longer its length.
    """
    here = select(rooms.c.length).where(rooms.c.id == room).with_for_update()
    found = connection.scalar(here)
    if found is None or length not in (None, found):
        raise OutOfDate("the table has moved on; look again")
    for table in (grants, events, seeds):
        connection.execute(delete(table).where(table.c.room == room))
    connection.execute(delete(rooms).where(rooms.c.id == room))
    # A finished try stays in the ranking of its day; an unfinished one may be started again.
    connection.execute(delete(tries).where(tries.c.room == room, tries.c.loss.is_(None)))
    connection.execute(update(tries).where(tries.c.room == room).values(room=None))
