"""What is to happen in a room, under which id it was asked for, and what came of it."""

from dataclasses import dataclass

from shutbox.web.rooms.events import RoomEvent


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """The id of something that is asked for: the same again is done once."""

    action: str
    by: str
    """Who asks, and for what, hashed: nothing else is asked for under this id."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: the number of the first event, and the answer that was kept with it."""

    number: int
    answer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoomChange:
    """What is to happen, all of it or nothing."""

    events: tuple[RoomEvent, ...] = ()
    devices: tuple[tuple[int, str], ...] = ()
    """A seat, and the device that may sit there."""
    answer: tuple[str, ...] = ()
    """Kept with it, for who asks again."""
