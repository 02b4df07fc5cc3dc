"""The statuses and the JSON of responses, for pages and the API."""

from starlette.responses import Response

from shutbox.engine.errors import (
    InUse,
    NotKept,
    NotYourTurn,
    OutOfDate,
    ShutboxError,
    UnknownRecord,
)
from shutbox.web.errors import (
    BadRequest,
    DamagedStore,
    Full,
    NameNeeded,
    NotAllowed,
    NotReady,
    OtherServer,
    UnknownRoom,
    sentence,
)
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.shapes import encode
from shutbox.web.rooms.view import invites

STATUS: dict[int, tuple[type[ShutboxError], ...]] = {
    400: (BadRequest,),
    403: (NotAllowed, NotYourTurn),
    404: (UnknownRoom, UnknownRecord),
    409: (OutOfDate,),
    421: (OtherServer,),
    500: (DamagedStore,),
    503: (NotKept, InUse, NotReady),
    429: (Full,),  # all others of its kinds
}
"""The HTTP statuses of refusals; all others get 422, for a request that cannot be carried out."""


def status_of(error: ShutboxError) -> int:
    """Return the HTTP status of a refusal.

    >>> from shutbox.engine.errors import IllegalChoice
    >>> status_of(OutOfDate("")), status_of(IllegalChoice(""))
    (409, 422)
    """
    return next((status for status, kinds in STATUS.items() if isinstance(error, kinds)), 422)


def with_retry_after(response: Response, error: ShutboxError | None) -> Response:
    """Add Retry-After to the response if the error says when to retry, and return it."""
    if isinstance(error, Full) and error.seconds:
        response.headers["Retry-After"] = str(error.seconds)
    return response


def as_json(value: object, status: int = 200) -> Response:
    """Return a response with a value encoded as JSON."""
    return Response(encode(value), status, media_type="application/json")


def refusal(error: ShutboxError, live: LiveRoom | None = None) -> Response:
    """Return a refusal as a JSON response, with what the client needs of the room `live` if given.

    That is the current view for OutOfDate, and the table for a guest who must give a name.
    """
    refused: dict[str, object] = {"error": {"code": error.code, "message": sentence(error)}}
    if isinstance(error, OutOfDate) and live is not None:
        refused |= {"number": live.room.event_count, "view": live.current_view()}
    if isinstance(error, NameNeeded) and live is not None:
        refused["invites"] = invites(live.room, error.seat)
    return with_retry_after(as_json(refused, status_of(error)), error)
