"""The tables of a device, newest first, and the results there, which workers compute."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Choose
from shutbox.engine.play import Play, Rolled
from shutbox.match import turn_game
from shutbox.match.game import turn_at, turns_of_throw
from shutbox.output.stats import ended_turns
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller, admit
from shutbox.web.actions.replays import after_each_game, has_short_record
from shutbox.web.errors import Broken, DamagedStore, Full, UnknownRoom
from shutbox.web.rooms.access import hashed
from shutbox.web.rooms.events import Numbered
from shutbox.web.rooms.plates import PlateView
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.view import View, is_due


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """The result of a finished turn at a table."""

    game: str  # the box, in the notation of names
    title: str  # the title of the box
    seat: int  # the seat that played it
    name: str  # the player's name; empty if none was given
    at: float  # the time of the last event of its game, in seconds since 1970
    throws: int  # how many throws it had
    left: str  # the position in which it ended, without the name of its game
    score: int  # by the rules of the box
    shut: bool  # whether it reached its goal, such as shutting the box
    low_is_good: bool  # whether fewer points are better


def turns_of(room: str, history: Sequence[Numbered]) -> tuple[PlayedTurn, ...]:
    """Return the finished turns of all seats in a room's log, in order of play.

    Games without a score, and those from a set-up position, are left out.
    """
    return tuple(turn for state in after_each_game(room, history) for turn in _turns(state))


def _turns(room: Room) -> Iterator[PlayedTurn]:
    table, sitting = room.table, room.sitting
    if table is None or sitting is None or sitting.header.position:
        return
    box = turn_game(table.game)
    if box.scoring is None:
        return
    throws, left = Counter[int](), defaultdict[int, Any](box.start)
    for step in Play(table.game, table.log).steps:
        turn, awaited = turn_at(table.game, step.before), table.game.awaits(step.before)
        if isinstance(step.event, Rolled):
            for seat, at in turns_of_throw(table.game, step.before).items():
                throws[seat] += 1
                left[seat] = box.rolled(at, step.event.roll)
        elif turn and isinstance(awaited, Choose):
            left[awaited.seat] = box.chosen(turn[1], step.event.choice)
        for ended in ended_turns(table.game, step.after):
            seat, state = ended.seat, room.seats[ended.seat]
            yield PlayedTurn(
                game=box.name,
                title=box.card().title,
                seat=seat,
                name=state.name if state.named else "",
                at=room.last_activity,
                throws=throws.pop(seat, 0),
                left=box.position_id(left[seat]),
                score=ended.score,
                shut=ended.shut,
                low_is_good=box.scoring.low_is_good,
            )


@dataclass(frozen=True, slots=True)
class MyTable:
    """A row of a device's list of tables: a table at which the device has a seat."""

    room: str  # the id of the room
    view: View  # the table as everybody sees it; not in the file of the list
    others: tuple[str, ...]  # the names of the other players; a name is empty if none was given
    phase: str  # how far the room is, as in `View`
    due: bool  # whether a player on this device must act: throw, choose or type real dice
    points: int | None  # the total or score of the player here; None if none or several play here
    others_points: tuple[int | None, ...]  # the same of the `others`; None before their turn ends
    shut: bool  # whether the last turn of the player here shut the box
    low_is_good: bool  # whether fewer points are better
    won: bool  # whether the player on this device won against others; False if several play on it
    winners: tuple[str, ...]  # the names of all winners against others
    at: float  # the time of the table's last event, in seconds since 1970
    turns: tuple[PlayedTurn, ...]  # the finished turns of the seats on this device, oldest first
    counted: bool = True  # whether the turns are known; False if workers were too busy or failed
    here: tuple[str, ...] = ()  # the names of the players on this device, if there are several


async def my_games(caller: Caller) -> list[MyTable]:
    """Return a device's readable tables, newest first; none without one. Raises TooOften."""
    if caller.device is None:
        return []
    caller.count(limits.HINTS_OF_ADDRESS, "records")
    rooms, tables, busy = caller.services.rooms, list[MyTable](), False
    most = limits.MOST_LISTED_TABLES
    for id in await rooms.stored_log.rooms_of(hashed(caller.device), most):
        with suppress(UnknownRoom, DamagedStore):  # its own page reports that
            inside, turns = await admit(caller, await rooms.find_to_read(id)), None
            with suppress(TooLarge, Broken):
                try:
                    turns = await _known_turns(inside, ask=not busy)
                except Full as full:
                    busy = bool(full.seconds)  # then nobody waits again for each other table
            tables.append(_table(inside, turns))
    return tables


def _table(caller: RoomCaller, turns: Sequence[PlayedTurn] | None) -> MyTable:
    room, mine = caller.live.room, caller.viewer.seats
    view, scoring = caller.live.current_view(), turn_game(caller.live.room.game).scoring
    table, names = view.table, [seat.name for seat in view.seats]
    plates = table.plates if table else ()
    points = [_points(plate) for plate in plates] or [None] * len(names)
    others = [n for n in range(len(names)) if n not in mine]
    over = table if table and view.phase == "over" and names[1:] else None
    shared = len(mine) > 1
    return MyTable(
        room=room.id,
        view=view,
        others=tuple(names[n] for n in others),
        phase=view.phase,
        due=is_due(view, caller.you),
        points=points[min(mine)] if len(mine) == 1 else None,
        shut=len(mine) == 1 and bool(plates) and plates[min(mine)].state == "shut",
        others_points=tuple(points[n] for n in others),
        low_is_good=scoring is not None and scoring.low_is_good,
        won=over is not None and not shared and not mine.isdisjoint(over.winners),
        winners=tuple(names[n] for n in over.winners) if over else (),
        at=room.last_activity,
        turns=tuple(turn for turn in turns or () if turn.seat in mine),
        counted=turns is not None,
        here=tuple(names[n] for n in sorted(mine)) if shared else (),
    )


def _points(plate: PlateView) -> int | None:
    """Return the total of a match in several rounds, else the score of a turn that is over."""
    return plate.total or (plate.points if plate.state in ("done", "shut") else None)


async def _known_turns(caller: RoomCaller, *, ask: bool) -> tuple[PlayedTurn, ...] | None:
    """Return all finished turns of a table, cached until its next event. Raises as `Pool.do`.

    None if they are not known, and the workers are not to be asked.
    """
    services, room = caller.client.services, caller.live.room
    key = f"{room.id} {room.event_count}"
    known: tuple[PlayedTurn, ...] | None = services.turns.find(key)
    if known is None and ask:
        history = await services.rooms.history(caller.live)
        known = await caller.client.do(turns_of, room.id, history, quick=has_short_record(caller))
        services.turns.put(key, known)
    return known
