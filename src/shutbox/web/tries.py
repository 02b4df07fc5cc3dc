"""The boxes of the day as stored, and the tries at them, which are reviewed.

The first process that needs a box makes it, and it is the same for all of them. The pool reviews a
try soon after its end. If this process dies before that, or the pool fails, the try is reviewed
when its player asks for the result.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import partial
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection, func, insert, select, text, update

from shutbox.engine.errors import NotKept, OutOfDate, ShutboxError
from shutbox.engine.game import position_text
from shutbox.engine.lru import LruCache
from shutbox.engine.messages import language, speaking
from shutbox.games.catalogue import find
from shutbox.table import today
from shutbox.table.today import Day, DayFacts, DayMove, Finish, Hardest, Moves, Try, day_after
from shutbox.web.compute import tasks
from shutbox.web.compute.pool import Pool
from shutbox.web.errors import DAMAGED, Broken, DamagedStore, NoAnswer, one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import RoomRepository
from shutbox.web.logs import log
from shutbox.web.rooms.changes import MakeWrite
from shutbox.web.storage import schema
from shutbox.web.storage.log import StoredLog
from shutbox.web.storage.schema import tries

MOST_DAYS = 4000  # of a streak
MOST_COMPARED = 1000  # tries whose throws are compared
_CACHED = 400  # cached days
_WHO = "today"  # the caller in the queue of the pool
_QUEUE: dict[str, Any] = {"quick": True, "background": True}  # many tries can end at once
_FINISH = (tries.c.score, tries.c.shut, tries.c.loss)
_STORE = text(
    "INSERT INTO days (day, game, seed) VALUES (:day, :game, :seed) ON CONFLICT (day) DO NOTHING"
)


def new_day(day: str) -> Day:
    """Return `day`, a date YYYY-MM-DD, with its weekday's game and a new 256-bit random seed."""
    game = today.day_by_date(day).game
    return Day(day, game, f"{day} {game} {token_hex(32)}")


def store_day(connection: Connection, day: Day) -> None:
    """Store a day with its game and seed, unless it is already stored."""
    connection.execute(_STORE, asdict(day))


@dataclass
class Days:
    """The keeper of the boxes of the day in one process: it makes them, and reviews the tries.

    Devices are given by their hashes. Reading raises NoAnswer.
    """

    rooms: RoomRepository
    pool: Pool
    log: StoredLog

    def __post_init__(self) -> None:
        self._known = LruCache[str, Day](_CACHED)
        self._facts = LruCache[str, DayFacts](_CACHED)
        self._hardest = LruCache[tuple[str, str, int], Hardest](_CACHED)
        self._judging: dict[str, asyncio.Task[None]] = {}

    @property
    def today_date(self) -> str:
        """The current day in UTC, as YYYY-MM-DD."""
        return today.day_of(self.rooms.now())

    async def ensure(self, day: str) -> Day:
        """Return a day's box; make and store it and the next day's if missing. Raises NotKept."""
        for each in (day, day_after(day)):
            if await self.find(each) is None:
                try:
                    await self.log.write(partial(store_day, day=new_day(each)))
                except NotKept:
                    raise NotKept("there is no box of today yet; look again in a moment") from None
        return await self.require(day)  # this one, or the one of a process that was first

    async def require(self, day: str) -> Day:
        """Return the box of a day that must be stored. Raises DamagedStore if it is gone."""
        if (stored_day := await self.find(day)) is None:
            raise DamagedStore(DAMAGED)
        return stored_day

    async def find(self, day: str) -> Day | None:
        """Return the box of a day, or None if it is not stored."""
        if (known := self._known.find(day)) is not None:
            return known
        rows = await self.log.rows(select(schema.days).where(schema.days.c.day == day))
        return self._known.put(day, Day(*rows[0])) if rows else None

    async def days_before(self, day: str, most: int) -> Sequence[str]:
        """Return up to `most` stored days before that one, newest first."""
        table = schema.days.c
        newest = select(table.day).where(table.day < day).order_by(table.day.desc()).limit(most)
        return [row.day for row in await self.log.rows(newest)]

    async def facts(self, day: Day) -> DayFacts:
        """Return the facts about the dice of a day, from the cache or pool. Raises Full."""
        if (known := self._facts.find(day.day)) is not None:
            return known
        return self._facts.put(day.day, await self.pool.do(_WHO, today.day_facts, day, **_QUEUE))

    async def hardest(self, day: Day) -> Hardest | None:
        """Return a past day's hardest throw; None without a mistake. Raises Full (busy pool)."""
        key = day.day, language(), await self.finished_count(day.day)
        if (known := self._hardest.find(key)) is not None:
            return known
        query = select(tries.c.moves).where(tries.c.day == day.day, tries.c.moves.is_not(None))
        rows = await self.log.rows(query.order_by(tries.c.device).limit(MOST_COMPARED))
        if (mistake := today.commonest_mistake(_moves_of(row.moves) for row in rows)) is None:
            return None
        (move, share), game = mistake, find(day.game)
        position = game.position_at(move.position)
        hint = await self.pool.do(_WHO, tasks.hint, game, position, "explained", **_QUEUE)
        place, why = (day.day, position_text(game, position)), ""
        if hint.figures:
            why = hint.figures.choices[0].why
        result = Hardest(*place, move.choice, share, move.best, move.cost, why)
        return self._hardest.put(key, result)

    def write_of_try(self, day: Day, device: str) -> MakeWrite:
        """Return the `make_write` for `RoomRepository.open` that stores a device's try.

        It raises OutOfDate if the day is over. So does its write, if the device has a try that day.
        """

        def make_write(room: str, at: float) -> Callable[[Any], object]:
            if today.day_of(at) != day.day:
                raise OutOfDate("that day is over; look again")
            row = {"day": day.day, "device": device, "room": room}
            return lambda connection: connection.execute(insert(tries), row)

        return make_write

    def begin_judging_if_over(self, live: LiveRoom) -> None:
        """Start to review a try at the box of the day in the background, if the try is over."""
        room = live.room
        if room.is_of_day and room.phase == "over" and room.id not in self._judging:
            with speaking():  # not the language of the visitor whose request this is
                task = self._judging[room.id] = asyncio.create_task(self.judge(live))
            task.add_done_callback(partial(self._report, room.id))

    def _report(self, room: str, task: asyncio.Task[None]) -> None:
        """Log the error of a review that ran in the background."""
        del self._judging[room]
        error = None if task.cancelled() else task.exception()
        if not isinstance(error, ShutboxError | NoAnswer | Broken | None):
            log.error("a try was not judged", exc_info=error)
        elif error and not self.pool.closed:  # otherwise this process is stopping
            log.warning("a try was not judged", reason=one_line(error))

    async def judge(self, live: LiveRoom) -> None:
        """Review a try, if over in time, and store its result. Raises NotKept and as `Pool.do`."""
        room = live.room
        if room.phase != "over" or room.last_activity >= today.closes_at(room.day):
            return
        finish, moves = await self.pool.do(_WHO, today.finish_of, room.record, **_QUEUE)
        played = json.dumps([astuple(move) for move in moves], separators=(",", ":"))
        unjudged = update(tries).where(tries.c.room == room.id, tries.c.loss.is_(None))
        await self.log.write(unjudged.values(**asdict(finish), moves=played))

    async def try_of(self, day: str, device: str) -> Try | None:
        """Return the try of a device at the box of a day; None without one, or without a device."""
        if not device:
            return None
        query = select(tries.c.room, tries.c.moves, *_FINISH)
        mine = query.where(tries.c.day == day, tries.c.device == device)
        for room, moves, *end in await self.log.rows(mine):
            return Try(room, None if None in end else Finish(*end), _moves_of(moves))
        return None

    async def results_of(self, device: str) -> Mapping[str, Finish]:
        """Return a device's results by day, of its last `MOST_DAYS` finished tries."""
        if not device:
            return {}
        query = select(tries.c.day, *_FINISH).where(tries.c.device == device)
        query = query.where(tries.c.loss.is_not(None)).order_by(tries.c.day.desc())
        return {day: Finish(*end) for day, *end in await self.log.rows(query.limit(MOST_DAYS))}

    async def finished_count(self, day: str) -> int:
        """Return the number of tries finished at the box of a day."""
        query = select(func.count(tries.c.loss)).where(tries.c.day == day)
        [(number,)] = await self.log.rows(query)
        return int(number)

    async def close(self) -> None:
        """Wait until all running reviews have finished or failed."""
        await asyncio.gather(*self._judging.values(), return_exceptions=True)


def _moves_of(stored: str | None) -> Moves:
    return tuple(DayMove(*move) for move in json.loads(stored or "[]"))
