"""The review of a record: the luck of each throw, the cost of each choice, and their sums.

Only the final state of the record counts: choices that were taken back are ignored, and dice that
were corrected count as corrected. A truncated record is reviewed up to its last intact event.

The effect of an event is the value after it (`after`) minus the value before it (`before`), a
vector by seat; `final` is the value of the position at which a record ends. Values can also change
between two events: if a match is valued turn by turn, a new turn adds its expected score, and a
missed turn the score that the rules assign. No event accounts for these changes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from io import BytesIO
from operator import add
from pathlib import Path
from typing import Any

from shutbox.engine.english import shown
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.lru import LruCache
from shutbox.engine.messages import gettext_noop
from shutbox.engine.play import Play, Rolled
from shutbox.engine.seats import unnamed
from shutbox.games.traits import Cost
from shutbox.match import Match, full_title
from shutbox.match.game import begins_turn, turn_at
from shutbox.match.scoreboard import sheet
from shutbox.match.standing import About, Contest, Ended, Opening, Turn
from shutbox.record import Reading, read
from shutbox.record.folder import Store
from shutbox.solving.equity.cost import cost_of_whole, in_one_round
from shutbox.solving.equity.last_round import Answers, Place, check_answers, seconds_of_answers
from shutbox.solving.equity.match_value import answers_at, are_stored, needs_whole
from shutbox.solving.graph import Ending, Progress, or_silent
from shutbox.solving.options import Number, Options, Vector
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
from shutbox.solving.solution import GraphSolution, Solution
from shutbox.solving.solvers import MOST_MEMORY, Solutions, cost_of, too_costly
from shutbox.table.lookup import game_of

REVIEW_SECONDS = 60.0  # a match that is estimated to take longer is reviewed turn by turn
ROUNDS_SECONDS = 3.0  # this limit for 3 or more players in several rounds without a file
SOLVED_TURN = 0.3  # the share of a turn's seconds that solving it again on the same graph takes
ENDS_OF_TURN = 0.01  # seconds to look up the successors of a turn
MOST_TURNS = 64  # solved turns of a match in the cache, if they take little memory
TURNS_MEMORY = 256 << 20  # bytes for this cache
MOST_RANKED = 5  # choices of a position that a review lists
MOST_PATH = 4096  # characters; no file has a longer one

Played = Reading[Any, Any] | Play[Any, Any]
Record = Played | Path | str | int | bytes  # anything reviewable


class TurnValuation:
    """A way to value the positions of a single turn: by the expected score."""

    unit = Unit.POINTS

    def __init__(self, solution: Solution[Any, Any]) -> None:
        self.options = solution.options
        self._value = solution.value

    def before(self, position: Any) -> Vector:
        """Return the expected score of the turn at a position, as a vector for its only seat."""
        return (self._value(position),)

    after = final = before


class ScoreValuation:
    """A way to value a match, turn by turn: scores so far plus the expected score of this turn."""

    unit = Unit.POINTS

    def __init__(self, play: Play[Any, Any], turn: Solution[Any, Any]) -> None:
        assert isinstance(play.game, Match)  # the caller values other games by the turn alone
        self._match, self._turn = play.game, turn
        # If rounds won count, the totals of a position do not have the scores of earlier rounds.
        self._rounds = sheet(play.game, play.steps) if play.game.format.counts_wins else ()

    def before(self, position: Place) -> Vector:
        """Return each seat's score so far, with the expected score of a turn under way or due."""
        return self.after(self._match.settled(position).position)

    def after(self, position: Place) -> Vector:
        """Return each seat's score so far, with the expected score of a turn that is under way."""
        doing, rules = position.doing, self._match.rules
        # Once the match is decided or in a throw-off, the totals include the last round.
        contest = isinstance(doing, Contest) and doing.about is About.MATCH
        added = contest or isinstance(doing, Ended)
        found: list[Any] = [
            Fraction(rules.carried(tally) + (0 if added else tally.score or 0))
            for tally in position.tallies
        ]
        for result in self._rounds:
            if result.round < position.round + added:
                scores = [tally.score or 0 for tally in result.tallies]
                found = [*map(add, found, scores)]
        if isinstance(doing, Turn):
            places = {seat: position.rows[seat] for seat in rules.waiting(position) if rules.rows}
            for seat, at in {**places, doing.seat: doing.at}.items():
                found[seat] += self._turn.value(at)
        return tuple(found)

    def final(self, position: Place) -> Vector:
        """Return each seat's score so far, with the expected score of a turn that has begun."""
        here = self._match.settled(position).position
        start = {self._match.game.start()}
        if isinstance(here.doing, Turn) and {here.doing.at, *here.rows} == start:
            here = replace(here, doing=Opening())
        return self.after(here)

    def options(self, position: Place) -> Options[Any] | None:
        """Return the choices of a turn with their expected scores; None outside a turn."""
        doing = self._match.settled(position).position.doing
        return self._turn.options(doing.at) if isinstance(doing, Turn) else None


class ShareValuation:
    """A way to value a solved match: by shares of the win. It caches turns in `memory` bytes."""

    unit = Unit.SHARE

    def __init__(
        self, match: "Match[Any, Any]", answers: Answers, memory: int = TURNS_MEMORY
    ) -> None:
        self._match, self._answers = match, answers
        each = max(1, cost_of(match.game, match.game.start()).memory)
        most = max(1, min(MOST_TURNS, min(TURNS_MEMORY, memory) // each))
        self._turns = LruCache[Place, _SharedTurn](most)

    def before(self, position: Place) -> Vector:
        """Return each seat's share of the win at a position of the match."""
        here = self._match.settled(position).position
        whole = self._match.rules.rows is None
        if whole and isinstance(here.doing, Turn) and here.doing.at != self._match.game.start():
            return self._turn(here).vector(here.doing.at)
        return self._answers.outlook(here).shares

    after = final = before

    def options(self, position: Place) -> Options[Any] | None:
        """Return the choices with the share that the choosing seat has after each."""
        here = self._match.settled(position).position
        if isinstance(here.doing, Turn):
            by_row = self._match.rules.rows is not None
            turn = self._answers.turn(here) if by_row else self._turn(here).solution
            return turn.options(here.doing.at)
        awaited = self._match.awaits(position)
        assert isinstance(awaited, Choose)  # the caller has checked that a choice is due
        after = (self._match.chosen(position, choice) for choice in awaited.choices)
        values = tuple(self.after(place)[awaited.seat] for place in after)
        return Options(awaited.choices, values, max(values))

    def _turn(self, here: Place) -> "_SharedTurn":
        """Return the turn under way, solved from its beginning. The most recent ones are cached."""
        assert isinstance(here.doing, Turn)  # the caller has checked that a turn is under way
        begun = replace(here, doing=replace(here.doing, at=self._match.game.start()))
        if (known := self._turns.find(begun)) is None:
            solution, ended = self._answers.turn(begun), self._match.rules.ended
            after = {
                end: self._answers.outlook(ended(begun, Over((end[0],), end[1])).position).shares
                for end in solution.graph.ends.values()
            }
            known = self._turns.put(begun, _SharedTurn(solution, here.doing.seat, after))
        return known


@dataclass
class _SharedTurn:
    """A turn of a match, solved for the seat that plays it, with its values for all seats."""

    solution: GraphSolution[Any, Any]
    _seat: int
    _after: Mapping[Ending, Vector]  # the shares of all seats after each end of the turn

    def vector(self, at: Any) -> Vector:
        """Return each seat's share of the win at a position of the turn."""
        if len(next(iter(self._after.values()))) == 2:
            mine = self.solution.value(at)
            return (mine, 1 - mine) if self._seat == 0 else (1 - mine, mine)
        here = self.solution.played(at)
        awaited = self.solution.game.awaits(here)
        if isinstance(awaited, Over):
            return self._after[awaited.scores[0], awaited.shut]
        place = self.solution.place(here)
        assert place is not None  # a throw is due, and the graph has all such positions
        return tuple(Fraction(values[place], unit) for values, unit in self._columns)

    @cached_property
    def _columns(self) -> list[tuple[list[int], int]]:
        """A pair for each seat: its share at each node of the graph, times a scale; the scale."""
        ends, policy = self.solution.graph.ends, self.solution.policy_graph
        by_seat = zip(*(self._after[end] for end in ends.values()), strict=True)
        payoffs = (dict(zip(ends, map(Fraction, shares), strict=True)) for shares in by_seat)
        return [policy.valued(payoff, more=True) for payoff in payoffs]


Valuation = TurnValuation | ScoreValuation | ShareValuation


def check_shares(
    match: "Match[Any, Any]",
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
        check_answers(match, anyway=True)
        cost = Cost(0, seconds_of_answers(match), 0)
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
        if not (quick or (cost.seconds <= most and are_stored(match))):
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
            names = names or (game.players if isinstance(game, Match) else unnamed(1))
        if play.game.scoring is None:
            raise TooLarge(
                "{game} has no score, so there is nothing to review", game=full_title(play.game)
            )
        valuation, why = self._valuation(play, in_points=in_points)
        return reviewed(play, valuation, names, why)

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
                    answers = answers_at(match, match.start(), anyway=True, progress=self.progress)
                    self._shares[match] = ShareValuation(match, answers, self.memory)
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
    return Reviewer(anyway=anyway, progress=or_silent(progress)).review(opened(record))


def reviewed(
    play: Play[Any, Any], valuation: Valuation, names: Sequence[str] = (), why: str = ""
) -> Review:
    """Return the review of a play; `names` are by seat, and `why` becomes `Review.why_points`."""
    game, unit, turns = play.game, valuation.unit, 0
    events, values = list[ReviewedEvent](), list[tuple[Vector, Vector]]()
    # In order of play, each position once: only the most recently solved turns are cached.
    for step in play.steps:
        at, event = step.before, step.event
        awaited = game.awaits(at)
        assert isinstance(awaited, Throw | Choose)  # an event needs a throw or a choice that is due
        turns += begins_turn(play, at)
        turn = None if turn_at(game, at) is None else turns
        before = valuation.before(at)
        options = None if isinstance(event, Rolled) else valuation.options(at)
        after = valuation.after(step.after)
        values.append((before, after))
        delta = tuple(new - old for old, new in zip(before, after, strict=True))
        facts = (step.number, awaited.seat, turn, delta, at)
        if isinstance(event, Rolled):
            events.append(ReviewedThrow(*facts, event.roll))
            continue
        text = game.choice_text(event.choice)
        if options is None:
            events.append(ReviewedChoice(*facts, text, Fraction(0), None, None, None))
            continue
        place = options.choices.index(event.choice)
        value, cost = options.values[place], options.costs[place]
        best = game.choice_text(options.choices[options.best])
        grade = grade_of(cost, unit) if options.differ else None
        ranking = _ranking(game, options, place)
        events.append(ReviewedChoice(*facts, text, cost, value, best, grade, ranking))
    result = valuation.final(play.position)
    seats = tuple(
        _seat(names[seat] if seat < len(names) else "", seat, events, *both)
        for seat, both in enumerate(zip(_start(values, result), result, strict=True))
    )
    over = play.awaits if isinstance(play.awaits, Over) else None
    given_up = not over and turn_at(game, play.position) and not begins_turn(play, play.position)
    winners, finished = over.winners if over else (), turns - bool(given_up)
    return Review(game, bool(over), unit, seats, tuple(events), finished, winners, why)


def _ranking(
    game: Game[Any, Any], options: Options[Any], chosen: int
) -> tuple[tuple[str, Number], ...]:
    """Return up to MOST_RANKED choices with values, best first, always with the chosen one."""
    order = sorted(range(len(options.values)), key=lambda place: options.costs[place])
    shown = order[:MOST_RANKED]
    if chosen not in shown:
        shown[-1] = chosen
    return tuple((game.choice_text(options.choices[i]), options.values[i]) for i in shown)


def _start(values: Sequence[tuple[Vector, Vector]], result: Vector) -> Vector:
    """Return each seat's value at the start plus all changes between events (see the top)."""
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
    luck = sum((one.luck for one in own if isinstance(one, ReviewedThrow)), start=Fraction(0))
    cost = sum((choice.cost for choice in choices), start=Fraction(0))
    grades = {grade: counts[grade] for grade in Grade}
    return SeatReview(name, start, result, luck, cost, len(choices), counts.total(), grades)


def opened(record: Record) -> Played:
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
