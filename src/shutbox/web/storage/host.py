"""Messages between the host and the servers through the database, and the host's changes.

The functions with `@written` return a write for `Batch.extra`.
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
    seeds,
    tries,
)
from shutbox.web.storage.seals import sealed_secret

Kind = Literal["change", "delete", "secret"]
DAY = 86_400.0  # seconds before notices and silent servers are deleted
SILENT = 45.0  # seconds without a sign of life after which a server counts as gone
_TOGETHER = 200  # rooms returned by one query
_LATE = 100  # a notice can be committed after one whose id is higher by up to this much


@dataclass(frozen=True, slots=True)
class Process:
    """A running server, as it last reported itself."""

    id: str
    version: str
    address: str
    pid: int
    started: float
    """Seconds since 1970."""
    seen: float
    rooms: int
    """The number of rooms in its memory."""
    listeners: int
    closing: bool

    @property
    def silent(self) -> bool:
        """Whether it has not reported for a while: it was killed, or its machine is off."""
        return abs(time() - self.seen) > SILENT


Notice = tuple[int, Kind, str]
"""The id of a notice, the kind of change by the host, and the room."""


def news(database: Database, after: int) -> tuple[Sequence[Notice], dict[str, float | None]]:
    """Return the host's recent notices, and when the ban of each network ends (None: never).

    The notices are those newer than the id `after`, and up to `_LATE` before it. This blocks.
    """
    query = select(notices.c.id, notices.c.kind, notices.c.room).where(notices.c.id > after - _LATE)
    return database.rows(query), {row.network: row.until for row in database.rows(select(bans))}


def old_rooms(database: Database, before: float, last: tuple[float, str]) -> Sequence[Any]:
    """Return a page of the rooms without events since `before`, oldest first, as (at, id).

    The page begins after `last`, the final row of the page before; (0.0, "") for the first page.
    """
    at, room = last
    behind = (rooms.c.at > at) | ((rooms.c.at == at) & (rooms.c.id > room))
    query = select(rooms.c.at, rooms.c.id).where(rooms.c.at < before, behind)
    return database.rows(query.order_by(rooms.c.at, rooms.c.id).limit(_TOGETHER))


def last_played(database: Database) -> float:
    """Return the time of the last event at any table, or 0 if there is none.

    The reports of servers do not count: they carry the very clock that is in doubt.
    """
    return database.rows(select(func.max(rooms.c.at)))[0][0] or 0.0


@written
def notice(connection: Connection, kind: Kind, room: str = "") -> None:
    """Store a notice for the servers, and delete notices older than a day."""
    now = time()
    # Insert before deleting: SQLite reuses the highest id once its row is deleted.
    connection.execute(insert(notices), {"kind": kind, "room": room, "at": now})
    connection.execute(delete(notices).where(notices.c.at < now - DAY))


@written
def deleted(connection: Connection, room: str, length: int | None = None) -> None:
    """Delete a room with all its data, except tries that are over, and notify the servers.

    Raises OutOfDate if the room is gone, or if `length` is given and no longer its length.
    """
    here = select(rooms.c.length).where(rooms.c.id == room).with_for_update()
    found = connection.scalar(here)
    if found is None or length not in (None, found):
        raise OutOfDate("the table has moved on; look again")
    connection.execute(delete(grants).where(grants.c.room == room))
    connection.execute(delete(events).where(events.c.room == room))
    connection.execute(delete(seeds).where(seeds.c.room == room))
    connection.execute(delete(rooms).where(rooms.c.id == room))
    # A finished try stays in the ranking of its day; an unfinished one may be started again.
    connection.execute(delete(tries).where(tries.c.room == room, tries.c.loss.is_(None)))
    connection.execute(update(tries).where(tries.c.room == room).values(room=None))
    notice("delete", room)(connection)


@written
def recorded(
    connection: Connection, room: str, at: float, games: Sequence[tuple[int, bytes]]
) -> None:
    """Store a room's games as (number, record); `at` is the time of the room's last event."""
    rows = [
        {"room": room, "game": game, "at": at, "record": record.decode()} for game, record in games
    ]
    if rows:
        connection.execute(insert(records), rows)


@written
def new_secret(connection: Connection) -> None:
    """Replace the secret from which the keys of all links are made, and notify the servers."""
    row = sealed_secret()
    connection.execute(delete(secrets).where(secrets.c.name == row["name"]))
    connection.execute(insert(secrets), row)
    notice("secret")(connection)


@written
def banned(connection: Connection, network: str, until: float | None) -> None:
    """Ban a network until a time, or permanently if `until` is None. Delete expired bans."""
    connection.execute(delete(bans).where((bans.c.network == network) | (bans.c.until < time())))
    connection.execute(insert(bans), {"network": network, "until": until})


@written
def unbanned(connection: Connection, network: str) -> None:
    """Lift the ban of a network. Raises OutOfDate if it is not banned."""
    if not connection.execute(delete(bans).where(bans.c.network == network)).rowcount:
        raise OutOfDate("{network} is not banned", network=network)


@written
def running(connection: Connection, process: Process) -> None:
    """Store the report of a running server, and delete those of servers long silent."""
    # A report from the future was written while a clock was ahead.
    apart = func.abs(processes.c.seen - process.seen)
    # A silent server at the same address was killed and has been replaced.
    old = (apart > DAY) | ((processes.c.address == process.address) & (apart > SILENT))
    connection.execute(delete(processes).where((processes.c.id == process.id) | old))
    connection.execute(insert(processes), asdict(process))


@written
def stopped(connection: Connection, id: str) -> None:
    """Delete the report of a server that stops."""
    connection.execute(delete(processes).where(processes.c.id == id))
