"""Pages by which the games of a device come to another one: the link, and what it leads to."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.errors import OutOfDate
from shutbox.web import limits
from shutbox.web.actions.handover import offer
from shutbox.web.actions.handover import take as take_along
from shutbox.web.errors import sentence
from shutbox.web.http.context import services_of
from shutbox.web.http.errors import status_of
from shutbox.web.http.identity import browser, caller, give_device
from shutbox.web.http.requests import read_form
from shutbox.web.pages.games import games
from shutbox.web.pages.invite import in_page
from shutbox.web.pages.templates import rendered

_MINUTES = round(limits.HANDOVER_SECONDS / 60)


async def link(request: Request) -> Response:
    """A new link, which nobody is shown twice; where there is nothing to take, the list."""
    made = await offer(caller(request))
    if made is None:
        return await games(request)
    return rendered("handover.html", link=made, code=in_page(made), minutes=_MINUTES)


async def asked(request: Request) -> Response:
    """What a link leads to: nothing has happened yet, so that a preview does not use it up."""
    return _page()


async def take(request: Request) -> Response:
    """The games come here."""
    form, who = await read_form(request), browser(request)
    try:
        rooms = await take_along(who, form.one("key").strip().rpartition("#")[2])
    except OutOfDate as error:
        services_of(request).metrics.refused(error)
        return _page(sentence(error), status_of(error))
    answer = RedirectResponse(f"/games?came={len(rooms)}", 303)
    return give_device(answer, request, who)


def _page(error: str = "", status: int = 200) -> Response:
    page = rendered("take.html", status, error=error)
    page.headers["X-Robots-Tag"] = "noindex"
    return page
