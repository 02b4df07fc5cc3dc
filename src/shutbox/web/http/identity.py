"""Who asks: the device, the keys and the address of a request."""

from starlette.requests import HTTPConnection
from starlette.responses import Response

from shutbox.web.actions.context import Caller, RoomCaller, room_caller
from shutbox.web.http.context import services_of
from shutbox.web.limits import MOST_KEYS
from shutbox.web.rooms.link_keys import SHORTEST_DEVICE


def caller(connection: HTTPConnection) -> Caller:
    """Who asks."""
    services = services_of(connection)
    site = services.site
    keys = _keys(connection.headers.get("authorization", ""))
    address = connection.client.host if connection.client else ""
    cookie = connection.cookies.get(site.cookie, "")
    device = cookie if len(cookie) >= SHORTEST_DEVICE else None  # it is none of ours
    origin = site.origin
    if not site.url:
        origin = f"{connection.url.scheme.replace('ws', 'http')}://{connection.url.netloc}"
    return Caller(services, device, keys, address, origin)


async def caller_there(connection: HTTPConnection) -> RoomCaller:
    """Who asks, in the room that the address names. Raises UnknownRoom and TooOften."""
    looks = connection.scope.get("method") == "GET"  # a WebSocket has none
    there = await room_caller(caller(connection), connection.path_params["room"], newest=looks)
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
    return tuple(key.strip() for key in said.split(",", MOST_KEYS)[:MOST_KEYS] if key.strip())


def give_device(response: Response, connection: HTTPConnection, who: Caller) -> Response:
    """The same answer; a device that is new gets the cookie by which it is known again."""
    site = services_of(connection).site
    if who.device and who.device != connection.cookies.get(site.cookie):
        age = 400 * 24 * 3600  # the longest that browsers keep a cookie
        response.set_cookie(
            site.cookie, who.device, age, secure=site.secure, httponly=True, samesite="lax"
        )
    return response
