"""The host's tools: reports on the database, and changes to it while servers run."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from ipaddress import ip_address, ip_network
from time import sleep, time
from typing import Any, Literal

from sqlalchemy import ColumnElement, LargeBinary, Select, cast, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from shutbox.engine.errors import BadRecord, ShutboxError
from shutbox.engine.messages import gettext
from shutbox.web.actions.replays import records_of
from shutbox.web.errors import (
    BadRequest,
    DamagedStore,
    NoAnswer,
    NotAllowed,
    UnknownRoom,
    one_line,
)
from shutbox.web.limits import network
from shutbox.web.live.repository import Rooms
from shutbox.web.logs import log
from shutbox.web.rooms.access import Keyring, check_open, is_room_id
from shutbox.web.rooms.commands import Events, RoomChange, unseal
from shutbox.web.rooms.events import Closed, Renewed, checksum, json_text
from shutbox.web.rooms.room import OPENER, Room, replayed
from shutbox.web.storage.engine import Database, check_schema
from shutbox.web.storage.group_commit import Batch, Write, commit
from shutbox.web.storage.host import Process, banned, deleted, new_secret, unbanned
from shutbox.web.storage.log import Archive, StoredLog, numbered_events, unusable
from shutbox.web.storage.schema import bans, events, grants, processes, records, rooms

_TOGETHER = 500  # rooms returned by one query
_MOST_FAULTS = 10  # faults of the file that are reported


@dataclass(frozen=True, slots=True)
class Survey:
    """A report on a database and the servers that run on it."""

    servers: tuple[Process, ...]
    database: str  # `sqlite` or `postgresql`
    bytes: dict[str, int]  # its size by part, as `Database.sizes` returns it
    rooms: int
    events: int
    records: int  # the number of stored games of expired tables
    bans: int  # those in force
    damaged: tuple[str, ...]  # tables whose last event is wrong or missing; see `verify`


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A table as a row of the host's list of tables."""

    room: str
    title: str
    game: str
    phase: str  # `damaged` or `unplayable` if it has no title, game and seats here
    seats: tuple[str, ...]  # the names at its seats
    opened: float  # the time of its opening, in seconds since 1970
    last: float  # the time of its last event
    events: int
    bytes: int  # of its events


def status(archive: Archive) -> Survey:
    """Return a survey of the database and its servers. Raises NotKept and DamagedStore."""
    database = archive.database
    servers = select(*(processes.c[name] for name in Process.__slots__))
    ends = (events.c.room == rooms.c.id) & (events.c.number == rooms.c.length)
    broken = select(rooms.c.id).outerjoin(events, ends)
    broken = broken.where((events.c.seal != rooms.c.seal) | events.c.seal.is_(None))

    def number(query: Select[Any]) -> int:
        return int(database.rows(query)[0][0] or 0)

    return Survey(
        servers=tuple(Process(*row) for row in database.rows(servers)),
        database=database.url.get_backend_name(),
        bytes=database.sizes(),
        rooms=number(select(func.count()).select_from(rooms)),
        events=number(select(func.sum(rooms.c.length))),
        records=number(select(func.count()).select_from(records)),
        bans=len(bans_of(archive)),
        damaged=tuple(row.id for row in database.rows(broken.order_by(rooms.c.id))),
    )


def listed_rooms(
    archive: Archive,
    *,
    sort: Literal["last", "opened", "size"] = "last",
    limit: int | None = None,
    idle: float = 0.0,
) -> Iterator[RoomRow]:
    """Yield up to `limit` tables (None: all) that had no event for `idle` seconds.

    `sort` puts the latest event, the latest opening or the largest table first.
    """
    size = _size(archive.database)
    order = {"last": rooms.c.at, "opened": rooms.c.opened, "size": size}[sort]
    query: Select[Any] = select(rooms.c.id, rooms.c.opened, rooms.c.at, rooms.c.length, size)
    query = query.where(rooms.c.at <= time() - idle).order_by(order.desc(), rooms.c.id).limit(limit)
    for row in archive.database.rows(query):
        with suppress(UnknownRoom):  # deleted since the query
            about = _about(archive, row.id)
            yield RoomRow(row.id, *about, row.opened, row.at, row.length, row.bytes)


def room_at(archive: Archive, id: str) -> Room:
    """Return a room replayed from its log.

    Raises UnknownRoom, DamagedStore, BadRecord and the game's errors.
    """
    return replayed(id, numbered_events(archive.log_of(id)))


def _about(archive: Archive, id: str) -> tuple[str, str, str, tuple[str, ...]]:
    """Return a table's title, game, phase, names; if not replayed, a phase. Raises UnknownRoom."""
    try:
        room = room_at(archive, id)
        title = room.rule_card.title
    except (DamagedStore, BadRecord):
        return "", "", "damaged", ()
    except UnknownRoom:
        raise
    except ShutboxError:  # its game is missing or fails
        return "", "", "unplayable", ()
    return title, room.opened.game, room.phase, tuple(seat.name for seat in room.seats)


def _size(database: Database) -> ColumnElement[int]:
    """Return an SQL column: the bytes of a room's events, without the database's overhead."""

    def octets(column: ColumnElement[str | None]) -> ColumnElement[int]:
        if database.is_shared:
            return func.coalesce(func.octet_length(column), 0)
        return func.coalesce(func.length(cast(column, LargeBinary)), 0)

    text = func.sum(octets(events.c.entry) + octets(events.c.answer))
    query = select(func.coalesce(text, 0)).where(events.c.room == rooms.c.id)
    return query.scalar_subquery().label("bytes")


@contextmanager
def admin_archive(url: str) -> Iterator[Archive]:
    """Open an existing database for the block, without creating anything.

    Raises as `Database`; NotKept if it is missing, or of another program or version; and NotKept or
    DamagedStore if it cannot be used, also from inside the block.
    """
    database = Database(url, for_admin=True)
    try:
        with database.reader.connect() as connection:
            check_schema(connection)
        yield Archive(database)
    except (SQLAlchemyError, UnicodeDecodeError) as error:
        raise unusable(error) from None
    except NoAnswer as error:
        raise unusable(error.cause) from None
    except DamagedStore as error:
        # A mismatch of seals has no cause, and its message is already clear.
        raise unusable(error) if error.__cause__ else error from None
    finally:
        database.close()


def games(archive: Archive, room: str) -> Sequence[tuple[int, bytes]]:
    """Return (number, record) of each game of a table, even an expired one; raises as `room_at`."""
    with suppress(UnknownRoom):
        history = numbered_events(archive.log_of(room))
        return [(game, record) for game, record, _ in records_of(room, history)]
    query = select(records.c.game, records.c.record).where(records.c.room == room)
    stored = archive.database.rows(query.order_by(records.c.game)) if is_room_id(room) else ()
    if not stored:
        raise UnknownRoom("there is no table {room!r}", room=room)
    return [(game, record.encode()) for game, record in stored]


def log_lines(archive: Archive, room: str) -> Iterator[str]:
    """Yield the events of a stored log as lines of JSON. Raises UnknownRoom and DamagedStore."""
    for row in archive.log_of(room):
        yield json_text({**row._asdict(), "entry": json.loads(row.entry)})


def verify(archive: Archive, only: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Check all tables, or those in `only`; yield the id and the fault of each, "" if it is sound.

    Without `only`, also yield the faults of the database itself, with "" in place of an id. Raises
    UnknownRoom for a table in `only` that does not exist. One table at a time is in memory.
    """
    for id in only:
        yield id, _fault(archive, id)
    if only:
        return
    for fault in _file_faults(archive.database):
        yield "", fault
    try:
        archive.stored_secret()
    except (DamagedStore, SQLAlchemyError) as error:
        yield "", gettext("{reason}", reason=one_line(error.__cause__ or error))
    try:
        for id in _ids(archive.database):
            try:
                yield id, _fault(archive, id)
            except UnknownRoom:  # deleted since the query
                continue
        here = select(rooms.c.id).where(rooms.c.id == events.c.room).exists()
        lost = select(events.c.room).where(~here).distinct()
        for (id,) in archive.database.rows(lost):
            yield id, gettext("only its events are left")
    except DamagedStore as error:
        reason = one_line(error.__cause__ or error)
        yield "", gettext("the list of tables: {reason}", reason=reason)


def _fault(archive: Archive, id: str) -> str:
    """Return the fault of a table, "" if it is sound. Raises UnknownRoom."""
    try:
        room_at(archive, id)
        query = select(grants.c.room, grants.c.seat, grants.c.device, grants.c.seal)
        for *of, stored in archive.database.rows(query.where(grants.c.room == id)):
            if stored != checksum(*of):
                return gettext("its seats and links are not those that were stored")
        return ""
    except UnknownRoom:
        raise
    except DamagedStore as error:
        return one_line(error.__cause__ or error)
    except ShutboxError as error:
        return gettext("it cannot be replayed: {reason}", reason=one_line(error))


def _ids(database: Database) -> Iterator[str]:
    """Yield the ids of all tables, in order."""
    query, last = select(rooms.c.id).order_by(rooms.c.id).limit(_TOGETHER), ""
    while found := [row.id for row in database.rows(query.where(rooms.c.id > last))]:
        yield from found
        last = found[-1]


def _file_faults(database: Database) -> Iterator[str]:
    """Yield the faults that SQLite finds in its file; none for PostgreSQL."""
    if database.is_shared:
        return
    try:
        rows = database.rows(text(f"PRAGMA quick_check({_MOST_FAULTS})"))
        found = "\n".join(message for (message,) in rows)
    except DamagedStore as error:
        found = one_line(error.__cause__ or error)
    for line in found.splitlines():
        if line != "ok" and not line.startswith("***"):
            yield gettext("the file: {reason}", reason=line)


_PAUSE_SECONDS = 0.05  # after a write, so that players' writes get through
_NEAR = [  # the networks in which proxies run: this machine and private networks
    *map(ip_network, ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")),
    *map(ip_network, ("100.64.0.0/10", "169.254.0.0/16", "::/64", "fc00::/7", "fe80::/10")),
]


def close(archive: Archive, id: str) -> None:
    """Close a room to all actions, and open the envelope of sealed dice.

    Raises UnknownRoom, RoomClosed, DamagedStore and NotKept.
    """
    _changed(archive, id, lambda room: (*unseal(room), Closed()))


def rotate_host(archive: Archive, id: str) -> str:
    """Renew the link of a room's opener; return it as /r/ID#KEY. Raises as `close` does."""
    return f"/r/{id}#{_changed(archive, id, lambda room: (Renewed(OPENER),))}"


def _changed(archive: Archive, id: str, changes: Callable[[Room], Events]) -> str:
    """Add the events of `changes` to an open room, and return the key of its opener's link."""
    archive.log_of(id)  # raises before anything is logged

    def make(room: Room) -> RoomChange:
        check_open(room)
        return RoomChange(changes(room), by_host=True)

    async def store(batch: Batch) -> None:
        commit(archive.database, [batch])

    async def change() -> str:
        keyring = Keyring(archive.stored_secret() or b"")
        stored = StoredLog(archive, store)
        stored.shared = True  # a running server may write to the same room
        with closing(stored):
            rooms = Rooms(stored, keyring, lambda message: b"", log, seed_of=stored.seed_of)
            live = await rooms.find(id)
            await rooms.load_dice(live)
            await rooms.change(live, None, make)
            return rooms.access.key(live.room, OPENER)

    return asyncio.run(change())


def check_exists(archive: Archive, id: str) -> None:
    """Raise UnknownRoom if there is no such room; a damaged one passes."""
    with suppress(DamagedStore):
        if not is_room_id(id) or not archive.length(id):
            raise UnknownRoom("there is no table {room!r}", room=id)


def delete(archive: Archive, id: str) -> None:
    """Delete a room, damaged or not, and all its data but a try's result. Raises UnknownRoom."""
    check_exists(archive, id)
    _store(archive, partial(deleted, room=id))
    if not archive.database.is_shared:  # SQLite allows one writer at a time
        sleep(_PAUSE_SECONDS)


def rotate_secret(archive: Archive) -> None:
    """Replace the stored secret that signs keys, which revokes every existing link."""
    _store(archive, new_secret)


@dataclass(frozen=True, slots=True)
class Ban:
    """The ban of a network, for a time or permanently."""

    network: str
    until: float | None  # seconds since 1970; None if permanent


def ban(archive: Archive, address: str, seconds: float | None, *, anyway: bool = False) -> Ban:
    """Ban an IPv4 address, or the /64 of an IPv6 address, for `seconds`; None: permanently.

    Raises BadRequest unless a client can have this address, and NotAllowed for one of this machine
    or a private network, where the server's own proxy may run; `anyway` bans even that.
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
    _store(archive, partial(banned, **asdict(found)))
    return found


def unban(archive: Archive, address: str) -> str:
    """Lift a ban, and return its network. Raises BadRequest, and OutOfDate if there is none."""
    network = _network(address)
    _store(archive, partial(unbanned, network=network))
    return network


def bans_of(archive: Archive) -> Sequence[Ban]:
    """Return the bans in force, sorted by network."""
    lasts = bans.c.until.is_(None) | (bans.c.until > time())
    query = select(bans.c.network, bans.c.until).where(lasts).order_by(bans.c.network)
    return [Ban(*row) for row in archive.database.rows(query)]


def _network(address: str) -> str:
    """Return the network to ban: an IPv4 address, or the /64 of an IPv6 one. Raises BadRequest."""
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
