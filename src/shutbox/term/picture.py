"""The pictures of a game in a terminal, for players who can see them.

They show nothing that the words do not say. A picture is blocks of lines that stand side by side
and wrap at the width of the terminal, into rows of equal length. Tiles that do not fit into one row
are drawn closer together. A shut box has its lid on. A panel is the rows at the top of a screen:
the picture, what the typed line means, and all scores.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from math import ceil
from typing import Any

from shutbox.engine.errors import ShutboxError
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.scene import Kind, Piece, State
from shutbox.engine.typed_text import typed_words
from shutbox.match import Match
from shutbox.match.scoreboard import Scoreboard, scoreboard
from shutbox.table import Table
from shutbox.term.width import columns_of

_RESET = "\x1b[0m"
_COLOURS = re.compile("\x1b[^m]*m")
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
_MOST_TYPED = 80  # the most characters of a line that the picture shows; a choice is shorter
_MOST_LARGE = 6  # the most dice that are drawn with pips

# corners and edges: top left, top right, bottom left, bottom right, across, down
_FRAMES = {True: "╭╮╰╯─│", False: "++++-|"}
_HELD_FRAMES = {True: "╔╗╚╝═║", False: "####=#"}


def picture(
    pieces: Sequence[Piece], columns: int, *, unicode: bool, large: bool = True
) -> list[str]:
    r"""Return the rows of the picture: tiles, then dice, with colours, in ASCII unless `unicode`.

    No row is wider than `columns` unless one piece is. Unless `large`, dice are lower, with digits.

    >>> from shutbox.engine.scene import Kind, Piece, State
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
    with_sides = any(die.sides != 6 for die in dice)
    # Tiles one behind another stay together where a row wraps; the back row is drawn above.
    order = sorted({tile.row for tile in tiles}, reverse=True)
    longest = max((sum(tile.row == row for tile in tiles) for row in order), default=0)
    space = 1 if longest * (widest + 4) <= columns else 0  # beside a number, if the row has room
    rows = [
        [_tile_rows(tile, widest, space, unicode) for tile in tiles if tile.row == row]
        for row in order
    ]
    if tiles and all(tile.state is State.DOWN for tile in tiles):
        width = min(columns, longest * (widest + 2 + 2 * space)) - 2
        lid = pgettext("drawn over a shut box", "SHUT").center(width)
        rows = [[_frame_rows([lid], _FRAMES[unicode], State.UP)]]
    stacks = [[line for block in blocks for line in block] for blocks in zip(*rows, strict=True)]
    faces = [_die_rows(die, widest + 2 * with_sides, large, with_sides, unicode) for die in dice]
    return [*_side_by_side(stacks, columns), *_side_by_side(faces, columns)]


def _tile_rows(tile: Piece, widest: int, space: int, unicode: bool) -> list[str]:
    """Return a tile in three rows; `space` columns stand on each side of its number."""
    inside = widest + 2 * space
    if tile.state in (State.UP, State.HELD):
        face = tile.face.rjust(widest).center(inside)
        frame = (_HELD_FRAMES if tile.state is State.HELD else _FRAMES)[unicode]
        return _frame_rows([face], frame, tile.state)
    blank = " " * (inside + 2)
    if tile.state is State.HIDDEN:
        return _style_rows([blank, "?".center(inside + 2), blank], tile.state)
    flat = "╶" + "─" * inside + "╴" if unicode else " " + "_" * inside + " "
    return _style_rows([blank, blank, flat], tile.state)


def _die_rows(die: Piece, widest: int, large: bool, with_sides: bool, unicode: bool) -> list[str]:
    """Return a die in five rows with pips if `large`, else in three, perhaps with its kind."""
    frame = (_HELD_FRAMES if die.state is State.HELD else _FRAMES)[unicode]
    if not large:
        kind = f"d{die.sides}" if with_sides else ""
        return _frame_rows([die.face.center(widest + 2)], frame, die.state, kind)
    pip = "●" if unicode else "o"
    return _frame_rows([f" {row.replace('o', pip)} " for row in _PIPS[die.face]], frame, die.state)


def _frame_rows(rows: list[str], frame: str, state: State, title: str = "") -> list[str]:
    top_left, top_right, bottom_left, bottom_right, across, down = tuple(frame)
    edge = across * len(rows[0])
    top = f"{top_left}{title}{edge[len(title) :]}{top_right}"
    sides = (f"{down}{row}{down}" for row in rows)
    return _style_rows([top, *sides, f"{bottom_left}{edge}{bottom_right}"], state)


def _style_rows(rows: list[str], state: State) -> list[str]:
    return [f"{_STYLES[state]}{row}{_RESET}" for row in rows]


def _side_by_side(blocks: list[list[str]], columns: int) -> Iterator[str]:
    if not blocks:
        return
    width = len(_COLOURS.sub("", blocks[0][0]))  # all blocks are equally wide
    fits = max(1, columns // width)
    per_row = ceil(len(blocks) / ceil(len(blocks) / fits))  # equal rows: no tile is left alone
    for start in range(0, len(blocks), per_row):
        for lines in zip(*blocks[start : start + per_row], strict=True):
            yield "".join(lines)


def panel(
    table: Table[Any, Any],
    pieces: Sequence[Piece],
    typed: str,
    columns: int,
    most_rows: int,
    *,
    unicode: bool,
) -> list[str]:
    """Return at most `most_rows` coloured rows: the picture, then the score; [] if too few fit.

    The pieces that the line `typed` takes are marked as held. Tiles are also added up beside the
    dice, such as `1 + 7 of 8`, where that fits.
    """
    taken, target = pieces_taken(table, typed), table.scene.target
    pieces = [replace(p, state=State.HELD) if p in taken else p for p in pieces]
    rows = picture(pieces, columns, unicode=unicode)
    if len(rows) >= most_rows:
        rows = picture(pieces, columns, unicode=unicode, large=False)
    if len(rows) >= most_rows:
        return []
    if taken and target is not None:
        tiles = " + ".join(piece.face for piece in taken)
        beside = f"   {gettext('{tiles} of {total}', tiles=tiles, total=target)}"
        if len(_COLOURS.sub("", rows[-2]) + beside) <= columns:
            rows[-2] += beside
    return [*rows, score_line(table, columns)]


def pieces_taken(table: Table[Any, Any], typed: str) -> list[Piece]:
    """Return the pieces that a typed line takes if it is a choice, else the tiles it names so far.

    Other words make the list empty. As in a choice, `17` is tile 17, or if there is none, 1 and 7.
    """
    if not typed.strip() or len(typed) > _MOST_TYPED:
        return []
    tiles = [piece for piece in table.scene.pieces if piece.kind is Kind.TILE]
    faces = {tile.face for tile in tiles}
    named: list[Piece | None] = []
    for word in typed_words(typed):
        for face in [word] if word in faces else word:
            up = (t for t in tiles if t.face == face and t.state is State.UP and t not in named)
            named.append(next(up, None))
    known = [tile for tile in named if tile is not None]
    try:
        line = table.prepare_line(typed, seat=table.due or 0)
    except ShutboxError:
        return known if len(known) == len(named) else []
    keys = {key for prepared in line if prepared.offer for key in prepared.offer.takes}
    if keys == {tile.key for tile in known}:  # in the order in which they were typed
        return known
    return [piece for piece in table.scene.pieces if piece.key in keys]


def score_line(table: Table[Any, Any], columns: int) -> str:
    """Return the score of everybody in one line of at most `columns` columns.

    In a match it names each player with the total, or a dash before the first turn, the rounds won
    if they count, the chips, and the score that is needed to get ahead. The score of this turn
    follows for the player on turn, who is marked: `Ann 12; > Bob 7 + 15, needs 30`. If the line is
    too long, it leaves out what is needed, and then it shortens the names.
    """
    if not isinstance(table.game, Match):
        return _cut(table.scene.score, columns)
    board = scoreboard(table.game, table.position)
    names = [f"{'> ' * (seat == table.due)}{name}" for seat, name in enumerate(board.players)]
    scores = [_seat_score(table, table.game, board, seat) for seat in range(len(names))]
    needing = [
        # Translators: the number is the worst score of this round that leads.
        score if needed is None else gettext("{score}, needs {number}", score=score, number=needed)
        for score, needed in zip(scores, board.needs, strict=True)
    ]
    longest = max(map(len, names))
    lengths = range(longest, 2, -1)  # of names: no longer than these, until the line fits
    for most, texts in ((longest, needing), *((length, scores) for length in lengths)):
        each = (f"{name[:most]} {text}" for name, text in zip(names, texts, strict=True))
        line = "; ".join(each)
        if sum(map(columns_of, line)) <= columns:
            break
    return _cut(line, columns)


def _seat_score(
    table: Table[Any, Any], match: Match[Any, Any], board: Scoreboard, seat: int
) -> str:
    """Return the score of a seat in a match, with its rounds won or chips if they count."""
    total, own = board.totals[seat], board.scores[seat]
    rows, state = match.rules.rows, match.settled(table.position).position
    alone = board.round == 1 or board.wins is not None  # without totals of other rounds
    score = str(own if board.wins else total)
    if seat == table.due and (points := table.scene.points) is not None:
        score = str(points) if alone else f"{score} + {points}"
    elif own is None and rows and state.rows:
        score = str(rows.score(state.rows[seat]))
    elif own is None and alone:
        score = "-"
    elif rows and board.seat is not None:
        # Translators: out of this round, with this score.
        score = pgettext("score of a player", "{score} out", score=score)
    if board.wins:
        score = gettext("{score}, rounds {wins}", score=score, wins=total)
    if board.chips:
        score = gettext("{score}, chips {chips}", score=score, chips=board.chips[seat])
    return score


def _cut(text: str, columns: int) -> str:
    """Return as many of the first characters as fit in `columns` columns."""
    widths = accumulate(map(columns_of, text))
    return "".join(sign for sign, width in zip(text, widths, strict=True) if width <= columns)
