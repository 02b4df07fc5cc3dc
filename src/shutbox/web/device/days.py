"""The boxes of the day on a device, in place of `web/tries.py`: their dice follow from the date.

The log has the room of a try in the place of a seed, so that a day has only one, and then its
result, once the player has asked for it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

from shutbox.table import today
from shutbox.table.today import Day, DayFacts, DayMove, Finish, Hardest, Try, day_by_date
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import RoomRepository
from shutbox.web.rooms.changes import MakeWrite
from shutbox.web.rooms.shapes import json_text

_TRY = "day "  # before the date, in the place of a gid


class DeviceDays:
    """The keeper of the boxes of the day; `store` is that of `Device`."""

    def __init__(self, rooms: RoomRepository, store: Any) -> None:
        self.rooms, self._store = rooms, store

    @property
    def today_date(self) -> str:
        """The current day in UTC, as YYYY-MM-DD."""
        return today.day_of(self.rooms.now())

    async def require(self, day: str) -> Day:
        """Return the box of a day."""
        return day_by_date(day)

    ensure = find = require

    async def facts(self, day: Day) -> DayFacts:
        """Return the facts about the dice of a day."""
        return today.day_facts(day)

    async def days_before(self, day: str, most: int) -> Sequence[str]:
        """Return no days: there is no list of earlier ones here."""
        return ()

    async def finished_count(self, day: str) -> int:
        """Return 0: nobody else plays here."""
        return 0

    async def hardest(self, day: Day) -> Hardest | None:
        """Return no throw that other players got wrong."""
        return None

    def write_of_try(self, day: Day, device: str) -> MakeWrite:
        """Return what makes the write that stores a try, which fails if the day has one."""
        return lambda room, at: lambda log: (_TRY + day.day, room)

    async def try_of(self, day: str, device: str) -> Try | None:
        """Return the try at the box of a day; None without one."""
        if not (room := await self._store.seed(_TRY + day)):
            return None
        if (known := (await self._results()).get(day)) is None:
            return Try(room, None)
        finish, moves = known
        return Try(room, Finish(*finish), tuple(DayMove(*move) for move in moves))

    async def results_of(self, device: str) -> Mapping[str, Finish]:
        """Return the results of all tries by day."""
        return {day: Finish(*finish) for day, (finish, _) in (await self._results()).items()}

    async def _results(self) -> dict[str, Any]:
        return {
            place.removeprefix(f"~{_TRY}"): json.loads(entry)
            for place, number, entry in json.loads(await self._store.days())
            if number > 1
        }

    def begin_judging_if_over(self, live: LiveRoom) -> None:
        """Leave a try as it is until its player asks for the result."""

    async def judge(self, live: LiveRoom) -> None:
        """Review a try if it is over, and store its result. Raises TooLarge."""
        if live.room.phase == "over":
            finish, moves = today.finish_of(live.room.record)
            entry = json_text([astuple(finish), [astuple(move) for move in moves]])
            rows = json.dumps([(2, self.rooms.now(), entry)])
            await self._store.append(f"~{_TRY}{live.room.day}", rows, "", "")
