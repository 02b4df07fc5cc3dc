"""What a server refuses, besides what the rules of a game do; each with a stable code."""

from shutbox.errors import ShutboxError


class NotAllowed(ShutboxError):
    """You may not do that here."""

    code = "not-allowed"


class UnknownRoom(ShutboxError):
    """There is no such room, or none that you may see."""

    code = "unknown-room"


class NameNeeded(ShutboxError):
    """A seat is free, and you need a name to take it."""

    code = "name-needed"


class Full(ShutboxError):
    """A limit is reached: no more of that, or not now."""

    code = "full"


class BadRequest(ShutboxError):
    """A request that cannot be read."""

    code = "bad-request"
