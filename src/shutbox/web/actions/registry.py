"""Every address of the API: what it takes and gives, who may ask, and what runs it.

From here come the routes of the API, the forms of the pages, the OpenAPI document, the test of who
may do what, and what the page without a server can do. A new action is one row here, one command
and its event.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from shutbox.web.actions import play, replays, replies, reviews, seats, tables, today
from shutbox.web.actions.context import Command
from shutbox.web.rooms import commands, requests
from shutbox.web.rooms.catalogue import Catalogue
from shutbox.web.rooms.permissions import Who

Run = Callable[[Any, Any], Awaitable[Any]]
ROOM = "/api/rooms/{room}"
DO = "/r/{room}/do"
"""Where pages send most of what is done in a room, with the name as `what`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing that can be asked, or done in a room."""

    name: str
    """What a form sends as `what`, and part of what an action's id stands for: it never changes."""
    method: str = "POST"
    path: str
    """Where programs ask for it."""
    about: str
    """What the document says of it, in English as all of the document."""
    run: Run | None = None
    """Run the action for a caller and return its reply, once what it changes is on the disk.

    Its arguments are a RoomCaller where the path names a room, or else a Caller; and what is asked.
    None: a command does it, or HTTP itself.
    """
    command: Command | None = None
    """Return the events that are to happen in the room; the reply is what the room is like then."""
    takes: type[Any] | None = None
    """The shape of the body, one of `rooms/requests.py`; `bytes`: the text of a record."""
    gives: type[Any] | None = replies.Done
    """The shape of the reply, one of `actions/replies.py`; None: HTTP makes its own response."""
    who: Who = Who.SEES
    """Who may do it in a room."""
    query: str = ""
    """The name of a whole number in the address, which is what is asked."""
    status: int = 200
    gives_device: bool = False
    """Whether a caller that is not known is given a device; it need not be in the room yet."""
    media: str = "application/json"
    """What the reply is."""
    form: str = ""
    """Where pages without script do it; empty: by a page of its own."""
    needs_server: bool = False
    """Whether a page without a server cannot do it."""

    @property
    def in_room(self) -> bool:
        """Whether its path names a room."""
        return "{room}" in self.path

    def named_by(self, method: str, path: str) -> re.Match[str] | None:
        """Return what a path names, such as its `room`, if this action is asked for there."""
        pattern = re.sub(r"{(\w+)}", r"(?P<\1>\\w+)", self.path)
        return re.fullmatch(pattern, path) if method == self.method else None

    async def __call__(self, caller: Any, asked: Any) -> Any:
        """Run the action and return its reply. Raise the refusal of any check that fails."""
        if self.command is not None:
            return await caller.arrange(self.name, self.who, asked, self.command)
        assert self.run is not None  # HTTP does the others itself
        return await self.run(caller, asked)


def _read(
    name: str, path: str, about: str, run: Run | None = None, gives: Any = None, **more: Any
) -> Action:
    """Return an action that changes nothing."""
    return Action(name=name, method="GET", path=path, about=about, run=run, gives=gives, **more)


def _change(name: str, about: str, takes: type[Any], who: Who, **more: Any) -> Action:
    """Return an action that changes a room, which a form can ask for, too."""
    found = {"path": f"{ROOM}/{name}", "form": DO, **more}
    return Action(name=name, about=about, takes=takes, who=who, **found)


def _open(name: str, path: str, about: str, run: Run, takes: type[Any], **more: Any) -> Action:
    """Return an action that opens a room, and so makes its caller known."""
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
        *("act", "Throw, choose, take back or correct.", requests.Act, Who.ACTS),
        run=play.act,
        gives=replies.Acted,
        form="/r/{room}/act",
    ),
    _change("leave", "Leave a seat.", requests.AtSeat, Who.SITS, command=commands.leave),
    _change(
        *("come-back", "Come back to a seat.", requests.AtSeat, Who.SITS),
        command=commands.come_back,
    ),
    _change(
        *("stand-in", "Let a computer player take over for a seat.", requests.StandIn, Who.FILLS),
        run=seats.stand_in,
    ),
    _change(
        *("end", "End the game by the rule about leavers.", requests.Plain, Who.AT_TABLE),
        command=commands.give_up,
    ),
    _change("rematch", "Play another game.", requests.Again, Who.AT_TABLE, command=commands.again),
    _change(
        *("renew", "Make a link anew.", requests.Renew, Who.HANDS_ON),
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
)
"""In the order in which the document has them."""

BY_FORM = {action.name: action for action in ACTIONS if action.form}
