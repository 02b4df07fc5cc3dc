"""The boxes of the day on a device, in place of `web/tries.py`: their dice follow from the date.

The log has the room of a try in the place of a seed, so that a day has only one, and then its
result, once the player has asked for it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

from shutbox.record import written
from shutbox.table import today
from shutbox.table.today import Day, DayFacts, DayMove, Finish, dated
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.rooms.days import Hardest, Try, day_of
from shutbox.web.rooms.events import json_text
from shutbox.web.rooms.ports import Extra

_TRY = "day "  # before the date, in the place of a gid


class DeviceDays:
    """The keeper of the boxes of the day; `store` is that of `Device`."""

    def __init__(self, rooms: Rooms, store: Any) -> None:
        self.rooms, self._store = rooms, store

    @property
    def today(self) -> str:
        """The current day in UTC, as YYYY-MM-DD."""
        return day_of(self.rooms.now())

    async def sure(self, day: str) -> Day:
        """Return the box of a day."""
        return dated(day)

    made = stored = sure

    async def facts(self, day: Day) -> DayFacts:
        """Return the facts about the dice of a day."""
        return today.facts(day)

    async def before(self, day: str, most: int) -> Sequence[str]:
        """Return no earlier days: nobody else plays here."""
        return ()

    async def finished(self, day: str) -> int:
        """Return no number of tries of others."""
        return 0

    async def hardest(self, day: Day) -> Hardest | None:
        """Return no throw that other players got wrong."""
        return None

    def begins(self, day: Day, device: str) -> Extra:
        """Return the `extra` of `Rooms.open` that stores a try, which fails for a second."""
        return lambda room, at: lambda log: (_TRY + day.day, room)

    async def try_of(self, day: str, device: str) -> Try | None:
        """Return the try at the box of a day; None without one."""
        if not (room := await self._store.seed(_TRY + day)):
            return None
        if (known := (await self._results()).get(day)) is None:
            return Try(room, None)
        finish, moves = known
        return Try(room, Finish(*finish), tuple(DayMove(*one) for one in moves))

    async def results_of(self, device: str) -> Mapping[str, Finish]:
        """Return the results of all tries by day."""
        return {day: Finish(*finish) for day, (finish, _) in (await self._results()).items()}

    async def _results(self) -> dict[str, Any]:
        return {
            place.removeprefix(f"~{_TRY}"): json.loads(entry)
            for place, number, entry in json.loads(await self._store.days())
            if number > 1
        }

    def judge_if_over(self, live: LiveRoom) -> None:
        """Leave a try as it is until its player asks for the result."""

    async def judge(self, live: LiveRoom) -> None:
        """Review a try if it is over, and store its result. Raises TooLarge."""
        room, table, sitting = live.room, live.room.table, live.room.sitting
        if table is None or sitting is None or room.phase != "over":
            return
        record = written(sitting.header, sitting.game, table.log)
        finish, moves = today.finish_of(record)
        entry = json_text([astuple(finish), [astuple(move) for move in moves]])
        await self._store.append(
            f"~{_TRY}{room.day}", json.dumps([(2, self.rooms.now(), entry)]), "", ""
        )
