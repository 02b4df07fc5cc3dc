"""The statuses and the JSON of answers, for pages and the API. This also runs in a browser."""

from typing import TYPE_CHECKING

from shutbox.errors import InUse, NotKept, NotYourTurn, OutOfDate, ShutboxError, UnknownRecord
from shutbox.web.errors import (
    BadRequest,
    Banned,
    DamagedStore,
    Full,
    NewerStore,
    NotAllowed,
    TooOften,
    UnknownRoom,
)
from shutbox.web.rooms.shapes import json_text

if TYPE_CHECKING:  # a worker encodes answers, and sends none
    from starlette.responses import Response

try:
    from msgspec.json import Encoder

    encode = Encoder().encode
except ImportError:  # in a browser

    def encode(value: object, /) -> bytes:
        """Return a value as compact JSON."""
        return json_text(value).encode()


STATUS: dict[int, tuple[type[ShutboxError], ...]] = {
    400: (BadRequest,),
    403: (NotAllowed, NotYourTurn, Banned),
    404: (UnknownRoom, UnknownRecord),
    409: (OutOfDate,),
    429: (Full,),
    500: (DamagedStore,),
    503: (NotKept, InUse, NewerStore),
}
"""The HTTP statuses of refusals; all others get 422, for a request that cannot be carried out."""


def status_of(error: ShutboxError) -> int:
    """Return the HTTP status of a refusal.

    >>> from shutbox.errors import IllegalChoice
    >>> status_of(OutOfDate("")), status_of(IllegalChoice(""))
    (409, 422)
    """
    return next((status for status, kinds in STATUS.items() if isinstance(error, kinds)), 422)


def saying_when(response: "Response", error: ShutboxError | None) -> "Response":
    """Return the response, with Retry-After if a rate was exceeded."""
    if isinstance(error, TooOften):
        response.headers["Retry-After"] = str(error.seconds)
    return response
