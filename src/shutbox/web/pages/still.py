"""A box as a picture on a page: the board of the table, in any size, with nothing to press."""

from dataclasses import dataclass

from shutbox.scene import Scene
from shutbox.web.rooms.table_view import PieceView, pieces_view


@dataclass(frozen=True, slots=True)
class Still:
    """What the template `still` of `_board.html` draws."""

    about: str
    """What lies there, for who hears the page."""
    pieces: tuple[PieceView, ...]


def still(scene: Scene) -> Still:
    """The box of a scene.

    >>> from shutbox import find
    >>> classic = find("classic")
    >>> drawn = still(classic.scene(classic.position_at("1.5.9/2+4")))
    >>> drawn.about, len(drawn.pieces)
    ('1, 5 and 9 are up. The dice show 2 and 4, 6 in all.', 11)
    """
    about = " ".join(filter(None, (scene.board, scene.dice)))
    return Still(about, pieces_view(scene.pieces))
