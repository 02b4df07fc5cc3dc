"""The contents of a request: its caller and language, and its body, form or record."""

import asyncio
import re
from functools import lru_cache
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Message

from shutbox.engine.messages import loaded, matching
from shutbox.web.actions.context import Caller, RoomCaller, Services, Site, room_caller
from shutbox.web.actions.replays import recorded
from shutbox.web.errors import NO_COOKIES, BadRequest, NoCookies, NotAllowed
from shutbox.web.limits import (
    BODY_SECONDS,
    LARGEST_BODY,
    LARGEST_RECORD,
    MOST_FIELDS,
    MOST_KEYS,
)
from shutbox.web.rooms.access import SHORTEST_DEVICE
from shutbox.web.rooms.requests import Form, read_number

_COOKIE_AGE = 400 * 24 * 3600  # the maximum lifetime of cookies in browsers


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the process that serves a request."""
    found: Services = connection.app.state.server
    return found


def host_of(connection: HTTPConnection) -> str:
    """Return the host and port that a request names, in lower case, as `without_port` does."""
    return without_port(connection.headers.get("host", "").lower())


def without_port(host: str) -> str:
    """Return a host without a port that http or https implies, which some proxies add."""
    return re.sub(":(80|443)$", "", host)


def caller(connection: HTTPConnection) -> Caller:
    """Return the caller, identified by bearer keys or else by the device cookie.

    Never by both: one program may act for several players with one cookie jar.
    """
    services = services_of(connection)
    site, origin = services.site, services.site.origin
    keys = _keys(connection.headers.get("authorization", ""))
    address = connection.client.host if connection.client else ""
    cookie = connection.cookies.get(site.cookie, "")
    device = cookie if len(cookie) >= SHORTEST_DEVICE and not keys else None
    if not site.url:
        scheme = connection.scope["scheme"].replace("ws", "http")
        origin = f"{scheme}://{host_of(connection)}"
    return Caller(services, device, keys, address, origin, connection.path_params.get("room", ""))


def browser(connection: HTTPConnection) -> Caller:
    """Return a page's caller, by the cookie of its device. Raises NotAllowed for keys.

    Without the cookie, raises an HTTPException that sets one and asks for the request again; the
    second time NoCookies, so that no table is opened for a browser that keeps no cookies.
    """
    who = caller(connection)
    if who.keys:  # seats could not be granted to a device
        raise NotAllowed("this page accepts no key; programs use the API")
    if who.device:
        return who
    if "cookies" in connection.query_params:
        raise NoCookies(NO_COOKIES)
    from starlette.exceptions import HTTPException  # the site in a browser never comes here

    again = RedirectResponse(f"{connection.url.path}?cookies=", 307)
    raise HTTPException(307, headers=give_device(again, connection, who.with_device()).headers)


async def room_caller_of(connection: HTTPConnection) -> RoomCaller:
    """Return the caller in the path's room. Raises as `room_caller`."""
    looks = connection.scope.get("method") == "GET"  # a WebSocket has no method
    who = caller(connection)
    return await room_caller(who, who.room, newest=looks)


def _keys(header: str) -> tuple[str, ...]:
    scheme, _, sent = header.partition(" ")
    if scheme.lower() != "bearer":
        return ()
    # An empty bearer token opens nothing, and it still overrides the cookie.
    return tuple(filter(None, map(str.strip, sent.split(",", MOST_KEYS)[:MOST_KEYS]))) or ("",)


def give_device(response: Response, connection: HTTPConnection, who: Caller) -> Response:
    """Return the response, after setting the cookie of a new device; not if the caller has keys."""
    site = services_of(connection).site
    if who.device and not who.keys and who.device != connection.cookies.get(site.cookie):
        _set_cookie(response, site, site.cookie, who.device)
    return response


def _set_cookie(response: Response, site: Site, name: str, value: str) -> None:
    response.set_cookie(name, value, _COOKIE_AGE, secure=site.secure, httponly=True, samesite="lax")


_RANGE = re.compile(r"(?:^|,)\s*([\w-]+|\*)\s*(?:;\s*q=([01](?:\.\d*)?)\s*)?(?=,|$)", re.ASCII)


def language_of(connection: HTTPConnection, cookie: str) -> str | None:
    """Return an answer's language: the named cookie's, the browser's, or None for the server's."""
    known, chosen = loaded(), connection.cookies.get(cookie)
    if chosen in known or len(known) == 1:
        return chosen
    return _accepted(connection.headers.get("accept-language", "")[:200], known)


@lru_cache(maxsize=256)
def _accepted(header: str, known: tuple[str, ...]) -> str | None:
    """Return the known language that an Accept-Language header prefers; None for none or any (*).

    >>> _accepted("fr, de-AT;q=0.5, en;q=0.4", ("en", "de")), _accepted("*, de;q=0", ("en", "de"))
    ('de', None)
    """
    weights = {tag: float(weight or 1) for tag, weight in _RANGE.findall(header)}
    for tag in sorted(filter(weights.get, weights), key=weights.__getitem__, reverse=True):
        if (found := matching(tag, known)) or tag == "*":
            return found
    return None


async def choose(request: Request) -> Response:
    """Store a form's language in a cookie; redirect to its page. Raises BadRequest."""
    site, tag = services_of(request).site, (await read_form(request)).one("language")
    if tag not in loaded():
        raise BadRequest("there is no language {language!r} here", language=tag[:20])
    host = caller(request).origin.partition("://")[2]
    page = request.headers.get("referer", "").partition(f"://{host}")[2]
    response = RedirectResponse(page if re.match("/(?!/)", page) else "/", 303)
    _set_cookie(response, site, site.language_cookie, tag)
    return response


async def body_of(request: Request, most: int = LARGEST_BODY) -> bytes:
    """Return the body of a request.

    Raises BadRequest if it is longer than `most` bytes, incomplete or too slow.
    """
    header = request.headers.get("content-length", "")
    length = int(header) if header.isascii() and header.isdigit() and len(header) < 19 else 0
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            if length <= most:
                async for part in request.stream():
                    body += part
                    if (length := len(body)) > most:
                        break
    except ClientDisconnect:
        raise BadRequest("the body ends too early") from None
    except TimeoutError:
        raise BadRequest(
            "the body did not arrive within {seconds:g} seconds", seconds=BODY_SECONDS
        ) from None
    if length > most:
        raise BadRequest("the body is longer than {most:,} bytes", most=most)
    return bytes(body)


def media_type(request: Request) -> str:
    """Return the media type of a request's body in lower case; empty if none is named."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_form(request: Request) -> Form:
    """Return the form in the query, or for POST in the body, also for the page of a refusal.

    Raises BadRequest.
    """
    if request.method != "POST":
        return Form(request.query_params.multi_items())
    if media_type(request) != "application/x-www-form-urlencoded":
        raise BadRequest(
            "the body must be a form, with the Content-Type application/x-www-form-urlencoded"
        )
    try:
        text = (await body_of(request)).decode()
        form = Form(
            parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
        )
    except ValueError:
        raise BadRequest(
            "the form is not in UTF-8, or has more than {most} fields", most=MOST_FIELDS
        ) from None
    request.state.form = form
    return form


async def record(request: Request) -> Response:
    """Send a game's record as a download. Raises as `room_caller_of`, `read_number`, `recorded`."""
    caller = await room_caller_of(request)
    number = caller.game(read_number(request.query_params.get("game"), "game"))
    data = await recorded(caller, number)
    name = f"shutbox-{caller.live.room.id}-{number}.shutbox"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=utf-8", headers=headers)


async def sent_record(request: Request) -> tuple[bytes | None, str]:
    """Return the record that a form sends, or None, and the wanted moment ("" for none).

    A record is an uploaded file, or its text if a page sends it again. Raises as `body_of`,
    BadRequest also for a record that is too long, and HTTPException for a malformed form. A large
    form must be multipart/form-data: reading any other would stop the server for a second.
    """
    in_parts = media_type(request) == "multipart/form-data"
    # The headers of the form itself take some bytes too.
    most = LARGEST_RECORD + LARGEST_BODY if in_parts else services_of(request).largest_form
    body = await body_of(request, most)

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        async with Request(request.scope, receive).form(max_files=1, max_fields=5) as form:
            sent, moment = form.get("record") or form.get("text"), form.get("moment")
            if isinstance(sent, str):  # with line ends as forms write them
                data = sent.replace("\r\n", "\n").encode() or None
            else:  # a file; it has no name if none was chosen
                data = await sent.read(LARGEST_RECORD + 1) if sent and sent.filename else None
    except (LookupError, UnicodeError):
        raise BadRequest("the form is not in the character set that it names") from None
    if data is not None and len(data) > LARGEST_RECORD:
        raise BadRequest("the record is longer than {most:,} bytes", most=LARGEST_RECORD)
    return data, moment if isinstance(moment, str) else ""
