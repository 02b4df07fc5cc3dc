"""Reading requests, within their limits."""

from typing import TypeVar

from starlette.requests import ClientDisconnect, Request

from shutbox.errors import NotKept
from shutbox.web.errors import BadRequest
from shutbox.web.http.context import services_of
from shutbox.web.http.shapes import read_shape
from shutbox.web.limits import BODY_SECONDS, LARGEST_BODY

T = TypeVar("T")


async def body_of(request: Request, most: int = LARGEST_BODY) -> bytes:
    """The body of a request.

    Raises BadRequest as soon as it is longer than it may be, cut, or does not come, and NotKept
    where the server stops before its end.
    """
    server = services_of(request)
    try:
        async with server.patience(BODY_SECONDS):
            return await _read(request, most)
    except TimeoutError:
        if server.closing:
            raise NotKept("the server is shutting down; come back in a moment") from None
        raise BadRequest(
            "the body has not come within {seconds:g} seconds", seconds=BODY_SECONDS
        ) from None


async def _read(request: Request, most: int) -> bytes:
    said = request.headers.get("content-length", "")
    parts, size = [], int(said) if said.isascii() and said.isdigit() and len(said) < 19 else 0
    too_long = BadRequest("the body is longer than {most:,} bytes", most=most)
    if size > most:
        raise too_long
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise too_long
            parts.append(part)
    except ClientDisconnect:
        raise BadRequest("the body breaks off before its end") from None
    return b"".join(parts)


async def read_json(request: Request, shape: type[T]) -> T:
    """The body as a value of this shape. Raises BadRequest, which says what is wrong where."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise BadRequest("the body is JSON, and its Content-Type is application/json")
    return read_shape(await body_of(request), shape)


def read_number(text: str | None, where: str, most: int = 2**31 - 1) -> int | None:
    """A whole number of an address; None where there is none. Raises BadRequest."""
    if text is None or text == "":
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 10 or int(text) > most:
        raise BadRequest(
            "{where} is a whole number from 0 to {most:,}, not {text!r}",
            where=where,
            most=most,
            text=text[:20],
        )
    return int(text)
