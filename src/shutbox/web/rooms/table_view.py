"""The view of one game that all viewers share: table, moves, the plates of seats, and score sheet.

The classes here have no slots, since without them they are written as JSON faster.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from shutbox.engine.dice import Roll
from shutbox.engine.english import listed, number_word
from shutbox.engine.game import Game, Over, Throw
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext, pgettext_noop
from shutbox.engine.play import Applied, Chosen, Corrected, Rolled
from shutbox.engine.scene import Answer, Kind, Piece, Scene, State
from shutbox.match import Match, RoundResult
from shutbox.match.answers import TO_BEAT
from shutbox.match.game import begins_turn
from shutbox.match.race import Race
from shutbox.match.scoreboard import scoreboard
from shutbox.match.standing import About, Contest, Ended, Standing, Status, Tally, Turn
from shutbox.table import Table
from shutbox.table.setup import answers_of_evening
from shutbox.web import limits


@dataclass
class ThrownView:
    """One die of a throw: its number of sides, and the face that it showed."""

    sides: int  # the number of its sides
    face: str  # the face as text
    pips: int  # the face as a number


@dataclass
class MoveView:
    """A throw, a choice, a take-back or a correction, in figures."""

    thrown: tuple[ThrownView, ...] = ()  # the dice as they fell, or as they were corrected
    covered: tuple[str, ...] = ()  # the faces of the tiles that a choice took
    score: int | None = None  # the score of the turn that ended with it; None if the turn goes on
    shut: bool = False  # whether that turn reached its goal, such as shutting the box
    throws: int | None = None  # in that turn; None if it goes on, or with one throw each


@dataclass
class OwnWords:
    """The sentences of an event as the player who acted hears them: "You threw 2 and 4, 6."."""

    says: tuple[str, ...]  # what happened, in sentences
    brief: tuple[str, ...]  # the same for brief narration


@dataclass
class LogLine:
    """One event of a room, as its log shows it and its listeners get it."""

    number: int  # the number of the event
    kind: str  # the kind of event
    seat: int | None  # the seat that acted, if any
    says: tuple[str, ...]  # what happened, in sentences
    move: MoveView | None = None  # the move in figures; None for events outside the game
    brief: tuple[str, ...] | None = None  # `says` for brief narration; None if they are the same
    own: OwnWords | None = None  # the same for the player who acted; None if nothing differs


def move_view(table: Table[Any, Any], applied: Applied[Any, Any], before: Scene) -> MoveView:
    """Return the figures of a move just applied at a table; `before` is the scene before it.

    >>> from shutbox import Table, find
    >>> from shutbox.engine.cups import ScriptCup
    >>> table = Table(find("classic(tiles=7-9)"), ScriptCup(["4+5", "1+1"]))
    >>> move_view(table, table.apply(table.prepare_throw()), table.scene).thrown
    (ThrownView(sides=6, face='4', pips=4), ThrownView(sides=6, face='5', pips=5))
    >>> before, applied = table.scene, table.apply(table.prepare_choice("9"))
    >>> move_view(table, applied, before).covered
    ('9',)
    >>> before, applied = table.scene, table.apply(table.prepare_throw())
    >>> found = move_view(table, applied, before)
    >>> found.score, found.shut, found.throws
    (15, False, 2)
    """
    move, over = MoveView(), table.awaits
    match applied.event:
        case Rolled(roll=roll) | Corrected(roll=roll):
            awaited = table.awaits_at(table.steps[-1].before)
            sides = awaited.dice.sides if isinstance(awaited, Throw) else ()
            move.thrown = tuple(map(lambda s, n: ThrownView(s, str(n), n), sides, roll.pips))
        case Chosen() if applied.offer is not None:
            tiles = {p.key: p.face for p in before.pieces if p.kind is Kind.TILE}
            move.covered = tuple(tiles[key] for key in applied.offer.takes if key in tiles)
    if isinstance(table.game, Match):
        for turn in table.game.settled(table.position).turns:
            if turn.seat == applied.seat:
                move.score, move.shut = turn.score, turn.shut
    elif isinstance(over, Over):
        move.score, move.shut = over.scores[0], over.shut
    if move.score is not None and not getattr(table.position, "rows", ()):
        move.throws = _throws(table)
    return move


def _throws(table: Table[Any, Any]) -> int:
    """Return the number of throws of the turn that the last step ended."""
    count = 0
    for step in reversed(table.steps):
        count += isinstance(step.event, Rolled)
        if begins_turn(table, step.before):
            break
    return count


@dataclass
class OfferView:
    """One open choice; to take it, a client sends back its `text`."""

    text: str  # the choice in notation, to send back
    says: str  # the spoken offer
    takes: tuple[str, ...]  # the keys of its pieces
    kind: str  # a word such as `cover` or `dice`
    count: int | None  # the tiles it covers or dice it throws


@dataclass
class SheetRow:
    """One finished round of a match."""

    round: str  # the number of the round
    cells: tuple[str, ...]  # the score of each seat; empty if it has none
    won: tuple[int, ...]  # the seats that won it
    note: str  # what else happened, or empty


@dataclass
class Sheet:
    """The score sheet of a match, with a column for each seat."""

    columns: tuple[str, ...]  # the names of the players
    rows: tuple[SheetRow, ...]  # the finished rounds, up to the last 100
    totals: tuple[str, ...]  # the total of each seat
    chips: tuple[str, ...] | None  # the chips of each seat, if any
    pot: str | None  # the chips in the pot, if any


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
    """The faces of the tiles still up after its turn in this round; with one throw each, always
    those of the seat's own row."""
    chips_won: int | None = None
    """The chips won in the match, negative if lost; None before its end, and without a stake."""
    row: tuple[str, ...] | None = None  # the keys of the tiles up in its own row; None without one
    last: tuple[str, ...] = ()  # the keys of the tiles that it has covered since the last throw
    offers: tuple[OfferView, ...] = ()  # how it can cover a throw for all before it is due


@dataclass
class TableView:
    """One game as all viewers see it."""

    game: int  # the number of the game in its room
    version: int  # the number of events in the game
    does: Literal["throw", "choose", "over"]  # what the game waits for
    seat: int | None  # the seat to move, from 0; null once it is over
    throws: str  # the dice to throw, in a sentence
    throws_number: int  # the number of dice to throw, if all have six sides; else 0
    throws_word: str  # that number in words, or which dice to throw; empty while none are thrown
    says: tuple[str, ...]  # what has just happened, in sentences
    dice: str  # what the dice show, in a sentence
    board: str  # what is up, in a sentence
    score: str  # how the player stands, in a sentence
    legal: str  # what the player can do, in sentences
    ask: str  # the question, where a choice is due
    ask_alone: str  # the question without the name of the player who is asked
    enter: str  # what Enter does, if it takes an offer
    default: str | None  # the text of the offer that Enter takes
    pieces: tuple[Piece, ...]  # the tiles and dice
    left: tuple[Piece, ...]
    """The pieces that the last turn left, with its dice; empty except at the start of a turn."""
    rolls_left: int | None  # the rolls left in the turn; None in a game that does not count them
    thrown: tuple[ThrownView, ...]
    """The last throw of the game, even if its dice are off the table; empty before the first."""
    thrown_at: int
    """The version of the game right after its last throw or correction; 0 before the first. Every
    screen takes it as the seed of the places where the dice rest."""
    offers: tuple[OfferView, ...]  # the open choices
    answers: tuple[Answer, ...]  # further questions with their answers
    target: int | None  # what every offer adds up to: the sum of the dice
    taker_back: int | None  # the seat that can take back, if any
    correctable: int | None  # the seat whose dice can be corrected, if any
    beat: int | None  # the number on the brass tag for the player due; None if there is no tag
    beat_says: str  # the label beside it: `to beat`, or `to go` in a match that a total ends
    shut: bool = False  # whether the last turn reached its goal
    plates: tuple[PlateView, ...] = ()  # the figures of each seat
    sheet: Sheet | None = None  # the scores by round; null for one turn
    round: int | None = None  # the current round; None if there is only one
    rounds: int | None = None  # the number of rounds; None if only one, or not settled beforehand
    pot: int | None = None  # the chips in the pot, if any
    aim: str = ""
    """What the player due needs in the only round of a match, in a sentence; else empty."""
    remaining: int | None = None
    """The sum of the tiles still up at the end, if it is the score of a winner or a lone player."""
    scores: tuple[str, ...] = ()  # the result of each seat as text
    winners: tuple[int, ...] = ()  # the seats that have won
    margin: int | None = None
    """The points by which the only winner leads; None if points did not decide."""
    ranking: tuple[int, ...] = ()  # the seats at the end of the game, best first; empty before


_OF_THE_SCENE = (  # the fields that a view copies from the scene unchanged
    *("says", "dice", "board", "score", "legal", "ask", "enter", "default", "pieces", "left"),
    *("rolls_left", "target"),
)


def table_view(
    table: Table[Any, Any],
    game: int,
    rounds: Sequence[RoundResult],
    wins: Sequence[int] = (),
    last_throw: tuple[int, tuple[ThrownView, ...]] = (0, ()),
) -> TableView:
    """Return the view of a table, given the game's number, finished `rounds` and `wins` by seat.

    `last_throw` has the version after it, and its dice.
    """
    scene, awaited, (thrown_at, thrown) = table.scene, table.awaits, last_throw
    over = awaited if isinstance(awaited, Over) else None
    dice = awaited.dice if isinstance(awaited, Throw) else None
    throws = "" if dice is None else dice.words
    plain = len(dice.sides) if dice is not None and set(dice.sides) == {6} else 0
    to_beat = next((a for a in scene.answers if a.key == TO_BEAT and a.tag), None)
    view = TableView(
        game=game,
        version=table.version,
        does="throw" if isinstance(awaited, Throw) else "choose" if over is None else "over",
        seat=table.due,
        throws=throws,
        throws_number=plain,
        throws_word=number_word(plain) if plain else throws,
        **{name: getattr(scene, name) for name in _OF_THE_SCENE},
        ask_alone=scene.ask_alone or scene.ask,
        thrown=thrown,
        thrown_at=thrown_at,
        offers=_offers(scene),
        answers=answers_of_evening(table, wins) if any(wins) else scene.answers,
        taker_back=table.taker_back,
        correctable=None if table.correctable is None else table.correctable.seat,
        beat=to_beat.number if to_beat else None,
        beat_says=to_beat.tag if to_beat else "",
    )
    if isinstance(table.game, Match):
        match, settled = table.game, table.game.settled(table.position)
        standing, several = settled.position, match.format.most_rounds > 1
        view.shut = any(turn.shut for turn in settled.turns)
        view.sheet, view.aim = _sheet(match, standing, rounds), _aim(match, standing)
        view.plates = _plates_of_match(table, match, standing)
        if standing.rows:
            _add_rows(table, match, standing, view.plates)
        view.round, view.rounds = (standing.round, match.format.rounds) if several else (None, None)
        view.pot = standing.pot if match.format.stake else None
        if over is not None:
            race = Race(match.rules, standing)
            view.ranking, view.margin = race.ranking(), _margin(race, over)
    else:
        view.shut = over is not None and over.shut
        view.plates = (_plate_alone(table.game, over, scene),)
    if over is not None:
        view.scores, view.winners = tuple(map(str, over.scores)), over.winners
        view.remaining = None if view.shut else _remaining(scene, view.plates)
        view.ranking = view.ranking or (0,)
    return view


def _offers(scene: Scene) -> tuple[OfferView, ...]:
    return tuple(OfferView(o.text, o.says, o.takes, o.kind, o.count) for o in scene.offers)


def _add_rows(
    table: Table[Any, Any],
    match: Match[Any, Any],
    standing: Standing[Any],
    plates: Sequence[PlateView],
) -> None:
    """Add to each plate its row, what was covered since the last throw, and covers to come."""
    start, waiting = standing, match.rules.waiting(standing)
    for step in reversed(table.steps):
        if isinstance(step.event, Rolled):
            break
        start = step.before
    before = start.rows if start.round == standing.round else ()
    for seat, (plate, at) in enumerate(zip(plates, standing.rows, strict=True)):
        scene = match.game.scene(at)
        plate.row = tuple(piece.key for piece in _up(scene))
        then = _up(match.game.scene(before[seat])) if before else ()
        plate.last = tuple(piece.key for piece in then if piece.key not in plate.row)
        if seat in waiting and seat != table.due:
            plate.offers = _offers(scene)
        elif plate.state == "done" and table.due is not None:
            plate.state, plate.says = "out", pgettext("plate", _SAYS["out"])


def _aim(match: Match[Any, Any], standing: Standing[Any]) -> str:
    several = match.format.most_rounds > 1
    if several or standing.rows or not isinstance(standing.doing, Turn) or not match.players[1:]:
        return ""
    thrown, scoring = match.rules.thrown(standing), match.rules.scoring
    if not thrown:
        return gettext("Set the mark.")
    scores = {match.players[seat]: standing.tallies[seat].score or 0 for seat in thrown}
    best, low = scoring.best_of(scores.values()), scoring.low_is_good
    names = listed(name for name, score in scores.items() if score == best)
    says = gettext_noop("{names} scored {best}. Score {needed} or more to beat it.")
    if best == scoring.best:
        says = gettext_noop("{names} scored {best}. Nothing beats that; the same result ties.")
    elif low:
        says = gettext_noop("{names} left {best}. Leave {needed} or less to beat it.")
    return gettext(says, names=names, best=best, needed=best - 1 if low else best + 1)


def _margin(race: Race[Any, Any], over: Over) -> int | None:
    stakes_decide = race.rules.format.stake and not race.rules.one_round
    if len(over.winners) != 1 or stakes_decide or not race.counts_totals:
        return None
    first, *others = (race.here.tallies[seat] for seat in race.ranking())
    later, better = race.here.round > 1, race.rules.scoring.better
    played = [t.total for t in others if t.status is Status.IN and (later or t.score is not None)]
    return abs(first.total - played[0]) if played and better(first.total, played[0]) else None


def _remaining(scene: Scene, plates: Sequence[PlateView]) -> int | None:
    """Return the sum of the tiles up if a winner or a lone player scores it, else None."""
    up = [p.number or 0 for p in _up(scene)]
    scores = (plate.points for plate in plates if plate.won or len(plates) == 1)
    return sum(up) if up and sum(up) in scores else None


def _sheet(match: Match[Any, Any], standing: Standing[Any], rounds: Sequence[RoundResult]) -> Sheet:
    plays_for_chips = bool(match.format.stake)
    return Sheet(
        columns=match.players,
        rows=tuple(_row(match, result) for result in rounds[-limits.SHEET_ROUNDS :]),
        totals=tuple(str(tally.total) for tally in standing.tallies),
        chips=tuple(str(tally.chips) for tally in standing.tallies) if plays_for_chips else None,
        pot=str(standing.pot) if plays_for_chips else None,
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


def _plate_alone(game: Game[Any, Any], over: Over | None, scene: Scene) -> PlateView:
    """Return the plate of a player who plays alone; `over` is the game's result, if it is over."""
    state = _state(game, scene, shut=None if over is None else over.shut)
    points = scene.points if over is None else over.scores[0]
    return PlateView(_says(game, state), state, points, won=state == "shut")


def _plates_of_match(
    table: Table[Any, Any], match: Match[Any, Any], standing: Standing[Any]
) -> tuple[PlateView, ...]:
    """Return the plates of all seats; `standing` is the table's position after automatic steps."""
    start, threw, scene = table.position.doing, dict[int, Roll](), table.scene
    if isinstance(start, Contest) and start.about is About.START:
        threw = dict(zip(start.among, start.rolls, strict=False))
    format, board = match.format, scoreboard(match, table.position)
    winners = board.leaders if isinstance(standing.doing, Ended) else ()

    def plate(seat: int, tally: Tally) -> PlateView:
        state: _State = "to-come"
        points = tally.score
        if seat in threw:
            state, points = "first" if seat == board.seat else "threw", threw[seat].total
        elif seat == board.seat:
            state, points = _state(match.game, scene), scene.points
        elif points is not None:
            state = _state(match.game, scene, shut=tally.shut)
        elif tally.status is not Status.IN or tally.sits_out:
            state = "out"
        elif standing.rows:  # still in, with a row to see
            state = "passed" if tally.passed else "up"
            points = match.rules.rows.score(standing.rows[seat]) if match.rules.rows else None
        return PlateView(
            *(_says(match.game, state), state, points),
            total=tally.total if format.most_rounds > 1 else None,
            chips=board.chips[seat] if board.chips else None,
            leads=seat in board.leaders,
            won=seat in winners,
            dice=threw[seat].pips if seat in threw else (),
            stand=_left_standing(table, match, seat) if standing.rows or state == "done" else (),
            chips_won=tally.chips - match.rules.purses[seat] if winners and format.stake else None,
        )

    return tuple(plate(seat, tally) for seat, tally in enumerate(standing.tallies))


def _left_standing(table: Table[Any, Any], match: Match[Any, Any], seat: int) -> tuple[str, ...]:
    """Return the faces of the tiles still up in a seat's row, or after its turn in this round."""
    settled = match.settled(table.position).position
    if settled.rows:
        return tuple(piece.face for piece in _up(match.game.scene(settled.rows[seat])))
    round = settled.round
    for standing in (table.position, *(step.before for step in reversed(table.steps))):
        if standing.round != round:
            break
        if isinstance(standing.doing, Turn) and standing.doing.seat == seat:
            return tuple(piece.face for piece in _up(match.game.scene(standing.doing.at)))
    return ()


def _up(scene: Scene) -> list[Piece]:
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
