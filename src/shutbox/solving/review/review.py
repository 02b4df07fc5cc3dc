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
from pathlib import Path
from typing import Any

from shutbox.engine.english import shown
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.messages import gettext_noop
from shutbox.engine.names import default_names
from shutbox.engine.play import Play, Rolled
from shutbox.games.traits import Cost
from shutbox.match import Match, full_title
from shutbox.match.game import begins_turn, turn_at
from shutbox.record import Reading, read
from shutbox.record.folder import Store
from shutbox.solving.equity.cost import cost_of_whole, in_one_round
from shutbox.solving.equity.last_round import check_last_round, seconds_of_last_round
from shutbox.solving.equity.match_value import match_solver, needs_whole, values_are_stored
from shutbox.solving.options import Number, NumberTuple, Option, Options, Ranking
from shutbox.solving.progress import Progress, progress_meant
from shutbox.solving.review.report import (
    Grade,
    Review,
    ReviewedChoice,
    ReviewedEvent,
    ReviewedThrow,
    SeatReview,
    grade_of,
)
from shutbox.solving.review.valuation import (
    ScoreValuation,
    ShareValuation,
    TurnValuation,
    Valuation,
)
from shutbox.solving.solvers import MOST_MEMORY, Solutions, cost_of, too_costly
from shutbox.table.lookup import game_of

REVIEW_SECONDS = 60.0  # a match that is estimated to take longer is reviewed turn by turn
ROUNDS_SECONDS = 3.0  # this limit for 3 or more players in several rounds without a file
SOLVED_TURN = 0.3  # the share of a turn's seconds that solving it again on the same graph takes
ENDS_OF_TURN = 0.01  # seconds to look up the successors of a turn
MOST_RANKED = 5  # choices of a position that a review lists
MOST_PATH = 4096  # characters; no file has a longer one

Played = Reading[Any, Any] | Play[Any, Any]
Record = Played | Path | str | int | bytes  # anything reviewable


def check_shares(
    match: Match[Any, Any],
    turns: int,
    most: float = REVIEW_SECONDS,
    memory: int = MOST_MEMORY,
    *,
    anyway: bool = False,
) -> None:
    """Raise TooLarge if `turns` turns of a match cannot be reviewed for the share of the win.

    The review solves the match once, and then each of the turns. The limits are `most` seconds and
    `memory` bytes by the estimate, and ROUNDS_SECONDS for 3 or more players in several rounds
    without a file; `anyway` ignores them.
    """
    two, in_rounds = len(match.players) == 2, needs_whole(match, match.start())
    if in_rounds:
        cost = cost_of_whole(match)
    elif match.format.most_rounds == 1:
        check_last_round(match, anyway=True)
        cost = Cost(0, seconds_of_last_round(match), 0)
    else:
        raise TooLarge(
            "{name}: a match for chips is solved for the share of the win only if it is one round",
            name=full_title(match),
        )
    if anyway:
        return
    # With three or more players the standings are many: too long a wait for one review.
    if in_rounds and not two and not in_one_round(match):
        quick = cost.seconds <= min(ROUNDS_SECONDS, most)
        if not (quick or (cost.seconds <= most and values_are_stored(match))):
            raise TooLarge(
                "to solve all rounds takes about {seconds:,.0f} seconds; the option anyway "
                "allows that",
                costly=True,
                seconds=cost.seconds,
            )
    # With two players one gains what the other loses; with more, each seat needs its own pass.
    passes = 1 if two else 1 + len(match.players)
    each = SOLVED_TURN * cost_of(match.game, match.game.start()).seconds
    cost = cost._replace(seconds=cost.seconds + turns * (ENDS_OF_TURN + passes * each))
    if cost.seconds > most or cost.memory > memory:
        says = gettext_noop(
            "{name}: to review it for the share of the win takes {cost}; at most {seconds} and "
            "{memory} are spent"
        )
        raise too_costly(says, cost, most, memory, name=full_title(match))


class Reviewer(Solutions):
    """A reviewer of many records, which caches the solutions of games and matches between them.

    A match that is estimated to take more than `seconds` or bytes of `memory` is reviewed turn by
    turn. A single turn beyond these limits is refused (TooLarge); `anyway` ignores the limits.
    """

    def __init__(self, *, seconds: float = REVIEW_SECONDS, **limits: Any) -> None:
        """Limit the time to `seconds`; `limits` are the other keyword arguments of `Solutions`."""
        super().__init__(seconds=seconds, **limits)
        self._matches: dict[tuple[Game[Any, Any], str], Match[Any, Any]] = {}
        self._shares: dict[Match[Any, Any], ShareValuation] = {}

    def review(
        self, record: Played, names: Sequence[str] = (), *, in_points: bool = False
    ) -> Review:
        """Return the review of a play, or of the intact part of a record that was read.

        `names`, by seat, are for a play only; without them, the seats have the names of the game.
        With `in_points`, a match of one round is reviewed in points, as players are told. Raises
        TooLarge for a game without scores, and for one that cannot be solved in time.
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
        valuation, why = self._valuation(play, in_points=in_points)
        return review_play(play, valuation, names, why)

    def perfect_scores(self, play: Play[Any, Any]) -> Mapping[int, Number] | None:
        """Return the chance of each score of a game alone that is played for the best expected one.

        None if the box is too large for chances. Raises TooLarge if it cannot be solved.
        """
        solution = self.at(play.game, play.start)
        return solution.distribution(play.start) if solution.tells_chances else None

    def _valuation(self, play: Play[Any, Any], *, in_points: bool) -> tuple[Valuation, str]:
        """Return the valuation of a play, and why a match is not valued by the win, else ""."""
        game = play.game
        if not isinstance(game, Match):
            return TurnValuation(self.at(game, play.start)), ""
        # The names of the players do not matter: one match serves all records of the same kind.
        match = self._matches.setdefault((game.game, game.name), game)
        why = ""
        one_round = match.format.most_rounds == 1
        # A lone player wins anyway, so only the score counts.
        if len(match.players) > 1 and not (in_points and one_round):
            turns = sum(begins_turn(play, step.before) for step in play.steps)
            try:
                check_shares(match, turns, self.seconds, self.memory, anyway=self.anyway)
                if match not in self._shares:
                    solver = match_solver(match, match.start(), anyway=True, progress=self.progress)
                    self._shares[match] = ShareValuation(match, solver, self.memory)
                return self._shares[match], ""
            except TooLarge as error:
                why = str(error)
        return ScoreValuation(play, self.whole(match.game)), why


def review(record: Record, *, anyway: bool = False, progress: Progress | None = None) -> Review:
    """Review a record event by event, see `Review`.

    `record` is a play or a table, a result of `shutbox.record.read`, the number of one of the
    user's stored games, a path, or the bytes of a record. A match that can be solved in time is
    reviewed for the share of the win, any other match turn by turn for the expected score.

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
        at, event = step.before, step.event
        awaited = game.awaits(at)
        assert isinstance(awaited, Throw | Choose)  # an event needs a throw or a choice that is due
        turns += begins_turn(play, at)
        turn = None if turn_at(game, at) is None else turns
        before = valuation.value_before(at)
        options = None if isinstance(event, Rolled) else valuation.options(at)
        after = valuation.value_after(step.after)
        values.append((before, after))
        delta = tuple(new - old for old, new in zip(before, after, strict=True))
        facts = (step.number, awaited.seat, turn, delta, at)
        if isinstance(event, Rolled):
            events.append(ReviewedThrow(*facts, event.roll))
            continue
        text = game.choice_text(event.choice)
        if options is None:
            events.append(ReviewedChoice(*facts, text, Fraction(0), None, None))
            continue
        index = options.choices.index(event.choice)
        value, cost = options.values[index], options.costs[index]
        grade = grade_of(cost, valuation.unit) if options.differ else None
        ranking = _ranking(game, options, index)
        events.append(ReviewedChoice(*facts, text, cost, value, grade, ranking))
    result = valuation.final_value(play.position)
    start = _start(values, result)
    over = play.awaits if isinstance(play.awaits, Over) else None
    in_turn = turn_at(game, play.position) is not None
    given_up = not over and in_turn and not begins_turn(play, play.position)
    return Review(
        game=game,
        over=over is not None,
        unit=valuation.unit,
        seats=tuple(
            _seat(names[seat] if seat < len(names) else "", seat, events, start[seat], result[seat])
            for seat in range(len(result))
        ),
        events=tuple(events),
        turns=turns - given_up,
        winners=() if over is None else over.winners,
        why_points=why,
    )


def _ranking(game: Game[Any, Any], options: Options[Any], chosen: int) -> Ranking[Any]:
    """Return up to MOST_RANKED choices, best first, always with the chosen one."""
    best_first = sorted(range(len(options.values)), key=lambda index: options.costs[index])
    listed = best_first[:MOST_RANKED]
    if chosen not in listed:
        listed[-1] = chosen
    choices, values, costs = options.choices, options.values, options.costs
    return Ranking(
        Option(game.choice_text(choices[i]), values[i], costs[i], choices[i]) for i in listed
    )


def _start(values: Sequence[tuple[NumberTuple, NumberTuple]], result: NumberTuple) -> NumberTuple:
    """Return each seat's value at the start plus all changes between events, see the top here."""
    befores = [*(before for before, _ in values), result]
    start = befores[0]
    for (_, after), before in zip(values, befores[1:], strict=True):
        if after != before:
            more = zip(start, before, after, strict=True)
            start = tuple(had + new - old for had, new, old in more)
    return start


def _seat(
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
