"""The rooms of a device: opened, found, and played on, by the people before its screen.

As on a server, what is to happen is prepared by the room, kept, applied and shown, in this order.
What is kept lies in the database of the browser; another page of it may be quicker, and then this
one reads on from there.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from shutbox.errors import NotKept, OutOfDate, ShutboxError
from shutbox.game import Choose
from shutbox.web.compute import tasks
from shutbox.web.compute.budget import SOLVERS
from shutbox.web.device.encode import DeviceMessages
from shutbox.web.errors import UnknownRoom
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms import commands, events
from shutbox.web.rooms.link_keys import new_room_id
from shutbox.web.rooms.permissions import Viewer
from shutbox.web.rooms.room import Room

T = TypeVar("T")


class EventStore(Protocol):
    """The database of the browser."""

    def read(self, room: str, after: int) -> Awaitable[str]:
        """The events of a room after that number: a JSON list of number, time and text."""

    def keep(self, room: str, rows: str) -> Awaitable[bool]:
        """Keep such events, all or none; False: there is one of this number, or none before it."""


class AtOnce:
    """Does what takes a while at once: a device has nobody else for it."""

    async def do(
        self,
        who: str,
        work: Callable[..., T],
        *about: Any,
        quick: bool = False,
        patient: bool = False,
    ) -> T:
        """What a piece of work gives."""
        return work(*about)


class DeviceRooms:
    """The rooms of this device.

    `shown` is told of a room in which something has happened, and `refused` why a computer player
    could not act.
    """

    def __init__(
        self,
        store: EventStore,
        shown: Callable[[LiveRoom], None],
        refused: Callable[[LiveRoom, ShutboxError], None],
    ) -> None:
        self._store = store
        self._shown = shown
        self._refused = refused
        self._lives: dict[str, LiveRoom] = {}
        self._playing: set[asyncio.Task[None]] = set()

    async def open(self, plan: events.Opened) -> LiveRoom:
        """A new room."""
        room = Room(new_room_id())
        planned = Room(room.id)
        planned.apply(1, time.time(), plan)
        live = LiveRoom(planned, "", {}, DeviceMessages())
        begun = commands.begin(planned, self.moment())
        await self._keep(live.room.id, self._numbered(0, (plan, *begun)))
        self._lives[room.id] = live
        self._apply(live, self._numbered(1, begun))
        return live

    async def find(self, id: str) -> LiveRoom:
        """A room that was opened here. Raises UnknownRoom."""
        live = self._lives.get(id)
        if live is None:
            history = await self.history(id)
            if not history or history[0][0] > 1:  # or its beginning was cleared while it was open
                raise UnknownRoom("there is no such table")
            room = Room(id)
            for one in history:
                room.apply(*one)
            live = self._lives.setdefault(id, LiveRoom(room, "", {}, DeviceMessages()))
            self._shown(live)
        self._see_to(live)
        return live

    async def history(self, id: str, after: int = 0) -> Sequence[events.Numbered]:
        """What was kept of a room after that number."""
        rows = json.loads(await self._store.read(id, after))
        return [(number, at, events.decoded(text)) for number, at, text in rows]

    async def change(
        self, live: LiveRoom, make: Callable[[Room], Sequence[events.RoomEvent]]
    ) -> int:
        """Let happen what `make` makes of the room; the number of the first event.

        Raises what it raises, NotKept, and OutOfDate where another page was quicker.
        """
        async with live.lock:
            return await self._happen(live, make(live.room))

    async def look(self, id: str) -> None:
        """Let happen here what has happened on another page, in a room that is open here."""
        if live := self._lives.get(id):
            async with live.lock:
                self._apply(live, await self.history(id, live.room.number))

    async def _happen(self, live: LiveRoom, made: Sequence[events.RoomEvent]) -> int:
        numbered = self._numbered(live.room.number, made)
        try:
            await self._keep(live.room.id, numbered)
        except OutOfDate:
            kept = await self.history(live.room.id, live.room.number - 1)
            if not kept:  # the browser has cleared all of it
                self._lives.pop(live.room.id, None)
                raise UnknownRoom("there is no such table") from None
            self._apply(live, kept[1:])
            raise
        first = live.room.number + 1
        self._apply(live, numbered)
        return first

    def _numbered(self, before: int, made: Sequence[events.RoomEvent]) -> Sequence[events.Numbered]:
        return [(number, time.time(), event) for number, event in enumerate(made, before + 1)]

    async def _keep(self, id: str, numbered: Sequence[events.Numbered]) -> None:
        rows = [(number, at, events.encoded(event)) for number, at, event in numbered]
        try:
            kept = await self._store.keep(id, json.dumps(rows))
        except Exception as error:  # whatever a browser says: it has no room left, most likely
            raise NotKept("this browser keeps nothing more: {why}", why=error) from None
        if not kept:
            raise OutOfDate("the table has moved on; look again")

    def _apply(self, live: LiveRoom, numbered: Sequence[events.Numbered]) -> None:
        for number, at, event in numbered:
            live.broadcast.publish(live.room.apply(number, at, event))
        self._shown(live)
        self._see_to(live)

    def _see_to(self, live: LiveRoom) -> None:
        """See to it that a computer player who is due acts."""
        if live.room.computer_due and not live.driven:
            live.driven = True
            task = asyncio.ensure_future(self._play(live))
            self._playing.add(task)
            task.add_done_callback(self._playing.discard)

    async def _play(self, live: LiveRoom) -> None:
        try:
            while live.room.computer_due:
                async with live.lock:
                    if live.room.computer_due:
                        await self._happen(live, (_played(live.room),))
                await asyncio.sleep(0)
        except OutOfDate:  # another page has let them act
            pass
        except ShutboxError as error:  # they are due still, and act once the page asks for anything
            self._refused(live, error)
        finally:
            live.driven = False

    def moment(self, mine: frozenset[int] = frozenset()) -> commands.Moment:
        """Now, for who asks."""
        return commands.Moment.at(time.time(), mine)


def _played(room: Room) -> events.Played:
    """What the computer player who is due does."""
    table = room.playing()
    kind = room.seats[table.due or 0].computer
    if kind.startswith(SOLVERS) and isinstance(table.awaits, Choose):
        # What was solved for a table is there for the next.
        return commands.computer_chooses(room, tasks.chosen(table.game, kind, table.position))
    return commands.computer_acts(room)


def viewer(room: Room) -> Viewer:
    """Who sits before the screen: everybody who plays here."""
    people = (seat for seat, state in enumerate(room.seats) if not state.plan.computer)
    return Viewer(frozenset(people), host=True)
