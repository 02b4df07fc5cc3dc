"""Orders to servers, which wait in the database, and the deletion of rooms.

A room is at one server, whose name begins its id. Nobody else changes it: the host and other
servers leave an order, which that server carries out within seconds.
"""

from typing import Literal

from sqlalchemy import Connection, delete, insert, select, update

from shutbox.engine.errors import OutOfDate
from shutbox.web.storage.schema import events, grants, orders, rooms, seeds, tries

Kind = Literal["close", "delete", "link", "forget", "seats"]
"""What a server is to do with a room: close it, delete it, renew its opener's link, leave it for a
device whose data is deleted, or read the seats of its devices again."""


def give_order(connection: Connection, kind: Kind, room: str, device: str = "") -> None:
    """Store an order about a room for its server."""
    row = {"server": room[0], "kind": kind, "room": room, "device": device}
    connection.execute(insert(orders), row)


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
    connection.execute(delete(tries).where(tries.c.room == room, tries.c.loss.is_(None)))
    connection.execute(update(tries).where(tries.c.room == room).values(room=None))
