"""Lists of seats in which the characters are named, and the names of computer players."""

from collections.abc import Iterable
from itertools import chain, count

from shutbox.engine.names import clean_name, free_names
from shutbox.engine.seats import COMPUTER, MOST_SEATS, Seat, read_seats
from shutbox.solving.strategy.fixed import CHARACTERS, Character, character_of

RIVAL = CHARACTERS[len(CHARACTERS) // 2]
"""The character that plays if a person asks for a computer player without a name."""


def read_players(text: str) -> tuple[Seat, ...]:
    """Read a list of seats as `read_seats` does, with characters allowed.

    >>> print(*read_players("Ann, computer:hobbs, Robo=computer:abacus"), sep=", ")
    Ann, Hobbs=computer:careful, Robo=computer:perfect

    A character without a given name has its own, with a number if another player has that name.
    Raises BadName, which lists every fault.
    """
    # If there are too many seats, `read_seats` refuses them.
    parts = text.split(",", MOST_SEATS)
    names = [clean_name(part.partition("=")[0]) for part in parts if _character(part) is None]
    for place, part in enumerate(parts):
        before, sign, player = part.rpartition("=")
        if (character := _character(player)) is not None:
            name = before if sign else _free_name(character.name, names)
            names.append(clean_name(name))
            parts[place] = f"{name}={COMPUTER}:{character.kind}"
    return read_seats(",".join(parts))


def display_name(kind: str, names: Iterable[str]) -> str:
    """Return a name for a computer player of this kind that looks like none of `names`.

    >>> display_name("careful", ["Ann"]), display_name("careful", ["hobbs"])
    ('Hobbs', 'Hobbs 2')
    >>> display_name("fixed:7", [])
    'Fixed'
    """
    character = character_of(kind)
    name = character.name if character is not None else kind.partition(":")[0].capitalize()
    return _free_name(name, names)


def _character(player: str) -> Character | None:
    """Return the character that `computer:ID` stands for; None for any other text."""
    word, _, id = (piece.strip().lower() for piece in player.partition(":"))
    if word != COMPUTER:
        return None
    return next((character for character in CHARACTERS if character.id == id), None)


def _free_name(name: str, names: Iterable[str]) -> str:
    return next(free_names(chain([name], (f"{name} {place}" for place in count(2))), names))
