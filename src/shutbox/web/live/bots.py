"""The computer players, who act when they are due; workers compute the slow ones' choices."""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shutbox.engine.errors import OutOfDate, ShutboxError, TooLarge, blaming
from shutbox.engine.game import Choose
from shutbox.engine.messages import speaking
from shutbox.match import turn_game
from shutbox.table import Table
from shutbox.web import limits
from shutbox.web.compute import tasks
from shutbox.web.errors import Broken, Full, NoAnswer, one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import RoomRepository
from shutbox.web.live.room_dice import prepare_dice
from shutbox.web.logs import log
from shutbox.web.rooms.changes import RoomChange
from shutbox.web.rooms.commands import computer_acts

if TYPE_CHECKING:  # which a page without a server has not
    from shutbox.web.compute.pool import Pool

_THINK = (*tasks.SOLVERS, "careful")  # the slow kinds of computer players, which need the pool
_TRIES = 2  # attempts to get a choice from the pool


@dataclass
class BotRunner:
    """The runner of the computer players in all rooms of this process."""

    rooms: RoomRepository
    pool: "Pool"
    count: Callable[[str, int], None] | None = None
    """Called after an event is stored, with the address that it counts for and its bytes."""
    refused: Callable[[LiveRoom, ShutboxError], None] | None = None
    """Called with the error that stopped a computer player; without it the error is logged."""

    def __post_init__(self) -> None:
        self._lane = asyncio.Lock()
        self._among_themselves = asyncio.Lock()
        self._acting = set[asyncio.Task[None]]()
        self.rooms.on_bots_due = self.start

    def start(self, live: LiveRoom) -> None:
        """Start the computer player who is due, and then those after it, in the background."""
        live.bots_running = True
        with speaking():  # not the language of the visitor whose request this is
            task = asyncio.create_task(self._act(live))
        self._acting.add(task)
        task.add_done_callback(self._acting.discard)

    async def _act(self, live: LiveRoom) -> None:
        try:
            while live.room.computer_due and not live.closing:
                if live.room.needs_seal:
                    await prepare_dice(self.rooms, live, for_computer=True)
                await self._wait_for_turn(live)
                try:
                    async with live.lock:  # while it is held, the room does not change
                        stored = await self._act_once(live)
                except Full as busy:
                    if not busy.seconds or self.pool.closed:
                        raise
                    await asyncio.sleep(busy.seconds)
                    continue
                if stored and live.address and self.count:
                    self.count(live.address, stored)
        except (ShutboxError, NoAnswer) as error:
            if self.refused and isinstance(error, ShutboxError):
                self.refused(live, error)
            elif not self.pool.closed:  # otherwise this process is stopping
                why = one_line(error)
                log.error("computer player stopped", reason=why, exc_info=error.__cause__)
        except Exception as error:  # otherwise the error would be lost with the task
            log.error("computer player broken", exc_info=error)
        finally:
            live.bots_running = False

    async def _wait_for_turn(self, live: LiveRoom) -> None:
        """Wait for a turn in the lane of all computer players, who move one by one with pauses.

        Otherwise the moves of many tables would be stored and shown together, and everybody's
        requests would wait for all of them. Of the tables without people, one at a time waits here.
        """
        alone = all(player.computer for player in live.room.seats)
        async with self._among_themselves if alone else nullcontext(), self._lane:
            await asyncio.sleep(limits.COMPUTER_PAUSE)

    async def _act_once(self, live: LiveRoom) -> int:
        """Make the due move, with the lock held; return the bytes stored, or 0 if none was made."""
        if not live.room.computer_due or live.room.needs_seal:
            return 0
        table = live.room.playing()
        kind = live.room.seats[table.due or 0].computer
        thinks = kind.startswith(_THINK) and isinstance(table.awaits, Choose)
        thought = await self._think(live, table, kind) if thinks else None
        with blaming(live.room.opened.game):
            events = computer_acts(live.room, thought)
        try:
            return (await self.rooms.commit_locked(live, None, RoomChange(events))).stored
        except OutOfDate:
            await self.rooms.catch_up_locked(live)
            return 0

    async def _think(self, live: LiveRoom, table: Table[Any, Any], kind: str) -> str:
        """Return a computer player's choice in notation.

        If the pool fails twice, it is the first one offered. Raises Full if it can be had later.
        """
        # The careful player limits its own work, and a sheet is made for the turn alone.
        solved = turn_game(table.game) if kind == "sheet" else table.game
        quick = kind == "careful" or tasks.is_quick(solved)
        # Slow ones share one queue, no matter who opened their tables.
        caller = f"table {live.room.id}" if quick else "computers"
        work = tasks.choose, table.game, kind, table.position
        for _ in range(_TRIES):
            try:
                return await self.pool.do(caller, *work, quick=quick, background=True)
            except (Full, TooLarge, Broken) as error:
                if isinstance(error, Full) and error.seconds:
                    raise
                log.warning("computer player refused", reason=one_line(error))
        return table.scene.offers[0].text

    async def close(self) -> None:
        """Wait until all running computer players have finished; `start` still starts others."""
        await asyncio.gather(*self._acting, return_exceptions=True)
