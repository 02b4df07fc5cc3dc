"""Computer players who act when they are due."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from shutbox.errors import OutOfDate, ShutboxError, TooLarge
from shutbox.game import Choose
from shutbox.table import Table
from shutbox.web import limits
from shutbox.web.compute import tasks
from shutbox.web.compute.budget import SOLVERS, inner_of, is_ordinary, is_quick
from shutbox.web.errors import Broken, Full, NoAnswer, one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.rooms.commands import RoomChange, computer_acts
from shutbox.web.rooms.ports import Notes, Works

_THINK = (*SOLVERS, "careful")
"""The kinds of computer players who think long enough for the pool to do it."""
_TRIES = 2  # how often what a computer player thinks is asked for
_SLOW_SECONDS = 0.25  # between two events of computer players who play one another for long
_ALONE_SECONDS = 60.0
"""They do not go on for long where nobody listens, and nobody has asked for so many seconds."""


@dataclass
class BotRunner:
    """Runs the computer players of every room in this process."""

    rooms: Rooms
    pool: Works
    notes: Notes
    count: Callable[[str, int], Awaitable[None]] | None = None
    """Hears for which address an event was stored, and its bytes."""
    turn: Callable[..., Awaitable[None]] | None = None
    """Returns when it is time for an address, since others may be first."""
    refused: Callable[[LiveRoom, ShutboxError], None] | None = None
    """Hears why a computer player has stopped; without it the host does."""

    def __post_init__(self) -> None:
        self._among_themselves = asyncio.Semaphore(limits.COMPUTERS_AT_ONCE)
        self._acting = set[asyncio.Task[None]]()

    def start(self, live: LiveRoom) -> None:
        """Let the computer player who is due act, and those after it."""
        live.driven = True
        task = asyncio.create_task(self._act(live))
        self._acting.add(task)
        task.add_done_callback(self._acting.discard)

    async def _act(self, live: LiveRoom) -> None:
        acted = 0
        try:
            while live.room.computer_due and not live.broadcast.closing:
                # The room is the same while its lock is held.
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
                        break  # they go on once somebody asks for the room
        except (ShutboxError, NoAnswer) as error:
            if self.refused and isinstance(error, ShutboxError):
                self.refused(live, error)
            elif not self.pool.closed:  # or else this process is about to stop
                self.notes.error("computer player stopped", reason=one_line(error))
        except Exception as error:  # nobody else would hear of it
            self.notes.error("computer player broken", exc_info=error)
        finally:
            live.driven = False

    async def _act_once(self, live: LiveRoom) -> int:
        """Do what is due; how many bytes are stored of it."""
        table = live.room.table
        assert table is not None  # somebody is due
        seat = table.due or 0
        kind = live.room.seats[seat].computer
        thinks = kind.startswith(_THINK) and isinstance(table.awaits, Choose)
        made = computer_acts(live.room, await self._thought(live, table, kind) if thinks else None)
        # Where people wait they go first; where none sits, tables wait for one another.
        alone = all(player.computer for player in live.room.seats)
        try:
            async with self._among_themselves if alone else nullcontext():
                if self.turn:
                    await self.turn(live.address, stranger=alone, computers=True)
                return (await self.rooms.happen(live, None, RoomChange((made,)))).stored
        except OutOfDate:
            await self.rooms.look(live)
            return 0

    async def _thought(self, live: LiveRoom, table: Table[Any, Any], kind: str) -> str:
        """The text of what a computer player chooses; the first choice, where that can't be had."""
        # Who is careful looks at so many only, and a sheet is made for the turn.
        of = inner_of(table.game) if kind == "sheet" else table.game
        quick = kind == "careful" or is_quick(of)
        patient = not is_ordinary(of)
        # Those who think for long wait for one another, no matter who opened their tables.
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
        """Wait until those who act have acted."""
        await asyncio.gather(*self._acting, return_exceptions=True)
