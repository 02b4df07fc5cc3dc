"""The first page, with four doors, tables to continue and a gallery of all games; and help."""

from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox import catalogue as all_games
from shutbox import find
from shutbox.errors import ShutboxError
from shutbox.game import Over
from shutbox.lookup import difference, rounds_of
from shutbox.match import presets
from shutbox.messages import cached
from shutbox.picture import MINIATURE_SYMBOLS, miniature
from shutbox.scene import Piece
from shutbox.web.actions.context import Caller
from shutbox.web.actions.tables import open_room
from shutbox.web.http.context import browser, caller, give_device
from shutbox.web.http.requests import read_form
from shutbox.web.limits import MOST_OWN_TABLES
from shutbox.web.pages.gallery import LENGTHS, LUCKS, chosen, groups, picture_of
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.catalogue import catalogue, stand_ins
from shutbox.web.rooms.days import Day, streak_of
from shutbox.web.rooms.forms import Form
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
        today=await _today(caller(request)),
        mine=mine,
        action=new_action(),
        groups=groups(),
        chosen=chosen(length, luck),
        filter={"length": length, "luck": luck},
        symbols=MINIATURE_SYMBOLS,
        origin=caller(request).origin,
    )


async def _tables_of(who: Caller) -> list[TableCard]:
    """Return cards of the device's latest tables, except those that are over.

    The tables at which a seat of this device is due come first.
    """
    rooms, found = who.services.rooms, list[tuple[bool, TableCard]]()
    if who.device is None:
        return []
    for id in await rooms.log.rooms_of(hashed(who.device), MOST_OWN_TABLES):
        with suppress(ShutboxError):
            live = await rooms.find(id)
            view = live.broadcast.present()
            if view.phase in ("waiting", "playing"):
                viewer = await rooms.access.viewer(live, who.device, who.keys)
                waits = not any(view.seats[seat].due for seat in viewer.seats)
                found.append((waits, table_card(live.room, view)))
    return [card for _, card in sorted(found, key=lambda one: one[0])]


async def _today(who: Caller) -> dict[str, Any] | None:
    """Return today's box and the progress of the caller's try; None if it cannot be read."""
    days = who.services.days
    with suppress(ShutboxError):
        day = await days.made(days.today)
        tried = await days.store.try_of(day.day, who.by) if who.device else None
        results = await days.store.results_of(who.by) if who.device else {}
        return {
            "day": day.day,
            "title": find(day.game).card().title,
            "begun": tried is not None,
            "streak": streak_of(results, day.day).days,
            **await box_of(who, day, tried.room if tried else None),
        }
    return None


async def box_of(who: Caller, day: Day, room: str | None) -> dict[str, Any]:
    """Return the `box` of a day as it stands in the `room` of a try, and whether it is `over`.

    Before a try, the box shows its first throw. `cover` is what the dice add up to, if tiles can
    cover it. The room is None if the host has deleted it or it cannot be read.
    """
    scene, over = day.opening(), False
    try:
        if room is not None:
            table = (await who.services.rooms.find(room, who.waits_as)).room.playing()
            scene, over = table.scene, isinstance(table.awaits, Over)
    except ShutboxError:
        room = None
    return {"box": scene, "room": room, "over": over, "cover": scene.target}


@cached
def _box() -> tuple[Piece, ...]:
    """Return the pieces of Classic after the first throw."""
    classic = find("classic")
    return classic.scene(classic.position_at("1-9/3+6")).pieces


@cached
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
    """Show how to play in three pictures, and the answers to questions, such as the keys."""
    return rendered("help.html", pictures=_steps(), symbols=MINIATURE_SYMBOLS)


@cached
def _steps() -> list[str]:
    """Return pictures of a throw, of the tiles that it covers, and of the end of a turn."""
    classic, steps = find("classic"), (("1-9/3+6", ""), ("1-9/3+6", ("3", "6")), ("1.2", ""))
    return [miniature(classic.scene(classic.position_at(at)).pieces, m) for at, m in steps]


async def settings(request: Request) -> Response:
    """Show all settings, which the script of the page stores, beside a box that follows them."""
    return rendered("settings.html", box=_box())


def to_table(room: str, request: Request, who: Caller) -> Response:
    """Redirect a browser to a table, with the cookie that identifies its device there."""
    return give_device(RedirectResponse(f"/r/{room}", 303), request, who)
