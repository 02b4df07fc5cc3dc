"""The contents of a request: its caller and language, and its body, form or record."""

import re
from typing import cast
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Message

from shutbox.engine.messages import best_match, loaded_languages
from shutbox.web.actions.context import Caller, RoomCaller, Services, Site, room_caller
from shutbox.web.errors import NO_COOKIES, BadRequest, NoCookies, NotAllowed
from shutbox.web.limits import LARGEST_BODY, LARGEST_RECORD, MOST_FIELDS, MOST_KEYS
from shutbox.web.rooms.access import SHORTEST_DEVICE
from shutbox.web.rooms.requests import Form

_COOKIE_AGE = 400 * 24 * 3600  # the maximum lifetime of cookies in browsers
_SECOND_TRY = "cookies"  # marks an address that was redirected to, with a cookie, as such
# A part of the header Accept-Language: a language, and its weight if any.
_RANGE = re.compile(r"(?:^|,)\s*([\w-]+|\*)\s*(?:;\s*q=([01](?:\.\d*)?)\s*)?(?=,|$)", re.ASCII)


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the process that serves a request."""
    return cast(Services, connection.app.state.server)


def host_of(connection: HTTPConnection) -> str:
    """Return the host and port that a request names, in lower case, without a default port."""
    return without_default_port(connection.headers.get("host", "").lower())


def without_default_port(host: str) -> str:
    """Return a host without a port that http or https implies, which some proxies add."""
    return re.sub(":(80|443)$", "", host)


def caller_of(connection: HTTPConnection) -> Caller:
    """Return the caller, identified by bearer keys or else by the device cookie.

    Never by both: one program may act for several players with one cookie jar.
    """
    services = services_of(connection)
    site = services.site
    keys = _keys(connection.headers.get("authorization", ""))
    address = connection.client.host if connection.client else ""
    cookie = connection.cookies.get(site.cookie, "")
    device = cookie if len(cookie) >= SHORTEST_DEVICE and not keys else None
    origin = site.origin
    if not site.url:
        scheme = connection.scope["scheme"].replace("ws", "http")  # https for wss, too
        origin = f"{scheme}://{host_of(connection)}"
    room = connection.path_params.get("room", "")
    return Caller(services, device=device, keys=keys, address=address, origin=origin, room=room)


def browser_of(connection: HTTPConnection) -> Caller:
    """Return a page's caller, by the cookie of its device.

    Raises NotAllowed for keys, `_redirect_with_cookie` without the cookie, and NoCookies if it is
    missing again after that.
    """
    client = caller_of(connection)
    if client.keys:  # a page grants seats to a device, which a caller with keys lacks
        raise NotAllowed("this page accepts no key; programs use the API")
    if client.device:
        return client
    if _SECOND_TRY in connection.query_params:
        raise NoCookies(NO_COOKIES)
    raise _redirect_with_cookie(connection, client)


def _redirect_with_cookie(connection: HTTPConnection, client: Caller) -> HTTPException:
    """Return the redirect that sets a cookie and makes the browser send its form again.

    A table must not be opened for a browser that keeps no cookies: its player could not come back.
    Only the second request, which `_SECOND_TRY` marks, shows whether the cookie was kept. Status
    307 repeats the form; forms have no query of their own that could be lost.
    """
    redirect = RedirectResponse(f"{connection.url.path}?{_SECOND_TRY}=", 307)
    sent = give_device(redirect, connection, client.with_device()).headers
    # Not its Content-Length of 0, because the handler of errors adds a page as the body.
    return HTTPException(307, headers={name: sent[name] for name in ("location", "set-cookie")})


async def room_caller_of(connection: HTTPConnection) -> RoomCaller:
    """Return the caller in the path's room. Raises as `room_caller`."""
    is_get = connection.scope.get("method") == "GET"  # a WebSocket has no method
    client = caller_of(connection)
    return await room_caller(client, client.room, newest=is_get)


def _keys(header: str) -> tuple[str, ...]:
    scheme, _, sent = header.partition(" ")
    if scheme.lower() != "bearer":
        return ()
    # An empty bearer token opens nothing, and it still overrides the cookie.
    return tuple(filter(None, map(str.strip, sent.split(",", MOST_KEYS)[:MOST_KEYS]))) or ("",)


def give_device(response: Response, connection: HTTPConnection, client: Caller) -> Response:
    """Return the response, after setting the cookie of a new device; not if the caller has keys."""
    site = services_of(connection).site
    if client.device and not client.keys and client.device != connection.cookies.get(site.cookie):
        set_cookie(response, site, site.cookie, client.device)
    return response


def set_cookie(response: Response, site: Site, name: str, value: str) -> None:
    """Set a cookie that no script can read, for as long as browsers keep one."""
    response.set_cookie(name, value, _COOKIE_AGE, secure=site.secure, httponly=True, samesite="lax")


def language_of(connection: HTTPConnection, cookie: str) -> str | None:
    """Return an answer's language: the named cookie's, the browser's, or None for the server's."""
    known, chosen = loaded_languages(), connection.cookies.get(cookie)
    if chosen in known:
        return chosen
    return _preferred(connection.headers.get("accept-language", "")[:200], known)


def _preferred(header: str, known: tuple[str, ...]) -> str | None:
    """Return the known language that an Accept-Language header prefers; None for none or any (*).

    >>> _preferred("fr, de-AT;q=0.5, en;q=0.4", ("en", "de")), _preferred("*, de;q=0", ("en", "de"))
    ('de', None)
    """
    weights = {tag: float(weight or 1) for tag, weight in _RANGE.findall(header)}
    for tag in sorted(weights, key=weights.__getitem__, reverse=True):
        if weights[tag] and ((language := best_match(tag, known)) or tag == "*"):  # 0: never
            return language
    return None


async def body_of(request: Request, most: int = LARGEST_BODY) -> bytes:
    """Return the body of a request. Raises BadRequest if longer than `most` bytes or incomplete."""
    # The header spares the reading of a body that is too long. If it is missing or odd (a number of
    # 19 digits or more is, and `int` may refuse those of thousands), the bytes are only counted.
    header = request.headers.get("content-length", "")
    declared = int(header) if header.isascii() and header.isdigit() and len(header) < 19 else 0
    too_long = BadRequest("the body is longer than {most:,} bytes", most=most)
    if declared > most:
        raise too_long
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise too_long
    except ClientDisconnect:
        raise BadRequest("the body ends too early") from None
    return bytes(body)


def media_type(request: Request) -> str:
    """Return the media type of a request's body in lower case; empty if none is named."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_form(request: Request) -> Form:
    """Return the form in the query, or for POST in the body. Raises BadRequest.

    `request.state.form` keeps that of a POST, for the page of a refusal.
    """
    if request.method != "POST":
        return Form(request.query_params.multi_items())
    if media_type(request) != "application/x-www-form-urlencoded":
        raise BadRequest(
            "the body must be a form, with the Content-Type application/x-www-form-urlencoded"
        )
    try:
        text = (await body_of(request)).decode()
        sent = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise BadRequest(
            "the form is not in UTF-8, or has more than {most} fields", most=MOST_FIELDS
        ) from None
    request.state.form = form = Form(sent)
    return form


async def read_record_form(request: Request) -> tuple[bytes | None, str]:
    """Return the record that a form sends, or None, and the number of the moment to show.

    That is as sent, or empty. A record is an uploaded file, or its text if a page sends it again.
    Raises as `body_of`, BadRequest also for a record that is too long, and HTTPException for a
    malformed form. A large form must be multipart/form-data: reading others would stop the server.
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
    except (LookupError, UnicodeError):  # no such character set, or none of its text
        raise BadRequest("the form is not in the character set that it names") from None
    if data is not None and len(data) > LARGEST_RECORD:
        raise BadRequest("the record is longer than {most:,} bytes", most=LARGEST_RECORD)
    return data, moment if isinstance(moment, str) else ""
