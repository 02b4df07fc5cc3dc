"""The boxes of days: made by whichever process is asked first, the same for all of them.

A try that is over is judged by the pool, soon after its end; if this process dies before that, or
nothing can be worked out for a while, it is judged when its player asks for it.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Protocol

from shutbox.analysis.hindsight import SoloResult, exact_play, in_hindsight
from shutbox.analysis.review.review import Reviewer
from shutbox.cups import NumberedCup
from shutbox.dice import Dice, Roll
from shutbox.errors import BadRecord, OutOfDate, ShutboxError
from shutbox.game import Over, Throw
from shutbox.games.catalogue import find
from shutbox.lookup import game_of
from shutbox.lru import LruCache
from shutbox.record import read, written
from shutbox.web.errors import DAMAGED, Broken, DamagedStore, NoAnswer, one_line
from shutbox.web.limits import ALL_WAITING
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.rooms.days import Day, DayResult, Finish, PastDay, Try, day_of, new_day
from shutbox.web.rooms.ports import Extra, Notes, Works

_DIGITS = 6
"""Of a loss, after the point: those who lost as much share a place, however it was added up."""


@dataclass(frozen=True, slots=True)
class DayFacts:
    """What the dice of a day give.

    >>> facts("six", "pub")
    DayFacts(exact=SoloResult(score=11, shut=False), best=SoloResult(score=1, shut=False), \
throws=((5,), (5,), (4,), (6,), (6,)))
    """

    exact: SoloResult
    """What exact play gets, which knows no dice."""
    best: SoloResult
    """The best that could be had."""
    throws: tuple[tuple[int, ...], ...]
    """All throws that anybody can come to, each with its faces as they fell."""


def facts(name: str, seed: str) -> DayFacts:
    """Those of a game with dice of a seed. Raises TooLarge."""
    game = find(name)

    def rolls(number: int, dice: Dice) -> Roll:
        return NumberedCup(seed, number - 1).throw(dice)

    found = in_hindsight(game, rolls)
    first = game.awaits(game.start())
    assert isinstance(first, Throw)  # it begins with all dice
    cup = NumberedCup(seed)
    throws = tuple(cup.faces(first.dice) for _ in range(found.throws))
    return DayFacts(exact_play(game, rolls), found.best, throws)


def finish_of(record: bytes) -> Finish:
    """How a game for one ended. Raises BadRecord and TooLarge."""
    reading = read(BytesIO(record), game_of)
    over = reading.play.awaits
    if not isinstance(over, Over):
        raise BadRecord("the game is not over")
    [seat] = Reviewer().review(reading).seats
    return Finish(over.scores[0], over.shut, round(float(seat.cost), _DIGITS))


_KEPT = 400  # days, and tries, that are remembered
_WHO = "today"  # for whom the pool works
_LANE: dict[str, Any] = {"quick": True, "most": ALL_WAITING}
"""Every box of a day is solved in a moment; many may come to their end at once."""


class DayStore(Protocol):
    """What is kept of days and tries; devices are known by their hashes. See `storage/days.py`."""

    async def make(self, day: Day) -> None:
        """Keep the seed of a day, unless there is one already. Raises NotKept."""

    async def find(self, day: str) -> Day | None:
        """Return a day, if anybody asked for its box."""

    async def before(self, day: str, most: int) -> Sequence[PastDay]:
        """Return the newest days before that one."""

    def begun(self, day: Day, device: str, room: str) -> tuple[Callable[[Any], None], ...]:
        """Return what is written when a device begins its try in a room."""

    async def finish(self, room: str, finish: Finish) -> None:
        """Keep how the try in a room ended. Raises NotKept."""

    async def try_of(self, day: str, device: str) -> Try | None:
        """Return the try of a device, if there is one."""

    async def not_judged(self, day: str, after: str) -> Sequence[str]:
        """Return rooms of tries that are not judged, behind that one by their ids."""

    async def numbers(self, day: str) -> tuple[int, int]:
        """Return how many have begun a try, and how many have finished it."""

    async def place_of(self, day: str, loss: float) -> int:
        """Return the place of a try that lost so much."""

    async def ranking(self, day: str) -> Sequence[DayResult]:
        """Return the first of the tries that are over, those that lost least in front."""


class Days:
    """The days of one process, which are played in its rooms."""

    def __init__(self, rooms: Rooms, pool: Works, store: DayStore, notes: Notes) -> None:
        self.store = store
        self._rooms = rooms
        self._pool = pool
        self._notes = notes
        self._known = LruCache[str, Day](_KEPT)
        self._facts = LruCache[str, DayFacts](_KEPT)
        self._looked_at = LruCache[str, str](_KEPT)
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
        await self.store.make(new_day(day))
        return await self.sure(day)  # this one, or that of another process which was first

    async def sure(self, day: str) -> Day:
        """The box of a day on which somebody has played. Raises DamagedStore if it is gone."""
        if (found := await self.kept(day)) is None:
            raise DamagedStore(DAMAGED)
        return found

    async def kept(self, day: str) -> Day | None:
        """The box of a day, if anybody has asked for it."""
        if (known := self._known.find(day)) is not None:
            return known
        found = await self.store.find(day)
        if found is not None:
            self._known.keep(day, found)
        return found

    async def facts(self, day: Day) -> DayFacts:
        """What the dice of a day give. Raises Full."""
        if (known := self._facts.find(day.day)) is None:
            known = await self._pool.do(_WHO, facts, day.game, day.seed, **_LANE)
            self._facts.keep(day.day, known)
        return known

    # Trying

    def begins(self, day: Day, device: str) -> Extra:
        """What is written when a device, by its hash, opens the room of its try on that day.

        It raises OutOfDate where the day has ended since.
        """

        def extra(room: str, at: float) -> tuple[Callable[[Any], None], ...]:
            if day_of(at) != day.day:
                raise OutOfDate("that day is over; look again")
            return self.store.begun(day, device, room)

        return extra

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
        rooms = await self.store.not_judged(day, self._looked_at.find(day) or "")
        if rooms:
            self._looked_at.keep(day, rooms[-1])
        for room in rooms:
            with suppress(ShutboxError):  # its table is gone, or cannot be read
                self.see_to(await self._rooms.find(room, _WHO))

    async def _judge_later(self, live: LiveRoom) -> None:
        try:
            await self.judge(live)
        except (ShutboxError, NoAnswer, Broken) as error:
            if not self._pool.closed:  # or else this process is about to stop
                self._notes.warning("a try was not judged", reason=one_line(error))
        except Exception as error:  # nobody else would hear of it
            self._notes.error("a try was not judged", exc_info=error)

    async def judge(self, live: LiveRoom) -> None:
        """Keep how the try in a room ended, if it is over. Raises Full and NotKept."""
        table, sitting = live.room.table, live.room.sitting
        if table is None or sitting is None or live.room.phase != "over":
            return
        record = written(sitting.header, sitting.game, table.log)
        finish = await self._pool.do(_WHO, finish_of, record, **_LANE)
        await self.store.finish(live.room.id, finish)

    async def close(self) -> None:
        """Wait until those who judge have judged, or are refused."""
        await asyncio.gather(*self._judging.values(), return_exceptions=True)
