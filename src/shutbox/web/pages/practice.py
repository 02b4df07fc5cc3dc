"""Practice: positions where the choices differ, one after the other.

The tally is in the form and in the player's browser; the server stores nothing.
"""

import json
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from shutbox.engine.errors import ShutboxError
from shutbox.engine.game import Game
from shutbox.solving.advice.ranking import Ranked
from shutbox.solving.practice import Missed, PracticeTally
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.actions.positions import judged, practised, question, read_position
from shutbox.web.actions.tables import catalogue
from shutbox.web.errors import BadRequest
from shutbox.web.http.requests import caller, read_form
from shutbox.web.pages.analysis import FIRST
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.events import convert
from shutbox.web.rooms.requests import Form

MOST_CARRIED = 30  # missed questions in a form; beyond that, the ones due first are dropped
MOST_RANKED = 6  # choices that are shown beside an answer
LATELY = 8  # questions that are not asked again at once
LONGEST = 6_000  # characters of a tally


async def practice(request: Request) -> Response:
    """Show a question, or judge the answer in a form."""
    form = await read_form(request)
    name, tally = form.one("game") or FIRST, PracticeTally()
    error, about = None, dict[str, Any]()
    try:
        game, _ = read_position(name)
        name, tally = game.name, read_tally(form.one("tally"))
        tally, about = await _page(caller(request), game, form, tally)
    except ShutboxError as refused:
        error = refused
    return rendered(
        "practice.html",
        error,
        game=name,
        games=[each for each in catalogue().games if each.id != "tray"],
        tally=tally,
        carried=tally_text(tally),
        **about,
    )


async def _page(
    who: Caller, game: Game[Any, Any], form: Form, tally: PracticeTally
) -> tuple[PracticeTally, dict[str, Any]]:
    """Return the new tally, and a judged answer or a new question to show. Raises ShutboxError."""
    lately, given, shown, why = form.one("lately").split(), None, list[Ranked](), ""
    missed = False
    if choice := form.one("choice").strip():
        sent = (text[: limits.LONGEST_TEXT] for text in (form.one("at"), choice))
        id, given, advice, found = await practised(who, judged, game, *sent)
        tally, why = tally.answered(id, cost=float(given.cost)), found.says
        lately.append(id)
        shown = list(advice.ranked[:MOST_RANKED])
        if given not in shown:
            shown[-1] = given
    else:
        id, missed = await practised(who, question, game, tally, lately[-LATELY:])
    return tally, {
        "at": id,
        "missed": missed,
        "given": given,
        "why": why,
        "ranked": shown,
        "lately": " ".join(lately[-LATELY:]),
        "box": game.scene(game.position_at(id)),
    }


def tally_text(tally: PracticeTally) -> str:
    """Return the tally as text for a form, with only the last MOST_CARRIED missed questions.

    >>> text = tally_text(PracticeTally().answered("1.3.4.9/1+3", cost=1.5))
    >>> text
    '{"asked":1,"right":0,"missed":[{"id":"1.3.4.9/1+3","due":4,"rights":0}],"row":0}'
    >>> tally_text(read_tally(text)) == text
    True
    """
    found = asdict(tally)
    found["missed"] = found["missed"][-MOST_CARRIED:]
    return json.dumps(found, separators=(",", ":"))


def read_tally(text: str) -> PracticeTally:
    """Return the tally of a form's text; a new one for "". Raises BadRequest if unreadable."""
    if not text:
        return PracticeTally()
    try:
        if len(text) > LONGEST:
            raise ValueError
        found = json.loads(text)
        missed = tuple(convert(one, Missed) for one in found["missed"][:MOST_CARRIED])
        asked, right = (convert(found[name], int) for name in ("asked", "right"))
        row, most = convert(found.get("row", 0), int), 10**9
        due = (count for one in missed for count in (one.due, one.rights))
        if not 0 <= min(counts := (row, right, asked, *due)) <= max(counts) < most:
            raise ValueError
        if not row <= right <= asked:
            raise ValueError
    except (ArithmeticError, ValueError, TypeError, KeyError, RecursionError):
        raise BadRequest("this practice cannot be continued; start again") from None
    return PracticeTally(asked, right, missed, row)
