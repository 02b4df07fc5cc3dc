"""The pages of today's box and of past days."""

from calendar import Calendar
from datetime import date, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.engine.errors import ShutboxError
from shutbox.engine.game import Over
from shutbox.engine.messages import pgettext
from shutbox.output.picture import miniature
from shutbox.table.lookup import find_position
from shutbox.table.today import Day, is_day, streak_of
from shutbox.web.actions import today as days
from shutbox.web.actions.context import Caller
from shutbox.web.http.requests import browser_of, caller_of, read_form
from shutbox.web.pages.table import to_table
from shutbox.web.pages.templates import MONTHS, render
from shutbox.web.rooms.requests import Plain

_LONGEST = 31  # days of a month


async def today(request: Request) -> Response:
    """Show today's box before, during or after the player's try."""
    caller, month = caller_of(request), request.query_params.get("month", "")
    return await _page(caller, await days.today(caller), None, month)


async def past(request: Request) -> Response:
    """Show a past day and its seed; redirect today's date to /today. Raises as `days.past`."""
    caller, day = caller_of(request), request.path_params["day"]
    if day == caller.services.days.today_date:
        return RedirectResponse("/today", 303)
    shown = await days.past(caller, day)
    return await _page(caller, await days.today(caller), shown, day[:7])


async def _page(
    caller: Caller, reply: days.TodayReply, shown: days.DayReply | None, month: str
) -> Response:
    """Draw today's box, the month, and the `shown` day, the try of today, or the hardest throw.

    `scene` is the box of that card, and `marked` its picture with the best tiles of that throw.
    """
    stored, marked = caller.services.days, ""
    box = await box_of(caller, await stored.require(reply.day), reply.room)
    scene = box["box"]
    if shown:
        scene = (await box_of(caller, await stored.require(shown.day), shown.room))["box"]
    elif reply.hardest and not box["over"]:
        game, position = find_position(reply.hardest.position)
        scene = game.scene(position)
        marked = miniature(scene.pieces, reply.hardest.best.split())
    return render(
        "today.html",
        today=reply,
        shown=shown,
        month=await _month(caller, month),
        scene=scene,
        marked=marked,
        origin=caller.origin,
        **box,
    )


async def box_of(caller: Caller, day: Day, room: str | None) -> dict[str, Any]:
    """Return the `box` of a day as it stands in the `room` of a try, and whether it is `over`.

    Before a try, the box shows its first throw. `cover` is the sum that tiles must cover, if any.
    The `room` returned is None without one, or if it was deleted or cannot be read.
    """
    scene, over = day.first_scene(), False
    try:
        if room is not None:
            table = (await caller.services.rooms.find_to_read(room)).room.playing()
            scene, over = table.scene, isinstance(table.awaits, Over)
    except ShutboxError:
        room = None
    return {"box": scene, "room": room, "over": over, "cover": scene.target}


async def _month(caller: Caller, wanted: str) -> dict[str, Any]:
    """Return the visitor's calendar of a past month `wanted`, as YYYY-MM, or else of this month."""
    tries = caller.services.days
    today = tries.today_date
    month = wanted if is_day(f"{wanted}-01") and "1970" < wanted < today else today[:7]
    first = date.fromisoformat(f"{month}-01")
    after = (first + timedelta(_LONGEST)).replace(day=1)
    results = await tries.results_of(caller.by)
    boxes = await tries.days_before(str(after), _LONGEST + 1)  # newest first
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
    form, caller = await read_form(request), browser_of(request)
    return to_table((await days.play(caller, Plain(form.action))).view.room, request, caller)


async def play_past(request: Request) -> Response:
    """Redirect a device to a new table with the dice of a past day. Raises as `days.play_past`."""
    form, caller = await read_form(request), browser_of(request)
    reply = await days.play_past(caller, request.path_params["day"], Plain(form.action))
    return to_table(reply.view.room, request, caller)
