"""The API: every address that programs ask, which the pages ask too. `ENDPOINTS` has them all.

What is done in a room comes from the registry of actions; the others stand here.
"""

from functools import partial

from starlette.responses import Response

from shutbox.messages import gettext_noop
from shutbox.web import limits
from shutbox.web.actions import play, records, seats, tables
from shutbox.web.actions.action import Action
from shutbox.web.actions.context import room_caller
from shutbox.web.actions.registry import ACTIONS
from shutbox.web.actions.replies import Hint, OpenedReply, ReplayView, RoomReply, Seated
from shutbox.web.api.openapi import document
from shutbox.web.api.streams import events
from shutbox.web.errors import BadRequest, NameNeeded
from shutbox.web.http.endpoint import Ask, Endpoint
from shutbox.web.http.errors import as_json, refusal
from shutbox.web.http.records import record_of
from shutbox.web.http.requests import body_of
from shutbox.web.rooms.catalogue import Catalogue, catalogue
from shutbox.web.rooms.permissions import Who, hands_on
from shutbox.web.rooms.requests import Enter, NewRoom
from shutbox.web.rooms.room import HOST, WATCHERS
from shutbox.web.rooms.view import invites

ROOM = "/api/rooms/{room}"


@partial(Endpoint, "GET", "/api/games", gettext_noop("What can be played."), gives=Catalogue)
async def games(ask: Ask) -> Catalogue:
    """Every game, preset and kind of computer player."""
    return catalogue()


@partial(Endpoint, "GET", "/api/openapi.json", gettext_noop("This document."))
async def openapi(ask: Ask) -> Response:
    """This document."""
    return as_json(document(ENDPOINTS))


@partial(
    Endpoint,
    "POST",
    "/api/rooms",
    gettext_noop("Open a room."),
    takes=NewRoom,
    gives=OpenedReply,
    status=201,
    gives_device=True,
    refuses=(403, 503),
)
async def open_room(ask: Ask) -> OpenedReply:
    """A new room."""
    who = ask.caller
    live = await tables.open_room(who, ask.body)
    opener = await room_caller(who, live.room.id)
    seats = [*hands_on(live.room, opener.viewer), WATCHERS, HOST]
    names, access = {WATCHERS: "watch", HOST: "host"}, who.services.rooms.access
    keys = {names.get(seat, str(seat)): access.key(live.room, seat) for seat in seats}
    return OpenedReply(live.room.number, keys, live.broadcast.present(), opener.you)


@partial(Endpoint, "GET", ROOM, gettext_noop("A room as it is now."), gives=RoomReply)
async def room(ask: Ask) -> RoomReply:
    """A room as it is now."""
    ask.there.check(Who.SEES)
    return ask.there.sight


@partial(
    Endpoint,
    "POST",
    "/api/rooms/{room}/enter",
    gettext_noop("Follow a link: take a free seat, or watch."),
    takes=Enter,
    gives=Seated,
    gives_device=True,
)
async def enter(ask: Ask) -> Seated | Response:
    """A link is followed."""
    name = ask.request.path_params["room"]
    try:
        return await seats.enter(ask.caller, name, ask.body)
    except NameNeeded as error:
        live = await ask.caller.services.rooms.find(name)
        return refusal(error, invites=invites(live.room))


@partial(
    Endpoint,
    "GET",
    "/api/rooms/{room}/hint",
    gettext_noop("Advice for whoever is due."),
    gives=Hint,
)
async def hint(ask: Ask) -> Hint:
    """Advice for whoever is due."""
    return await play.hint(ask.there)


@partial(
    Endpoint,
    "GET",
    "/api/rooms/{room}/record",
    gettext_noop("The record of a game."),
    media="text/plain",
    query=(
        "game",
        gettext_noop("the number of the game, from 1; without it the one that is played"),
    ),
)
async def record(ask: Ask) -> Response:
    """The record of a game."""
    return await record_of(ask.there, ask.request)


@partial(
    Endpoint,
    "POST",
    "/api/records",
    gettext_noop("Play a record again; the body is the record."),
    gives=ReplayView,
)
async def replay(ask: Ask) -> ReplayView:
    """A record, played again, event by event."""
    await ask.caller.count(limits.HINTS_OF_ADDRESS, "records")
    data = await body_of(ask.request, limits.LARGEST_RECORD)
    if not data.strip():
        raise BadRequest("the body is a record, and it is empty")
    return await records.replay(ask.caller, data)


_ACTIONS = {
    "act": gettext_noop("Throw, choose, take back or correct."),
    "leave": gettext_noop("Leave a seat."),
    "come-back": gettext_noop("Come back to a seat."),
    "stand-in": gettext_noop("Let a computer player go on for a seat."),
    "end": gettext_noop("End the game by the rule about leavers."),
    "rematch": gettext_noop("Play another game."),
    "renew": gettext_noop("Make a link anew."),
}
"""What the document says of each action."""


def _endpoint(action: Action) -> Endpoint:
    """The address of what is done in a room."""

    async def handler(ask: Ask) -> object:
        return await action(ask.there, ask.body)

    handler.__name__ = action.name.replace("-", "_")
    about = _ACTIONS[action.name]
    return Endpoint("POST", action.address, about, handler, takes=action.takes, gives=action.gives)


ENDPOINTS = (
    games,
    openapi,
    open_room,
    room,
    enter,
    *map(_endpoint, ACTIONS),
    hint,
    record,
    events,
    replay,
)
"""In the order in which the document has them."""
