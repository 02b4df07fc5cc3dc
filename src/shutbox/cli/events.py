"""The events of records as rows, which `shutbox export` writes into a CSV file."""

from collections.abc import Iterator
from typing import Any

from shutbox.engine.game import position_text
from shutbox.engine.play import Chosen, Corrected, Play, Rolled, TookBack
from shutbox.match.game import begins_turn, turn_at
from shutbox.output.results import Column
from shutbox.output.stats import ended_turns
from shutbox.record import Reading
from shutbox.record.lines import event_text_of

COLUMNS = (
    *(Column(name) for name in ("record", "begun", "title", "game", "format")),
    *(Column("number", int), Column("turn", int), Column("seat", int)),
    *(Column(name) for name in ("player", "computer", "kind", "dice", "choice", "position")),
    *(Column("stands", bool), Column("score", int), Column("shut", bool)),
)
"""The columns of `event_rows`, which docs/data.md describes. Seats count from 0."""


def event_rows(reading: Reading[Any, Any], *, record: str = "") -> Iterator[tuple[object, ...]]:
    """Yield a row, under COLUMNS, for each event before a fault; `record` names the record."""
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
        if isinstance(event, TookBack):
            counts.pop()
        ends = () if isinstance(event, TookBack) else ended_turns(game, applied.after)
        end = next(
            (score_and_shut[1:] for score_and_shut in ends if score_and_shut[0] == applied.seat),
            (None, None),
        )
        seat = header.players[applied.seat]
        yield (
            *(*same, applied.number, turn, applied.seat, seat.name, seat.computer or None),
            text.verb.key,
            text.what if isinstance(event, Rolled | Corrected) else None,
            text.what if isinstance(event, Chosen) else None,
            *(position_text(game, before), applied.number in standing, *end),
        )
