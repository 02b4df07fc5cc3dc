"""What the host does to tables, links and visitors; the servers hear of it within seconds."""

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

_PAUSE_SECONDS = 0.05  # after a write, where those who play wait for it
_NEAR = [
    ip_network(text)
    for text in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"),
        *("169.254.0.0/16", "::/64", "fc00::/7", "fe80::/10"),
    )
]
"""Where proxies are: this machine, and networks of one's own."""


def close(archive: Archive, id: str) -> None:
    """Let nobody do anything in a room any more. Raises UnknownRoom, RoomClosed, DamagedStore."""

    def make(room: Room) -> RoomChange:
        check_open(room)
        return RoomChange((events.Closed(),), by_host=True)

    _changed(archive, id, make)


def rotate_host(archive: Archive, id: str) -> str:
    """Make the host's link of a room anew; its address, from the `/` on. The old one is void."""
    renewed = RoomChange((events.Renewed(HOST),), by_host=True)
    return f"/r/{id}#{_changed(archive, id, lambda room: renewed)}"


def _changed(archive: Archive, id: str, make: Callable[[Room], RoomChange]) -> str:
    """Let it happen in a room; the key of its host then."""
    log_of(archive, id)  # or it raises, before anything is logged

    async def keep(batch: Batch) -> None:
        commit(archive.database, [batch])

    async def change() -> str:
        keyring = Keyring(archive.kept_secret() or b"")
        stored = StoredLog(archive, keep)
        stored.shared = True  # the server that runs has its rooms, too
        with closing(stored):
            rooms = Rooms(stored, keyring, lambda message: b"", log)
            live = await rooms.find(id)
            await rooms.change(live, None, make)
            return rooms.access.key(live.room, HOST)

    return asyncio.run(change())


def check_there(archive: Archive, id: str) -> None:
    """Raise UnknownRoom where there is no such room; a damaged one is there."""
    with suppress(DamagedStore):
        if not is_room_id(id) or not archive.length(id):
            raise UnknownRoom("there is no table {room!r}", room=id)


def delete(archive: Archive, id: str) -> None:
    """Delete a room with all that is kept of it; it may be a damaged one. Raises UnknownRoom."""
    if not is_room_id(id):
        log_of(archive, id)  # which says that there is none
    try:
        _keep(archive, deleted(id))
    except OutOfDate:
        log_of(archive, id)
        raise
    if not archive.database.is_shared:  # SQLite lets one write at a time
        sleep(_PAUSE_SECONDS)


def rotate_secret(archive: Archive) -> None:
    """Make the keys of all links anew: every link there is opens nothing."""
    _keep(archive, new_secret())


@dataclass(frozen=True, slots=True)
class Ban:
    """Who is shut out."""

    network: str
    until: float | None
    """Seconds since 1970; None for ever."""


def ban(archive: Archive, address: str, seconds: float | None, *, anyway: bool = False) -> Ban:
    """Shut an address out; so many seconds, or for ever.

    Raises BadRequest where it is none, and NotAllowed where a proxy may have it, unless `anyway`.
    """
    found = Ban(_network(address), None if seconds is None else time() + seconds)
    visitor, place = (ip_address(text.removesuffix("/64")) for text in (address, found.network))
    if visitor.is_unspecified or visitor.is_multicast:  # nobody comes from there
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
    """Shut an address out no more; what counts as one. Raises BadRequest, and OutOfDate."""
    network = _network(address)
    _keep(archive, unbanned(network))
    return network


def bans_of(archive: Archive) -> Sequence[Ban]:
    """Who is shut out by now."""
    query = select(bans.c.network, bans.c.until).order_by(bans.c.network)
    found = [Ban(*row) for row in archive.database.rows(query)]
    return [ban for ban in found if ban.until is None or ban.until > time()]


def _network(address: str) -> str:
    """What counts as one address. Raises BadRequest."""
    try:
        found = network(str(ip_address(address.removesuffix("/64"))))
    except ValueError:
        raise _no_address(address) from None
    if "/" in address and "/" not in found:  # as many addresses of IPv4 are not shut out at once
        raise _no_address(address)
    return found


def _no_address(address: str) -> BadRequest:
    return BadRequest("{address!r} is no address such as 192.0.2.7", address=address)


def _keep(archive: Archive, write: Write) -> None:
    commit(archive.database, [Batch(also=(write,))])
