"""Reading of JSON bodies."""

from typing import TypeVar

import msgspec
from starlette.requests import Request

from shutbox.web.errors import BadRequest
from shutbox.web.http.requests import body_of, media_type
from shutbox.web.rooms.shapes import shaped

T = TypeVar("T")


def _number(text: str) -> float:
    """Return a JSON number with a decimal point, as int if it is whole: some clients send 1.0."""
    found = float(text)
    return int(found) if found.is_integer() else found


_decoder = msgspec.json.Decoder(float_hook=_number)


async def read_json(request: Request, shape: type[T]) -> T:
    """Return the JSON body as a `shape`, a dataclass. Raises BadRequest, and NotKept if cut off."""
    if media_type(request) != "application/json":
        raise BadRequest("the body must be JSON, with the Content-Type application/json")
    body = await body_of(request)
    try:
        sent = _decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest("the body cannot be read: {why}", why=error) from None
    return shaped(sent, shape)
