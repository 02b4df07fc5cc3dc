"""The page of a table, and those of records and help, which play by forms where there is no script.

A page shows what the API tells, and a form does what the API does. After a form the browser is sent
back to the page; what was refused is said there.
"""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Message

from shutbox.errors import BadRequest, NameNeeded, NotAllowed, ShutboxError
from shutbox.web import limits
from shutbox.web.actions import common
from shutbox.web.actions.records import record_of_visit, recorded, replayed
from shutbox.web.api.schemas import (
    Act,
    Again,
    AtSeat,
    Enter,
    Invites,
    Plain,
    Renew,
    Replay,
    StandIn,
)
from shutbox.web.http.cookies import give_device
from shutbox.web.http.errors import saying_when, sentence, status_of
from shutbox.web.http.forms import Form, read_form, shaped
from shutbox.web.http.identity import Visit, caller, visit
from shutbox.web.http.requests import body_of, read_number
from shutbox.web.pages.templates import for_script, rendered
from shutbox.web.rooms.catalogue import catalogue
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.rooms.view import check_at_table, check_sees, invites, is_due, log_lines, rules_of


async def table(request: Request) -> Response:
    """The page of a table; for strangers, the form for the key of its link."""
    visiting = await _visit(request)
    if not visiting.viewer.may_see:
        return _stranger(visiting.live.room.id)
    return _table(visiting)


async def hint(request: Request) -> Response:
    """The page of a table, with advice."""
    visiting = await _visit(request)
    check_at_table(visiting.viewer)
    server = visiting.caller.server
    await server.rates.check(limits.HINTS_OF_ADDRESS, "hints", visiting.caller.address)
    return _table(visiting, hint=await server.rooms.computers.hint(visiting.live))


async def enter(request: Request) -> Response:
    """The key of a link, typed or sent from it."""
    form = await read_form(request)
    who, room = caller(request), request.path_params["room"]
    inside = who.with_device()
    key, name = form.one("key").strip().rpartition("#")[2], form.one("name").strip()
    try:
        asked = shaped({"action": form.action, "key": key, "name": name or None}, Enter)
        await common.enter(inside, room, asked)
    except ShutboxError as error:
        if isinstance(error, NameNeeded):
            live = await who.server.rooms.find(room)
            return _stranger(room, error=sentence(error), key=key, to=invites(live.room))
        if isinstance(error, NotAllowed | BadRequest):
            return _stranger(room, error=sentence(error), key=key)
        raise
    response = RedirectResponse(f"/r/{room}", 303)
    if who.device is None:
        give_device(response, inside)
    return response


async def act(request: Request) -> Response:
    """A throw, a choice, or something taken back or corrected, by a form."""
    form, visiting = await read_form(request), await _visit(request)
    check_sees(visiting.viewer)
    try:
        asked = {
            "action": form.action,
            "game": form.number("game"),
            "version": form.number("version"),
            "seat": form.number("seat"),
            "do": form.one("do"),
            "choice": form.one("choice") or _picked(visiting, form),
            "roll": form.one("roll"),
        }
        acted = await common.act(visiting, shaped(asked, Act))
    except ShutboxError as error:
        return _table(visiting, error=error)
    if acted.coach:
        return _table(visiting, hint=acted.coach)
    return RedirectResponse(f"/r/{visiting.live.room.id}", 303)


def _picked(visiting: Visit, form: Form) -> str:
    """The offer that takes just the pieces that were picked; or their keys, to be refused."""
    keys, room = form.all("tile"), visiting.live.room
    if room.table is not None:
        for offer in room.table.scene.offers:
            if offer.takes and set(offer.takes) == set(keys):
                return offer.text
    return " ".join(keys)


async def do(request: Request) -> Response:
    """What is done about seats and games, by a form."""
    form, visiting = await read_form(request), await _visit(request)
    check_sees(visiting.viewer)
    action = {"action": form.action}
    try:
        match form.one("what"):
            case "leave":
                await common.leave(visiting, shaped(action | _seat(form), AtSeat))
            case "come-back":
                await common.come_back(visiting, shaped(action | _seat(form), AtSeat))
            case "stand-in":
                kind = {"computer": form.one("computer") or "fewest"}
                await common.stand_in(visiting, shaped(action | _seat(form) | kind, StandIn))
            case "end":
                await common.end(visiting, shaped(action, Plain))
            case "rematch":
                again = action | {"game": form.number("game")}
                await common.rematch(visiting, shaped(again, Again))
            case "renew":
                await common.renew(visiting, shaped(action | _seat(form), Renew))
            case _:
                raise BadRequest("the form does not say what is to be done")
    except ShutboxError as error:
        return _table(visiting, error=error)
    return RedirectResponse(f"/r/{visiting.live.room.id}", 303)


def _seat(form: Form) -> dict[str, Any]:
    return {"seat": form.number("seat")}


async def record(request: Request) -> Response:
    """The record of a game, to be kept."""
    visiting = await _visit(request)
    check_sees(visiting.viewer)
    return await record_of_visit(visiting, request)


async def replay(request: Request) -> Response:
    """The form for a record; or the game of a table, step by step."""
    room, game = request.query_params.get("room"), request.query_params.get("game")
    if room is None:
        return _replay(None)
    visiting = await visit(caller(request), room)
    check_sees(visiting.viewer)
    number = read_number(game, "game")
    data = await recorded(visiting, visiting.live.room.game if number is None else number)
    async with visiting.caller.server.recording:
        found = await asyncio.to_thread(replayed, data)
    return _replay(found)


async def open_record(request: Request) -> Response:
    """A record that was sent, step by step."""
    who = caller(request)
    await who.server.rates.check(limits.HINTS_OF_ADDRESS, "records", who.address)
    # Headers of the form itself take some bytes, too.
    body = await body_of(request, limits.LARGEST_RECORD + limits.LARGEST_BODY)

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        async with Request(request.scope, receive).form(max_files=1, max_fields=5) as form:
            sent = form.get("record")
            if sent is None or isinstance(sent, str):
                return _replay(None, "No file was sent.", 422)
            data = await sent.read(limits.LARGEST_RECORD + 1)
    except (LookupError, UnicodeError):
        raise BadRequest("the form names a character set that it is not in") from None
    if len(data) > limits.LARGEST_RECORD:
        raise BadRequest(f"the record is longer than {limits.LARGEST_RECORD:,} bytes")
    try:
        async with who.server.replaying:
            found = await asyncio.to_thread(replayed, data)
        return _replay(found)
    except ShutboxError as error:
        return _replay(None, sentence(error), status_of(error))


def _replay(found: Replay | None, error: str | None = None, status: int = 200) -> Response:
    return rendered("replay.html", status, replay=found, error=error)


async def help(request: Request) -> Response:
    """Keys, and how to play by ear, by switch, and without script."""
    return rendered("help.html")


async def _visit(request: Request) -> Visit:
    looks = request.method == "GET"
    return await visit(caller(request), request.path_params["room"], newest=looks)


def _stranger(
    room: str,
    *,
    error: str | None = None,
    key: str = "",
    to: Invites | None = None,
) -> Response:
    """The form for the key of a link; `to`: the table that asks for a name."""
    return rendered(
        "enter.html",
        422 if error else 403,
        room=room,
        error=error,
        name_needed=to is not None,
        invites=to,
        key=key,
        action=new_action(),
    )


def _table(
    visiting: Visit, *, error: ShutboxError | None = None, hint: tuple[str, ...] | None = None
) -> Response:
    live = visiting.live
    view, you, log, rules = live.present(), visiting.you, log_lines(live.room), rules_of(live.room)
    kinds = catalogue().computers
    boot = {
        "view": view,
        "you": you,
        "log": log,
        "rules": rules,
        "kinds": [kind.id for kind in kinds],
    }
    mine = is_due(view, you)
    page = rendered(
        "table.html",
        200 if error is None else status_of(error),
        view=view,
        you=you,
        log=log,
        rules=rules,
        boot=for_script(boot),
        action=new_action(),
        hint=hint,
        error=None if error is None else sentence(error),
        kinds=kinds,
        mine=mine,
        refresh=error is None and not mine and view.phase in ("waiting", "playing"),
    )
    return saying_when(page, error)
