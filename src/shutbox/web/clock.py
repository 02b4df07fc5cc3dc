"""The time, as a process goes by it."""

from time import monotonic, time

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
