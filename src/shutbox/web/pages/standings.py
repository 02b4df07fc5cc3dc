"""The card at the end of a match, where the server draws it: who has won, and what everybody has.

The best stand first. What model/standings.js and model/caption.js make of a view is the same.
"""

from dataclasses import dataclass

from shutbox.english import listed
from shutbox.messages import gettext
from shutbox.web.rooms.plates import PlateView
from shutbox.web.rooms.table_view import TableView
from shutbox.web.rooms.view import SeatView, View


@dataclass(frozen=True, slots=True)
class EndCardLine:
    """One seat on the card."""

    number: int
    seat: SeatView
    figure: PlateView


@dataclass(frozen=True, slots=True)
class EndCard:
    """What the card shows."""

    about: str
    """The game that it is of, and its version."""
    says: str
    lines: tuple[EndCardLine, ...]


def standings(view: View) -> EndCard | None:
    """The card of a match that is over; of anything else there is none."""
    table = view.table
    if view.phase != "over" or table is None or len(view.seats) < 2:
        return None
    lines = tuple(EndCardLine(seat, view.seats[seat], table.plates[seat]) for seat in _best(table))
    return EndCard(f"{table.game} {table.version}", _says(view, table), lines)


def _result(plate: PlateView) -> int | None:
    return plate.points if plate.total is None else plate.total


def _best(table: TableView) -> list[int]:
    """The seats, the winners first, then by their results, and those without one last."""
    known = [points for plate in table.plates if (points := _result(plate)) is not None]
    # The winner's score tells whether little is good.
    is_low = any(_result(table.plates[seat]) == min(known, default=0) for seat in table.winners)

    def rank(seat: int) -> tuple[int, int]:
        points = _result(table.plates[seat])
        if seat in table.winners:
            return 0, 0
        return (2, 0) if points is None else (1, points if is_low else -points)

    return sorted(range(len(table.plates)), key=rank)


def _says(view: View, table: TableView) -> str:
    # A name as one piece: one written from right to left does not turn what stands beside it.
    names = listed(f"\u2068{view.seats[seat].name}\u2069" for seat in table.winners)
    if len(table.winners) > 1:
        return gettext("{names} share the win.", names=names)
    if table.shut and any(piece.kind == "tile" for piece in table.pieces):
        return gettext("{name} shuts the box and wins.", name=names)
    return gettext("{name} wins.", name=names)
