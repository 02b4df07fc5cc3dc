"""Reading of request bodies within their limits, as JSON or as forms."""

from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import ClientDisconnect, Request

from shutbox.errors import NotKept
from shutbox.web.errors import BadRequest
from shutbox.web.http.context import services_of
from shutbox.web.limits import BODY_SECONDS, LARGEST_BODY, MOST_FIELDS
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.rooms.shapes import shaped

T = TypeVar("T")


def _number(text: str) -> float:
    """Return a JSON number with a decimal point: some clients write whole numbers that way."""
    found = float(text)
    return int(found) if found.is_integer() else found


_decoder = msgspec.json.Decoder(float_hook=_number)


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
            "the body has not come within {seconds:g} seconds", seconds=BODY_SECONDS
        ) from None


async def _read(request: Request, most: int) -> bytes:
    said = request.headers.get("content-length", "")
    told = int(said) if said.isascii() and said.isdigit() and len(said) < 19 else 0
    too_long = BadRequest("the body is longer than {most:,} bytes", most=most)
    if told > most:
        raise too_long
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise too_long
            parts.append(part)
    except ClientDisconnect:
        raise BadRequest("the body breaks off before its end") from None
    return b"".join(parts)


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_json(request: Request, shape: type[T]) -> T:
    """Return the JSON body as a value of this shape. Raises BadRequest, which names the place."""
    if _media_type(request) != "application/json":
        raise BadRequest("the body is JSON, and its Content-Type is application/json")
    body = await body_of(request)
    try:
        sent = _decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest("the body cannot be read: {why}", why=error) from None
    return shaped(sent, shape)


class Form:
    """The fields of a form; a name may occur several times.

    >>> form = Form([("seat", "0"), ("tile", "1"), ("tile", "7")])
    >>> form.one("seat"), form.all("tile"), form.one("name")
    ('0', ['1', '7'], '')
    """

    def __init__(self, fields: Sequence[tuple[str, str]]) -> None:
        self._fields = tuple(fields)

    def one(self, name: str) -> str:
        """Return the first field of a name, or "" if it was not sent."""
        return next(iter(self.all(name)), "")

    def all(self, name: str) -> list[str]:
        """Return all fields of a name, in order."""
        return [value for other, value in self._fields if other == name]

    def changed(self, name: str, value: str) -> "Form":
        """Return a copy of the form in which a field has this value alone."""
        return Form([*((n, v) for n, v in self._fields if n != name), (name, value)])

    def number(self, name: str) -> int:
        """Return a field as a whole number. Raises BadRequest."""
        text = self.one(name)
        sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 10:
            raise BadRequest(
                "the field {name} is a whole number, not {text!r}", name=name, text=text[:20]
            )
        return sign * int(digits)

    @property
    def action(self) -> str:
        """The idempotency id of the form; if it was not sent, a new one at each access."""
        return self.one("action") or new_action()


async def read_form(request: Request) -> Form:
    """Return the URL-encoded form in the body. Raises BadRequest."""
    if _media_type(request) != "application/x-www-form-urlencoded":
        raise BadRequest("the body is a form, in the coding application/x-www-form-urlencoded")
    try:
        text = (await body_of(request)).decode("ascii")
        fields = parse_qsl(
            text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )
    except ValueError as error:
        raise BadRequest("the form cannot be read: {why}", why=error) from None
    return Form(fields)
