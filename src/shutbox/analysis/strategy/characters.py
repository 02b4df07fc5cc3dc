"""The five characters, computer players with a name, a face and a strategy.

The strength of a character follows from the exact loss of its strategy against best play in a turn
of Classic. It takes its seat as a name and a kind of computer player, so records hold kinds only.
"""

from dataclasses import dataclass
from fractions import Fraction

from shutbox.messages import gettext_noop, pgettext, pgettext_noop

_STRENGTHS = (
    pgettext_noop("strength of a player", "Novice"),
    pgettext_noop("strength of a player", "Casual"),
    pgettext_noop("strength of a player", "Steady"),
    pgettext_noop("strength of a player", "Sharp"),
    pgettext_noop("strength of a player", "Perfect"),
)
_LOSES_AT_MOST = (Fraction(2), Fraction(1, 2), Fraction(1, 4), Fraction(0))
"""The largest loss in a turn of Classic at each level from 2 to 5."""


@dataclass(frozen=True, slots=True)
class Character:
    """A computer player with a name, a face and a strategy."""

    id: str  # as it is typed, and the name of its face
    kind: str  # the kind of computer player
    loss: Fraction  # its loss in a turn of Classic, in points of the expected score
    about: str  # a sentence on how it plays, a template for `gettext`

    @property
    def name(self) -> str:
        """The name of the character, the same in every language."""
        return self.id.capitalize()

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
        return pgettext("strength of a player", _STRENGTHS[self.level - 1])


_PARTS = 39182082048  # the denominator of losses that follow from the dice alone
CHARACTERS = (
    Character(
        "pip",
        "random",
        Fraction(5401051887427372157147, 573285643401874636800),
        gettext_noop("Takes whatever comes to mind."),
    ),
    Character(
        "nell", "fewest", Fraction(47322889865, _PARTS), gettext_noop("Covers the big tiles first.")
    ),
    Character(
        "hobbs", "careful", Fraction(15185341697, _PARTS), gettext_noop("Looks one throw ahead.")
    ),
    Character(
        "odette",
        "sheet",
        Fraction(5128001381, _PARTS),
        gettext_noop("Plays from a sheet of paper."),
    ),
    Character("abacus", "perfect", Fraction(0), gettext_noop("Knows every position.")),
)
"""The characters, the weakest first."""


def character_of(kind: str) -> Character | None:
    """Return the character of this kind of computer player, or None if there is none.

    >>> character_of("careful").name, character_of("fixed:7")
    ('Hobbs', None)
    """
    return next((one for one in CHARACTERS if one.kind == kind), None)


def kind_of(player: str) -> str:
    """Return the kind of computer player that a text means: a character's, or the text itself.

    >>> kind_of("Hobbs"), kind_of("fewest")
    ('careful', 'fewest')
    """
    word = player.strip().lower()
    return next((character.kind for character in CHARACTERS if character.id == word), player)
