"""The API: every address that programs ask, which the pages ask too. `ENDPOINTS` has them all.

What is done in a room comes from the registry of actions; the others stand here.
"""

from starlette.responses import Response

from shutbox.messages import gettext_noop
from shutbox.web import limits
from shutbox.web.actions import records, seats, tables
from shutbox.web.actions.action import Action
from shutbox.web.actions.context import room_caller
from shutbox.web.actions.registry import ACTIONS
from shutbox.web.actions.replies import Hint, OpenedReply, ReplayView, RoomReply, Seated
from shutbox.web.api.openapi import document
from shutbox.web.api.streams import events
from shutbox.web.errors import BadRequest, NameNeeded
from shutbox.web.http.context import services_of
from shutbox.web.http.cookies import give_device
from shutbox.web.http.endpoint import Ask, Endpoint
from shutbox.web.http.errors import as_json, refusal
from shutbox.web.http.records import record_of
from shutbox.web.http.requests import body_of
from shutbox.web.rooms.catalogue import Catalogue, catalogue
from shutbox.web.rooms.permissions import Who, hands_on
from shutbox.web.rooms.requests import Enter, NewRoom
from shutbox.web.rooms.room import HOST, WATCHERS
from shutbox.web.rooms.view import invites, log_lines, rules_of


async def games(ask: Ask) -> Catalogue:
    """Every game, preset and kind of computer player."""
    return catalogue()


async def openapi(ask: Ask) -> Response:
    """This document."""
    return as_json(document(ENDPOINTS))


async def open_room(ask: Ask) -> Response:
    """A new room."""
    who = ask.caller.with_device()
    live = await tables.open_room(who, ask.body)
    opener = await room_caller(who, live.room.id)
    seats = [*hands_on(live.room, opener.viewer), WATCHERS, HOST]
    names, access = {WATCHERS: "watch", HOST: "host"}, who.services.rooms.access
    keys = {names.get(seat, str(seat)): access.key(live.room, seat) for seat in seats}
    view = live.broadcast.present()
    response = as_json(OpenedReply(live.room.number, keys, view, opener.you), 201)
    if ask.caller.device is None:
        give_device(response, services_of(ask.request).site, who.device)
    return response


async def room(ask: Ask) -> RoomReply:
    """A room as it is now."""
    ask.there.check(Who.SEES)
    live = ask.there.live
    view = live.broadcast.present()
    return RoomReply(view, ask.there.you, log_lines(live.room), rules_of(live.room))


async def enter(ask: Ask) -> Response:
    """A link is followed."""
    who = ask.caller.with_device()
    name = ask.request.path_params["room"]
    try:
        seated = await seats.enter(who, name, ask.body)
    except NameNeeded as error:
        live = await who.services.rooms.find(name)
        return refusal(error, invites=invites(live.room))
    response = as_json(seated)
    if ask.caller.device is None:
        give_device(response, services_of(ask.request).site, who.device)
    return response


async def hint(ask: Ask) -> Hint:
    """Advice for whoever is due."""
    ask.there.check(Who.AT_TABLE)
    services = ask.caller.services
    await services.rates.check(limits.HINTS_OF_ADDRESS, "hints", ask.caller.address)
    return Hint(*await services.advisor.hint(ask.there.live))


async def record(ask: Ask) -> Response:
    """The record of a game."""
    ask.there.check(Who.SEES)
    return await record_of(ask.there, ask.request)


async def replay(ask: Ask) -> ReplayView:
    """A record, played again, event by event."""
    who = ask.caller
    await who.services.rates.check(limits.HINTS_OF_ADDRESS, "records", who.address)
    data = await body_of(ask.request, limits.LARGEST_RECORD)
    if not data.strip():
        raise BadRequest("the body is a record, and it is empty")
    return await records.replay(who, data)


ROOM = "/api/rooms/{room}"


def _endpoint(action: Action) -> Endpoint:
    """The address of what is done in a room."""

    async def handler(ask: Ask) -> object:
        return await action(ask.there, ask.body)

    return Endpoint(
        name=action.name.replace("-", "_"),
        method="POST",
        path=action.address,
        summary=action.summary,
        handler=handler,
        takes=action.takes,
        gives=action.gives,
        refuses=(403, 404, 409, 422, 503),
    )


ENDPOINTS = (
    Endpoint(
        name="games",
        method="GET",
        path="/api/games",
        summary=gettext_noop("What can be played."),
        handler=games,
        gives=Catalogue,
    ),
    Endpoint(
        name="openapi",
        method="GET",
        path="/api/openapi.json",
        summary=gettext_noop("This document."),
        handler=openapi,
    ),
    Endpoint(
        name="open_room",
        method="POST",
        path="/api/rooms",
        summary=gettext_noop("Open a room."),
        handler=open_room,
        takes=NewRoom,
        gives=OpenedReply,
        status=201,
        refuses=(403, 422, 503),
    ),
    Endpoint(
        name="room",
        method="GET",
        path=ROOM,
        summary=gettext_noop("A room as it is now."),
        handler=room,
        gives=RoomReply,
        refuses=(403, 404),
    ),
    Endpoint(
        name="enter",
        method="POST",
        path="/api/rooms/{room}/enter",
        summary=gettext_noop("Follow a link: take a free seat, or watch."),
        handler=enter,
        takes=Enter,
        gives=Seated,
        refuses=(403, 404, 409, 422, 503),
        looks_at_caller=False,
    ),
    *map(_endpoint, ACTIONS),
    Endpoint(
        name="hint",
        method="GET",
        path="/api/rooms/{room}/hint",
        summary=gettext_noop("Advice for whoever is due."),
        handler=hint,
        gives=Hint,
        refuses=(403, 404),
    ),
    Endpoint(
        name="record",
        method="GET",
        path="/api/rooms/{room}/record",
        summary=gettext_noop("The record of a game."),
        handler=record,
        refuses=(403, 404),
        media="text/plain",
        query=(
            (
                "game",
                gettext_noop("the number of the game, from 1; without it the one that is played"),
            ),
        ),
    ),
    Endpoint(
        name="events",
        method="GET",
        path="/api/rooms/{room}/events",
        summary=gettext_noop("What happens, as server-sent events."),
        handler=events,
        refuses=(403, 404, 503),
        media="text/event-stream",
        query=(("since", gettext_noop("the number of the last event that is known")),),
    ),
    Endpoint(
        name="replay",
        method="POST",
        path="/api/records",
        summary=gettext_noop("Play a record again; the body is the record."),
        handler=replay,
        gives=ReplayView,
        refuses=(422,),
    ),
)
