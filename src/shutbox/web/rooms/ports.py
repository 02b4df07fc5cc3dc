"""What rooms need of the host that holds them: a log, and somebody who works.

A server and a page without one are two hosts; nothing here says how either does it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from shutbox.errors import ShutboxError
from shutbox.web.errors import NewerStore, one_line
from shutbox.web.rooms.commands import IdempotencyKey, Outcome, RoomChange
from shutbox.web.rooms.events import Numbered, newer
from shutbox.web.rooms.room import Room

T = TypeVar("T")
Completed = tuple[str | None, Outcome]
"""Who asked for something that was done, and what came of it."""
Extra = Callable[[str, float], Callable[[Any], object]]
"""What else is written when a room is opened, by its id and the time; the log knows how."""


@dataclass(frozen=True, slots=True)
class Entries:
    """Events of a room, as they are stored one after the other."""

    events: Sequence[Numbered] = ()
    done: dict[str, Completed] = field(default_factory=dict)
    """What was asked for in them, by the id of the action."""
    seal: str = ""
    """What the log knows the last of them by."""


@dataclass(frozen=True, slots=True)
class Addition:
    """What is stored together behind the events of a room, or not at all."""

    room: Room
    """As it is before them."""
    seal: str
    """That of its last event."""
    events: Sequence[Numbered]
    made: RoomChange
    key: IdempotencyKey | None
    opens: bool = False
    """Whether the room begins with this."""
    extra: Extra | None = None


class Log(Protocol):
    """The events of all rooms, and which devices may sit there. NoAnswer where it is gone."""

    shared: bool
    """Whether other processes write to it, too."""

    async def replayed(self, room: str, who: str) -> tuple[Room, Entries]:
        """Return the room that its whole log leads to; `who` waits for no other caller.

        Raises UnknownRoom, DamagedStore, and NewerStore for what this release cannot play.
        """

    async def read(self, room: str, after: int = 0, seal: str = "") -> Entries:
        """Return what is stored of a room after that number, which has that seal.

        Raises UnknownRoom, DamagedStore, NewerStore and BadRecord.
        """

    async def has(self, room: str) -> bool:
        """Return whether there is anything of a room."""

    async def append(self, addition: Addition) -> tuple[str, int]:
        """Return once it is on the disk: the seal of the last event, and the bytes stored.

        Raises OutOfDate if another was first, and NotKept.
        """

    async def seats_of(self, room: str, device: str) -> frozenset[int]:
        """Return where a device, by its hash, may sit; WATCHERS, HOST: see `rooms/room.py`."""

    async def rooms_of(self, device: str, most: int) -> Sequence[str]:
        """Return the rooms in which a device, by its hash, may sit, the newest first."""


class Works(Protocol):
    """Does what takes a while: the workers of a server, or a device by itself."""

    closed: bool
    """Whether it stops, and takes no more."""

    async def do(
        self,
        who: str,
        work: Callable[..., T],
        *about: Any,
        quick: bool = False,
        patient: bool = False,
        most: int = ...,
    ) -> T:
        """Return what a piece of work gives; see `Pool.do`."""

    def warm(self) -> None:
        """Get ready, since somebody may ask soon."""


class Notes(Protocol):
    """Writes down what is wrong, for the host."""

    def warning(self, event: str, **about: object) -> object:
        """Write down what may go by."""

    def error(self, event: str, **about: object) -> object:
        """Write down what the host should see to."""


def not_read(error: Exception, notes: Notes) -> NewerStore:
    """Return what is refused where the log is whole, and this release cannot play it again."""
    bug = None if isinstance(error, ShutboxError) else error
    notes.error("room not read", reason=one_line(error), mend="shutbox admin verify", exc_info=bug)
    return newer()
