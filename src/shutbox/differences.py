"""What is different about each game and each match with a name, in a few words: for lists of them.

Who has none of their own is told by the first rule that is not one of Classic, a match by its end.
"""

from collections.abc import Mapping

from shutbox.games.catalogue import find
from shutbox.match import Match, Preset, presets
from shutbox.messages import gettext, gettext_noop

_GAMES: Mapping[str, str] = {
    "classic": gettext_noop("Nine tiles, two dice"),
    "two-to-go": gettext_noop("2 is down"),
    "three-to-go": gettext_noop("3 is down"),
    "three-down-extreme": gettext_noop("1, 2 and 3 are down"),
    "against-all-odds": gettext_noop("Odd numbers only"),
    "even-stevens": gettext_noop("Even numbers only"),
    "full-house": gettext_noop("Twelve tiles"),
    "digital": gettext_noop("3 and 7 left: 37"),
    "thai-style": gettext_noop("One tile a throw"),
    "the-300": gettext_noop("24 tiles, four dice"),
    "2012": gettext_noop("One die with twenty sides"),
    "two-dice": gettext_noop("Never one die"),
    "parlour": gettext_noop("7, 8, 9 down: one die, always"),
    "continental": gettext_noop("6 or less up: one die"),
    "two-to-go-pub": gettext_noop("The first cover takes the 2"),
    "three-to-go-pub": gettext_noop("The first cover takes the 3"),
    "markers": gettext_noop("Both dice, or their sum"),
    "covered": gettext_noop("What you cover counts"),
    "missionary": gettext_noop("Count tiles, not numbers"),
    "lucky-seven": gettext_noop("One tile: 7"),
    "unlucky-seven": gettext_noop("A throw of 7 ends it"),
    "ten": gettext_noop("Ten tiles"),
    "pairs": gettext_noop("One or two tiles a throw"),
    "six": gettext_noop("Six tiles, one die"),
    "double-shutter": gettext_noop("A second row behind"),
    "win-at-three": gettext_noop("3 or less up: shut"),
    "cargo": gettext_noop("Ship, captain, crew, then cargo"),
    "ship-captain-crew": gettext_noop("Five dice, three throws"),
    "tray": gettext_noop("Dice alone: hold, throw, add"),
}

_MATCHES: Mapping[str, str] = {
    "pub": gettext_noop("One round for the pot"),
    "console": gettext_noop("One round of Two Dice"),
    "markers-five": gettext_noop("Five rounds, lowest total"),
    "parlour-night": gettext_noop("Five rounds; a shut box wins at once"),
    "race-200": gettext_noop("First to 200"),
    "race-500": gettext_noop("First to 500"),
    "knockout": gettext_noop("At 45 you are out"),
    "cargo-night": gettext_noop("Three rounds, highest total"),
    "lucky-seven-night": gettext_noop("Until somebody shuts it"),
}


def difference(name: str) -> str:
    """What is different about a game of the catalogue, or what a match with a name is.

    >>> difference("thai-style"), difference("pub")
    ('One tile a throw', 'One round for the pot')

    Raises what `find` raises.
    """
    if known := _GAMES.get(name) or _MATCHES.get(name):
        return gettext(known)
    preset = presets().get(name)
    return own_rule(name) if preset is None else rounds_of(preset)


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
