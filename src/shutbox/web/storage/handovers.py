"""Links by which the games of a device come to another one: made, and used once.

Only a hash of the key is kept, as of a device. What a link gives is written together with its end,
so that of two that use it one is too late, at whichever process.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Select, delete, select, text

from shutbox.errors import OutOfDate
from shutbox.web.limits import HANDOVER_SECONDS, MOST_LISTED_TABLES
from shutbox.web.storage.group_commit import Batch, give
from shutbox.web.storage.log import StoredLog
from shutbox.web.storage.reader import newest_rooms
from shutbox.web.storage.schema import Grant, grants, handovers, rooms
from shutbox.web.storage.seals import seal

_MADE = (
    "INSERT INTO handovers (device, link, until) VALUES (:device, :link, :until) "
    "ON CONFLICT (device) DO UPDATE SET link = excluded.link, until = excluded.until"
)


class DeviceLinks:
    """The links in the database of one process."""

    def __init__(self, log: StoredLog) -> None:
        self._log = log

    async def offer(self, device: str, link: str, now: float) -> None:
        """Keep a link that a device makes, both by their hashes. Raises NotKept.

        The one that it made before is void.
        """

        def write(connection: Connection) -> None:
            connection.execute(delete(handovers).where(handovers.c.until < now))
            row = {"device": device, "link": link, "until": now + HANDOVER_SECONDS}
            connection.execute(text(_MADE), row)

        await self._log.writer.keep(Batch(also=(write,)))

    async def take(self, link: str, device: str, now: float) -> Sequence[str]:
        """Return the rooms in which a device gets seats by a link, both by their hashes.

        Raises OutOfDate and NotKept.
        """

        def check() -> None:
            with self._log.archive.database.reader.connect() as connection:
                _maker(connection, _by(link), device, now)

        # First, since a write that is refused holds up those that it was written with.
        await self._log.ask(check)
        taken = _Taken(link, device, now)
        await self._log.writer.keep(Batch(also=(taken,)))
        return taken.rooms


@dataclass
class _Taken:
    """A link is used by a device, both by their hashes: it may sit where the other one may.

    Raises OutOfDate. It may be written again where it was not kept.
    """

    link: str
    device: str
    now: float
    rooms: Sequence[str] = ()
    """What came of it: the rooms in which the device has got seats, the newest first."""

    def __call__(self, connection: Connection) -> None:
        """Write it."""
        maker = _maker(connection, _by(self.link).with_for_update(), self.device, self.now)
        connection.execute(delete(handovers).where(handovers.c.device == maker))
        query = newest_rooms(maker, MOST_LISTED_TABLES)
        self.rooms = tuple(connection.scalars(query))
        # A seat whose link is made anew meanwhile is lost with this device, or not given at all.
        here = select(rooms.c.id).where(rooms.c.id.in_(self.rooms)).order_by(rooms.c.id)
        connection.execute(here.with_for_update())
        mine = (grants.c.device == maker) & grants.c.room.in_(self.rooms)
        query = select(grants.c.room, grants.c.seat, grants.c.seal).where(mine)
        for row in connection.execute(query.order_by(grants.c.id)).all():
            if row.seal == seal(row.room, row.seat, maker):
                give(connection, Grant(row.room, row.seat, self.device))


def _by(link: str) -> Select[tuple[str, float]]:
    return select(handovers.c.device, handovers.c.until).where(handovers.c.link == link)


def _maker(
    connection: Connection, query: Select[tuple[str, float]], device: str, now: float
) -> str:
    """The device that made a link. Raises OutOfDate where another cannot use it now."""
    found = connection.execute(query).one_or_none()
    if found is None or found.until < now:
        raise OutOfDate(
            "this link was used, or is older than {minutes} minutes; make another on the other "
            "device",
            minutes=round(HANDOVER_SECONDS / 60),
        )
    if found.device == device:
        raise OutOfDate("this is the device that made the link; open it on the other one")
    maker: str = found.device
    return maker
