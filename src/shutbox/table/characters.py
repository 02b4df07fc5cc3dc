"""Lists of seats in which the characters are named, and the names of computer players."""

from collections.abc import Iterable

from shutbox.engine.seats import Seat, free_name, read_seats
from shutbox.solving.strategy.fixed import CHARACTERS, character_of

RIVAL = CHARACTERS[len(CHARACTERS) // 2]
"""The character that plays if a person asks for a computer player without a name."""


def read_players(text: str) -> tuple[Seat, ...]:
    """Read a list of seats as `read_seats` does, with characters allowed.

    >>> print(*read_players("Ann, computer:hobbs, Robo=computer:abacus"), sep=", ")
    Ann, Hobbs=computer:careful, Robo=computer:perfect

    A character without a given name has its own, with a number if another player has that name.
    Raises BadName, which lists every fault.
    """
    return read_seats(text, ((each.id, each.name, each.kind) for each in CHARACTERS))


def display_name(kind: str, names: Iterable[str]) -> str:
    """Return a name for a computer player of this kind that looks like none of `names`.

    >>> display_name("careful", ["Ann"]), display_name("careful", ["hobbs"])
    ('Hobbs', 'Hobbs 2')
    >>> display_name("fixed:7", [])
    'Fixed'
    """
    character = character_of(kind)
    name = character.name if character is not None else kind.partition(":")[0].capitalize()
    return free_name(name, names)
