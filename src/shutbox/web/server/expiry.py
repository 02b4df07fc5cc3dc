"""Rooms in which nobody has played for long expire, where the host wants that."""

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

_FIRST_SECONDS = 60.0  # a server that has just started has more to do
_EVERY_SECONDS = 3600.0
_PAUSE_SECONDS = 0.05  # between two rooms, for those who play
_LEAST_DOUBT = 3 * DAY  # a machine may be off for a weekend


class Expiry:
    """That of one server: `settings.expire` says after how many seconds."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._age = server.settings.expire
        self._last = server.last_played
        """What the clock said last, or when something happened before; 0 where nothing did."""
        self._trusts_at = 0.0
        """From then on, by `monotonic`, the clock is believed."""

    async def run(self) -> None:
        """Let rooms expire every hour, until this is cancelled."""
        if self._age:
            await forever(self.expire, _EVERY_SECONDS, "not expired", first=_FIRST_SECONDS)

    async def expire(self) -> int:
        """Let expire what is old enough; how many rooms that was."""
        server, now = self._server, self._server.rooms.now()
        newest = await server.log.ask(last_played, server.database)
        if not self._believes(now, newest):
            return 0
        before, gone, last = now - self._age, 0, (0.0, "")
        while found := await server.log.ask(old_rooms, server.database, before, last):
            for last in found:
                if await self._expired(last[1], before):
                    gone += 1
                    await asyncio.sleep(_PAUSE_SECONDS)
        if gone:
            log.info("expired", tables=gone)
        return gone

    def _believes(self, now: float, newest: float) -> bool:
        """Whether the clock can be right: what it says decides what is deleted.

        It cannot where something has happened later. Where it is a quarter of the time after which
        rooms expire later than at the last look, or before the start than anything that happened,
        it may be ahead, or nobody was here; then everybody has a day to see to it. What happens
        meanwhile proves nothing: it has its time by the same clock.
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
        """Whether a room is gone. One that is damaged stays, and one that somebody looks at."""
        server, rooms = self._server, self._server.rooms
        live = rooms.at_hand(room)
        if live and (live.broadcast.listeners or live.broadcast.watching or live.lock.locked()):
            return False
        try:
            rows = await server.log.stored(room)
            # What a seal holds counts, and not what the list of rooms says.
            if not rows or rows[-1].at >= before:
                return False
            games: list[tuple[int, bytes]] = []
            if not server.settings.expire_records:
                history = await asyncio.to_thread(numbered_events, rows)
                games = await server.pool.do(
                    "expiry", replays.finished, room, history, patient=True
                )
            write = (recorded(room, rows[-1].at, games), deleted(room, len(rows)))
            await server.log.write(*write)
        except (OutOfDate, DamagedStore):  # somebody plays there again; or it was noted
            return False
        except ShutboxError as error:
            log.warning("a room has not expired", reason=one_line(error))
            return False
        await rooms.heard_delete(room)
        server.log.damaged.discard(room)
        return True
