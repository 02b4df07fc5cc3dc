"""Practice: positions where the choices differ, one after the other.

The tally stands in the form and in the browser of who practises: nothing is kept here.
"""

import json
from dataclasses import asdict
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from shutbox.analysis.advice.ranking import ChoiceFigures
from shutbox.analysis.practice import Missed, PracticeTally
from shutbox.english import capital
from shutbox.errors import ShutboxError
from shutbox.game import Choose, Game
from shutbox.web.actions import practice as practised
from shutbox.web.actions.context import Caller
from shutbox.web.actions.positions import read_position
from shutbox.web.errors import BadRequest, sentence
from shutbox.web.http.context import caller, services_of
from shutbox.web.http.errors import saying_when, status_of
from shutbox.web.http.requests import Form, read_form
from shutbox.web.pages import charts
from shutbox.web.pages.analysis import at_address
from shutbox.web.pages.still import still
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms import numbers
from shutbox.web.rooms.catalogue import catalogue

AnyGame = Game[Any, Any]
FIRST = "classic"
MOST_KEPT = 30  # missed questions that a form carries; what waited longest goes
MOST_RANKED = 6  # choices that are shown beside an answer
LATELY = 8  # questions that are not asked again at once
MOST_LOST = 1e9  # points that a tally adds up
LONGEST = 6_000  # characters of a tally


async def practice(request: Request) -> Response:
    """A first question."""
    return await _answered(request, Form(request.query_params.multi_items()))


async def answer(request: Request) -> Response:
    """An answer judged, or the next question."""
    return await _answered(request, await read_form(request))


async def _answered(request: Request, form: Form) -> Response:
    name, error = form.one("game") or FIRST, None
    about: dict[str, Any] = {}
    tally, lately = PracticeTally(), list[str]()
    try:
        game, _ = read_position(name)
        name = game.name
        tally, lately = read_tally(form.one("tally")), form.one("lately").split()[-LATELY:]
        about = await _page(caller(request), game, form, tally, lately)
    except (ShutboxError, BadRequest) as refused:
        services_of(request).metrics.refused(refused)
        error = refused
    tally = about.pop("tally", tally)
    shown = rendered(
        "practice.html",
        status_of(error) if error else 200,
        game=name,
        games=[(each.id, each.title) for each in catalogue().games if each.id != "tray"],
        said=sentence(error).splitlines() if error else [],
        right=tally.right,
        asked=tally.asked,
        lost=numbers.tenth(float(tally.lost) / tally.asked) if tally.asked else None,
        again=len(tally.missed),
        tally=tally_text(tally),
        value=partial(numbers.worth, practised.AIM),
        tenth=numbers.tenth,
        bar=charts.bar,
        **about,
    )
    return saying_when(shown, error)


async def _page(
    who: Caller, game: AnyGame, form: Form, tally: PracticeTally, lately: list[str]
) -> dict[str, Any]:
    """What is shown: an answer that is judged, or a question. Raises what is wrong."""
    if choice := form.one("choice").strip():
        found = await practised.answered(who, game, form.one("at"), choice, tally)
        id, missed, tally = found.question, False, found.tally
        lately = [*lately, id][-LATELY:]
    else:
        found = None
        id, missed = await practised.next_question(who, game, tally, lately)
    position = game.position_at(id)
    scene, awaited = game.scene(position), game.awaits(position)
    assert isinstance(awaited, Choose)  # it is a question
    texts = [game.choice_text(choice) for choice in awaited.choices]
    says = {offer.text: capital(offer.says) for offer in scene.offers}
    return {
        "at": id,
        "missed": missed,
        "judged": found,
        "ranked": _ranked(found) if found else [],
        "lately": " ".join(lately),
        "tally": tally,
        "box": still(scene),
        "ask": scene.ask,
        "offers": [(text, says[text]) for text in texts],
        "address": at_address(f"{game.name}:{id}"),
    }


def _ranked(judged: practised.JudgedAnswer) -> list[tuple[ChoiceFigures, float]]:
    """The best choices and the given one, each with how long its bar is: from 1 to a fifth."""
    shown = list(judged.ranked[:MOST_RANKED])
    if judged.given not in shown:
        shown[-1] = judged.given
    worst = max(one.cost for one in shown)
    return [(one, charts.bar_of(one.cost, worst)) for one in shown]


def tally_text(tally: PracticeTally) -> str:
    """The tally as a form carries it, which `read_tally` reads.

    >>> text = tally_text(PracticeTally().answered("1.3.4.9/1+3", cost=1.5))
    >>> text
    '{"asked":1,"right":0,"lost":1.5,"missed":[{"id":"1.3.4.9/1+3","due":4,"rights":0}]}'
    >>> tally_text(read_tally(text)) == text
    True
    """
    found = asdict(tally)
    found["lost"] = round(min(float(tally.lost), MOST_LOST - 1), 6)
    found["missed"] = found["missed"][-MOST_KEPT:]
    return json.dumps(found, separators=(",", ":"))


def read_tally(text: str) -> PracticeTally:
    """The tally of a form; an empty one where there is none. Raises BadRequest."""
    if not text:
        return PracticeTally()
    try:
        if len(text) > LONGEST:
            raise ValueError
        found = json.loads(text)
        missed = [
            Missed(str(one["id"]), _count(one["due"]), _count(one["rights"]))
            for one in found["missed"][:MOST_KEPT]
        ]
        asked, right, lost = _count(found["asked"]), _count(found["right"]), float(found["lost"])
        if right > asked or not 0 <= lost < MOST_LOST:
            raise ValueError
    except (ArithmeticError, ValueError, TypeError, KeyError, RecursionError):
        raise BadRequest("the tally of this practice cannot be read; begin a new one") from None
    return PracticeTally(asked, right, lost, tuple(missed))


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value < 10**9:
        raise ValueError
    return value
