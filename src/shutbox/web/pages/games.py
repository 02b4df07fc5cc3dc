"""The games that a device has played: as a page, as a file, and as a link for another device.

The key of a device link follows the sign #, where no server, log or Referer sees it. It works for
one device and a quarter of an hour, and only its hash is stored. If it gets into the wrong hands,
the remedy is the same as for any link: renew the links of the seats, and the watch links.
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
    """Show the list of the device's games, and its results."""
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
    """Return the list of the device's games as a JSON file, for programs."""
    headers = {"Content-Disposition": 'attachment; filename="shutbox-games.json"'}
    found = await my_games(caller(request))
    return Response(encode(found), headers=headers, media_type="application/json")


def _day(at: float) -> str:
    """Return the UTC date of a time in seconds since 1970.

    >>> _day(0.0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(at, UTC).date().isoformat()


async def link(request: Request) -> Response:
    """Show a new device link, once, which replaces the last; or the list if there are no games."""
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
    """Show the page of a device link. This does not use the link, so a preview cannot spend it."""
    return _unlisted(rendered("take.html"))


async def take(request: Request) -> Response:
    """Give this device the seats of the device that made the link."""
    form, who, services = await read_form(request), browser(request), services_of(request)
    key, rooms = form.one("key").strip().rpartition("#")[2], services.rooms
    try:
        taken = await services.links.take(hashed(key), hashed(who.device or ""), rooms.now())
    except OutOfDate as error:
        await who.count(limits.KEYS_OF_ADDRESS, "keys")
        return _unlisted(refused(request, "take.html", error))
    for room in taken:
        if live := rooms.cached_room(room):
            live.forget_devices()  # the seats of devices are read again
    answer = RedirectResponse(f"/games?came={len(taken)}", 303)
    return give_device(answer, request, who)


def _unlisted(page: Response) -> Response:
    page.headers["X-Robots-Tag"] = "noindex"
    return page
