"""The figures of the seats as their plates above the box show them, at a glance."""

from dataclasses import dataclass
from typing import Any, Literal

from shutbox.game import Game, Over
from shutbox.match import Match
from shutbox.match.race import Race
from shutbox.match.standing import Ended, Standing, Status, Tally, Turn
from shutbox.messages import gettext, gettext_noop
from shutbox.scene import Kind, Scene

_State = Literal["up", "points", "done", "shut", "to-come", "out"]
_SAYS: dict[_State, str] = {
    "up": gettext_noop("still up"),
    "points": gettext_noop("so far"),
    "done": gettext_noop("done"),
    "shut": gettext_noop("shut"),
    "to-come": gettext_noop("to come"),
    "out": gettext_noop("out"),
}


@dataclass
class PlateView:
    """The figures of one seat, as its plate above the box shows them."""

    says: str
    """What `points` are, in a word or two."""
    state: _State
    """What `points` are: the tiles still up in the turn that is played, or its points so far; the
    score of a turn that is over, or that shut the box. None are there before a turn, or without."""
    points: int | None
    total: int | None
    """Of the rounds that are over; None where there is only one."""
    chips: int | None
    leads: bool
    won: bool


def plate_alone(game: Game[Any, Any], over: Over | None, scene: Scene) -> PlateView:
    """The plate of who plays alone."""
    shut = over is not None and over.shut and _has_tiles(scene)
    if over is None:
        return _plate(_so_far(game, scene), scene.points)
    return _plate("shut" if shut else "done", over.scores[0], won=shut)


def plates_of_match(
    match: Match[Any, Any], here: Standing[Any], scene: Scene
) -> tuple[PlateView, ...]:
    """The plates of all seats of a match."""
    format, doing = match.format, here.doing
    winners = doing.winners if isinstance(doing, Ended) else ()
    due = doing.seat if isinstance(doing, Turn) else None
    leaders = Race(match.rules, here).leaders

    def plate(seat: int, tally: Tally) -> PlateView:
        state: _State = "to-come"
        points = tally.score
        if seat == due:
            state, points = _so_far(match.game, scene), scene.points
        elif points is not None:
            state = "shut" if tally.shut and _has_tiles(scene) else "done"
        elif tally.status is not Status.IN or tally.sits_out:
            state = "out"
        return _plate(
            state,
            points,
            total=tally.total if format.most_rounds > 1 else None,
            chips=tally.chips if format.stake else None,
            leads=seat in (winners or leaders),
            won=seat in winners,
        )

    return tuple(plate(seat, tally) for seat, tally in enumerate(here.tallies))


def _plate(
    state: _State,
    points: int | None,
    *,
    total: int | None = None,
    chips: int | None = None,
    leads: bool = False,
    won: bool = False,
) -> PlateView:
    return PlateView(gettext(_SAYS[state]), state, points, total, chips, leads, won)


def _so_far(game: Game[Any, Any], scene: Scene) -> _State:
    low = game.scoring is not None and game.scoring.low_is_good
    return "up" if low and _has_tiles(scene) else "points"


def _has_tiles(scene: Scene) -> bool:
    return any(piece.kind is Kind.TILE for piece in scene.pieces)
