"""Notifications between processes on one PostgreSQL: new events, and numbers of spectators.

A notification is only a hint to read the log. A lost one is made up for after reconnecting, when
every loaded room is read, and by the next action in its room.
"""

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from sqlalchemy import URL

from shutbox.errors import ShutboxError
from shutbox.web.errors import NoAnswer, one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.logs import log
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.storage.engine import ALIVE
from shutbox.web.storage.group_commit import CHANNEL

if TYPE_CHECKING:
    from psycopg import AsyncConnection

_BACK_SECONDS = 1.0
_WATCHING_SECONDS = 10.0  # how often a process repeats its numbers of spectators
_FORGET_SECONDS = 25.0


class Cluster:
    """The listener to other processes, which also reports this one's spectators to them."""

    def __init__(self, rooms: Rooms, url: URL) -> None:
        self._rooms = rooms
        self._url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._me = new_action()
        self._announced: dict[str, int] = {}
        self._looking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Hear and announce news of rooms, and reconnect after errors, until cancelled."""
        while True:
            try:
                await self._listen()
            except Exception as error:  # reconnect after any error
                log.warning("other processes not heard", reason=one_line(error))
            await asyncio.sleep(_BACK_SECONDS)

    async def _listen(self) -> None:
        from psycopg import AsyncConnection  # an optional dependency

        line = await AsyncConnection.connect(self._url, autocommit=True, **ALIVE)
        async with line:
            await line.execute(f"LISTEN {CHANNEL}")
            for live in self._rooms.loaded_rooms:  # read what was missed before LISTEN
                self._look(live.room.id, live.room.number + 1)
            self._announced.clear()
            last = monotonic()
            while True:
                async for ring in line.notifies(timeout=1.0):
                    self._heard(ring.payload)
                now = monotonic()
                again = now - last >= _WATCHING_SECONDS
                last = now if again else last
                await self._announce_watching(line, again=again)

    def _heard(self, payload: str) -> None:
        """Act on "ROOM NUMBER", its newest event, or "ROOM PROCESS COUNT", its spectators there."""
        room, _, rest = payload.partition(" ")
        if rest.isascii() and rest.isdigit():
            self._look(room, int(rest))
            return
        process, _, watching = rest.partition(" ")
        live = self._rooms.cached_room(room)
        if live is not None and process != self._me and watching.isascii() and watching.isdigit():
            live.broadcast.elsewhere[process] = int(watching), monotonic()
            live.broadcast.wake()

    def _look(self, room: str, number: int) -> None:
        """Read new events of a loaded room in a task: a room whose lock is held delays no other."""
        live = self._rooms.cached_room(room)
        if live is not None and live.room.number < number:
            task = asyncio.create_task(self._catch_up(live))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _catch_up(self, live: LiveRoom) -> None:
        try:
            await self._rooms.catch_up(live)
        except (ShutboxError, NoAnswer) as error:
            log.warning("not caught up", reason=one_line(error))

    async def _announce_watching(self, line: "AsyncConnection", *, again: bool) -> None:
        """Announce changed numbers of spectators, or all `again`; forget silent processes."""
        now = monotonic()
        for live in self._rooms.loaded_rooms:
            elsewhere = live.broadcast.elsewhere
            old = [p for p, (_, at) in elsewhere.items() if now - at > _FORGET_SECONDS]
            for process in old:
                del elsewhere[process]
            if old:
                live.broadcast.wake()
            here = live.broadcast.watching_here
            if self._announced.get(live.room.id, 0) != here or (again and here):
                payload = f"{live.room.id} {self._me} {here}"
                await line.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
                if here:
                    self._announced[live.room.id] = here
                else:
                    self._announced.pop(live.room.id, None)
