"""Records as workers make them and play them again."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from time import perf_counter
from typing import Any

from shutbox.errors import UnknownRecord
from shutbox.game import Game, Over
from shutbox.lookup import game_of
from shutbox.messages import gettext, ngettext
from shutbox.narrator import Length, Narrator
from shutbox.play import Play
from shutbox.record import Header, read, written
from shutbox.web.actions.replies import ReplayView, StepView
from shutbox.web.compute.budget import check_text, check_work
from shutbox.web.limits import MOST_STEPS, REPLAY_SECONDS
from shutbox.web.rooms.events import Begun, Numbered
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.table_view import pieces_view


def record_of(room: str, history: Sequence[Numbered], game: int) -> bytes:
    """The record of a game of a room, from 1. Raises UnknownRecord."""
    for number, record, _ in records_of(room, history):
        if number == game:
            return record
    raise UnknownRecord("there is no game {game} at this table", game=game)


def records_of(room: str, history: Sequence[Numbered]) -> Iterator[tuple[int, bytes, bool]]:
    """Every game of a room: its number, its record, and whether it came to its end."""
    for again in after_each_game(room, history):
        sitting, table = again.sitting, again.table
        if sitting is not None and table is not None:
            over = isinstance(table.awaits, Over)
            yield again.game, written(sitting.header, sitting.game, table.log), over


def after_each_game(room: str, history: Sequence[Numbered]) -> Iterator[Room]:
    """The room as it stood at the end of each game, and as it stands; it is one that changes."""
    again = Room(room)
    for number, at, event in history:
        if isinstance(event, Begun):
            yield again
        again.apply(number, at, event)
    yield again


def finished(room: str, history: Sequence[Numbered]) -> list[tuple[int, bytes]]:
    """The number and the record of every game of a room that came to its end."""
    return [(game, record) for game, record, over in records_of(room, history) if over]


def replayed(data: bytes) -> ReplayView:
    """A record, event by event, as far as it is sound. Raises BadRecord. Takes a while."""
    end = perf_counter() + REPLAY_SECONDS
    lines = data.splitlines(keepends=True)
    reading = read(BytesIO(b"".join(lines[: MOST_STEPS + 30])), record_game)
    game, log = reading.game, reading.play.log[:MOST_STEPS]
    players = reading.header.names
    start = reading.play.start
    play, narrator = Play(game, start=start), Narrator(game, players)
    steps = [StepView(narrator.begin(start), pieces_view(game.scene(play.position).pieces), None)]
    for event in log:
        if perf_counter() > end:
            break
        applied = play.apply(play.prepare(event))
        scene = game.scene(play.position)
        lengths = Length.NORMAL, Length.BRIEF, Length.FULL
        says, brief, full = narrator.after_at(applied, scene, lengths)
        others = (one if one != says else None for one in (brief, full))
        steps.append(StepView(says, pieces_view(scene.lying), applied.seat, *others))
    fault = gettext("It is damaged at {place}.", place=reading.fault) if reading.fault else None
    shown = len(steps) - 1
    if len(reading.play.log) > shown or len(lines) > MOST_STEPS + 30:
        fault = ngettext(
            "Only the first event is shown.",
            "Only the first {events} events are shown.",
            shown,
            events=f"{shown:,}",
        )
    return ReplayView(game.card().title, players, fault, tuple(steps))


def record_game(header: Header) -> Game[Any, Any]:
    """The game of a record, if it is played here. Raises UnknownGame and TooLarge."""
    check_text(header.game)
    game = game_of(header)
    check_work(game)
    return game
