"""The push subscriptions of devices in the database; see `live/turn_notices.py`."""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, select, text

from shutbox.web.rooms.ports import Subscription
from shutbox.web.storage.group_commit import written
from shutbox.web.storage.log import StoredLog
from shutbox.web.storage.schema import grants, subscriptions
from shutbox.web.storage.seals import seal

_MOST_OF_A_SEAT = 8  # devices of one seat that are told; the newest subscriptions
_STORE = (
    "INSERT INTO subscriptions (device, endpoint, key, auth, at) "
    "VALUES (:device, :endpoint, :key, :auth, :at) ON CONFLICT (device) DO UPDATE SET "
    "endpoint = excluded.endpoint, key = excluded.key, auth = excluded.auth, at = excluded.at"
)


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
