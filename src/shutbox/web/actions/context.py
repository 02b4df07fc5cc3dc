"""The caller of an action: the device, the keys and the address, and what they open in a room."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from shutbox.lru import LruCache
from shutbox.web import limits
from shutbox.web.actions.replies import Done, RoomReply
from shutbox.web.live.advisor import Advisor
from shutbox.web.live.days import Days
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.network import network
from shutbox.web.rooms.commands import IdempotencyKey, Moment, Outcome, RoomChange
from shutbox.web.rooms.events import RoomEvent
from shutbox.web.rooms.link_keys import hashed, new_device
from shutbox.web.rooms.permissions import Viewer, Who, check
from shutbox.web.rooms.ports import Works
from shutbox.web.rooms.room import HOST, WATCHERS, Room
from shutbox.web.rooms.shapes import json_text
from shutbox.web.rooms.view import You, log_lines, rules_of, you

T = TypeVar("T")
Command = Callable[[Room, Any, Moment], tuple[RoomEvent, ...]]
"""What is asked of a room, as the events that are to happen; see `rooms/commands.py`."""


class RateLimits(Protocol):
    """Counts how often something is done."""

    async def check(self, rate: str, what: str, who: str, *, address: str = "") -> None:
        """Count one more; `address` asks, if it is not what is counted. Raises TooOften."""

    async def check_day(self, who: str) -> None:
        """Count one more event that an address has stored today. Raises TooOften."""

    def stored(self, who: str, size: int) -> None:
        """So many bytes were stored for an address."""


class Services:
    """What actions need of the process that serves them."""

    rooms: Rooms
    days: Days
    advisor: Advisor
    rates: RateLimits
    pool: Works
    reviews: LruCache[str, Any]
    turns: LruCache[str, Any]
    """Those that were played at a table, by its id: the number of its last event, and the turns."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, whatever it is about."""

    services: Services
    device: str | None
    """The cookie; None where keys came with it."""
    keys: tuple[str, ...]
    """What it shows as a bearer."""
    address: str
    origin: str
    """The address that people use, for links."""
    room: str = ""
    """The room that the address names, of which the caller may know no more than its link."""

    @property
    def waits_as(self) -> str:
        """For whom work is done in turns: those of one household wait for one another."""
        return network(self.address)

    def with_device(self) -> "Caller":
        """Return the caller with a new device, if nobody could recognise them otherwise."""
        return self if self.by else replace(self, device=new_device())

    def with_keys(self, *keys: str) -> "Caller":
        """The same, with more keys."""
        return replace(self, keys=(*self.keys, *keys))

    @property
    def by(self) -> str:
        """Who it is, hashed, for actions that are asked for again; empty: nobody knows."""
        said = ",".join(self.keys) or self.device
        return hashed(said) if said else ""

    async def count(self, rate: str, what: str) -> None:
        """Count one more of what this address does. Raises TooOften."""
        await self.services.rates.check(rate, what, self.address)

    async def do(
        self, work: Callable[..., T], *about: Any, quick: bool = False, patient: bool = False
    ) -> T:
        """Return what a piece of work gives, in the turn of who asks; see `Pool.do`."""
        pool = self.services.pool
        return await pool.do(self.waits_as, work, *about, quick=quick, patient=patient)


@dataclass(frozen=True, slots=True)
class RoomCaller:
    """Who asks about a room."""

    who: Caller
    live: LiveRoom
    viewer: Viewer

    @property
    def you(self) -> You:
        """What the caller sees of their own seats and rights."""
        rooms, room = self.who.services.rooms, self.live.room
        address = f"{self.who.origin}/r/{room.id}"
        return you(room, self.viewer, address, rooms.access.keyring, rooms.now())

    @property
    def sight(self) -> RoomReply:
        """The room as it is now, as the caller sees it."""
        room = self.live.room
        return RoomReply(self.live.broadcast.present(), self.you, log_lines(room), rules_of(room))

    def game(self, asked: int | None) -> int:
        """The number of the game that is asked for, or else of the one that is played."""
        return self.live.room.game if asked is None else asked

    def check(self, who: Who, seat: int = WATCHERS) -> None:
        """Raise NotAllowed where the caller is none of these."""
        check(who, self.live.room, self.viewer, seat)

    async def count(self, rate: str, what: str, seat: int) -> None:
        """Count one more of what a seat does. Raises TooOften."""
        doer = f"{self.live.room.id}/{seat}"
        await self.who.services.rates.check(rate, what, doer, address=self.who.address)

    async def now(self) -> "RoomCaller":
        """The same, by what has become of seats and links since they came."""
        access = self.who.services.rooms.access
        viewer = await access.viewer(self.live, self.who.device, self.who.keys)
        return replace(self, viewer=viewer)

    async def again(self, *keys: str) -> "RoomCaller":
        """The same with more keys, once something about seats has changed."""
        return await room_caller(self.who.with_keys(*keys), self.live.room.id)

    async def admit(self, who: Who, seat: int, *, plays: bool = False) -> None:
        """Count one more change that the caller asks for, before anybody works for it.

        What `plays` the game is counted for its seat; a change about seats, links or games for the
        caller's. Raises NotAllowed and TooOften.
        """
        self.check(who, seat)
        if plays:
            await self.count(limits.ACTIONS_OF_SEAT, "seat-actions", seat)
        else:
            mine = min(self.viewer.seats, default=HOST)
            await self.count(limits.CHANGES_OF_SEAT, "seat-changes", mine)
        await self.who.services.rates.check_day(self.who.address)

    async def change(
        self, what: str, who: Who, asked: Any, make: Callable[[Room], RoomChange]
    ) -> Outcome:
        """Apply the change that `make` returns, if the caller may do `what` once the lock is held.

        If this was done before by its id, return its stored result. The caller has been admitted.
        """
        services, address = self.who.services, self.who.address

        async def allowed() -> None:
            (await self.now()).check(who, seat_of(asked))

        key = key_of(self.who, what, asked)
        outcome = await services.rooms.change(self.live, key, make, allowed=allowed)
        services.rates.stored(address, outcome.stored)
        self.live.address = address
        return outcome

    async def arrange(self, what: str, who: Who, asked: Any, command: Command) -> Done:
        """Run a command about seats or games, and return what the room is like then."""
        rooms, mine = self.who.services.rooms, self.viewer.seats

        def make(room: Room) -> RoomChange:
            return RoomChange(command(room, asked, rooms.moment(mine)))

        await self.admit(who, seat_of(asked))
        outcome = await self.change(what, who, asked, make)
        return Done(outcome.number, self.live.broadcast.present(), (await self.again()).you)


def seat_of(asked: Any) -> int:
    """Return the seat that something is about; WATCHERS where it is about none."""
    return getattr(asked, "seat", WATCHERS)


def key_of(who: Caller, what: str, asked: Any) -> IdempotencyKey:
    """Return who asks, and for what: the same id for anything else is refused."""
    return IdempotencyKey(asked.action, hashed(f"{who.by} {what} {json_text(asked)}"))


async def room_caller(who: Caller, room: str, *, newest: bool = False) -> RoomCaller:
    """Who asks about a room; `newest`: as it is by now at all processes.

    Raises UnknownRoom, and TooOften where keys are tried and tried.
    """
    rooms = who.services.rooms
    live = await rooms.find(room, who.waits_as)
    if newest and not live.lock.locked():
        await rooms.catch_up(live)
    viewer = await rooms.access.viewer(live, who.device, who.keys)
    if not viewer.may_see:
        # The link may have been made at another process, a moment ago.
        await rooms.catch_up(live)
        viewer = await rooms.access.viewer(live, who.device, who.keys)
    if who.keys and not viewer.may_see:
        await who.count(limits.KEYS_OF_ADDRESS, "keys")
    return RoomCaller(who, live, viewer)
