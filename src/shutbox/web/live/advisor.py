"""Advice for people at a table, worked out in a thread, some at a time."""

import asyncio
from contextlib import suppress

from shutbox.analysis.advice.coach import Coach
from shutbox.errors import ShutboxError
from shutbox.messages import gettext
from shutbox.web import limits
from shutbox.web.compute.budget import can_advise
from shutbox.web.errors import NotAllowed
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.solver_cache import SolverCache


class Advisor:
    """That of all rooms of one process; `thinking` is shared with the computer players."""

    def __init__(self, thinking: asyncio.Semaphore, solved: SolverCache) -> None:
        self._thinking = thinking
        self._solved = solved
        self._coaches: dict[str, tuple[int, Coach]] = {}
        """By room: the number of the game, and who knows what is best in it."""

    async def hint(self, live: LiveRoom) -> tuple[tuple[str, ...], str]:
        """Advice for the player who is due, as the room allows it, and the best in a sentence."""
        level, table = live.room.opened.hints, live.room.table
        if level == "off" or table is None:
            raise NotAllowed("there are no hints at this table")
        position, coach = table.position, self._coach_of(live)
        async with live.coaching, self._thinking:
            if level != "legal" and not await asyncio.to_thread(can_advise, table.game):
                why = gettext("There is no advice here: working it out would take too long.")
                return (why,), ""
            says = await asyncio.to_thread(coach.hint, position, level)
            return says, coach.best(position, level)

    async def judged(self, live: LiveRoom, text: str) -> tuple[str, ...]:
        """What a choice is about to cost, where the room is coached."""
        table = live.room.table
        if table is None or not live.room.opened.coach:
            return ()
        position, coach = table.position, self._coach_of(live)
        # A choice that is refused is not judged; the table says why.
        with suppress(ShutboxError):
            choice = table.game.parse_choice(position, text)
            said = table.game.choice_text(choice)
            async with live.coaching, self._thinking:
                if await asyncio.to_thread(can_advise, table.game):
                    return await asyncio.to_thread(coach.judge, position, said)
        return ()

    def _coach_of(self, live: LiveRoom) -> Coach:
        room, table = live.room, live.room.table
        assert table is not None  # asked of a game that has begun
        self._solved.note(room.id, SolverCache.COACH, lambda: self._coaches.pop(room.id, None))
        game, coach = self._coaches.get(room.id, (0, None))
        if coach is None or game != room.game:
            coach = Coach(table.game, seconds=limits.HINT_SECONDS)
            self._coaches[room.id] = room.game, coach
        return coach
