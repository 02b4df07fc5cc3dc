"""Records of games, which workers write and replay."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from time import perf_counter
from typing import Any

from shutbox.errors import UnknownRecord
from shutbox.game import Game, Over
from shutbox.lookup import game_of
from shutbox.messages import gettext, ngettext
from shutbox.narrator import Length, Narrator
from shutbox.play import Corrected, Play, Rolled
from shutbox.record import Header, Reading, read, written
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller
from shutbox.web.actions.replies import ReplayView, StepView
from shutbox.web.compute.budget import check_text, check_work, inner_of, is_quick
from shutbox.web.rooms.events import Begun, Numbered
from shutbox.web.rooms.permissions import Permission
from shutbox.web.rooms.room import Room

_HEADER = 30  # lines of a record before its events, at most


async def recorded(caller: RoomCaller, game: int | None) -> bytes:
    """Return the record of a game of a room, by default of the current one.

    Raises NotAllowed, TooOften, Full and UnknownRecord.
    """
    caller.check(Permission.SEES)
    who, live = caller.who, caller.live
    await who.count(limits.HINTS_OF_ADDRESS, "records")
    history = await who.services.rooms.history(live)
    about = live.room.id, history, caller.game(game)
    return await who.do(record_of, *about, quick=is_short(caller), patient=True)


def is_short(caller: RoomCaller) -> bool:
    """Whether writing and replaying the record of a room takes only a moment."""
    room = caller.live.room
    if room.table is None or room.number >= limits.SHORT_RECORD:
        return False
    return is_quick(inner_of(room.table.game))


async def replay(who: Caller, data: bytes) -> ReplayView:
    """Replay a record that the caller sends, event by event. Raises BadRecord and Full."""
    return await who.do(replayed, data, patient=True)


def record_of(room: str, history: Sequence[Numbered], game: int) -> bytes:
    """Return the record of a game by its number, from 1. `room` is an id. Raises UnknownRecord."""
    for number, record, _ in records_of(room, history):
        if number == game:
            return record
    raise UnknownRecord("there is no game {game} at this table", game=game)


def records_of(room: str, history: Sequence[Numbered]) -> Iterator[tuple[int, bytes, bool]]:
    """Yield every game of a room, from its log: its number, its record, and whether it is over."""
    for again in after_each_game(room, history):
        sitting, table = again.sitting, again.table
        if sitting is not None and table is not None:
            over = isinstance(table.awaits, Over)
            opened = again.dice.opened if again.dice else None
            record = written(sitting.header, sitting.game, table.log, opened)
            yield again.game, record, over


def after_each_game(room: str, history: Sequence[Numbered]) -> Iterator[Room]:
    """Yield one room, which changes: before each game begins, even the first, and as it is now."""
    again = Room(room)
    for number, at, event in history:
        if isinstance(event, Begun):
            yield again
        again.apply(number, at, event)
    yield again


def finished(room: str, history: Sequence[Numbered]) -> list[tuple[int, bytes]]:
    """Return the number and the record of every finished game of a room."""
    return [(game, record) for game, record, over in records_of(room, history) if over]


def replayed(data: bytes) -> ReplayView:
    """Replay a record event by event, up to damage or a limit, which `fault` names. Takes a while.

    Raises BadRecord.
    """
    end = perf_counter() + limits.REPLAY_SECONDS
    reading, fault = read_some(data, limits.MOST_STEPS)
    game, players, start = reading.game, reading.header.names, reading.play.start
    play, narrator = Play(game, start=start), Narrator(game, players)
    steps = [StepView(narrator.begin(start), game.scene(play.position).pieces, None)]
    for event in reading.play.log[: limits.MOST_STEPS]:
        if perf_counter() > end:
            break
        applied = play.apply(play.prepare(event))
        scene = game.scene(play.position)
        lengths = Length.NORMAL, Length.BRIEF, Length.FULL
        says, brief, full = narrator.after_at(applied, scene, lengths)
        short, long = (one if one != says else None for one in (brief, full))
        throws = isinstance(event, Rolled | Corrected)
        at = len(steps) if throws else steps[-1].thrown_at
        steps.append(StepView(says, scene.lying, applied.seat, short, long, at))
    shown = len(steps) - 1
    if len(reading.play.log) > shown or data.count(b"\n") > limits.MOST_STEPS + _HEADER:
        fault = ngettext(
            "Only the first event is shown.",
            "Only the first {events} events are shown.",
            shown,
            events=f"{shown:,}",
        )
    return ReplayView(game.card().title, players, fault, tuple(steps))


def read_some(data: bytes, most: int) -> tuple[Reading[Any, Any], str | None]:
    """Return the content of a record, and a sentence about damage or None. Raises BadRecord.

    If it has more than `most` events, only a few more than `most` are read.
    """
    lines = data.splitlines(keepends=True)[: most + _HEADER]
    reading = read(BytesIO(b"".join(lines)), record_game)
    fault = gettext("It is damaged at {place}.", place=reading.fault) if reading.fault else None
    return reading, fault


def record_game(header: Header) -> Game[Any, Any]:
    """Return the game of a record, if it is played here. Raises UnknownGame and TooLarge."""
    check_text(header.game)
    game = game_of(header)
    check_work(game)
    return game
