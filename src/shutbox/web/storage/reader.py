"""Reading what is kept, and seeing that it is what was stored."""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Executable, Select, func, insert, select, text
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

    def _rows(self, query: Executable) -> Sequence[Any]:
        """Return all that a query finds. Raises DamagedStore."""
        try:
            return self.database.rows(query)
        except (DBAPIError, UnicodeDecodeError) as error:
            if is_damage(error):
                raise DamagedStore(DAMAGED) from error
            raise

    def length(self, room: str) -> int:
        """How many events a room has; 0 where there is no such room. Raises DamagedStore."""
        for (found,) in self._rows(select(rooms.c.length).where(rooms.c.id == room)):
            if isinstance(found, int) and found > 0:
                return found
            raise DamagedStore(DAMAGED)
        return 0

    def events(self, room: str, after: int = 0, seal: str = "") -> Sequence[StoredEvent]:
        """The events of a room after that number, which has that seal; none without such a room.

        Raises DamagedStore, and UnknownRoom where there was one with events before.
        """
        # In one statement: a room that goes on, or goes, meanwhile does not look damaged.
        mine = (events.c.room == rooms.c.id) & (events.c.number > after)
        query = select(rooms.c.length, rooms.c.seal, *events.c).outerjoin_from(rooms, events, mine)
        rows = self._rows(query.where(rooms.c.id == room).order_by(events.c.number))
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
        found = self._rows(select(grants.c.seat, grants.c.seal).where(mine))
        return frozenset(seat for seat, said in found if said == seal(room, seat, device))

    def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """The rooms in which a device may sit or which it has opened, the newest first."""
        return tuple(row.room for row in self._rows(newest_rooms(device, most)))

    def secret(self) -> bytes:
        """The server's own secret, 256 bits, made the first time it is asked for.

        Raises DamagedStore.
        """
        if (found := self.kept_secret()) is not None:
            return found
        with suppress(IntegrityError), self.database.writer.begin() as connection:
            connection.execute(insert(secrets), sealed_secret())
        return self.secret()  # this one, or that of another process which was first

    def kept_secret(self) -> bytes | None:
        """The same, or None where there is none yet. Raises DamagedStore."""
        stored = self._rows(select(secrets).where(secrets.c.name == LINKS))
        for name, value, said in stored:
            if said == seal(name, value):
                return bytes.fromhex(value)
        if stored or self._rows(select(rooms.c.id).limit(1)):
            raise DamagedStore("its secret is not what was stored")
        return None

    def answers(self) -> bool:
        """Whether the database answers at all."""
        return bool(self._rows(text("SELECT 1")))


def newest_rooms(device: str, most: int) -> Select[tuple[str]]:
    """The rooms in which a device may sit or which it has opened, the newest first."""
    mine = (grants.c.device == device) & (grants.c.seat != WATCHERS)
    query = select(grants.c.room).where(mine).group_by(grants.c.room)
    return query.order_by(func.max(grants.c.id).desc()).limit(most)


def numbered_events(rows: Sequence[StoredEvent]) -> Sequence[Numbered]:
    """The events of a room, read. Raises BadRecord."""
    return [(row.number, row.at, decoded(row.entry)) for row in rows]


def sealed_secret() -> dict[str, str]:
    """Return the row of a new secret, from which the keys of links are made."""
    value = new_secret()
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
