"""What an action is: something done in a room, for pages and programs."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller
from shutbox.web.actions.replies import Done
from shutbox.web.rooms.commands import IdempotencyKey, Moment, Outcome, RoomChange
from shutbox.web.rooms.events import RoomEvent, json_text
from shutbox.web.rooms.link_keys import hashed
from shutbox.web.rooms.permissions import Who
from shutbox.web.rooms.room import HOST, WATCHERS, Room

Command = Callable[[Room, Any, Moment], tuple[RoomEvent, ...]]
"""What is asked of a room, as the events that are to happen; see `rooms/commands.py`."""
Make = Callable[[Room], RoomChange]
DO = "/r/{room}/do"
"""Where pages send most of them, with the name as `what`."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done in a room."""

    name: str
    """What a form sends as `what`, and part of what an action's id stands for: it never changes."""
    address: str
    """Where programs ask for it."""
    takes: type[Any]
    """What is sent; one of `rooms/requests.py`."""
    who: Who
    """Who may do it."""
    run: Callable[["Action", RoomCaller, Any], Awaitable[Any]]
    """Does it, checks who may, and returns once it is on the disk."""
    gives: type[Any] = Done
    """What is answered; one of `actions/replies.py`."""
    form: str = DO
    """Where pages without script do."""

    async def __call__(self, caller: RoomCaller, asked: Any) -> Any:
        """What comes of it. Raises what refuses it."""
        return await self.run(self, caller, asked)

    async def change(self, caller: RoomCaller, asked: Any, make: Make) -> Outcome:
        """What `make` makes of the room, if the caller may still do it by then."""
        key = key_of(caller.who, self.name, asked)
        allowed = partial(caller.check_now, self.who, seat_of(asked))
        who = caller.who
        await who.services.rates.check_day(who.address)
        outcome = await who.services.rooms.change(caller.live, key, make, allowed=allowed)
        who.services.rates.stored(who.address, outcome.stored)
        caller.live.address = who.address
        return outcome

    async def arrange(self, caller: RoomCaller, asked: Any, make: Make) -> Outcome:
        """A change about seats, links or games, of which a seat may do only so many."""
        caller.check(self.who, seat_of(asked))
        seat = min(caller.viewer.seats, default=HOST)
        await caller.count(limits.CHANGES_OF_SEAT, "seat-changes", seat)
        return await self.change(caller, asked, make)


def arranged(command: Command) -> Callable[[Action, RoomCaller, Any], Awaitable[Done]]:
    """How most actions are run: a command about seats or games, and then what the room is like."""

    async def run(action: Action, caller: RoomCaller, asked: Any) -> Done:
        rooms, mine = caller.who.services.rooms, caller.viewer.seats
        outcome = await action.arrange(
            caller, asked, lambda room: RoomChange(command(room, asked, rooms.moment(mine)))
        )
        view = caller.live.broadcast.present()
        return Done(outcome.number, view, (await caller.again()).you)

    return run


def seat_of(asked: Any) -> int:
    """The seat that something is about; WATCHERS where it is about none."""
    return getattr(asked, "seat", WATCHERS)


def key_of(who: Caller, what: str, asked: Any) -> IdempotencyKey:
    """Who asks, and for what: the same id for anything else is refused."""
    return IdempotencyKey(asked.action, hashed(f"{who.by} {what} {json_text(asked)}"))
