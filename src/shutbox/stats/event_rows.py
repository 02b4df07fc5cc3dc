"""The events of a record as rows, for other programs; docs/data.md describes the columns."""

from collections.abc import Iterator
from typing import Any

from shutbox.game import position_text
from shutbox.match.game import begins_turn, turn_at
from shutbox.play import Chosen, Corrected, Play, Rolled
from shutbox.record import Reading
from shutbox.record.event_text import event_text_of
from shutbox.results import Column
from shutbox.stats.collect import ended

COLUMNS = (
    *(Column(name) for name in ("record", "begun", "title", "game", "format")),
    *(Column("number", int), Column("turn", int), Column("seat", int)),
    *(Column(name) for name in ("player", "computer", "kind", "dice", "choice", "position")),
    *(Column("stands", bool), Column("score", int), Column("shut", bool)),
)
"""The columns of the rows, one row for each event. Seats count from 0, as in JSON."""


def event_rows(reading: Reading[Any, Any], *, record: str = "") -> Iterator[tuple[object, ...]]:
    r"""Yield a row for each intact event, under COLUMNS; `record` is the name of the record.

    >>> from io import BytesIO
    >>> from shutbox.lookup import game_of
    >>> from shutbox.record import read
    >>> data = (
    ...     b"shutbox record 1\nprogram shutbox 0.1.0\nbegun 2026-11-21 12:00:05 UTC\n"
    ...     b"game classic\nplayer Ann\ndice system\nbegin #0302b5f0\n"
    ...     b"1 Ann: throws 3+5 #528b22ae\n"
    ... )
    >>> [row] = event_rows(read(BytesIO(data), game_of), record="7")
    >>> row[5:12]
    (1, 1, 0, 'Ann', None, 'throws', '3+5')
    """
    header, game = reading.header, reading.game
    same = (record, header.begun, game.card().title, header.game, header.format or None)
    standing = {step.number for step in reading.play.steps}
    play = Play(game, start=reading.play.start)
    counts = [0]  # how many turns have begun: before each event that stands, and after the last
    for event in reading.play.log:
        before = play.position
        if isinstance(event, Rolled | Chosen):
            counts.append(counts[-1] + begins_turn(play, before))
        # Taking back and correcting belong to the turn of the event that they undo.
        at = before if isinstance(event, Rolled | Chosen) else play.steps[-1].before
        turn = None if game.longest is None or turn_at(game, at) is None else counts[-1]
        text = event_text_of(game, event)
        applied = play.apply(play.prepare(event))
        end: tuple[int | None, bool | None] = (None, None)
        if isinstance(event, Rolled | Chosen | Corrected):
            end = next(((score, shut) for _, score, shut in ended(game, applied.after)), end)
        else:
            counts.pop()
        who = header.players[applied.seat]
        yield (
            *(*same, applied.number, turn, applied.seat, who.name, who.computer or None),
            text.verb.key,
            text.what if isinstance(event, Rolled | Corrected) else None,
            text.what if isinstance(event, Chosen) else None,
            *(position_text(game, before), applied.number in standing, *end),
        )
