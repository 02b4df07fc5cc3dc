"""What a server refuses, besides what the rules of a game do; each with a stable code."""

from enum import StrEnum

from shutbox.english import capital
from shutbox.errors import ShutboxError, TooLarge
from shutbox.messages import gettext_noop


class NotAllowed(ShutboxError, code="not-allowed"):
    """You may not do that here."""


class NoFreeSeat(NotAllowed, code="no-free-seat"):
    """The invitation is the right one, and every seat is taken."""


class RoomClosed(NotAllowed, code="closed"):
    """The host of the server has closed the room."""


class Banned(ShutboxError, code="banned"):
    """The host of the server has shut your address out."""


class UnknownRoom(ShutboxError, code="unknown-room"):
    """There is no such room, or none that you may see."""


class NameNeeded(ShutboxError, code="name-needed"):
    """A seat is free, and you need a name to take it."""

    def __init__(self, sentence: str, seat: int, /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.seat = seat


class Limit(StrEnum):
    """The limits besides rates, by the words under which hosts see them counted."""

    STREAMS = "streams"
    LISTENERS = "listeners"
    EVENTS = "events"
    WAITING = "waiting"
    REQUESTS = "requests-waiting"
    WORK_SECONDS = "work-seconds"
    WORKER = "worker"
    """A worker stopped in the middle of its work."""
    UPGRADE = "upgrade"
    """A worker that was started is of another release than the server."""
    CLOSING = "closing"
    """Work is refused since the server stops."""


class Full(ShutboxError, code="full"):
    """A limit is reached: no more of that, or not now; `rule` is the limit, or the rate."""

    def __init__(self, sentence: str, rule: str, /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.rule = rule


class BadRequest(ShutboxError, code="bad-request"):
    """A request that cannot be read."""


class NoAnswer(Exception):
    """What is stored cannot be asked now: the database is gone, and `cause` is what it said."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(one_line(cause))
        self.cause = cause


class Broken(Exception):
    """A piece of work raised what is no refusal of ours; its text is the traceback."""


class OutOfMemory(TooLarge):
    """A piece of work took all the memory there is for it."""


class DamagedStore(ShutboxError, code="damaged"):
    """What is stored is not what was stored."""


DAMAGED = gettext_noop(
    "the stored data of this table is damaged; the host of the server can restore it from a backup"
)


class NewerStore(ShutboxError, code="newer"):
    """What is stored is of a newer release than this process, which steps aside."""


def one_line(error: BaseException) -> str:
    """Return what an error says, or the database below it, in one line."""
    return str(getattr(error, "orig", None) or error).partition("\n")[0]


def sentence(error: ShutboxError) -> str:
    """What a person reads, one line for each reason."""
    return "\n".join(f"{_begun(line)}." for line in str(error).splitlines())


def _begun(line: str) -> str:
    """A line as a sentence begins; what is written in notation is not ours to change."""
    first = line.partition(" ")[0]
    return line if any(sign in first for sign in "([:") else capital(line)
