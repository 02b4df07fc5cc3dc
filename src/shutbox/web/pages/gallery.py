"""The gallery of the first page: every game as a small box that shows its one difference.

How long a turn is and how much of it is skill are figures in `gallery.toml`, worked out exactly by
`docs/gallery.py`. A game without a picture of its own is shown as it begins.
"""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from shutbox import catalogue, find
from shutbox.differences import difference
from shutbox.picture import miniature
from shutbox.scene import Kind

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
    badge: str = ""


_PICTURES: Mapping[str, _Picture] = {
    "classic": _Picture("1-9/3+5", ""),
    "two-to-go": _Picture("1.3-9/3+5", "2"),
    "three-to-go": _Picture("1.2.4-9/2+5", "3"),
    "three-down-extreme": _Picture("4-9/3+5", "1 2 3"),
    "against-all-odds": _Picture("1.3.5.7.9/3+5", "*"),
    "even-stevens": _Picture("2.4.6.8/3+5", "*"),
    "full-house": _Picture("1-12/3+5", "10 11 12"),
    "digital": _Picture("3.7/1+1", "3 7", "37"),
    "thai-style": _Picture("1-9/3+5", "5"),
    "the-300": _Picture("1-24/1+3+5+6", "*"),
    "2012": _Picture("1-12/20", "die1"),
    "two-dice": _Picture("1-6/3+5", "die1 die2"),
    "parlour": _Picture("1-6/4", "die1"),
    "continental": _Picture("1-3/4", "1 2 3", "6"),
    "two-to-go-pub": _Picture("1-9/2+5", "2"),
    "three-to-go-pub": _Picture("1-9/3+6", "3"),
    "markers": _Picture("1-9/3+5", "3 5 8"),
    "covered": _Picture("1-3.5-8/3+5", "4 9", "13"),
    "missionary": _Picture("3.7.9/1+1", "3 7 9", "3"),
    "lucky-seven": _Picture("7/3+4", "7"),
    "unlucky-seven": _Picture("1-9/3+4", "die1 die2", "7"),
    "ten": _Picture("1-10/3+5", "10"),
    "pairs": _Picture("1-9/3+5", "2 6"),
    "six": _Picture("1-6/5", "die1"),
    "double-shutter": _Picture("1.2.4.5.7.8.9.b1.b2.b3.b4.b5.b6.b7.b8.b9/3+6", "b4 b7"),
    "win-at-three": _Picture("1.2", "1 2", "3"),
    "cargo": _Picture("-/0/1+2+4+5+6+6", ""),
    "ship-captain-crew": _Picture("6/0/2+2+5+6", ""),
    "tray": _Picture("d6-2.d6-6.d6-3", ""),
}


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
    return tuple(_shown(game.name, game.title) for game in catalogue())


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


def _shown(name: str, title: str) -> GalleryBox:
    known = figures().get(name)
    return GalleryBox(
        name,
        title,
        difference(name),
        picture_of(name),
        known.length if known else "",
        known.luck if known else "",
    )
