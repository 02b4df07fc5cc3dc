"""A replayed record in its final JSON, encoded by the worker.

Unpickling its thousands of steps would block the serving process for a tenth of a second.
"""

from dataclasses import dataclass

from shutbox.web.actions.replays import replayed
from shutbox.web.http.answers import encode


@dataclass(frozen=True, slots=True)
class PackedReplay:
    """A `ReplayView` as JSON, and the parts of it that a page shows."""

    title: str
    players: tuple[str, ...]
    fault: str | None
    lines: tuple[str, ...]
    """The sentences of each step, one line a step."""
    json: bytes


def packed(data: bytes) -> PackedReplay:
    """Return the encoded result of `replayed`. Slow: runs in a worker. Raises BadRecord."""
    view = replayed(data)
    lines = tuple(" ".join(step.says) for step in view.steps)
    return PackedReplay(view.title, view.players, view.fault, lines, encode(view))
