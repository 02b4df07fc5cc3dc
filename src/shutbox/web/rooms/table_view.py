"""The view of one game that all viewers share: table, moves, the plates of seats, and score sheet.

The classes here have no slots, since without them they are written as JSON faster.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from shutbox.english import listed
from shutbox.game import Game, Over, Throw
from shutbox.match import Match, RoundResult
from shutbox.match.answers import TO_BEAT
from shutbox.match.race import Race
from shutbox.match.standing import Ended, Standing, Status, Tally, Turn
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.play import Applied, Chosen, Corrected, Rolled
from shutbox.scene import Kind, Piece, Scene, State
from shutbox.table import Table
from shutbox.web import limits

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
    """The figures of one seat, as shown on its plate above the box."""

    says: str
    """The meaning of `points`, in a word or two."""
    state: _State
    """The meaning of `points`: the tiles still `up` in the current turn, its `points` so far, or
    the score of a turn that is `done` or `shut` the box. `to-come` and `out` have no points."""
    points: int | None
    total: int | None
    """The total of the rounds that are over; None if there is only one round."""
    chips: int | None
    leads: bool
    won: bool


def plate_alone(game: Game[Any, Any], over: Over | None, scene: Scene) -> PlateView:
    """Return the plate of a player who plays alone; `over` is the game's result, if it is over."""
    state, points = _so_far(game, scene), scene.points
    if over is not None:
        state, points = _done(scene, shut=over.shut), over.scores[0]
    won = state == "shut"
    return PlateView(gettext(_SAYS[state]), state, points, None, None, leads=False, won=won)


def plates_of_match(
    match: Match[Any, Any], here: Standing[Any], scene: Scene
) -> tuple[PlateView, ...]:
    """Return the plates of all seats at the standing `here`; `scene` shows the current turn."""
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
            state = _done(scene, shut=tally.shut)
        elif tally.status is not Status.IN or tally.sits_out:
            state = "out"
        return PlateView(
            *(gettext(_SAYS[state]), state, points),
            total=tally.total if format.most_rounds > 1 else None,
            chips=tally.chips if format.stake else None,
            leads=seat in (winners or leaders),
            won=seat in winners,
        )

    return tuple(plate(seat, tally) for seat, tally in enumerate(here.tallies))


def _so_far(game: Game[Any, Any], scene: Scene) -> _State:
    low = game.scoring is not None and game.scoring.low_is_good
    return "up" if low and _has_tiles(scene) else "points"


def _done(scene: Scene, *, shut: bool) -> _State:
    return "shut" if shut and _has_tiles(scene) else "done"


def _has_tiles(scene: Scene) -> bool:
    return any(piece.kind is Kind.TILE for piece in scene.pieces)


@dataclass
class ThrownView:
    """One die of a throw: its number of sides, and the face that it showed."""

    sides: int
    face: str


@dataclass
class MoveView:
    """A throw, a choice, a take-back or a correction, in figures."""

    thrown: tuple[ThrownView, ...] = ()
    """The dice as they fell, or as they were corrected."""
    covered: tuple[str, ...] = ()
    """The faces of the tiles that a choice took."""
    score: int | None = None
    """The score of the turn that ended with this move; None if the turn goes on."""
    shut: bool = False
    """Whether that turn reached its goal, such as shutting the box."""


def move_view(table: Table[Any, Any], applied: Applied[Any, Any], before: Scene) -> MoveView:
    """Return the figures of a move just applied at a table; `before` is the scene before it.

    >>> from shutbox import ScriptCup, Table, find
    >>> table = Table(find("classic(tiles=7-9)"), ScriptCup(["4+5", "1+1"]))
    >>> move_view(table, table.apply(table.prepare_throw()), table.scene).thrown
    (ThrownView(sides=6, face='4'), ThrownView(sides=6, face='5'))
    >>> before, applied = table.scene, table.apply(table.prepare_choice("9"))
    >>> move_view(table, applied, before).covered
    ('9',)
    >>> before, applied = table.scene, table.apply(table.prepare_throw())
    >>> move_view(table, applied, before).score
    15
    """
    thrown: tuple[ThrownView, ...] = ()
    covered: tuple[str, ...] = ()
    match applied.event:
        case Rolled() | Corrected():
            thrown = last_thrown(table)
        case Chosen() if applied.offer is not None:
            tiles = {p.key: p.face for p in before.pieces if p.kind is Kind.TILE}
            covered = tuple(tiles[key] for key in applied.offer.takes if key in tiles)
    return MoveView(thrown, covered, *_ended(table))


def last_thrown(table: Table[Any, Any]) -> tuple[ThrownView, ...]:
    """Return the dice of the last throw in a game as it stands; empty before the first."""
    for step in reversed(table.steps):
        awaited = table.game.awaits(step.before)
        if isinstance(step.event, Rolled) and isinstance(awaited, Throw):
            dice = zip(awaited.dice.sides, step.event.roll.pips, strict=True)
            return tuple(ThrownView(sides, str(face)) for sides, face in dice)
    return ()


def _ended(table: Table[Any, Any]) -> tuple[int | None, bool]:
    """Return the score of the turn that just ended (None if it goes on), and if it shut the box."""
    if isinstance(table.game, Match):
        turn = table.game.settled(table.position).turn
        return (None, False) if turn is None else (turn.score, turn.shut)
    over = table.awaits
    return (over.scores[0], over.shut) if isinstance(over, Over) else (None, False)


@dataclass
class OfferView:
    """One open choice; to take it, a client sends back its `text`."""

    text: str
    says: str
    takes: tuple[str, ...]
    kind: str
    count: int | None


@dataclass
class AnswerView:
    """A further question about a match, with its answer."""

    key: str
    about: str
    says: str
    seats: tuple[int, ...]
    number: int | None


@dataclass
class SheetRow:
    """One finished round of a match."""

    round: str
    cells: tuple[str, ...]
    won: tuple[int, ...]
    note: str


@dataclass
class Sheet:
    """The score sheet of a match, with a column for each seat."""

    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[str, ...]
    chips: tuple[str, ...] | None
    pot: str | None


@dataclass
class TableView:
    """One game as all viewers see it."""

    game: int
    version: int
    does: Literal["throw", "choose", "over"]
    seat: int | None
    throws: str
    says: tuple[str, ...]
    dice: str
    board: str
    score: str
    legal: str
    ask: str
    ask_alone: str
    """The question without the name of the player who is asked."""
    enter: str
    default: str | None
    pieces: tuple[Piece, ...]
    left: tuple[Piece, ...]
    """The pieces that the last turn left, with its dice; empty except at the start of a turn."""
    rolls_left: int | None
    """The rolls left in the turn; None in a game that does not count them."""
    thrown: tuple[ThrownView, ...]
    """The last throw of the game, even if its dice are off the table; empty before the first."""
    offers: tuple[OfferView, ...]
    answers: tuple[AnswerView, ...]
    target: int | None
    taker_back: int | None
    correctable: int | None
    shut: bool
    sheet: Sheet | None
    plates: tuple[PlateView, ...]
    round: int | None
    """The current round; None if there is only one."""
    rounds: int | None
    """The number of rounds; None if there is only one, or if it is not settled beforehand."""
    pot: int | None
    beat: int | None
    """The number on the brass tag, for the player who is due; None if there is no tag."""
    beat_says: str
    """The label beside it: `to beat`, or `to go` in a match that a total ends."""
    remaining: int | None
    """The sum of the tiles still up at the end, if it is the score of a winner or of a player who
    played alone."""
    scores: tuple[str, ...]
    winners: tuple[int, ...]
    ranking: tuple[int, ...]
    """The seats at the end of the game, best first; empty before."""


def table_view(table: Table[Any, Any], game: int, rounds: Sequence[RoundResult]) -> TableView:
    """Return the view of game number `game` in its room; `rounds` are those that are over."""
    scene, awaited = table.scene, table.awaits
    over = awaited if isinstance(awaited, Over) else None
    shut, sheet = over is not None and over.shut, None
    round, all_rounds, pot = None, None, None
    ranking: tuple[int, ...] = () if over is None else (0,)
    if isinstance(table.game, Match):
        settled = table.game.settled(table.position)
        shut = settled.turn is not None and settled.turn.shut
        here = settled.position
        sheet = _sheet(table.game, here, rounds)
        plates = plates_of_match(table.game, here, scene)
        if table.game.format.most_rounds > 1:
            round, all_rounds = here.round, table.game.format.rounds
        pot = here.pot if table.game.format.stake else None
        if over is not None:
            ranking = Race(table.game.rules, here).ranking()
    else:
        plates = (plate_alone(table.game, over, scene),)
    to_beat = next((a for a in scene.answers if a.key == TO_BEAT and a.tag), None)
    return TableView(
        game=game,
        version=table.version,
        does="throw" if isinstance(awaited, Throw) else "choose" if over is None else "over",
        seat=table.due,
        throws=awaited.dice.words if isinstance(awaited, Throw) else "",
        says=scene.says,
        dice=scene.dice,
        board=scene.board,
        score=scene.score,
        legal=scene.legal,
        ask=scene.ask,
        ask_alone=scene.ask_alone or scene.ask,
        enter=scene.enter,
        default=scene.default,
        pieces=scene.pieces,
        left=scene.left,
        rolls_left=scene.rolls_left,
        thrown=last_thrown(table),
        offers=tuple(OfferView(o.text, o.says, o.takes, o.kind, o.count) for o in scene.offers),
        answers=tuple(AnswerView(a.key, a.about, a.says, a.seats, a.number) for a in scene.answers),
        target=_target(scene),
        taker_back=table.taker_back,
        correctable=None if table.correctable is None else table.correctable.seat,
        shut=shut,
        sheet=sheet,
        plates=plates,
        round=round,
        rounds=all_rounds,
        pot=pot,
        beat=to_beat.number if to_beat else None,
        beat_says=to_beat.tag if to_beat else "",
        remaining=None if over is None or shut else _remaining(scene, plates),
        scores=() if over is None else tuple(map(str, over.scores)),
        winners=() if over is None else over.winners,
        ranking=ranking,
    )


def _target(scene: Scene) -> int | None:
    """Return the sum of the dice if the tiles of every offer add up to it, else None."""
    lying = [p.number for p in scene.pieces if p.kind is Kind.DIE and p.state is State.LYING]
    tiles = {p.key: p.number for p in scene.pieces if p.kind is Kind.TILE}
    if not lying or None in lying:
        return None
    target = sum(number or 0 for number in lying)
    sums = {sum(tiles.get(key) or 0 for key in offer.takes) for offer in scene.offers}
    return target if sums == {target} else None


def _remaining(scene: Scene, plates: Sequence[PlateView]) -> int | None:
    """Return the sum of the tiles up if a winner or a lone player scores it, else None."""
    up = [p.number or 0 for p in scene.pieces if p.kind is Kind.TILE and p.state is State.UP]
    scores = (plate.points for plate in plates if plate.won or len(plates) == 1)
    return sum(up) if up and sum(up) in scores else None


def _sheet(match: Match[Any, Any], here: Standing[Any], rounds: Sequence[RoundResult]) -> Sheet:
    plays_for_chips = bool(match.format.stake)
    return Sheet(
        columns=match.players,
        rows=tuple(_row(match, result) for result in rounds[-limits.SHEET_ROUNDS :]),
        totals=tuple(str(tally.total) for tally in here.tallies),
        chips=tuple(str(tally.chips) for tally in here.tallies) if plays_for_chips else None,
        pot=str(here.pot) if plays_for_chips else None,
    )


def _row(match: Match[Any, Any], result: RoundResult) -> SheetRow:
    players, paid = match.players, result.paid
    shut = (player for player, tally in zip(players, result.tallies, strict=True) if tally.shut)
    note = [f"{player}: {match.shut}" for player in shut]
    if paid:
        names = listed(players[seat] for seat in result.winners)
        takes = ngettext(
            "{name} takes {number} chip", "{name} takes {number} chips", paid, name=names
        )
        if result.winners[1:]:
            takes = ngettext(
                "{names} take {number} chip", "{names} take {number} chips", paid, names=names
            )
        note.append(takes)
    return SheetRow(
        round=str(result.round),
        cells=tuple("" if t.score is None else str(t.score) for t in result.tallies),
        won=result.winners,
        note="; ".join(note),
    )


def out(table: Table[Any, Any] | None, seat: int) -> str:
    """Return why a seat is out of a match, in words; empty if it plays, or without a match."""
    if table is None or not isinstance(table.game, Match):
        return ""
    tally = table.game.settled(table.position).position.tallies[seat]
    match tally.status:
        case Status.OUT:
            return gettext("is out")
        case Status.LEFT:
            return gettext("has left")
        case Status.IN:
            return gettext("sits out") if tally.sits_out else ""
