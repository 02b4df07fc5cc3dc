"""Positions that a notebook can draw; a bare position does not know its game."""

from dataclasses import dataclass
from typing import Any

from shutbox.game import Game, position_text
from shutbox.lookup import place_meant
from shutbox.picture import svg
from shutbox.solver.meant import Placed


@dataclass(frozen=True, slots=True, repr=False)
class PositionView:
    """A position together with its game or match, for display."""

    game: Game[Any, Any]
    position: Any

    def __repr__(self) -> str:
        return f"shutbox.view({position_text(self.game, self.position)!r})"

    def __str__(self) -> str:
        """Return the board and the dice in words."""
        scene = self.game.scene(self.position)
        return " ".join(filter(None, (scene.board, scene.dice)))

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows, as SVG text."""
        return svg(self.game.scene(self.position))


def view(place: Game[Any, Any] | Placed | str, position: Any = None) -> PositionView:
    """Return a view of a position, given as a text or as a game and a position of it.

    >>> view("classic:1.5.9/2+2")
    shutbox.view('classic:1.5.9/2+2')
    >>> print(view("classic:1.5.9/2+2"))
    1, 5 and 9 are up. The dice show 2 and 2, 4 in all.

    `place` is a full text, the name of a game or match, the game itself, or a table. `position` can
    be a text, too; without it the view shows the position of `place`, or the start. Raises what
    `place_meant` raises.
    """
    return PositionView(*place_meant(place, position))
