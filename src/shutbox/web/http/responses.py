"""The statuses and the JSON of responses, for pages and the API."""

from starlette.responses import Response

from shutbox.engine import errors as game_errors
from shutbox.engine.errors import ShutboxError
from shutbox.web import errors
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.shapes import encode
from shutbox.web.rooms.view import invites

STATUS: dict[int, tuple[type[ShutboxError], ...]] = {
    400: (errors.BadRequest,),
    403: (errors.NotAllowed, game_errors.NotYourTurn),
    404: (errors.UnknownRoom, game_errors.UnknownRecord),
    409: (game_errors.OutOfDate,),
    421: (errors.OtherServer,),
    500: (errors.DamagedStore,),
    503: (game_errors.NotKept, game_errors.InUse, errors.NotReady),
    429: (errors.Full,),  # all others of its kinds
}
"""The HTTP statuses of refusals; all others get 422, for a request that cannot be carried out."""


def status_of(error: ShutboxError) -> int:
    """Return the HTTP status of a refusal.

    >>> status_of(game_errors.OutOfDate("")), status_of(game_errors.IllegalChoice(""))
    (409, 422)
    """
    return next((status for status, kinds in STATUS.items() if isinstance(error, kinds)), 422)


def with_retry_after(response: Response, error: ShutboxError | None) -> Response:
    """Add Retry-After to the response if the error says when to retry, and return it."""
    if isinstance(error, errors.Full) and error.seconds:
        response.headers["Retry-After"] = str(error.seconds)
    return response


def as_json(value: object, status: int = 200) -> Response:
    """Return a response with a value encoded as JSON."""
    return Response(encode(value), status, media_type="application/json")


def refusal(error: ShutboxError, live: LiveRoom | None = None) -> Response:
    """Return a refusal as a JSON response, with what the client needs of the room `live` if given.

    That is the current view for OutOfDate, and the table for a guest who must give a name.
    """
    refused: dict[str, object] = {"error": {"code": error.code, "message": errors.sentence(error)}}
    if isinstance(error, game_errors.OutOfDate) and live is not None:
        refused |= {"number": live.room.event_count, "view": live.current_view()}
    if isinstance(error, errors.NameNeeded) and live is not None:
        refused["invites"] = invites(live.room, error.seat)
    return with_retry_after(as_json(refused, status_of(error)), error)
