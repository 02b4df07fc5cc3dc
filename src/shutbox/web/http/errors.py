"""How a refusal is answered: its status, its code, and its sentence."""

from typing import TypeVar

from msgspec import UNSET
from starlette.responses import Response

from shutbox.english import capital
from shutbox.errors import (
    BadRequest,
    Full,
    InUse,
    NotAllowed,
    NotKept,
    NotYourTurn,
    OutOfDate,
    ShutboxError,
    UnknownRecord,
    UnknownRoom,
)
from shutbox.web.api.schemas import Reason, Refused
from shutbox.web.http.rate_limits import TooOften
from shutbox.web.live.live_room import Live
from shutbox.web.pages.templates import rendered

R = TypeVar("R", bound=Response)

STATUS: dict[type[ShutboxError], int] = {
    BadRequest: 400,
    NotAllowed: 403,
    NotYourTurn: 403,
    UnknownRoom: 404,
    UnknownRecord: 404,
    OutOfDate: 409,
    Full: 429,
    NotKept: 503,
    InUse: 503,
}
"""Every refusal that is not listed is understood and cannot be done: 422."""
CANNOT_BE_DONE = 422


def status_of(error: ShutboxError) -> int:
    """The HTTP status of a refusal.

    >>> from shutbox.errors import IllegalChoice
    >>> status_of(OutOfDate("")), status_of(IllegalChoice(""))
    (409, 422)
    """
    kinds = (STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    return next(kinds, CANNOT_BE_DONE)


def sentence(error: ShutboxError) -> str:
    """What a person reads, one line for each reason."""
    return "\n".join(f"{_begun(line)}." for line in str(error).splitlines())


def _begun(line: str) -> str:
    """A line as a sentence begins; what is written in notation is not ours to change."""
    first = line.partition(" ")[0]
    return line if any(sign in first for sign in "([:") else capital(line)


def refused(error: ShutboxError, live: Live | None = None) -> Refused:
    """The answer to a program; whoever is out of date is told where things stand."""
    stale = isinstance(error, OutOfDate) and live is not None
    return Refused(
        error=Reason(error.code, sentence(error)),
        number=live.room.number if stale and live else UNSET,
        view=live.present() if stale and live else UNSET,
    )


def refused_page(error: ShutboxError) -> Response:
    """The answer to a person: a page that says why."""
    status = status_of(error)
    headings = {403: "Not for you", 404: "Not here", 429: "Too often", 503: "Not now"}
    page = rendered(
        "message.html",
        status,
        heading=headings.get(status, "That did not work"),
        sentences=sentence(error).splitlines(),
    )
    return saying_when(page, error)


def saying_when(response: R, error: ShutboxError | None) -> R:
    """The same answer; whoever came too often is told when to come back."""
    if isinstance(error, TooOften):
        response.headers["Retry-After"] = str(error.seconds)
    return response
