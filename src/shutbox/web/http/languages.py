"""The language of a visitor: the one chosen on a page, or else one that the browser accepts."""

import re
from functools import lru_cache

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match

from shutbox.messages import loaded, matching
from shutbox.web.errors import BadRequest
from shutbox.web.http.context import COOKIE_AGE, caller, services_of
from shutbox.web.http.requests import read_form

_RANGE = re.compile(r"(?:^|,)\s*([\w-]+|\*)\s*(?:;\s*q=([01](?:\.\d*)?)\s*)?(?=,|$)", re.ASCII)


def language_of(connection: HTTPConnection, cookie: str) -> str | None:
    """Return the language of a request's answer, for `speaking`; None: the process's language."""
    known, chosen = loaded(), connection.cookies.get(cookie)
    if chosen in known or len(known) == 1:
        return chosen
    return _accepted(connection.headers.get("accept-language", "")[:200], known)


@lru_cache(maxsize=256)
def _accepted(header: str, known: tuple[str, ...]) -> str | None:
    """Return the known language that an Accept-Language header prefers; None if none, or any (*).

    >>> _accepted("fr, de-AT;q=0.5, en;q=0.4", ("en", "de")), _accepted("*, de;q=0", ("en", "de"))
    ('de', None)
    """
    weights = {tag: float(weight or 1) for tag, weight in _RANGE.findall(header)}
    wanted = sorted(filter(weights.get, weights), key=weights.__getitem__, reverse=True)
    for tag in wanted:
        if (found := matching(tag, known)) or tag == "*":
            return found
    return None


async def choose(request: Request) -> Response:
    """Store the language of a form in a cookie, and return to its page. Raises BadRequest."""
    site, language = services_of(request).site, (await read_form(request)).one("language")
    if language not in loaded():
        raise BadRequest("there is no language {language!r} here", language=language[:20])
    response = RedirectResponse(_page_before(request), 303)
    response.set_cookie(
        *(site.language_cookie, language, COOKIE_AGE),
        secure=site.secure,
        httponly=True,
        samesite="lax",
    )
    return response


def _page_before(request: Request) -> str:
    """Return the address of the form's page; if it only takes forms, the page above it, or "/"."""
    origin, address = caller(request).origin, request.headers.get("referer", "")
    for page in (address, address.rpartition("/")[0] or "/"):
        path = page.partition("?")[0].removeprefix(origin) or "/"
        scope = {"type": "http", "method": "GET", "path": path, "root_path": ""}
        shown = any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
        if page.startswith(f"{origin}/") and shown:
            return page
    return "/"
