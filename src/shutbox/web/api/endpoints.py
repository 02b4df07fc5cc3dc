"""The API: every address that programs ask, which the pages ask too. `ENDPOINTS` has them all.

What is done in a room comes from the registry of actions; the others stand here.
"""

from functools import partial

from starlette.responses import Response

from shutbox.web import limits
from shutbox.web.actions import play, records, seats, tables
from shutbox.web.actions import today as days
from shutbox.web.actions.action import Action
from shutbox.web.actions.context import Caller, room_caller
from shutbox.web.actions.registry import ACTIONS
from shutbox.web.actions.replies import (
    DayReply,
    Hint,
    Invitation,
    Judged,
    OpenedReply,
    ReplayView,
    RoomReply,
    Seated,
    TodayReply,
)
from shutbox.web.actions.reviews import ReviewView
from shutbox.web.api.openapi import document
from shutbox.web.api.streams import events
from shutbox.web.errors import BadRequest, NameNeeded
from shutbox.web.http.context import services_of
from shutbox.web.http.endpoint import Ask, Endpoint
from shutbox.web.http.errors import as_json, refusal
from shutbox.web.http.records import record_of
from shutbox.web.http.records import replay as played_again
from shutbox.web.http.requests import body_of, read_number
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.catalogue import Catalogue, catalogue
from shutbox.web.rooms.permissions import Who, hands_on
from shutbox.web.rooms.requests import Enter, LookAtLink, NewRoom, Plain
from shutbox.web.rooms.room import HOST, WATCHERS
from shutbox.web.rooms.view import invites

ROOM = "/api/rooms/{room}"


@partial(Endpoint, "GET", "/api/games", gives=Catalogue)
async def games(ask: Ask) -> Catalogue:
    """Every game, preset and kind of computer player."""
    return catalogue()


@partial(Endpoint, "GET", "/api/openapi.json")
async def openapi(ask: Ask) -> Response:
    """This document."""
    return as_json(document(ENDPOINTS))


@partial(
    Endpoint, "POST", "/api/rooms", takes=NewRoom, gives=OpenedReply, status=201, gives_device=True
)
async def open_room(ask: Ask) -> OpenedReply:
    """A new room."""
    return await _opened(ask.caller, await tables.open_room(ask.caller, ask.body))


async def _opened(who: Caller, live: LiveRoom) -> OpenedReply:
    access = who.services.rooms.access
    known = who if who.device else who.with_keys(*access.opener_keys(live.room))
    opener = await room_caller(known, live.room.id)
    seats = [*hands_on(live.room, opener.viewer), WATCHERS, HOST]
    names = {WATCHERS: "watch", HOST: "host"}
    keys = {names.get(seat, str(seat)): access.key(live.room, seat) for seat in seats}
    return OpenedReply(live.room.number, keys, live.broadcast.present(), opener.you)


@partial(Endpoint, "GET", ROOM, gives=RoomReply)
async def room(ask: Ask) -> RoomReply:
    """A room as it is now."""
    ask.there.check(Who.SEES)
    return ask.there.sight


@partial(Endpoint, "POST", "/api/rooms/{room}/enter", takes=Enter, gives=Seated, gives_device=True)
async def enter(ask: Ask) -> Seated | Response:
    """A link is followed."""
    name = ask.request.path_params["room"]
    try:
        return await seats.enter(ask.caller, name, ask.body)
    except NameNeeded as error:
        services_of(ask.request).metrics.refused(error)
        live = await ask.caller.services.rooms.find(name)
        return refusal(error, invites=invites(live.room, error.seat))


@partial(Endpoint, "POST", "/api/rooms/{room}/invitation", takes=LookAtLink, gives=Invitation)
async def invitation(ask: Ask) -> Invitation:
    """A link is looked at."""
    return await seats.invitation(ask.caller, ask.request.path_params["room"], ask.body)


@partial(Endpoint, "GET", "/api/rooms/{room}/hint", gives=Hint)
async def hint(ask: Ask) -> Hint:
    """Advice for the player who is due."""
    return await play.hint(ask.there)


@partial(Endpoint, "GET", "/api/rooms/{room}/verdict", gives=Judged)
async def verdict(ask: Ask) -> Judged:
    """What was luck and what was skill in the game that is over."""
    return await play.verdict(ask.there)


@partial(Endpoint, "GET", "/api/rooms/{room}/record", media="text/plain", query="game")
async def record(ask: Ask) -> Response:
    """The record of a game."""
    return await record_of(ask.there, ask.request)


@partial(Endpoint, "POST", "/api/records", gives=ReplayView)
async def replay(ask: Ask) -> Response:
    """A record, played again, event by event."""
    await ask.caller.count(limits.HINTS_OF_ADDRESS, "records")
    data = await body_of(ask.request, limits.LARGEST_RECORD)
    if not data.strip():
        raise BadRequest("the body is a record, and it is empty")
    found = await played_again(ask.caller, data)
    return Response(found.json, media_type="application/json")


@partial(Endpoint, "GET", "/api/rooms/{room}/review", gives=ReviewView, query="game")
async def review(ask: Ask) -> ReviewView:
    """A game of a room that is over, step by step, with luck and skill apart."""
    ask.there.check(Who.SEES)
    game = read_number(ask.request.query_params.get("game"), "game")
    return await records.review_of_room(ask.there, game or ask.there.live.room.game)


@partial(Endpoint, "POST", "/api/review", gives=ReviewView)
async def review_record(ask: Ask) -> ReviewView:
    """The same of a record that is sent."""
    await ask.caller.count(limits.HINTS_OF_ADDRESS, "reviews")
    data = await body_of(ask.request, limits.LARGEST_RECORD)
    if not data.strip():
        raise BadRequest("the body is a record, and it is empty")
    return await records.review_of_record(ask.caller, data)


@partial(Endpoint, "GET", "/api/today", gives=TodayReply)
async def today(ask: Ask) -> TodayReply:
    """Today's box."""
    return await days.today(ask.caller)


@partial(
    Endpoint, "POST", "/api/today", takes=Plain, gives=OpenedReply, status=201, gives_device=True
)
async def play_today(ask: Ask) -> OpenedReply:
    """The one try at today's box."""
    return await _opened(ask.caller, await days.play(ask.caller))


@partial(Endpoint, "GET", "/api/today/{day}", gives=DayReply)
async def past_day(ask: Ask) -> DayReply:
    """The box of a day that is over."""
    return await days.past(ask.caller, ask.request.path_params["day"])


def _endpoint(action: Action) -> Endpoint:
    async def handler(ask: Ask) -> object:
        return await action(ask.there, ask.body)

    handler.__name__ = action.name.replace("-", "_")
    return Endpoint("POST", action.address, handler, takes=action.takes, gives=action.gives)


_DONE = map(_endpoint, ACTIONS)
_DAYS = (today, play_today, past_day)
_ASKED = (hint, verdict, review, record, events, replay, review_record)
ENDPOINTS = (games, openapi, open_room, room, invitation, enter, *_DONE, *_ASKED, *_DAYS)
"""In the order in which the document has them."""
