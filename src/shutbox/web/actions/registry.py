"""Every endpoint of the API: its request, its reply, its permission, and the code that runs it.

The routes of the API, the forms of the pages, the OpenAPI document, the test of permissions and the
actions of the page without a server come from this table. A new action is a row, command and event.
The types of its request and its reply are those of the function that runs it.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, is_dataclass
from inspect import iscoroutinefunction
from typing import Any, get_type_hints

from shutbox.web.actions import challenges, play, push, replays, replies, reviews, seats, tables
from shutbox.web.actions import today as days
from shutbox.web.actions.context import Command
from shutbox.web.rooms import commands
from shutbox.web.rooms.permissions import Permission

Run = Callable[[Any, Any], Awaitable[Any]]
ROOM = "/api/rooms/{room}"
DO = "/r/{room}/do"
"""The address to which pages send most actions in a room, with the action's name as `what`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One request that a client can make: to read something or to change it."""

    name: str
    """The value of `what` in a form. It never changes, since idempotency keys depend on it."""
    method: str = "POST"
    path: str
    """The path at which programs call it."""
    about: str
    """Its summary in the OpenAPI document, which is in English throughout."""
    run: Run | None = None
    """Run the action and return its reply, once its changes are on the disk.

    Its arguments are the caller and the request. The caller is a RoomCaller if the path names a
    room and the action gives no device, otherwise a Caller. None: a command does it, or HTTP.
    """
    command: Command | None = None
    """Return the events that the action adds to the room. The reply is the room after them."""
    first: Run | None = None
    """Run before the command; it may refuse the action, and returns nothing."""
    takes: type[Any] | None = None
    """The type of the body, from `rooms/requests.py`; `bytes` for the text of a record."""
    gives: type[Any] | None = None
    """The type of the reply, mostly from `actions/replies.py`; None if HTTP makes the response."""
    who: Permission = Permission.SEES
    """The permission that the caller needs in the room."""
    query: str = ""
    """The name of a whole number in the query string, which `run` gets as the request."""
    status: int = 200
    gives_device: bool = False
    """Whether an unknown client is given a device. The client need not be in the room yet."""
    media: str = "application/json"
    """The media type of the reply."""
    form: str = ""
    """The address for forms of pages without script; empty if the action has its own page."""
    needs_server: bool = False
    """Whether the page without a server cannot offer it."""

    @property
    def in_room(self) -> bool:
        """Whether its path names a room."""
        return "{room}" in self.path

    def named_by(self, method: str, path: str) -> re.Match[str] | None:
        """Return the match of this action's path, with groups such as `room`; None for another."""
        pattern = re.sub(r"{(\w+)}", r"(?P<\1>\\w+)", self.path)
        return re.fullmatch(pattern, path) if method == self.method else None

    async def __call__(self, caller: Any, asked: Any) -> Any:
        """Run the action and return its reply. Raise the refusal of any check that fails."""
        if self.command is not None:
            if self.first is not None:
                await self.first(caller, asked)
            return await caller.arrange(self.name, self.who, asked, self.command)
        assert self.run is not None  # HTTP runs the other actions itself
        return await self.run(caller, asked)


def _post(name: str, path: str, about: str, does: Run | Command | None, **more: Any) -> Action:
    """Return an action that a function does: a coroutine function, a command, or None for HTTP.

    Its request and its reply have the types of the function's second argument and of its result;
    the reply to a command is the room after it. A whole number is one of the query string.
    """
    if does is None:
        return Action(name=name, path=path, about=about, **more)
    (_, _), (field, asked), *_, (_, gives) = get_type_hints(does).items()
    shapes: dict[str, Any] = {"query": field if asked == int | None else ""}
    shapes["takes"] = asked if is_dataclass(asked) or asked is bytes else None
    if iscoroutinefunction(does):
        shapes |= {"run": does, "gives": gives if is_dataclass(gives) else None}
    else:
        shapes |= {"command": does, "gives": replies.Done}
    return Action(name=name, path=path, about=about, **shapes, **more)


def _read(name: str, path: str, about: str, does: Run | None = None, **more: Any) -> Action:
    """Return an action that changes nothing."""
    return _post(name, path, about, does, method="GET", **more)


def _change(
    name: str,
    about: str,
    who: Permission,
    does: Run | Command,
    first: Run | None = None,
    **more: Any,
) -> Action:
    """Return an action that changes a room and that a form can send, too."""
    found = {"who": who, "first": first, "form": DO, **more}
    return _post(name, f"{ROOM}/{name}", about, does, **found)


def _open(name: str, path: str, about: str, does: Run, **more: Any) -> Action:
    """Return an action that opens a room and gives an unknown caller a device."""
    return _post(name, path, about, does, status=201, gives_device=True, **more)


ACTIONS = (
    _read("games", "/api/games", "What can be played.", tables.games),
    _read("openapi", "/api/openapi.json", "This document.", needs_server=True),
    _open("open-room", "/api/rooms", "Open a room.", tables.open_room),
    _read("room", ROOM, "A room as it is now.", play.room),
    _post(
        *("invitation", f"{ROOM}/invitation"),
        "Look at a link: what it opens, and whether it takes a name.",
        seats.invitation,
        needs_server=True,
    ),
    _post(
        *("enter", f"{ROOM}/enter", "Follow a link: take a free seat, or watch.", seats.enter),
        gives_device=True,
        needs_server=True,
    ),
    _change(
        *("act", "Throw, choose, take back or correct.", Permission.ACTS, play.act),
        form="/r/{room}/act",
    ),
    _change("leave", "Leave a seat.", Permission.SITS, commands.leave),
    _change("come-back", "Come back to a seat.", Permission.SITS, commands.come_back),
    _change(
        *("stand-in", "Let a computer player take over for a seat.", Permission.FILLS),
        *(commands.stand_in, seats.check_stand_in),
    ),
    _change(
        *("end", "End the game by the rule about leavers, or give up a game alone."),
        *(Permission.AT_TABLE, commands.give_up),
    ),
    _change(
        *("rematch", "Play another game.", Permission.AT_TABLE, commands.again, play.load_dice)
    ),
    _change(
        *("word", "Promise or give a word for sealed dice.", Permission.SITS, commands.give_word),
        form="",
    ),
    _change("decline", "Want no other game.", Permission.SITS, commands.decline),
    _change("name", "Name one's seat, or change its name.", Permission.SITS, commands.rename),
    _change("clear-name", "Take the name of a seat away.", Permission.HOSTS, commands.clear_name),
    _change("say", "Say a phrase at the table.", Permission.SITS, commands.say, seats.count_phrase),
    _change("renew", "Make a link anew.", Permission.HANDS_ON, seats.renew, needs_server=True),
    _read("hint", f"{ROOM}/hint", "Advice for the player who is due.", play.hint),
    _read(
        *("verdict", f"{ROOM}/verdict", "What was luck and what was skill in a game that is over."),
        play.verdict,
    ),
    _read(
        *("review", f"{ROOM}/review"),
        "A game that is over, step by step, with luck and skill apart.",
        reviews.review_of_room,
    ),
    _read(
        *("challenge", f"{ROOM}/challenge", "Links to challenge others by the same dice."),
        challenges.links,
    ),
    _open(
        *("take-challenge", "/api/challenges", "Open a room with the dice of a challenge."),
        challenges.take,
    ),
    _read(
        *("record", f"{ROOM}/record", "The record of a game.", replays.recorded),
        media="text/plain",
    ),
    _read(
        *("events", f"{ROOM}/events", "What happens, as server-sent events."),
        query="since",
        media="text/event-stream",
        needs_server=True,
    ),
    _post(
        *("replay", "/api/records", "Play a record again; the body is the record."), replays.replay
    ),
    _post(
        *("review-record", "/api/review", "Review a record; the body is the record."),
        reviews.review_of_record,
    ),
    _read(
        *("today", "/api/today", "Today's box, and how your try at it stands.", days.today),
        needs_server=True,
    ),
    _open(
        *("play-today", "/api/today"),
        "Open the room of your one try at today's box, or find it again.",
        days.play,
        needs_server=True,
    ),
    _read(
        *("past-day", "/api/today/{day}", "The box of a day that is over, with its seed."),
        days.past,
        needs_server=True,
    ),
    _read(
        *("push-key", "/api/push", "The key with which a browser subscribes to Web Push."),
        push.push_key,
        needs_server=True,
    ),
    _post(
        *("subscribe", "/api/push", "Tell this browser by Web Push when it is its player's turn."),
        push.subscribe,
        gives_device=True,
        needs_server=True,
    ),
    _post(
        *("unsubscribe", "/api/push/stop", "Tell this browser no longer.", push.unsubscribe),
        needs_server=True,
    ),
)
"""All actions, in the order of the OpenAPI document."""

BY_FORM = {action.name: action for action in ACTIONS if action.form}
