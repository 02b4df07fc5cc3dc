"""Messages by Web Push that tell players it is their turn, if their page of the table is closed.

Only the process that stored the event sends them, so that each turn is announced once. It waits a
moment first: the player may be reloading the page, and the turn may be taken back. It knows only
the pages that it serves; the browser drops a message while the page is visible.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from shutbox.web.errors import one_line
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.ports import Notes, Subscription

_PAUSE_SECONDS = 3.0
_MOST_PAUSING = 10_000  # turns; while so many pause, further ones are not announced


class Subscriptions(Protocol):
    """A store of the push subscriptions of devices, which are given as hashes."""

    async def store(self, device: str, now: float, found: Subscription) -> None:
        """Store a device's subscription, replacing those of device and endpoint. Raises NotKept."""

    async def forget(self, *, device: str = "", endpoint: str = "") -> None:
        """Delete the subscription of a device, or the one with an endpoint. Raises NotKept."""

    async def at_seat(self, room: str, seat: int) -> Sequence[Subscription]:
        """Return a few subscriptions of the devices at a seat, newest first. Raises NoAnswer."""


class PushService(Protocol):
    """A sender of Web Push messages, which reach browsers even when the page is closed."""

    key: str  # the server's public key, base64url; empty if push is off

    def accepts(self, found: Subscription) -> bool:
        """Whether messages can be sent to this subscription."""

    async def send(self, found: Subscription, about: dict[str, str], topic: str) -> bool:
        """Send `about` as a message, which replaces an undelivered one of the same topic.

        Returns False if the subscription has expired, else True: other failures are only counted.
        """


@dataclass
class TurnNotices:
    """The sender of messages about turns for the rooms of one process."""

    service: PushService
    store: Subscriptions
    notes: Notes
    seconds: float = _PAUSE_SECONDS  # before a turn is announced
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def announce(self, live: LiveRoom) -> None:
        """Announce the turn that has just begun in a room, in the background; errors are logged.

        It waits `seconds`; if the turn is over then or the player's page is open, it does nothing.
        """
        turn = live.room.turn
        if turn and self.service.key and len(self._tasks) < _MOST_PAUSING:
            task = asyncio.create_task(self._announce(live, turn))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _announce(self, live: LiveRoom, turn: tuple[int, int]) -> None:
        await asyncio.sleep(self.seconds)
        room, (_, seat) = live.room, turn
        is_open = any(seat in listener.viewer.seats for listener in live.broadcast.listeners)
        if room.turn != turn or is_open:
            return
        about = {"path": f"/r/{room.id}", "title": room.rule_card.title}
        try:
            for found in await self.store.at_seat(room.id, seat):
                if not await self.service.send(found, about, room.id):
                    await self.store.forget(endpoint=found.endpoint)
        except Exception as error:  # otherwise it would be lost with the task
            self.notes.warning("turn not announced", reason=one_line(error))

    async def close(self) -> None:
        """Stop announcing; turns that are not announced yet never are."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
