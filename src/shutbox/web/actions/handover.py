"""The link that takes one's games along, made and used within its rates."""

from collections.abc import Sequence

from shutbox.errors import OutOfDate
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.live import handovers
from shutbox.web.rooms.link_keys import hashed


async def offer(who: Caller) -> str | None:
    """The address of a new link; None where this device has no tables. Raises TooOften, NotKept."""
    rooms = who.services.rooms
    if not who.device or not await rooms.read(rooms.archive.rooms_of, hashed(who.device), 1):
        return None
    await who.count(limits.HANDOVERS_OF_ADDRESS, "handovers")
    return f"{who.origin}/games/take#{await handovers.offer(rooms, who.device)}"


async def take(who: Caller, key: str) -> Sequence[str]:
    """Return the rooms in which this device, which has a cookie, gets seats by a link.

    Raises OutOfDate where the link is not good, TooOften and NotKept.
    """
    assert who.device is not None  # see `browser`
    rooms = who.services.rooms
    try:
        await handovers.check(rooms, key, who.device)
    except OutOfDate:
        await who.count(limits.KEYS_OF_ADDRESS, "keys")
        raise
    return await handovers.take(rooms, key, who.device)
