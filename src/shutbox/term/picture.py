"""The pieces of a scene as a picture in a terminal, for those who can see it.

It says nothing that the words do not say. Blocks of lines stand side by side and wrap at the
width of the terminal.
"""

from collections.abc import Iterator, Sequence

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


def picture(pieces: Sequence[Piece], columns: int, *, unicode: bool) -> list[str]:
    r"""The rows of the picture, none wider than `columns` unless one piece is.

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
    large = len(dice) <= _MOST_LARGE and all(die.face in _PIPS and die.sides == 6 for die in dice)
    named = any(die.sides != 6 for die in dice)
    # Tiles that stand behind one another stay so where the row wraps; the back is drawn above.
    rows = [
        [_tile(tile, widest, unicode) for tile in tiles if tile.row == row]
        for row in sorted({tile.row for tile in tiles}, reverse=True)
    ]
    stacks = [[line for block in blocks for line in block] for blocks in zip(*rows, strict=True)]
    faces = [_die(die, widest + 2 * named, large, named, unicode) for die in dice]
    return [*_side_by_side(stacks, columns), *_side_by_side(faces, columns)]


def _tile(tile: Piece, widest: int, unicode: bool) -> list[str]:
    if tile.state is State.UP:
        return _framed([f" {tile.face.rjust(widest)} "], _FRAMES[unicode], tile.state)
    blank = " " * (widest + 4)
    if tile.state is State.HIDDEN:
        return _styled([blank, "?".center(widest + 4), blank], tile.state)
    flat = "╶" + "─" * (widest + 2) + "╴" if unicode else " " + "_" * (widest + 2) + " "
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
    per_row = max(1, columns // width)
    for start in range(0, len(blocks), per_row):
        for lines in zip(*blocks[start : start + per_row], strict=True):
            yield "".join(lines)
