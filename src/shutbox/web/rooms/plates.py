"""The plates above the box: the figures of each seat, and the tiles that its turn left standing."""

from dataclasses import dataclass
from typing import Any, Literal

from shutbox.dice import Roll
from shutbox.game import Game, Over
from shutbox.match import Match
from shutbox.match.scoreboard import scoreboard
from shutbox.match.standing import About, Contest, Ended, Standing, Status, Tally, Turn
from shutbox.messages import pgettext, pgettext_noop
from shutbox.scene import Kind, Scene, State
from shutbox.table import Table

_State = Literal["up", "points", "done", "shut", "to-come", "out", "threw", "first"]
_SAYS: dict[_State, str] = {
    "up": pgettext_noop("plate", "still up"),
    "points": pgettext_noop("plate", "so far"),
    "done": pgettext_noop("plate", "scored"),
    "shut": pgettext_noop("plate", "shut"),
    "to-come": pgettext_noop("plate", "waiting"),
    "out": pgettext_noop("plate", "out"),
    "threw": pgettext_noop("plate", "threw"),
    "first": pgettext_noop("plate", "goes first"),
}


@dataclass
class PlateView:
    """The figures of one seat, as shown on its plate above the box."""

    says: str
    """The meaning of `points`, in a word or two."""
    state: _State
    """The meaning of `points`: the tiles still `up` in the current turn, its `points` so far, or
    the score of a turn that is `done` or `shut` the box. `to-come` and `out` have no points.
    `threw` and `first` count the throw that decides who begins, before the first turn."""
    points: int | None  # None without a number to show
    total: int | None
    """The total of the rounds that are over; None if there is only one round."""
    chips: int | None  # None without a stake
    leads: bool  # whether the player leads
    won: bool  # whether the player has won
    dice: tuple[int, ...] = ()  # of that throw
    stand: tuple[str, ...] = ()
    """The faces of the tiles still up after a turn of this round that is over."""
    chips_won: int | None = None
    """The chips won since the match began, negative if lost; None before its end."""


def plate_alone(game: Game[Any, Any], over: Over | None, scene: Scene) -> PlateView:
    """Return the plate of a player who plays alone; `over` is the game's result, if it is over."""
    state, points = _progress(game, scene), scene.points
    if over is not None:
        state, points = _done(scene, shut=over.shut), over.scores[0]
    won = state == "shut"
    return PlateView(
        pgettext("plate", _SAYS[state]), state, points, None, None, leads=False, won=won
    )


def plates_of_match(
    table: Table[Any, Any], match: Match[Any, Any], here: Standing[Any], scene: Scene
) -> tuple[PlateView, ...]:
    """Return the plates of all seats at a table, settled at the standing `here` with its `scene`.

    `match` is the game of the table.
    """
    start, threw = table.position.doing, dict[int, Roll]()
    if isinstance(start, Contest) and start.about is About.START:
        threw = dict(zip(start.among, start.rolls, strict=False))
    format, board = match.format, scoreboard(match, here)
    winners = board.leaders if isinstance(here.doing, Ended) else ()
    stand = _left_standing(table, match.game, here.round)

    def plate(seat: int, tally: Tally) -> PlateView:
        state: _State = "to-come"
        points = tally.score
        if seat in threw:
            state, points = "first" if seat == board.seat else "threw", threw[seat].total
        elif seat == board.seat:
            state, points = _progress(match.game, scene), scene.points
        elif points is not None:
            state = _done(scene, shut=tally.shut)
        elif tally.status is not Status.IN or tally.sits_out:
            state = "out"
        return PlateView(
            *(pgettext("plate", _SAYS[state]), state, points),
            total=tally.total if format.most_rounds > 1 else None,
            chips=board.chips[seat] if board.chips else None,
            leads=seat in board.leaders,
            won=seat in winners,
            dice=threw[seat].pips if seat in threw else (),
            stand=stand.get(seat, ()) if state == "done" else (),
            chips_won=tally.chips - match.rules.purses[seat] if winners and format.stake else None,
        )

    return tuple(plate(seat, tally) for seat, tally in enumerate(here.tallies))


def _left_standing(
    table: Table[Any, Any], game: Game[Any, Any], round: int
) -> dict[int, tuple[str, ...]]:
    """Return the faces of the tiles that were up last in the turn of each seat in a round."""
    found: dict[int, tuple[str, ...]] = {}
    for here in (table.position, *(step.before for step in reversed(table.steps))):
        if here.round != round:
            break
        if isinstance(here.doing, Turn) and here.doing.seat not in found:
            pieces = game.scene(here.doing.at).pieces
            up = (p.face for p in pieces if p.kind is Kind.TILE and p.state is State.UP)
            found[here.doing.seat] = tuple(up)
    return found


def _progress(game: Game[Any, Any], scene: Scene) -> _State:
    low = game.scoring is not None and game.scoring.low_is_good
    return "up" if low and _has_tiles(scene) else "points"


def _done(scene: Scene, *, shut: bool) -> _State:
    return "shut" if shut and _has_tiles(scene) else "done"


def _has_tiles(scene: Scene) -> bool:
    return any(piece.kind is Kind.TILE for piece in scene.pieces)
