"""Whoever asks: the device, the keys and the address of a request, and what they open."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from starlette.requests import HTTPConnection

from shutbox.web.api.schemas import You
from shutbox.web.limits import KEYS_OF_ADDRESS, MOST_KEYS
from shutbox.web.live.live_room import Live
from shutbox.web.rooms.link_keys import SHORTEST_DEVICE, hashed, new_device
from shutbox.web.rooms.view import Viewer, you
from shutbox.web.server.services import Server


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, whatever it is about."""

    server: Server
    device: str | None
    """The cookie."""
    keys: tuple[str, ...]
    """What it shows as a bearer."""
    address: str
    origin: str
    """The address that people use, for links."""

    def with_device(self) -> "Caller":
        """The same, with a device of its own if it has none."""
        return self if self.device else replace(self, device=new_device())

    @property
    def by(self) -> str:
        """Who it is, hashed, for actions that are asked for again; empty: nobody knows."""
        said = ",".join(self.keys) or self.device
        return hashed(said) if said else ""


@dataclass(frozen=True, slots=True)
class Visit:
    """Who asks about a room."""

    caller: Caller
    live: Live
    viewer: Viewer

    @property
    def you(self) -> You:
        """What whoever asks sees of himself."""
        rooms, room = self.caller.server.rooms, self.live.room
        address = f"{self.caller.origin}/r/{room.id}"
        return you(room, self.viewer, address, rooms.passes.keyring, rooms.now())

    async def check(self, may: Callable[[Viewer], None]) -> None:
        """Raise what `may` raises, by what has become of seats and links since they came."""
        passes = self.caller.server.rooms.passes
        may(await passes.viewer(self.live, self.caller.device, self.caller.keys))

    async def again(self) -> "Visit":
        """The same, once something about seats has changed."""
        return await visit(self.caller, self.live.room.id)


def caller(connection: HTTPConnection) -> Caller:
    """Who asks."""
    server: Server = connection.app.state.server
    keys = _keys(connection.headers.get("authorization", ""))
    address = connection.client.host if connection.client else ""
    device = connection.cookies.get(server.settings.cookie)
    if device is not None and len(device) < SHORTEST_DEVICE:
        device = None  # none of ours
    origin = server.settings.origin
    if not server.settings.url:
        origin = f"{connection.url.scheme.replace('ws', 'http')}://{connection.url.netloc}"
    return Caller(server, device, keys, address, origin)


def _keys(header: str) -> tuple[str, ...]:
    scheme, _, said = header.partition(" ")
    if scheme.lower() != "bearer":
        return ()
    return tuple(key.strip() for key in said.split(",", MOST_KEYS)[:MOST_KEYS] if key.strip())


async def visit(who: Caller, room: str, *, newest: bool = False) -> Visit:
    """Who asks about a room; `newest`: as it is by now at all processes.

    Raises UnknownRoom, and TooOften where keys are tried and tried.
    """
    rooms = who.server.rooms
    live = await rooms.find(room)
    if newest and not live.lock.locked():
        await rooms.catch_up(live)
    viewer = await rooms.passes.viewer(live, who.device, who.keys)
    if not viewer.may_see:
        # The link may have been made at another process, a moment ago.
        await rooms.catch_up(live)
        viewer = await rooms.passes.viewer(live, who.device, who.keys)
    if who.keys and not viewer.may_see:
        await who.server.rates.check(KEYS_OF_ADDRESS, "keys", who.address)
    return Visit(who, live, viewer)


def keys_of(visit: Visit, seats: Sequence[int]) -> dict[int, str]:
    """The keys of some seats of a room, as they are now."""
    passes = visit.caller.server.rooms.passes
    return {seat: passes.key(visit.live.room, seat) for seat in seats}
