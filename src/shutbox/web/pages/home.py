"""The first page, on which the box is there and one click throws, and the form for a new table."""

from contextlib import suppress
from functools import cache
from itertools import zip_longest
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox import catalogue as entries
from shutbox import find
from shutbox.english import capital, listed
from shutbox.errors import BadFormat, BadName, BadRequest, BadVariant, ShutboxError, UnknownGame
from shutbox.games.box.variant_text import help_texts
from shutbox.match import Format, presets
from shutbox.messages import gettext
from shutbox.seats import MOST_SEATS
from shutbox.web.actions import common
from shutbox.web.api.schemas import Act, NewRoom, PieceView, View
from shutbox.web.http.cookies import give_device
from shutbox.web.http.errors import saying_when, sentence, status_of
from shutbox.web.http.forms import Form, read_form, shaped
from shutbox.web.http.identity import Caller, caller, visit
from shutbox.web.limits import MOST_OWN_TABLES
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.catalogue import ATOMS, about_rounds, catalogue
from shutbox.web.rooms.link_keys import hashed, new_action
from shutbox.web.rooms.view import pieces_view


async def home(request: Request) -> Response:
    """The first page."""
    mine = await _tables_of(caller(request))
    return rendered("home.html", **_choices(), box=_box(), mine=mine, action=new_action())


async def _tables_of(who: Caller) -> list[dict[str, str]]:
    """The tables that a device was last at, and that are not over."""
    rooms, found = who.server.rooms, []
    if who.device is None:
        return []
    for id in await rooms.read(rooms.archive.rooms_of, hashed(who.device), MOST_OWN_TABLES):
        with suppress(ShutboxError):
            view = (await rooms.find(id)).present()
            if view.phase in ("waiting", "playing"):
                names = listed(seat.name or "somebody" for seat in view.seats)
                about = {"players": names, "stands": _stands(view)}
                found.append({"room": id, "title": view.title, **about})
    return found


def _stands(view: View) -> str:
    """How far a game is: who is to play, and the score."""
    if view.table is None:
        return "Waiting for players."
    due = [f"{seat.name} is to play." for seat in view.seats if seat.due and view.seats[1:]]
    return " ".join([*due, view.table.score])


@cache
def _box() -> tuple[str, tuple[PieceView, ...]]:
    """Classic as it stands before the first throw."""
    classic = find("classic")
    return classic.card().title, pieces_view(classic.scene(classic.start()).pieces)


@cache
def _choices() -> dict[str, Any]:
    groups = {entry.name: gettext(entry.group) for entry in entries()}
    games = [
        {"id": game.id, "title": game.title, "about": game.about, "group": groups[game.id]}
        for game in catalogue().games
    ]
    evenings = [
        {
            "id": preset.name,
            "title": preset.title,
            "game": preset.game,
            "game_title": find(preset.game).card().title,
            "rounds": about_rounds(preset),
        }
        for preset in presets().values()
    ]
    return {"games": games, "presets": evenings, "kinds": catalogue().computers}


async def play(request: Request) -> Response:
    """Alone, at once: a table is opened, and the dice are thrown."""
    form = await read_form(request)
    action = form.action
    who, response = _device(request)
    new = shaped({"action": action, "game": form.one("game") or "classic"}, NewRoom)
    live = await common.open_room(who, new)
    visiting = await visit(who, live.room.id)
    first = Act(f"{action[:60]}-0", game=1, version=0, seat=0, do="throw")
    await common.act(visiting, first)
    return _to(response, live.room.id)


async def new_table(request: Request) -> Response:
    """The form for a new table."""
    return _new(_values(Form(request.query_params.multi_items())), [])


async def open_table(request: Request) -> Response:
    """The form, filled in: the table is opened, or the form comes back with what is wrong."""
    form = await read_form(request)
    who, response = _device(request)
    try:
        live = await common.open_room(who, _asked(form))
    except ShutboxError as error:
        page = _new(_values(form), _faults(error), _field(error, form), status_of(error))
        return saying_when(page, error)
    return _to(response, live.room.id)


def _asked(form: Form) -> NewRoom:
    overrides = form.one("overrides").strip().removeprefix("(").removesuffix(")")
    game = f"{form.one('game')}({overrides})" if overrides else form.one("game")
    preset = presets().get(form.one("preset"))
    format = form.one("format").strip()
    if preset is not None:
        format = str(Format.parse(format, preset.format))
    whos, names = form.all("who"), form.all("name")
    if not any(whos):
        raise BadRequest("somebody has to play: say who sits at the table")
    if len(whos) != len(names):
        raise BadRequest(
            f"every player has a field who and a field name; {len(whos)} and {len(names)} were sent"
        )
    seats = [{"who": who, "name": name} for who, name in zip(whos, names, strict=True) if who]
    fields = {
        "action": form.action,
        "game": game,
        "format": format,
        "seats": seats,
        "dice": form.one("dice") or "system",
        "hints": form.one("hints") or "explained",
        "coach": form.one("coach") == "on",
        "leaver": form.one("leaver") or "any",
    }
    return shaped(fields, NewRoom)


def _values(form: Form) -> dict[str, Any]:
    """The fields as they were sent, or as they are at first."""
    preset = presets().get(form.one("preset"))
    game = form.one("game") or (preset.game if preset else "classic")
    rows = [
        {"who": who, "name": name}
        for who, name in zip_longest(form.all("who"), form.all("name"), fillvalue="")
    ][:MOST_SEATS]
    if not rows:
        rows = [{"who": "me", "name": ""}]
        if preset is not None:
            rows.append({"who": "computer:fewest", "name": ""})
    rows += [{"who": "", "name": ""}] * (MOST_SEATS - len(rows))
    return {
        "game": game,
        "overrides": form.one("overrides"),
        "preset": form.one("preset"),
        "format": form.one("format"),
        "rows": rows,
        "dice": form.one("dice") or "system",
        "hints": form.one("hints") or "explained",
        "coach": form.one("coach") == "on",
        "leaver": form.one("leaver") or "any",
    }


def _faults(error: ShutboxError) -> list[str]:
    """What is wrong, in sentences; where it is wrong is seen in the form."""
    if isinstance(error, BadFormat | BadVariant):
        return [f"{capital(problem)}." for problem in error.problems]
    return sentence(error).splitlines()


def _field(error: ShutboxError, form: Form) -> str:
    """The field that is wrong; none where that is not known."""
    match error:
        case BadFormat():
            return "format" if form.one("format") else "preset"
        case BadVariant():
            return "overrides"
        case UnknownGame():
            return "game"
        case BadName():
            return "name"
        case _:
            return "" if any(form.all("who")) else "who"


def _new(
    values: dict[str, Any], errors: list[str], invalid: str = "", status: int = 200
) -> Response:
    atoms = [{"atom": atom, "about": about} for atom, about in ATOMS.items()]
    rules = [{"rule": rule, "about": about} for rule, about in help_texts().items()]
    return rendered(
        "new.html",
        status,
        **_choices(),
        values=values,
        errors=errors,
        invalid=invalid,
        formats_help=atoms,
        rules_help=rules,
        action=new_action(),
    )


def _device(request: Request) -> tuple[Caller, Response]:
    """Whoever asks, with a device of his own, and an answer that gives it to him."""
    known = caller(request)
    who, response = known.with_device(), RedirectResponse("/", 303)
    if known.device is None:
        give_device(response, who)
    return who, response


def _to(response: Response, room: str) -> Response:
    response.headers["location"] = f"/r/{room}"
    return response
