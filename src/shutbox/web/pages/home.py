"""The first page, with four doors, tables to continue and a gallery of all games; and help."""

from contextlib import suppress
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox import catalogue as all_games
from shutbox import find
from shutbox.errors import ShutboxError
from shutbox.lookup import difference, rounds_of
from shutbox.match import presets
from shutbox.picture import MINIATURE_SYMBOLS
from shutbox.scene import Piece
from shutbox.web.actions.context import Caller
from shutbox.web.actions.tables import open_room
from shutbox.web.http.context import browser, caller, give_device
from shutbox.web.http.requests import Form, read_form
from shutbox.web.limits import MOST_OWN_TABLES
from shutbox.web.pages.gallery import LENGTHS, LUCKS, chosen, gallery, picture_of
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.catalogue import catalogue, stand_ins
from shutbox.web.rooms.link_keys import hashed, new_action
from shutbox.web.rooms.requests import NewRoom
from shutbox.web.rooms.shapes import shaped
from shutbox.web.rooms.view import TableCard, table_card


async def home(request: Request) -> Response:
    """Show the first page, with the gallery filtered by the length and the luck in the query."""
    mine = await _tables_of(caller(request))
    query = Form(request.query_params.multi_items())
    length = query.one("length") if query.one("length") in LENGTHS else ""
    luck = query.one("luck") if query.one("luck") in LUCKS else ""
    return rendered(
        "home.html",
        **choices(),
        box=_box(),
        mine=mine,
        action=new_action(),
        gallery=gallery(),
        chosen=chosen(length, luck),
        filter={"length": length, "luck": luck},
        symbols=MINIATURE_SYMBOLS,
    )


async def _tables_of(who: Caller) -> list[TableCard]:
    """Return cards of the device's latest tables that are not over."""
    rooms, found = who.services.rooms, list[TableCard]()
    if who.device is None:
        return []
    for id in await rooms.log.rooms_of(hashed(who.device), MOST_OWN_TABLES):
        with suppress(ShutboxError):
            live = await rooms.find(id)
            view = live.broadcast.present()
            if view.phase in ("waiting", "playing"):
                found.append(table_card(live.room, view))
    return found


@cache
def _box() -> tuple[str, tuple[Piece, ...]]:
    """Return the title and the pieces of Classic after the first throw."""
    classic = find("classic")
    position = classic.position_at("1-9/3+6")
    return classic.card().title, classic.scene(position).pieces


@cache
def choices() -> dict[str, Any]:
    """Return the options of the forms: games, presets and computer players."""
    evenings = [
        {
            "id": preset.name,
            "title": preset.title,
            "game": preset.game,
            "game_title": find(preset.game).card().title,
            "rounds": rounds_of(preset),
            "line": difference(preset.name),
            "miniature": picture_of(preset.game),
        }
        for preset in presets().values()
    ]
    return {
        "games": all_games(),
        "presets": evenings,
        "kinds": catalogue().computers,
        "stand_ins": stand_ins(),
        "characters": catalogue().characters,
    }


async def play(request: Request) -> Response:
    """Open the table of a form with one button: alone, with another player, or from a position."""
    form = await read_form(request)
    action, other, position = form.action, form.one("with"), form.one("position")
    who = browser(request)
    asked: dict[str, Any] = {"action": action, "game": form.one("game") or "classic"}
    if other:
        asked["seats"] = [{"who": "me"}, {"who": other}]
    elif position:
        asked["position"] = position
    opened = await open_room(who, shaped(asked, NewRoom, is_form=True))
    return to_table(opened.view.room, request, who)


async def help(request: Request) -> Response:
    """Show the keys, and how to play by ear, by switch, and without script."""
    return rendered("help.html")


def to_table(room: str, request: Request, who: Caller) -> Response:
    """Redirect a browser to a table, with the cookie that identifies its device there."""
    return give_device(RedirectResponse(f"/r/{room}", 303), request, who)
