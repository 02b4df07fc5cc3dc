"""Positions set up by hand and worked out, each with its own address and picture.

Charts are SVG; figures.css gives their classes colours. Words and numbers beside a chart say what
it shows. The chart of scores is drawn twice, for a wide page and for a phone; one of them is shown.
"""

from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.engine.cups import SecretCup
from shutbox.engine.errors import NotUnderstood, ShutboxError, TooLarge
from shutbox.engine.game import Choose, Game, Over, Throw, position_text
from shutbox.engine.scene import Kind, State
from shutbox.engine.typed_text import in_ascii
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.output.picture import png, svg
from shutbox.solving.options import Number
from shutbox.web import limits
from shutbox.web.actions import positions
from shutbox.web.actions.positions import read_allowed_position
from shutbox.web.actions.tables import catalogue
from shutbox.web.errors import sentence
from shutbox.web.http.requests import caller_of, read_form
from shutbox.web.pages.setup_rules import DEFAULT_BOX
from shutbox.web.pages.templates import at_address, render
from shutbox.web.rooms.requests import Form

_CACHED = {"Cache-Control": "public, max-age=86400"}  # seconds
MOST_SHOWN = 60  # throws or choices in a table
MOST_BARS = 60  # of a distribution; with more scores, several share a bar

AnyGame = Game[Any, Any]


async def analysis(request: Request) -> Response:
    """Show a box to set up by hand; redirect a complete setup to the position's own page.

    While only some of the dice are set, show the box before the throw.
    """
    form = await read_form(request)
    aim, name, is_half, pressed = _aim(form), form.one("game").strip(), False, None
    text = form.one("position").strip() or name
    game, shown = read_allowed_position(DEFAULT_BOX)
    try:
        if not text:
            return await _page(request, aim, game, shown)
        if text == name:
            game, shown = read_allowed_position(name)
            set_up = traits_of(game).set_up
            if set_up and form.one("of") == name:  # else the tiles are still the old game's
                tiles, faces = pressed = form.all("tile"), _faces(form, set_up.dice)
                shown = game.position_at(set_up.text(tiles, ()))
                pips = _throw(game, shown) if form.one("throw") else _pips(faces)
                is_half = 0 < len(pips) < set_up.dice
                text = f"{name}:{set_up.text(tiles, pips)}"
        text = position_text(*read_allowed_position(text))
        return RedirectResponse(at_address(text, aim), 303)
    except ShutboxError as error:
        refusal = None if is_half else error
        return await _page(request, aim, game, shown, error=refusal, pressed=pressed)


async def position(request: Request) -> Response:
    """Show a position with its value; serve its picture if the address ends in .svg or .png."""
    text: str = request.path_params["text"]
    ending = text[-4:] if text.endswith((".svg", ".png")) else ""
    game, shown = read_allowed_position(text.removesuffix(ending))
    if ending == ".png":
        caller = caller_of(request)
        caller.count(limits.HINTS_OF_ADDRESS, "pictures")
        dots = await caller.do(png, game.scene(shown), quick=True)
        return Response(dots, media_type="image/png", headers=_CACHED)
    if ending:
        return Response(svg(game.scene(shown)), media_type="image/svg+xml", headers=_CACHED)
    return await _page(request, _aim(await read_form(request)), game, shown)


def _aim(form: Form) -> str:
    aim = form.one("aim")[:40] or "mean"
    score = form.one("score").strip()[:12]
    return f"beat:{score}" if aim == "beat" and score else "mean" if aim == "beat" else aim


def _faces(form: Form, dice: int) -> list[str]:
    """Return the text that was sent for each die; "" for a die that is not set."""
    return [in_ascii(form.one(f"die{place}")).strip()[:3] for place in range(dice)]


def _pips(faces: Sequence[str]) -> list[int]:
    """Return the pips of the dice that are set. Raises NotUnderstood."""
    if not all(face.isascii() and face.isdigit() for face in faces if face):
        raise NotUnderstood("write what a die shows as a whole number")
    return [int(face) for face in faces if face and int(face)]


def _throw(game: AnyGame, position: Any) -> list[int]:
    """Throw as many dice as the position allows; return their pips, none if it is over."""
    if isinstance(awaited := game.awaits(position), Choose):
        awaited = game.awaits(game.chosen(position, awaited.choices[-1]))
    return list(SecretCup().throw(awaited.dice).pips) if isinstance(awaited, Throw) else []


async def _page(
    request: Request,
    aim: str,
    game: AnyGame,
    position: Any,
    *,
    error: ShutboxError | None = None,
    pressed: tuple[list[str], list[str]] | None = None,
) -> Response:
    """Return the page of a position; without values if there is an `error` or they are unknown.

    `pressed`, if given, are the tiles up and the faces of the dice to show, as they were sent.
    """
    worth, refusal, caller = None, error, caller_of(request)
    if refusal is None:
        try:
            worth = await positions.evaluate_for(caller, game, position, aim)
        except (TooLarge, NotUnderstood) as too_large:
            refusal = too_large
    aim = worth.odds.aim if worth else aim
    scene, set_up, awaited = game.scene(position), traits_of(game).set_up, game.awaits(position)
    lying = [p.face for p in scene.pieces if p.kind is Kind.DIE and p.state is State.LYING]
    up, faces = pressed or (positions.tiles_not_down(game, position), lying)
    shown = render(
        "analysis.html",
        error,
        game=game,
        title=game.card().title,
        scene=scene,
        id=game.position_id(position),
        lying=lying,
        said=sentence(refusal).splitlines() if refusal else [],
        games=catalogue().games,
        set_up=set_up,
        up=up,
        faces=faces,
        over=awaited.scores[0] if isinstance(awaited, Over) and awaited.scores else None,
        goes_on=error is None and not isinstance(game, Match) and not isinstance(awaited, Over),
        aim=aim,
        found=worth,
        most=MOST_SHOWN,
        takes={offer.text: offer.takes for offer in scene.offers},
        after=partial(positions.position_after, game, position),
        bars=bars,
        ticks=ticks,
        start=position_text(game, game.start()),
        origin=caller.origin,
    )
    if refusal is None and aim == "mean":
        shown.headers["Cache-Control"] = "private, max-age=60"
    return shown


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return up to `most` round numbers between two bounds; only `low` if `high` is no higher.

    >>> ticks(0, 45), ticks(0.2, 0.62)
    ([0.0, 10.0, 20.0, 30.0, 40.0], [0.2, 0.3, 0.4, 0.5, 0.6])
    """
    span = high - low
    if span <= 0:
        return [low]
    for step in (size * 10.0**power for power in count(-9) for size in (1, 2, 5)):
        first = -(-(low - 1e-9 * span) // step)
        number = int((high + 1e-9 * span) // step - first) + 1
        if number <= most:
            break
    return [round((first + i) * step, 9) for i in range(number)]


class Bars(NamedTuple):
    """The bars of a distribution of scores."""

    low: int  # the first score of the first bar
    each: int  # how many scores in a row share a bar
    chances: list[float]  # of each bar


def bars(scores: Sequence[tuple[int, Number]]) -> Bars:
    """Return the bars of some scores, at most MOST_BARS, given each score with its chance.

    `scores` are ascending, at least one. The first bar begins with 0 or a negative lowest score.

    >>> bars([(1, 0.25), (3, 0.75)]), bars([(180, 1.0)]).each
    (Bars(low=0, each=1, chances=[0.0, 0.25, 0.0, 0.75]), 4)
    """
    low, high = min(0, scores[0][0]), scores[-1][0]
    each = -(-(high - low + 1) // MOST_BARS)
    chances = [0.0] * -(-(high - low + 1) // each)
    for score, chance in scores:
        chances[(score - low) // each] += float(chance)
    return Bars(low, each, chances)
