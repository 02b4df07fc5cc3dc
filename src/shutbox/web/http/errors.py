"""The JSON answers to refusals: status, code and message."""

from msgspec import UNSET, Struct, UnsetType
from starlette.responses import Response

from shutbox.errors import OutOfDate, ShutboxError
from shutbox.web.errors import sentence
from shutbox.web.http.answers import encode, saying_when, status_of
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.view import Invites, View


class Reason(Struct, gc=False):
    """The code of a refusal, and its message for people."""

    code: str  # the reason, for programs
    message: str  # the reason, for people


class Refused(Struct, gc=False, omit_defaults=True):
    """A refusal; with the current view if the caller is out of date, or the table to be joined."""

    error: Reason  # why nothing has changed
    number: int | UnsetType = UNSET  # the number of the last event
    view: View | UnsetType = UNSET  # the room as it is now
    invites: Invites | UnsetType = UNSET  # the table that a name is needed for


def as_json(value: object, status: int = 200) -> Response:
    """Return a response with a value encoded as JSON."""
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
