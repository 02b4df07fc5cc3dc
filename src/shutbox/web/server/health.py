"""What the host of the server asks it: whether it lives, whether it can serve, and how it does."""

import asyncio
import hmac

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from shutbox.errors import NotKept
from shutbox.web.server.services import Server

_PATIENCE = 3.0


async def health(request: Request) -> Response:
    """The process lives."""
    return PlainTextResponse("alive\n")


async def ready(request: Request) -> Response:
    """It can serve: the database answers and keeps, and it is not shutting down."""
    server: Server = request.app.state.server
    if server.closing:
        return PlainTextResponse("closing\n", 503)
    try:
        answers = server.rooms.read(server.rooms.archive.answers)
        await asyncio.wait_for(answers, _PATIENCE)
    except (SQLAlchemyError, TimeoutError):
        return PlainTextResponse("no database\n", 503)
    try:
        await asyncio.wait_for(server.check_keeps(), _PATIENCE)
    except (NotKept, TimeoutError):
        return PlainTextResponse("nothing can be kept\n", 503)
    return PlainTextResponse("ready\n")


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
    return Response(server.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
