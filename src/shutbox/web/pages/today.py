"""The pages of today's box and of past days."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.errors import ShutboxError
from shutbox.game import Over
from shutbox.games.catalogue import find
from shutbox.web.actions import today as days
from shutbox.web.actions.context import Caller
from shutbox.web.http.context import browser, caller
from shutbox.web.http.requests import read_form
from shutbox.web.pages.home import to_table
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.catalogue import catalogue
from shutbox.web.rooms.link_keys import new_action


async def today(request: Request) -> Response:
    """Show today's box before, during or after the player's try."""
    who = caller(request)
    found = await days.today(who)
    about = {game.id: game.about for game in catalogue().games}
    return rendered(
        "today.html",
        today=found,
        titles={game.id: game.title for game in catalogue().games},
        about=about[found.game],
        action=new_action(),
        address=f"{who.origin}/today",
        **await _table(who, found.game, found.room),
    )


async def play(request: Request) -> Response:
    """Redirect a device to the table of its one try, which the first call opens."""
    await read_form(request)
    who = browser(request)
    return to_table((await days.play(who)).view.room, request, who)


async def past(request: Request) -> Response:
    """Show the box of a day that is over, with its seed; redirect if the day is today."""
    who, day = caller(request), request.path_params["day"]
    if day == who.services.days.today:
        return RedirectResponse("/today", 303)
    return rendered("day.html", past=await days.past(who, day))


async def _table(who: Caller, game: str, room: str | None) -> dict[str, Any]:
    """Return the box as it is now, the room (None if it is gone), and whether the try is over."""
    of, over = find(game), False
    scene = of.scene(of.start())
    if room is not None:
        try:
            live = await who.services.rooms.find(room, who.waits_as)
        except ShutboxError:  # the host has deleted the table, or it cannot be read
            room = None
        else:
            table = live.room.playing()
            scene, over = table.scene, isinstance(table.awaits, Over)
    return {"box": scene, "room": room, "over": over}
