"""Events of a room as its listeners and its log get them."""

from dataclasses import dataclass

from shutbox.web.rooms.table_view import MoveView


@dataclass
class Happened:
    """One event of a room, as its listeners get it."""

    kind: str  # the kind of event
    seat: int | None  # the seat that acted, if any
    says: tuple[str, ...]  # what happened, in sentences
    move: MoveView | None = None
    """The move in figures; None for events outside the game."""
    brief: tuple[str, ...] | None = None
    """The sentences of `says` for brief narration; None if they are the same."""


@dataclass(kw_only=True)
class LogLine(Happened):
    """One entry of a room's log."""

    number: int  # the number of the event
