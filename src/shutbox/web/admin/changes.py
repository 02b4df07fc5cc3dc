"""The host's changes to tables, links and bans; running servers apply them within seconds."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from time import sleep, time

from sqlalchemy import select

from shutbox.errors import OutOfDate
from shutbox.web.admin.survey import log_of
from shutbox.web.errors import BadRequest, DamagedStore, NotAllowed, UnknownRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.logs import log
from shutbox.web.network import network
from shutbox.web.rooms import events
from shutbox.web.rooms.commands import RoomChange
from shutbox.web.rooms.link_keys import Keyring, is_room_id
from shutbox.web.rooms.permissions import check_open
from shutbox.web.rooms.room import HOST, Room
from shutbox.web.storage.group_commit import Batch, Write, commit
from shutbox.web.storage.host import banned, deleted, new_secret, unbanned
from shutbox.web.storage.log import Archive, StoredLog
from shutbox.web.storage.schema import bans

_PAUSE_SECONDS = 0.05  # after a write, so that players' writes get through
_NEAR = [
    ip_network(text)
    for text in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"),
        *("169.254.0.0/16", "::/64", "fc00::/7", "fe80::/10"),
    )
]
"""The networks in which proxies run: this machine and private networks."""


def close(archive: Archive, id: str) -> None:
    """Close a room to all further actions. Raises UnknownRoom, RoomClosed, DamagedStore."""

    def make(room: Room) -> RoomChange:
        check_open(room)
        return RoomChange((events.Closed(),), by_host=True)

    _changed(archive, id, make)


def rotate_host(archive: Archive, id: str) -> str:
    """Replace the link of a room's opener, and return the new one's path with its key."""
    renewed = RoomChange((events.Renewed(HOST),), by_host=True)
    return f"/r/{id}#{_changed(archive, id, lambda room: renewed)}"


def _changed(archive: Archive, id: str, make: Callable[[Room], RoomChange]) -> str:
    """Apply the change that `make` returns to a room, and return the key of its opener's link."""
    log_of(archive, id)  # raises before anything is logged

    async def keep(batch: Batch) -> None:
        commit(archive.database, [batch])

    async def change() -> str:
        keyring = Keyring(archive.kept_secret() or b"")
        stored = StoredLog(archive, keep)
        stored.shared = True  # a running server may write to the same room
        with closing(stored):
            rooms = Rooms(stored, keyring, lambda message: b"", log)
            live = await rooms.find(id)
            await rooms.change(live, None, make)
            return rooms.access.key(live.room, HOST)

    return asyncio.run(change())


def check_there(archive: Archive, id: str) -> None:
    """Raise UnknownRoom if there is no such room; a damaged one passes."""
    with suppress(DamagedStore):
        if not is_room_id(id) or not archive.length(id):
            raise UnknownRoom("there is no table {room!r}", room=id)


def delete(archive: Archive, id: str) -> None:
    """Delete a room, damaged or not, with all its data. Raises UnknownRoom."""
    if not is_room_id(id):
        log_of(archive, id)  # raises UnknownRoom
    try:
        _keep(archive, deleted(id))
    except OutOfDate:
        log_of(archive, id)
        raise
    if not archive.database.is_shared:  # SQLite allows one writer at a time
        sleep(_PAUSE_SECONDS)


def rotate_secret(archive: Archive) -> None:
    """Replace the secret of the server, which revokes every existing link."""
    _keep(archive, new_secret())


@dataclass(frozen=True, slots=True)
class Ban:
    """A banned network."""

    network: str
    until: float | None
    """Seconds since 1970; None if permanent."""


def ban(archive: Archive, address: str, seconds: float | None, *, anyway: bool = False) -> Ban:
    """Ban an address for some seconds, or permanently with None.

    Raises BadRequest if it is not an address, and NotAllowed if a proxy may have it, unless
    `anyway`.
    """
    found = Ban(_network(address), None if seconds is None else time() + seconds)
    visitor, place = (ip_address(text.removesuffix("/64")) for text in (address, found.network))
    if visitor.is_unspecified or visitor.is_multicast:  # never the address of a client
        raise _no_address(address)
    if any(place in near for near in _NEAR) and not anyway:
        raise NotAllowed(
            "{address} is of this machine or of its own network. A proxy that has it would "
            "shut everybody out; --yes does it all the same",
            address=address,
        )
    _keep(archive, banned(found.network, found.until))
    return found


def unban(archive: Archive, address: str) -> str:
    """Lift the ban of an address and return its network. Raises BadRequest and OutOfDate."""
    network = _network(address)
    _keep(archive, unbanned(network))
    return network


def bans_of(archive: Archive) -> Sequence[Ban]:
    """Return the bans in force, sorted by network."""
    query = select(bans.c.network, bans.c.until).order_by(bans.c.network)
    found = [Ban(*row) for row in archive.database.rows(query)]
    return [ban for ban in found if ban.until is None or ban.until > time()]


def _network(address: str) -> str:
    """Return the network of an address, or of an IPv6 /64. Raises BadRequest."""
    try:
        found = network(str(ip_address(address.removesuffix("/64"))))
    except ValueError:
        raise _no_address(address) from None
    if "/" in address and "/" not in found:  # IPv4 addresses are banned one by one
        raise _no_address(address)
    return found


def _no_address(address: str) -> BadRequest:
    return BadRequest("{address!r} is no address such as 192.0.2.7", address=address)


def _keep(archive: Archive, write: Write) -> None:
    commit(archive.database, [Batch(also=(write,))])
