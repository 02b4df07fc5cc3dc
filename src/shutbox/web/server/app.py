"""The application: every address, and what stands before all of them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from shutbox.errors import NotKept, ShutboxError
from shutbox.web.api import streams
from shutbox.web.api.endpoints import ENDPOINTS, ROOM
from shutbox.web.http.endpoint import refusal
from shutbox.web.http.errors import refused_page
from shutbox.web.http.middleware import Guard
from shutbox.web.live.cluster import Doorbell
from shutbox.web.logs import log
from shutbox.web.pages import home, table
from shutbox.web.pages.templates import STATIC, rendered
from shutbox.web.server.gc_tuning import keep_pauses_short
from shutbox.web.server.health import health, metrics, ready
from shutbox.web.server.services import Server
from shutbox.web.storage.engine import reason

_SWEEP_SECONDS = 2.0
_SMALLEST_ZIPPED = 1000

PAGES: tuple[tuple[str, str, Callable[[Request], Awaitable[Response]]], ...] = (
    ("GET", "/", home.home),
    ("POST", "/play", home.play),
    ("GET", "/new", home.new_table),
    ("POST", "/new", home.open_table),
    ("GET", "/r/{room}", table.table),
    ("POST", "/r/{room}/enter", table.enter),
    ("POST", "/r/{room}/act", table.act),
    ("POST", "/r/{room}/do", table.do),
    ("GET", "/r/{room}/hint", table.hint),
    ("GET", "/r/{room}/record", table.record),
    ("GET", "/replay", table.replay),
    ("POST", "/replay", table.open_record),
    ("GET", "/help", table.help),
)
"""Every page and every form."""


class _Kept(StaticFiles):
    """Files whose address changes with them, so that browsers keep them for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        kept = b"v=" in scope.get("query_string", b"")
        life = "public, max-age=31536000, immutable" if kept else "no-cache"
        response.headers["Cache-Control"] = life
        return response


def app_of(server: Server) -> Starlette:
    """The application of a server."""
    routes: list[BaseRoute] = [
        *(Route(path, _page(page), methods=[method]) for method, path, page in PAGES),
        *(endpoint.route() for endpoint in ENDPOINTS),
        WebSocketRoute(f"{ROOM}/live", streams.live),
        Route("/health", health),
        Route("/ready", ready),
        Route("/metrics", metrics),
        Mount("/static", _Kept(directory=STATIC)),
    ]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(_sweep(server)), asyncio.create_task(keep_pauses_short())]
        if server.database.is_shared:
            bell = Doorbell(server.rooms, server.database.url)
            tasks.append(asyncio.create_task(bell.run()))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await server.close()

    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Guard, server=server, broken=_broken),
            Middleware(GZipMiddleware, minimum_size=_SMALLEST_ZIPPED, compresslevel=1),
        ],
        exception_handlers={
            HTTPException: _not_found,
            SQLAlchemyError: _no_database,
        },
        lifespan=lifespan,
    )
    app.state.server = server
    return app


def _page(
    page: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """A page whose refusals are pages, too."""

    @wraps(page)
    async def shown(request: Request) -> Response:
        try:
            return await page(request)
        except ShutboxError as error:
            request.app.state.server.metrics.refusals.labels(error.code).inc()
            return refused_page(error)

    return shown


async def _sweep(server: Server) -> None:
    """See to computer players that another process has left, and count."""
    while True:
        await asyncio.sleep(_SWEEP_SECONDS)
        try:
            lives = server.rooms.lives
            server.metrics.rooms.set(len(lives))
            server.rooms.forget()
            for live in lives:
                # Where nobody listens, whoever asks for the room sees to it.
                if live.listeners and server.rooms.now() - live.room.at > _SWEEP_SECONDS:
                    server.rooms.computers.see_to(live)
        except Exception as error:  # whatever it is: the next sweep may do what this one did not
            log.error("not swept", exc_info=error)


async def _not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    sentences = {404: "There is nothing at this address.", 405: "That cannot be done here."}
    says = sentences.get(status, "That did not work.")
    if request.url.path.startswith("/api/"):
        code = "not-found" if status == 404 else "bad-request"
        answer: Response = JSONResponse({"error": {"code": code, "message": says}}, status)
    else:
        answer = rendered("message.html", status, heading="Not here", sentences=[says])
    answer.headers.update(getattr(error, "headers", None) or {})
    return answer


async def _no_database(request: Request, error: Exception) -> Response:
    assert isinstance(error, SQLAlchemyError)  # it is registered for these
    log.error("no database", reason=reason(error))
    refused = NotKept("the database does not answer; nothing has changed, try again in a moment")
    if request.url.path.startswith("/api/"):
        return refusal(refused)
    return refused_page(refused)


def _broken(request: Request, error: Exception) -> Response:
    log.error(
        "broken", route=str(getattr(request.scope.get("route"), "path", "none")), exc_info=error
    )
    says = "Something is broken here, and nothing has changed. It was written down."
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": {"code": "broken", "message": says}}, 500)
    return rendered("message.html", 500, heading="That did not work", sentences=[says])
