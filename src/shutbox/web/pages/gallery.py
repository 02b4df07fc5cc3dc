"""The gallery of all games: every game is a small box that shows how it differs from Classic.

The length of a turn and the weight of skill come from figures in `gallery.toml`, computed exactly
by `docs/gallery.py`. A game whose catalogue entry names no `picture` is shown at its start, with
dice.
"""

import tomllib
from bisect import bisect
from collections.abc import Container
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from shutbox import catalogue, find
from shutbox.engine.messages import cached, gettext, gettext_noop
from shutbox.engine.scene import Kind
from shutbox.match import presets
from shutbox.output.picture import miniature, pieces_with_dice
from shutbox.table.lookup import difference
from shutbox.web.actions.tables import catalogue as playable
from shutbox.web.actions.tables import stand_ins

LENGTHS = ("short", "middle", "long")
LUCKS = ("luck", "both", "skill")
_FIRST_BOXES = ("classic", "ten", "six", "even-stevens", "two-to-go", "lucky-seven")
_GROUPS = (
    # Translators: the heading of the first games in a list.
    gettext_noop("Start here"),
    gettext_noop("Other tiles"),
    gettext_noop("Other rules"),
    gettext_noop("Other games"),
)
_LONGER = (4.0, 6.0)  # expected throws from which a turn is middle, and long
_SKILLED = (0.4, 0.9)  # values of `skill` from which a game is both, and skill; see docs/gallery.py


@dataclass(frozen=True, slots=True)
class GalleryBox:
    """A game as the gallery shows it."""

    id: str
    title: str
    about: str  # how it differs from Classic, in a few words
    miniature: str  # the markup of its picture
    length: str  # one of LENGTHS; empty if unknown
    luck: str  # one of LUCKS; empty if unknown
    group: int  # the index in _GROUPS of its group


@cache
def figures() -> dict[str, dict[str, float]]:
    """Return the figures of a turn, by the name of the game; large games have none.

    They are the expected score `mean` and number of `throws`, chance to `shut`, weight of `skill`.
    """
    return tomllib.loads((files(__package__) / "gallery.toml").read_text(encoding="utf-8"))


@cached
def gallery() -> tuple[GalleryBox, ...]:
    """Return every game, in the order of the catalogue.

    >>> [(shown.id, shown.length, shown.luck) for shown in gallery()][:2]
    [('classic', 'middle', 'skill'), ('two-to-go', 'middle', 'both')]
    """
    boxes = list[GalleryBox]()
    for entry in catalogue():
        known, differs = figures().get(entry.name), difference(entry.name)
        length = LENGTHS[bisect(_LONGER, known["throws"])] if known else ""
        luck = LUCKS[bisect(_SKILLED, known["skill"])] if known else ""
        picture, group = picture_of(entry.name), _group_of(entry.name)
        names = entry.name, entry.shown_title, differs
        boxes.append(GalleryBox(*names, picture, length, luck, group))
    return tuple(boxes)


def _group_of(name: str) -> int:
    """Return the index in _GROUPS of a game's group."""
    if name in _FIRST_BOXES:
        return 0
    plain, options = (find(game).card().options for game in (_FIRST_BOXES[0], name))
    if options.keys() != plain.keys():
        return 3
    return 1 if any(options[key] != plain[key] for key in ("tiles", "behind", "down")) else 2


@cached
def groups() -> tuple[tuple[str, list[GalleryBox]], ...]:
    """Return every game once, in four groups with their titles, first those to start with.

    >>> [(title, len(boxes)) for title, boxes in groups()]
    [('Start here', 6), ('Other tiles', 7), ('Other rules', 13), ('Other games', 3)]
    """
    boxes = [[box for box in gallery() if box.group == group] for group in range(len(_GROUPS))]
    boxes[0].sort(key=lambda box: _FIRST_BOXES.index(box.id))
    return tuple(zip(map(gettext, _GROUPS), boxes, strict=True))


@cache
def picture_of(name: str) -> str:
    """Return a small SVG of a game's box, with marks where it differs, as the catalogue says."""
    game = find(name)
    entry = next((e for e in catalogue() if e.name == name and e.picture), None)
    if entry is None:
        return miniature(pieces_with_dice(game))
    pieces = game.scene(game.position_at(entry.picture)).pieces
    tiles = {piece.key for piece in pieces if piece.kind is Kind.TILE}
    keys = {key.replace("die", "die ") for key in entry.marked.split()}
    return miniature(pieces, tiles if "*" in keys else keys, entry.badge)


@cached
def choices() -> dict[str, Any]:
    """Return what a new table can be opened with, as variables of the templates of its forms.

    Each of the `presets` is a tuple of the choice, its game, a few words on how it differs, and the
    picture of the game.
    """
    of_presets = zip(playable().presets, presets().values(), strict=True)
    evenings = [(p, of.game, difference(p.id), picture_of(of.game)) for p, of in of_presets]
    return {
        "games": catalogue(),
        "presets": evenings,
        "kinds": playable().computers,
        "stand_ins": stand_ins(),
        "characters": playable().characters,
    }


def classics(*positions: str) -> list[str]:
    """Return pictures of Classic at positions such as `1-9/3+6 3.6`, which marks tiles 3 and 6."""
    parts = (position.partition(" ") for position in positions)
    return [box_at("classic", position, marked.split(".")) for position, _, marked in parts]


def box_at(name: str, position: str, marked: Container[str] = ()) -> str:
    """Return a small SVG of a game's box at a position, with the tiles of the keys `marked` marked.

    Raises as `find` for the game, and as its `position_at` for the position in its notation.
    """
    game = find(name)
    return miniature(game.scene(game.position_at(position)).pieces, marked)
