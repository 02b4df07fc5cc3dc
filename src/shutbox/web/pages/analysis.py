"""Positions set up by hand and worked out, each with its own address and picture.

Charts are SVG; figures.css gives their classes colours. Words and numbers beside a chart say what
it shows. The chart of scores is drawn twice, for a wide page and for a phone; one of them is shown.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox.engine.cups import SecretCup
from shutbox.engine.english import listed
from shutbox.engine.errors import NotUnderstood, ShutboxError, TooLarge
from shutbox.engine.game import Choose, Game, Over, Throw, position_text
from shutbox.engine.messages import gettext
from shutbox.engine.scene import Kind, Piece, State
from shutbox.engine.typed_text import in_ascii
from shutbox.games.traits import SetUp, traits_of
from shutbox.match import Match
from shutbox.output.picture import svg
from shutbox.solving.options import Number
from shutbox.web.actions import positions
from shutbox.web.actions.positions import read_position
from shutbox.web.errors import sentence
from shutbox.web.http.requests import caller, read_form
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms import numbers
from shutbox.web.rooms.requests import Form
from shutbox.web.rooms.view import catalogue

FIRST = "classic"
_CACHED = {"Cache-Control": "public, max-age=86400"}  # seconds
_FACES = 6  # sides of a die that has buttons for its faces; for other dice a number is typed
_PRESSED_DICE = 3  # the most dice with such buttons
MOST_SHOWN = 60  # throws or choices in a table
MOST_BARS = 60  # of a distribution; with more scores, several share a bar

AnyGame = Game[Any, Any]


async def analysis(request: Request) -> Response:
    """Show a box to set up by hand; redirect a complete setup to the position's own page."""
    form = await read_form(request)
    aim = _aim(form)
    try:
        if not (text := _text(form)):
            return await _page(request, aim, *read_position(FIRST))
        found = position_text(*read_position(text))
        return RedirectResponse(at_address(found, aim), 303)
    except ShutboxError as error:
        try:
            game, here = read_position(form.one("game") or FIRST)
        except ShutboxError:
            game, here = read_position(FIRST)
        if form.one("of") != game.name:
            return await _page(request, aim, game, here, error=error)
        half = _before_throw(form, game)
        refusal, here = (error, here) if half is None else (None, half)
        return await _page(request, aim, game, here, error=refusal, pressed=form)


async def position(request: Request) -> Response:
    """Show a position with its value; serve its picture if the address ends in .svg or .png."""
    text: str = request.path_params["text"]
    ending = text[-4:] if text.endswith((".svg", ".png")) else ""
    game, here = read_position(text.removesuffix(ending))
    if ending == ".png":
        dots = await positions.picture(caller(request), game, here)
        return Response(dots, media_type="image/png", headers=_CACHED)
    if ending:
        return Response(svg(game.scene(here)), media_type="image/svg+xml", headers=_CACHED)
    return await _page(request, _aim(await read_form(request)), game, here)


def play_from(game: AnyGame, position: Any) -> dict[str, str] | None:
    """Return the form fields to play on alone from a position; None in a match or after the end.

    >>> from shutbox.table.lookup import find_position
    >>> play_from(*find_position("classic:1.5.9/2+4"))
    {'game': 'classic', 'position': '1.5.9/2+4'}
    """
    if isinstance(game, Match) or isinstance(game.awaits(position), Over):
        return None
    return {"game": game.name, "position": game.position_id(position)}


def at_address(text: str, aim: str = "mean") -> str:
    """Return the address of a position's page with values for `aim`, given the position's text.

    >>> at_address("classic:1.5.9/2+2", "shut")
    '/p/classic:1.5.9/2+2?aim=shut'
    """
    query = f"?{urlencode({'aim': aim})}" if aim != "mean" else ""
    return f"/p/{quote(text, safe='/:+.,;=()-')}{query}"


def _aim(form: Form) -> str:
    aim = form.one("aim")[:40] or "mean"
    score = form.one("score").strip()[:12]
    return f"beat:{score}" if aim == "beat" and score else "mean" if aim == "beat" else aim


def _text(form: Form) -> str:
    """Return the text of the position in a form; throw its dice now if the form asks for that.

    Empty if the form has none; a game's name alone means its start.
    """
    if typed := form.one("position").strip():
        return typed
    name = form.one("game").strip()
    if not name or form.one("of") != name:  # of another game: the tiles are still the old game's
        return name
    game, _ = read_position(name)
    if (set_up := traits_of(game).set_up) is None:
        return name
    tiles = form.all("tile")
    pips = _thrown(game, set_up, tiles) if form.one("throw") else _faces(form, set_up)
    return f"{name}:{set_up.text(tiles, pips)}"


def _before_throw(form: Form, game: AnyGame) -> Any:
    """Return a form's position before the throw if only some of its dice are set; else None."""
    set_up = traits_of(game).set_up
    with suppress(ShutboxError):
        if set_up and 0 < len(_faces(form, set_up)) < set_up.dice:
            return game.position_at(set_up.text(form.all("tile"), ()))
    return None


def _faces(form: Form, set_up: SetUp) -> list[int]:
    texts = _die_texts(form, set_up)
    if not all(face.isascii() and face.isdigit() for face in texts if face):
        raise NotUnderstood("write what a die shows as a whole number")
    return [int(face) for face in texts if face and int(face)]


def _die_texts(form: Form, set_up: SetUp) -> list[str]:
    """Return the text that was sent for each die; "" for a die that is not set."""
    return [in_ascii(form.one(f"die{place}")).strip()[:3] for place in range(set_up.dice)]


def _thrown(game: AnyGame, set_up: SetUp, tiles: list[str]) -> list[int]:
    """Throw as many dice as the position allows; return their pips, none if it is over."""
    here = game.position_at(set_up.text(tiles, ()))
    if isinstance(awaited := game.awaits(here), Choose):
        awaited = game.awaits(game.chosen(here, awaited.choices[-1]))
    return list(SecretCup().throw(awaited.dice).pips) if isinstance(awaited, Throw) else []


async def _page(
    request: Request,
    aim: str,
    game: AnyGame,
    here: Any,
    *,
    error: ShutboxError | None = None,
    pressed: Form | None = None,
) -> Response:
    """Return the page of a position; without values if there is an `error` or they are unknown.

    The form `pressed`, if there is one, gives the tiles and dice to show, as they were sent.
    """
    found, refusal, who = None, error, caller(request)
    if refusal is None:
        try:
            found = await positions.evaluation_for(who, game, here, aim)
        except (TooLarge, NotUnderstood) as too_large:
            refusal = too_large
    aim, choices = (found.aim, found.choices) if found else (aim, ())
    scene, title, set_up = game.scene(here), game.card().title, traits_of(game).set_up
    tiles = [piece for piece in scene.pieces if piece.kind is Kind.TILE]
    up = positions.tiles_up(game, here)
    lying = [p.number or 0 for p in scene.pieces if p.kind is Kind.DIE and p.state is State.LYING]
    total = sum(lying)  # of a whole throw, not of dice that a form has set in part
    if pressed is not None and set_up is not None:
        up = pressed.all("tile")
        lying = [int(face) if face.isdecimal() else 0 for face in _die_texts(pressed, set_up)]
    text, awaited = position_text(game, here), game.awaits(here)
    shown = rendered(
        "analysis.html",
        error,
        title=title,
        text=text,
        heading=_heading(title, scene.pieces),
        scene=scene,
        said=sentence(refusal).splitlines() if refusal else [],
        wrong=error is not None,
        game=game.name,
        games=[(each.id, each.title) for each in catalogue().games],
        rows=[[tile for tile in tiles if tile.row == row] for row in (1, 0)],
        up=up,
        best=choices[0] if choices else None,
        dice=[*lying, *[0] * (set_up.dice - len(lying))] if set_up else [],
        pressed=bool(set_up and set_up.sides == _FACES and set_up.dice <= _PRESSED_DICE),
        set_up=set_up is not None,
        total=total,
        over=awaited.scores[0] if isinstance(awaited, Over) and awaited.scores else None,
        aim=aim,
        low=game.scoring is None or game.scoring.low_is_good,
        found=found,
        most=MOST_SHOWN,
        parts=parts([choice.cost for choice in choices]),
        chart=distribution(found.scores, found.shut_score) if found else "",
        takes={offer.text: offer.takes for offer in scene.offers},
        worth=partial(numbers.value_text, aim),
        cost=partial(numbers.cost, aim),
        after=partial(positions.position_after, game, here),
        to=partial(at_address, aim=aim),
        play_from=play_from(game, here),
        start=at_address(position_text(game, game.start()), aim),
        origin=who.origin,
        here=at_address(text),
    )
    if refusal is None and aim == "mean":
        shown.headers["Cache-Control"] = "private, max-age=60"
    return shown


def _heading(game: str, pieces: Sequence[Piece]) -> str:
    """Return the title of a position's page: the game, the dice thrown, and the tiles up."""
    faces = listed([p.face for p in pieces if p.kind is Kind.DIE and p.state is State.LYING])
    tiles = " ".join(p.face for p in pieces if p.kind is Kind.TILE and p.state is State.UP)
    facts = {"game": game, "faces": faces, "tiles": tiles}
    if faces and tiles:
        return gettext("{game}, {faces} thrown, {tiles} up", **facts)
    if faces:
        return gettext("{game}, {faces} thrown", **facts)
    return gettext("{game}, {tiles} up", **facts) if tiles else game


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


def distribution(scores: Sequence[tuple[int, Number]], shut: int | None) -> Markup:
    """Draw the chance of each score as a bar, golden for `shut`: two SVGs, one wide, one narrow.

    `scores` are ascending, with chances; "" without any. Above MOST_BARS, several share a bar.

    >>> "hb gold" in distribution([(0, 0.25), (7, 0.75)], 0)
    True
    """
    charts = [
        f'<svg class="chart {kind}" viewBox="0 0 {width} 196" aria-hidden="true">'
        f"{''.join(_bars(scores, shut, width))}</svg>"
        for kind, width in (("wide-only", 560), ("narrow-only", 330))
        if scores
    ]
    return Markup("".join(charts))


def _bars(scores: Sequence[tuple[int, Number]], shut: int | None, width: int) -> Iterator[str]:
    low, high = min(0, scores[0][0]), scores[-1][0]
    each = -(-(high - low + 1) // MOST_BARS)
    shares = [0.0] * -(-(high - low + 1) // each)
    for score, chance in scores:
        shares[(score - low) // each] += float(chance)
    most, step = max(shares), width / len(shares)
    golden = None if shut is None else (shut - low) // each
    for place, share in enumerate(shares):
        height = max(1.0, 160 * share / most) if share else 0.5
        look = "hb gold" if place == golden else "hb" if share else "hb none"
        yield (
            f'<rect class="{look}" x="{place * step + 1:.1f}" y="{168 - height:.1f}" '
            f'width="{max(1.0, step - 2):.1f}" height="{height:.1f}" rx="1"/>'
        )
    for tick in ticks(low, high, 6 if width > 400 else 5):
        x = (int(tick) - low) // each * step + step / 2
        ends = {x < 12: ("start", 1.0), x > width - 16: ("end", width - 1.0)}
        anchor, x = ends.get(True, ("middle", x))
        yield f'<text x="{x:.1f}" y="188" text-anchor="{anchor}">{int(tick)}</text>'


def parts(costs: Sequence[Number]) -> list[float]:
    """Return the length of the bar for each cost: 1 for no cost, a fifth for the greatest.

    >>> parts([0.0, 2.0]), parts([0.0])
    ([1.0, 0.19999999999999996], [1.0])
    """
    worst = max(costs, default=0)
    return [1.0 - 0.8 * float(cost / worst) if worst else 1.0 for cost in costs]
