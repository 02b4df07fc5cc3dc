"""The /ready and /metrics endpoints, and the periodic tasks of a server."""

import asyncio
import gc
import hmac
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from shutbox.errors import NotKept, ShutboxError
from shutbox.web.errors import NoAnswer, one_line
from shutbox.web.logs import log
from shutbox.web.server.services import Server

_PATIENCE = 3.0


async def ready(request: Request) -> Response:
    """Answer 200 if the database reads and writes and the server is not closing, else 503."""
    server: Server = request.app.state.server
    # Requests that arrive during a check share it.
    if server.looks is None or server.looks.done():
        server.looks = asyncio.create_task(unready(server))
    why = await asyncio.shield(server.looks)
    return PlainTextResponse(f"{why}\n", 503) if why else PlainTextResponse("ready\n")


async def unready(server: Server) -> str:
    """Return the reason why the server is not ready, or "" if it is."""
    if server.draining or server.closing:
        return "closing"
    # Python 3.11's `wait_for` loses a cancellation that comes as it ends: `watch` would not stop.
    try:
        async with asyncio.timeout(_PATIENCE):
            await server.log.ask(server.log.archive.answers)
    except (NoAnswer, TimeoutError):
        return "no database"
    try:
        async with asyncio.timeout(_PATIENCE):
            await server.check_keeps()
    except (NotKept, TimeoutError):
        return "nothing can be kept"
    return ""


async def metrics(request: Request) -> Response:
    """Return the metrics to a client with the token; if none is set, to this machine; else 403."""
    server: Server = request.app.state.server
    token = server.settings.metrics_token
    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token:
        allowed = hmac.compare_digest(sent.encode("utf-8", "replace"), token.encode())
    else:
        near = request.client is not None and request.client.host in ("127.0.0.1", "::1")
        allowed = near and "x-forwarded-for" not in request.headers
    if not allowed:
        return PlainTextResponse("not for you\n", 403)
    text = await asyncio.to_thread(server.metrics.text)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


_READY_SECONDS = 15.0
_SWEEP_SECONDS = 2.0
_LAG_SECONDS = 0.1


async def forever(
    step: Callable[[], Awaitable[object]], seconds: float, failed: str, *, first: float = 0.0
) -> None:
    """Call `step` after `first` seconds, then again `seconds` after each call, until cancelled.

    Errors are logged as `failed` and do not stop the loop.
    """
    await asyncio.sleep(first)
    while True:
        try:
            await step()
        except (ShutboxError, NoAnswer) as error:
            log.warning(failed, reason=one_line(error))
        except Exception as error:  # a bug: logged with its traceback
            log.error(failed, exc_info=error)
        await asyncio.sleep(seconds)


async def watch(server: Server) -> None:
    """Update the readiness metric and the database size until cancelled."""

    async def look() -> None:
        # If the database is gone, `ready` reports it and the last size is good enough.
        with suppress(NoAnswer, OSError):
            server.sizes = await server.log.ask(server.database.sizes)
        server.metrics.ready.set(not await unready(server))

    server.metrics.ready.set(True)  # the server has just opened its database
    await forever(look, _READY_SECONDS, "not watched", first=_READY_SECONDS)


async def sweep(server: Server) -> None:
    """Adopt clock changes, drop idle rooms and revive stalled computer players, until cancelled.

    A computer player stalls, for example, when the process that ran it has stopped.
    """
    rooms = server.rooms

    async def sweep_once() -> None:
        rooms.adopt_clock()
        rooms.forget()
        for live in rooms.loaded_rooms:
            # Without listeners, the next request for the room schedules its computer players.
            if rooms.now() - live.room.at > _SWEEP_SECONDS and live.broadcast.listeners:
                rooms.schedule_bots(live)

    await forever(sweep_once, _SWEEP_SECONDS, "not swept", first=_SWEEP_SECONDS)


async def measure_lag(server: Server) -> None:
    """Measure how late the event loop runs its timers until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _LAG_SECONDS
        await asyncio.sleep(_LAG_SECONDS)
        server.metrics.lag.observe(max(0.0, loop.time() - due))


_COLLECT_SECONDS = 0.1
"""Seconds between collections: at 300 actions a second each takes 4 ms; with 1.0 it took 40 ms."""
_EVERYTHING = 36_000
"""The number of collections after which one covers all objects."""
_YOUNG, _MIDDLE, _NEVER = 50_000, 20, 1_000_000_000


async def keep_pauses_short() -> None:
    """Collect young garbage often, and old garbage seldom, until cancelled.

    A full collection visits every object of every room in memory and blocks all requests: with 200
    tables it took up to 0.4 s. So objects that survive one collection here are frozen, and all are
    unfrozen only once in `_EVERYTHING` collections.
    """
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
    for times in count(1):
        if times % _EVERYTHING == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        await asyncio.sleep(_COLLECT_SECONDS)
