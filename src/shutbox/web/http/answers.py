"""The statuses and the JSON of answers, for pages and the API.

This also runs in a browser, which has no msgspec, and in workers, which do not import starlette.
"""

from typing import TYPE_CHECKING, Any

from shutbox.engine.errors import (
    InUse,
    NotKept,
    NotYourTurn,
    OutOfDate,
    ShutboxError,
    UnknownRecord,
)
from shutbox.web.actions.replays import replayed
from shutbox.web.errors import (
    BadRequest,
    DamagedStore,
    Full,
    NotAllowed,
    NotReady,
    OtherServer,
    UnknownRoom,
    sentence,
)
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.events import json_text
from shutbox.web.rooms.view import Invites

if TYPE_CHECKING:
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


def saying_when(response: "Response", error: ShutboxError | None) -> "Response":
    """Add Retry-After to the response if the error says when to retry, and return it."""
    if isinstance(error, Full) and error.seconds:
        response.headers["Retry-After"] = str(error.seconds)
    return response


def as_json(value: object, status: int = 200) -> "Response":
    """Return a response with a value encoded as JSON."""
    from starlette.responses import Response

    return Response(encode(value), status, media_type="application/json")


def refusal(
    error: ShutboxError, live: LiveRoom | None = None, *, invites: Invites | None = None
) -> "Response":
    """Return a refusal as a JSON response; for OutOfDate, with the current view of `live` if given.

    `invites` is the table that a guest without a name is invited to.
    """
    refused: dict[str, object] = {"error": {"code": error.code, "message": sentence(error)}}
    if isinstance(error, OutOfDate) and live is not None:
        refused |= {"number": live.room.event_count, "view": live.broadcast.present()}
    if invites:
        refused["invites"] = invites
    return saying_when(as_json(refused, status_of(error)), error)


def packed(data: bytes) -> dict[str, Any]:
    """Return the `replayed` record as `json`, encoded by the worker that runs this, for pages.

    Beside it are the fields of the `ReplayView`, but its steps as `lines`: unpickling thousands of
    them would block the serving process for a tenth of a second. Slow. Raises BadRecord.
    """
    view = replayed(data)
    lines = [" ".join(step.says) for step in view.steps]
    return {**vars(view), "steps": lines, "json": encode(view)}
