"""Taking one's games along: a link by which another device gets the seats of this one.

The key of the link stands after the sign #, where no server, log or Referer sees it. It is good for
one device and a quarter of an hour; only its hash is kept. A link that got into wrong hands is
undone as any other: the links of the seats are made anew, and those to watch.
"""

from collections.abc import Sequence

from shutbox.web.live.repository import Rooms
from shutbox.web.rooms.link_keys import hashed, new_key
from shutbox.web.storage import handovers
from shutbox.web.storage.group_commit import Batch


async def offer(rooms: Rooms, device: str) -> str:
    """The key of a new link; the one that this device made before is void. Raises NotKept."""
    key = new_key()
    link = handovers.offered(hashed(device), hashed(key), rooms.now())
    await rooms.writer.keep(Batch(also=(link,)))
    return key


async def check(rooms: Rooms, key: str, device: str) -> None:
    """Raise OutOfDate where a device cannot use the key of a link now.

    Asked before it is used: a write that is refused holds up those that it was written with.
    """
    database = rooms.archive.database
    await rooms.read(handovers.check, database, hashed(key), hashed(device), rooms.now())


async def take(rooms: Rooms, key: str, device: str) -> Sequence[str]:
    """The rooms in which a device gets seats by the key of a link. Raises OutOfDate and NotKept."""
    taken = handovers.Taken(hashed(key), hashed(device), rooms.now())
    await rooms.writer.keep(Batch(also=(taken,)))
    for room in taken.rooms:
        if live := rooms.at_hand(room):
            live.devices = {}  # where a device may sit is read anew
    return taken.rooms
