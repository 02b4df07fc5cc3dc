"""The plates of the seats above the box: the points of each player, and what is still up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from shutbox.engine.dice import Roll
from shutbox.engine.game import Game, Over
from shutbox.engine.messages import pgettext, pgettext_noop
from shutbox.engine.play import Rolled
from shutbox.engine.scene import Kind, Offer, Piece, Scene, State
from shutbox.match import Match
from shutbox.match.scoreboard import scoreboard
from shutbox.match.standing import About, Contest, Ended, Standing, Status, Turn
from shutbox.table import Table

_State = Literal["up", "points", "done", "shut", "to-come", "passed", "out", "threw", "first"]
_SAYS: dict[_State, str] = {
    "up": pgettext_noop("plate", "still up"),
    "points": pgettext_noop("plate", "so far"),
    "done": pgettext_noop("plate", "scored"),
    "shut": pgettext_noop("plate", "shut"),
    "to-come": pgettext_noop("plate", "waiting"),
    "passed": pgettext_noop("plate", "passes"),
    "out": pgettext_noop("plate", "out"),
    "threw": pgettext_noop("plate", "threw"),
    "first": pgettext_noop("plate", "goes first"),
}


@dataclass
class PlateView:
    """The figures of one seat, as shown on its plate above the box."""

    says: str  # the meaning of `points`, in a word or two
    state: _State
    """The meaning of `points`: the tiles still `up` in the current turn, its `points` so far, or
    the score of a turn that is `done` or `shut` the box. `to-come` and `out` have no points. With
    one throw each, `up` and `passed` (since the last cover) tell what is up in the seat's row.
    `threw` and `first` count the throw that decides who begins, before the first turn."""
    points: int | None  # None without a number to show
    total: int | None = None  # the total of the rounds that are over; None if there is only one
    chips: int | None = None  # None without a stake
    leads: bool = False  # whether the player leads
    won: bool = False  # whether the player has won
    dice: tuple[int, ...] = ()  # the dice of the throw that decides who begins; else empty
    stand: tuple[str, ...] = ()
    """The faces of the tiles up after its turn in this round. With one throw each, see `row`."""
    chips_won: int | None = None
    """The chips won in the match, negative if lost; None before its end, and without a stake."""
    row: tuple[str, ...] | None = None  # the keys of the tiles up in its own row; None without one
    board: str = ""  # what is up in its own row, in a sentence; empty without one
    last: tuple[str, ...] = ()  # the keys of the tiles that it has covered since the last throw
    offers: tuple[Offer, ...] = ()  # how it can cover a throw for all before it is due


def plate_alone(game: Game[Any, Any], over: Over | None, scene: Scene) -> PlateView:
    """Return the plate of a player who plays alone; `over` is the game's result, if it is over."""
    state = _state(game, scene, shut=None if over is None else over.shut)
    points = scene.points if over is None else over.scores[0]
    return PlateView(_says(game, state), state, points, won=state == "shut")


def plates_of_match(
    table: Table[Any, Any], match: Match[Any, Any], standing: Standing[Any]
) -> tuple[PlateView, ...]:
    """Return the plates of all seats; `standing` is the table's position after automatic steps."""
    start, threw = table.position.doing, dict[int, Roll]()
    if isinstance(start, Contest) and start.about is About.START:
        threw = dict(zip(start.among, start.rolls, strict=False))
    format, board = match.format, scoreboard(match, table.position)
    winners = board.leaders if isinstance(standing.doing, Ended) else ()
    plates = []
    for seat, tally in enumerate(standing.tallies):
        roll, is_due = threw.get(seat), seat == board.seat
        state, points = _state_and_points(table, match, standing, seat, roll, is_due=is_due)
        is_done = state == "done" and not standing.rows
        plate = PlateView(
            says=_says(match.game, state),
            state=state,
            points=points,
            total=tally.total if format.most_rounds > 1 else None,
            chips=board.chips[seat] if board.chips else None,
            leads=seat in board.leaders,
            won=seat in winners,
            dice=roll.pips if roll is not None else (),
            stand=_left_standing(table, match, standing.round, seat) if is_done else (),
            chips_won=tally.chips - match.rules.purses[seat] if winners and format.stake else None,
        )
        plates.append(plate)
    if standing.rows:
        _add_rows(table, match, standing, plates)
    return tuple(plates)


def _state_and_points(
    table: Table[Any, Any],
    match: Match[Any, Any],
    standing: Standing[Any],
    seat: int,
    roll: Roll | None,
    *,
    is_due: bool,
) -> tuple[_State, int | None]:
    """Return the state and the points of a seat's plate; `roll` is its throw for the start."""
    tally, rows = standing.tallies[seat], match.rules.rows
    if roll is not None:
        return "first" if is_due else "threw", roll.total
    if is_due:
        return _state(match.game, table.scene), table.scene.points
    if tally.score is not None:
        return _state(match.game, table.scene, shut=tally.shut), tally.score
    if tally.status is not Status.IN or tally.sits_out:
        return "out", None
    if standing.rows and rows:  # still in, with a row to see
        state: _State = "done" if table.due is None else "passed" if tally.passed else "up"
        return state, rows.score(standing.rows[seat])
    return "to-come", None


def _left_standing(
    table: Table[Any, Any], match: Match[Any, Any], round: int, seat: int
) -> tuple[str, ...]:
    """Return the faces of the tiles still up after a seat's turn in this round."""
    for standing in (table.position, *(step.before for step in reversed(table.steps))):
        if standing.round != round:
            break
        if isinstance(standing.doing, Turn) and standing.doing.seat == seat:
            return tuple(piece.face for piece in tiles_up(match.game.scene(standing.doing.at)))
    return ()


def tiles_up(scene: Scene) -> list[Piece]:
    """Return the tiles of a scene that are still up and not hidden, in its order."""
    return [p for p in scene.pieces if p.kind is Kind.TILE and p.state is State.UP]


def _says(game: Game[Any, Any], state: _State) -> str:
    """Return the meaning of a plate's points: a low score is what is left."""
    if state == "done" and game.scoring and game.scoring.low_is_good:
        return pgettext("plate", "left")
    return pgettext("plate", _SAYS[state])


def _state(game: Game[Any, Any], scene: Scene, *, shut: bool | None = None) -> _State:
    """Return the state of a turn's plate; `shut` is whether it shut the box, None until it ends."""
    has_tiles = any(piece.kind is Kind.TILE for piece in scene.pieces)
    if shut is not None:
        return "shut" if shut and has_tiles else "done"
    return "up" if has_tiles and game.scoring and game.scoring.low_is_good else "points"


def _add_rows(
    table: Table[Any, Any],
    match: Match[Any, Any],
    standing: Standing[Any],
    plates: Sequence[PlateView],
) -> None:
    """Add to each plate its row, what was covered since the last throw, and covers to come."""
    start, waiting = standing, standing.waiting
    for step in reversed(table.steps):
        if isinstance(step.event, Rolled):
            break
        start = step.before
    before = start.rows if start.round == standing.round else ()
    for seat, (plate, at) in enumerate(zip(plates, standing.rows, strict=True)):
        scene = match.game.scene(at)
        plate.row, plate.board = tuple(piece.key for piece in tiles_up(scene)), scene.board
        then = tiles_up(match.game.scene(before[seat])) if before else ()
        plate.last = tuple(piece.key for piece in then if piece.key not in plate.row)
        if seat in waiting and seat != table.due:
            plate.offers = scene.offers
        elif plate.state == "done" and table.due is not None:
            plate.state, plate.says = "out", pgettext("plate", _SAYS["out"])
