"""The rows at the top of a screen: the picture, what the typed line means, and all scores."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from shutbox.errors import ShutboxError
from shutbox.match import Match
from shutbox.match.scoreboard import scoreboard
from shutbox.messages import gettext
from shutbox.scene import Kind, Piece, State
from shutbox.table import Table
from shutbox.term.keys import columns_of
from shutbox.term.picture import picture
from shutbox.typed_text import typed_words

_MOST_TYPED = 80  # the most characters of a line that the picture shows; a choice is shorter


def panel(
    table: Table[Any, Any], pieces: Sequence[Piece], typed: str, size: Sequence[int], unicode: bool
) -> list[str]:
    """Return the rows, with colours, for a size in columns and rows; none if it is too small.

    The pieces that the line `typed` takes are marked as held, and their sum is beside the dice.
    """
    columns, most = size
    taken, target = pieces_taken(table, typed), table.scene.target
    pieces = [replace(p, state=State.HELD) if p in taken else p for p in pieces]
    rows = picture(pieces, columns, unicode=unicode)
    if len(rows) >= most:
        rows = picture(pieces, columns, unicode=unicode, large=False)
    if len(rows) >= most:
        return []
    if taken and target is not None:
        tiles = " + ".join(piece.face for piece in taken)
        beside = f"   {gettext('{tiles} of {total}', tiles=tiles, total=target)}"
        if len(re.sub("\x1b[^m]*m", "", rows[-2]) + beside) <= columns:
            rows[-2] += beside
    return [*rows, score_line(table, columns)]


def pieces_taken(table: Table[Any, Any], typed: str) -> list[Piece]:
    """Return the pieces that a typed line takes if it is a choice, else the tiles it names so far.

    It names none if it has other words. As in a choice, `17` is tile 17, or 1 and 7 without that.
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

    In a match it names each player with the total, or a dash before the first, with the chips, and
    with the score that is needed to get ahead. The score of this turn follows for the player on
    turn, who is marked: `Ann 12; > Bob 7 + 15, needs 30`. If the line is too long, it leaves out
    what is needed, and then it shortens the names.
    """
    if not isinstance(table.game, Match):
        return table.scene.score[:columns]
    board, points = scoreboard(table.game, table.position), table.scene.points
    names = [f"{'> ' * (seat == table.due)}{name}" for seat, name in enumerate(board.players)]
    scores = []
    for seat, (total, own) in enumerate(zip(board.totals, board.scores, strict=True)):
        score = str(total)
        if seat == table.due and points is not None:
            score = f"{score} + {points}" if board.round > 1 else str(points)
        elif own is None and board.round == 1:
            score = "-"
        if board.chips:
            score = gettext("{score}, chips {chips}", score=score, chips=board.chips[seat])
        scores.append(score)
    needing = [
        score if needed is None else gettext("{score}, needs {number}", score=score, number=needed)
        for score, needed in zip(scores, board.needs, strict=True)
    ]
    longest = max(map(len, names))
    for most, shown in ((longest, needing), *((most, scores) for most in range(longest, 2, -1))):
        each = (f"{name[:most]} {score}" for name, score in zip(names, shown, strict=True))
        line = "; ".join(each)
        if sum(map(columns_of, line)) <= columns:
            return line
    return line[: columns // 2]
