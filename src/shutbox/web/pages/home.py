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
from shutbox.web.http.identity import caller, give_device
from shutbox.web.http.requests import read_form
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
    due = [seat.name for seat in view.seats if seat.due and view.seats[1:]]
    return " ".join([*(gettext("{name} is to play.", name=name) for name in due), view.table.score])


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
    return {
        "games": games,
        "presets": evenings,
        "kinds": catalogue().computers,
        "characters": catalogue().characters,
    }


async def play(request: Request) -> Response:
    """Alone, at once: a table is opened, and the dice are thrown."""
    form = await read_form(request)
    action = form.action
    who = caller(request).with_device()
    new = shaped({"action": action, "game": form.one("game") or "classic"}, NewRoom)
    live = await open_room(who, new)
    there = await room_caller(who, live.room.id)
    first = Act(f"{action[:60]}-0", game=1, version=0, seat=0, do="throw")
    await BY_NAME["act"](there, first)
    return to_table(live.room.id, request, who)


async def help(request: Request) -> Response:
    """Keys, and how to play by ear, by switch, and without script."""
    return rendered("help.html")


def to_table(room: str, request: Request, who: Caller) -> Response:
    """The answer that sends a browser to a table, where its device is known again."""
    return give_device(RedirectResponse(f"/r/{room}", 303), request, who)
