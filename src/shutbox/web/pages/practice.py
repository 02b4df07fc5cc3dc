"""Practice: positions where the choices differ, one after the other.

The tally is in the form and in the player's browser; the server stores nothing.
"""

import json
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from shutbox.engine.english import listed
from shutbox.engine.errors import IllegalChoice, ShutboxError
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.narrator import Narrator
from shutbox.engine.scene import Kind, Scene, State
from shutbox.solving.practice import Missed, PracticeTally
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.actions.positions import judged, practised, question, read_position
from shutbox.web.actions.tables import catalogue
from shutbox.web.errors import BadRequest
from shutbox.web.http.requests import caller, read_form
from shutbox.web.pages.analysis import FIRST
from shutbox.web.pages.table import picked
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.events import convert
from shutbox.web.rooms.requests import Form

MOST_CARRIED = 30  # missed questions in a form; beyond that, the ones due first are dropped
CHAIN = 10  # matches, one for each right answer in a row; then it begins again
LATELY = 8  # questions that are not asked again at once
LONGEST = 6_000  # characters of a tally


async def practice(request: Request) -> Response:
    """Show a question, or judge the answer in a form. A refused answer leaves its question."""
    form = await read_form(request)
    name, tally, about = form.one("game") or FIRST, PracticeTally(), dict[str, Any]()
    title, lately = name, form.one("lately").split()[-LATELY:]
    error: ShutboxError | None = None
    try:
        game, _ = read_position(name)
        name, title, tally = game.name, game.card().title, read_tally(form.one("tally"))
        if at := form.one("at")[: limits.LONGEST_TEXT]:
            answer = await _answer(caller(request), game, form, tally)
            about, tally = _asked(game, at, tally) | answer, answer["tally"]
            lately.append(answer["at"])
        else:
            at, missed = await practised(caller(request), question, game, tally, lately)
            about = _asked(game, at, tally) | {"missed": missed}
    except IllegalChoice as refused:
        error, about = refused, _asked(game, at, tally)
    except ShutboxError as refused:
        error = refused
    return rendered(
        "practice.html",
        error,
        game=name,
        title=title,
        games=[each for each in catalogue().games if each.id != "tray"],
        carried=tally_text(tally),
        lately=" ".join(lately),
        **about,
    )


def _asked(game: Game[Any, Any], at: str, tally: PracticeTally) -> dict[str, Any]:
    """Return what the page shows of a question. Raises NotUnderstood if it is none."""
    position = game.position_at(at)
    scene = game.scene(position)
    tiles = {piece.key for piece in scene.pieces if piece.kind is Kind.TILE}
    return {
        "at": at,
        "box": scene,
        "takes": [key for offer in scene.offers for key in offer.takes if key in tiles],
        "facts": _facts(game, position, scene),
        "lit": tally.row % CHAIN,
        "out": 0,
        "missed": False,
        "told": None,
        "best": (),
        "yours": (),
    }


async def _answer(
    who: Caller, game: Game[Any, Any], form: Form, tally: PracticeTally
) -> dict[str, Any]:
    """Return the judged answer of a form, and the new tally. Raises ShutboxError."""
    at, lit = form.one("at")[: limits.LONGEST_TEXT], tally.row % CHAIN
    choice = form.one("choice").strip()
    if not choice:
        choice = picked(form, game.scene(game.position_at(at)).offers)
    id, given, advice, told = await practised(who, judged, game, at, choice[: limits.LONGEST_TEXT])
    takes = {offer.text: offer.takes for offer in game.scene(game.position_at(id)).offers}
    tally = tally.answered(id, cost=given.cost)
    return {
        "at": id,
        "tally": tally,
        "told": told,
        "given": given,
        "ranked": advice.ranked,
        "says": tally.words(told.best.says, given.cost),
        "best": takes[told.best.text],
        "yours": takes[given.text],
        "lit": 0 if given.cost else lit + 1,
        "out": lit if given.cost else 0,
    }


def _facts(game: Game[Any, Any], position: Any, scene: Scene) -> tuple[str, ...]:
    """Return a question in sentences, its facts first."""
    dice = [p.face for p in scene.pieces if p.kind is Kind.DIE and p.state is State.LYING]
    if scene.target is None or not dice:
        return (*Narrator(game, ()).resume(position), scene.ask)
    thrown = gettext("You threw {pips}.", pips=listed(dice))
    return scene.board, thrown, pgettext("question", "Which tiles?")


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
