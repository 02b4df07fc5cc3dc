"""A position that a notebook draws: a plain position does not know whose it is."""

from dataclasses import dataclass
from typing import Any

from shutbox.game import Game, position_text
from shutbox.lookup import find_any_position
from shutbox.picture import svg
from shutbox.solver.meant import position_meant


@dataclass(frozen=True, slots=True, repr=False)
class PositionView:
    """A position of a game or a match, to look at."""

    game: Game[Any, Any]
    position: Any

    def __repr__(self) -> str:
        return f"shutbox.view({position_text(self.game, self.position)!r})"

    def __str__(self) -> str:
        """The board in words."""
        scene = self.game.scene(self.position)
        return " ".join(filter(None, (scene.board, scene.dice)))

    def _repr_svg_(self) -> str:
        """The picture, as a notebook shows it."""
        return svg(self.game.scene(self.position))


def view(place: Game[Any, Any] | str, position: Any = None) -> PositionView:
    """A position as a notebook shows it: of a text, or of a game and a position of it.

    >>> view("classic:1.5.9/2+2")
    shutbox.view('classic:1.5.9/2+2')
    >>> print(view("classic:1.5.9/2+2"))
    1, 5 and 9 are up. The dice show 2 and 2, 4 in all.

    A position may be a text, too; without one it is that of the text, or the start. Raises what
    `find_any_position` raises, and what the game says to a wrong position.
    """
    game, start = find_any_position(place) if isinstance(place, str) else (place, place.start())
    return PositionView(game, position_meant(game, position, start))
