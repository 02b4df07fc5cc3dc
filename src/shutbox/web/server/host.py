"""The exchange between this server and its host: reports, and the host's changes."""

import asyncio
import os
import socket
from contextlib import suppress
from time import monotonic

from shutbox import __version__
from shutbox.errors import ShutboxError
from shutbox.web.errors import one_line
from shutbox.web.logs import log
from shutbox.web.rooms.link_keys import Keyring, new_action
from shutbox.web.server.health import forever
from shutbox.web.server.services import Server
from shutbox.web.storage.host import Kind, Process, news, running, stopped

_LOOK_SECONDS = 2.0
_SAY_SECONDS = 15.0
_LAST_SECONDS = 2.0  # how long a stopping server tries to delete its report


class Host:
    """The loop that reports one server to its host and applies the host's changes."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._id = new_action()
        self._started = server.rooms.now()
        self._sent: tuple[float, bool] | None = None
        """The time of its last report, and whether it was closing."""
        self._hearing: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Report this server and apply the host's changes until cancelled."""

        async def report_and_read() -> None:
            await self._report()
            await self._read_notices()

        await forever(report_and_read, _LOOK_SECONDS, "host not heard")

    async def leave(self) -> None:
        """Delete the report of this server, if the database answers in time."""
        for task in self._hearing:
            task.cancel()
        with suppress(ShutboxError, TimeoutError):
            await asyncio.wait_for(self._server.log.write(stopped(self._id)), _LAST_SECONDS)

    async def _report(self) -> None:
        """Store a report of this server if the last is old, or if it has begun to close."""
        server = self._server
        closing = server.draining or server.closing
        if self._sent and monotonic() - self._sent[0] < _SAY_SECONDS and self._sent[1] == closing:
            return
        self._sent = monotonic(), closing
        loaded = server.rooms.loaded_rooms
        process = Process(
            id=self._id,
            version=__version__,
            address=f"{socket.gethostname()[:57]}:{server.settings.port}",
            pid=os.getpid(),
            started=self._started,
            seen=server.rooms.now(),
            rooms=len(loaded),
            listeners=sum(len(live.broadcast.listeners) for live in loaded),
            closing=closing,
        )
        await server.log.write(running(process))

    async def _read_notices(self) -> None:
        """Adopt the bans, cut off who is banned, and apply each of the host's new notices."""
        server = self._server
        after = max(server.heard, default=0)
        notices, bans = await server.log.ask(news, server.database, after)
        if bans != server.bans.known:
            server.bans.known = bans
            for live in server.rooms.loaded_rooms:
                for listener in live.broadcast.listeners:
                    if server.bans.has(listener.address):
                        listener.drop()
        for id, kind, room in notices:
            if id not in server.heard and kind == "secret":
                rooms = server.rooms
                rooms.use(Keyring(await server.log.ask(server.log.archive.secret)))
            elif id not in server.heard:
                # In a task: a computer player may hold the room's lock for a long time.
                task = asyncio.create_task(self._hear(id, kind, room))
                self._hearing.add(task)
                task.add_done_callback(self._hearing.discard)
        server.heard = {id for id, _, _ in notices} or server.heard

    async def _hear(self, id: int, kind: Kind, room: str) -> None:
        """Read a changed room again, or drop a deleted one; on failure, let the notice recur."""
        rooms = self._server.rooms
        try:
            if kind == "change":
                await rooms.on_room_changed(room)
            else:
                await rooms.on_room_deleted(room)
                self._server.log.damaged.discard(room)
        except ShutboxError:
            pass  # the next request reads the room again
        except Exception as error:  # any failure: the next look retries the notice
            log.warning("host not heard", reason=one_line(error))
            self._server.heard.discard(id)
