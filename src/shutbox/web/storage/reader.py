"""Reading what is kept."""

from collections.abc import Sequence

from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import IntegrityError

from shutbox.web.rooms.link_keys import new_secret
from shutbox.web.rooms.room import WATCHERS
from shutbox.web.storage.engine import Database
from shutbox.web.storage.schema import StoredEvent, events, grants, secrets


class Archive:
    """What is kept in a database. Every method waits for it: call it in a thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def events(self, room: str, after: int = 0) -> Sequence[StoredEvent]:
        """The events of a room after that number, in order; none where there is no such room."""
        mine = (events.c.room == room) & (events.c.number > after)
        query = select(events).where(mine).order_by(events.c.number)
        with self._database.reader.connect() as connection:
            return [StoredEvent(*row) for row in connection.execute(query)]

    def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Where a device may sit; -1: it may watch, -2: it opened the room."""
        mine = (grants.c.room == room) & (grants.c.device == device)
        with self._database.reader.connect() as connection:
            return frozenset(connection.scalars(select(grants.c.seat).where(mine)))

    def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """The rooms in which a device may sit or which it has opened, the newest first."""
        mine = (grants.c.device == device) & (grants.c.seat != WATCHERS)
        query = select(grants.c.room).where(mine).group_by(grants.c.room)
        newest = query.order_by(func.max(grants.c.id).desc()).limit(most)
        with self._database.reader.connect() as connection:
            return tuple(connection.scalars(newest))

    def secret(self) -> bytes:
        """The server's own secret, 256 bits, made the first time it is asked for."""
        query = select(secrets.c.value).where(secrets.c.name == "links")
        with self._database.reader.connect() as connection:
            found = connection.scalar(query)
        if found is None:
            row = {"name": "links", "value": new_secret()}
            try:
                with self._database.writer.begin() as connection:
                    connection.execute(insert(secrets), row)
            except IntegrityError:  # another process was first
                return self.secret()
            found = row["value"]
        return bytes.fromhex(found)

    def answers(self) -> bool:
        """Whether the database answers at all."""
        with self._database.reader.connect() as connection:
            return bool(connection.scalar(text("SELECT 1")) == 1)
