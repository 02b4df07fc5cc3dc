"""The stored links between devices, and the deletion of what is stored of a device.

A link adds the games of one device to another. Only its hash is stored. Its grants and its deletion
are one write, so of two devices that use it at once, even at different servers, the second is
refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select, text

from shutbox.engine.errors import OutOfDate
from shutbox.web.limits import HANDOVER_SECONDS, MOST_LISTED_TABLES
from shutbox.web.rooms.room import WATCHERS
from shutbox.web.storage.log import StoredLog, delete_room, give_order, grant_seat, newest_rooms
from shutbox.web.storage.schema import grants, handovers, rooms, subscriptions, tries

_OFFER = text(
    "INSERT INTO handovers (device, link, until) VALUES (:device, :link, :until) "
    "ON CONFLICT (device) DO UPDATE SET link = excluded.link, until = excluded.until"
)


@dataclass
class DeviceLinks:
    """The stored links that share rooms between devices, and the deletion of a device's data."""

    log: StoredLog

    async def offer(self, device: str, link: str, now: float) -> None:
        """Store a device's new, only link, both by hashes, for HANDOVER_SECONDS. Raises NotKept."""
        expired = delete(handovers).where(handovers.c.until < now)
        until = now + HANDOVER_SECONDS
        await self.log.write(expired, _OFFER.bindparams(device=device, link=link, until=until))

    async def take(self, link: str, device: str, now: float) -> Sequence[str]:
        """Use up a link, share its maker's rooms with `device`, both by hashes; return the rooms.

        Raises NotKept, and OutOfDate if the link is unknown, used, expired or of `device`.
        """
        is_it = handovers.c.link == link
        query = select(handovers.c.device).where(is_it, handovers.c.until >= now)
        shared: Sequence[str] = ()

        def use_up(connection: Connection) -> None:
            nonlocal shared
            maker = connection.scalar(query.with_for_update())
            if maker is None:
                raise OutOfDate(
                    "this link was used, or is older than {minutes} minutes; make another on the "
                    "other device",
                    minutes=round(HANDOVER_SECONDS / 60),
                )
            if maker == device:
                raise OutOfDate("this is the device that made the link; open it on the other one")
            connection.execute(delete(handovers).where(is_it))
            shared = [*connection.scalars(newest_rooms(maker, MOST_LISTED_TABLES))]
            # Lock the rooms: a seat renewed at the same time is revoked here too, or not granted.
            in_order = select(rooms.c.id).where(rooms.c.id.in_(shared)).order_by(rooms.c.id)
            connection.execute(in_order.with_for_update())
            mine = (grants.c.device == maker) & grants.c.room.in_(shared)
            seats = select(grants.c.room, grants.c.seat).where(mine).order_by(grants.c.id)
            for room, seat in connection.execute(seats).all():
                grant_seat(connection, room, seat, device)
            for room in shared:
                give_order(connection, "seats", room)

        await self.log.write(use_up)
        return shared

    async def forget_at(self, room: str, device: str, *, with_room: bool) -> None:
        """Delete a device's seats in a room, and the room unless another device has a seat there.

        The device is given by its hash. Without `with_room`, the room stays in any case. Raises
        NotKept, and OutOfDate if the room is gone already.
        """

        def delete_data(connection: Connection) -> None:
            players = (grants.c.room == room) & (grants.c.seat != WATCHERS)
            others = select(grants.c.id).where(players & (grants.c.device != device)).limit(1)
            if with_room and connection.scalar(others) is None:
                delete_room(connection, room)
            mine = (grants.c.device == device) & (grants.c.room == room)
            connection.execute(delete(grants).where(mine))

        await self.log.write(delete_data)

    async def forget(self, device: str, elsewhere: Sequence[str]) -> None:
        """Delete a device's tries, handovers and push subscriptions, by its hash; not its seats.

        The servers of the rooms `elsewhere` are ordered to delete those. Raises NotKept.
        """

        def delete_data(connection: Connection) -> None:
            for room in elsewhere:
                give_order(connection, "forget", room, device)
            for table in (tries, handovers, subscriptions):
                connection.execute(delete(table).where(table.c.device == device))

        await self.log.write(delete_data)
