"""Every endpoint of the API: its request, its reply, its permission, and the code that runs it.

The routes of the API, the forms of the pages, the OpenAPI document, the test of permissions and the
actions of the page without a server come from this table. A new action is a row, command and event.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from shutbox.web.actions import (
    challenges,
    play,
    push,
    replays,
    replies,
    reviews,
    seats,
    tables,
    today,
)
from shutbox.web.actions.context import Command
from shutbox.web.rooms import commands, requests
from shutbox.web.rooms.catalogue import Catalogue
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
    takes: type[Any] | None = None
    """The type of the body, from `rooms/requests.py`; `bytes` for the text of a record."""
    gives: type[Any] | None = replies.Done
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
            return await caller.arrange(self.name, self.who, asked, self.command)
        assert self.run is not None  # HTTP runs the other actions itself
        return await self.run(caller, asked)


def _read(
    name: str, path: str, about: str, run: Run | None = None, gives: Any = None, **more: Any
) -> Action:
    """Return an action that changes nothing."""
    return Action(name=name, method="GET", path=path, about=about, run=run, gives=gives, **more)


def _change(name: str, about: str, takes: type[Any], who: Permission, **more: Any) -> Action:
    """Return an action that changes a room and that a form can send, too."""
    found = {"path": f"{ROOM}/{name}", "form": DO, **more}
    return Action(name=name, about=about, takes=takes, who=who, **found)


def _open(name: str, path: str, about: str, run: Run, takes: type[Any], **more: Any) -> Action:
    """Return an action that opens a room and gives an unknown caller a device."""
    found = {"gives": replies.OpenedReply, "status": 201, "gives_device": True, **more}
    return Action(name=name, path=path, about=about, run=run, takes=takes, **found)


ACTIONS = (
    _read("games", "/api/games", "What can be played.", tables.games, Catalogue),
    _read("openapi", "/api/openapi.json", "This document.", needs_server=True),
    _open("open-room", "/api/rooms", "Open a room.", tables.open_room, requests.NewRoom),
    _read("room", ROOM, "A room as it is now.", play.room, replies.RoomReply),
    Action(
        name="invitation",
        path=f"{ROOM}/invitation",
        about="Look at a link: what it opens, and whether it takes a name.",
        run=seats.invitation,
        takes=requests.LookAtLink,
        gives=replies.Invitation,
        needs_server=True,
    ),
    Action(
        name="enter",
        path=f"{ROOM}/enter",
        about="Follow a link: take a free seat, or watch.",
        run=seats.enter,
        takes=requests.Enter,
        gives=replies.Seated,
        gives_device=True,
        needs_server=True,
    ),
    _change(
        *("act", "Throw, choose, take back or correct.", requests.Act, Permission.ACTS),
        run=play.act,
        gives=replies.Acted,
        form="/r/{room}/act",
    ),
    _change("leave", "Leave a seat.", requests.AtSeat, Permission.SITS, command=commands.leave),
    _change(
        *("come-back", "Come back to a seat.", requests.AtSeat, Permission.SITS),
        command=commands.come_back,
    ),
    _change(
        *(
            "stand-in",
            "Let a computer player take over for a seat.",
            requests.StandIn,
            Permission.FILLS,
        ),
        run=seats.stand_in,
    ),
    _change(
        *(
            "end",
            "End the game by the rule about leavers, or give up a game alone.",
            requests.Plain,
            Permission.AT_TABLE,
        ),
        command=commands.give_up,
    ),
    _change("rematch", "Play another game.", requests.Again, Permission.AT_TABLE, run=play.rematch),
    _change(
        *("word", "Promise or give a word for sealed dice.", requests.GiveWord, Permission.SITS),
        command=commands.give_word,
        form="",
    ),
    _change(
        *("decline", "Want no other game.", requests.Decline, Permission.SITS),
        command=commands.decline,
    ),
    _change(
        *("name", "Name one's seat, or change its name.", requests.NameSeat, Permission.SITS),
        command=commands.rename,
    ),
    _change(
        *("clear-name", "Take the name of a seat away.", requests.AtSeat, Permission.HOSTS),
        command=commands.clear_name,
    ),
    _change(
        *("say", "Say a phrase at the table.", requests.Say, Permission.SITS),
        run=seats.say,
    ),
    _change(
        *("renew", "Make a link anew.", requests.Renew, Permission.HANDS_ON),
        run=seats.renew,
        needs_server=True,
    ),
    _read("hint", f"{ROOM}/hint", "Advice for the player who is due.", play.hint, replies.Hint),
    _read(
        *("verdict", f"{ROOM}/verdict", "What was luck and what was skill in a game that is over."),
        *(play.verdict, replies.Judged),
    ),
    _read(
        *("review", f"{ROOM}/review"),
        "A game that is over, step by step, with luck and skill apart.",
        *(reviews.review_of_room, reviews.ReviewView),
        query="game",
    ),
    _read(
        *("challenge", f"{ROOM}/challenge", "Links to challenge others by the same dice."),
        *(challenges.links, replies.ChallengeReply),
    ),
    _open(
        *("take-challenge", "/api/challenges", "Open a room with the dice of a challenge."),
        *(challenges.take, requests.TakeChallenge),
    ),
    _read(
        *("record", f"{ROOM}/record", "The record of a game.", replays.recorded),
        query="game",
        media="text/plain",
    ),
    _read(
        *("events", f"{ROOM}/events", "What happens, as server-sent events."),
        query="since",
        media="text/event-stream",
        needs_server=True,
    ),
    Action(
        name="replay",
        path="/api/records",
        about="Play a record again; the body is the record.",
        run=replays.replay,
        takes=bytes,
        gives=replies.ReplayView,
    ),
    Action(
        name="review-record",
        path="/api/review",
        about="Review a record; the body is the record.",
        run=reviews.review_of_record,
        takes=bytes,
        gives=reviews.ReviewView,
    ),
    _read(
        *("today", "/api/today", "Today's box, and how your try at it stands."),
        *(today.today, replies.TodayReply),
        needs_server=True,
    ),
    _open(
        *("play-today", "/api/today"),
        "Open the room of your one try at today's box, or find it again.",
        *(today.play, requests.Plain),
        needs_server=True,
    ),
    _read(
        *("past-day", "/api/today/{day}", "The box of a day that is over, with its seed."),
        *(today.past, replies.DayReply),
        needs_server=True,
    ),
    _read(
        *("push-key", "/api/push", "The key with which a browser subscribes to Web Push."),
        *(push.push_key, replies.PushReply),
        needs_server=True,
    ),
    Action(
        name="subscribe",
        path="/api/push",
        about="Tell this browser by Web Push when it is its player's turn.",
        run=push.subscribe,
        takes=requests.Subscribe,
        gives=replies.PushReply,
        gives_device=True,
        needs_server=True,
    ),
    Action(
        name="unsubscribe",
        path="/api/push/stop",
        about="Tell this browser no longer.",
        run=push.unsubscribe,
        takes=requests.Plain,
        gives=replies.PushReply,
        needs_server=True,
    ),
)
"""All actions, in the order of the OpenAPI document."""

BY_FORM = {action.name: action for action in ACTIONS if action.form}
