"""The first page, on which the box is there and one click throws, and the page of help."""

from contextlib import suppress
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox import catalogue as all_games
from shutbox import find
from shutbox.english import listed
from shutbox.errors import ShutboxError
from shutbox.match import presets
from shutbox.messages import gettext
from shutbox.web.actions.context import Caller, room_caller
from shutbox.web.actions.registry import BY_NAME
from shutbox.web.actions.tables import open_room
from shutbox.web.http.context import services_of
from shutbox.web.http.cookies import give_device
from shutbox.web.http.forms import read_form
from shutbox.web.http.identity import caller
from shutbox.web.http.shapes import shaped
from shutbox.web.limits import MOST_OWN_TABLES
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.catalogue import about_rounds, catalogue
from shutbox.web.rooms.link_keys import hashed, new_action
from shutbox.web.rooms.requests import Act, NewRoom
from shutbox.web.rooms.table_view import PieceView, pieces_view
from shutbox.web.rooms.view import View


async def home(request: Request) -> Response:
    """The first page."""
    mine = await _tables_of(caller(request))
    return rendered("home.html", **choices(), box=_box(), mine=mine, action=new_action())


async def _tables_of(who: Caller) -> list[dict[str, str]]:
    """The tables that a device was last at, and that are not over."""
    rooms, found = who.services.rooms, []
    if who.device is None:
        return []
    for id in await rooms.read(rooms.archive.rooms_of, hashed(who.device), MOST_OWN_TABLES):
        with suppress(ShutboxError):
            view = (await rooms.find(id)).broadcast.present()
            if view.phase in ("waiting", "playing"):
                names = listed(seat.name or gettext("somebody") for seat in view.seats)
                about = {"players": names, "stands": _stands(view)}
                found.append({"room": id, "title": view.title, **about})
    return found


def _stands(view: View) -> str:
    """How far a game is: who is to play, and the score."""
    if view.table is None:
        return gettext("Waiting for players.")
    due = [
        gettext("{name} is to play.", name=seat.name)
        for seat in view.seats
        if seat.due and view.seats[1:]
    ]
    return " ".join([*due, view.table.score])


@cache
def _box() -> tuple[str, tuple[PieceView, ...]]:
    """Classic as it stands before the first throw."""
    classic = find("classic")
    return classic.card().title, pieces_view(classic.scene(classic.start()).pieces)


@cache
def choices() -> dict[str, Any]:
    """What the forms offer."""
    groups = {entry.name: gettext(entry.group) for entry in all_games()}
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
    who, response = with_device(request)
    new = shaped({"action": action, "game": form.one("game") or "classic"}, NewRoom)
    live = await open_room(who, new)
    there = await room_caller(who, live.room.id)
    first = Act(f"{action[:60]}-0", game=1, version=0, seat=0, do="throw")
    await BY_NAME["act"](there, first)
    return sent_to(response, live.room.id)


async def help(request: Request) -> Response:
    """Keys, and how to play by ear, by switch, and without script."""
    return rendered("help.html")


def with_device(request: Request) -> tuple[Caller, Response]:
    """The caller, with a device of their own, and an answer that gives it to them."""
    known = caller(request)
    who, response = known.with_device(), RedirectResponse("/", 303)
    if known.device is None:
        give_device(response, services_of(request).site, who.device)
    return who, response


def sent_to(response: Response, room: str) -> Response:
    """The same answer, which sends a browser to a table."""
    response.headers["location"] = f"/r/{room}"
    return response
