"""The background jobs of a server: upkeep, expiry, and the orders of its host and other servers."""

import asyncio
import gc
import signal
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from sqlalchemy import delete, func, select

from shutbox.engine.errors import NotKept, OutOfDate, ShutboxError
from shutbox.web.actions.seats import forget_at
from shutbox.web.errors import DamagedStore, NoAnswer, one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import RoomRepository
from shutbox.web.live.room_dice import load_dice, open_due_envelopes
from shutbox.web.logs import log
from shutbox.web.rooms.changes import Events, RoomChange
from shutbox.web.rooms.commands import unseal
from shutbox.web.rooms.events import Closed, Renewed
from shutbox.web.rooms.room import OPENER, Room
from shutbox.web.server.services import Server
from shutbox.web.storage.log import delete_room
from shutbox.web.storage.schema import orders
from shutbox.web.storage.schema import rooms as stored_rooms

_SWEEP_SECONDS = 2.0
_ENVELOPE_SECONDS = 0.5  # between two checks for games that have ended
_ORDERS_SECONDS = 2.0
_CLAIM_SECONDS = 0.5  # between two checks that the name is still this server's
_HOUR, DAY = 3600.0, 86_400.0
_COLLECT_SECONDS = 0.1
"""Seconds between collections: at 300 actions a second each takes 4 ms; with 1.0 it took 40 ms."""


def jobs_of(server: Server) -> Sequence[Coroutine[Any, Any, None]]:
    """Return the jobs of a server, which run until they are cancelled; set its `refresh`."""
    rooms, orders_here = server.rooms, Orders(server)
    server.refresh = orders_here.refresh
    jobs = [
        _forever(partial(sweep, rooms), _SWEEP_SECONDS, "not swept", first=_SWEEP_SECONDS),
        _forever(partial(open_due_envelopes, rooms), _ENVELOPE_SECONDS, "envelopes not opened"),
        _forever(orders_here.carry_out, _ORDERS_SECONDS, "orders wait"),
        _forever(_collect_young, _COLLECT_SECONDS, "not collected"),
        _forever(_thaw, _HOUR, "not collected", first=_HOUR),
    ]
    if server.settings.expire:
        jobs.append(_forever(partial(expire, server), _HOUR, "not expired", first=DAY))
    if server.database.is_shared:
        jobs.append(_forever(partial(keep_name, server), _CLAIM_SECONDS, "name lost"))
    return jobs


async def _forever(
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


async def sweep(rooms: RoomRepository) -> None:
    """Unload idle rooms, and revive computer players."""
    rooms.drop_idle()
    for live in rooms.loaded_rooms:
        # Without listeners, the next request for the room schedules its computer players.
        if rooms.now() - live.room.last_activity > _SWEEP_SECONDS and live.listeners:
            rooms.schedule_bots(live)


async def _collect_young() -> None:
    """Collect garbage, and freeze what survives, so that the next collection is short.

    A full collection blocks all requests: with 200 tables, up to 0.4 s. So it is done only once an
    hour, and Python's own collections, whose thresholds `run` sets, are as rare.
    """
    gc.collect()
    gc.freeze()


async def _thaw() -> None:
    """Let the next collection cover all objects."""
    gc.unfreeze()


_EXPIRY_PAUSE_SECONDS = 0.05  # between two rooms, so that players' requests get through
_MOST_EXPIRED = 10_000  # rooms deleted by one call


async def expire(server: Server) -> int:
    """Delete rooms of this server without an event for `settings.expire` days; return how many.

    A call deletes up to `_MOST_EXPIRED`. A wrong clock must delete nothing: while an event is later
    than the clock, none is deleted, and `jobs_of` calls this only after the first day of a server,
    in which the clock can be corrected. A room in use, or that cannot be read or written, stays,
    and the others are still deleted. Raises NoAnswer.
    """
    now, column = server.rooms.now(), stored_rooms.c
    if ((await server.log.rows(select(func.max(column.at))))[0][0] or 0.0) > now:
        log.error("not expired", reason="a table was played at later than the clock says")
        return 0
    before, dropped = now - server.settings.expire * DAY, 0
    old = select(column.id).where(column.at < before).order_by(column.at).limit(_MOST_EXPIRED)
    if server.database.is_shared:
        old = old.where(column.id.startswith(server.settings.name))
    for row in await server.log.rows(old):
        if await _delete_if_expired(server, row.id, before):
            dropped += 1
            await asyncio.sleep(_EXPIRY_PAUSE_SECONDS)
    if dropped:
        log.info("expired", tables=dropped)
    return dropped


async def _delete_if_expired(server: Server, room: str, before: float) -> bool:
    """Delete a room without events since `before`, and return whether this was done.

    A room in use, or that fails in any way, stays.
    """
    live = server.rooms.loaded_room(room)
    if live and (live.listeners or live.lock.locked()):
        return False
    try:
        rows = await server.log.stored_events(room)
        # The sealed time of the last event counts, not the unsealed one in the list of rooms.
        if not rows or rows[-1].at >= before:
            return False
        await server.log.write(partial(delete_room, room=room, length=len(rows)))
    except (OutOfDate, DamagedStore):  # the room is played again, or its damage was logged
        return False
    except (ShutboxError, NoAnswer) as error:
        log.warning("a room has not expired", reason=one_line(error))
        return False
    await server.rooms.on_room_deleted(room)
    return True


class Orders:
    """The orders of the host and of other servers about rooms here, which are carried out here."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._busy = asyncio.Lock()

    async def refresh(self, live: LiveRoom) -> None:
        """Carry out the orders about a room, before it is shown. Raises NoAnswer and NotKept."""
        if any(order.room == live.room.id for order in await self._waiting()):
            await self.carry_out()

    async def _waiting(self) -> Sequence[Any]:
        """Return the orders that wait for this server, oldest first."""
        query = select(orders).order_by(orders.c.id)
        if self._server.database.is_shared:
            query = query.where(orders.c.server == self._server.settings.name)
        return await self._server.log.rows(query)

    async def carry_out(self) -> None:
        """Carry out the orders that wait, oldest first; one that is refused is logged and dropped.

        Raises NoAnswer and NotKept; the orders then wait until the database can be written.
        """
        async with self._busy:
            for order in await self._waiting():
                try:
                    await self._do(order)
                except (NoAnswer, NotKept):
                    raise
                except ShutboxError as error:
                    log.warning("order not carried out", kind=order.kind, reason=one_line(error))
                except Exception as error:  # a bug must not hold up the orders behind it
                    log.error("order not carried out", kind=order.kind, exc_info=error)
                await self._server.log.write(delete(orders).where(orders.c.id == order.id))

    async def _do(self, order: Any) -> None:
        """Do what an order says. Raises UnknownRoom, RoomClosed, DamagedStore, NotKept, OutOfDate.

        Each can be done again, as after a crash between the deed and the end of its order.
        """
        rooms, room = self._server.rooms, order.room
        match order.kind:
            case "delete":
                await self._server.log.write(partial(delete_room, room=room))
                await rooms.on_room_deleted(room)
            case "forget":
                await forget_at(self._server, room, order.device)
            case "seats":
                if live := rooms.loaded_room(room):
                    live.forget_devices()
            case "close":
                await self._change(room, lambda it: () if it.closed else (*unseal(it), Closed()))
            case "link":
                await self._change(room, lambda it: (Renewed(OPENER),))

    async def _change(self, room: str, events: Callable[[Room], Events]) -> None:
        """Add events to a room for the host."""
        rooms = self._server.rooms
        live = await rooms.find(room)
        await load_dice(rooms, live)
        await rooms.change(live, None, lambda it: RoomChange(events(it), by_host=True))


async def keep_name(server: Server) -> None:
    """Keep the lock on the server's name; stop the process if another server has it.

    The lock is lost with its connection. Until it is back, the database refuses whatever would
    conflict with another server's writes. Raises NoAnswer.
    """
    if not await server.log.ask(server.database.claim, server.settings.name):
        log.error("stopped", reason="another server has taken its name")
        signal.raise_signal(signal.SIGINT)
