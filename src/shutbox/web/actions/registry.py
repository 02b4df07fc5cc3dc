"""Every endpoint of the API: its request, its reply, and the code that runs it.

The routes of the API, the forms of the pages, the OpenAPI document and the actions of the page
without a server come from this table. A new action is a row here, a command and an event. The types
of its request and reply are those of the function that runs it, which also checks the permission.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, is_dataclass
from functools import partial
from typing import Any, get_type_hints

from shutbox.web.actions import advice, play, replays, reviews, seats, tables, today
from shutbox.web.actions.context import Done, RoomCaller
from shutbox.web.rooms import commands
from shutbox.web.rooms.access import Permission, Viewer
from shutbox.web.rooms.changes import Events, RoomChange
from shutbox.web.rooms.room import Room, seat_of

Run = Callable[[Any, Any], Awaitable[Any]]
Command = Callable[[Room, Any, Viewer, float], Events | RoomChange]  # one of rooms/commands.py
ROOM = "/api/rooms/{room}"
FORM_ACTION = "/r/{room}/do"  # of most forms in a room; their field `what` names the action


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A kind of request that a client can make, to read or change something, and what serves it."""

    name: str  # the value of `what` in a form; it never changes: idempotency keys depend on it
    method: str
    path: str  # the path at which programs call it
    run: Run
    """Runs the action for a caller and a request; returns the reply once its changes are on disk,
    or raises a check's refusal. The caller is a RoomCaller if the action `takes_room`."""
    takes: type[Any] | None = None  # of the body; `bytes` for a record's text; None for no body
    gives: type[Any] | None = None  # the type of the reply; None if HTTP makes it
    query: str = ""  # the name in the query string of a whole number, which is the request
    status: int = 200
    gives_device: bool = False  # whether an unknown client gets one; it need not be in the room yet
    media: str = "application/json"  # the media type of the reply
    form: str = ""  # the address for forms without script; empty if the action has its own page
    needs_server: bool = False  # whether the page without a server cannot offer it

    @property
    def in_room(self) -> bool:
        """Whether its path names a room."""
        return "{room}" in self.path

    @property
    def takes_room(self) -> bool:
        """Whether its caller must be somebody in the room already."""
        return self.in_room and not self.gives_device

    def match(self, method: str, path: str) -> re.Match[str] | None:
        """Return a match of the path, with its parts as groups; None if it is another action's."""
        pattern = re.sub(r"{(\w+)}", r"(?P<\1>\\w+)", self.path)
        return re.fullmatch(pattern, path) if method == self.method else None


async def _served_by_http(caller: Any, request: None) -> None:
    """Stand in for the function of an action that `web/api` runs itself; never called."""


def _types_of(function: Callable[..., Any]) -> tuple[Any, Any]:
    """Return the types of a function's second parameter, which is the request, and its result."""
    hints = get_type_hints(function)
    return [*hints.values()][1], hints["return"]


def _action(name: str, run: Run, path: str = "", **more: Any) -> Action:
    """Return an action with the types of the coroutine function `run`.

    Without `path`, the path is `name` in the room. `more` are further fields of `Action`.
    """
    takes, gives = _types_of(run)
    types = {
        "takes": takes if is_dataclass(takes) or takes is bytes else None,
        "gives": gives if is_dataclass(gives) else None,
    }
    return Action(name=name, run=run, path=path or f"{ROOM}/{name}", **types | more)


_get = partial(_action, method="GET")  # it changes nothing
_post = partial(_action, method="POST")
_open = partial(_post, status=201, gives_device=True)  # it opens a room
_from_newcomer = partial(_post, gives_device=True, needs_server=True)


def _change(
    name: str,
    permission: Permission,
    command: Command,
    *,
    first: Run | None = None,
    form: str = FORM_ACTION,
) -> Action:
    """Return an action that stores the events of a command, for callers with the permission.

    The reply is the room then. `first` does costly work before, and can refuse the action. With
    `form=""` only scripts and programs can send it.
    """
    takes, _ = _types_of(command)

    async def run(caller: RoomCaller, request: Any) -> Done:
        rooms, viewer = caller.client.services.rooms, caller.viewer
        if first is not None:
            caller.check(permission, seat_of(request))
            await first(caller, request)
        outcome = await caller.change(
            name, permission, request, lambda room: command(room, request, viewer, rooms.now())
        )
        return (await caller.now()).done(outcome.number)

    return _post(name, run, takes=takes, form=form)


ACTIONS = (  # all, in the order of the OpenAPI document
    _get("games", tables.games, "/api/games"),
    _get("openapi", _served_by_http, "/api/openapi.json", needs_server=True),
    _open("open-room", tables.open_room, "/api/rooms"),
    _get("room", play.room, ROOM),
    _from_newcomer("invitation", seats.invitation),
    _from_newcomer("enter", seats.enter),
    _post("act", play.act, form="/r/{room}/act"),
    _change("leave", Permission.SITS, commands.leave),
    _change("come-back", Permission.SITS, commands.come_back),
    _change("stand-in", Permission.FILLS, commands.stand_in, first=seats.check_stand_in),
    _change("end", Permission.AT_TABLE, commands.give_up),
    _change("rematch", Permission.AT_TABLE, commands.rematch, first=play.load_last_dice),
    _change("word", Permission.SITS, commands.give_word, form=""),
    _change("decline", Permission.SITS, commands.decline),
    _change("name", Permission.SITS, commands.rename),
    _change("clear-name", Permission.HOSTS, commands.clear_name),
    _change("say", Permission.SITS, commands.say, first=seats.count_phrase),
    _post("renew", seats.renew, form=FORM_ACTION, needs_server=True),
    _get("hint", advice.hint),
    _get("verdict", advice.verdict),
    _get("review", reviews.review_of_room, query="game"),
    _get("challenge", replays.challenges),
    _open("take-challenge", replays.take_challenge, "/api/challenges"),
    _get("record", replays.fetch_record, query="game", media="text/plain"),
    _get("events", _served_by_http, query="since", media="text/event-stream", needs_server=True),
    # The function returns bytes: the JSON of what it gives.
    _post("replay", replays.replay, "/api/records", gives=replays.ReplayView),
    _post("review-record", reviews.review_of_record, "/api/review"),
    _get("today", today.today, "/api/today"),
    _open("play-today", today.play, "/api/today"),
    _get("past-day", today.past, "/api/today/{day}", needs_server=True),
    _get("push-key", seats.push_key, "/api/push", needs_server=True),
    _from_newcomer("subscribe", seats.subscribe, "/api/push"),
    _post("unsubscribe", seats.unsubscribe, "/api/push/stop", needs_server=True),
)

BY_FORM = {action.name: action for action in ACTIONS if action.form}
