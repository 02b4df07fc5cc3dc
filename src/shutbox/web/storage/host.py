"""Messages between host and servers in the database, and the deletion of rooms."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from time import time
from typing import Any, Literal

from sqlalchemy import Connection, delete, func, insert, select, tuple_, update

from shutbox.engine.errors import OutOfDate
from shutbox.web.rooms.room import WATCHERS
from shutbox.web.storage.engine import Database
from shutbox.web.storage.group_commit import Write
from shutbox.web.storage.schema import (
    bans,
    events,
    grants,
    notices,
    processes,
    record_owners,
    records,
    rooms,
    sealed_secret,
    secrets,
    seeds,
    tries,
)

Kind = Literal["change", "delete", "secret"]
DAY = 86_400.0  # seconds after which notices and silent servers are deleted
SILENT = 45.0  # seconds without a sign of life after which a server counts as gone
_TOGETHER = 200  # rooms returned by one query
_LATE = 100  # a notice can be committed after one whose id is higher by up to this much


@dataclass(frozen=True, slots=True)
class Process:
    """A running server, as it last reported itself."""

    id: str
    version: str
    address: str  # the name of its machine and its port
    pid: int
    started: float  # seconds since 1970
    seen: float  # the time of its last report, likewise
    rooms: int  # the number of rooms in its memory
    listeners: int
    closing: bool  # whether it is shutting down, or will soon

    @property
    def silent(self) -> bool:
        """Whether it did not report for `SILENT` seconds: it was killed, or its machine is off."""
        return abs(time() - self.seen) > SILENT


Notice = tuple[int, Kind, str]  # the id of a notice, the kind of change by the host, and the room


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
    behind = tuple_(rooms.c.at, rooms.c.id) > last
    query = select(rooms.c.at, rooms.c.id).where(rooms.c.at < before, behind)
    return database.rows(query.order_by(rooms.c.at, rooms.c.id).limit(_TOGETHER))


def last_played(database: Database) -> float:
    """Return the time of the last event in any room, in seconds since 1970; 0 if there is none."""
    return database.rows(select(func.max(rooms.c.at)))[0][0] or 0.0


def notice(connection: Connection, kind: Kind, room: str = "") -> None:
    """Store a notice for the servers, about `room` if given; delete notices older than a day."""
    now = time()
    # Insert before deleting: SQLite reuses the highest id once its row is deleted.
    connection.execute(insert(notices), {"kind": kind, "room": room, "at": now})
    connection.execute(delete(notices).where(notices.c.at < now - DAY))


def deleted(connection: Connection, room: str, length: int | None = None) -> None:
    """Delete a room and its data, except records and tries with a result; notify the servers.

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
    notice(connection, "delete", room)


def recorded(
    connection: Connection, room: str, at: float, games: Sequence[tuple[int, bytes]]
) -> None:
    """Store a room's games as (number, record), and the devices with a seat there, if it has any.

    `at` is the time of the room's last event.
    """
    mine = select(grants.c.device, grants.c.room).where(
        grants.c.room == room, grants.c.seat != WATCHERS
    )
    if games:
        connection.execute(insert(record_owners).from_select(["device", "room"], mine.distinct()))
    for game, record in games:
        row = {"room": room, "game": game, "at": at, "record": record.decode()}
        connection.execute(insert(records), row)


def new_secret(connection: Connection) -> None:
    """Replace the secret from which the keys of all links are made, and notify the servers."""
    row = sealed_secret()
    connection.execute(delete(secrets).where(secrets.c.name == row["name"]))
    connection.execute(insert(secrets), row)
    notice(connection, "secret")


def banned(connection: Connection, network: str, until: float | None) -> None:
    """Ban a network until `until`, seconds since 1970, or for good if None. Delete expired bans."""
    connection.execute(delete(bans).where((bans.c.network == network) | (bans.c.until < time())))
    connection.execute(insert(bans), {"network": network, "until": until})


def unbanned(connection: Connection, network: str) -> None:
    """Lift the ban of a network. Raises OutOfDate if it is not banned."""
    if not connection.execute(delete(bans).where(bans.c.network == network)).rowcount:
        raise OutOfDate("{network} is not banned", network=network)


def running(connection: Connection, process: Process) -> None:
    """Store the report of a running server, and delete those of servers that are gone."""
    # A report from the future was written while a clock was ahead.
    apart = func.abs(processes.c.seen - process.seen)
    # A silent server at the same address was killed and has been replaced.
    old = (apart > DAY) | ((processes.c.address == process.address) & (apart > SILENT))
    connection.execute(delete(processes).where((processes.c.id == process.id) | old))
    connection.execute(insert(processes), asdict(process))


def stopped(id: str) -> Write:
    """Return the statement that deletes the report of a server that stops."""
    return delete(processes).where(processes.c.id == id)
