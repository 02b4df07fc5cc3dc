"""The tables of a device, newest first, and its player's results, box by box.

Workers list the finished turns of a table, and work out what their choices lost.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean
from typing import Any

from shutbox.analysis.review.valuation import ScoreValuation, TurnValuation, Valuation
from shutbox.errors import TooLarge
from shutbox.game import Choose
from shutbox.match import Match
from shutbox.play import Chosen, Play, Step
from shutbox.solver.options import Number
from shutbox.stats.collect import ended
from shutbox.table import Table
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller, room_caller
from shutbox.web.actions.replays import after_each_game, is_short
from shutbox.web.actions.reviews import reviewer_of
from shutbox.web.compute.budget import inner_of, is_quick
from shutbox.web.errors import Broken, DamagedStore, Full, NewerStore, UnknownRoom
from shutbox.web.rooms.events import Numbered
from shutbox.web.rooms.link_keys import hashed
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.view import is_due


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A finished turn at a table."""

    game: str
    title: str
    seat: int
    score: int
    shut: bool
    low_is_good: bool
    loss: float | None
    """Points, 0 or more, that its choices lost against perfect play for the score, even in a match.

    None if that takes more than a moment to work out, or if the game has too many events.
    """


def turns_of(room: str, history: Sequence[Numbered]) -> tuple[PlayedTurn, ...]:
    """Return the finished turns of a room, game after game.

    Games without a score are left out, and games from a set position, which are practice.
    """
    return tuple(turn for again in after_each_game(room, history) for turn in _turns(again))


def _turns(room: Room) -> Iterator[PlayedTurn]:
    table, sitting = room.table, room.sitting
    if table is None or sitting is None or sitting.header.position:
        return
    box = inner_of(table.game)
    if box.scoring is None:
        return
    about = box.name, box.card().title
    valuation = _valuation(table)
    lost: Number = Fraction(0)
    for step in Play(table.game, table.log).steps:
        if valuation is not None:
            lost += _cost(valuation, table, step)
        for seat, score, shut in ended(table.game, step.after):
            loss = None if valuation is None else float(lost)
            yield PlayedTurn(*about, seat, score, shut, box.scoring.low_is_good, loss)
            lost = Fraction(0)


def _valuation(table: Table[Any, Any]) -> Valuation | None:
    """Return a valuation in points of a table's positions; None if that takes too long."""
    game, box = table.game, inner_of(table.game)
    if len(table.log) > limits.VERDICT_EVENTS or not is_quick(box):
        return None
    with suppress(TooLarge):
        turn = reviewer_of(box).turn(box)
        return ScoreValuation(game, turn) if isinstance(game, Match) else TurnValuation(turn)
    return None


def _cost(valuation: Valuation, table: Table[Any, Any], step: Step[Any, Any]) -> Number:
    """Return the loss of a step's choice; 0 for a throw, and for a choice outside any turn."""
    if not isinstance(step.event, Chosen):
        return Fraction(0)
    options, awaited = valuation.options(step.before), table.game.awaits(step.before)
    if options is None:
        return Fraction(0)
    assert isinstance(awaited, Choose)  # a choice was made
    return options.costs[awaited.choices.index(step.event.choice)]


@dataclass(frozen=True, slots=True)
class MyTable:
    """A table at which a device has a seat."""

    room: str
    title: str
    others: tuple[str, ...]
    """The names of the other players; a name is empty if none was given."""
    phase: str
    due: bool
    """Whether a player on this device must act: throw, choose or type real dice."""
    won: bool
    """Whether the player on this device won against others; False if several play on it."""
    at: float
    """The time of the table's last event, in seconds since 1970."""
    turns: tuple[PlayedTurn, ...]
    """The finished turns of the seats on this device, oldest first."""
    counted: bool = True
    """Whether the turns are known; False if the workers were too busy or failed to list them."""
    here: tuple[str, ...] = ()
    """The names of the players on this device, if there are several."""
    winners: tuple[str, ...] = ()
    """The names of the winners among `here`."""


@dataclass(frozen=True, slots=True)
class BoxFigures:
    """A player's results with one box."""

    game: str
    title: str
    turns: int
    best: int
    mean: float
    shut: int
    loss: float | None
    """Points that choices lost, per turn whose loss is known; None if there is no such turn."""


@dataclass(frozen=True, slots=True)
class MyGames:
    """The newest tables of a device, and the results at them."""

    tables: tuple[MyTable, ...]
    boxes: tuple[BoxFigures, ...]


async def my_games(who: Caller) -> MyGames:
    """Return the newest tables and the results of this device.

    Deleted, damaged and newer tables, which cannot be replayed, are left out. Raises TooOften.
    """
    if who.device is None:
        return MyGames((), ())
    await who.count(limits.HINTS_OF_ADDRESS, "records")
    rooms, tables = who.services.rooms, []
    most = limits.MOST_LISTED_TABLES
    for id in await rooms.log.rooms_of(hashed(who.device), most):
        with suppress(UnknownRoom, DamagedStore, NewerStore):  # its own page reports that
            tables.append(await _table(await room_caller(who, id)))
    return MyGames(tuple(tables), figures(turn for table in tables for turn in table.turns))


async def _table(caller: RoomCaller) -> MyTable:
    room, mine = caller.live.room, caller.viewer.seats
    view = caller.live.broadcast.present()
    seats = list(enumerate(view.seats))
    turns: tuple[PlayedTurn, ...] | None = None
    with suppress(Full, TooLarge, Broken):
        turns = await _known_turns(caller)
    winners: frozenset[int] = frozenset()
    if view.table is not None and view.phase == "over" and len(seats) > 1:
        winners = mine & set(view.table.winners)
    shared = len(mine) > 1
    return MyTable(
        room=room.id,
        title=view.title,
        others=tuple(seat.name for n, seat in seats if n not in mine),
        phase=view.phase,
        due=is_due(view, caller.you),
        won=bool(winners) and not shared,
        at=room.at,
        turns=tuple(turn for turn in turns or () if turn.seat in mine),
        counted=turns is not None,
        here=tuple(seat.name for n, seat in seats if shared and n in mine),
        winners=tuple(seat.name for n, seat in seats if shared and n in winners),
    )


async def _known_turns(caller: RoomCaller) -> tuple[PlayedTurn, ...]:
    """Return all finished turns of a table, cached until its next event."""
    services, room = caller.who.services, caller.live.room
    number = room.number
    known: tuple[int, tuple[PlayedTurn, ...]] | None = services.turns.find(room.id)
    if known is None or known[0] != number:
        history = await services.rooms.history(caller.live)
        quick = is_short(caller)
        turns = await caller.who.do(turns_of, room.id, history, quick=quick, patient=True)
        # This replaces the older entry, so looking again after each event fills no memory.
        services.turns.put(room.id, known := (number, turns))
    return known[1]


def figures(turns: Iterable[PlayedTurn]) -> tuple[BoxFigures, ...]:
    """Sum up turns box by box; the box with the most turns comes first.

    >>> turn = PlayedTurn("classic", "Classic", 0, 8, False, True, 1.5)
    >>> [found] = figures([turn, PlayedTurn("classic", "Classic", 0, 0, True, True, None)])
    >>> found.turns, found.best, found.mean, found.shut, found.loss
    (2, 0, 4.0, 1, 1.5)
    """
    boxes: dict[str, list[PlayedTurn]] = {}
    for turn in turns:
        boxes.setdefault(turn.game, []).append(turn)
    found = (
        BoxFigures(
            game=game,
            title=played[0].title,
            turns=len(played),
            best=(min if played[0].low_is_good else max)(turn.score for turn in played),
            mean=fmean(turn.score for turn in played),
            shut=sum(turn.shut for turn in played),
            loss=_mean_loss(played),
        )
        for game, played in boxes.items()
    )
    return tuple(sorted(found, key=lambda box: -box.turns))


def _mean_loss(turns: Iterable[PlayedTurn]) -> float | None:
    """Return the mean over the turns with a known loss, or None if there are none."""
    known = [turn.loss for turn in turns if turn.loss is not None]
    return fmean(known) if known else None
