"""The chips of a match from its steps: what has moved, by the events that stand.

A choice that was taken back has moved nothing, and a throw that was corrected what its correction
moves.
"""

from collections.abc import Iterable, Iterator

from shutbox.game import C, P
from shutbox.match.chips import Ledger, Movement
from shutbox.match.game import Choice, Match
from shutbox.match.position import Position
from shutbox.play import Chosen, Step


def ledger(match: Match[P, C], steps: Iterable[Step[Position[P], Choice[C]]]) -> Ledger:
    """Every account of a match after these steps of a play.

    >>> from shutbox import Chosen, Play, Roll, Rolled, find
    >>> from shutbox.match import Format, House
    >>> match = Match(find("lucky-seven"), Format.parse("stake=1"), ["Ann", "Bob"])
    >>> seven = match.parse_choice(match.rolled(match.start(), Roll((3, 4))), "7")
    >>> play = Play(match, [Rolled(Roll((3, 4))), Chosen(seven), Rolled(Roll((1, 1)))])
    >>> played = ledger(match, play.steps)
    >>> played.balance(0), played.balance(1), played.balance(House.POT)
    (22, 18, 0)

    Ann has shut the box: she takes the pot, and Bob pays one more chip into it.
    """
    return Ledger(len(match.players), _entries(match, steps))


def _entries(
    match: Match[P, C], steps: Iterable[Step[Position[P], Choice[C]]]
) -> Iterator[tuple[int, Movement]]:
    for movement in (*match.opening_movements(), *match.settled(match.start()).movements):
        yield 0, movement
    # What follows from an event by itself is settled at the position it leads to.
    for step in steps:
        moved = match.settled(step.after).movements
        if isinstance(step.event, Chosen):
            moved = (*match.movements(step.before, step.event.choice), *moved)
        yield from ((step.number, movement) for movement in moved)
