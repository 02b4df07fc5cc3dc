"""The pages of today's box and of past days."""

from calendar import Calendar
from datetime import date, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.engine.messages import pgettext
from shutbox.output.picture import miniature
from shutbox.table.lookup import find_position
from shutbox.table.today import is_day, streak_of
from shutbox.web.actions import today as days
from shutbox.web.actions.context import Caller
from shutbox.web.http.requests import browser, caller, read_form
from shutbox.web.pages.home import box_of, to_table
from shutbox.web.pages.templates import MONTHS, rendered
from shutbox.web.rooms.requests import Plain

_LONGEST = 31  # days of a month


async def today(request: Request) -> Response:
    """Show today's box before, during or after the player's try."""
    who = caller(request)
    return await _page(who, await days.today(who), None, request.query_params.get("month", ""))


async def past(request: Request) -> Response:
    """Show a past day with its seed beside today's box, or redirect. Raises as `days.past`."""
    who, day = caller(request), request.path_params["day"]
    if day == who.services.days.today:
        return RedirectResponse("/today", 303)
    shown = await days.past(who, day)
    return await _page(who, await days.today(who), shown, day[:7])


async def _page(
    who: Caller, reply: days.TodayReply, shown: days.DayReply | None, month: str
) -> Response:
    """Draw today's box, the month, and the `shown` day, the try of today, or the hardest throw.

    `scene` is the box of that card, and `marked` its picture with the best tiles of that throw.
    """
    stored, marked = who.services.days, ""
    box = await box_of(who, await stored.sure(reply.day), reply.room)
    scene = box["box"]
    if shown:
        scene = (await box_of(who, await stored.sure(shown.day), shown.room))["box"]
    elif reply.hardest and not box["over"]:
        game, here = find_position(reply.hardest.position)
        scene = game.scene(here)
        marked = miniature(scene.pieces, reply.hardest.best.split())
    return rendered(
        "today.html",
        today=reply,
        shown=shown,
        month=await _month(who, month),
        scene=scene,
        marked=marked,
        origin=who.origin,
        **box,
    )


async def _month(who: Caller, wanted: str) -> dict[str, Any]:
    """Return the visitor's calendar of a past month `wanted`, as YYYY-MM, or else of this month."""
    tries = who.services.days
    today = tries.today
    month = wanted if is_day(f"{wanted}-01") and "1970" < wanted < today else today[:7]
    first = date.fromisoformat(f"{month}-01")
    after = (first + timedelta(_LONGEST)).replace(day=1)
    results = await tries.results_of(who.by)
    boxes = await tries.before(str(after), _LONGEST + 1)  # newest first
    return {
        "month": month,
        "name": pgettext("month", MONTHS[first.month - 1]),
        "weeks": Calendar().monthdatescalendar(first.year, first.month),
        "results": results,
        "marks": streak_of(results, today).marks,
        "boxes": [day for day in boxes if day <= today],
        "before": str(first - timedelta(1))[:7] if boxes and boxes[-1] < str(first) else "",
        "after": str(after)[:7] if month < today[:7] else "",
    }


async def play(request: Request) -> Response:
    """Redirect a device to the table of its one try at today's box; the first call opens it."""
    form, who = await read_form(request), browser(request)
    return to_table((await days.play(who, Plain(form.action))).view.room, request, who)


async def play_past(request: Request) -> Response:
    """Redirect a device to a new table with the dice of a past day. Raises as `days.play_past`."""
    form, who = await read_form(request), browser(request)
    reply = await days.play_past(who, request.path_params["day"], Plain(form.action))
    return to_table(reply.view.room, request, who)
