"""The gallery of the first page: every game as a small box that shows how it differs from Classic.

The length of a turn and the weight of skill come from figures in `gallery.toml`, computed exactly
by `make gallery`. A game whose catalogue entry names no `picture` is shown at its start.
"""

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from shutbox import catalogue, find
from shutbox.games.family import Entry
from shutbox.lookup import difference
from shutbox.messages import cached, gettext, gettext_noop
from shutbox.picture import miniature, with_dice
from shutbox.scene import Kind

LENGTHS = ("short", "middle", "long")
LUCKS = ("luck", "both", "skill")
FIRST_BOXES = ("classic", "ten", "six", "even-stevens", "two-to-go", "lucky-seven")
"""The games to begin with."""
_GROUPS = (
    gettext_noop("Start here"),
    gettext_noop("Other tiles"),
    gettext_noop("Other rules"),
    gettext_noop("Other games"),
)
_LONGER = (4.0, 6.0)  # expected throws from which a turn is middle, and long
_SKILLED = (0.4, 0.9)  # values of `skill` from which a game is both, and skill; see docs/gallery.py


@dataclass(frozen=True, slots=True)
class Figures:
    """A turn's expected score and throws, chance to shut, and skill: see docs/gallery.py."""

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
    """How it differs from Classic, in a few words."""
    miniature: str
    """The markup of its picture."""
    length: str
    """One of LENGTHS; empty if unknown."""
    luck: str
    """One of LUCKS; empty if unknown."""


@cache
def figures() -> dict[str, Figures]:
    """Return the figures in `gallery.toml`, by the name of the game; large games have none."""
    raw = files("shutbox.web.pages").joinpath("gallery.toml").read_text(encoding="utf-8")
    return {name: Figures(**numbers) for name, numbers in tomllib.loads(raw).items()}


@cached
def gallery() -> tuple[GalleryBox, ...]:
    """Return every game, in the order of the catalogue.

    >>> [(shown.id, shown.length, shown.luck) for shown in gallery()][:2]
    [('classic', 'middle', 'skill'), ('two-to-go', 'middle', 'both')]
    """
    return tuple(map(_shown, catalogue()))


@cached
def groups() -> tuple[tuple[str, list[GalleryBox]], ...]:
    """Return every game once, in four groups with their titles; the first group is FIRST_BOXES.

    >>> [(title, len(boxes)) for title, boxes in groups()]
    [('Start here', 6), ('Other tiles', 7), ('Other rules', 13), ('Other games', 3)]
    """
    plain = find(FIRST_BOXES[0]).card().options
    found = [list[GalleryBox](), [], [], []]
    for shown in gallery():
        options = find(shown.id).card().options
        has_tiles = any(options.get(key) != plain[key] for key in ("tiles", "behind", "down"))
        if options.keys() != plain.keys():
            found[3].append(shown)
        elif shown.id not in FIRST_BOXES:
            found[1 if has_tiles else 2].append(shown)
    found[0] = [shown for id in FIRST_BOXES for shown in gallery() if shown.id == id]
    return tuple(zip(map(gettext, _GROUPS), found, strict=True))


def chosen(length: str, luck: str) -> Collection[str]:
    """Return the ids of the games of a length and a luck; an empty text matches all.

    >>> sorted(chosen("short", "luck"))[0]
    'against-all-odds'
    """
    return {
        shown.id for shown in gallery() if length in ("", shown.length) and luck in ("", shown.luck)
    }


@cache
def picture_of(name: str) -> str:
    """Return the SVG of a game's box in small, which marks what is different about the game."""
    game, entry = find(name), next((entry for entry in catalogue() if entry.name == name), None)
    if entry is None or not entry.picture:
        return miniature(with_dice(game))
    pieces = game.scene(game.position_at(entry.picture)).pieces
    tiles = {piece.key for piece in pieces if piece.kind is Kind.TILE}
    keys = {key.replace("die", "die ") for key in entry.marked.split()}
    return miniature(pieces, tiles if "*" in keys else keys, entry.badge)


def _shown(entry: Entry) -> GalleryBox:
    known = figures().get(entry.name)
    return GalleryBox(
        entry.name,
        entry.title,
        difference(entry.name),
        picture_of(entry.name),
        known.length if known else "",
        known.luck if known else "",
    )
