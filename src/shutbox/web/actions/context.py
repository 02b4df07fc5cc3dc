"""The caller of an action: its device, keys and address, and its permissions in a room."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from shutbox.engine.game import RuleCard
from shutbox.engine.lru import LruCache
from shutbox.web import limits
from shutbox.web.actions.rates import Rates
from shutbox.web.limits import network
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import RoomRepository
from shutbox.web.rooms.access import Permission, Viewer, check, hashed, new_device
from shutbox.web.rooms.changes import Devices, Events, IdempotencyKey, Outcome, RoomChange
from shutbox.web.rooms.log_line import LogLine
from shutbox.web.rooms.room import WATCHERS, Room, seat_of
from shutbox.web.rooms.shapes import json_text
from shutbox.web.rooms.view import View, ViewerState, log_lines, viewer_state

if TYPE_CHECKING:  # what only a server has
    from shutbox.web.compute.pool import Pool
    from shutbox.web.push import TurnNotices, WebPush
    from shutbox.web.storage.devices import DeviceLinks
    from shutbox.web.tries import Days

T = TypeVar("T")


@dataclass
class RoomReply:
    """A room as its caller sees it."""

    view: View  # the room as everybody sees it
    you: ViewerState  # what you are and may do in it
    log: tuple[LogLine, ...]  # the last 60 events that have sentences, oldest first
    rules: RuleCard  # the rules of its game


@dataclass
class Done:
    """A room after an action."""

    number: int  # the number of the last event
    view: View  # the room as everybody sees it
    you: ViewerState  # what you are and may do in it


@dataclass(frozen=True, slots=True)
class Site:
    """The public address of the server, with the names of its cookies."""

    url: str  # as configured; if empty, the address of each request counts
    origin: str  # scheme, host and port, as a browser sends them

    @property
    def secure(self) -> bool:
        """Whether the origin is https."""
        return self.origin.startswith("https:")

    @property
    def cookie(self) -> str:
        """The name of the device cookie; over https, its prefix `__Host-` binds it to this host."""
        return "__Host-device" if self.secure else "device"

    @property
    def language_cookie(self) -> str:
        """The name of the cookie with the language that a visitor chose."""
        return self.cookie.replace("device", "language")


class Services:
    """All that the requests to one process share: rooms, limits, workers and so on."""

    rooms: RoomRepository
    days: "Days"  # the boxes of the day, and the tries at them
    push: "WebPush"  # the sender of messages to browsers
    notices: "TurnNotices"  # the devices that want a message when it is their turn
    links: "DeviceLinks"  # what a device has, and the links that give it to another device
    phrases = True  # whether players can say phrases; the host of the server decides
    largest_form = limits.LARGEST_BODY  # bytes of a form in URL encoding
    closing = False  # whether it is shutting down

    def __init__(self, site: Site, pool: "Pool", rates: Rates) -> None:
        self.site, self.pool, self.rates = site, pool, rates
        self.reviews = LruCache[str, Any](limits.CACHED_REVIEWS)
        """Reviews and verdicts, by keys that `actions/reviews.py` and `advice.py` make."""
        self.reviewing: dict[str, asyncio.Task[Any]] = {}  # those that a worker computes now
        self.turns = LruCache[str, Any](limits.CACHED_TURNS)
        """The finished turns of a room, by its id and number of events."""
        self.refresh: Callable[[LiveRoom], Awaitable[None]] | None = None
        """Called before a room is shown whole: applies what was done, or ordered, elsewhere."""

    def close_streams(self) -> None:
        """Set `closing`, and end all streams, so that clients reconnect."""
        self.closing = True
        for live in self.rooms.loaded_rooms:
            live.close()


@dataclass(frozen=True, slots=True)
class Caller:
    """The client whose request calls an action, known by its keys, or else a device's cookie."""

    services: Services
    device: str | None  # the cookie of the device; None if there is none, or if there are keys
    keys: tuple[str, ...]  # the bearer keys of the request
    address: str  # the IP address of the client; empty if unknown
    origin: str  # the server's address as people use it, for links
    room: str = ""  # the id of the room in the path, or ""; the caller may lack permission there

    def with_device(self) -> "Caller":
        """Return this caller, or if it has no device and no keys, one with a new device."""
        return self if self.by else replace(self, device=new_device())

    def with_keys(self, *keys: str) -> "Caller":
        """Return a copy of this caller with more keys."""
        return replace(self, keys=(*self.keys, *keys))

    @property
    def by(self) -> str:
        """A hash of the keys, or else the device, by which retries are recognised; "" if none."""
        identity = ",".join(self.keys) or self.device
        return hashed(identity) if identity else ""

    def grants(self, *seats: int) -> Devices:
        """Return the `devices` of a change that gives this caller's device some seats.

        They can also be WATCHERS or OPENER. () for a caller without a device.
        """
        return tuple((seat, hashed(self.device)) for seat in seats) if self.device else ()

    def count(self, rate: str, what: str) -> None:
        """Count one more `what` by this address. Raises TooOften above `rate`, like "60/hour"."""
        self.services.rates.check(rate, what, self.address)

    async def do(self, work: Callable[..., T], *arguments: Any, quick: bool = False) -> T:
        """Return the result of `work(*arguments)`, queued for this network. Raises as `Pool.do`."""
        return await self.services.pool.do(network(self.address), work, *arguments, quick=quick)

    async def do_once(
        self, key: str, what: str, work: Callable[..., T], *arguments: Any, quick: bool = False
    ) -> T:
        """Return the result of `work(*arguments)`, cached under `key` for all callers.

        Callers who need it at the same time wait for one worker. Only the caller for whom that
        begins is counted, as one more `what`; "" counts nobody. Raises as `count` and `do`.
        """
        cache, running = self.services.reviews, self.services.reviewing
        known: T | None = cache.find(key)
        if known is not None:
            return known
        if key not in running:
            if what:
                self.count(limits.HINTS_OF_ADDRESS, what)
            running[key] = asyncio.create_task(self.do(work, *arguments, quick=quick))
            running[key].add_done_callback(lambda _: running.pop(key))
        result: T = await asyncio.shield(running[key])
        cache.put(key, result)
        return result


@dataclass(frozen=True, slots=True)
class RoomCaller:
    """The caller of an action in a room, with the room and the caller's permissions there."""

    client: Caller
    live: LiveRoom
    viewer: Viewer = field(default_factory=Viewer)
    devices_read: object = None
    """The `devices` of the room as `viewer` was read: others since a seat or link has changed."""

    @property
    def you(self) -> ViewerState:
        """The caller's own seats, permissions and links."""
        rooms, room = self.client.services.rooms, self.live.room
        address = f"{self.client.origin}/r/{room.id}"
        you = viewer_state(room, self.viewer, address, rooms.access.keyring, rooms.now())
        if not self.client.services.phrases:
            you.may.say = ()
        return you

    @property
    def snapshot(self) -> RoomReply:
        """The room as it is now, as the caller sees it."""
        view, room = self.live.current_view(), self.live.room
        return RoomReply(view, self.you, log_lines(room), room.rule_card)

    def done(self, number: int) -> Done:
        """Return the reply to an action, after the event with that number."""
        return Done(number, self.live.current_view(), self.you)

    def game(self, number: int | None) -> int:
        """Return the number of a game, or if it is None, that of the current game."""
        return self.live.room.game_number if number is None else number

    def check(self, permission: Permission, seat: int = WATCHERS) -> None:
        """Raise NotAllowed if the caller lacks a permission, at `seat` if it is about a seat."""
        check(permission, self.live.room, self.viewer, seat)

    async def now(self) -> "RoomCaller":
        """Return this caller with its permissions now, read again if seats or links changed."""
        if self.devices_read is (devices := self.live.devices):
            return self
        access = self.client.services.rooms.access
        viewer = await access.viewer(self.live, self.client.device, self.client.keys)
        return replace(self, viewer=viewer, devices_read=devices)

    async def change(
        self,
        action: str,
        permission: Permission,
        request: Any,
        make: Callable[[Room], Events | RoomChange],
    ) -> Outcome:
        """Apply the change that `make` returns, if the caller has the permission.

        That is checked while nothing else changes the room; before costly work, `check` it first,
        too. `action` is the name of the action. A retry changes nothing and returns the stored
        outcome. Raises NotAllowed (also if the request's id had another use), TooOften if the
        address has stored too much today, and what `make` and `RoomRepository.change` raise.
        """
        services, address = self.client.services, self.client.address

        async def allowed() -> None:
            (await self.now()).check(permission, seat_of(request))
            services.rates.check_day(address)

        key = key_of(self.client, action, request)
        outcome = await services.rooms.change(self.live, key, make, allowed=allowed)
        services.rates.count_stored(address, outcome.stored)
        self.live.address = address
        return outcome


def key_of(caller: Caller, action: str, request: Any) -> IdempotencyKey:
    """Return the idempotency key of a request: its id `request.action`, and a hash.

    The hash is of the caller, the name of the action and the request; it is empty for a caller who
    has no device or keys, so is not recognised: its second request to open a room opens another
    one. `LiveRoom.outcome_of` refuses an id that was used for another request.
    """
    by = caller.by and hashed(f"{caller.by} {action} {json_text(request)}")
    return IdempotencyKey(request.action, by)


async def room_caller(caller: Caller, room: str, *, newest: bool = False) -> RoomCaller:
    """Return the caller with its permissions in a room, even if it has none there.

    `newest` first applies what was done elsewhere, unless the room is changing just now. Raises
    UnknownRoom, OtherServer, DamagedStore, PluginFailed, OutOfDate, NoAnswer; and TooOften for too
    many wrong keys.
    """
    services = caller.services
    live = await services.rooms.find(room)
    if newest and services.refresh and not live.lock.locked():
        await services.refresh(live)
        live = await services.rooms.find(room)  # another one, if `refresh` has dropped it
    return await admit(caller, live)


async def admit(caller: Caller, live: LiveRoom) -> RoomCaller:
    """Return the caller with its permissions in a room. Raises TooOften for too many wrong keys."""
    inside = await RoomCaller(caller, live).now()
    if caller.keys and not inside.viewer.may_see:
        caller.count(limits.KEYS_OF_ADDRESS, "keys")
    return inside
