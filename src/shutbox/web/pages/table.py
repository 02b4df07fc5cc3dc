"""The page of a table, and its forms for playing without script.

A page shows what the API sends, and a form does what the API does. After a form, the browser is
redirected to the page, which also shows refusals.
"""

from dataclasses import replace
from typing import Any, get_type_hints

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.dice import Roll
from shutbox.errors import ShutboxError
from shutbox.game import Game, Throw
from shutbox.match import Match
from shutbox.scene import Kind, Piece
from shutbox.web.actions import play, seats
from shutbox.web.actions.context import Caller, RoomCaller
from shutbox.web.actions.registry import BY_FORM, DO, Action
from shutbox.web.actions.replies import Hint, Judged
from shutbox.web.errors import BadRequest, NameNeeded, NotAllowed
from shutbox.web.http.context import browser, room_caller_of, services_of
from shutbox.web.http.requests import read_form
from shutbox.web.pages.home import to_table
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.catalogue import stand_ins
from shutbox.web.rooms.forms import Form
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.rooms.permissions import Permission
from shutbox.web.rooms.phrases import phrases
from shutbox.web.rooms.requests import Enter, Plain
from shutbox.web.rooms.room import INVITATION, Room
from shutbox.web.rooms.shapes import shaped
from shutbox.web.rooms.view import invites, is_due


async def table(request: Request) -> Response:
    """Show a table; strangers get the form for the key of its link."""
    caller = await room_caller_of(request)
    if caller.viewer.may_see:
        return _table(caller)
    return _stranger(caller.who, caller.live.room)


async def hint(request: Request) -> Response:
    """Show a table with advice."""
    caller = await room_caller_of(request)
    found = await play.hint(caller)
    return _table(caller, says=found.says, hint=found)


async def verdict(request: Request) -> Response:
    """Show a table whose game is over, with its luck and skill."""
    caller = await room_caller_of(request)
    return _table(caller, verdict=await play.verdict(caller))


async def enter(request: Request) -> Response:
    """Follow a link by its key, typed by a guest or sent by the link's page."""
    form = await read_form(request)
    who = browser(request)
    name, (_, sign, key) = form.one("name").strip(), form.one("key").strip().rpartition("#")
    try:
        if "/" in key and not sign:
            raise NotAllowed("this link is missing its end\nask for it again")
        asked = shaped(
            {
                "action": form.action,
                "key": key,
                "name": name or None,
                "watch": bool(form.one("watch")),
            },
            Enter,
            is_form=True,
        )
        await seats.enter(who, asked)
    except (NameNeeded, NotAllowed, BadRequest) as error:
        services_of(request).metrics.refused(error)
        live = await services_of(request).rooms.find(who.room)
        return _stranger(who, live.room, key, error)
    return to_table(who.room, request, who)


async def act(request: Request) -> Response:
    """Throw, choose, take back or correct, by a form; answer as `_run` does."""
    return await _run(
        request, await read_form(request), await room_caller_of(request), BY_FORM["act"]
    )


async def do(request: Request) -> Response:
    """Run the action about seats or games that a form names; answer as `_run` does."""
    form, caller = await read_form(request), await room_caller_of(request)
    action = BY_FORM.get(form.one("what"))
    return await _run(request, form, caller, action if action and action.form == DO else None)


async def _run(request: Request, form: Form, caller: RoomCaller, action: Action | None) -> Response:
    """Run an action and redirect to the table, or show the table with a refusal or its coach."""
    caller.check(Permission.SEES)
    try:
        if action is None:
            raise BadRequest("the form does not say what to do")
        shape: type[Any] = action.takes or Plain
        done = await action(caller, shaped(_fields(caller, form, shape), shape, is_form=True))
    except ShutboxError as error:
        services_of(request).metrics.refused(error)
        return _table(caller, error)
    if coach := getattr(done, "coach", ()):
        return _table(caller, says=coach)
    return RedirectResponse(f"/r/{caller.live.room.id}", 303)


def _fields(caller: RoomCaller, form: Form, shape: type[Any]) -> dict[str, Any]:
    """Return the form's values for the fields of `shape`, a request type. Raises BadRequest."""
    found: dict[str, Any] = {}
    for name, kind in get_type_hints(shape).items():
        if name == "choice":
            found[name] = form.one(name) or _picked(caller, form)
        elif kind is int:
            found[name] = form.number(name)
        elif sent := form.action if name == "action" else form.one(name):
            found[name] = sent
    return found


def _picked(caller: RoomCaller, form: Form) -> str:
    """Return the choice that takes exactly the picked pieces, or their keys, to be refused."""
    keys, table = form.all("tile"), caller.live.room.table
    offers = table.scene.offers if table is not None else ()
    fit = (offer.text for offer in offers if offer.takes and set(offer.takes) == set(keys))
    return next(fit, " ".join(keys))


def _stranger(
    caller: Caller, room: Room, key: str = "", error: ShutboxError | None = None
) -> Response:
    """Return the page to which links lead, for callers who see no table: the form for the key.

    While a seat is free it names the players and the box. After a refusal it shows the `error`.
    """
    seat = error.seat if isinstance(error, NameNeeded) else INVITATION
    invited = invites(room, seat) if room.free and not room.closed else None
    if invited and not isinstance(error, NameNeeded):  # the key may be missing or wrong
        guests = {state.name for state in room.seats if state.plan.by_link}
        players = tuple(name for name in invited.players if name not in guests)
        invited = replace(invited, name="", players=players)
    page = rendered(
        "enter.html",
        error,
        422 if error else 200,
        origin=caller.origin,
        room=caller.room,
        name_needed=isinstance(error, NameNeeded),
        key=key,
        invited=invited,
        pieces=_box(room) if invited else (),
        action=new_action(),
    )
    page.headers["X-Robots-Tag"] = "noindex"
    return page


def _table(
    caller: RoomCaller,
    error: ShutboxError | None = None,
    *,
    says: tuple[str, ...] | None = None,
    hint: Hint | None = None,
    verdict: Judged | None = None,
) -> Response:
    snapshot = caller.snapshot
    mine = is_due(snapshot.view, snapshot.you)
    return rendered(
        "table.html",
        error,
        **vars(snapshot),
        action=new_action(),
        says=says,
        hint=hint,
        verdict=verdict,
        kinds=stand_ins(),
        phrases=phrases(),
        rests=_rests(caller.live.room.plays),
        mine=mine,
        refresh=error is None and not mine and snapshot.view.phase in ("waiting", "playing"),
    )


def _box(room: Room) -> tuple[Piece, ...]:
    """Return the pieces of a room's box, with a throw of two dice if that is how it begins."""
    game = room.plays.game if isinstance(room.plays, Match) else room.plays
    start = game.start()
    awaited = game.awaits(start)
    if isinstance(awaited, Throw) and awaited.dice.sides == (6, 6):
        start = game.rolled(start, Roll((3, 6)))
    return game.scene(start).pieces


def _rests(game: Game[Any, Any]) -> tuple[int, ...]:
    """Return the number of tiles in each row of a match's box; empty for a game alone."""
    if not isinstance(game, Match):
        return ()
    box = game.game
    rows = [piece.row for piece in box.scene(box.start()).pieces if piece.kind is Kind.TILE]
    return tuple(rows.count(row) for row in (1, 0) if row in rows)
