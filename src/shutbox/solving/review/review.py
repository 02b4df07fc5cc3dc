"""The review of a record: the luck of each throw, the cost of each choice, and their sums.

Only the final state of the record counts: choices that were taken back are ignored, and dice that
were corrected count as corrected. A truncated record is reviewed up to its last intact event.

The effect of an event is the value after it minus the value before it, a vector by seat. Values can
also change between two events: if a match is valued turn by turn, a new turn adds its expected
score, and a missed turn the score that the rules assign. No event accounts for these changes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from math import inf
from pathlib import Path
from typing import Any

from shutbox.engine.english import shown
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.names import default_names
from shutbox.engine.play import Play, Rolled
from shutbox.match import Match, full_title
from shutbox.match.game import begins_turn, turn_at
from shutbox.record import Reading, read
from shutbox.record.folder import Store
from shutbox.solving.equity.last_round_limits import aim_of_turns
from shutbox.solving.equity.match_value import check_wins, first_round_for_win, solver_for_win
from shutbox.solving.objectives import SHUT, WIN_SECONDS
from shutbox.solving.options import Number, NumberTuple, Options, Ranking
from shutbox.solving.progress import Progress, progress_meant
from shutbox.solving.review.report import (
    Grade,
    Review,
    ReviewedChoice,
    ReviewedEvent,
    ReviewedThrow,
    SeatReview,
    Unit,
    grade_of,
)
from shutbox.solving.review.valuation import (
    ScoreValuation,
    ShareValuation,
    TurnValuation,
    Valuation,
)
from shutbox.solving.solution import Solution
from shutbox.solving.solvers import Solutions
from shutbox.table.lookup import game_of

REVIEW_SECONDS = 60.0  # a turn that is estimated to take longer to solve is refused
MOST_RANKED = 5  # choices of a position that a review lists
MOST_PATH = 4096  # characters; no file has a longer one

Played = Reading[Any, Any] | Play[Any, Any]
Record = Played | Path | str | int | bytes  # anything reviewable


class Reviewer(Solutions):
    """A reviewer of many records, which caches the solutions of games and matches between them.

    A match is measured by the share of the win if it is played for the win from its first round on
    (see `first_round_for_win`), and otherwise turn by turn in points. A turn is refused (TooLarge)
    if it is estimated to take more than `seconds` or bytes of `memory`; `anyway` ignores all
    limits.
    """

    def __init__(
        self, *, seconds: float = REVIEW_SECONDS, every_round: bool = True, **limits: Any
    ) -> None:
        """Limit the time to `seconds`; `limits` are the other keyword arguments of `Solutions`.

        Without `every_round`, only a match of one round is measured by the share of the win.
        """
        super().__init__(seconds=seconds, **limits)
        self._every_round = every_round
        self._matches: dict[tuple[Game[Any, Any], str], Match[Any, Any]] = {}
        self._shares: dict[Match[Any, Any], ShareValuation] = {}

    def review(self, record: Played, names: Sequence[str] = ()) -> Review:
        """Return the review of a play, or of the intact part of a record that was read.

        `names`, by seat, are for a play only; without them, the seats have the names of the game.
        Raises TooLarge for a game without scores, and for one that cannot be solved in time.
        """
        if isinstance(record, Reading):
            play, names = record.play, record.header.names
        else:
            play, game = record, record.game
            names = names or (game.players if isinstance(game, Match) else default_names(1))
        if play.game.scoring is None:
            raise TooLarge(
                "{game} has no score, so there is nothing to review", game=full_title(play.game)
            )
        valuation, why = self._valuation(play)
        return review_play(play, valuation, names, why)

    def solved_turn(self, review: Review, position: Any) -> tuple[Solution[Any, Any], Any] | None:
        """Return the turn under way, solved for the aim of the review, and the position within it.

        `review` is one that this reviewer made. None outside a turn. Raises TooLarge.
        """
        if (turn := turn_at(review.game, position)) is None:
            return None
        game, in_turn = turn
        if review.unit is Unit.POINTS:
            return self.at(game, in_turn), in_turn
        return self._shares[self._plain(review.game)].solution_at(position), in_turn

    def perfect_scores(self, play: Play[Any, Any]) -> Mapping[int, Number] | None:
        """Return the chance of each score of a game alone that is played for the best expected one.

        None if the box is too large for chances. Raises TooLarge if it cannot be solved.
        """
        solution = self.at(play.game, play.start)
        return solution.distribution(play.start) if solution.tells_chances else None

    def _valuation(self, play: Play[Any, Any]) -> tuple[Valuation, str]:
        """Return the valuation of a play, and why a match is not valued by the win, else ""."""
        if not isinstance(play.game, Match):
            return TurnValuation(self.at(play.game, play.start)), ""
        match, why, first_other = self._plain(play.game), "", None
        if len(match.players) > 1:  # a lone player wins anyway, so only the score counts
            try:
                return self._share_valuation(match), ""
            except TooLarge as error:
                why = str(error)
            first = first_round_for_win(match, every_round=self._every_round)
            if aim_of_turns(match.format) is SHUT:
                first_other = 1
            elif first != 1:  # else solving all rounds has failed
                first_other = first
        return ScoreValuation(play, self.whole(match.game), first_other), why

    def _share_valuation(self, match: Match[Any, Any]) -> ShareValuation:
        """Return the valuation of a match by the win, cached. Raises TooLarge."""
        seconds = inf if self.anyway else WIN_SECONDS
        check_wins(match, seconds, every_round=self._every_round)
        if match not in self._shares:
            solver = solver_for_win(match, 1, seconds, self.progress)
            solver.load(make=True)
            self._shares[match] = ShareValuation(match, solver, self.memory)
        return self._shares[match]

    def _plain(self, match: Any) -> Match[Any, Any]:
        """Return a match that serves all of its kind: the names of its players do not matter."""
        return self._matches.setdefault((match.game, match.name), match)


def review(record: Record, *, anyway: bool = False, progress: Progress | None = None) -> Review:
    """Review a record event by event, see `Review`.

    `record` is a play or a table, a result of `shutbox.record.read`, the number of one of the
    user's stored games, a path, or the bytes of a record. A match in which hints are for the win in
    every round is reviewed for the share of the win, any other turn by turn for the expected score.

    Raises NotUnderstood for an object of the wrong type, UnknownRecord for a record that does not
    exist, BadRecord for one that cannot be read, and TooLarge for a game without scores or one that
    is not solved in time (unless `anyway`).
    """
    return Reviewer(anyway=anyway, progress=progress_meant(progress)).review(open_record(record))


def review_play(
    play: Play[Any, Any], valuation: Valuation, names: Sequence[str] = (), why: str = ""
) -> Review:
    """Return the review of a play; `names` are by seat, and `why` becomes `Review.why_points`."""
    game, turns = play.game, 0
    events, values = list[ReviewedEvent](), list[tuple[NumberTuple, NumberTuple]]()
    # In order of play, each position once: only the most recently solved turns are cached.
    for step in play.steps:
        at = step.before
        awaited = game.awaits(at)
        assert isinstance(awaited, Throw | Choose)  # an event needs a throw or a choice that is due
        turns += begins_turn(play, at)
        turn = None if turn_at(game, at) is None else turns
        before = valuation.value_before(at)
        options = None if isinstance(step.event, Rolled) else valuation.options(at)
        after = valuation.value_after(step.after)
        values.append((before, after))
        delta = tuple(new - old for old, new in zip(before, after, strict=True))
        facts = (step.number, awaited.seat, turn, delta, at)
        if isinstance(step.event, Rolled):
            events.append(ReviewedThrow(*facts, step.event.roll))
        else:
            judged = _judgement(game, step.event.choice, options, valuation.unit)
            events.append(ReviewedChoice(*facts, game.choice_text(step.event.choice), *judged))
    result = valuation.final_value(play.position)
    start = _start_values(values, result)
    over = play.awaits if isinstance(play.awaits, Over) else None
    in_turn = turn_at(game, play.position) is not None
    given_up = not over and in_turn and not begins_turn(play, play.position)
    return Review(
        game=game,
        over=over is not None,
        unit=valuation.unit,
        seats=tuple(
            _seat_review(
                names[seat] if seat < len(names) else "", seat, events, start[seat], result[seat]
            )
            for seat in range(len(result))
        ),
        events=tuple(events),
        turns=turns - given_up,
        winners=() if over is None else over.winners,
        why_points=why,
    )


def _judgement(
    game: Game[Any, Any], choice: Any, options: Options[Any] | None, unit: Unit
) -> tuple[Number, Number | None, Grade | None, Ranking[Any]]:
    """Return the last four fields of a `ReviewedChoice`; without `options` they are not known."""
    if options is None:
        return Fraction(0), None, None, Ranking()
    index = options.choices.index(choice)
    value, cost = options.values[index], options.costs[index]
    grade = grade_of(cost, unit) if options.differ else None
    return cost, value, grade, _ranking(game, options, choice)


def _ranking(game: Game[Any, Any], options: Options[Any], chosen: Any) -> Ranking[Any]:
    """Return up to MOST_RANKED choices, best first, always with the chosen one."""
    ranking = options.ranked(game.choice_text)
    [own] = (option for option in ranking if option.choice == chosen)
    listed = ranking[:MOST_RANKED]
    return Ranking(listed if own in listed else (*listed[:-1], own))


def _start_values(
    values: Sequence[tuple[NumberTuple, NumberTuple]], result: NumberTuple
) -> NumberTuple:
    """Return each seat's value at the start plus all changes between events, see the top here."""
    befores = [*(before for before, _ in values), result]
    start = befores[0]
    for (_, after), before in zip(values, befores[1:], strict=True):
        if after != before:
            more = zip(start, before, after, strict=True)
            start = tuple(had + new - old for had, new, old in more)
    return start


def _seat_review(
    name: str, seat: int, events: Sequence[ReviewedEvent], start: Number, result: Number
) -> SeatReview:
    own = [event for event in events if event.seat == seat]
    choices = [event for event in own if isinstance(event, ReviewedChoice)]
    counts = Counter(choice.grade for choice in choices if choice.grade is not None)
    luck = sum((event.luck for event in own if isinstance(event, ReviewedThrow)), start=Fraction(0))
    cost = sum((choice.cost for choice in choices), start=Fraction(0))
    grades = {grade: counts[grade] for grade in Grade}
    return SeatReview(name, start, result, luck, cost, len(choices), counts.total(), grades)


def open_record(record: Record) -> Played:
    """Return a play or a reading as it is; read anything else. Raises as `review` does."""
    match record:
        case Reading() | Play():
            return record
        case bytes():
            return read(BytesIO(record), game_of)
        case Path() | str() if 0 < len(str(record)) <= MOST_PATH:
            return Store().read(Path(record), game_of)
        case int() if not isinstance(record, bool):
            return Store().read(record, game_of)
    raise NotUnderstood(
        "{offered} is no record; give a play, a reading, the number of a game, a file or bytes",
        offered=shown(record),
    )
