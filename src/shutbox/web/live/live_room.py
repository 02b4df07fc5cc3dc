"""A room in the memory of this process: what it holds besides the room itself."""

import asyncio

from shutbox.analysis.review.verdict import Verdict
from shutbox.web import limits
from shutbox.web.errors import NotAllowed
from shutbox.web.live.broadcast import Broadcast, Encode
from shutbox.web.rooms.commands import IdempotencyKey, Outcome
from shutbox.web.rooms.ports import Entries
from shutbox.web.rooms.requests import Act
from shutbox.web.rooms.room import Room


class LiveRoom:
    """A room, what was done in it by which id, and those who listen to it."""

    def __init__(self, room: Room, found: Entries, encode: Encode) -> None:
        """`found` has led to the room."""
        self.room = room
        self.seal = found.seal  # of its last event
        self.done = found.done  # what was asked for, by the id of the action
        self.broadcast = Broadcast(room, encode)
        self.devices: dict[str, tuple[float, frozenset[int]]] = {}
        """Since when it is known where a device may sit; another dict, once it may have changed."""
        self.lock = asyncio.Lock()  # held while something happens
        self.asked = 0.0  # when somebody asked for it last
        self.driven = False  # whether somebody sees to the computer players
        self.verdict: tuple[tuple[int, int], Verdict | str] | None = None
        """That on a game that is over, or why there is none, by the game and its version."""
        self.address = ""  # of who acted here last, for whom computer players answer

    def know(self, device: str, since: float, seats: frozenset[int]) -> None:
        """Remember where a device may sit; when there are many, the oldest is let go."""
        self.devices[device] = since, seats
        if len(self.devices) > limits.MOST_LISTENERS:
            del self.devices[next(iter(self.devices))]

    def answered(self, key: IdempotencyKey) -> Outcome | None:
        """What was done by this id. Raises NotAllowed where somebody else did something by it."""
        by, outcome = self.done.get(key.action, (key.by, None))
        if by != key.by:
            raise NotAllowed("this id was used before, by somebody else or for something else")
        return outcome

    def is_coached(self, act: Act) -> bool:
        """Whether an action is a new choice at the table as it stands, and the room has a coach."""
        if act.do != "choose" or not self.room.opened.coach or act.action in self.done:
            return False
        game, table = self.room.game, self.room.table
        here = table and (game, table.version, table.due)
        return (act.game, act.version, act.seat) == here
