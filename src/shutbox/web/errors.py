"""What a server refuses, besides what the rules of a game do; each with a stable code."""

from shutbox.errors import ShutboxError, TooLarge


class NotAllowed(ShutboxError, code="not-allowed"):
    """You may not do that here."""


class UnknownRoom(ShutboxError, code="unknown-room"):
    """There is no such room, or none that you may see."""


class NameNeeded(ShutboxError, code="name-needed"):
    """A seat is free, and you need a name to take it."""


class Full(ShutboxError, code="full"):
    """A limit is reached: no more of that, or not now."""


class BadRequest(ShutboxError, code="bad-request"):
    """A request that cannot be read."""


class OutOfMemory(TooLarge):
    """A piece of work took all the memory there is for it."""
