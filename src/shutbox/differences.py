"""What is different about each game and each match with a name, in a few words: for lists of them.

The words are those of its stanza. A game without any is described by its first rule that Classic
has not.
"""

from shutbox.games.catalogue import catalogue, find
from shutbox.match import Match, Preset, presets
from shutbox.messages import gettext


def difference(name: str) -> str:
    """Return what is different about a game of the catalogue, or what a match with a name is.

    >>> difference("thai-style"), difference("pub")
    ('One tile a throw', 'One round for the pot')

    Raises what `find` raises.
    """
    if preset := presets().get(name):
        return gettext(preset.differs)
    differs = next((entry.differs for entry in catalogue() if entry.name == name), "")
    return gettext(differs) if differs else own_rule(name).removesuffix(".")


def own_rule(name: str) -> str:
    """The first rule of a game that is not one of Classic.

    >>> own_rule("thai-style")
    'Always throw two six-sided dice.'
    """
    known, card = find("classic").card().lines, find(name).card()
    own = (line for line in card.lines if line not in known and line != card.example)
    return next(own, card.lines[0])


def rounds_of(preset: Preset) -> str:
    """How a match with a name ends, and the chips, whatever is played.

    >>> rounds_of(presets()["markers-five"])
    'There are 5 rounds; the lowest total wins.'
    """
    return Match(find(preset.game), preset.format).brief()
