"""Reading what is kept, and seeing that it is what was stored."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, Select, func, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from shutbox.errors import NotKept, ShutboxError
from shutbox.web.errors import DAMAGED, DamagedStore, UnknownRoom, one_line
from shutbox.web.rooms.events import Numbered, decoded
from shutbox.web.rooms.link_keys import new_secret
from shutbox.web.rooms.room import WATCHERS
from shutbox.web.storage.engine import Database
from shutbox.web.storage.schema import StoredEvent, events, grants, rooms, secrets
from shutbox.web.storage.seals import is_whole, seal

LINKS = "links"
"""The name of the secret from which the keys of links are made."""
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Archive:
    """What is kept in a database. Every method waits for it: call it in a thread."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self.database.reader.connect() as connection:
                yield connection
        except (DBAPIError, UnicodeDecodeError) as error:
            if is_damage(error):
                raise DamagedStore(DAMAGED) from error
            raise

    def length(self, room: str) -> int:
        """How many events a room has; 0 where there is no such room. Raises DamagedStore."""
        with self._reading() as connection:
            found = connection.scalar(select(rooms.c.length).where(rooms.c.id == room))
        if found is not None and not (isinstance(found, int) and found > 0):
            raise DamagedStore(DAMAGED)
        return found or 0

    def events(self, room: str, after: int = 0, seal: str = "") -> Sequence[StoredEvent]:
        """The events of a room after that number, which has that seal; none without such a room.

        Raises DamagedStore, and UnknownRoom where there was one with events before.
        """
        # In one statement: a room that goes on, or goes, meanwhile does not look damaged.
        mine = (events.c.room == rooms.c.id) & (events.c.number > after)
        query = select(rooms.c.length, rooms.c.seal, *events.c).outerjoin_from(rooms, events, mine)
        with self._reading() as connection:
            rows = connection.execute(
                query.where(rooms.c.id == room).order_by(events.c.number)
            ).all()
        if not rows:
            if after:
                raise UnknownRoom("there is no such table")
            return []
        length, last = rows[0][:2]
        found = [StoredEvent(*row[2:]) for row in rows if row.number is not None]
        numbers = [event.number for event in found]
        ends = found[-1].seal if found else seal
        there = 0 < length == after + len(found) and numbers == [*range(after + 1, length + 1)]
        if not (there and ends == last and is_whole(seal, found)):
            raise DamagedStore(DAMAGED)
        return found

    def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Where a device may sit; -1: it may watch, -2: it opened the room."""
        mine = (grants.c.room == room) & (grants.c.device == device)
        with self._reading() as connection:
            found = connection.execute(select(grants.c.seat, grants.c.seal).where(mine))
            return frozenset(seat for seat, said in found if said == seal(room, seat, device))

    def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """The rooms in which a device may sit or which it has opened, the newest first."""
        with self._reading() as connection:
            return tuple(connection.scalars(newest_rooms(device, most)))

    def secret(self) -> bytes:
        """The server's own secret, 256 bits, made the first time it is asked for.

        Raises DamagedStore.
        """
        if (found := self.kept_secret()) is not None:
            return found
        with suppress(IntegrityError), self.database.writer.begin() as connection:
            connection.execute(insert(secrets), sealed_secret(new_secret()))
        return self.secret()  # this one, or that of another process which was first

    def kept_secret(self) -> bytes | None:
        """The same, or None where there is none yet. Raises DamagedStore."""
        query = select(secrets.c.name, secrets.c.value, secrets.c.seal)
        with self._reading() as connection:
            found = connection.execute(query.where(secrets.c.name == LINKS)).one_or_none()
            is_new = found is None and connection.scalar(select(rooms.c.id).limit(1)) is None
        if found is not None and found.seal == seal(found.name, found.value):
            return bytes.fromhex(found.value)
        if not is_new:
            raise DamagedStore("its secret is not what was stored")
        return None

    def answers(self) -> bool:
        """Whether the database answers at all."""
        with self._reading() as connection:
            return bool(connection.scalar(text("SELECT 1")) == 1)


def newest_rooms(device: str, most: int) -> Select[tuple[str]]:
    """The rooms in which a device may sit or which it has opened, the newest first."""
    mine = (grants.c.device == device) & (grants.c.seat != WATCHERS)
    query = select(grants.c.room).where(mine).group_by(grants.c.room)
    return query.order_by(func.max(grants.c.id).desc()).limit(most)


def numbered_events(rows: Sequence[StoredEvent]) -> Sequence[Numbered]:
    """The events of a room, read. Raises BadRecord."""
    return [(row.number, row.at, decoded(row.entry)) for row in rows]


def sealed_secret(value: str) -> dict[str, str]:
    """The row of the secret from which the keys of links are made."""
    return {"name": LINKS, "value": value, "seal": seal(LINKS, value)}


def unusable(error: Exception) -> ShutboxError:
    """What to say where a database cannot be used, or is damaged, and so cannot be."""
    reason = one_line(error.__cause__ or error)
    if isinstance(error, DamagedStore) or is_damage(error):
        return DamagedStore(
            "the database cannot be read: {reason}; if it was sound before, restore it from a "
            "backup, as docs/hosting.md tells under Backup and restore",
            reason=reason,
        )
    return NotKept("the database cannot be used: {reason}", reason=reason)


def is_damage(error: Exception) -> bool:
    """Whether a database says that its file is damaged."""
    said = getattr(error, "orig", error)
    code = getattr(said, "sqlite_errorcode", None)
    # A text that is none; or the name of what is damaged, which is none either.
    no_text = isinstance(said, sqlite3.OperationalError) and "UTF-8" in str(said)
    no_text = no_text or isinstance(said, UnicodeDecodeError)
    return no_text or (code is not None and code & 0xFF in _DAMAGE)
