"""The time, as a process goes by it."""

from time import monotonic, time

_BEGAN = time() - monotonic()


def now() -> float:
    """Seconds since 1970: what the clock on the wall said at the start, and what has passed since.

    Whoever sets that clock meanwhile neither ends a game nor locks anybody out.
    """
    return _BEGAN + monotonic()
