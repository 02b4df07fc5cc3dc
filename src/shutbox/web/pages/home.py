"""The first page, help, settings and the choice of a language; a table at once."""

import asyncio
import re
from contextlib import suppress
from operator import itemgetter
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox import find
from shutbox.engine.errors import ShutboxError
from shutbox.engine.messages import cached, loaded_languages
from shutbox.engine.scene import Piece
from shutbox.table.today import streak_of
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.actions.tables import open_room
from shutbox.web.errors import BadRequest
from shutbox.web.http.requests import browser_of, caller_of, read_form, services_of, set_cookie
from shutbox.web.pages.gallery import LENGTHS, LUCKS, choices, classics, gallery, groups
from shutbox.web.pages.table import to_table
from shutbox.web.pages.templates import render
from shutbox.web.pages.today import box_of
from shutbox.web.rooms.access import hashed, is_room_id
from shutbox.web.rooms.requests import NewRoom
from shutbox.web.rooms.shapes import shaped
from shutbox.web.rooms.view import TableCard, table_card


async def home(request: Request) -> Response:
    """Show the first page, with the gallery filtered by the length and the luck in the query."""
    caller, query = caller_of(request), request.query_params
    length = wanted if (wanted := query.get("length", "")) in LENGTHS else ""
    luck = wanted if (wanted := query.get("luck", "")) in LUCKS else ""
    return render(
        "home.html",
        **choices(),
        box=_box(),
        today=await _today(caller),
        mine=await _tables_of(caller),
        groups=groups(),
        chosen={g.id for g in gallery() if length in ("", g.length) and luck in ("", g.luck)},
        filter={"length": length, "luck": luck},
        origin=caller.origin,
    )


async def _tables_of(caller: Caller) -> list[TableCard]:
    """Return cards of a device's latest unfinished tables, first those where its player is due."""
    rooms, cards = caller.services.rooms, list[tuple[bool, TableCard]]()
    if caller.device is None:
        return []
    for id in await rooms.stored_log.rooms_of(hashed(caller.device), limits.MOST_OWN_TABLES):
        with suppress(ShutboxError):
            live = await rooms.find_to_read(id)
            view = live.current_view()
            if view.phase in ("waiting", "playing"):
                viewer = await rooms.access.viewer(live, caller.device, caller.keys)
                waits = not any(view.seats[seat].due for seat in viewer.seats)
                own = min(viewer.seats) if len(viewer.seats) == 1 else None
                cards.append((waits, table_card(live.room, view, own)))
    return [card for _, card in sorted(cards, key=itemgetter(0))]


async def _today(caller: Caller) -> dict[str, Any] | None:
    """Return today's box and the progress of the caller's try; None if it cannot be read."""
    days = caller.services.days
    with suppress(ShutboxError, TimeoutError):
        async with asyncio.timeout(limits.HOME_SECONDS):
            day = await days.ensure(days.today_date)
        tried = await days.try_of(day.day, caller.by)
        results = await days.results_of(caller.by)
        return {
            "day": day.day,
            "title": find(day.game).card().title,
            "begun": tried is not None,
            "streak": streak_of(results, day.day).days,
            **await box_of(caller, day, tried.room if tried else None),
        }
    return None


@cached
def _box() -> tuple[Piece, ...]:
    """Return the pieces of Classic at its start, with 3 and 6 thrown."""
    classic = find("classic")
    return classic.scene(classic.position_at("1-9/3+6")).pieces


async def play(request: Request) -> Response:
    """Open a table as a button of a page asks: alone, with another player, or from a position."""
    form, caller = await read_form(request), browser_of(request)
    game, other = form.one("game") or "classic", form.one("with")
    # The buttons of a page share one form.
    action = f"{form.action[:40]}-{hashed(game + other)[:16]}"
    fields: dict[str, Any] = {"action": action, "game": game}
    if other:
        fields["seats"] = [{"who": "me"}, {"who": other}]
    elif position := form.one("position"):
        fields["position"] = position
    reply = await open_room(caller, shaped(fields, NewRoom))
    return to_table(reply.view.room, request, caller)


async def help(request: Request) -> Response:
    """Show how to play in three pictures, and answer questions, such as what keys there are."""
    pictures = classics("1-9/3+6", "1-9/3+6 3.6", "1.2")
    return render("help.html", pictures=pictures, came_from=came_from(request))


async def settings(request: Request) -> Response:
    """Show all settings, which the page's script stores, beside a box that shows their effect."""
    return render("settings.html", box=_box(), came_from=came_from(request))


async def choose_language(request: Request) -> Response:
    """Store a form's language in a cookie; redirect to its page. Raises BadRequest.

    The page is the one that the Referer names; if that is none of this site, the first page.
    """
    site, tag = services_of(request).site, (await read_form(request)).one("language")
    if tag not in loaded_languages():
        raise BadRequest("there is no language {language!r} here", language=tag[:20])
    host = caller_of(request).origin.partition("://")[2]
    page = request.headers.get("referer", "").partition(f"://{host}")[2]
    # A browser would read a path that begins with two slashes as the address of another site.
    response = RedirectResponse(page if re.match("/(?!/)", page) else "/", 303)
    set_cookie(response, site, site.language_cookie, tag)
    return response


def came_from(request: Request) -> str:
    """Return the room of the table from which a page was opened, by its query; empty if none."""
    room = request.query_params.get("table", "")
    return room if is_room_id(room) else ""
