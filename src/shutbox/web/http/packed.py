"""A record that a worker has played again, as it goes out.

Its thousands of steps would take the process that serves a tenth of a second to unpickle, in which
nobody else is answered. So the worker writes them, too.
"""

from dataclasses import dataclass

import msgspec

from shutbox.web.actions.replays import replayed


@dataclass(frozen=True, slots=True)
class PackedReplay:
    """A `ReplayView`, and what a page shows of it."""

    title: str
    players: tuple[str, ...]
    fault: str | None
    told: tuple[str, ...]
    """What each step says, a line each."""
    json: bytes


def packed(data: bytes) -> PackedReplay:
    """What `replayed` gives, written. Raises BadRecord. Takes a while."""
    view = replayed(data)
    told = tuple(" ".join(step.says) for step in view.steps)
    return PackedReplay(view.title, view.players, view.fault, told, msgspec.json.encode(view))
