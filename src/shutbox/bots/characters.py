"""The five characters, computer players with a name, a face and a strategy.

The strength of a character follows from the exact loss of its strategy against best play in a turn
of Classic. A character takes its seat as a name and a kind of computer player, so records hold
kinds only.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count

from shutbox.english import listed, shown
from shutbox.errors import BadName
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.seats import (
    COMPUTER,
    LONGEST_NAME,
    MOST_SEATS,
    Seat,
    clean,
    looks,
    read_seats,
    unnamed,
)


@dataclass(frozen=True, slots=True)
class Character:
    """A computer player with a name, a face and a strategy."""

    id: str  # as it is typed, and the name of its face
    name: str  # the same in every language
    kind: str  # the kind of computer player
    loss: Fraction  # its loss in a turn of Classic, in points of the expected score
    about: str  # a sentence on how it plays, a template for `gettext`

    @property
    def level(self) -> int:
        """The strength of the character, from 1 to 5.

        >>> [character.level for character in CHARACTERS]
        [1, 2, 3, 4, 5]
        """
        return 1 + sum(self.loss <= most for most in _LOSES_AT_MOST)

    @property
    def strength(self) -> str:
        """The level in a word.

        >>> [character.strength for character in CHARACTERS]
        ['Novice', 'Casual', 'Steady', 'Sharp', 'Perfect']
        """
        return gettext(_STRENGTHS[self.level - 1])


CHARACTERS = (
    Character(
        "pip",
        "Pip",
        "random",
        Fraction(5401051887427372157147, 573285643401874636800),
        gettext_noop("Takes whatever comes to mind."),
    ),
    Character(
        "nell",
        "Nell",
        "fewest",
        Fraction(47322889865, 39182082048),
        gettext_noop("Covers the big tiles first."),
    ),
    Character(
        "hobbs",
        "Hobbs",
        "careful",
        Fraction(15185341697, 39182082048),
        gettext_noop("Looks one throw ahead."),
    ),
    Character(
        "odette",
        "Odette",
        "sheet",
        Fraction(5128001381, 39182082048),
        gettext_noop("Plays from a sheet of paper."),
    ),
    Character("abacus", "Abacus", "perfect", Fraction(0), gettext_noop("Knows every position.")),
)
"""The characters, the weakest first."""

RIVAL = CHARACTERS[len(CHARACTERS) // 2]
"""The character that plays if a person asks for a computer player without a name."""

_AND = re.compile(r"\s*,?\s+and\s+|\s*&\s*|\s*,\s*", re.IGNORECASE)
_THE_COMPUTER = ("the computer", "a computer")
_NUMBER = (
    "[0-9]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    "an?|the|some|several|many|more|another|other|both|all|few|my"
)
_SOME = "(?:computer|bot|robot|machine|ai|player|person|friend|other|opponent)s?|people"
_KIND = "bot|robot|machine|novice|beginner"
_NOBODY = re.compile(
    rf"(?:(?:{_NUMBER}) )+(?:[a-z]+ )?(?:{_SOME})|computer (?:players?|{_NUMBER})|"
    rf"(?:{_NUMBER}) of (?:them|us|you)|(?:.* )?(?:{_KIND})s?|[a-z]+ (?:ai|cpu)|[0-9]+|"
    r"players|people|friends|others|two|three|four|five|six|me|myself|nobody|perfect|careful"
)
"""Words for a number or a kind of players, which are no names."""
_SEVERAL = re.compile(r"computers?\b| (?:with|plus|against|or|vs\.?|versus) ")
"""Words that name several players at once, and occur in no name."""

_STRENGTHS = (
    gettext_noop("Novice"),
    gettext_noop("Casual"),
    gettext_noop("Steady"),
    gettext_noop("Sharp"),
    gettext_noop("Perfect"),
)
_LOSES_AT_MOST = (Fraction(2), Fraction(1, 2), Fraction(1, 4), Fraction(0))
"""The largest loss in a turn of Classic at each level from 2 to 5."""


def character_of(kind: str) -> Character | None:
    """Return the character of this kind of computer player, or None if there is none.

    >>> character_of("careful").name, character_of("fixed:7")
    ('Hobbs', None)
    """
    return next((one for one in CHARACTERS if one.kind == kind), None)


def read_players(text: str) -> tuple[Seat, ...]:
    """Read a list of seats as `read_seats` does, with characters allowed.

    >>> print(*read_players("Ann, computer:hobbs, Robo=computer:abacus"), sep=", ")
    Ann, Hobbs=computer:careful, Robo=computer:perfect

    A character without a given name has its own, with a number if another player is called so.
    Raises BadName, which lists every fault.
    """
    # If there are too many seats, `read_seats` refuses them.
    parts = text.split(",", MOST_SEATS)
    names = [clean(part.partition("=")[0]) for part in parts if _character(part) is None]
    for place, part in enumerate(parts):
        before, sign, player = part.rpartition("=")
        if (character := _character(player)) is not None:
            name = before if sign else _free_name(character.name, names)
            names.append(clean(name))
            parts[place] = f"{name}={COMPUTER}:{character.kind}"
    return read_seats(",".join(parts))


def check_person(name: str) -> None:
    """Raise BadName for a text such as `two computers`, which counts players but names none."""
    word = clean(name).casefold()
    if _NOBODY.fullmatch(word) or _SEVERAL.search(word):
        raise BadName(
            "{text} is not a name; name each player, such as Dave, Pip and Nell. "
            "The computer players are {names}",
            text=shown(clean(name)),
            names=listed(one.name for one in CHARACTERS),
        )


def players_text(typed: str) -> str:
    """Turn the players, as a person types them, into the list that `read_players` reads.

    >>> players_text("Rosie and the computer"), players_text("Ann, Bob and Nell")
    ('Rosie,computer:hobbs', 'Ann,Bob,computer:nell')
    >>> players_text("3")
    'Player 1,Player 2,Player 3'

    Raises what `check_person` raises.
    """
    text = typed.strip()
    if re.fullmatch("[0-9]{1,2}", text) and 1 <= int(text) <= MOST_SEATS:
        return ",".join(unnamed(int(text)))
    return ",".join(map(_typed_player, _AND.split(text)))


def _typed_player(part: str) -> str:
    word = clean(part).casefold()
    if word in _THE_COMPUTER:
        return f"{COMPUTER}:{RIVAL.id}"
    if COMPUTER not in (word, word.partition(":")[0]) and "=" not in word:
        check_person(part)
    known = (f"{COMPUTER}:{one.id}" for one in CHARACTERS if word == one.name.casefold())
    return next(known, part)


def read_back(seats: Sequence[Seat]) -> str:
    """Return the players in a sentence.

    >>> read_back(read_players("Dave,computer:pip,computer:nell"))
    'Dave, and the computer players Pip and Nell.'
    """
    people = listed(seat.name for seat in seats if not seat.computer)
    names = [seat.name for seat in seats if seat.computer]
    if not names:
        return gettext("{people}.", people=people)
    facts = {"people": people, "names": listed(names)}
    if not people:
        return ngettext(
            "The computer player {names}.", "The computer players {names}.", len(names), **facts
        )
    return ngettext(
        "{people}, and the computer player {names}.",
        "{people}, and the computer players {names}.",
        len(names),
        **facts,
    )


def display_name(kind: str, names: Iterable[str]) -> str:
    """Return a name for a computer player of this kind, unlike all of `names`.

    >>> display_name("careful", ["Ann"]), display_name("careful", ["hobbs"])
    ('Hobbs', 'Hobbs 2')
    >>> display_name("fixed:7", [])
    'Fixed'
    """
    character = character_of(kind)
    name = character.name if character is not None else kind.partition(":")[0].capitalize()
    return _free_name(name, names)


def _character(player: str) -> Character | None:
    """Return the character that `computer:ID` stands for, or None."""
    word, _, id = (piece.strip().lower() for piece in player.partition(":"))
    if word != COMPUTER:
        return None
    return next((character for character in CHARACTERS if character.id == id), None)


def _free_name(name: str, names: Iterable[str]) -> str:
    taken = set().union(*(looks(other) for other in names if len(other) <= LONGEST_NAME))
    numbered = (f"{name} {place}" for place in count(2))
    return next(free for free in chain([name], numbered) if taken.isdisjoint(looks(free)))
