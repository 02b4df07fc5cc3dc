"""The time, as a process goes by it."""

import re
from time import monotonic, time

from shutbox.web.errors import BadRequest

DAY = 86_400.0
_UNITS = {"m": 60.0, "h": 3600.0, "d": DAY}
_MOST_APART = 2.0  # seconds that the clock on the wall may differ, as clocks do


class Clock:
    """Goes on evenly though the clock on the wall is set, and follows it only when told to."""

    def __init__(self) -> None:
        self._ahead = time() - monotonic()

    def now(self) -> float:
        """Seconds since 1970."""
        return self._ahead + monotonic()

    def follow(self) -> float:
        """Follow the clock on the wall where it was set; by how much that was, or 0."""
        step = time() - self.now()
        if abs(step) <= _MOST_APART:
            return 0.0
        self._ahead += step
        return step


def seconds_of(text: str) -> float:
    """The seconds of a time as hosts write it. Raises BadRequest.

    >>> seconds_of("90m"), seconds_of("12h"), seconds_of("400d")
    (5400.0, 43200.0, 34560000.0)
    """
    found = re.fullmatch("([0-9]{1,5})([mhd])", text, re.ASCII)
    if found is None:
        raise BadRequest(
            "{text!r} is no time such as 90m, 12h or 400d, of 5 digits at most", text=text[:20]
        )
    return int(found[1]) * _UNITS[found[2]]
