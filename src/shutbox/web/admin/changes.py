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
from shutbox.web.live.sealing import Sealing
from shutbox.web.logs import log
from shutbox.web.network import network
from shutbox.web.rooms import events
from shutbox.web.rooms.commands import RoomChange, unseal
from shutbox.web.rooms.link_keys import Keyring, is_room_id
from shutbox.web.rooms.permissions import check_open
from shutbox.web.rooms.room import OPENER, Room
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
        return RoomChange((*unseal(room), events.Closed()), by_host=True)

    _changed(archive, id, make)


def rotate_host(archive: Archive, id: str) -> str:
    """Replace the link of a room's opener, and return the new one: /r/ID#KEY.

    Raises UnknownRoom, RoomClosed, DamagedStore.
    """

    def make(room: Room) -> RoomChange:
        check_open(room)
        return RoomChange((events.Renewed(OPENER),), by_host=True)

    return f"/r/{id}#{_changed(archive, id, make)}"


def _changed(archive: Archive, id: str, make: Callable[[Room], RoomChange]) -> str:
    """Apply the change that `make` returns to a room, and return the key of its opener's link."""
    log_of(archive, id)  # raises before anything is logged

    async def store(batch: Batch) -> None:
        commit(archive.database, [batch])

    async def change() -> str:
        keyring = Keyring(archive.stored_secret() or b"")
        stored = StoredLog(archive, store)
        stored.shared = True  # a running server may write to the same room
        with closing(stored):
            rooms = Rooms(stored, keyring, lambda message: b"", log, seed_of=stored.seed_of)
            live = await rooms.find(id)
            await Sealing(rooms).load(live)
            await rooms.change(live, None, make)
            return rooms.access.key(live.room, OPENER)

    return asyncio.run(change())


def check_exists(archive: Archive, id: str) -> None:
    """Raise UnknownRoom if there is no such room; a damaged one passes."""
    with suppress(DamagedStore):
        if not is_room_id(id) or not archive.length(id):
            raise UnknownRoom("there is no table {room!r}", room=id)


def delete(archive: Archive, id: str) -> None:
    """Delete a room, damaged or not, with all its data. Raises UnknownRoom."""
    if not is_room_id(id):
        log_of(archive, id)  # raises UnknownRoom
    try:
        _store(archive, deleted(id))
    except OutOfDate:
        log_of(archive, id)
        raise
    if not archive.database.is_shared:  # SQLite allows one writer at a time
        sleep(_PAUSE_SECONDS)


def rotate_secret(archive: Archive) -> None:
    """Replace the stored secret that signs keys, which revokes every existing link."""
    _store(archive, new_secret())


@dataclass(frozen=True, slots=True)
class Ban:
    """A banned network."""

    network: str
    until: float | None
    """Seconds since 1970; None if permanent."""


def ban(archive: Archive, address: str, seconds: float | None, *, anyway: bool = False) -> Ban:
    """Ban an IP address or an IPv6 /64 for some seconds, or permanently with None.

    Raises BadRequest if it is no address; unless `anyway`, NotAllowed if a proxy may have it.
    """
    found = Ban(_network(address), None if seconds is None else time() + seconds)
    visitor, place = (ip_address(text.removesuffix("/64")) for text in (address, found.network))
    if visitor.is_unspecified or visitor.is_multicast:  # never the address of a client
        raise _no_address(address)
    if any(place in near for near in _NEAR) and not anyway:
        raise NotAllowed(
            "{address} belongs to this machine or its network. "
            "If it is your proxy, the ban shuts everybody out; --yes bans it anyway",
            address=address,
        )
    _store(archive, banned(found.network, found.until))
    return found


def unban(archive: Archive, address: str) -> str:
    """Lift a ban, and return its network. Raises BadRequest, and OutOfDate if there is none."""
    network = _network(address)
    _store(archive, unbanned(network))
    return network


def bans_of(archive: Archive) -> Sequence[Ban]:
    """Return the bans in force, sorted by network."""
    query = select(bans.c.network, bans.c.until).order_by(bans.c.network)
    found = [Ban(*row) for row in archive.database.rows(query)]
    return [ban for ban in found if ban.until is None or ban.until > time()]


def _network(address: str) -> str:
    """Return an IPv4 address itself, or the /64 of an IPv6 address or /64. Raises BadRequest."""
    try:
        found = network(str(ip_address(address.removesuffix("/64"))))
    except ValueError:
        raise _no_address(address) from None
    if "/" in address and "/" not in found:  # IPv4 addresses are banned one by one
        raise _no_address(address)
    return found


def _no_address(address: str) -> BadRequest:
    return BadRequest("{address!r} is not an address such as 192.0.2.7", address=address)


def _store(archive: Archive, write: Write) -> None:
    commit(archive.database, [Batch(extra=(write,))])
