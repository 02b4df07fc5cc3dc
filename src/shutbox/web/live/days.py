"""The boxes of days: made by whichever process is asked first, the same for all of them.

A try that is over is judged by the pool, soon after its end; if this process dies before that, or
nothing can be worked out for a while, it is judged when its player asks for it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from shutbox.errors import OutOfDate, ShutboxError
from shutbox.record import written
from shutbox.web.compute import days as compute
from shutbox.web.compute.days import DayFacts
from shutbox.web.compute.pool import Pool
from shutbox.web.errors import Broken, DamagedStore
from shutbox.web.limits import ALL_WAITING
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.live.stored_log import Also
from shutbox.web.logs import log, one_line
from shutbox.web.rooms.days import Day, Finish, RankedTry, Try, day_of, new_day
from shutbox.web.storage import days
from shutbox.web.storage.group_commit import Batch
from shutbox.web.storage.host import Write
from shutbox.web.storage.reader import DAMAGED

T = TypeVar("T")
_KEPT = 400  # days, and tries, that are remembered
_WHO = "today"  # for whom the pool works
_LANE: dict[str, Any] = {"quick": True, "most": ALL_WAITING}
"""Every box of a day is solved in a moment; many may come to their end at once."""


class Days:
    """Those of one process, which play on its rooms."""

    def __init__(self, rooms: Rooms, pool: Pool) -> None:
        self._rooms = rooms
        self._pool = pool
        self._known: OrderedDict[str, Day] = OrderedDict()
        self._facts: OrderedDict[str, DayFacts] = OrderedDict()
        self._looked_at: OrderedDict[str, str] = OrderedDict()
        """Up to which room the tries of a day were looked at, by the ids of rooms."""
        self._judging: dict[str, asyncio.Task[None]] = {}

    @property
    def today(self) -> str:
        """The day that it is, in UTC."""
        return day_of(self._rooms.now())

    async def made(self, day: str) -> Day:
        """The box of a day, made now if nobody has asked for it. Raises NotKept."""
        if (found := await self.kept(day)) is not None:
            return found
        await self._rooms.writer.keep(Batch(also=(days.made(new_day(day)),)))
        return await self.sure(day)  # this one, or that of another process which was first

    async def sure(self, day: str) -> Day:
        """The box of a day on which somebody has played. Raises DamagedStore if it is gone."""
        if (found := await self.kept(day)) is None:
            raise DamagedStore(DAMAGED)
        return found

    async def kept(self, day: str) -> Day | None:
        """The box of a day, if anybody has asked for it."""
        if (known := self._known.get(day)) is not None:
            return known
        found = await self._rooms.read(days.day_at, self._rooms.archive.database, day)
        if found is not None:
            _keep(self._known, day, found)
        return found

    async def facts(self, day: Day) -> DayFacts:
        """What the dice of a day give. Raises Full."""
        if (known := self._facts.get(day.day)) is None:
            known = await self._pool.do(_WHO, compute.facts, day.game, day.seed, **_LANE)
            _keep(self._facts, day.day, known)
        return known

    async def before(self, day: str, most: int) -> Sequence[tuple[str, str]]:
        """The newest days before that one, each with its game."""
        return await self._ask(days.days_before, day, most)

    async def try_of(self, day: str, device: str) -> Try | None:
        """The try of a device, by its hash."""
        return await self._ask(days.try_of, day, device)

    async def numbers(self, day: str) -> tuple[int, int]:
        """How many have begun a try, and how many have finished it."""
        return await self._ask(days.numbers, day)

    async def place_of(self, day: str, loss: float) -> int:
        """The place of a try that lost so much."""
        return await self._ask(days.place_of, day, loss)

    async def ranking(self, day: str) -> Sequence[RankedTry]:
        """The tries that are over, the best in front; the first of them."""
        return await self._ask(days.ranking, day)

    # Trying

    def begins(self, day: Day, device: str) -> Also:
        """What is written when a device, by its hash, opens the room of its try on that day.

        It raises OutOfDate where the day has ended since.
        """

        def write(room: str, at: float) -> tuple[Write, ...]:
            if day_of(at) != day.day:
                raise OutOfDate("that day is over; look again")
            return (days.begun(day, device, room),)

        return write

    def see_to(self, live: LiveRoom) -> None:
        """See to it that a try which is over is judged."""
        room = live.room
        if room.is_of_day and room.phase == "over" and room.id not in self._judging:
            task = self._judging[room.id] = asyncio.create_task(self._judge_later(live))
            task.add_done_callback(lambda _: self._judging.pop(room.id, None))

    async def see_to_all(self, day: str) -> None:
        """The same of tries of a day that a process has left; each is looked at once here.

        Many are looked at bit by bit: some now, and those after them the next time.
        """
        rooms = await self._ask(days.not_judged, day, self._looked_at.get(day, ""))
        if rooms:
            _keep(self._looked_at, day, rooms[-1])
        for room in rooms:
            with suppress(ShutboxError):  # its table is gone, or cannot be read
                self.see_to(await self._rooms.find(room, _WHO))

    async def _judge_later(self, live: LiveRoom) -> None:
        try:
            await self.judge(live)
        except (ShutboxError, SQLAlchemyError, Broken) as error:
            if not self._pool.closed:  # or else this process is about to stop
                log.warning("a try was not judged", reason=one_line(error))
        except Exception as error:  # nobody else would hear of it
            log.error("a try was not judged", exc_info=error)

    async def judge(self, live: LiveRoom) -> None:
        """Keep how the try in a room ended, if it is over. Raises Full and NotKept."""
        table, sitting = live.room.table, live.room.sitting
        if table is None or sitting is None or live.room.phase != "over":
            return
        record = written(sitting.header, sitting.game, table.log)
        end, loss = await self._pool.do(_WHO, compute.finish_of, record, **_LANE)
        finish = Finish(end.score, end.shut, loss)
        await self._rooms.writer.keep(Batch(also=(days.finished(live.room.id, finish),)))

    async def close(self) -> None:
        """Wait until those who judge have judged, or are refused."""
        await asyncio.gather(*self._judging.values(), return_exceptions=True)

    async def _ask(self, ask: Callable[..., T], *about: object) -> T:
        return await self._rooms.read(ask, self._rooms.archive.database, *about)


def _keep(known: OrderedDict[str, T], key: str, value: T) -> None:
    """Remember something; of many things the one that was met first is forgotten."""
    known[key] = value
    while len(known) > _KEPT:
        known.popitem(last=False)
