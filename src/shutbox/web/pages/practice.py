"""Practice: positions where the choices differ, one after the other.

The tally is in the form and in the player's browser; the server stores nothing.
"""

import json
from dataclasses import asdict, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from shutbox.engine.english import listed
from shutbox.engine.errors import IllegalChoice, ShutboxError
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.narrator import Narrator
from shutbox.engine.scene import Kind, Scene, State
from shutbox.solving.practice_tally import PracticeTally
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.actions.positions import read_allowed_position
from shutbox.web.actions.practice import judge_answer, next_question
from shutbox.web.actions.tables import catalogue
from shutbox.web.errors import BadRequest
from shutbox.web.http.requests import caller_of, read_form
from shutbox.web.pages.setup_rules import DEFAULT_BOX
from shutbox.web.pages.table import pick_choice
from shutbox.web.pages.templates import render
from shutbox.web.rooms.requests import Form
from shutbox.web.rooms.shapes import convert

_MOST_CARRIED = 30  # missed questions in a form; beyond that, the ones due first are dropped
_CHAIN = 10  # matches, one for each right answer in a row; then it begins again
_MOST_LATELY = 8  # questions that are not asked again at once
_LONGEST_TALLY = 6_000  # characters of a tally
_MOST = 10**9  # of anything that is counted in a tally


async def practice(request: Request) -> Response:
    """Show a question, or judge the answer in a form. A refused answer leaves its question."""
    form = await read_form(request)
    name, tally, content = form.one("game") or DEFAULT_BOX, PracticeTally(), dict[str, Any]()
    title, lately = name, form.one("lately").split()[-_MOST_LATELY:]
    error: ShutboxError | None = None
    try:
        game, _ = read_allowed_position(name)
        name, title, tally = game.name, game.card().title, read_tally(form.one("tally"))
        if at := form.one("at")[: limits.LONGEST_TEXT]:
            answer = await _answer_content(caller_of(request), game, form, tally)
            content, tally = _question_content(game, at, tally) | answer, answer["tally"]
            lately.append(answer["at"])
        else:
            at, missed = await next_question(caller_of(request), game, tally, lately)
            content = _question_content(game, at, tally) | {"missed": missed}
            if missed:
                had = gettext("You have had this question before.")
                content["facts"] = (had, *content["facts"])
    except IllegalChoice as refused:
        error, content = refused, _question_content(game, at, tally)
    except ShutboxError as refused:
        error = refused
    return render(
        "practice.html",
        error,
        game=name,
        title=title,
        games=[each for each in catalogue().games if each.id != "tray"],
        carried=tally_text(tally),
        lately=" ".join(lately),
        **content,
    )


def _question_content(game: Game[Any, Any], at: str, tally: PracticeTally) -> dict[str, Any]:
    """Return what the page shows of a question. Raises NotUnderstood if it is none."""
    position = game.position_at(at)
    scene = game.scene(position)
    tiles = {piece.key for piece in scene.pieces if piece.kind is Kind.TILE}
    return {
        "at": at,
        "box": scene,
        "takes": [key for offer in scene.offers for key in offer.takes if key in tiles],
        "facts": _facts(game, position, scene),
        "lit": tally.row % _CHAIN,
        "out": 0,
        "missed": False,
        "told": None,
        "best": (),
        "yours": (),
    }


async def _answer_content(
    caller: Caller, game: Game[Any, Any], form: Form, tally: PracticeTally
) -> dict[str, Any]:
    """Return the judged answer of a form, and the new tally. Raises ShutboxError."""
    at, lit = form.one("at")[: limits.LONGEST_TEXT], tally.row % _CHAIN
    choice = form.one("choice").strip()
    if not choice:
        choice = pick_choice(form, game.scene(game.position_at(at)).offers)
    judged = await judge_answer(caller, game, at, choice[: limits.LONGEST_TEXT])
    takes = {offer.text: offer.takes for offer in game.scene(game.position_at(judged.id)).offers}
    given, best = judged.given, judged.comparison.best
    tally = tally.answered(judged.id, cost=given.cost)
    return {
        "at": judged.id,
        "tally": tally,
        "told": judged.comparison,
        "given": given,
        "ranked": judged.advice.ranked,
        "says": tally.verdict(best.says, given.cost),
        "best": takes[best.text],
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
    """Return the tally as text for a form, with only the last _MOST_CARRIED missed questions.

    >>> text = tally_text(PracticeTally().answered("1.3.4.9/1+3", cost=1.5))
    >>> text
    '{"asked":1,"right":0,"missed":[{"id":"1.3.4.9/1+3","due":4,"rights":0}],"row":0}'
    >>> tally_text(read_tally(text)) == text
    True
    """
    fields = asdict(tally)
    fields["missed"] = fields["missed"][-_MOST_CARRIED:]
    return json.dumps(fields, separators=(",", ":"))


def read_tally(text: str) -> PracticeTally:
    """Return the tally of a form's text; a new one for "". Raises BadRequest if unreadable."""
    if not text:
        return PracticeTally()
    try:
        tally: PracticeTally = convert(json.loads(text[: _LONGEST_TALLY + 1]), PracticeTally)
        due = (count for missed in tally.missed for count in (missed.due, missed.rights))
        counts = (tally.asked, tally.right, tally.row, *due)
        is_possible = 0 <= min(counts) <= max(counts) < _MOST
    except (ValueError, TypeError, KeyError, RecursionError):
        is_possible = False
    if not (is_possible and tally.row <= tally.right <= tally.asked):
        raise BadRequest("this practice cannot be continued; start again")
    return replace(tally, missed=tally.missed[:_MOST_CARRIED])
