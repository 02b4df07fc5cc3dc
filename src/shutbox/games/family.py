"""A family of games: some names, and a way to make a game of a name and its overrides.

Boxes are one family, Cargo another. The catalogue lists the families and knows nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from shutbox.game import Game


@dataclass(frozen=True, slots=True)
class Picture:
    """The position in which a gallery shows a game, so that its one difference is seen."""

    position: str
    marked: str = ""
    """Keys of the pieces drawn in brass, with spaces; `die1` is the first die, `*` every tile."""
    badge: str = ""
    """A few characters drawn in a corner, such as a score."""


@dataclass(frozen=True, slots=True)
class OtherName:
    """What a source calls a game of the catalogue, or one of them with options."""

    title: str
    game: str
    """The name under which it is found."""
    says: str = ""
    """What is told of it with the rules, a template for `gettext`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One game as the catalogue lists it."""

    name: str
    title: str
    source: str
    """Where its rules are from, in the letters of docs/games.md."""
    group: str
    """The group of the menu in which it stands, a template for `gettext`."""
    differs: str = ""
    """What is different about it in a few words, a template for `gettext`."""
    picture: Picture | None = field(default=None, repr=False)
    """Its picture in a gallery; None for the game as it begins."""
    other_names: tuple[OtherName, ...] = field(default=(), repr=False)


class Family(Protocol):
    """What a family's folder offers."""

    def entries(self) -> tuple[Entry, ...]:
        """Its games, in the order in which they are listed."""

    def find(self, name: str, options: Mapping[str, str]) -> Game[Any, Any]:
        """The game of one of its names with some options replaced. Raises BadVariant."""
