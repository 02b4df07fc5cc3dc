"""Reading of request bodies within their limits, and of forms."""

from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from shutbox.errors import NotKept
from shutbox.web.errors import BadRequest
from shutbox.web.http.context import services_of
from shutbox.web.limits import BODY_SECONDS, LARGEST_BODY, MOST_FIELDS
from shutbox.web.rooms.forms import Form


async def body_of(request: Request, most: int = LARGEST_BODY) -> bytes:
    """Return the body of a request.

    Raises BadRequest if it is longer than `most` bytes, incomplete or too slow, and NotKept if the
    server stops before its end.
    """
    server = services_of(request)
    try:
        async with server.patience(BODY_SECONDS):
            return await _read(request, most)
    except TimeoutError:
        if server.closing:
            raise NotKept("the server is shutting down; come back in a moment") from None
        raise BadRequest(
            "the body did not arrive within {seconds:g} seconds", seconds=BODY_SECONDS
        ) from None


async def _read(request: Request, most: int) -> bytes:
    header = request.headers.get("content-length", "")
    length = int(header) if header.isascii() and header.isdigit() and len(header) < 19 else 0
    too_long = BadRequest("the body is longer than {most:,} bytes", most=most)
    if length > most:
        raise too_long
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise too_long
            parts.append(part)
    except ClientDisconnect:
        raise BadRequest("the body ends too early") from None
    return b"".join(parts)


def media_type(request: Request) -> str:
    """Return the media type of a request's body in small letters; empty if none is named."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_form(request: Request) -> Form:
    """Return the URL-encoded form in the body. Raises BadRequest and NotKept."""
    if media_type(request) != "application/x-www-form-urlencoded":
        raise BadRequest(
            "the body must be a form, with the Content-Type application/x-www-form-urlencoded"
        )
    try:
        text = (await body_of(request)).decode("ascii")
        fields = parse_qsl(
            text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )
    except ValueError as error:
        raise BadRequest("the form cannot be read: {why}", why=error) from None
    return Form(fields)
