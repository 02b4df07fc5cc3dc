"""The application: routes, middleware, error handlers and background tasks."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from shutbox.engine.errors import NotKept, PluginFailed, ShutboxError, blaming
from shutbox.engine.messages import gettext
from shutbox.web.actions.registry import ACTIONS, ROOM
from shutbox.web.api import streams
from shutbox.web.api.endpoints import route_of
from shutbox.web.errors import NoAnswer, one_line, sentence
from shutbox.web.http.middleware import Compressed, EveryRequest
from shutbox.web.http.requests import services_of
from shutbox.web.http.responses import as_json, refusal
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.logs import log
from shutbox.web.pages import home, install, links, new_table, table, today
from shutbox.web.pages.routes import SHARED, Page
from shutbox.web.pages.static_files import static_file
from shutbox.web.pages.templates import compile_templates, environment, refusal_page
from shutbox.web.rooms.links import mend_address
from shutbox.web.server.background import jobs_of
from shutbox.web.server.services import Server

PAGES: tuple[tuple[str, str, Page], ...] = (  # every page and every form
    *((method, path, page) for method, path, page, _ in SHARED),
    ("POST", "/new", new_table.open_table),
    ("GET", "/r/{room}", table.table),
    ("GET", "/r/{room}/qr", links.qr),
    ("POST", "/r/{room}/enter", table.enter),
    ("POST", "/r/{room}/act", table.act),
    ("POST", "/r/{room}/do", table.act),
    ("GET", "/r/{room}/hint", table.hint),
    ("GET", "/r/{room}/verdict", table.verdict),
    ("POST", "/games/link", links.make_device_link),
    ("GET", "/games/delete", links.ask_to_forget),
    ("POST", "/games/delete", links.forget),
    ("GET", "/games/take", links.ask_for_device_link),
    ("POST", "/games/take", links.take_device_link),
    ("POST", "/language", home.choose_language),
    ("GET", "/offline", install.offline),
    ("GET", "/manifest.webmanifest", install.manifest),
    ("GET", "/sw.js", install.worker),
    ("GET", "/today/{day}", today.past),
    ("POST", "/today/{day}", today.play_past),
)


def app_of(server: Server) -> Starlette:
    """Return the application of a server. On shutdown it stops its tasks and closes the server."""
    routes: list[BaseRoute] = [
        # The API first: every move calls it, and routes are tried in order.
        *map(route_of, ACTIONS),
        WebSocketRoute(f"{ROOM}/live", streams.live),
        *(Route(path, page, methods=[method]) for method, path, page in PAGES),
        Route("/health", _alive),
        Route("/ready", _ready),
        Route("/static/{name:path}", static_file),
    ]
    if offline := server.settings.offline:
        routes.append(Mount(install.SITE_PATH, install.KeptSite(directory=offline, html=True)))
    environment().globals["offline_site"] = install.SITE_PATH if offline else ""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        compile_templates()
        tasks = [asyncio.create_task(job) for job in jobs_of(server)]
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
            Middleware(EveryRequest, server=server, answer_error=answer_to),
            Middleware(Compressed, minimum_size=1000, compresslevel=1),
        ],
        exception_handlers=dict.fromkeys((HTTPException, ShutboxError, NoAnswer), _answer_failure),
        lifespan=lifespan,
    )
    app.state.server = server
    return app


async def _answer_failure(request: Request, error: Exception) -> Response:
    return answer_to(request, error)


def answer_to(request: Request, error: Exception) -> Response:
    """Answer a refusal, an unknown address or method, a silent database, or a bug.

    The answer is a page, or JSON for the API. Bugs, failures of plugins and a silent database are
    logged.
    """
    is_page = not request.scope["path"].startswith("/api/")
    if not isinstance(error, HTTPException | ShutboxError | NoAnswer):
        error = _find_culprit(request, error)
    elif is_page and request.method == "GET" and (page := _page_instead(request, error)):
        return RedirectResponse(page, 303)
    if isinstance(error, PluginFailed):
        log.error("plugin failed", reason=one_line(error), exc_info=error.__cause__)
    if isinstance(error, NoAnswer):
        log.error("no database", reason=one_line(error))
        error = NotKept("the database does not answer; nothing has changed, try again in a moment")
    if isinstance(error, ShutboxError):
        live = getattr(request.state, "live", _loaded_room(request))
        return refusal_page(error, request) if is_page else refusal(error, live)
    if not isinstance(error, HTTPException):
        route = str(getattr(request.scope.get("route"), "path", "none"))
        log.error("broken", route=route, exc_info=error)
    status = error.status_code if isinstance(error, HTTPException) else 500
    code = {404: "not-found", 500: "broken"}.get(status, "bad-request")
    refused = ShutboxError(_reason(status, is_page=is_page))
    if is_page:
        answer = refusal_page(refused, request, status)
    else:
        answer = as_json({"error": {"code": code, "message": sentence(refused)}}, status)
    answer.headers.update(getattr(error, "headers", None) or {})
    return answer


def _page_instead(request: Request, error: Exception) -> str:
    """Return the page that a refused address was probably meant for; "" if none."""
    path = request.scope["path"]  # `request.url` drops the line breaks that mail programs put in
    if getattr(error, "status_code", 0) == 405:  # the address of a form leads to the page with it
        return path.rpartition("/")[0] or "/"
    return mend_address(path, request.url.query)


def _reason(status: int, *, is_page: bool) -> str:
    """Return why a request failed that no action has refused."""
    broken = gettext("something went wrong here; nothing has changed, and the error was logged")
    lost = gettext("the page has moved, or never was")
    nothing = gettext("there is nothing at this address")
    reasons = {
        404: lost if is_page else nothing,
        405: gettext("that cannot be done here"),
        500: broken,
    }
    return reasons.get(status, gettext("that did not work"))


def _find_culprit(request: Request, error: Exception) -> Exception:
    """Return the PluginFailed for a bug of the plugin whose game is played, or the error itself."""
    live = _loaded_room(request)
    try:
        with blaming(live.room.opened.game if live else None):
            raise error
    except Exception as blamed:
        return blamed


def _loaded_room(request: Request) -> LiveRoom | None:
    """Return the room in a request's path; None without one, or if it is not in memory."""
    return services_of(request).rooms.loaded_room(request.path_params.get("room", ""))


async def _alive(request: Request) -> Response:
    return PlainTextResponse("alive\n")


async def _ready(request: Request) -> Response:
    """Answer 200 if the database answers and no shutdown has begun, else 503."""
    server: Server = request.app.state.server
    why = await server.unready()
    return PlainTextResponse(f"{why}\n", 503) if why else PlainTextResponse("ready\n")
