"""The runner of computer players, who act when they are due."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from shutbox.errors import OutOfDate, ShutboxError, TooLarge
from shutbox.game import Choose
from shutbox.messages import speaking
from shutbox.plugins import blaming
from shutbox.table import Table
from shutbox.web import limits
from shutbox.web.compute import tasks
from shutbox.web.compute.budget import SOLVERS, inner_of, is_ordinary, is_quick
from shutbox.web.errors import Broken, Full, NoAnswer, one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.live.sealing import Sealing
from shutbox.web.rooms.commands import computer_acts
from shutbox.web.rooms.ports import Notes, Works

_THINK = (*SOLVERS, "careful")
"""The kinds of computer players that take long enough to need the pool."""
_TRIES = 2  # attempts to get a choice from the pool
_SLOW_SECONDS = 0.25  # the pause between two events in a long run of computer players
_ALONE_SECONDS = 60.0
"""Seconds without a request after which a long run stops, if the room has no listeners."""


@dataclass
class BotRunner:
    """The runner of the computer players in all rooms of this process."""

    rooms: Rooms
    pool: Works
    notes: Notes
    sealing: Sealing
    count: Callable[[str, int], Awaitable[None]] | None = None
    """Called after an event is stored, with the address that it counts for and its bytes."""
    turn: Callable[..., Awaitable[None]] | None = None
    """Waits for the turn of an address, as `FairQueue.turn` does."""
    refused: Callable[[LiveRoom, ShutboxError], None] | None = None
    """Called with the error that stopped a computer player; without it the error is logged."""

    def __post_init__(self) -> None:
        self._among_themselves = asyncio.Semaphore(limits.COMPUTERS_AT_ONCE)
        self._acting = set[asyncio.Task[None]]()

    def start(self, live: LiveRoom) -> None:
        """Start the computer player who is due, and then those after it, in the background."""
        live.driven = True
        with speaking():  # not the language of the visitor whose request this is
            task = asyncio.create_task(self._act(live))
        self._acting.add(task)
        task.add_done_callback(self._acting.discard)

    async def _act(self, live: LiveRoom) -> None:
        acted = 0
        try:
            while live.room.computer_due and not live.broadcast.closing:
                if live.room.to_seal:
                    await self.sealing.ready(live, for_computer=True)
                # The room does not change while its lock is held.
                stored = 0
                async with live.lock:
                    if live.room.computer_due:
                        stored = await self._act_once(live)
                if stored and live.address and self.count:
                    await self.count(live.address, stored)
                acted += 1
                if acted > limits.FREE_EVENTS:
                    await asyncio.sleep(_SLOW_SECONDS)
                    alone = self.rooms.now() - live.asked > _ALONE_SECONDS
                    if alone and not live.broadcast.listeners:
                        break  # they go on at the next request for the room
        except (ShutboxError, NoAnswer) as error:
            if self.refused and isinstance(error, ShutboxError):
                self.refused(live, error)
            elif not self.pool.closed:  # otherwise this process is stopping
                why = {"reason": one_line(error), "exc_info": error.__cause__}
                self.notes.error("computer player stopped", **why)
        except Exception as error:  # otherwise the error would be lost with the task
            self.notes.error("computer player broken", exc_info=error)
        finally:
            live.driven = False

    async def _act_once(self, live: LiveRoom) -> int:
        """Make the move that is due and return the bytes stored; 0 if another event came first."""
        table = live.room.table
        assert table is not None  # a computer player is due
        if live.room.to_seal:  # another game has begun
            return 0
        seat = table.due or 0
        kind = live.room.seats[seat].computer
        thinks = kind.startswith(_THINK) and isinstance(table.awaits, Choose)
        thought = await self._thought(live, table, kind) if thinks else None
        with blaming(live.room.opened.game):
            made = computer_acts(live.room, thought)
        # Tables with people go first; tables of computer players alone wait for one another.
        alone = all(player.computer for player in live.room.seats)
        try:
            async with self._among_themselves if alone else nullcontext():
                if self.turn:
                    await self.turn(live.address, stranger=alone, computers=True)
                return (await self.rooms.commit(live, None, (made,))).stored
        except OutOfDate:
            await self.rooms.sync_from_log(live)
            return 0

    async def _thought(self, live: LiveRoom, table: Table[Any, Any], kind: str) -> str:
        """Return the text of a computer player's choice, or the first offer's if the pool fails."""
        # The careful player limits its own work, and a sheet is made for the turn alone.
        of = inner_of(table.game) if kind == "sheet" else table.game
        quick = kind == "careful" or is_quick(of)
        patient = not is_ordinary(of)
        # Slow ones share one queue, no matter who opened their tables.
        who, most = (f"table {live.room.id}", 1) if quick else ("computers", limits.ALL_WAITING)
        about = table.game, kind, table.position
        for _ in range(_TRIES):
            try:
                return await self.pool.do(
                    who, tasks.chosen, *about, quick=quick, patient=patient, most=most
                )
            except (Full, TooLarge, Broken) as error:
                if self.pool.closed:
                    raise
                self.notes.warning("computer player refused", reason=one_line(error))
        return table.scene.offers[0].text

    async def close(self) -> None:
        """Wait until all running computer players have finished; `start` still starts others."""
        await asyncio.gather(*self._acting, return_exceptions=True)
