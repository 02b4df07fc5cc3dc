"""The refusals of a server, besides those of a game's rules; each has a stable code."""

import re

from shutbox.engine.english import capital
from shutbox.engine.errors import ShutboxError, TooLarge
from shutbox.engine.messages import gettext_noop, speaking


class NotAllowed(ShutboxError, code="not-allowed"):
    """The caller may not do this, or not in the present state of the room or game."""


class NoFreeSeat(NotAllowed, code="no-free-seat"):
    """The invitation is valid, but every seat is taken."""


class NoCookies(NotAllowed, code="no-cookies"):
    """The client is a browser that keeps no cookies."""


class RoomClosed(NotAllowed, code="closed"):
    """The host of the server has closed the room."""


class OtherServer(ShutboxError, code="other-server"):
    """The room is at another server, so a proxy has sent the request the wrong way."""


class UnknownRoom(ShutboxError, code="unknown-room"):
    """There is no such room, or it was deleted."""


class NameNeeded(ShutboxError, code="name-needed"):
    """A guest must give a name to take the free seat `seat`; INVITATION means any free seat."""

    def __init__(self, sentence: str, seat: int, /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.seat = seat


class Full(ShutboxError, code="full"):
    """A limit or rate is reached, or no worker can answer; retry after `seconds`, unless 0."""

    def __init__(self, sentence: str, seconds: int = 0, /) -> None:
        super().__init__(sentence, seconds=seconds)
        self.seconds = seconds


class TooOften(Full):
    """A rate is exceeded."""


class NotReady(Full, code="not-ready"):
    """The workers of the server are starting, or the server is stopping."""


class BadRequest(ShutboxError, code="bad-request"):
    """The request cannot be read, or has an invalid value."""


class NoAnswer(Exception):
    """The database does not answer; its cause is the library's error."""


class Broken(Exception):
    """A worker's task raised an error that is not a ShutboxError; the message is its traceback."""


class OutOfMemory(TooLarge):
    """A task exceeded the memory of its worker process."""


class DamagedStore(ShutboxError, code="damaged"):
    """Stored data is damaged: it does not match its seals, or cannot be read."""


NO_COOKIES = gettext_noop(
    "this browser keeps no cookies\n"
    "allow them for this site, then press again: a cookie tells the server which seat is yours"
)
FASTER = gettext_noop("another player was faster; look at the table, then try again")
DAMAGED = gettext_noop(
    "the stored data of this table is damaged; the host of the server can restore it from a backup"
)


def one_line(error: BaseException) -> str:
    """Return the first line of an error, or of a driver's error in it, in the host's language."""
    with speaking():  # it is for the host of this process, not for a visitor
        return str(getattr(error, "orig", None) or error).partition("\n")[0]


def sentence(error: ShutboxError) -> str:
    """Return the message of a refusal, each line capitalised and with a full stop.

    A line stays as it is if its first word contains "(", "[" or ":", as names of games do.
    """
    lines = str(error).splitlines()
    begun = (line if re.match(r"\S*[(\[:]", line) else capital(line) for line in lines)
    return "\n".join(f"{line}." for line in begun)
