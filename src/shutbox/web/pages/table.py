"""The page of a table, and its forms for playing without script.

A page shows what the API sends, and a form does what the API does. After a form, the browser is
redirected to the page, which also shows refusals.
"""

from typing import Any, get_type_hints

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.errors import ShutboxError
from shutbox.game import Game
from shutbox.match import Match
from shutbox.scene import Kind
from shutbox.web.actions import play, seats
from shutbox.web.actions.context import Caller, RoomCaller
from shutbox.web.actions.registry import BY_FORM, DO, Action
from shutbox.web.actions.replies import Hint, Judged
from shutbox.web.errors import BadRequest, NameNeeded, NotAllowed
from shutbox.web.http.context import browser, caller_there, services_of
from shutbox.web.http.requests import Form, read_form
from shutbox.web.pages.home import to_table
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.catalogue import stand_ins
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.rooms.permissions import Permission
from shutbox.web.rooms.requests import Enter, Plain
from shutbox.web.rooms.shapes import shaped
from shutbox.web.rooms.view import invites, is_due


async def table(request: Request) -> Response:
    """Show a table; strangers get the form for the key of its link."""
    there = await caller_there(request)
    if there.viewer.may_see:
        return _table(there)
    return _stranger(there.who)


async def hint(request: Request) -> Response:
    """Show a table with advice."""
    there = await caller_there(request)
    found = await play.hint(there)
    return _table(there, says=found.says, hint=found)


async def verdict(request: Request) -> Response:
    """Show a table whose game is over, with its luck and skill."""
    there = await caller_there(request)
    return _table(there, verdict=await play.verdict(there))


async def enter(request: Request) -> Response:
    """Follow a link by its key, typed by a guest or sent by the link's page."""
    form = await read_form(request)
    who = browser(request)
    name, (_, sign, key) = form.one("name").strip(), form.one("key").strip().rpartition("#")
    try:
        if "/" in key and not sign:
            raise NotAllowed("this link is missing its end\nask for it again")
        asked = shaped(
            {"action": form.action, "key": key, "name": name or None}, Enter, is_form=True
        )
        await seats.enter(who, asked)
    except (NameNeeded, NotAllowed, BadRequest) as error:
        services_of(request).metrics.refused(error)
        called = ""
        if isinstance(error, NameNeeded):
            live = await services_of(request).rooms.find(who.room)
            called = invites(live.room, error.seat).name
        return _stranger(who, key, error, called)
    return to_table(who.room, request, who)


async def act(request: Request) -> Response:
    """Throw, choose, take back or correct, by a form."""
    return await _done(
        request, await read_form(request), await caller_there(request), BY_FORM["act"]
    )


async def do(request: Request) -> Response:
    """Run an action about seats or games, by a form."""
    form, there = await read_form(request), await caller_there(request)
    action = BY_FORM.get(form.one("what"))
    return await _done(request, form, there, action if action and action.form == DO else None)


async def _done(request: Request, form: Form, there: RoomCaller, action: Action | None) -> Response:
    there.check(Permission.SEES)
    try:
        if action is None:
            raise BadRequest("the form does not say what to do")
        shape: type[Any] = action.takes or Plain
        done = await action(there, shaped(_fields(there, form, shape), shape, is_form=True))
    except ShutboxError as error:
        services_of(request).metrics.refused(error)
        return _table(there, error)
    if coach := getattr(done, "coach", ()):
        return _table(there, says=coach)
    return RedirectResponse(f"/r/{there.live.room.id}", 303)


def _fields(there: RoomCaller, form: Form, shape: type[Any]) -> dict[str, Any]:
    """Return the form's values for the fields of `shape`, a request type. Raises BadRequest."""
    found: dict[str, Any] = {}
    for name, kind in get_type_hints(shape).items():
        if name == "choice":
            found[name] = form.one(name) or _picked(there, form)
        elif kind is int:
            found[name] = form.number(name)
        elif said := form.action if name == "action" else form.one(name):
            found[name] = said
    return found


def _picked(there: RoomCaller, form: Form) -> str:
    """Return the choice that takes exactly the picked pieces, or their keys, to be refused."""
    keys, table = form.all("tile"), there.live.room.table
    offers = table.scene.offers if table is not None else ()
    fit = (offer.text for offer in offers if offer.takes and set(offer.takes) == set(keys))
    return next(fit, " ".join(keys))


def _stranger(
    there: Caller, key: str = "", error: ShutboxError | None = None, called: str = ""
) -> Response:
    """Return the page to which links lead, for callers who see no table: the form for the key.

    After a refusal it shows the `error`; `called` is the name that the host gave the guest.
    """
    page = rendered(
        "enter.html",
        error,
        422 if error else 200,
        origin=there.origin,
        room=there.room,
        name_needed=isinstance(error, NameNeeded),
        key=key,
        called=called,
        action=new_action(),
    )
    page.headers["X-Robots-Tag"] = "noindex"
    return page


def _table(
    there: RoomCaller,
    error: ShutboxError | None = None,
    *,
    says: tuple[str, ...] | None = None,
    hint: Hint | None = None,
    verdict: Judged | None = None,
) -> Response:
    snapshot = there.snapshot
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
        rests=_rests(there.live.room.plays),
        mine=mine,
        refresh=error is None and not mine and snapshot.view.phase in ("waiting", "playing"),
    )


def _rests(game: Game[Any, Any]) -> tuple[int, ...]:
    """Return the number of tiles in each row of a match's box; empty for a game alone."""
    if not isinstance(game, Match):
        return ()
    box = game.game
    rows = [piece.row for piece in box.scene(box.start()).pieces if piece.kind is Kind.TILE]
    return tuple(rows.count(row) for row in (1, 0) if row in rows)
