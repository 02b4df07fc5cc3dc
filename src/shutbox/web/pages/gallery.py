"""The gallery of the first page: every game as a small box that shows its one difference.

How long a turn is and how much of it is skill are figures in `gallery.toml`, worked out exactly by
`docs/gallery.py`. A game without a picture of its own is shown as it begins.
"""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from shutbox import find
from shutbox.match import Preset
from shutbox.messages import gettext, gettext_noop
from shutbox.picture import miniature
from shutbox.scene import Kind
from shutbox.web.rooms.catalogue import about_rounds, catalogue

LENGTHS = ("short", "middle", "long")
LUCKS = ("luck", "both", "skill")
_LONGER = (4.0, 6.0)  # expected throws of a turn from which it is middle, and long
_SKILLED = (0.4, 0.9)  # the same for what luck and skill decide; see docs/gallery.py


@dataclass(frozen=True, slots=True)
class Figures:
    """What is known of a turn."""

    mean: float
    throws: float
    shut: float
    skill: float

    @property
    def length(self) -> str:
        """One of LENGTHS.

        >>> figures()["classic"].length, figures()["lucky-seven"].length
        ('middle', 'short')
        """
        return LENGTHS[sum(self.throws >= most for most in _LONGER)]

    @property
    def luck(self) -> str:
        """One of LUCKS.

        >>> figures()["lucky-seven"].luck
        'luck'
        """
        return LUCKS[sum(self.skill >= most for most in _SKILLED)]


@dataclass(frozen=True, slots=True)
class GalleryBox:
    """A game in the gallery."""

    id: str
    title: str
    about: str
    """Its one difference, in a few words."""
    miniature: str
    """The markup of its picture."""
    length: str
    """One of LENGTHS; empty where it is not known."""
    luck: str
    """One of LUCKS; empty where it is not known."""


@dataclass(frozen=True, slots=True)
class _Picture:
    """How the one difference of a game is shown."""

    position: str
    marked: str
    """Keys of the pieces in brass; `*` for all tiles."""
    about: str
    badge: str = ""


_PICTURES: Mapping[str, _Picture] = {
    "classic": _Picture("1-9/3+5", "", gettext_noop("Nine tiles, two dice")),
    "two-to-go": _Picture("1.3-9/3+5", "2", gettext_noop("2 is down")),
    "three-to-go": _Picture("1.2.4-9/2+5", "3", gettext_noop("3 is down")),
    "three-down-extreme": _Picture("4-9/3+5", "1 2 3", gettext_noop("1, 2 and 3 are down")),
    "against-all-odds": _Picture("1.3.5.7.9/3+5", "*", gettext_noop("Odd numbers only")),
    "even-stevens": _Picture("2.4.6.8/3+5", "*", gettext_noop("Even numbers only")),
    "full-house": _Picture("1-12/3+5", "10 11 12", gettext_noop("Twelve tiles")),
    "digital": _Picture("3.7/1+1", "3 7", gettext_noop("3 and 7 left: 37"), "37"),
    "thai-style": _Picture("1-9/3+5", "5", gettext_noop("One tile a throw")),
    "the-300": _Picture("1-24/1+3+5+6", "*", gettext_noop("24 tiles, four dice")),
    "2012": _Picture("1-12/20", "die1", gettext_noop("One die with twenty sides")),
    "two-dice": _Picture("1-6/3+5", "die1 die2", gettext_noop("Never one die")),
    "parlour": _Picture("1-6/4", "die1", gettext_noop("7, 8, 9 down: one die, always")),
    "continental": _Picture("1-3/4", "1 2 3", gettext_noop("6 or less up: one die"), "6"),
    "two-to-go-pub": _Picture("1-9/2+5", "2", gettext_noop("The first cover takes the 2")),
    "three-to-go-pub": _Picture("1-9/3+6", "3", gettext_noop("The first cover takes the 3")),
    "markers": _Picture("1-9/3+5", "3 5 8", gettext_noop("Both dice, or their sum")),
    "covered": _Picture("1-3.5-8/3+5", "4 9", gettext_noop("What you cover counts"), "13"),
    "missionary": _Picture("3.7.9/1+1", "3 7 9", gettext_noop("Count tiles, not numbers"), "3"),
    "lucky-seven": _Picture("7/3+4", "7", gettext_noop("One tile: 7")),
    "unlucky-seven": _Picture("1-9/3+4", "die1 die2", gettext_noop("A throw of 7 ends it"), "7"),
    "ten": _Picture("1-10/3+5", "10", gettext_noop("Ten tiles")),
    "pairs": _Picture("1-9/3+5", "2 6", gettext_noop("One or two tiles a throw")),
    "six": _Picture("1-6/5", "die1", gettext_noop("Six tiles, one die")),
    "double-shutter": _Picture(
        "1.2.4.5.7.8.9.b1.b2.b3.b4.b5.b6.b7.b8.b9/3+6", "b4 b7", gettext_noop("A second row behind")
    ),
    "win-at-three": _Picture("1.2", "1 2", gettext_noop("3 or less up: shut"), "3"),
    "cargo": _Picture("-/0/1+2+4+5+6+6", "", gettext_noop("Ship, captain, crew, then cargo")),
    "ship-captain-crew": _Picture("6/0/2+2+5+6", "", gettext_noop("Five dice, three throws")),
    "tray": _Picture("d6-2.d6-6.d6-3", "", gettext_noop("Dice alone: hold, throw, add")),
}

_EVENINGS: Mapping[str, str] = {
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


def evening_line(preset: Preset) -> str:
    """What an evening is, in a line.

    >>> from shutbox.match import presets
    >>> evening_line(presets()["pub"])
    'One round for the pot'
    """
    known = _EVENINGS.get(preset.name)
    return gettext(known) if known else about_rounds(preset)


@cache
def figures() -> dict[str, Figures]:
    """The figures of every game that has been solved."""
    raw = files("shutbox.web.pages").joinpath("gallery.toml").read_text(encoding="utf-8")
    return {name: Figures(**numbers) for name, numbers in tomllib.loads(raw).items()}


@cache
def gallery() -> tuple[GalleryBox, ...]:
    """Every game, in the order of the catalogue.

    >>> [(shown.id, shown.length, shown.luck) for shown in gallery()][:2]
    [('classic', 'middle', 'skill'), ('two-to-go', 'middle', 'both')]
    """
    return tuple(_shown(game.id, game.title, game.about) for game in catalogue().games)


def chosen(length: str, luck: str) -> Collection[str]:
    """The games of a length, and of so much luck; an empty text stands for all.

    >>> sorted(chosen("short", "luck"))[0]
    'against-all-odds'
    """
    return {
        shown.id for shown in gallery() if length in ("", shown.length) and luck in ("", shown.luck)
    }


@cache
def picture_of(name: str) -> str:
    """The miniature of a game as it begins, or as its difference shows best."""
    game, picture = find(name), _PICTURES.get(name)
    if picture is None:
        return miniature(game.scene(game.start()).pieces)
    pieces = game.scene(game.position_at(picture.position)).pieces
    tiles = {piece.key for piece in pieces if piece.kind is Kind.TILE}
    keys = {key.replace("die", "die ") for key in picture.marked.split()}
    return miniature(pieces, tiles if "*" in keys else keys, picture.badge)


def _shown(name: str, title: str, about: str) -> GalleryBox:
    picture, known = _PICTURES.get(name), figures().get(name)
    return GalleryBox(
        name,
        title,
        gettext(picture.about) if picture else about,
        picture_of(name),
        known.length if known else "",
        known.luck if known else "",
    )
