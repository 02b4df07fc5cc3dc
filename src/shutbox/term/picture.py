"""The pieces of a scene as a picture in a terminal, for players who can see it.

It shows nothing that the words do not say. Blocks of lines stand side by side and wrap at the
width of the terminal, into rows of equal length. Tiles that do not fit into one row are drawn
closer together. A shut box has its lid on.
"""

from collections.abc import Iterator, Sequence
from math import ceil

from shutbox.messages import pgettext
from shutbox.scene import Kind, Piece, State

_RESET = "\x1b[0m"
_STYLES = {
    State.UP: "\x1b[1;33m",
    State.DOWN: "\x1b[2m",
    State.HIDDEN: "\x1b[2m",
    State.LYING: "\x1b[1m",
    State.HELD: "\x1b[1;32m",
    State.IN_HAND: "\x1b[2m",
}
_PIPS = {
    "": ("     ", "     ", "     "),
    "1": ("     ", "  o  ", "     "),
    "2": ("o    ", "     ", "    o"),
    "3": ("o    ", "  o  ", "    o"),
    "4": ("o   o", "     ", "o   o"),
    "5": ("o   o", "  o  ", "o   o"),
    "6": ("o   o", "o   o", "o   o"),
}
_MOST_LARGE = 6  # the most dice that are drawn with pips

# corners and edges: top left, top right, bottom left, bottom right, across, down
_FRAMES = {True: "╭╮╰╯─│", False: "++++-|"}
_HELD_FRAMES = {True: "╔╗╚╝═║", False: "####=#"}


def picture(
    pieces: Sequence[Piece], columns: int, *, unicode: bool, large: bool = True
) -> list[str]:
    r"""Return the rows of the picture, with colours, in ASCII unless `unicode`.

    No row is wider than `columns` unless one piece is. Unless `large`, dice show digits, not pips,
    and take fewer rows.

    >>> from shutbox.scene import Kind, Piece, State
    >>> tile = Piece("7", Kind.TILE, "7", State.UP, "tile 7")
    >>> for row in picture([tile], 80, unicode=False):
    ...     print(row.replace("\x1b", "").replace("[1;33m", "").replace("[0m", ""))
    +---+
    | 7 |
    +---+
    """
    tiles = [piece for piece in pieces if piece.kind is Kind.TILE]
    dice = [piece for piece in pieces if piece.kind is Kind.DIE]
    widest = max((len(piece.face) for piece in pieces), default=1)
    large &= len(dice) <= _MOST_LARGE and all(die.face in _PIPS and die.sides == 6 for die in dice)
    named = any(die.sides != 6 for die in dice)
    # Tiles one behind another stay together where a row wraps; the back row is drawn above.
    order = sorted({tile.row for tile in tiles}, reverse=True)
    most = max((sum(tile.row == row for tile in tiles) for row in order), default=0)
    room = 1 if most * (widest + 4) <= columns else 0  # beside a number, if the row has space
    rows = [
        [_tile(tile, widest, room, unicode) for tile in tiles if tile.row == row] for row in order
    ]
    if tiles and all(tile.state is State.DOWN for tile in tiles):
        width = min(columns, most * (widest + 2 + 2 * room)) - 2
        rows = [
            [
                _framed(
                    [pgettext("drawn over a shut box", "SHUT").center(width)],
                    _FRAMES[unicode],
                    State.UP,
                )
            ]
        ]
    stacks = [[line for block in blocks for line in block] for blocks in zip(*rows, strict=True)]
    faces = [_die(die, widest + 2 * named, large, named, unicode) for die in dice]
    return [*_side_by_side(stacks, columns), *_side_by_side(faces, columns)]


def _tile(tile: Piece, widest: int, room: int, unicode: bool) -> list[str]:
    inside = widest + 2 * room
    if tile.state in (State.UP, State.HELD):
        face = tile.face.rjust(widest).center(inside)
        frame = (_HELD_FRAMES if tile.state is State.HELD else _FRAMES)[unicode]
        return _framed([face], frame, tile.state)
    blank = " " * (inside + 2)
    if tile.state is State.HIDDEN:
        return _styled([blank, "?".center(inside + 2), blank], tile.state)
    flat = "╶" + "─" * inside + "╴" if unicode else " " + "_" * inside + " "
    return _styled([blank, blank, flat], tile.state)


def _die(die: Piece, widest: int, large: bool, named: bool, unicode: bool) -> list[str]:
    frame = (_HELD_FRAMES if die.state is State.HELD else _FRAMES)[unicode]
    if not large:
        kind = f"d{die.sides}" if named else ""
        return _framed([die.face.center(widest + 2)], frame, die.state, kind)
    pip = "●" if unicode else "o"
    return _framed([f" {row.replace('o', pip)} " for row in _PIPS[die.face]], frame, die.state)


def _framed(rows: list[str], frame: str, state: State, title: str = "") -> list[str]:
    top_left, top_right, bottom_left, bottom_right, across, down = tuple(frame)
    edge = across * len(rows[0])
    top = f"{top_left}{title}{edge[len(title) :]}{top_right}"
    sides = (f"{down}{row}{down}" for row in rows)
    return _styled([top, *sides, f"{bottom_left}{edge}{bottom_right}"], state)


def _styled(rows: list[str], state: State) -> list[str]:
    return [f"{_STYLES[state]}{row}{_RESET}" for row in rows]


def _side_by_side(blocks: list[list[str]], columns: int) -> Iterator[str]:
    if not blocks:
        return
    width = len(blocks[0][0]) - len(_RESET) - blocks[0][0].index("m") - 1
    fits = max(1, columns // width)
    per_row = ceil(len(blocks) / ceil(len(blocks) / fits))  # equal rows: no tile is left alone
    for start in range(0, len(blocks), per_row):
        for lines in zip(*blocks[start : start + per_row], strict=True):
            yield "".join(lines)
