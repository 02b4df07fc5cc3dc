"""The page of a table, and its forms without script.

A page shows what the API sends, and a form does what the API does. The answer to a form redirects
the browser to the page, or is the page with a refusal.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, get_type_hints

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.engine.errors import BadName, ShutboxError
from shutbox.engine.game import Game
from shutbox.engine.scene import Kind, Offer, Piece
from shutbox.match import Match, turn_game
from shutbox.output.picture import pieces_with_dice
from shutbox.web.actions import advice, seats
from shutbox.web.actions.context import Caller, RoomCaller
from shutbox.web.actions.registry import BY_FORM
from shutbox.web.actions.tables import stand_ins
from shutbox.web.errors import BadRequest, NameNeeded
from shutbox.web.http.requests import browser_of, caller_of, give_device, read_form, room_caller_of
from shutbox.web.pages.templates import render
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.events import phrases
from shutbox.web.rooms.links import DEVICE_KEY_LENGTH, find_key, find_page, plain_link
from shutbox.web.rooms.log_line import LogLine
from shutbox.web.rooms.requests import Enter, Form, Plain
from shutbox.web.rooms.room import INVITATION, Room
from shutbox.web.rooms.shapes import shaped
from shutbox.web.rooms.view import invites, is_due


async def table(request: Request) -> Response:
    """Show a table; a caller who may not see it gets a form for the key of its link."""
    caller = await room_caller_of(request)
    if caller.viewer.may_see:
        return _table(caller)
    return _stranger(caller.client, caller.live.room)


async def hint(request: Request) -> Response:
    """Show a table with advice for the player who is due. Raises as `advice.hint`."""
    caller = await room_caller_of(request)
    hint = await advice.hint(caller)
    return _table(caller, says=hint.says, hint=hint)


async def verdict(request: Request) -> Response:
    """Show a table whose game is over, with its luck and skill. Raises as `advice.verdict`."""
    caller = await room_caller_of(request)
    return _table(caller, verdict=await advice.verdict(caller))


async def enter(request: Request) -> Response:
    """Follow a link by its key, typed or sent by its page; if refused, show why, and the form."""
    form, caller = await read_form(request), caller_of(request)
    name, link, to = form.one("name").strip(), form.one("key"), find_page(form.one("key"))
    host = caller.origin.partition("://")[2]
    if to not in ("", f"/r/{caller.room}") and host in plain_link(link):
        return RedirectResponse(f"{to}#{find_key(link, DEVICE_KEY_LENGTH)}", 303)
    try:
        caller, watch = browser_of(request), bool(form.one("watch"))
        sent = {"action": form.action, "key": link, "name": name or None, "watch": watch}
        await seats.enter(caller, shaped(sent, Enter))
    except ShutboxError as error:
        live = await caller.services.rooms.find(caller.room)
        return _stranger(caller, live.room, error, key=link, name=name)
    return to_table(caller.room, request, caller)


async def act(request: Request) -> Response:
    """Run the action that a form names, or throw, choose, take back or correct.

    Redirect to the table, or show it with a refusal or the coach's words.
    """
    form, caller = await read_form(request), await room_caller_of(request)
    caller.check(Permission.SEES)
    try:
        if (action := BY_FORM.get(form.one("what") or "act")) is None:
            raise BadRequest("the form does not say what to do")
        shape: type[Any] = action.takes or Plain
        done = await action.run(caller, shaped(_fields(caller, form, shape), shape))
    except ShutboxError as error:
        return _table(caller, error)
    if coach := getattr(done, "coach", ()):
        return _table(caller, says=coach)
    return RedirectResponse(f"/r/{caller.live.room.id}", 303)


def _fields(caller: RoomCaller, form: Form, shape: type[Any]) -> dict[str, Any]:
    """Return the form's values for the fields of `shape`, a request type. Raises BadRequest."""
    values: dict[str, Any] = {}
    for name, kind in get_type_hints(shape).items():
        if name == "choice":
            table = caller.live.room.table
            offers = table.scene.offers if table is not None else ()
            values[name] = form.one(name) or pick_choice(form, offers)
        elif kind is int:
            values[name] = form.number(name)
        elif sent := form.action if name == "action" else form.one(name):
            values[name] = sent
    return values


def pick_choice(form: Form, offers: Iterable[Offer]) -> str:
    """Return the choice that takes exactly the picked pieces; else their keys, to be refused."""
    keys = form.all("tile")
    fit = (offer.text for offer in offers if offer.takes and set(offer.takes) == set(keys))
    return next(fit, " ".join(keys))


def _stranger(
    caller: Caller, room: Room, error: ShutboxError | None = None, *, key: str = "", name: str = ""
) -> Response:
    """Return the page for a caller who may not see the table: a form for the key of a link.

    While a seat is free it names the players and the box. After a refusal it shows the `error`, and
    the `key` and `name` as they were sent.
    """
    seat = error.seat if isinstance(error, NameNeeded) else INVITATION
    invited = invites(room, seat) if room.free and not room.closed else None
    if invited and not isinstance(error, NameNeeded):  # the key may be missing or wrong
        guests = {state.name for state in room.seats if state.plan.by_link}
        players = tuple(name for name in invited.players if name not in guests)
        invited = replace(invited, name="", players=players)
    box = turn_game(room.game)
    page = render(
        "enter.html",
        error,
        origin=caller.origin,
        room=caller.room,
        name_needed=isinstance(error, NameNeeded),
        wrong="name" if isinstance(error, BadName | NameNeeded) else "key" if error else "",
        key=key,
        name=name or (invited.name if invited else ""),
        invited=invited,
        pieces=tuple(pieces_with_dice(box)) if invited else (),
    )
    page.headers["X-Robots-Tag"] = "noindex"
    return page


def _table(caller: RoomCaller, error: ShutboxError | None = None, **told: Any) -> Response:
    """Return a table's page; `told` may have the coach's words (`says`), `hint` and `verdict`."""
    snapshot, game = caller.snapshot, caller.live.room.game
    mine = is_due(snapshot.view, snapshot.you)
    return render(
        "table.html",
        error,
        **vars(snapshot),
        **{"says": None, "hint": None, "verdict": None, **told},
        kinds=stand_ins(),
        phrases=phrases(),
        rests=_rests(game),
        has_rows=isinstance(game, Match) and game.rules.rows is not None,
        mine=mine,
        newest=_newest_words(snapshot.log, snapshot.you.seats),
        refresh=error is None and not mine and snapshot.view.phase in ("waiting", "playing"),
    )


def _newest_words(log: Sequence[LogLine], seats: Collection[int]) -> tuple[str, ...]:
    """Return the newest sentences for these seats: a throw can be told only to its player."""
    for line in reversed(log):
        if line.says:
            return line.says
        if line.own and line.seat in seats:
            return line.own.says
    return ()


def _rests(game: Game[Any, Any]) -> list[list[Piece]]:
    """Return the tiles in each row of a match's box, back first; [] for a single game."""
    if not isinstance(game, Match):
        return []
    tiles = [piece for piece in pieces_with_dice(game.game) if piece.kind is Kind.TILE]
    rows = ([tile for tile in tiles if tile.row == row] for row in (1, 0))
    return list(filter(None, rows))


def to_table(room: str, request: Request, caller: Caller) -> Response:
    """Redirect a browser to a table, with the cookie of its device if the device is new."""
    return give_device(RedirectResponse(f"/r/{room}", 303), request, caller)
