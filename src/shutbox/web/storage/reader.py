"""Reading what is kept."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import IntegrityError

from shutbox.web.rooms.link_keys import new_secret
from shutbox.web.storage.engine import Database
from shutbox.web.storage.schema import entries, passes, secrets

_WATCHERS = -1


@dataclass(frozen=True, slots=True)
class Read:
    """An entry that was read."""

    number: int
    at: float
    action: str | None
    by: str | None
    answer: str | None
    entry: str


class Archive:
    """What is kept in a database. Every method waits for it: call it in a thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def entries(self, room: str, after: int = 0) -> Sequence[Read]:
        """The entries of a room after that number, in order; none where there is no such room."""
        columns = (entries.c[name] for name in Read.__slots__)
        mine = (entries.c.room == room) & (entries.c.number > after)
        query = select(*columns).where(mine).order_by(entries.c.number)
        with self._database.reader.connect() as connection:
            return [Read(*row) for row in connection.execute(query)]

    def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Where a device may sit; -1: it may watch, -2: it opened the room."""
        mine = (passes.c.room == room) & (passes.c.device == device)
        with self._database.reader.connect() as connection:
            return frozenset(connection.scalars(select(passes.c.seat).where(mine)))

    def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """The rooms in which a device may sit or which it has opened, the newest first."""
        mine = (passes.c.device == device) & (passes.c.seat != _WATCHERS)
        newest = func.max(passes.c.id)
        query = select(passes.c.room).where(mine).group_by(passes.c.room)
        with self._database.reader.connect() as connection:
            return tuple(connection.scalars(query.order_by(newest.desc()).limit(most)))

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
