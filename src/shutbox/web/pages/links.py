"""Links for other devices: QR codes of links, and device links; deleting a device's data.

A phone reads a link from the screen. The address of a QR code names a seat but contains no secret:
the link is only in the picture, which is drawn for viewers who can share it.

A device link adds the games of one device to another. Its key follows the sign #, where no server,
log or Referer sees it. It works once, within a quarter of an hour, and only its hash is stored. If
it gets into the wrong hands, the cure is the same as for any link: renew the links of the seats and
the watch links.
"""

from io import BytesIO
from typing import Any

import segno
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.engine.errors import OutOfDate, ShutboxError
from shutbox.web import limits
from shutbox.web.actions import seats
from shutbox.web.errors import NotAllowed
from shutbox.web.http.requests import browser_of, caller_of, give_device, read_form, room_caller_of
from shutbox.web.pages.my_games import games
from shutbox.web.pages.templates import render
from shutbox.web.rooms.access import Permission, hashed, new_key
from shutbox.web.rooms.links import DEVICE_KEY_LENGTH, find_key
from shutbox.web.rooms.requests import read_number

_LOOK: Any = {"border": 3, "omitsize": True, "dark": "#000", "light": "#fff"}


async def qr(request: Request) -> Response:
    """Draw the link to the `seat` in the query: a number, or `free` for any free seat.

    Without `seat`, draw the watch link. Raises NotAllowed if the caller may not share the link, and
    BadRequest for any other text.
    """
    caller = await room_caller_of(request)
    caller.check(Permission.SEES)
    wanted, links = request.query_params.get("seat"), caller.you.links
    if wanted == "free":
        link = links.join
    else:
        seat = read_number(wanted, "seat")
        link = links.watch if seat is None else links.seats.get(str(seat))
    if link is None:
        raise NotAllowed("you cannot share this link")
    return Response(qr_code(link), media_type="image/svg+xml")


def qr_code(text: str) -> bytes:
    """Return a text as a QR code in SVG, dark on light in every theme, for phones to read."""
    out = BytesIO()
    _code(text).save(out, kind="svg", xmldecl=False, nl=False, **_LOOK)
    return out.getvalue()


def _code(text: str) -> segno.QRCode:
    return segno.make(text, error="m", micro=False)


async def make_device_link(request: Request) -> Response:
    """Make and show a device link; without games, the empty list. Raises TooOften, NotKept."""
    caller = caller_of(request)
    services, device = caller.services, hashed(caller.device or "")
    if not caller.device or not await services.rooms.stored_log.rooms_of(device, 1):
        return await games(request)
    caller.count(limits.HANDOVERS_OF_ADDRESS, "handovers")
    key = new_key()
    await services.links.offer(device, hashed(key), services.rooms.now())
    address = f"{caller.origin}/games/take#{key}"
    minutes = round(limits.HANDOVER_SECONDS / 60)
    code = _code(address).svg_data_uri(**_LOOK)  # no address: the link is shown only once
    return render("handover.html", link=address, code=code, minutes=minutes)


async def ask_for_device_link(request: Request) -> Response:
    """Show the page of a device link. This does not use the link, so a preview cannot spend it."""
    return _unlisted(render("take.html", key=""))


async def take_device_link(request: Request) -> Response:
    """Use a form's device link: give this device the other's seats, or say why not."""
    form, caller = await read_form(request), browser_of(request)
    text, services, device = form.one("key"), caller.services, hashed(caller.device or "")
    try:
        key = find_key(text, DEVICE_KEY_LENGTH)
        if len(key) < DEVICE_KEY_LENGTH:
            raise seats.no_link(key, DEVICE_KEY_LENGTH)
        taken = await services.links.take(hashed(key), device, services.rooms.now())
    except ShutboxError as error:
        if isinstance(error, OutOfDate):
            caller.count(limits.KEYS_OF_ADDRESS, "keys")
        return _unlisted(render("take.html", error, key=text))
    answer = RedirectResponse(f"/games?came={len(taken)}", 303)
    return give_device(answer, request, caller)


async def ask_to_forget(request: Request) -> Response:
    """Show what deleting the device's data does, and ask whether to do it."""
    return render("delete.html", done=False)


async def forget(request: Request) -> Response:
    """Delete all data of the device, and its cookie. Raises NotAllowed, and as `seats.forget`."""
    caller = browser_of(request)
    await seats.forget(caller)
    answer, site = render("delete.html", done=True), caller.services.site
    answer.delete_cookie(site.cookie, secure=site.secure, httponly=True, samesite="lax")
    return answer


def _unlisted(page: Response) -> Response:
    page.headers["X-Robots-Tag"] = "noindex"
    return page
