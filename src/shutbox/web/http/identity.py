"""Who asks: the device, the keys and the address of a request."""

from starlette.requests import HTTPConnection
from starlette.responses import Response

from shutbox.web.actions.context import Caller, RoomCaller, room_caller
from shutbox.web.errors import NotAllowed
from shutbox.web.http.context import services_of
from shutbox.web.limits import MOST_KEYS
from shutbox.web.rooms.link_keys import SHORTEST_DEVICE


def caller(connection: HTTPConnection) -> Caller:
    """Return the caller: known by the keys of a bearer, or else by the cookie of a device.

    Never by both: one program may ask for several players, with one cookie jar.
    """
    services = services_of(connection)
    site = services.site
    keys = _keys(connection.headers.get("authorization", ""))
    address = connection.client.host if connection.client else ""
    cookie = connection.cookies.get(site.cookie, "")
    is_ours = len(cookie) >= SHORTEST_DEVICE
    device = cookie if is_ours and not keys else None
    origin = site.origin
    if not site.url:
        origin = f"{connection.url.scheme.replace('ws', 'http')}://{connection.url.netloc}"
    room = connection.path_params.get("room", "")
    return Caller(services, device, keys, address, origin, room)


def browser(connection: HTTPConnection) -> Caller:
    """Return the caller of a page, a new device if it has no cookie yet.

    Raises NotAllowed for a caller with keys, who could not be given seats on a device.
    """
    who = caller(connection)
    if who.keys:
        raise NotAllowed("this page takes no key; programs use the API")
    return who.with_device()


async def caller_there(connection: HTTPConnection) -> RoomCaller:
    """Who asks, in the room that the address names. Raises UnknownRoom and TooOften."""
    looks = connection.scope.get("method") == "GET"  # a WebSocket has none
    who = caller(connection)
    there = await room_caller(who, who.room, newest=looks)
    if there.viewer.seats:
        services_of(connection).queue.sits(there.who.address)
    if there.viewer.may_see:
        seats = sorted(there.viewer.seats) or "watching"
        await services_of(connection).rates.let_in(
            there.who.address, f"{there.live.room.id} {seats}"
        )
    return there


def _keys(header: str) -> tuple[str, ...]:
    scheme, _, said = header.partition(" ")
    if scheme.lower() != "bearer":
        return ()
    # A bearer of nothing opens nothing, and the cookie that comes with it does not help.
    return tuple(filter(None, map(str.strip, said.split(",", MOST_KEYS)[:MOST_KEYS]))) or ("",)


def give_device(response: Response, connection: HTTPConnection, who: Caller) -> Response:
    """Give a new device the cookie by which it is known again, unless it is known by keys."""
    site = services_of(connection).site
    if who.device and not who.keys and who.device != connection.cookies.get(site.cookie):
        age = 400 * 24 * 3600  # the longest that browsers keep a cookie
        response.set_cookie(
            site.cookie, who.device, age, secure=site.secure, httponly=True, samesite="lax"
        )
    return response
