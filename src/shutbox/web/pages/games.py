"""The games that a device has played: the page of them, a file, and how they come to another one.

The key of a link to them stands after the sign #, where no server, log or Referer sees it. It is
good for one device and a quarter of an hour; only its hash is kept. A link that got into wrong
hands is undone as any other: the links of the seats are made anew, and those to watch.
"""

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.errors import OutOfDate
from shutbox.web import limits
from shutbox.web.actions.my_games import my_games
from shutbox.web.http.context import browser, caller, give_device, services_of
from shutbox.web.http.errors import encode
from shutbox.web.http.requests import read_form
from shutbox.web.pages.invite import in_page
from shutbox.web.pages.templates import refused, rendered
from shutbox.web.rooms.link_keys import hashed, new_key
from shutbox.web.rooms.requests import read_number

_MINUTES = round(limits.HANDOVER_SECONDS / 60)


async def games(request: Request) -> Response:
    """The list of them."""
    found = await my_games(caller(request))
    going = [table for table in found.tables if table.phase in ("waiting", "playing")]
    over = [table for table in found.tables if table not in going]
    return rendered(
        "games.html",
        going=going,
        over=over,
        boxes=found.boxes,
        judged=any(box.loss is not None for box in found.boxes),
        counted=all(table.counted for table in found.tables),
        day=_day,
        most=limits.MOST_LISTED_TABLES,
        came=read_number(request.query_params.get("came"), "came", limits.MOST_LISTED_TABLES),
    )


async def export(request: Request) -> Response:
    """The list as a file, for programs."""
    headers = {"Content-Disposition": 'attachment; filename="shutbox-games.json"'}
    found = await my_games(caller(request))
    return Response(encode(found), headers=headers, media_type="application/json")


def _day(at: float) -> str:
    """The day of a moment, by the clock of the whole world.

    >>> _day(0.0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(at, UTC).date().isoformat()


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
    return _unlisted(rendered("take.html"))


async def take(request: Request) -> Response:
    """Let this device have the seats of the one that made the link."""
    form, who, services = await read_form(request), browser(request), services_of(request)
    key, rooms = form.one("key").strip().rpartition("#")[2], services.rooms
    try:
        taken = await services.links.take(hashed(key), hashed(who.device or ""), rooms.now())
    except OutOfDate as error:
        await who.count(limits.KEYS_OF_ADDRESS, "keys")
        return _unlisted(refused(request, "take.html", error))
    for room in taken:
        if live := rooms.at_hand(room):
            live.forget_devices()  # where a device may sit is read anew
    answer = RedirectResponse(f"/games?came={len(taken)}", 303)
    return give_device(answer, request, who)


def _unlisted(page: Response) -> Response:
    page.headers["X-Robots-Tag"] = "noindex"
    return page
