"""The view of one game that all viewers share: its table, its plates and its score sheet.

The classes here have no slots, since without them they are written as JSON faster.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from shutbox.engine.english import listed, number_word
from shutbox.engine.game import Over, Throw
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.engine.scene import AskableFact, Offer, Piece, Scene
from shutbox.match import Match, RoundResult
from shutbox.match.answers import TO_BEAT
from shutbox.match.race import Race
from shutbox.match.standing import Standing, Status, Turn
from shutbox.table import Table
from shutbox.table.setup import answers_with_wins
from shutbox.web import limits
from shutbox.web.rooms.log_line import ThrownView
from shutbox.web.rooms.plates import PlateView, plate_alone, plates_of_match, tiles_up


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
    offers: tuple[Offer, ...]  # the open choices
    answers: tuple[AskableFact, ...]  # further questions with their answers
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
    *("says", "board", "score", "legal", "ask", "enter", "default", "pieces", "left"),
    *("rolls_left", "target", "offers"),
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
    scene, awaited = table.scene, table.awaits
    thrown_at, thrown = last_throw
    does: Literal["throw", "choose", "over"] = "choose"
    throws, six_sided = "", 0
    over: Over | None = None
    if isinstance(awaited, Throw):
        does, throws = "throw", awaited.dice.words
        six_sided = len(awaited.dice.sides) if set(awaited.dice.sides) == {6} else 0
    elif isinstance(awaited, Over):
        does, over = "over", awaited
    to_beat = next((a for a in scene.answers if a.key == TO_BEAT and a.tag), None)
    view = TableView(
        game=game,
        version=table.version,
        does=does,
        seat=table.due,
        throws=throws,
        throws_number=six_sided,
        throws_word=number_word(six_sided) if six_sided else throws,
        **{name: getattr(scene, name) for name in _OF_THE_SCENE},
        dice=table.dice_text,
        ask_alone=scene.ask_alone or scene.ask,
        thrown=thrown,
        thrown_at=thrown_at,
        answers=answers_with_wins(table, wins) if any(wins) else scene.answers,
        taker_back=table.taker_back,
        correctable=None if table.correctable is None else table.correctable.seat,
        beat=to_beat.number if to_beat else None,
        beat_says=to_beat.tag if to_beat else "",
    )
    if isinstance(table.game, Match):
        _add_match(view, table, table.game, rounds)
    else:
        view.shut = over is not None and over.shut
        view.plates = (plate_alone(table.game, over, scene),)
    if over is not None:
        view.scores, view.winners = tuple(map(str, over.scores)), over.winners
        view.remaining = None if view.shut else _remaining(scene, view.plates)
        view.ranking = view.ranking or (0,)
    return view


def _add_match(
    view: TableView, table: Table[Any, Any], match: Match[Any, Any], rounds: Sequence[RoundResult]
) -> None:
    """Add to a view what only a match has: its plates, sheet, rounds and ranking."""
    settled, format = match.settled(table.position), match.format
    standing = settled.position
    view.shut = any(turn.shut for turn in settled.turns)
    view.sheet, view.aim = _sheet(match, standing, rounds), _aim(match, standing)
    view.plates = plates_of_match(table, match, standing)
    if format.most_rounds > 1:
        view.round, view.rounds = standing.round, format.rounds
    if format.stake:
        view.pot = standing.pot
    if isinstance(table.awaits, Over):
        race = Race(match.rules, standing)
        view.ranking, view.margin = race.ranking(), _margin(race, table.awaits)


def _aim(match: Match[Any, Any], standing: Standing[Any]) -> str:
    several = match.format.most_rounds > 1
    if several or standing.rows or not isinstance(standing.doing, Turn) or not match.players[1:]:
        return ""
    thrown, scoring = standing.finished, match.rules.scoring
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
    if len(over.winners) != 1 or stakes_decide or not race.totals_can_decide:
        return None
    first, *others = (race.position.tallies[seat] for seat in race.ranking())
    later, better = race.position.round > 1, race.rules.scoring.better
    counts = later or race.position.rows
    played = [t.total for t in others if t.status is Status.IN and (counts or t.score is not None)]
    return abs(first.total - played[0]) if played and better(first.total, played[0]) else None


def _remaining(scene: Scene, plates: Sequence[PlateView]) -> int | None:
    """Return the sum of the tiles up if a winner or a lone player scores it, else None."""
    up = [p.number or 0 for p in tiles_up(scene)]
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
    cells = tuple("" if t.score is None else str(t.score) for t in result.tallies)
    return SheetRow(str(result.round), cells, won=result.winners, note="; ".join(note))
