"""Links by which the games of a device come to another one: made, and used once.

Only a hash of the key is kept, as of a device. What a link gives is written together with its end,
so that of two that use it one is too late, at whichever process.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, select, text

from shutbox.errors import OutOfDate
from shutbox.web.limits import HANDOVER_SECONDS, MOST_LISTED_TABLES
from shutbox.web.storage.group_commit import give
from shutbox.web.storage.log import StoredLog, newest_rooms
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

        def made(connection: Connection) -> None:
            connection.execute(delete(handovers).where(handovers.c.until < now))
            row = {"device": device, "link": link, "until": now + HANDOVER_SECONDS}
            connection.execute(text(_MADE), row)

        await self._log.write(made)

    async def take(self, link: str, device: str, now: float) -> Sequence[str]:
        """Return the rooms in which a device gets seats by a link, both by their hashes.

        Raises OutOfDate and NotKept.
        """
        by = select(handovers.c.device, handovers.c.until).where(handovers.c.link == link)
        # First, since a write that is refused holds up those that it was written with.
        _maker(await self._log.rows(by), device, now)
        found: Sequence[str] = ()

        def taken(connection: Connection) -> None:
            nonlocal found
            maker = _maker(connection.execute(by.with_for_update()).all(), device, now)
            connection.execute(delete(handovers).where(handovers.c.device == maker))
            found = [*connection.scalars(newest_rooms(maker, MOST_LISTED_TABLES))]
            # A seat whose link is made anew meanwhile is lost with this device, or not given.
            here = select(rooms.c.id).where(rooms.c.id.in_(found)).order_by(rooms.c.id)
            connection.execute(here.with_for_update())
            mine = (grants.c.device == maker) & grants.c.room.in_(found)
            query = select(grants.c.room, grants.c.seat, grants.c.seal).where(mine)
            for room, seat, said in connection.execute(query.order_by(grants.c.id)).all():
                if said == seal(room, seat, maker):
                    give(connection, Grant(room, seat, device))

        await self._log.write(taken)
        return found


def _maker(found: Sequence[Any], device: str, now: float) -> str:
    """The device that made a link, by its row. Raises OutOfDate where another cannot use it now."""
    if not found or found[0].until < now:
        raise OutOfDate(
            "this link was used, or is older than {minutes} minutes; make another on the other "
            "device",
            minutes=round(HANDOVER_SECONDS / 60),
        )
    maker: str = found[0].device
    if maker == device:
        raise OutOfDate("this is the device that made the link; open it on the other one")
    return maker
