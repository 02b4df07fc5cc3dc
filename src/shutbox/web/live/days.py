"""The boxes of the day: made by the first process that needs one, and the same for all of them.

The pool reviews a try soon after its end. If this process dies before that, or the pool is busy for
a while, the try is reviewed when its player asks for the result.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Protocol

from shutbox.engine.cups import NumberedCup
from shutbox.engine.errors import BadRecord, NotKept, OutOfDate, ShutboxError
from shutbox.engine.game import Over, Throw, position_text
from shutbox.engine.lru import LruCache
from shutbox.engine.messages import language, speaking
from shutbox.games.catalogue import find
from shutbox.record import read, written
from shutbox.solving.hindsight import SoloResult, exact_play, in_hindsight
from shutbox.solving.review.report import ReviewedThrow
from shutbox.solving.review.review import Reviewer
from shutbox.table.lookup import game_of
from shutbox.web.compute import tasks
from shutbox.web.errors import DAMAGED, Broken, DamagedStore, NoAnswer, one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.rooms import days
from shutbox.web.rooms.ports import Extra, Notes, Works

_DIGITS = 6  # the decimals of a loss, so that equal sums in another order share a place


@dataclass(frozen=True, slots=True)
class DayFacts:
    """The results that the dice of a day allow, and the throws that can be reached.

    >>> facts(days.Day("", "six", "pub"))
    DayFacts(exact=SoloResult(score=11, shut=False), best=SoloResult(score=1, shut=False), \
throws=((5,), (5,), (4,), (6,), (6,)))
    """

    exact: SoloResult  # the result of exact play, which does not know the dice beforehand
    best: SoloResult  # the best result that these dice allow
    throws: tuple[tuple[int, ...], ...]  # the faces of all throws that a player can reach


def facts(day: days.Day) -> DayFacts:
    """Return the results and throws that a day's dice allow in its game. Raises TooLarge."""
    game = find(day.game)
    best, number = in_hindsight(game, day.rolls)
    first = game.awaits(game.start())
    assert isinstance(first, Throw)  # the game begins with all dice
    cup = NumberedCup(day.seed)
    throws = tuple(cup.faces(first.dice) for _ in range(number))
    return DayFacts(exact_play(game, day.rolls), best, throws)


def finish_of(record: bytes) -> tuple[days.Finish, days.Moves]:
    """Return the result and the moves of a try from its record. Raises BadRecord and TooLarge."""
    reading = read(BytesIO(record), game_of)
    over = reading.play.awaits
    if not isinstance(over, Over):
        raise BadRecord("the game is not over")
    review = Reviewer().review(reading)
    finish = days.Finish(over.scores[0], over.shut, round(float(review.seats[0].cost), _DIGITS))
    throw, moves = 0, []
    for event in review.events:
        if isinstance(event, ReviewedThrow):
            throw += 1
        else:
            position = review.game.position_id(event.before)
            best = event.best if event.grade and event.best else ""
            cost = round(float(event.cost), _DIGITS)
            moves.append(days.DayMove(throw, position, event.choice, best, cost))
    return finish, tuple(moves)


_CACHED = 400  # cached days
_WHO = "today"  # the caller in the queue of the pool
_QUEUE: dict[str, Any] = {"quick": True, "background": True}  # many tries can end at once


class DayStore(Protocol):
    """The stored days and tries, with devices known by their hashes; see `storage/devices.py`."""

    async def make(self, day: days.Day) -> None:
        """Store a day, with its seed, unless it is already stored. Raises NotKept."""

    async def find(self, day: str) -> days.Day | None:
        """Return a stored day, which can be tomorrow (see `Days.made`); None if not stored."""

    async def before(self, day: str, most: int) -> Sequence[days.PastDay]:
        """Return up to `most` stored days before `day`, newest first."""

    def begun(self, day: days.Day, device: str, room: str) -> Callable[[Any], object]:
        """Return a write that begins a device's try in a room; a second one that day fails."""

    async def finish(self, room: str, finish: days.Finish, moves: days.Moves) -> None:
        """Store the result and moves of the try in a room, unless it has them. Raises NotKept."""

    async def try_of(self, day: str, device: str) -> days.Try | None:
        """Return the try of a device at the box of a day; None without one."""

    async def results_of(self, device: str) -> Mapping[str, days.Finish]:
        """Return the results of a device's finished tries, by day."""

    async def losses(self, day: str, mine: days.Finish | None) -> days.Losses | None:
        """Return what a day's mistakes cost, and how `mine` compares; None if no try is over."""

    async def moves_of(self, day: str) -> Sequence[days.Moves]:
        """Return the moves of the finished tries of a day; if these are very many, only of some."""

    async def not_judged(self, day: str, after: str) -> Sequence[str]:
        """Return some rooms of a day's tries without a result: the next after `after`, sorted."""

    async def numbers(self, day: str) -> tuple[int, int]:
        """Return the numbers of tries begun and finished at the box of a day."""

    async def ranking(self, day: str) -> Sequence[days.DayResult]:
        """Return up to 100 of the best finished tries of a day, the smallest loss first."""


@dataclass
class Days:
    """The keeper of the boxes of the day in one process: it makes them, and reviews the tries."""

    rooms: Rooms
    pool: Works
    store: DayStore
    notes: Notes

    def __post_init__(self) -> None:
        self._known = LruCache[str, days.Day](_CACHED)
        self._facts = LruCache[str, DayFacts](_CACHED)
        self._hardest = LruCache[tuple[str, str, int], days.Hardest](_CACHED)
        self._looked_at = LruCache[str, str](_CACHED)
        """The last room of each day whose tries `judge_all_over` has checked, in order of ids."""
        self._judging: dict[str, asyncio.Task[None]] = {}

    @property
    def today(self) -> str:
        """The current day in UTC, as YYYY-MM-DD."""
        return days.day_of(self.rooms.now())

    async def made(self, day: str) -> days.Day:
        """Return a day's box; make and store it and the next day's if missing. Raises NotKept."""
        for each in (day, days.day_after(day)):
            if await self.stored(each) is None:
                try:
                    await self.store.make(days.new_day(each))
                except NotKept:
                    raise NotKept("there is no box of today yet; look again in a moment") from None
        return await self.sure(day)  # this one, or the one of a process that was first

    async def sure(self, day: str) -> days.Day:
        """Return the box of a day that must be stored. Raises DamagedStore if it is gone."""
        if (found := await self.stored(day)) is None:
            raise DamagedStore(DAMAGED)
        return found

    async def stored(self, day: str) -> days.Day | None:
        """Return the box of a day, or None if it is not stored."""
        found = self._known.find(day) or await self.store.find(day)
        return found and self._known.put(day, found)

    async def facts(self, day: days.Day) -> DayFacts:
        """Return the results that the dice of a day allow, from the cache or pool. Raises Full."""
        known = self._facts.find(day.day)
        return known or self._facts.put(day.day, await self.pool.do(_WHO, facts, day, **_QUEUE))

    async def hardest(self, day: days.Day) -> days.Hardest | None:
        """Return a past day's hardest throw; None without a mistake. Raises Full (busy pool)."""
        about = day.day, language(), (await self.store.numbers(day.day))[1]
        if (known := self._hardest.find(about)) is not None:
            return known
        if (found := days.hardest_of(await self.store.moves_of(day.day))) is None:
            return None
        (move, share), game = found, find(day.game)
        position = game.position_at(move.position)
        figures = (await self.pool.do(_WHO, tasks.hint, game, position, "explained", **_QUEUE))[2]
        here, why = (day.day, position_text(game, position)), figures.why if figures else ""
        result = days.Hardest(*here, move.choice, share, move.best, move.cost, why)
        return self._hardest.put(about, result)

    def begins(self, day: days.Day, device: str) -> Extra:
        """Return the `extra` of `Rooms.open` that stores the beginning of a device's try.

        `device` is a hash. Calling the result raises OutOfDate if the day is over by then.
        """

        def extra(room: str, at: float) -> Callable[[Any], object]:
            if days.day_of(at) != day.day:
                raise OutOfDate("that day is over; look again")
            return self.store.begun(day, device, room)

        return extra

    def judge_if_over(self, live: LiveRoom) -> None:
        """Start to review a try at the box of the day in the background, if the try is over."""
        room = live.room
        if room.is_of_day and room.phase == "over" and room.id not in self._judging:
            with speaking():  # not the language of the visitor whose request this is
                task = self._judging[room.id] = asyncio.create_task(self._judge_later(live))
            task.add_done_callback(lambda _: self._judging.pop(room.id, None))

    async def judge_all_over(self, day: str) -> None:
        """Start to review more tries of a day without a result; this process looks at each once."""
        rooms = await self.store.not_judged(day, self._looked_at.find(day) or "")
        if rooms:
            self._looked_at.put(day, rooms[-1])
        for room in rooms:
            with suppress(ShutboxError):  # its table is gone, or cannot be read
                self.judge_if_over(await self.rooms.find(room, _WHO))

    async def _judge_later(self, live: LiveRoom) -> None:
        try:
            await self.judge(live)
        except (ShutboxError, NoAnswer, Broken) as error:
            if not self.pool.closed:  # otherwise this process is stopping
                self.notes.warning("a try was not judged", reason=one_line(error))
        except Exception as error:  # otherwise the error would be lost with the task
            self.notes.error("a try was not judged", exc_info=error)

    async def judge(self, live: LiveRoom) -> None:
        """Review a try, if over in time, and store its result. Raises NotKept and as `Pool.do`."""
        room, table, sitting = live.room, live.room.table, live.room.sitting
        is_late = room.at >= days.closes_at(room.day)
        if table is None or sitting is None or room.phase != "over" or is_late:
            return
        record = written(sitting.header, sitting.game, table.log)
        finish, moves = await self.pool.do(_WHO, finish_of, record, **_QUEUE)
        await self.store.finish(live.room.id, finish, moves)

    async def close(self) -> None:
        """Wait until all running reviews have finished or failed."""
        await asyncio.gather(*self._judging.values(), return_exceptions=True)
