"""The application: routes, middleware, error handlers and background tasks."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from shutbox.errors import NotKept, ShutboxError
from shutbox.messages import gettext, gettext_noop
from shutbox.web.actions.registry import ACTIONS, ROOM
from shutbox.web.api import streams
from shutbox.web.api.endpoints import route_of
from shutbox.web.errors import NoAnswer, one_line
from shutbox.web.http.context import services_of
from shutbox.web.http.errors import refusal, status_of
from shutbox.web.http.middleware import Compressed, EveryRequest
from shutbox.web.http.records import record
from shutbox.web.logs import log
from shutbox.web.pages import (
    analysis,
    games,
    home,
    install,
    invite,
    new_table,
    practice,
    replay,
    review,
    table,
    today,
)
from shutbox.web.pages.static_files import static_file
from shutbox.web.pages.templates import environment, refused, rendered
from shutbox.web.server.cluster import Cluster
from shutbox.web.server.expiry import Expiry
from shutbox.web.server.health import (
    keep_pauses_short,
    measure_lag,
    metrics,
    ready,
    sweep,
    watch,
)
from shutbox.web.server.host import Host
from shutbox.web.server.services import Server

Page = Callable[[Request], Awaitable[Response]]
PAGES: tuple[tuple[str, str, Page], ...] = (
    ("GET", "/", home.home),
    ("POST", "/play", home.play),
    ("GET", "/new", new_table.new_table),
    ("POST", "/new", new_table.open_table),
    ("GET", "/r/{room}", table.table),
    ("GET", "/r/{room}/qr", invite.qr),
    ("POST", "/r/{room}/enter", table.enter),
    ("POST", "/r/{room}/act", table.act),
    ("POST", "/r/{room}/do", table.do),
    ("GET", "/r/{room}/hint", table.hint),
    ("GET", "/r/{room}/verdict", table.verdict),
    ("GET", "/r/{room}/record", record),
    ("GET", "/r/{room}/review", review.review),
    ("GET", "/replay", replay.replay),
    ("POST", "/replay", replay.open_record),
    ("POST", "/review", review.open_record),
    ("GET", "/help", home.help),
    ("GET", "/games", games.games),
    ("GET", "/games/export", games.export),
    ("POST", "/games/link", games.link),
    ("GET", "/games/take", games.asked),
    ("POST", "/games/take", games.take),
    ("GET", "/offline", install.offline),
    ("GET", "/manifest.webmanifest", install.manifest),
    ("GET", "/sw.js", install.worker),
    ("GET", "/analysis", analysis.analysis),
    ("GET", "/p/{text:path}", analysis.position),
    ("GET", "/practice", practice.practice),
    ("POST", "/practice", practice.answer),
    ("GET", "/today", today.today),
    ("POST", "/today", today.play),
    ("GET", "/today/{day}", today.past),
)
"""Every page and every form."""


async def _compile_templates() -> None:
    """Compile each template before the first request for its page: some take 70 ms."""
    for name in environment().list_templates():
        await asyncio.sleep(0.01)
        environment().get_template(name)


def app_of(server: Server) -> Starlette:
    """Return the application of a server."""
    routes: list[BaseRoute] = [
        # The API first: every move calls it, and routes are tried in order.
        *map(route_of, ACTIONS),
        WebSocketRoute(f"{ROOM}/live", streams.live),
        *(Route(path, page, methods=[method]) for method, path, page in PAGES),
        Route("/ready", ready),
        Route("/metrics", metrics),
        Route("/static/{name:path}", static_file),
    ]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        host = Host(server)
        running = [sweep(server), watch(server), measure_lag(server), keep_pauses_short()]
        running.append(_compile_templates())
        running += [host.run(), Expiry(server).run()]
        if server.database.is_shared:
            running.append(Cluster(server.rooms, server.database.url).run())
        tasks = [asyncio.create_task(each) for each in running]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await host.leave()
            await server.close()

    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(EveryRequest, server=server, refuse=_refused, broken=_broken),
            Middleware(Compressed, minimum_size=1000, compresslevel=1),
        ],
        exception_handlers=dict.fromkeys((HTTPException, ShutboxError, NoAnswer), _failed),
        lifespan=lifespan,
    )
    app.state.server = server
    return app


def _is_program(request: Request) -> bool:
    return request.url.path.startswith("/api/")


_HEADINGS = {
    403: gettext_noop("Not allowed"),
    404: gettext_noop("Not here"),
    429: gettext_noop("Too often"),
    503: gettext_noop("Not now"),
}
_OTHERS = gettext_noop("That did not work")


def _refused(request: Request, error: ShutboxError) -> Response:
    if _is_program(request):
        services_of(request).metrics.refused(error)
        return refusal(error, getattr(request.state, "live", None))
    heading = _HEADINGS.get(status_of(error), _OTHERS)
    return refused(request, "message.html", error, heading=gettext(heading))


def _says(request: Request, status: int, code: str, heading: str, says: str) -> Response:
    if _is_program(request):
        return JSONResponse({"error": {"code": code, "message": says}}, status)
    return rendered("message.html", status=status, heading=heading, said=[says])


async def _failed(request: Request, error: Exception) -> Response:
    """Answer an error raised by an endpoint, or an unknown address or method."""
    if isinstance(error, ShutboxError):
        return _refused(request, error)
    if isinstance(error, NoAnswer):
        log.error("no database", reason=one_line(error))
        says = gettext("the database does not answer; nothing has changed, try again in a moment")
        return _refused(request, NotKept(says))
    assert isinstance(error, HTTPException)  # registered for these three types only
    says = {
        404: gettext("There is nothing at this address."),
        405: gettext("That cannot be done here."),
    }.get(error.status_code, gettext("That did not work."))
    code = "not-found" if error.status_code == 404 else "bad-request"
    answer = _says(request, error.status_code, code, gettext(_HEADINGS[404]), says)
    answer.headers.update(error.headers or {})
    return answer


def _broken(request: Request, error: Exception) -> Response:
    route = str(getattr(request.scope.get("route"), "path", "none"))
    log.error("broken", route=route, exc_info=error)
    says = gettext("Something went wrong here. Nothing has changed, and the error was logged.")
    return _says(request, 500, "broken", gettext(_OTHERS), says)
