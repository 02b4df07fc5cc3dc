"""The answers to refusals: status, code and message."""

import msgspec
from msgspec import UNSET, Struct, UnsetType
from starlette.responses import Response

from shutbox.errors import InUse, NotKept, NotYourTurn, OutOfDate, ShutboxError, UnknownRecord
from shutbox.web.errors import (
    BadRequest,
    Banned,
    DamagedStore,
    Full,
    NewerStore,
    NotAllowed,
    UnknownRoom,
    sentence,
)
from shutbox.web.http.rate_limits import TooOften
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.view import Invites, View

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

encode = msgspec.json.Encoder().encode
"""The JSON encoder of this process."""


class Reason(Struct, gc=False):
    """The code of a refusal, and its message for people."""

    code: str
    message: str


class Refused(Struct, gc=False, omit_defaults=True):
    """A refusal; with the current view if the caller is out of date, or the table to be joined."""

    error: Reason
    number: int | UnsetType = UNSET
    view: View | UnsetType = UNSET
    invites: Invites | UnsetType = UNSET


def status_of(error: ShutboxError) -> int:
    """Return the HTTP status of a refusal.

    >>> from shutbox.errors import IllegalChoice
    >>> status_of(OutOfDate("")), status_of(IllegalChoice(""))
    (409, 422)
    """
    return next((status for status, kinds in STATUS.items() if isinstance(error, kinds)), 422)


def as_json(value: object, status: int = 200) -> Response:
    """Return a JSON response."""
    return Response(encode(value), status, media_type="application/json")


def refusal(
    error: ShutboxError, live: LiveRoom | None = None, *, invites: Invites | None = None
) -> Response:
    """Return the JSON answer to a refusal, for OutOfDate with the current view of `live`.

    `invites` is the table that a guest without a name is invited to.
    """
    refused = Refused(Reason(error.code, sentence(error)), invites=invites or UNSET)
    if isinstance(error, OutOfDate) and live is not None:
        refused.number, refused.view = live.room.number, live.broadcast.present()
    return saying_when(as_json(refused, status_of(error)), error)


def saying_when(response: Response, error: ShutboxError | None) -> Response:
    """Return the response, with Retry-After if a rate was exceeded."""
    if isinstance(error, TooOften):
        response.headers["Retry-After"] = str(error.seconds)
    return response
