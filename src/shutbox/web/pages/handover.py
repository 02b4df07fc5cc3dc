"""Pages by which the games of a device come to another one: the link, and what it leads to.

The key of the link stands after the sign #, where no server, log or Referer sees it. It is good for
one device and a quarter of an hour; only its hash is kept. A link that got into wrong hands is
undone as any other: the links of the seats are made anew, and those to watch.
"""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.errors import OutOfDate
from shutbox.web import limits
from shutbox.web.errors import sentence
from shutbox.web.http.context import browser, caller, give_device, services_of
from shutbox.web.http.errors import status_of
from shutbox.web.http.requests import read_form
from shutbox.web.pages.games import games
from shutbox.web.pages.invite import in_page
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.link_keys import hashed, new_key

_MINUTES = round(limits.HANDOVER_SECONDS / 60)


async def link(request: Request) -> Response:
    """Show a new link, which nobody is shown twice; the list where there is nothing to take."""
    who, services = caller(request), services_of(request)
    device, rooms = hashed(who.device or ""), services.rooms
    if not who.device or not await rooms.log.rooms_of(device, 1):
        return await games(request)
    await who.count(limits.HANDOVERS_OF_ADDRESS, "handovers")
    key = new_key()
    await services.links.offer(device, hashed(key), rooms.now())
    made = f"{who.origin}/games/take#{key}"
    return rendered("handover.html", link=made, code=in_page(made), minutes=_MINUTES)


async def asked(request: Request) -> Response:
    """Show what a link leads to. Nothing has happened yet, so that a preview does not use it up."""
    return _page()


async def take(request: Request) -> Response:
    """Let this device have the seats of the one that made the link."""
    form, who, services = await read_form(request), browser(request), services_of(request)
    key, rooms = form.one("key").strip().rpartition("#")[2], services.rooms
    try:
        taken = await services.links.take(hashed(key), hashed(who.device or ""), rooms.now())
    except OutOfDate as error:
        await who.count(limits.KEYS_OF_ADDRESS, "keys")
        services.metrics.refused(error)
        return _page(sentence(error), status_of(error))
    for room in taken:
        if live := rooms.at_hand(room):
            live.forget_devices()  # where a device may sit is read anew
    answer = RedirectResponse(f"/games?came={len(taken)}", 303)
    return give_device(answer, request, who)


def _page(error: str = "", status: int = 200) -> Response:
    page = rendered("take.html", status, error=error)
    page.headers["X-Robots-Tag"] = "noindex"
    return page
