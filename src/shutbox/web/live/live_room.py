"""A room in the memory of this process: what it holds besides the room itself."""

import asyncio
from collections import OrderedDict

from shutbox.web import limits
from shutbox.web.errors import NotAllowed
from shutbox.web.live.broadcast import Broadcast, Messages
from shutbox.web.rooms.change import IdempotencyKey, Outcome
from shutbox.web.rooms.requests import Act
from shutbox.web.rooms.room import Room

Completed = tuple[str | None, Outcome]
"""Who asked for something that was done, and what came of it."""


class LiveRoom:
    """A room, what was done in it by which id, and those who listen to it."""

    def __init__(self, room: Room, done: dict[str, Completed], messages: Messages) -> None:
        self.room = room
        self.done = done
        """What was asked for, by the id of the action."""
        self.broadcast = Broadcast(room, messages)
        self.devices = KnownDevices()
        self.lock = asyncio.Lock()
        """Held while something happens."""
        self.coaching = asyncio.Lock()
        """Held while advice is worked out, for one at a time."""
        self.asked = 0.0
        """When somebody asked for it last."""
        self.driven = False
        """Whether somebody sees to the computer players."""

    def answered(self, key: IdempotencyKey) -> Outcome | None:
        """What was done by this id. Raises NotAllowed where somebody else did something by it."""
        by, outcome = self.done.get(key.action, (key.by, None))
        if by != key.by:
            raise NotAllowed("this id was used before, by somebody else or for something else")
        return outcome

    def is_current(self, act: Act) -> bool:
        """Whether an action is about the table as it stands, by the player who is due."""
        game, table = self.room.game, self.room.table
        here = table and (game, table.version, table.due)
        return (act.game, act.version, act.seat) == here


class KnownDevices:
    """Where devices may sit in one room, as far as it is known here."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[float, frozenset[int]]] = OrderedDict()
        self.forgotten = 0
        """How often it was forgotten, because it may have changed."""

    def seats_of(self, device: str) -> tuple[float, frozenset[int]]:
        """Since when it is known, and the seats; none where nothing is known."""
        return self._known.get(device, (0.0, frozenset()))

    def know(self, device: str, since: float, seats: frozenset[int]) -> None:
        """Remember where a device may sit."""
        self._known[device] = since, seats
        if len(self._known) > limits.MOST_LISTENERS:
            self._known.popitem(last=False)

    def forget(self) -> None:
        """Ask anew where devices may sit."""
        self._known.clear()
        self.forgotten += 1
