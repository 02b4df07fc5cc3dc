"""Expiry: deletes rooms that have not been played for a long time, if the host wants that."""

import asyncio
from time import monotonic

from shutbox.errors import OutOfDate, ShutboxError
from shutbox.web.actions import replays
from shutbox.web.errors import DamagedStore, one_line
from shutbox.web.logs import log
from shutbox.web.server.health import forever
from shutbox.web.server.services import Server
from shutbox.web.server.settings import DAY
from shutbox.web.storage.host import deleted, last_played, old_rooms, recorded
from shutbox.web.storage.log import numbered_events

_FIRST_SECONDS = 60.0  # a server that has just started is busy
_EVERY_SECONDS = 3600.0
_PAUSE_SECONDS = 0.05  # between two rooms, so that players' requests get through
_LEAST_DOUBT = 3 * DAY  # a machine that was off for a weekend is no cause for doubt


class Expiry:
    """The expiry of rooms on one server, after `settings.expire` seconds without an event."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._age = server.settings.expire
        self._last = server.last_played
        """The clock at the last check; before the first, the time of the last event, or 0."""
        self._trusts_at = 0.0
        """The `monotonic` time from which the clock is trusted."""

    async def run(self) -> None:
        """Call `expire` every hour until cancelled, or return if rooms do not expire."""
        if self._age:
            await forever(self.expire, _EVERY_SECONDS, "not expired", first=_FIRST_SECONDS)

    async def expire(self) -> int:
        """Delete the expired rooms, and return how many; none while the clock is in doubt."""
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

        It cannot if an event is more than a day in its future. If it has jumped by more than a
        quarter of the expiry age (3 days at least) since the last check, or at the first since the
        last event, it may be ahead, or the server was off. Then nothing expires for a day, which
        leaves time to correct it. New events prove nothing: they are timed by the same clock.
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
        """Delete a room without events since `before`, and return whether it is gone.

        Its games are stored if the settings say so. A damaged room or one with listeners stays.
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
                    await server.sealing.open(live)
                    rows = await server.log.stored(room)
                history = await asyncio.to_thread(numbered_events, rows)
                games = await server.pool.do(
                    "expiry", replays.finished, room, history, patient=True
                )
            write = (recorded(room, at, games), deleted(room, len(rows)))
            await server.log.write(*write)
        except (OutOfDate, DamagedStore):  # the room is played again, or its damage was logged
            return False
        except ShutboxError as error:
            log.warning("a room has not expired", reason=one_line(error))
            return False
        await rooms.on_room_deleted(room)
        server.log.damaged.discard(room)
        return True
