"""What is asked of a room, what is to happen, and what came of it."""

from dataclasses import dataclass

from shutbox.web.rooms.events import Entry


@dataclass(frozen=True, slots=True)
class Asked:
    """Whoever asks for something, and the id of what is asked."""

    action: str
    by: str
    """Who asks, and for what, hashed: nothing else is asked for under this id."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: the number of the first entry, and the answer that was kept with it."""

    number: int
    answer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What is to happen, all of it or nothing."""

    entries: tuple[Entry, ...] = ()
    passes: tuple[tuple[int, str], ...] = ()
    """A seat, and the device that may sit there."""
    answer: tuple[str, ...] = ()
    """Kept with it, for whoever asks again."""
