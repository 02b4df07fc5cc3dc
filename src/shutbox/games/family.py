"""A family of games: some names, and a way to make a game of a name and its overrides.

Boxes are one family, Cargo another. The catalogue lists the families and knows nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from shutbox.game import Game


@dataclass(frozen=True, slots=True)
class Entry:
    """One game as the catalogue lists it."""

    name: str
    title: str
    source: str
    """Where its rules are from, in the letters of docs/games.md."""
    group: str
    """The group of the menu in which it stands, a template for `gettext`."""


class Family(Protocol):
    """What a family's folder offers."""

    def entries(self) -> tuple[Entry, ...]:
        """Its games, in the order in which they are listed."""

    def find(self, name: str, options: Mapping[str, str]) -> Game[Any, Any]:
        """The game of one of its names with some options replaced. Raises BadVariant."""
