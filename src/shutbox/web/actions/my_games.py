"""The tables of a device, the newest first, and what its player did at them, box by box."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from statistics import fmean

from shutbox.errors import TooLarge
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller, room_caller
from shutbox.web.actions.played_turns import PlayedTurn, turns_of
from shutbox.web.actions.records import is_short
from shutbox.web.errors import Broken, DamagedStore, Full, UnknownRoom
from shutbox.web.rooms.link_keys import hashed
from shutbox.web.rooms.view import is_due


@dataclass(frozen=True, slots=True)
class MyTable:
    """A table at which a device has a seat."""

    room: str
    title: str
    others: tuple[str, ...]
    """Who else sits there, by name; empty where nobody has given one."""
    phase: str
    due: bool
    """Whether it is this player's turn."""
    won: bool
    """Whether this player won; False where several play on this device."""
    at: float
    """Seconds since 1970 when somebody last did something there."""
    turns: tuple[PlayedTurn, ...]
    """Those that this player brought to their end, the oldest first."""
    counted: bool = True
    """False where too much is being worked out just now, so that the turns are not known."""
    here: tuple[str, ...] = ()
    """Who plays on this device, by name, where several do."""
    winners: tuple[str, ...] = ()
    """Who of them won."""


@dataclass(frozen=True, slots=True)
class BoxFigures:
    """What a player did with one box."""

    game: str
    title: str
    turns: int
    best: int
    mean: float
    shut: int
    loss: float | None
    """Points a turn that choices lost against perfect play, in the turns where that is known."""


@dataclass(frozen=True, slots=True)
class MyGames:
    """The newest tables of a device, and what came of them."""

    tables: tuple[MyTable, ...]
    boxes: tuple[BoxFigures, ...]


async def my_games(who: Caller) -> MyGames:
    """What this device has played. Raises TooOften and Full."""
    if who.device is None:
        return MyGames((), ())
    await who.count(limits.HINTS_OF_ADDRESS, "records")
    rooms, tables = who.services.rooms, []
    most = limits.MOST_LISTED_TABLES
    for id in await rooms.log.rooms_of(hashed(who.device), most):
        with suppress(UnknownRoom, DamagedStore):  # which is told on its own page
            tables.append(await _table(await room_caller(who, id)))
    return MyGames(tuple(tables), figures(turn for table in tables for turn in table.turns))


async def _table(there: RoomCaller) -> MyTable:
    room, mine = there.live.room, there.viewer.seats
    view = there.live.broadcast.present()
    seats = list(enumerate(view.seats))
    turns: tuple[PlayedTurn, ...] | None = None
    with suppress(Full, TooLarge, Broken):
        turns = await _turns(there)
    winners: frozenset[int] = frozenset()
    if view.table is not None and view.phase == "over" and len(seats) > 1:
        winners = mine & set(view.table.winners)
    shared = len(mine) > 1
    return MyTable(
        room=room.id,
        title=view.title,
        others=tuple(seat.name for n, seat in seats if n not in mine),
        phase=view.phase,
        due=is_due(view, there.you),
        won=bool(winners) and not shared,
        at=room.at,
        turns=tuple(turn for turn in turns or () if turn.seat in mine),
        counted=turns is not None,
        here=tuple(seat.name for n, seat in seats if shared and n in mine),
        winners=tuple(seat.name for n, seat in seats if shared and n in winners),
    )


async def _turns(there: RoomCaller) -> tuple[PlayedTurn, ...]:
    """All that were played at a table; worked out anew only once something has happened there."""
    services, room = there.who.services, there.live.room
    number = room.number
    known: tuple[int, tuple[PlayedTurn, ...]] | None = services.turns.find(room.id)
    if known is None or known[0] != number:
        history = await services.rooms.history(there.live)
        turns = await services.pool.do(
            there.who.waits_as, turns_of, room.id, history, quick=is_short(there), patient=True
        )
        # In the place of those before: who looks at each event fills no memory.
        services.turns.keep(room.id, known := (number, turns))
    return known[1]


def figures(turns: Iterable[PlayedTurn]) -> tuple[BoxFigures, ...]:
    """Turns, added up box by box; the box with the most of them first.

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
    """Over the turns where it is known; None where that is none of them."""
    known = [turn.loss for turn in turns if turn.loss is not None]
    return fmean(known) if known else None
