"""The link or phrase that adds the games of one device to another; deleting a device's data.

The key of a device link follows the sign #, where no server, log or Referer sees it. It works for
one device and a quarter of an hour, and only its hash is stored. If it gets into the wrong hands,
the remedy is the same as for any link: renew the links of the seats, and the watch links. A
recovery phrase is sent in the body of a form only, and never in an address.
"""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.errors import NotUnderstood, OutOfDate
from shutbox.web import limits
from shutbox.web.actions import seats
from shutbox.web.http.context import browser, caller, give_device, services_of
from shutbox.web.http.requests import read_form
from shutbox.web.pages.games import games
from shutbox.web.pages.invite import in_page
from shutbox.web.pages.templates import refused, rendered
from shutbox.web.rooms.link_keys import hashed, new_key, new_phrase, read_phrase

_MINUTES = round(limits.HANDOVER_SECONDS / 60)


async def link(request: Request) -> Response:
    """Show a new device link, which replaces an earlier one; without games, show the empty list.

    The link is shown only in this reply. Raises TooOften and NotKept.
    """
    if (device := await _with_games(request)) is None:
        return await games(request)
    key, services = new_key(), services_of(request)
    await services.links.offer(device, hashed(key), services.rooms.now())
    made = f"{caller(request).origin}/games/take#{key}"
    return rendered("handover.html", link=made, code=in_page(made), minutes=_MINUTES, phrase=None)


async def phrase(request: Request) -> Response:
    """Show a new recovery phrase, which replaces an earlier one; without games, the empty list.

    The phrase is shown only in this reply. Raises TooOften and NotKept.
    """
    if (device := await _with_games(request)) is None:
        return await games(request)
    made = new_phrase()
    await services_of(request).links.set_phrase(device, made)
    return rendered("handover.html", link=None, phrase=made)


async def _with_games(request: Request) -> str | None:
    """Return the hash of the caller's device, and count the request; None without games."""
    who = caller(request)
    device = hashed(who.device or "")
    if not who.device or not await services_of(request).rooms.log.rooms_of(device, 1):
        return None
    await who.count(limits.HANDOVERS_OF_ADDRESS, "handovers")
    return device


async def asked(request: Request) -> Response:
    """Show the page of a device link. This does not use the link, so a preview cannot spend it."""
    return _unlisted(rendered("take.html"))


async def take(request: Request) -> Response:
    """Give this device the seats of the device that made the link or the recovery phrase."""
    form, who, services = await read_form(request), browser(request), services_of(request)
    text, device, rooms = form.one("key").strip(), hashed(who.device or ""), services.rooms
    try:
        if text.split()[1:]:
            words = read_phrase(text)
            await who.count(limits.RECOVERIES_OF_ADDRESS, "recoveries")
            await services.rates.check(
                limits.RECOVERIES_OF_ALL, "recoveries", "all", address=who.address
            )
            taken = await services.links.recover(words, device)
        else:
            key = hashed(text.rpartition("#")[2])
            taken = await services.links.take(key, device, rooms.now())
    except NotUnderstood as error:
        return _unlisted(refused(request, "take.html", error))
    except OutOfDate as error:
        await who.count(limits.KEYS_OF_ADDRESS, "keys")
        return _unlisted(refused(request, "take.html", error))
    for live in filter(None, map(rooms.cached_room, taken)):
        live.forget_devices()  # the seats of devices are read again
    answer = RedirectResponse(f"/games?came={len(taken)}", 303)
    return give_device(answer, request, who)


async def question(request: Request) -> Response:
    """Show what deleting the device's data does, and ask whether to do it."""
    return rendered("delete.html", done=False)


async def forget(request: Request) -> Response:
    """Delete all data of the device, and its cookie. Raises NotAllowed, TooOften and NotKept."""
    await seats.forget(browser(request))
    answer, site = rendered("delete.html", done=True), services_of(request).site
    answer.delete_cookie(site.cookie, secure=site.secure, httponly=True, samesite="lax")
    return answer


def _unlisted(page: Response) -> Response:
    page.headers["X-Robots-Tag"] = "noindex"
    return page
