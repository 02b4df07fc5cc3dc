"""What is kept of the boxes of days, and of the tries of devices at them."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, func, insert, select, text, update

from shutbox.web.rooms.days import Day, DayResult, Finish, PastDay, Try
from shutbox.web.storage.group_commit import Batch
from shutbox.web.storage.host import Write
from shutbox.web.storage.log import StoredLog
from shutbox.web.storage.schema import days, tries

MOST_LISTED = 100  # of a ranking, and of days
_FINISH = (tries.c.score, tries.c.shut, tries.c.loss)


def made(day: Day) -> Write:
    """Keep the seed of a day, unless there is one already."""

    def write(connection: Connection) -> None:
        row = {"day": day.day, "game": day.game, "seed": day.seed}
        add = "INSERT INTO days (day, game, seed) VALUES (:day, :game, :seed)"
        connection.execute(text(f"{add} ON CONFLICT (day) DO NOTHING"), row)

    return write


class StoredDays:
    """The days in the database of one process."""

    def __init__(self, log: StoredLog) -> None:
        self._log = log

    async def _rows(self, query: Any) -> Sequence[Any]:
        def found() -> Sequence[Any]:
            with self._log.archive.database.reader.connect() as connection:
                return connection.execute(query).all()

        return await self._log.ask(found)

    async def make(self, day: Day) -> None:
        """Keep the seed of a day, unless there is one already. Raises NotKept."""
        await self._log.writer.keep(Batch(also=(made(day),)))

    async def find(self, day: str) -> Day | None:
        """Return a day, if anybody asked for its box."""
        rows = await self._rows(select(days).where(days.c.day == day))
        return Day(*rows[0]) if rows else None

    async def before(self, day: str, most: int) -> Sequence[PastDay]:
        """Return the newest days before that one."""
        query = select(days.c.day, days.c.game).where(days.c.day < day)
        newest = query.order_by(days.c.day.desc()).limit(most)
        return [PastDay(*row) for row in await self._rows(newest)]

    def begun(self, day: Day, device: str, room: str) -> tuple[Callable[[Any], None], ...]:
        """Return what is written when a device tries the box of a day, which is made if need be.

        It raises IntegrityError where the device has tried it already.
        """

        def write(connection: Connection) -> None:
            made(day)(connection)
            connection.execute(insert(tries), {"day": day.day, "device": device, "room": room})

        return (write,)

    async def finish(self, room: str, finish: Finish) -> None:
        """Keep how the try in a room ended; what is said of it first is kept. Raises NotKept."""

        def write(connection: Connection) -> None:
            here = (tries.c.room == room) & tries.c.loss.is_(None)
            connection.execute(update(tries).where(here).values(**asdict(finish)))

        await self._log.writer.keep(Batch(also=(write,)))

    async def try_of(self, day: str, device: str) -> Try | None:
        """Return the try of a device, by its hash, if there is one."""
        query = select(tries.c.room, *_FINISH).where(tries.c.day == day, tries.c.device == device)
        for row in await self._rows(query):
            return Try(row.room, None if row.loss is None else Finish(*row[1:]))
        return None

    async def not_judged(self, day: str, after: str) -> Sequence[str]:
        """Return rooms of tries at the box of a day that are not over, or not judged yet.

        By their ids, the first of those after that one.
        """
        query = select(tries.c.room).where(tries.c.day == day, tries.c.loss.is_(None))
        query = query.where(tries.c.room > after).order_by(tries.c.room)
        return [row.room for row in await self._rows(query.limit(MOST_LISTED))]

    async def numbers(self, day: str) -> tuple[int, int]:
        """Return how many have begun a try at the box of a day, and how many have finished it."""
        query = select(func.count(), func.count(tries.c.loss)).where(tries.c.day == day)
        [(begun, finished)] = await self._rows(query)
        return begun, finished

    async def place_of(self, day: str, loss: float) -> int:
        """Return the place of a try that lost so much."""
        better = select(func.count()).where(tries.c.day == day, tries.c.loss < loss)
        [(number,)] = await self._rows(better)
        return 1 + int(number)

    async def ranking(self, day: str) -> Sequence[DayResult]:
        """Return the first of the tries that are over, those that lost least in front."""
        place = func.rank().over(order_by=tries.c.loss)
        query = select(*_FINISH, place).where(tries.c.day == day, tries.c.loss.is_not(None))
        query = query.order_by(tries.c.loss, tries.c.score).limit(MOST_LISTED)
        return [DayResult(*row) for row in await self._rows(query)]
