"""The review of a record: the luck of each throw, the cost of each choice, and their sums.

Only the final state of the record counts: choices that were taken back are ignored, and dice that
were corrected count as corrected. A truncated record is reviewed up to its last intact event.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

from shutbox.analysis.equity.match_value import answers_at
from shutbox.analysis.review.grades import Grade, grade_of
from shutbox.analysis.review.report import (
    Review,
    ReviewedChoice,
    ReviewedEvent,
    ReviewedThrow,
    SeatReview,
)
from shutbox.analysis.review.valuation import (
    REVIEW_SECONDS,
    ScoreValuation,
    ShareValuation,
    TurnValuation,
    Valuation,
    check_shares,
)
from shutbox.analysis.solvers.select import MOST_MEMORY, Solutions
from shutbox.english import shown
from shutbox.errors import NotUnderstood, TooLarge
from shutbox.game import Choose, Game, Over, Throw
from shutbox.lookup import game_of
from shutbox.match import Match
from shutbox.match.game import begins_turn, turn_at
from shutbox.play import Play, Rolled
from shutbox.record import Reading, read
from shutbox.seats import unnamed
from shutbox.solver.graph import Progress, heard, unheard
from shutbox.solver.options import Number, Options, Vector
from shutbox.solver.solution import Solution
from shutbox.store import Store

MOST_RANKED = 5  # choices of a position that a review lists

Record = Reading[Any, Any] | Play[Any, Any] | Path | str | int | bytes  # anything reviewable


class Reviewer:
    """A reviewer of many records, which caches the solutions of games and matches between them.

    A match that is estimated to take more than `seconds` or bytes of `memory` is reviewed turn by
    turn. A single turn beyond these limits is refused; `anyway` ignores them. `progress` is called
    as the solver advances.
    """

    def __init__(
        self,
        *,
        seconds: float = REVIEW_SECONDS,
        memory: int = MOST_MEMORY,
        anyway: bool = False,
        progress: Progress = unheard,
    ) -> None:
        self._limits: dict[str, Any] = {"memory": memory, "anyway": anyway}
        self._seconds, self._progress = seconds, progress
        self._solved = Solutions(seconds=seconds, progress=progress, **self._limits)
        self._matches: dict[tuple[Game[Any, Any], str], Match[Any, Any]] = {}
        self._shares: dict[Match[Any, Any], ShareValuation] = {}

    def review(
        self, record: Reading[Any, Any] | Play[Any, Any], names: Sequence[str] = ()
    ) -> Review:
        """Return the review of a play, or of the intact part of a record that was read.

        `names`, by seat, are for a play only; without them, the seats have the names of the game.

        Raises TooLarge for a game without scores, and for one that cannot be solved in time.
        """
        if isinstance(record, Reading):
            play, names = record.play, record.header.names
        else:
            play, game = record, record.game
            names = names or (game.players if isinstance(game, Match) else unnamed(1))
        if play.game.scoring is None:
            name = play.game.name
            raise TooLarge("{game} has no score, so there is nothing to review", game=name)
        valuation, why = self._valuation(play)
        return reviewed(play, valuation, names, why)

    def perfect_scores(self, play: Play[Any, Any]) -> Mapping[int, Number] | None:
        """Return the chance of each score of one turn that is played for the best expected score.

        The turn begins where the play does, or in a match at its start. None if the box is solved,
        but too large to work out the chances. Raises TooLarge if it cannot be solved.
        """
        if isinstance(match := play.game, Match):
            game, start = match.game, match.game.start()
        else:
            game, start = match, play.start
        solution = self._solved.at(game, start)
        return solution.distribution(start) if solution.tells_chances else None

    def turn(self, game: Game[Any, Any]) -> Solution[Any, Any]:
        """Return one turn of a game solved for the expected score. Raises TooLarge if too large."""
        return self._solved.whole(game)

    def _valuation(self, play: Play[Any, Any]) -> tuple[Valuation, str]:
        """Return the valuation of a play, and why it does not count the share of the win.

        The reason is empty unless a match of several players cannot be solved for that share.
        """
        game, steps = play.game, play.steps
        if not isinstance(game, Match):
            return TurnValuation(self._solved.at(game, play.start)), ""
        # The names of the players do not matter: one match serves all records of the same kind.
        match = self._matches.setdefault((game.game, game.name), game)
        why = ""
        if len(match.players) > 1:  # a lone player wins anyway, so only the score counts
            turns = sum(begins_turn(play, step.before) for step in steps)
            try:
                check_shares(match, turns, most=self._seconds, **self._limits)
                if match not in self._shares:
                    answers = answers_at(match, match.start(), anyway=True, progress=self._progress)
                    valuation = ShareValuation(match, answers, memory=self._limits["memory"])
                    self._shares[match] = valuation
                return self._shares[match], ""
            except TooLarge as error:
                why = str(error)
        return ScoreValuation(match, self.turn(match.game)), why


def review(record: Record, *, anyway: bool = False, progress: Progress | None = None) -> Review:
    """Review a record event by event, see `Review`.

    `record` is a play or a table, a result of `shutbox.record.read`, the number of one of the
    user's stored games, a file, or the bytes of a record. A match that can be solved in time is
    reviewed for the share of the win, any other match turn by turn for the expected score.

    Raises NotUnderstood for an object of the wrong kind, UnknownRecord for a record that does not
    exist, BadRecord for one that cannot be read, and TooLarge for a game without scores or one that
    is not solved in time (unless `anyway`).
    """
    return Reviewer(anyway=anyway, progress=heard(progress)).review(opened(record))


def reviewed(
    play: Play[Any, Any], valuation: Valuation, names: Sequence[str] = (), why: str = ""
) -> Review:
    """Return the review of a play, with its positions valued by `valuation`.

    `names` are by seat; `why` becomes `Review.why_points`.
    """
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
    return Review(game, isinstance(play.awaits, Over), unit, seats, tuple(events), why)


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
    """Return each seat's value at the start, plus all changes between events (see `valuation`)."""
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
    throws = [event for event in own if isinstance(event, ReviewedThrow)]
    choices = [event for event in own if isinstance(event, ReviewedChoice)]
    counts = Counter(choice.grade for choice in choices if choice.grade is not None)
    luck = sum((throw.luck for throw in throws), start=Fraction(0))
    cost = sum((choice.cost for choice in choices), start=Fraction(0))
    grades = {grade: counts[grade] for grade in Grade}
    return SeatReview(name, start, result, luck, cost, len(choices), counts.total(), grades)


def opened(record: Record) -> Reading[Any, Any] | Play[Any, Any]:
    """Return a play or a reading as it is; read anything else.

    Raises the errors of `review` for a record.
    """
    match record:
        case Reading() | Play():
            return record
        case bytes():
            return read(BytesIO(record), game_of)
        case Path() | str() if record != "":
            return Store().read(Path(record), game_of)
        case int() if not isinstance(record, bool):
            return Store().read(record, game_of)
    raise NotUnderstood(
        "{offered} is no record; give a play, a reading, the number of a game, a file or bytes",
        offered=shown(record),
    )
