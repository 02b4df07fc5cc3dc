"""A table as a card: what the first page shows of those to go on with."""

from dataclasses import dataclass

from shutbox.english import listed
from shutbox.messages import gettext
from shutbox.picture import miniature
from shutbox.scene import Kind, Piece, State
from shutbox.web.rooms.view import View


@dataclass(frozen=True, slots=True)
class TableCard:
    """One of them."""

    room: str
    title: str
    players: str
    stands: str
    """Who is to play, and the score."""
    miniature: str
    """The box as it stands, as SVG; empty before the game begins."""


def table_card(view: View) -> TableCard:
    """The card of a table."""
    names = listed(seat.name or gettext("somebody") for seat in view.seats)
    return TableCard(view.room, view.title, names, _stands(view), _drawn(view))


def _drawn(view: View) -> str:
    pieces = view.table.pieces if view.table else ()
    return miniature(
        Piece(p.key, Kind(p.kind), p.face, State(p.state), p.label, p.row, p.sides, p.number)
        for p in pieces
    )


def _stands(view: View) -> str:
    if view.table is None:
        return gettext("Waiting for players.")
    due = [seat.name for seat in view.seats if seat.due and view.seats[1:]]
    return " ".join([*(gettext("{name} is to play.", name=name) for name in due), view.table.score])
