"""Device links, which add the games of one device to another; each works once.

Only hashes of keys and devices are stored. The grants of a link and its deletion are one write, so
if two devices use it at once, even at different processes, the second is refused.
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
    """The stored device links, as one process sees them."""

    def __init__(self, log: StoredLog) -> None:
        self._log = log

    async def offer(self, device: str, link: str, now: float) -> None:
        """Store a new link of a device, both by their hashes. Raises NotKept.

        It replaces the device's earlier link.
        """

        def made(connection: Connection) -> None:
            connection.execute(delete(handovers).where(handovers.c.until < now))
            row = {"device": device, "link": link, "until": now + HANDOVER_SECONDS}
            connection.execute(text(_MADE), row)

        await self._log.write(made)

    async def take(self, link: str, device: str, now: float) -> Sequence[str]:
        """Use a link for a device, both by their hashes, and return the rooms that it shares.

        Raises OutOfDate and NotKept.
        """
        by = select(handovers.c.device, handovers.c.until).where(handovers.c.link == link)
        # Check before writing: a refused write delays the other batches of its commit.
        _maker(await self._log.rows(by), device, now)
        found: Sequence[str] = ()

        def taken(connection: Connection) -> None:
            nonlocal found
            maker = _maker(connection.execute(by.with_for_update()).all(), device, now)
            connection.execute(delete(handovers).where(handovers.c.device == maker))
            found = [*connection.scalars(newest_rooms(maker, MOST_LISTED_TABLES))]
            # Lock the rooms: a seat renewed at the same time is revoked here too, or not granted.
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
    """Return the device that made a link, from its row. Raises OutOfDate if `device` cannot use it.

    A link is refused if it was used, has expired, or comes from this very device.
    """
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
