"""The host that rooms have in a browser: a log in its database, and nobody who works but itself.

Other pages of the browser write to the same log; of two that are equally quick the database lets
one be the first.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from shutbox.errors import NotKept, OutOfDate
from shutbox.web.errors import UnknownRoom
from shutbox.web.live.access import opener_seats
from shutbox.web.rooms import events
from shutbox.web.rooms.ports import Addition, Entries
from shutbox.web.rooms.room import Room, replayed

T = TypeVar("T")


class EventStore(Protocol):
    """The database of the browser."""

    def read(self, room: str, after: int) -> Awaitable[str]:
        """The events of a room after that number: a JSON list of number, time and text."""

    def keep(self, room: str, rows: str) -> Awaitable[bool]:
        """Keep such events, all or none; False: there is one of this number, or none before it."""


class DeviceLog:
    """The log of this device; see `rooms/ports.py`."""

    shared = True

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._seats: dict[str, frozenset[int]] = {}
        """Of each room that was read: the people before the screen sit at all seats of people."""

    async def replayed(self, room: str, who: str) -> tuple[Room, Entries]:
        """Return the room that its whole log leads to. Raises UnknownRoom and BadRecord."""
        found = await self.read(room)
        return replayed(room, found.events), found

    async def read(self, room: str, after: int = 0, seal: str = "") -> Entries:
        """Return what is stored of a room after that number.

        Raises NotKept, and UnknownRoom where the event before is gone: the browser has cleared it.
        """
        rows = json.loads(await _answered(self._store.read(room, max(0, after - 1))))
        if not rows or rows[0][0] != max(1, after):
            raise UnknownRoom("there is no such table")
        found = [(number, at, events.decoded(text)) for number, at, text in rows]
        if after:
            return Entries(found[1:])
        self._seat(room, found[0][2])
        return Entries(found)

    async def has(self, room: str) -> bool:
        """Return whether there is anything of a room: who writes to it finds out."""
        return True

    async def append(self, addition: Addition) -> tuple[str, int]:
        """Return once it is on the disk. Raises OutOfDate and NotKept."""
        room = addition.room.id
        rows = [(number, at, events.encoded(event)) for number, at, event in addition.events]
        if not rows:
            return "", 0
        if not await _answered(self._store.keep(room, json.dumps(rows))):
            raise OutOfDate("the table has moved on; look again")
        if addition.opens:
            self._seat(room, addition.events[0][2])
        return "", 0

    def _seat(self, room: str, opened: events.RoomEvent) -> None:
        if isinstance(opened, events.Opened):
            self._seats[room] = frozenset(opener_seats(opened))

    async def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Return where the people before the screen sit."""
        return self._seats.get(room, frozenset())

    async def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """Return nothing: the pages of a device remember its tables."""
        return ()


async def _answered(asked: Awaitable[T]) -> T:
    """Return what the browser answers. Raise NotKept for whatever else it says."""
    try:
        return await asked
    except Exception as error:  # it has no room left, most likely, or keeps nothing at all
        raise NotKept("this browser keeps nothing more: {why}", why=error) from None


class AtOnce:
    """Does what takes a while at once: a device has nobody else for it."""

    closed = False

    async def do(
        self,
        who: str,
        work: Callable[..., T],
        *about: Any,
        quick: bool = False,
        patient: bool = False,
        most: int = 0,
    ) -> T:
        """Return what a piece of work gives."""
        return work(*about)

    def warm(self) -> None:
        """Do nothing: the engine is there."""


class Unlimited:
    """Counts nothing: a device asks for nobody else."""

    async def check(self, rate: str, what: str, who: str, *, address: str = "") -> None:
        """Let it be done."""

    async def check_day(self, who: str) -> None:
        """Let it be stored."""

    def stored(self, who: str, size: int) -> None:
        """Forget it."""
