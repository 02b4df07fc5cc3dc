"""Writing a record: a header, then a line for each event as it happens."""

from collections.abc import Iterable
from typing import Any

from shutbox.game import Game
from shutbox.play import Event, actors
from shutbox.record.checked_lines import sealed
from shutbox.record.event_text import event_text_of
from shutbox.record.header import Header


class Writer:
    r"""Makes the lines of one record; where they go is for others.

    >>> from shutbox import Roll, Rolled, find
    >>> from shutbox.seats import Seat
    >>> header = Header(
    ...     program="shutbox 0.1.0", begun="2026-11-21 12:00:05 UTC", game="classic",
    ...     players=(Seat("Ann"),),
    ... )
    >>> Writer(header, find("classic")).line(1, 0, Rolled(Roll((3, 5))))
    b'1 Ann: throws 3+5 #528b22ae\n'
    """

    def __init__(self, header: Header, game: Game[Any, Any]) -> None:
        self.header = header
        self.game = game
        self._code = header.code

    def line(self, number: int, seat: int, event: Event[Any]) -> bytes:
        """The line of an event: its number, from 1, the seat that acts, and what happens.

        Raises BadRecord for a seat without a name, and for a choice whose text breaks a line.
        """
        said = f"{number} {self.header.name_of(seat)}: {event_text_of(self.game, event)}"
        return sealed(said, self._code)


def written(header: Header, game: Game[Any, Any], events: Iterable[Event[Any]] = ()) -> bytes:
    """A whole record. Raises what the game says to an event that it refuses."""
    writer = Writer(header, game)
    acts = enumerate(actors(game, events, header.start(game)), start=1)
    return b"".join([bytes(header), *(writer.line(number, *act) for number, act in acts)])
