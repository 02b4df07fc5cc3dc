"""The messages of a stream: what happens in a room, as it goes over the wire."""

from collections.abc import Sequence

from msgspec import Struct

from shutbox.web.http.errors import encode
from shutbox.web.rooms.moves import MoveView
from shutbox.web.rooms.room import LogLine
from shutbox.web.rooms.view import View


class Happened(Struct, gc=False):
    """One event of a room."""

    kind: str
    seat: int | None
    says: tuple[str, ...]
    move: MoveView | None = None
    brief: tuple[str, ...] | None = None


class EventMessage(Struct, gc=False, tag="event"):
    """An event, and where things stand after it."""

    number: int
    happened: Happened
    view: View
    you_changed: bool


class PictureMessage(Struct, gc=False, tag="picture"):
    """Everything, where the gap is too long."""

    number: int
    view: View
    log: tuple[LogLine, ...]


class WatchingMessage(Struct, gc=False, tag="watching"):
    """How many spectators listen."""

    watching: int


Message = EventMessage | PictureMessage | WatchingMessage


class JsonMessages:
    """How the streams of the API say things."""

    def event(self, event: LogLine, view: View, *, you_changed: bool) -> bytes:
        """An event, and where things stand after it."""
        happened = Happened(event.kind, event.seat, event.says, event.move, event.brief)
        return encode(EventMessage(event.number, happened, view, you_changed))

    def picture(self, number: int, view: View, log: Sequence[LogLine]) -> bytes:
        """Everything, where the gap is too long."""
        return encode(PictureMessage(number, view, tuple(log)))

    def watching(self, number: int) -> bytes:
        """How many spectators listen."""
        return encode(WatchingMessage(number))
