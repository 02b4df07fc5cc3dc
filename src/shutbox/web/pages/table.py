"""The page of a table, its standings and its forms, by which it is played without script.

A page shows what the API tells, and a form does what the API does. After a form the browser is sent
back to the page; what was refused is said there.
"""

from dataclasses import asdict, dataclass
from typing import Any, get_type_hints

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.english import listed
from shutbox.errors import ShutboxError
from shutbox.game import Game
from shutbox.match import Match
from shutbox.messages import gettext
from shutbox.scene import Kind
from shutbox.web.actions import play, seats
from shutbox.web.actions.context import RoomCaller
from shutbox.web.actions.registry import BY_FORM, DO, Action
from shutbox.web.actions.replies import Hint, Judged
from shutbox.web.errors import BadRequest, NameNeeded, NotAllowed, sentence
from shutbox.web.http.context import browser, caller_there, services_of
from shutbox.web.http.errors import saying_when, status_of
from shutbox.web.http.records import record_of
from shutbox.web.http.requests import Form, read_form
from shutbox.web.pages.charts import bar
from shutbox.web.pages.home import to_table
from shutbox.web.pages.templates import for_script, rendered
from shutbox.web.rooms.catalogue import stand_ins
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.rooms.permissions import Who
from shutbox.web.rooms.requests import Enter, Plain
from shutbox.web.rooms.shapes import shaped
from shutbox.web.rooms.table_view import PlateView, TableView
from shutbox.web.rooms.view import SeatView, View, You, invites, is_due


async def table(request: Request) -> Response:
    """The page of a table; for strangers, the form for the key of its link."""
    there = await caller_there(request)
    if there.viewer.may_see:
        return _table(there)
    return _stranger(there.live.room.id, origin=there.who.origin)


async def hint(request: Request) -> Response:
    """The page of a table, with advice."""
    there = await caller_there(request)
    found = await play.hint(there)
    return _table(there, says=found.says, hint=found)


async def verdict(request: Request) -> Response:
    """The page of a table whose game is over, with what was luck and what was skill."""
    there = await caller_there(request)
    return _table(there, verdict=await play.verdict(there))


async def enter(request: Request) -> Response:
    """The key of a link, typed or sent from it."""
    form = await read_form(request)
    who = browser(request)
    room = who.room
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
            live = await services_of(request).rooms.find(room)
            called = invites(live.room, error.seat).name
        return _stranger(room, key, error, called=called)
    return to_table(room, request, who)


async def act(request: Request) -> Response:
    """A throw, a choice, or something taken back or corrected, by a form."""
    return await _done(
        request, await read_form(request), await caller_there(request), BY_FORM["act"]
    )


async def do(request: Request) -> Response:
    """What is done about seats and games, by a form."""
    form, there = await read_form(request), await caller_there(request)
    action = BY_FORM.get(form.one("what"))
    return await _done(request, form, there, action if action and action.form == DO else None)


async def _done(request: Request, form: Form, there: RoomCaller, action: Action | None) -> Response:
    there.check(Who.SEES)
    try:
        if action is None:
            raise BadRequest("the form does not say what to do")
        shape: type[Any] = action.takes or Plain
        done = await action(there, shaped(_fields(there, form, shape), shape, is_form=True))
    except ShutboxError as error:
        services_of(request).metrics.refused(error)
        return _table(there, error=error)
    if coach := getattr(done, "coach", ()):
        return _table(there, says=coach)
    return RedirectResponse(f"/r/{there.live.room.id}", 303)


def _fields(there: RoomCaller, form: Form, shape: type[Any]) -> dict[str, Any]:
    """What a form says of the fields that an action takes. Raises BadRequest."""
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
    """The offer that takes just the pieces that were picked; or their keys, to be refused."""
    keys, table = form.all("tile"), there.live.room.table
    offers = table.scene.offers if table is not None else ()
    fit = (offer.text for offer in offers if offer.takes and set(offer.takes) == set(keys))
    return next(fit, " ".join(keys))


async def record(request: Request) -> Response:
    """The record of a game, to be kept."""
    return await record_of(await caller_there(request), request)


def _stranger(
    room: str,
    key: str = "",
    error: ShutboxError | None = None,
    *,
    called: str = "",
    origin: str = "",
) -> Response:
    """The form for the key of a link: the page to which each leads, with what chats show of it."""
    page = rendered(
        "enter.html",
        422 if error else 200,
        origin=origin,
        room=room,
        error=error and sentence(error),
        name_needed=isinstance(error, NameNeeded),
        key=key,
        called=called,
        action=new_action(),
    )
    page.headers["X-Robots-Tag"] = "noindex"
    return page


def _table(
    there: RoomCaller,
    *,
    error: ShutboxError | None = None,
    says: tuple[str, ...] | None = None,
    hint: Hint | None = None,
    verdict: Judged | None = None,
) -> Response:
    sight, kinds = there.sight, stand_ins()
    rows = [{**asdict(row), "bar": bar(row.length)} for row in hint.rows] if hint else []
    shown, mine = vars(sight), is_due(sight.view, sight.you)
    page = rendered(
        "table.html",
        200 if error is None else status_of(error),
        **shown,
        boot=for_script({**shown, "kinds": kinds}),
        action=new_action(),
        hint=says,
        rows=rows,
        lead=hint.lead if hint else "",
        figures=hint.figures if hint else None,
        verdict=verdict,
        error=None if error is None else sentence(error),
        kinds=kinds,
        card=standings(sight.view, sight.you),
        rests=_rests(there.live.room.plays),
        mine=mine,
        begins=_begins(sight.view, sight.you),
        refresh=error is None and not mine and sight.view.phase in ("waiting", "playing"),
    )
    return saying_when(page, error)


def _begins(view: View, you: You) -> str:
    """Return whose turn begins while none of its dice lie there, as model/sentences.js does."""
    table = view.table
    if table is None or table.seat is None or (table.thrown and not table.left):
        return ""
    if view.phase != "playing" or any(p.sides and p.face for p in table.pieces):
        return ""
    seat, is_alone = view.seats[table.seat], len(you.seats) == 1
    name = f"\u2068{seat.name}\u2069"  # one piece, whichever way it is written
    if table.seat not in you.seats or seat.computer or seat.state == "left":
        return gettext("{name} to throw", name=name)
    return gettext("Your turn") if is_alone else gettext("Your turn, {name}", name=name)


def _rests(game: Game[Any, Any]) -> tuple[int, ...]:
    """How many tiles stand in each rack of a match, also while dice alone decide who begins."""
    if not isinstance(game, Match):
        return ()
    box = game.game
    rows = [piece.row for piece in box.scene(box.start()).pieces if piece.kind is Kind.TILE]
    return tuple(rows.count(row) for row in (1, 0) if row in rows)


@dataclass(frozen=True, slots=True)
class EndCardLine:
    """One seat on the card."""

    number: int
    seat: SeatView
    figure: PlateView


@dataclass(frozen=True, slots=True)
class EndCard:
    """What the card shows."""

    about: str
    """The game that it is of, and its version."""
    says: str
    """Who has won, a sentence; a winner who has this screen alone reads "You"."""
    title: str
    """The same for the title of the page; empty where several share the win."""
    is_own: bool
    """Whether that winner is looking."""
    lines: tuple[EndCardLine, ...]


def standings(view: View, you: You) -> EndCard | None:
    """Return the card of a match that is over; None of anything else."""
    table = view.table
    if view.phase != "over" or table is None or len(view.seats) < 2:
        return None
    lines = tuple(EndCardLine(seat, view.seats[seat], table.plates[seat]) for seat in table.ranking)
    is_own = len(you.seats) == 1 and you.seats[0] in table.winners
    title = ""
    if len(table.winners) == 1:
        name = view.seats[table.winners[0]].name
        title = gettext("You win") if is_own else gettext("{name} wins", name=name)
    says, about = _says(view, table, you.seats if is_own else ()), f"{table.game} {table.version}"
    return EndCard(about, says, title, is_own, lines)


def _says(view: View, table: TableView, own: tuple[int, ...]) -> str:
    others = [seat for seat in table.winners if seat not in own]
    # A name as one piece: one written from right to left does not turn what stands beside it.
    names = listed(f"\u2068{view.seats[seat].name}\u2069" for seat in others)
    if len(table.winners) > 1:
        if own:
            return gettext("You and {names} share the win.", names=names)
        return gettext("{names} share the win.", names=names)
    if any(table.plates[seat].state == "shut" for seat in table.winners):
        if own:
            return gettext("You shut the box and win.")
        return gettext("{name} shuts the box and wins.", name=names)
    return gettext("You win.") if own else gettext("{name} wins.", name=names)
