"""The card at the end of a match, where the server draws it: who has won, and what everybody has.

The best stand first. What model/caption.js makes of a view is the same.
"""

from dataclasses import dataclass

from shutbox.english import listed
from shutbox.messages import gettext
from shutbox.web.rooms.plates import PlateView
from shutbox.web.rooms.table_view import TableView
from shutbox.web.rooms.view import SeatView, View, You


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
    """Who has won, a sentence; a winner who has this screen alone reads "You"."""
    title: str
    """The same for the title of the page; empty where several share the win."""
    is_own: bool
    """Whether that winner is looking."""
    lines: tuple[EndCardLine, ...]


def standings(view: View, you: You) -> EndCard | None:
    """Return the card of a match that is over; None of anything else."""
    table = view.table
    if view.phase != "over" or table is None or len(view.seats) < 2:
        return None
    lines = tuple(EndCardLine(seat, view.seats[seat], table.plates[seat]) for seat in table.ranking)
    is_own = len(you.seats) == 1 and you.seats[0] in table.winners
    title = ""
    if len(table.winners) == 1:
        name = view.seats[table.winners[0]].name
        title = gettext("You win") if is_own else gettext("{name} wins", name=name)
    says, about = _says(view, table, you.seats if is_own else ()), f"{table.game} {table.version}"
    return EndCard(about, says, title, is_own, lines)


def _says(view: View, table: TableView, own: tuple[int, ...]) -> str:
    others = [seat for seat in table.winners if seat not in own]
    # A name as one piece: one written from right to left does not turn what stands beside it.
    names = listed(f"\u2068{view.seats[seat].name}\u2069" for seat in others)
    if len(table.winners) > 1:
        if own:
            return gettext("You and {names} share the win.", names=names)
        return gettext("{names} share the win.", names=names)
    if any(table.plates[seat].state == "shut" for seat in table.winners):
        if own:
            return gettext("You shut the box and win.")
        return gettext("{name} shuts the box and wins.", name=names)
    return gettext("You win.") if own else gettext("{name} wins.", name=names)
