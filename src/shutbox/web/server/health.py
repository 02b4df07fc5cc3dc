"""What the host asks a server, and what it does by itself again and again, to serve well."""

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
    """It can serve: the database answers and keeps, and it is not shutting down."""
    server: Server = request.app.state.server
    # One look for all who ask at once.
    if server.looks is None or server.looks.done():
        server.looks = asyncio.create_task(unready(server))
    why = await asyncio.shield(server.looks)
    return PlainTextResponse(f"{why}\n", 503) if why else PlainTextResponse("ready\n")


async def unready(server: Server) -> str:
    """What keeps it from serving; nothing where it is ready."""
    if server.draining or server.closing:
        return "closing"
    # Python 3.11's `wait_for` drops a cancellation that comes as it ends: `watch` would go on.
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
    """What is counted, for who has the token; without one, for this machine alone."""
    server: Server = request.app.state.server
    token = server.settings.metrics_token
    said = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token:
        allowed = hmac.compare_digest(said.encode("utf-8", "replace"), token.encode())
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
    """Do something every so many seconds, from `first` seconds on, until this is cancelled.

    What goes wrong is logged as `failed`: the next time may do what this one did not.
    """
    await asyncio.sleep(first)
    while True:
        try:
            await step()
        except (ShutboxError, NoAnswer) as error:
            log.warning(failed, reason=one_line(error))
        except Exception as error:  # whatever it is
            log.error(failed, exc_info=error)
        await asyncio.sleep(seconds)


async def watch(server: Server) -> None:
    """Look whether it is ready, and how large the database is, until this is cancelled."""

    async def look() -> None:
        # While it is gone, which `ready` says, the last size is good enough.
        with suppress(NoAnswer, OSError):
            server.sizes = await server.log.ask(server.database.sizes)
        server.metrics.ready.set(not await unready(server))

    server.metrics.ready.set(True)  # it has just opened its database
    await forever(look, _READY_SECONDS, "not watched", first=_READY_SECONDS)


async def sweep(server: Server) -> None:
    """See to computer players that another process has left, until this is cancelled."""
    rooms = server.rooms

    async def see_to_all() -> None:
        rooms.follow_clock()
        rooms.forget()
        for live in rooms.lives:
            # Where nobody listens, the next who asks for the room sees to it.
            if rooms.now() - live.room.at > _SWEEP_SECONDS and live.broadcast.listeners:
                rooms.schedule_bots(live)

    await forever(see_to_all, _SWEEP_SECONDS, "not swept", first=_SWEEP_SECONDS)


async def measure_lag(server: Server) -> None:
    """Measure how late a timer comes, until this is cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _LAG_SECONDS
        await asyncio.sleep(_LAG_SECONDS)
        server.metrics.lag.observe(max(0.0, loop.time() - due))


_COLLECT_SECONDS = 0.1
"""With 300 actions a second a pause took 40 ms when there was one a second, and takes 4 ms."""
_EVERYTHING = 36_000
"""After so many collections, everything is looked at."""
_YOUNG, _MIDDLE, _NEVER = 50_000, 20, 1_000_000_000


async def keep_pauses_short() -> None:
    """Collect what is new, and seldom what has been there for long, until this is cancelled.

    A full collection looks at every object of every room in memory, and meanwhile nobody is
    answered: with 200 tables it took up to 0.4 s. What has outlived one collection here is set
    aside; once in a long while everything is looked at again.
    """
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
    for times in count(1):
        if times % _EVERYTHING == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        await asyncio.sleep(_COLLECT_SECONDS)
