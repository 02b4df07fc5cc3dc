"""What a command to a room returns, and what the log stores of it.

An action is stored with its events under the id that its client gave it. A retry of the client
finds it there, changes nothing and gets the same answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from shutbox.web.rooms.events import Numbered, Played, RoomEvent

Events = tuple[RoomEvent, ...]
Devices = tuple[tuple[int, str], ...]  # pairs of a seat and the hash of a device that may sit there
MakeWrite = Callable[[str, float], Callable[[Any], object]]
"""Returns, for the id of a new room and the time, the `write` of the change that opens it."""


@dataclass(frozen=True, slots=True)
class RoomChange:
    """What happens in a room at once, stored completely or not at all."""

    events: Events = ()  # in the order in which they happen
    devices: Devices = ()  # the devices that get a seat
    revokes: tuple[int, ...] = ()
    """Seats where only these devices may sit from now on. A renewed link always revokes its own."""
    answer: tuple[Any, ...] = ()
    """Sentences and figures stored with a move and returned again on a retry. Figures are
    dataclasses, or dicts once they have been read back from the log."""
    seed: tuple[str, str] = field(default=("", ""), repr=False)
    """The gid of a new envelope among `events`, and its seed, which is stored apart from them."""
    by_host: bool = False  # whether the host of the server ordered it
    write: Callable[[Any], object] | None = None
    """A further write in the same transaction of the database, given its connection."""

    def numbered(self, before: int, at: float) -> list[Numbered]:
        """Return the events with their numbers, after event number `before`, and the time `at`."""
        return [(number, at, event) for number, event in enumerate(self.events, before + 1)]

    def answer_number(self, before: int) -> int:
        """Return the number of the event that answers the action, after event number `before`.

        It is the first move, or else the first event; without events it is `before` itself.
        """
        numbered = enumerate(self.events, before + 1)
        moves = (number for number, event in numbered if isinstance(event, Played))
        return next(moves, before + bool(self.events))


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """The id of an action, with its caller and request, so that a retry is not done twice."""

    action: str  # the id that the client made
    by: str  # a hash of the caller and the request; any other use of the id is refused


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a change; a retry gets it again."""

    number: int  # of the event that answers the action; without events, of the room's last one
    answer: tuple[Any, ...] = ()  # as in `RoomChange`
    stored: int = 0  # bytes stored by this call; 0 for a retry


@dataclass(frozen=True, slots=True)
class Entries:
    """Consecutive stored events of a room, the actions that they complete, and the last seal."""

    events: Sequence[Numbered] = ()
    done: dict[str, tuple[str | None, Outcome]] = field(default_factory=dict)
    """By the id of each action that they complete: the `by` of its key, and its outcome."""
    seal: str = ""  # the seal of the last event: a hash of it and of the seal before it
