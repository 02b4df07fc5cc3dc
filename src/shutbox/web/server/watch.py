"""What a server looks at by itself, for its numbers: whether it is ready, and how late it is."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from shutbox.web.errors import NoAnswer
from shutbox.web.logs import log
from shutbox.web.server.health import unready
from shutbox.web.server.services import Server

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
