"""Today's boxes in the database, and each device's try at them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from itertools import pairwise

from sqlalchemy import Connection, func, insert, select, text, update

from shutbox.web.rooms.days import (
    MOST_BARS,
    Day,
    DayMove,
    DayResult,
    Finish,
    Losses,
    Moves,
    PastDay,
    Try,
)
from shutbox.web.storage.group_commit import written
from shutbox.web.storage.log import StoredLog
from shutbox.web.storage.schema import days, tries

MOST_LISTED = 100  # rows of a ranking, or rooms still to be judged
MOST_DAYS = 4000  # of a streak
MOST_COMPARED = 1000  # tries whose throws are compared
_FINISH = (tries.c.score, tries.c.shut, tries.c.loss)


@written
def made(connection: Connection, day: Day) -> None:
    """Store a day with its game and seed, unless it is already stored; `made(day)` is the Write."""
    add = "INSERT INTO days (day, game, seed) VALUES (:day, :game, :seed)"
    connection.execute(text(f"{add} ON CONFLICT (day) DO NOTHING"), asdict(day))


class StoredDays:
    """The stored days and tries, as one process sees them."""

    def __init__(self, log: StoredLog) -> None:
        self._log = log

    async def make(self, day: Day) -> None:
        """Store a day with its game and seed, unless it is already stored. Raises NotKept."""
        await self._log.write(made(day))

    async def find(self, day: str) -> Day | None:
        """Return a day, or None if its box was never requested."""
        rows = await self._log.rows(select(days).where(days.c.day == day))
        return Day(*rows[0]) if rows else None

    async def before(self, day: str, most: int) -> Sequence[PastDay]:
        """Return up to `most` stored days before that one, newest first."""
        query = select(days.c.day, days.c.game).where(days.c.day < day)
        newest = query.order_by(days.c.day.desc()).limit(most)
        return [PastDay(*row) for row in await self._log.rows(newest)]

    @staticmethod
    @written
    def begun(connection: Connection, day: Day, device: str, room: str) -> None:
        """Store a device's try at the box of a day, and the day itself if it is new.

        Raises IntegrityError if the device has already tried it.
        """
        made(day)(connection)
        connection.execute(insert(tries), {"day": day.day, "device": device, "room": room})

    async def finish(self, room: str, finish: Finish, moves: Moves) -> None:
        """Store the result of the try in a room, unless it already has one. Raises NotKept."""
        here = (tries.c.room == room) & tries.c.loss.is_(None)
        played = json.dumps([astuple(move) for move in moves], separators=(",", ":"))
        ends = update(tries).where(here).values(**asdict(finish), moves=played)
        await self._log.write(lambda connection: connection.execute(ends))

    async def try_of(self, day: str, device: str) -> Try | None:
        """Return the try of a device, given by its hash, or None."""
        other = tries.alias()
        better = (other.c.day == tries.c.day) & (other.c.loss < tries.c.loss)
        place = 1 + select(func.count()).where(better).scalar_subquery()  # ties share a place
        query = select(tries.c.room, tries.c.moves, *_FINISH, place)
        mine = query.where(tries.c.day == day, tries.c.device == device)
        for room, moves, *end in await self._log.rows(mine):
            return Try(room, None if None in end else DayResult(*end), _moves(moves))
        return None

    async def results_of(self, device: str) -> Mapping[str, Finish]:
        """Return a device's results by day, of its last `MOST_DAYS` finished tries."""
        query = select(tries.c.day, *_FINISH).where(tries.c.device == device)
        query = query.where(tries.c.loss.is_not(None)).order_by(tries.c.day.desc())
        return {day: Finish(*end) for day, *end in await self._log.rows(query.limit(MOST_DAYS))}

    async def losses(self, day: str, mine: Finish | None) -> Losses | None:
        """Return what mistakes cost the players of a day; None if none has finished."""
        lost, loss = tries.c.loss, mine.loss if mine else None
        less = (func.count().filter(lost < bar + 0.5) for bar in range(MOST_BARS - 1))
        query = select(*less, func.count(), func.count().filter(lost > (loss or 0.0)))
        [row] = await self._log.rows(query.where(tries.c.day == day, lost.is_not(None)))
        *up_to, worse = row
        bars = tuple(more - fewer for fewer, more in pairwise([0, *up_to]))
        others = sum(bars) - 1 if mine else 0
        percent = 100 * worse // others if others else None
        return Losses(day, bars, loss, percent) if sum(bars) else None

    async def moves_of(self, day: str) -> Sequence[Moves]:
        """Return the moves of up to `MOST_COMPARED` finished tries of a day."""
        query = select(tries.c.moves).where(tries.c.day == day, tries.c.moves.is_not(None))
        rows = await self._log.rows(query.order_by(tries.c.device).limit(MOST_COMPARED))
        return [_moves(row.moves) for row in rows]

    async def not_judged(self, day: str, after: str) -> Sequence[str]:
        """Return rooms whose try at the box of a day has no result yet: unfinished or not judged.

        At most `MOST_LISTED` of them, sorted by id, starting after the id `after`.
        """
        query = select(tries.c.room).where(tries.c.day == day, tries.c.loss.is_(None))
        query = query.where(tries.c.room > after).order_by(tries.c.room)
        return [row.room for row in await self._log.rows(query.limit(MOST_LISTED))]

    async def numbers(self, day: str) -> tuple[int, int]:
        """Return the numbers of tries begun and finished at the box of a day."""
        query = select(func.count(), func.count(tries.c.loss)).where(tries.c.day == day)
        [(begun, finished)] = await self._log.rows(query)
        return begun, finished

    async def ranking(self, day: str) -> Sequence[DayResult]:
        """Return the best `MOST_LISTED` finished tries of a day, by increasing loss, then score."""
        place = func.rank().over(order_by=tries.c.loss)
        query = select(*_FINISH, place).where(tries.c.day == day, tries.c.loss.is_not(None))
        query = query.order_by(tries.c.loss, tries.c.score).limit(MOST_LISTED)
        return [DayResult(*row) for row in await self._log.rows(query)]


def _moves(stored: str | None) -> Moves:
    return tuple(DayMove(*move) for move in json.loads(stored or "[]"))
