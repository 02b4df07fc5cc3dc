"""The callback that long work calls now and then, so that a caller can show how far it is."""

from collections.abc import Callable

from shutbox.engine.english import shown
from shutbox.engine.errors import NotUnderstood

Progress = Callable[[int, int], None]  # called with the work done and the total (0: unknown)


def no_progress(done: int, total: int) -> None:
    """Do nothing: the callback for long work whose caller wants no progress."""


def progress_meant(progress: Progress | None) -> Progress:
    """Return a caller's callback, or `no_progress` for None. Raises NotUnderstood."""
    if progress is None:
        return no_progress
    if not callable(progress):
        raise NotUnderstood("{progress} is no function for progress", progress=shown(progress))
    return progress
