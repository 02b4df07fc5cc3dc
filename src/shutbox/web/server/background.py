"""The background tasks of a server: upkeep, and exchange with its host and other processes.

Processes on one PostgreSQL notify each other of new events and numbers of spectators. If a
notification is lost, the log is read on reconnecting, and by the next action in the room.
"""

import asyncio
import gc
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING

from sqlalchemy import URL

from shutbox import __version__
from shutbox.engine.errors import OutOfDate, ShutboxError
from shutbox.web.actions.replays import finished
from shutbox.web.errors import Broken, DamagedStore, NoAnswer, one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.logs import log
from shutbox.web.rooms.access import Keyring, new_action
from shutbox.web.server.services import Server
from shutbox.web.server.settings import DAY
from shutbox.web.storage.engine import ALIVE
from shutbox.web.storage.group_commit import CHANNEL
from shutbox.web.storage.host import (
    Kind,
    Process,
    deleted,
    last_played,
    news,
    old_rooms,
    recorded,
    running,
    stopped,
)
from shutbox.web.storage.log import numbered_events

if TYPE_CHECKING:
    from psycopg import AsyncConnection

_SWEEP_SECONDS = 2.0


async def forever(
    step: Callable[[], Awaitable[object]], seconds: float, failed: str, *, first: float = 0.0
) -> None:
    """Call `step` after `first` seconds, then `seconds` after each call; log errors as `failed`."""
    await asyncio.sleep(first)
    while True:
        try:
            await step()
        except (ShutboxError, NoAnswer) as error:
            log.warning(failed, reason=one_line(error))
        except Exception as error:  # a bug: logged with its traceback
            log.error(failed, exc_info=error)
        await asyncio.sleep(seconds)


async def sweep(server: Server) -> None:
    """Until cancelled, adopt clock changes, unload idle rooms, revive bots of stopped processes."""
    rooms = server.rooms

    async def sweep_once() -> None:
        rooms.adopt_clock()
        rooms.forget()
        for live in rooms.loaded_rooms:
            # Without listeners, the next request for the room schedules its computer players.
            if rooms.now() - live.room.at > _SWEEP_SECONDS and live.broadcast.listeners:
                rooms.schedule_bots(live)

    await forever(sweep_once, _SWEEP_SECONDS, "not swept", first=_SWEEP_SECONDS)


_COLLECT_SECONDS = 0.1
"""Seconds between collections: at 300 actions a second each takes 4 ms; with 1.0 it took 40 ms."""
_EVERYTHING = 36_000  # the number of collections after which one covers all objects
_YOUNG, _MIDDLE, _NEVER = 50_000, 20, 1_000_000_000


async def keep_pauses_short() -> None:
    """Collect young garbage often, and old garbage seldom, until cancelled.

    A full collection blocks all requests: with 200 tables, up to 0.4 s. So objects that survive one
    collection are frozen, and unfrozen only once in `_EVERYTHING` collections.
    """
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
    for times in count(1):
        if times % _EVERYTHING == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        await asyncio.sleep(_COLLECT_SECONDS)


_FIRST_SECONDS = 60.0  # a server that has just started is busy
_EVERY_SECONDS = 3600.0
_PAUSE_SECONDS = 0.05  # between two rooms, so that players' requests get through
_LEAST_DOUBT = 3 * DAY  # a machine that was off for a weekend is no cause for doubt


class Expiry:
    """The task of a server that deletes rooms after `settings.expire` seconds without an event."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._age = server.settings.expire
        self._last = server.last_played
        """The clock at the last check; before the first, the time of the last event, or 0."""
        self._trusts_at = 0.0  # the `monotonic` time from which the clock is trusted

    async def run(self) -> None:
        """Call `expire` every hour until cancelled, or return if rooms do not expire."""
        if self._age:
            await forever(self.expire, _EVERY_SECONDS, "not expired", first=_FIRST_SECONDS)

    async def expire(self) -> int:
        """Delete expired rooms; return how many, 0 if the clock is in doubt. Raises NoAnswer.

        A room that cannot be read or written stays, and the others are still deleted.
        """
        server, now = self._server, self._server.rooms.now()
        newest = await server.log.ask(last_played, server.database)
        if not self._believes(now, newest):
            return 0
        before, dropped, last = now - self._age, 0, (0.0, "")
        while found := await server.log.ask(old_rooms, server.database, before, last):
            for last in found:
                if await self._expired(last[1], before):
                    dropped += 1
                    await asyncio.sleep(_PAUSE_SECONDS)
        if dropped:
            log.info("expired", tables=dropped)
        return dropped

    def _believes(self, now: float, newest: float) -> bool:
        """Whether the clock can be trusted to decide which rooms are deleted.

        It cannot if an event is more than a day ahead of it. If it has jumped by more than a
        quarter of the expiry age (3 days at least) since the last check, or since the last event
        at the first check, it may be ahead, or the server was off. Then nothing expires for a day,
        so there is time to correct it. New events prove nothing: the same clock times them.
        """
        if newest > now + DAY:
            log.error("not expired", reason="a table was played at later than the clock says")
            return False
        last, self._last = self._last or newest, now
        if last and now - last > max(self._age / 4, _LEAST_DOUBT):
            log.warning("expiry waits for a day", reason="nothing has happened for long")
            self._trusts_at = monotonic() + DAY
        return monotonic() >= self._trusts_at

    async def _expired(self, room: str, before: float) -> bool:
        """Delete a room without events since `before`, and return whether this was done.

        Its games are stored if settings say so. A room in use, or that fails in any way, stays.
        """
        server, rooms = self._server, self._server.rooms
        live = rooms.cached_room(room)
        if live and (live.broadcast.listeners or live.broadcast.watching or live.lock.locked()):
            return False
        try:
            rows = await server.log.stored(room)
            # The sealed time of the last event counts, not the unsealed one in the list of rooms.
            if not rows or rows[-1].at >= before:
                return False
            games, at = list[tuple[int, bytes]](), rows[-1].at
            if not server.settings.expire_records:
                live = await rooms.find(room, "expiry")
                if live.room.to_open:  # the server was stopped before that
                    await server.rooms.open_envelope(live)
                    rows = await server.log.stored(room)
                history = await asyncio.to_thread(numbered_events, rows)
                games = await server.pool.do("expiry", finished, room, history, patient=True)
            keep = partial(recorded, room=room, at=at, games=games)
            await server.log.write(keep, partial(deleted, room=room, length=len(rows)))
        except (OutOfDate, DamagedStore):  # the room is played again, or its damage was logged
            return False
        except (ShutboxError, NoAnswer, Broken) as error:
            log.warning("a room has not expired", reason=one_line(error))
            return False
        await rooms.on_room_deleted(room)
        return True


_LOOK_SECONDS = 2.0
_SAY_SECONDS = 15.0
_LAST_SECONDS = 2.0  # how long a stopping server tries to delete its report


class Host:
    """The loop that reports one server to its host and applies the host's changes."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._id = new_action()
        self._started = server.rooms.now()
        self._sent: tuple[float, bool] | None = None  # time of its last report, and whether closing

    async def run(self) -> None:
        """Report this server and apply the host's changes until cancelled."""

        async def report_and_read() -> None:
            await self._report()
            await self._read_notices()

        async with asyncio.TaskGroup() as self._hearing:
            await forever(report_and_read, _LOOK_SECONDS, "host not heard")

    async def leave(self) -> None:
        """Delete the report of this server, if the database answers in time."""
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
        await server.log.write(partial(running, process=process))

    async def _read_notices(self) -> None:
        """Adopt the bans, cut off banned listeners, and apply each of the host's new notices."""
        server = self._server
        after = max(server.heard, default=0)
        notices, bans = await server.log.ask(news, server.database, after)
        if bans != server.banned:
            server.banned = bans
            for live in server.rooms.loaded_rooms:
                for listener in live.broadcast.listeners:
                    if server.bans(listener.address):
                        listener.drop()
        for id, kind, room in notices:
            if id in server.heard:
                continue
            if kind == "secret":
                server.rooms.use(Keyring(await server.log.ask(server.log.archive.secret)))
            else:
                # In a task: a computer player may hold the room's lock for a long time.
                self._hearing.create_task(self._hear(id, kind, room))
        server.heard = {id for id, _, _ in notices} or server.heard

    async def _hear(self, id: int, kind: Kind, room: str) -> None:
        """Read a changed room again, or drop a deleted one; after a bug, try the notice again."""
        rooms = self._server.rooms
        try:
            if kind == "change":
                await rooms.on_room_changed(room)
            else:
                await rooms.on_room_deleted(room)
        except ShutboxError:
            pass  # the next request reads the room again
        except Exception as error:  # any failure: the next look retries the notice
            log.warning("host not heard", reason=one_line(error))
            self._server.heard.discard(id)


_BACK_SECONDS = 1.0
_WATCHING_SECONDS = 10  # how often a process repeats its numbers of spectators
_FORGET_SECONDS = 25.0


class Cluster:
    """The link to other processes: it hears their news, and reports this one's spectators."""

    def __init__(self, rooms: Rooms, url: URL) -> None:
        self._rooms = rooms
        self._url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._me = new_action()
        self._announced: dict[str, int] = {}  # the spectators last announced, by room
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
            for second in count(1):
                async for ring in line.notifies(timeout=1.0):
                    self._heard(ring.payload)
                await self._announce_watching(line, again=second % _WATCHING_SECONDS == 0)

    def _heard(self, payload: str) -> None:
        """Act on "ROOM NUMBER" (newest event) or "ROOM PROCESS COUNT" (spectators there)."""
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
        """Read a loaded room up to event `number` in a task: a held lock delays no other room."""
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
        """Announce changed numbers of spectators (`again`: all but 0); forget silent processes."""
        now = monotonic()
        before, self._announced = self._announced, {}
        for live in self._rooms.loaded_rooms:
            elsewhere = live.broadcast.elsewhere
            old = [p for p, (_, at) in elsewhere.items() if now - at > _FORGET_SECONDS]
            for process in old:
                del elsewhere[process]
            if old:
                live.broadcast.wake()
            here = live.broadcast.watching_here
            if before.get(live.room.id, 0) != here or (again and here):
                payload = f"{live.room.id} {self._me} {here}"
                await line.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
            self._announced[live.room.id] = here
