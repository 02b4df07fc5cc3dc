"""What the host and the servers tell one another by the database, and what the host deletes.

Each of these is written together with a batch, or by itself; see `Batch.also`.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from time import time
from typing import Any, Literal

from sqlalchemy import Connection, delete, func, insert, select, update

from shutbox.errors import OutOfDate
from shutbox.web.storage.engine import Database
from shutbox.web.storage.group_commit import written
from shutbox.web.storage.schema import (
    bans,
    events,
    grants,
    notices,
    processes,
    records,
    rooms,
    secrets,
    tries,
)
from shutbox.web.storage.seals import sealed_secret

Kind = Literal["change", "delete", "secret"]
DAY = 86_400.0  # notices, and servers that were not heard of, are kept so long
SILENT = 45.0  # seconds after which a server that has said nothing is taken to be gone
_TOGETHER = 200  # rooms that are listed at once
_LATE = 100  # a notice with a lower id may be kept so much later


@dataclass(frozen=True, slots=True)
class Process:
    """A server, as it says that it runs."""

    id: str
    version: str
    address: str
    pid: int
    started: float
    """Seconds since 1970."""
    seen: float
    rooms: int
    """In its memory."""
    listeners: int
    closing: bool

    @property
    def silent(self) -> bool:
        """Whether nothing was heard of it for a while: it was killed, or its machine is off."""
        return abs(time() - self.seen) > SILENT


Notice = tuple[int, Kind, str]
"""Its id, what the host has done, and the room."""


def news(database: Database, after: int) -> tuple[Sequence[Notice], dict[str, float | None]]:
    """Return what the host has done, and the networks that are shut out, and until when.

    The notices are about as new as that id, and newer. Takes a moment.
    """
    query = select(notices.c.id, notices.c.kind, notices.c.room).where(notices.c.id > after - _LATE)
    return database.rows(query), {row.network: row.until for row in database.rows(select(bans))}


def old_rooms(database: Database, before: float, last: tuple[float, str]) -> Sequence[Any]:
    """Return some of the rooms with nothing since then, the oldest first, and when each was played.

    They are those behind the `last` one that was returned.
    """
    at, room = last
    behind = (rooms.c.at > at) | ((rooms.c.at == at) & (rooms.c.id > room))
    query = select(rooms.c.at, rooms.c.id).where(rooms.c.at < before, behind)
    return database.rows(query.order_by(rooms.c.at, rooms.c.id).limit(_TOGETHER))


def last_played(database: Database) -> float:
    """When something happened last at a table; 0 where nothing did.

    That a server runs says nothing: it says so by the clock that is in doubt.
    """
    return database.rows(select(func.max(rooms.c.at)))[0][0] or 0.0


@written
def notice(connection: Connection, kind: Kind, room: str = "") -> None:
    """Tell the servers what was done."""
    now = time()
    # First the new one: SQLite gives the id of the last one again, once it is deleted.
    connection.execute(insert(notices), {"kind": kind, "room": room, "at": now})
    connection.execute(delete(notices).where(notices.c.at < now - DAY))


@written
def deleted(connection: Connection, room: str, length: int | None = None) -> None:
    """Delete a room, with all that is kept of it; where it is still as long as that, if it is said.

    Raises OutOfDate where it is not, or is gone.
    """
    here = select(rooms.c.length).where(rooms.c.id == room).with_for_update()
    found = connection.scalar(here)
    if found is None or length not in (None, found):
        raise OutOfDate("the table has moved on; look again")
    connection.execute(delete(grants).where(grants.c.room == room))
    connection.execute(delete(events).where(events.c.room == room))
    connection.execute(delete(rooms).where(rooms.c.id == room))
    # A try that is over stays in the ranking of its day; another may be begun anew.
    connection.execute(delete(tries).where(tries.c.room == room, tries.c.loss.is_(None)))
    connection.execute(update(tries).where(tries.c.room == room).values(room=None))
    notice("delete", room)(connection)


@written
def recorded(
    connection: Connection, room: str, at: float, games: Sequence[tuple[int, bytes]]
) -> None:
    """Keep the records of games of a room."""
    rows = [
        {"room": room, "game": game, "at": at, "record": record.decode()} for game, record in games
    ]
    if rows:
        connection.execute(insert(records), rows)


@written
def new_secret(connection: Connection) -> None:
    """Another secret, from which the keys of all links are made."""
    row = sealed_secret()
    connection.execute(delete(secrets).where(secrets.c.name == row["name"]))
    connection.execute(insert(secrets), row)
    notice("secret")(connection)


@written
def banned(connection: Connection, network: str, until: float | None) -> None:
    """Shut out a network; for ever without an end."""
    connection.execute(delete(bans).where((bans.c.network == network) | (bans.c.until < time())))
    connection.execute(insert(bans), {"network": network, "until": until})


@written
def unbanned(connection: Connection, network: str) -> None:
    """Shut it out no more. Raises OutOfDate where it is not."""
    if not connection.execute(delete(bans).where(bans.c.network == network)).rowcount:
        raise OutOfDate("{network} is not banned", network=network)


@written
def running(connection: Connection, process: Process) -> None:
    """A server says that it runs; those that have said nothing for long are forgotten."""
    # One of the future was there while a clock was ahead.
    apart = func.abs(processes.c.seen - process.seen)
    # One that was killed at this address before.
    old = (apart > DAY) | ((processes.c.address == process.address) & (apart > SILENT))
    connection.execute(delete(processes).where((processes.c.id == process.id) | old))
    connection.execute(insert(processes), asdict(process))


@written
def stopped(connection: Connection, id: str) -> None:
    """A server runs no more."""
    connection.execute(delete(processes).where(processes.c.id == id))
