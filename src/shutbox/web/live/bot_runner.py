"""Computer players who act, and advice for people: what is thought about in the server."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from shutbox.analysis.advice.coach import Coach
from shutbox.bots.perfect import Perfect
from shutbox.errors import NotAllowed, OutOfDate, ShutboxError
from shutbox.web import limits
from shutbox.web.compute.budget import SOLVERS, can_advise
from shutbox.web.live.live_room import Live
from shutbox.web.logs import log
from shutbox.web.rooms.change import Change
from shutbox.web.rooms.commands import computer_acts

if TYPE_CHECKING:
    from shutbox.web.live.repository import Rooms

_THINK = (*SOLVERS, "careful")
"""The kinds of computer players who think long enough to do it in a thread."""
_COACH = -1
"""The number under which the coach of a room is noted, where computer players have their seats."""
_SLOW_SECONDS = 0.25
"""Between two events of computer players who play one another for long."""
_ALONE_SECONDS = 60.0
"""They do not go on for long where nobody listens, and nobody has asked for so many seconds."""


class Computers:
    """Those of all rooms of one process."""

    def __init__(self, rooms: "Rooms") -> None:
        self._rooms = rooms
        self._acting: set[asyncio.Task[None]] = set()
        self._thinking = asyncio.Semaphore(limits.MOST_HINTS)
        self._solved: OrderedDict[tuple[str, int], Callable[[], None]] = OrderedDict()
        """Who keeps a solved game, and how it is let go of: a computer player, or a coach."""

    def see_to(self, live: Live) -> None:
        """See to it that a computer player who is due acts."""
        if live.room.computer_due and not live.driven:
            live.driven = True
            task = asyncio.create_task(self._act(live))
            self._acting.add(task)
            task.add_done_callback(self._acting.discard)

    async def _act(self, live: Live) -> None:
        acted = 0
        try:
            while live.room.computer_due and not live.closing:
                # The room is the same while its lock is held.
                async with live.lock:
                    if live.room.computer_due:
                        await self._act_once(live)
                acted += 1
                if acted > limits.FREE_EVENTS:
                    await asyncio.sleep(_SLOW_SECONDS)
                    if not live.listeners and self._rooms.now() - live.asked > _ALONE_SECONDS:
                        break  # whoever asks for the room lets them go on
        except (ShutboxError, SQLAlchemyError) as error:
            log.error("computer player stopped", reason=str(error).partition("\n")[0])
        except Exception as error:  # nobody else would hear of it
            log.error("computer player broken", exc_info=error)
        finally:
            live.driven = False

    async def _act_once(self, live: Live) -> None:
        table = live.room.table
        assert table is not None  # somebody is due
        seat = table.due or 0
        if live.room.seats[seat].computer.startswith(_THINK):
            async with self._thinking:
                made = await asyncio.to_thread(computer_acts, live.room)
            player = table.bots[seat]
            if isinstance(player, Perfect):
                self._keeps(live, seat, player.forget)
        else:
            made = computer_acts(live.room)
        try:
            await self._rooms.happen(live, None, Change((made,)))
        except OutOfDate:
            await self._rooms.look(live)

    async def hint(self, live: Live) -> tuple[str, ...]:
        """Advice for whoever is due, as the room allows it."""
        level, table = live.room.opened.hints, live.room.table
        if level == "off" or table is None:
            raise NotAllowed("there are no hints at this table")
        position, coach = table.position, self._coach_of(live)
        async with live.coaching, self._thinking:
            if level != "legal" and not await asyncio.to_thread(can_advise, table.game):
                return ("There is no advice here: working it out would take too long.",)
            return await asyncio.to_thread(coach.hint, position, level)

    async def judged(self, live: Live, text: str) -> tuple[str, ...]:
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

    def _coach_of(self, live: Live) -> Coach:
        self._keeps(live, _COACH, live.forget_coach)
        return live.coach()

    def _keeps(self, live: Live, who: int, forget: Callable[[], None]) -> None:
        """Note who keeps a solved game; whoever was asked longest ago forgets his."""
        self._solved[live.room.id, who] = forget
        self._solved.move_to_end((live.room.id, who))
        while len(self._solved) > limits.MOST_SOLVED:
            _, forget = self._solved.popitem(last=False)
            forget()

    async def close(self) -> None:
        """Wait until those who act have acted."""
        await asyncio.gather(*self._acting, return_exceptions=True)
