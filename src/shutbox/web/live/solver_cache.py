"""Who keeps a solved game in memory: so many at once, and then the oldest is let go of."""

from collections import OrderedDict
from collections.abc import Callable

from shutbox.web import limits


class SolverCache:
    """Those of all rooms of one process: computer players by their seat, and coaches."""

    COACH = -1  # the number of the coach of a room, where computer players have their seats

    def __init__(self) -> None:
        self._solved: OrderedDict[tuple[str, int], Callable[[], object]] = OrderedDict()

    def note(self, room: str, who: int, forget: Callable[[], object]) -> None:
        """Somebody was asked; who was asked longest ago forgets what he has solved."""
        self._solved[room, who] = forget
        self._solved.move_to_end((room, who))
        while len(self._solved) > limits.MOST_SOLVED:
            _, forget = self._solved.popitem(last=False)
            forget()
