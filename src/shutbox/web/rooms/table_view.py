"""The view of one game that all viewers share: its table, its plates and its score sheet."""

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
from shutbox.match.standing import Ended, Standing, Status, Turn
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
    """Return the view of a table: game number `game` of a room, counted from 1.

    `rounds` are all finished rounds of a match, in order. `wins` are the games won by each seat,
    this one included once it is over; empty or all 0 adds nothing. `last_throw` has the version
    right after the last throw or correction, and its dice; (0, ()) before the first.
    """
    scene, awaited = table.scene, table.awaits
    over = awaited if isinstance(awaited, Over) else None
    dice = awaited.dice if isinstance(awaited, Throw) else None
    throws, sides = (dice.words, dice.sides) if dice else ("", ())
    six_sided = len(sides) if set(sides) == {6} else 0
    to_beat = next((a for a in scene.answers if a.key == TO_BEAT and a.tag), None)
    if isinstance(table.game, Match):
        own = _fields_of_match(table, table.game, rounds)
    else:
        plate = plate_alone(table.game, over, scene)
        own = {
            "plates": (plate,),
            "shut": bool(over and over.shut),
            "ranking": (0,) if over else (),
        }
    return TableView(
        game=game,
        version=table.version,
        does="over" if over else "throw" if dice else "choose",
        seat=table.due,
        throws=throws,
        throws_number=six_sided,
        throws_word=number_word(six_sided) if six_sided else throws,
        **{name: getattr(scene, name) for name in _OF_THE_SCENE},
        dice=table.dice_text,
        ask_alone=scene.ask_alone or scene.ask,
        thrown=last_throw[1],
        thrown_at=last_throw[0],
        answers=answers_with_wins(table, wins),
        taker_back=table.taker_back,
        correctable=None if table.correctable is None else table.correctable.seat,
        beat=to_beat.number if to_beat else None,
        beat_says=to_beat.tag if to_beat else "",
        scores=tuple(map(str, over.scores)) if over else (),
        winners=over.winners if over else (),
        remaining=_remaining(scene, own["plates"]) if over and not own["shut"] else None,
        **own,
    )


def _fields_of_match(
    table: Table[Any, Any], match: Match[Any, Any], rounds: Sequence[RoundResult]
) -> dict[str, Any]:
    """Return the fields of a view, by name, that depend on the whole match and not on its scene."""
    settled, format = match.settled(table.position), match.format
    standing, is_only = settled.position, format.most_rounds == 1
    race = Race(match.rules, standing)
    return {
        "plates": plates_of_match(table, match, standing),
        "shut": any(turn.shut for turn in settled.turns),
        "sheet": _sheet(match, standing, rounds),
        "round": None if is_only else standing.round,
        "rounds": None if is_only else format.rounds,
        "pot": standing.pot if format.stake else None,
        "aim": _aim(match, standing) if is_only else "",
        "ranking": race.ranking() if isinstance(standing.doing, Ended) else (),
        "margin": _margin(race),
    }


def _aim(match: Match[Any, Any], standing: Standing[Any]) -> str:
    """Return what the player due needs in an only round, in a sentence; "" if nobody can be beaten.

    That is outside turns, with one throw each, and for a lone player.
    """
    if standing.rows or not isinstance(standing.doing, Turn) or len(match.players) == 1:
        return ""
    if not standing.finished:
        return gettext("Set the mark.")
    scoring = match.rules.scoring
    scores = {match.players[seat]: standing.tallies[seat].score or 0 for seat in standing.finished}
    best = scoring.best_of(scores.values())
    names = listed(name for name, score in scores.items() if score == best)
    if best == scoring.best:
        says = gettext_noop("{names} scored {best}. Nothing beats that; the same result ties.")
    elif scoring.low_is_good:
        says = gettext_noop("{names} left {best}. Leave {needed} or less to beat it.")
    else:
        says = gettext_noop("{names} scored {best}. Score {needed} or more to beat it.")
    needed = best - 1 if scoring.low_is_good else best + 1
    return gettext(says, names=names, best=best, needed=needed)


def _margin(race: Race[Any, Any]) -> int | None:
    """Return how many points the only winner is ahead of the best other player, at least 1.

    None if several won, if chips, rounds won or a shut box decided, and if no other player is in
    the match with a turn to compare.
    """
    rules, position = race.rules, race.position
    winners = position.doing.winners if isinstance(position.doing, Ended) else ()
    by_chips = rules.format.stake and not rules.one_round
    if len(winners) != 1 or by_chips or not race.totals_can_decide:
        return None
    first, *others = (position.tallies[seat] for seat in race.ranking())
    has_points = position.round > 1 or position.rows  # even without a turn in this round
    totals = [
        tally.total
        for tally in others
        if tally.status is Status.IN and (has_points or tally.score is not None)
    ]
    if not totals or not rules.scoring.better(first.total, totals[0]):
        return None
    return abs(first.total - totals[0])


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
