"""The API: every address that programs ask, which the pages ask too. `ENDPOINTS` has them all."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

import msgspec
from starlette.responses import Response

from shutbox.errors import BadRequest, NameNeeded
from shutbox.web import limits
from shutbox.web.actions import common
from shutbox.web.actions.records import record_of_visit, replayed
from shutbox.web.api.openapi import document
from shutbox.web.api.schemas import (
    Act,
    Acted,
    Again,
    AtSeat,
    Catalogue,
    Done,
    Enter,
    Hint,
    NewRoom,
    Opened,
    Plain,
    Renew,
    Replay,
    Room,
    Seated,
    StandIn,
)
from shutbox.web.api.streams import events
from shutbox.web.http.cookies import give_device
from shutbox.web.http.endpoint import Ask, Endpoint, Handler, as_json
from shutbox.web.http.errors import refused, status_of
from shutbox.web.http.identity import Visit, visit
from shutbox.web.http.requests import body_of
from shutbox.web.rooms.catalogue import catalogue
from shutbox.web.rooms.room import HOST, WATCHERS
from shutbox.web.rooms.view import (
    check_at_table,
    check_sees,
    hands_on,
    invites,
    log_lines,
    rules_of,
)


async def games(ask: Ask) -> Catalogue:
    """Every game, preset and kind of computer player."""
    return catalogue()


async def openapi(ask: Ask) -> Response:
    """This document."""
    return as_json(document(ENDPOINTS))


async def open_room(ask: Ask) -> Response:
    """A new room."""
    who = ask.caller.with_device()
    live = await common.open_room(who, ask.body)
    rooms = who.server.rooms
    opener = await visit(who, live.room.id)
    seats = [*hands_on(live.room, opener.viewer), WATCHERS, HOST]
    names = {WATCHERS: "watch", HOST: "host"}
    keys = {names.get(seat, str(seat)): rooms.passes.key(live.room, seat) for seat in seats}
    response = as_json(Opened(live.room.number, keys, live.present(), opener.you), 201)
    if ask.caller.device is None:
        give_device(response, who)
    return response


async def room(ask: Ask) -> Room:
    """A room as it is now."""
    check_sees(ask.visiting.viewer)
    live = ask.visiting.live
    return Room(live.present(), ask.visiting.you, log_lines(live.room), rules_of(live.room))


async def enter(ask: Ask) -> Response:
    """A link is followed."""
    who = ask.caller.with_device()
    name = ask.request.path_params["room"]
    try:
        seated = await common.enter(who, name, ask.body)
    except NameNeeded as error:
        live = await who.server.rooms.find(name)
        asks = msgspec.structs.replace(refused(error), invites=invites(live.room))
        return as_json(asks, status_of(error))
    response = as_json(seated)
    if ask.caller.device is None:
        give_device(response, who)
    return response


def _in_room(doing: Callable[[Visit, Any], Awaitable[Any]]) -> Handler:
    """The handler of what is done in a room by whoever asks."""

    @wraps(doing)
    async def handler(ask: Ask) -> object:
        return await doing(ask.visiting, ask.body)

    return handler


async def hint(ask: Ask) -> Hint:
    """Advice for whoever is due."""
    check_at_table(ask.visiting.viewer)
    server = ask.caller.server
    await server.rates.check(limits.HINTS_OF_ADDRESS, "hints", ask.caller.address)
    return Hint(await server.rooms.computers.hint(ask.visiting.live))


async def record(ask: Ask) -> Response:
    """The record of a game."""
    check_sees(ask.visiting.viewer)
    return await record_of_visit(ask.visiting, ask.request)


async def replay(ask: Ask) -> Replay:
    """A record, played again, event by event."""
    await ask.caller.server.rates.check(limits.HINTS_OF_ADDRESS, "records", ask.caller.address)
    data = await body_of(ask.request, limits.LARGEST_RECORD)
    if not data.strip():
        raise BadRequest("the body is a record, and it is empty")
    async with ask.caller.server.replaying:
        return await asyncio.to_thread(replayed, data)


ROOM = "/api/rooms/{room}"

_DOINGS: tuple[tuple[Callable[[Visit, Any], Awaitable[Any]], type, type, str], ...] = (
    (common.act, Act, Acted, "Throw, choose, take back or correct."),
    (common.leave, AtSeat, Done, "Leave a seat."),
    (common.come_back, AtSeat, Done, "Come back to a seat."),
    (common.stand_in, StandIn, Done, "Let a computer player go on for a seat."),
    (common.end, Plain, Done, "End the game by the rule about leavers."),
    (common.rematch, Again, Done, "Play another game."),
    (common.renew, Renew, Done, "Make a link anew."),
)
"""What is done in a room, what it takes and gives; its address is called after it."""

ENDPOINTS = (
    Endpoint("GET", "/api/games", "What can be played.", games, gives=Catalogue),
    Endpoint("GET", "/api/openapi.json", "This document.", openapi),
    Endpoint(
        "POST",
        "/api/rooms",
        "Open a room.",
        open_room,
        NewRoom,
        Opened,
        status=201,
        refuses=(403, 422, 503),
    ),
    Endpoint("GET", ROOM, "A room as it is now.", room, gives=Room, refuses=(403, 404)),
    Endpoint(
        "POST",
        f"{ROOM}/enter",
        "Follow a link: take a free seat, or watch.",
        enter,
        Enter,
        Seated,
        refuses=(403, 404, 409, 422, 503),
        visits=False,
    ),
    *(
        Endpoint(
            "POST",
            f"{ROOM}/{doing.__name__.replace('_', '-')}",
            summary,
            _in_room(doing),
            takes,
            gives,
            refuses=(403, 404, 409, 422, 503),
        )
        for doing, takes, gives, summary in _DOINGS
    ),
    Endpoint(
        "GET",
        f"{ROOM}/hint",
        "Advice for whoever is due.",
        hint,
        gives=Hint,
        refuses=(403, 404),
    ),
    Endpoint(
        "GET",
        f"{ROOM}/record",
        "The record of a game.",
        record,
        refuses=(403, 404),
        media="text/plain",
        query=(("game", "the number of the game, from 1; without it the one that is played"),),
    ),
    Endpoint(
        "GET",
        f"{ROOM}/events",
        "What happens, as server-sent events.",
        events,
        refuses=(403, 404, 503),
        media="text/event-stream",
        query=(("since", "the number of the last event that is known"),),
    ),
    Endpoint(
        "POST",
        "/api/records",
        "Play a record again; the body is the record.",
        replay,
        gives=Replay,
        refuses=(422,),
    ),
)
