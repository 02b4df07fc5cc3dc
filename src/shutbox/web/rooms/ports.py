"""The services that rooms need around them: a log and workers.

A server provides them, or a page without a server. Nothing here says how they do it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from shutbox.web.rooms.commands import IdempotencyKey, Outcome, RoomChange
from shutbox.web.rooms.events import Numbered
from shutbox.web.rooms.room import Room

T = TypeVar("T")
Extra = Callable[[str, float], Callable[[Any], object]]
"""Returns, for a new room's id and time, the `write` of the change that opens it."""


@dataclass(frozen=True, slots=True)
class Entries:
    """Consecutive stored events of a room, the actions that they complete, and the last seal."""

    events: Sequence[Numbered] = ()
    done: dict[str, tuple[str | None, Outcome]] = field(default_factory=dict)
    """By the id of each action that they complete: the `by` of its key, and its outcome."""
    seal: str = ""  # the seal of the last event: a hash of it and of the seal before it


class Subscription(NamedTuple):
    """The address of a browser at its push service, and the keys for messages to it."""

    endpoint: str  # the https address at the push service
    key: str  # the public key of the browser: 65 bytes in base64url
    auth: str  # the secret shared with the browser: 16 bytes in base64url


class Log(Protocol):
    """A store of all rooms' events and devices' seats. Methods raise NoAnswer if unreachable."""

    async def replayed(self, room: str, who: str) -> tuple[Room, Entries]:
        """Return a room replayed from its whole log, and its entries.

        `who` is the caller, whose long logs do not delay those of other callers. Raises
        UnknownRoom, DamagedStore and PluginFailed.
        """

    async def read(self, room: str, after: int = 0, seal: str = "") -> Entries:
        """Return the events of a room after number `after`, whose seal is `seal`.

        Raises UnknownRoom (without `after`, may return none), DamagedStore and BadRecord.
        """

    async def append(
        self,
        room: Room,
        seal: str,
        change: RoomChange,
        at: float,
        key: IdempotencyKey | None = None,
    ) -> tuple[str, int]:
        """Store a change of a room, still without it; return the new seal and the stored bytes.

        `seal` is that of the last event, empty for a new room. Raises OutOfDate if another writer
        was first, NotKept on failure, and what the change's `write` raises.
        """

    async def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Return the seats of a device (its hash), including WATCHERS and OPENER of `room.py`."""

    async def seed_of(self, gid: str) -> bytes:
        """Return the seed of sealed dice by their gid in hex; empty if it is gone."""

    async def newest_dice(self, most: int) -> Sequence[tuple[str, int]]:
        """Return (60 characters, how many events begin so) of the `most` newest sealed rooms."""

    async def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """Return up to `most` ids of rooms a device (its hash) opened or sits in, newest first."""


class Works(Protocol):
    """A runner of long calculations: the workers of a server, or the player's own device."""

    closed: bool  # whether it is stopping and takes no more work

    async def do(
        self,
        who: str,
        work: Callable[..., T],
        *about: Any,
        quick: bool = False,
        background: bool = False,
    ) -> T:
        """Run a piece of work and return its result; see `Pool.do`."""

    def warm(self) -> None:
        """Prepare for work that is likely to come soon."""
