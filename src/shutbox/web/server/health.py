"""What the host asks a server, and what it looks at itself: whether and how well it serves."""

import asyncio
import hmac
from collections.abc import Callable
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from shutbox.errors import NotKept
from shutbox.web.errors import NoAnswer
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
_LAG_SECONDS = 0.1


async def watch(server: Server) -> None:
    """Whether it is ready, and how large the database is, until this is cancelled."""
    server.metrics.ready.set(True)  # it has just opened its database
    while True:
        # While it is gone, which `ready` says, the last size is good enough.
        with suppress(NoAnswer, OSError):
            server.gauges.sizes = await server.log.ask(server.database.sizes)
        await asyncio.sleep(_READY_SECONDS)
        try:
            server.metrics.ready.set(not await unready(server))
        except Exception as error:  # whatever it is: the next look may see more
            log.error("not watched", exc_info=error)


async def measure_lag(observe: Callable[[float], None]) -> None:
    """How late a timer comes, until this is cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _LAG_SECONDS
        await asyncio.sleep(_LAG_SECONDS)
        observe(max(0.0, loop.time() - due))
