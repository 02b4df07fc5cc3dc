"""Every endpoint of the API: its request, its reply, its permission, and the code that runs it.

The routes of the API, the forms of the pages, the OpenAPI document, the test of permissions and the
actions of the page without a server come from this table. A new action is a row here, a command and
an event. The types of its request and reply are those of the function that runs it.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, is_dataclass
from functools import partial
from typing import Any, get_type_hints

from shutbox.web.actions import advice, play, replays, reviews, seats, tables
from shutbox.web.actions import today as days
from shutbox.web.actions.context import Done, RoomCaller, seat_of
from shutbox.web.rooms import commands
from shutbox.web.rooms.access import Permission, Viewer
from shutbox.web.rooms.commands import Events, RoomChange
from shutbox.web.rooms.room import Room

Run = Callable[[Any, Any], Awaitable[Any]]
Command = Callable[[Room, Any, Viewer, float], Events | RoomChange]  # one of rooms/commands.py
ROOM = "/api/rooms/{room}"
DO = "/r/{room}/do"  # where forms send most actions in a room; their field `what` names the action


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A kind of request that a client can make, to read or change something, and what serves it."""

    name: str  # the value of `what` in a form; it never changes: idempotency keys depend on it
    method: str = "POST"
    path: str  # the path at which programs call it
    about: str  # its summary in the OpenAPI document, which is in English throughout
    run: Run
    """Runs the action for a caller and a request; returns the reply once its changes are on disk,
    or raises a check's refusal. In a room, the caller is a RoomCaller unless `gives_device`."""
    takes: type[Any] | None = None  # of the body; `bytes` for a record's text; None for no body
    gives: type[Any] | None = None  # the type of the reply; None if HTTP makes it
    who: Permission = Permission.SEES  # the least permission in the room; `run` can demand more
    query: str = ""  # the name in the query string of a whole number, which is the request
    status: int = 200
    gives_device: bool = False  # whether an unknown client gets one; it need not be in the room yet
    media: str = "application/json"  # the media type of the reply
    form: str = ""  # the address for forms without script; empty if the action has its own page
    needs_server: bool  # whether the page without a server cannot offer it

    @property
    def in_room(self) -> bool:
        """Whether its path names a room."""
        return "{room}" in self.path

    def named_by(self, method: str, path: str) -> re.Match[str] | None:
        """Return a match of the path, with its parts as groups; None if it is another action's."""
        pattern = re.sub(r"{(\w+)}", r"(?P<\1>\\w+)", self.path)
        return re.fullmatch(pattern, path) if method == self.method else None


async def _by_http(caller: Any, request: None) -> None:
    """Stand in for the function of an action that `web/api` runs itself; never called."""


def _post(name: str, about: str, does: Run, path: str = "", **more: Any) -> Action:
    """Return an action that the coroutine function `does` runs.

    The types of its request and reply are those of the function's second argument and result. A
    whole number comes from the query string, under that argument's name. Without `path`, the path
    is `name` in the room. `more` are further fields of `Action`.
    """
    (_, _), (field, kind), *_, (_, gives) = get_type_hints(does).items()
    facts = {
        "query": field if kind == int | None else "",
        "takes": kind if is_dataclass(kind) or kind is bytes else None,
        "gives": gives if is_dataclass(gives) else None,
        "needs_server": does in (_by_http, days.past) or does.__module__ == seats.__name__,
        **more,
    }
    return Action(name=name, about=about, path=path or f"{ROOM}/{name}", run=does, **facts)


_read = partial(_post, method="GET")  # it changes nothing
_open = partial(_post, status=201, gives_device=True)  # it opens a room


def _change(
    name: str,
    about: str,
    who: Permission,
    command: Command,
    *,
    first: Run | None = None,
    form: str = DO,
) -> Action:
    """Return an action that stores the events of a command; a form can send it if `form` is set.

    The reply is the room then. `first` does costly work before, and can refuse the action.
    """
    takes = list(get_type_hints(command).values())[1]

    async def run(caller: RoomCaller, request: Any) -> Done:
        rooms, viewer = caller.who.services.rooms, caller.viewer
        if first is not None:
            caller.check(who, seat_of(request))
            await first(caller, request)
        outcome = await caller.change(
            name, who, request, lambda room: command(room, request, viewer, rooms.now())
        )
        return (await caller.now()).done(outcome.number)

    return _post(name, about, run, takes=takes, who=who, form=form)


ACTIONS = (  # all, in the order of the OpenAPI document
    _read("games", "List the games, matches and computer players.", tables.games, "/api/games"),
    _read("openapi", "Return this document.", _by_http, "/api/openapi.json"),
    _open("open-room", "Open a room.", tables.open_room, "/api/rooms"),
    _read("room", "Return the current state of a room.", play.room, ROOM),
    _post(
        *("invitation", "Look up a link: the table that it opens, if the guest must give a name."),
        seats.invitation,
        gives_device=True,
    ),
    _post("enter", "Follow a link: take a free seat, or watch.", seats.enter, gives_device=True),
    _post(
        *("act", "Throw, choose, take back or correct.", play.act),
        who=Permission.ACTS,
        form="/r/{room}/act",
    ),
    _change("leave", "Leave the table.", Permission.SITS, commands.leave),
    _change("come-back", "Come back to a seat.", Permission.SITS, commands.come_back),
    _change(
        *("stand-in", "Let a computer player take over for a seat.", Permission.FILLS),
        commands.stand_in,
        first=seats.check_stand_in,
    ),
    _change(
        *("end", "End the game because a player has left, or give up a game that you play alone."),
        *(Permission.AT_TABLE, commands.give_up),
    ),
    _change(
        *("rematch", "Play another game.", Permission.AT_TABLE, commands.rematch),
        first=play.load_dice,
    ),
    _change(
        *("word", "Give a word for sealed dice."),
        *(Permission.SITS, commands.give_word),
        form="",
    ),
    _change("decline", "Decline another game.", Permission.SITS, commands.decline),
    _change("name", "Change the name of your seat.", Permission.SITS, commands.rename),
    _change("clear-name", "Clear the name of a seat.", Permission.HOSTS, commands.clear_name),
    _change(
        *("say", "Say a phrase at the table.", Permission.SITS, commands.say),
        first=seats.count_phrase,
    ),
    _post("renew", "Renew a link.", seats.renew, who=Permission.HANDS_ON, form=DO),
    _read("hint", "Advise the player whose turn it is.", advice.hint, who=Permission.AT_TABLE),
    _read("verdict", "Measure luck and skill in a game that is over.", advice.verdict),
    _read(
        *("review", "Review a game that is over, step by step, with luck and skill apart."),
        reviews.review_of_room,
    ),
    _read("challenge", "Return links to play with the same dice.", replays.challenges),
    _open(
        *("take-challenge", "Open a room with the dice of a challenge."),
        *(replays.take_challenge, "/api/challenges"),
    ),
    _read("record", "Return the record of a game.", replays.recorded, media="text/plain"),
    _read(
        *("events", "Stream the events of a room as server-sent events.", _by_http),
        query="since",
        media="text/event-stream",
    ),
    _post(
        *("replay", "Replay a record; the body is the record."),
        *(replays.replay, "/api/records"),
        gives=replays.ReplayView,  # as JSON already
    ),
    _post(
        *("review-record", "Review a record; the body is the record."),
        *(reviews.review_of_record, "/api/review"),
    ),
    _read("today", "Return today's box and your try at it.", days.today, "/api/today"),
    _open(
        *("play-today", "Open the room of your one try at today's box, or return to it."),
        *(days.play, "/api/today"),
    ),
    _read(
        *("past-day", "Return the box of a past day, with its seed."),
        *(days.past, "/api/today/{day}"),
    ),
    _read(
        *("push-key", "Return the key with which a browser subscribes to Web Push."),
        *(seats.push_key, "/api/push"),
    ),
    _post(
        *("subscribe", "Notify this browser by Web Push when it is its player's turn."),
        *(seats.subscribe, "/api/push"),
        gives_device=True,
    ),
    _post("unsubscribe", "Stop these notifications.", seats.unsubscribe, "/api/push/stop"),
)

BY_FORM = {action.name: action for action in ACTIONS if action.form}
