"""The doorbell between processes on one PostgreSQL: a room has gone on, or has other spectators.

What was rung is no more than a hint to look: everything is read from the log. A ring that is lost
is made up for when the line is back, and by whoever acts in the room next.
"""

import asyncio
from typing import Any

import psycopg
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from shutbox.errors import ShutboxError
from shutbox.web.live.live_room import Live
from shutbox.web.live.repository import Rooms
from shutbox.web.logs import log
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.storage.group_commit import CHANNEL

_BACK_SECONDS = 1.0
_WATCHING_SECONDS = 10.0
"""How often a process says again how many spectators listen to it."""
_FORGET_SECONDS = 25.0


_ALIVE: dict[str, Any] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""A line that is dead is noticed within half a minute, also where nothing is said on it."""


class Doorbell:
    """Listens for the rings of other processes, and rings for the spectators of this one."""

    def __init__(self, rooms: Rooms, url: URL) -> None:
        self._rooms = rooms
        self._url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._me = new_action()
        self._said: dict[str, int] = {}
        self._looking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            try:
                await self._listen()
            except Exception as error:  # whatever it is: the line is taken up again
                log.warning("doorbell lost", reason=str(error).partition("\n")[0])
            await asyncio.sleep(_BACK_SECONDS)

    async def _listen(self) -> None:
        line = await psycopg.AsyncConnection.connect(self._url, autocommit=True, **_ALIVE)
        async with line:
            await line.execute(f"LISTEN {CHANNEL}")
            for live in self._rooms.lives:  # whatever was rung meanwhile
                self._look(live.room.id, live.room.number + 1)
            self._said.clear()
            last = 0.0
            while True:
                async for ring in line.notifies(timeout=1.0):
                    self._heard(ring.payload)
                now = self._rooms.now()
                again = now - last >= _WATCHING_SECONDS
                last = now if again else last
                await self._say_who_watches(line, again=again)

    def _heard(self, payload: str) -> None:
        room, _, rest = payload.partition(" ")
        if rest.isascii() and rest.isdigit():
            self._look(room, int(rest))
            return
        process, _, watching = rest.partition(" ")
        live = self._rooms.at_hand(room)
        if live is not None and process != self._me and watching.isascii() and watching.isdigit():
            live.elsewhere[process] = int(watching), self._rooms.now()
            live.wake()

    def _look(self, room: str, number: int) -> None:
        """Look at a room; one that somebody thinks in does not hold up the others."""
        live = self._rooms.at_hand(room)
        if live is not None and live.room.number < number:
            task = asyncio.create_task(self._catch_up(live))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _catch_up(self, live: Live) -> None:
        try:
            await self._rooms.catch_up(live)
        except (ShutboxError, SQLAlchemyError) as error:
            log.warning("not caught up", reason=str(error).partition("\n")[0])

    async def _say_who_watches(self, line: psycopg.AsyncConnection, *, again: bool) -> None:
        now = self._rooms.now()
        for live in self._rooms.lives:
            old = [p for p, (_, at) in live.elsewhere.items() if now - at > _FORGET_SECONDS]
            for process in old:
                del live.elsewhere[process]
            if old:
                live.wake()
            here = live.watching_here
            if self._said.get(live.room.id, 0) != here or (again and here):
                says = f"{live.room.id} {self._me} {here}"
                await line.execute("SELECT pg_notify(%s, %s)", (CHANNEL, says))
                if here:
                    self._said[live.room.id] = here
                else:
                    self._said.pop(live.room.id, None)
