"""The chips of a match from its log: what has moved, by the events that stand.

A choice that was taken back has moved nothing, and a throw that was corrected what its correction
moves.
"""

from collections.abc import Iterable, Iterator

from shutbox.game import C, P
from shutbox.match.chips import Ledger, Movement
from shutbox.match.game import Choice, Match
from shutbox.match.position import Position
from shutbox.play import Chosen, Corrected, Event, Play, Rolled, TookBack


def ledger(match: Match[P, C], log: Iterable[Event[Choice[C]]]) -> Ledger:
    """Every account of a match after these events.

    >>> from shutbox import Roll, find
    >>> from shutbox.match import Format, House
    >>> match = Match(find("lucky-seven"), Format.parse("stake=1"), ["Ann", "Bob"])
    >>> seven = match.parse_choice(match.rolled(match.start(), Roll((3, 4))), "7")
    >>> played = ledger(match, [Rolled(Roll((3, 4))), Chosen(seven), Rolled(Roll((1, 1)))])
    >>> played.balance(0), played.balance(1), played.balance(House.POT)
    (22, 18, 0)

    Ann has shut the box: she takes the pot, and Bob pays one more chip into it.
    """
    return Ledger(len(match.players), _entries(match, log))


def _entries(match: Match[P, C], log: Iterable[Event[Choice[C]]]) -> Iterator[tuple[int, Movement]]:
    for movement in match.opening_movements():
        yield 0, movement
    # What follows from an event by itself is settled at the position it leads to.
    reached, position = 0, match.start()
    for number, event, before in _standing(match, log):
        yield from ((reached, movement) for movement in match.settled(before).movements)
        if isinstance(event, Chosen):
            moved = match.movements(before, event.choice)
            yield from ((number, movement) for movement in moved)
            position = match.chosen(before, event.choice)
        elif isinstance(event, Rolled | Corrected):
            position = match.rolled(before, event.roll)
        reached = number
    yield from ((reached, movement) for movement in match.settled(position).movements)


def _standing(
    match: Match[P, C], log: Iterable[Event[Choice[C]]]
) -> list[tuple[int, Event[Choice[C]], Position[P]]]:
    """The events that stand, each with its number and the position before it."""
    play = Play(match)
    standing: list[tuple[int, Event[Choice[C]], Position[P]]] = []
    for number, event in enumerate(log, start=1):
        if isinstance(event, TookBack | Corrected):
            _, _, before = standing.pop()
        else:
            before = play.position
        if not isinstance(event, TookBack):
            standing.append((number, event, before))
        play.happen(event)
    return standing
