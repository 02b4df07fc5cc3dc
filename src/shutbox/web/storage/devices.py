"""What is stored of devices: links and phrases between them, their push subscriptions, deletion.

Device links and recovery phrases add the games of one device to another. Only hashes of keys,
phrases and devices are stored. A link works once and soon expires. The grants of a link and its
deletion are one write, so if two devices use it at once, even at different processes, the second is
refused. A phrase works until another replaces it, and belongs to the device that used it last.
`live/turn_notices.py` sends to the push subscriptions.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Executable, Select, delete, insert, select, text, update

from shutbox.errors import OutOfDate
from shutbox.web.limits import HANDOVER_SECONDS, MOST_LISTED_TABLES
from shutbox.web.rooms.ports import Subscription
from shutbox.web.rooms.room import WATCHERS
from shutbox.web.storage.group_commit import give, written
from shutbox.web.storage.host import deleted
from shutbox.web.storage.log import StoredLog, newest_rooms
from shutbox.web.storage.schema import (
    Grant,
    grants,
    handovers,
    recoveries,
    rooms,
    subscriptions,
    tries,
)
from shutbox.web.storage.seals import seal

_MOST_OF_A_SEAT = 8  # devices of one seat that are told; the newest subscriptions
_STORE = (
    "INSERT INTO subscriptions (device, endpoint, key, auth, at) "
    "VALUES (:device, :endpoint, :key, :auth, :at) ON CONFLICT (device) DO UPDATE SET "
    "endpoint = excluded.endpoint, key = excluded.key, auth = excluded.auth, at = excluded.at"
)
_MADE = (
    "INSERT INTO handovers (device, link, until) VALUES (:device, :link, :until) "
    "ON CONFLICT (device) DO UPDATE SET link = excluded.link, until = excluded.until"
)


class DeviceLinks:
    """The stored device links and recovery phrases, as one process sees them.

    `phrase_hash` is the slow hash of a phrase, as `Keyring` computes it.
    """

    def __init__(self, log: StoredLog, phrase_hash: Callable[[str], str]) -> None:
        self._log = log
        self._phrase_hash = phrase_hash
        self._hashing = asyncio.Lock()  # one hash at a time, since each takes 16 MB

    async def offer(self, device: str, link: str, now: float) -> None:
        """Store a new link of a device, both by their hashes. Raises NotKept.

        It replaces the device's earlier link. Expired links are deleted.
        """

        def made(connection: Connection) -> None:
            connection.execute(delete(handovers).where(handovers.c.until < now))
            row = {"device": device, "link": link, "until": now + HANDOVER_SECONDS}
            connection.execute(text(_MADE), row)

        await self._log.write(made)

    async def take(self, link: str, device: str, now: float) -> Sequence[str]:
        """Use a link for a device, both by their hashes, and return the rooms that it shares.

        Raises NotKept, NoAnswer; OutOfDate if the link is unknown, used, expired or of this device.
        """
        is_it = handovers.c.link == link
        by = select(handovers.c.device).where(is_it, handovers.c.until >= now)
        unknown = OutOfDate(
            "this link was used, or is older than {minutes} minutes; make another on the other "
            "device",
            minutes=round(HANDOVER_SECONDS / 60),
        )
        own = OutOfDate("this is the device that made the link; open it on the other one")
        return await self._share(device, by, delete(handovers).where(is_it), unknown, own)

    async def set_phrase(self, device: str, phrase: str) -> None:
        """Store a new recovery phrase of a device, given by its hash. Raises NotKept.

        It replaces the device's earlier phrases.
        """
        found = {"phrase": await self._hashed(phrase), "device": device}

        def made(connection: Connection) -> None:
            connection.execute(delete(recoveries).where(recoveries.c.device == device))
            connection.execute(insert(recoveries), found)

        await self._log.write(made)

    async def recover(self, phrase: str, device: str) -> Sequence[str]:
        """Use a recovery phrase for a device, given by its hash; return the rooms that it shares.

        The phrase then belongs to this device. Raises OutOfDate if it is unknown, replaced or of
        this very device, NotKept and NoAnswer.
        """
        is_it = recoveries.c.phrase == await self._hashed(phrase)
        by = select(recoveries.c.device).where(is_it)
        used = update(recoveries).where(is_it).values(device=device)
        unknown = OutOfDate(
            "no device here has this recovery phrase, or a newer one has replaced it"
        )
        own = OutOfDate("the tables of this recovery phrase are on this device already")
        return await self._share(device, by, used, unknown, own)

    async def forget(self, device: str, found: Sequence[str], shared: Collection[str]) -> None:
        """Delete all that is stored of a device, given by its hash, but of its rooms only `found`.

        A room is deleted with its games unless it is in `shared` or another device has a seat
        there; then only the device's seats are deleted. Raises NotKept.
        """

        def gone(connection: Connection) -> None:
            for room in found:
                here = (grants.c.room == room) & (grants.c.seat != WATCHERS)
                others = select(grants.c.id).where(here & (grants.c.device != device)).limit(1)
                if room not in shared and connection.scalar(others) is None:
                    deleted(room)(connection)
            mine = (grants.c.device == device) & grants.c.room.in_(found)
            connection.execute(delete(grants).where(mine))
            for table in (tries, handovers, recoveries, subscriptions):
                connection.execute(delete(table).where(table.c.device == device))

        await self._log.write(gone)

    async def _hashed(self, phrase: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._phrase_hash, phrase)

    async def _share(
        self,
        device: str,
        by: Select[Any],
        used: Executable,
        unknown: OutOfDate,
        own: OutOfDate,
    ) -> Sequence[str]:
        """Give `device` the seats of the device that the query `by` finds, and return the rooms.

        `used` writes that the link or phrase was used. Raises `unknown` if no device is found, and
        `own` if it is this one.
        """

        def maker_of(found: str | None) -> str:
            if found is None:
                raise unknown
            if found == device:
                raise own
            return found

        # Check before writing: a refused write delays the other batches of its commit.
        maker_of(next((str(row.device) for row in await self._log.rows(by)), None))
        found: Sequence[str] = ()

        def taken(connection: Connection) -> None:
            nonlocal found
            maker = maker_of(connection.scalar(by.with_for_update()))
            connection.execute(used)
            found = [*connection.scalars(newest_rooms(maker, MOST_LISTED_TABLES))]
            # Lock the rooms: a seat renewed at the same time is revoked here too, or not granted.
            here = select(rooms.c.id).where(rooms.c.id.in_(found)).order_by(rooms.c.id)
            connection.execute(here.with_for_update())
            mine = (grants.c.device == maker) & grants.c.room.in_(found)
            query = select(grants.c.room, grants.c.seat, grants.c.seal).where(mine)
            for room, seat, stored in connection.execute(query.order_by(grants.c.id)).all():
                if stored == seal(room, seat, maker):
                    give(connection, Grant(room, seat, device))

        await self._log.write(taken)
        return found


@written
def _stored(connection: Connection, device: str, now: float, found: Subscription) -> None:
    # A browser whose cookie was lost subscribes as a new device, with its old endpoint.
    connection.execute(delete(subscriptions).where(subscriptions.c.endpoint == found.endpoint))
    row = {"device": device, "at": now, **found._asdict()}
    connection.execute(text(_STORE), row)


class StoredSubscriptions:
    """The stored push subscriptions, as one process sees them; devices are given as hashes."""

    def __init__(self, log: StoredLog) -> None:
        self._log = log

    async def store(self, device: str, now: float, found: Subscription) -> None:
        """Store the subscription of a device, which replaces its earlier one. Raises NotKept."""
        await self._log.write(_stored(device, now, found))

    async def forget(self, *, device: str = "", endpoint: str = "") -> None:
        """Delete the subscription of a device, or the one with an endpoint. Raises NotKept."""
        columns = subscriptions.c
        is_it = columns.device == device if device else columns.endpoint == endpoint
        gone = delete(subscriptions).where(is_it)
        await self._log.write(lambda connection: connection.execute(gone))

    async def at_seat(self, room: str, seat: int) -> Sequence[Subscription]:
        """Return a few subscriptions of a seat's devices, newest first. Raises NoAnswer."""
        mine = (grants.c.room == room) & (grants.c.seat == seat)
        query = select(grants.c.seal, *subscriptions.c).join_from(
            grants, subscriptions, grants.c.device == subscriptions.c.device
        )
        newest = query.where(mine).order_by(subscriptions.c.at.desc()).limit(_MOST_OF_A_SEAT)
        return [
            Subscription(row.endpoint, row.key, row.auth)
            for row in await self._log.rows(newest)
            if row.seal == seal(room, seat, row.device)
        ]
