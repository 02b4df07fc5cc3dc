"""A table as a card: what the first page shows of those to go on with."""

from dataclasses import dataclass

from shutbox.english import listed
from shutbox.messages import gettext
from shutbox.picture import miniature
from shutbox.web.rooms.room import Room
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


def table_card(room: Room, view: View) -> TableCard:
    """Return the card of a room as it is seen."""
    names = listed(seat.name or gettext("somebody") for seat in view.seats)
    drawn = miniature(room.table.scene.pieces if room.table else ())
    return TableCard(view.room, view.title, names, _stands(view), drawn)


def _stands(view: View) -> str:
    if view.table is None:
        return gettext("Waiting for players.")
    due = [seat.name for seat in view.seats if seat.due and view.seats[1:]]
    return " ".join([*(gettext("{name} is to play.", name=name) for name in due), view.table.score])
