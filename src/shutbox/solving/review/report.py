"""The results of a review: every event with its luck or cost, the sums of each seat, a verdict.

Choices are graded by their cost, by one table of thresholds. A single turn is graded in points, a
match in the share of the win. The two are about equivalent: in most boxes the scores of two turns
are some eleven points apart, so half a point is worth about two hundredths of a round.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shutbox.engine.dice import Roll
from shutbox.engine.english import Word, figure, tenths
from shutbox.engine.game import Game, position_text
from shutbox.engine.seats import seat_number
from shutbox.match import Match, turn_game
from shutbox.output.results import Column, Result, Row
from shutbox.solving.options import Number, NumberTuple, Option, Ranking


class Unit(Word):
    """The unit of the values in a review."""

    POINTS = "points"  # the expected score
    SHARE = "share"  # the expected share of the win: 1 for a win, 1/2 for a tie of two


class Grade(Word):
    """The grade of a choice, by its cost."""

    BEST = "best"  # it cost nothing
    GOOD = "good"  # it cost too little to be noticed
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


MISTAKES = (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)  # the mildest first
THRESHOLDS = {
    Grade.BLUNDER: {Unit.POINTS: Fraction(3, 2), Unit.SHARE: Fraction(1, 20)},
    Grade.MISTAKE: {Unit.POINTS: Fraction(1, 2), Unit.SHARE: Fraction(1, 50)},
    Grade.INACCURACY: {Unit.POINTS: Fraction(1, 10), Unit.SHARE: Fraction(1, 200)},
}
"""The lowest cost of each grade, the worst first. A cost above 0 but below the last is good."""


def grade_of(cost: Number, unit: Unit) -> Grade:
    """Return the grade of a choice by its cost: 0 or more, compared with the best choice.

    >>> [str(grade_of(cost, Unit.POINTS).value) for cost in (0, 0.09, 0.1, 0.5, 2)]
    ['best', 'good', 'inaccuracy', 'mistake', 'blunder']
    """
    if not cost:
        return Grade.BEST
    return next((g for g, lowest in THRESHOLDS.items() if cost >= lowest[unit]), Grade.GOOD)


COLUMNS = (
    *(Column(name) for name in ("record", "begun", "game", "unit")),
    *(Column("number", int), Column("seat", int), Column("name"), Column("turn", int)),
    *(Column(name) for name in ("kind", "did", "position")),
    *(Column(name, float) for name in ("luck", "worth", "cost")),
    *(Column(name) for name in ("best", "grade", "deltas")),
)
"""The columns of the rows of a review, one row for each event. Seats count from 0. The deltas of
all seats are separated by spaces. A column that does not apply to an event is None."""


@dataclass(frozen=True, slots=True)
class ReviewedThrow:
    """A throw, and its luck, in `Review.unit`."""

    number: int  # of the event in the record, from 1
    seat: int  # of the player who threw, from 0
    turn: int | None  # the turn it belongs to, from 1; None if to none
    delta: NumberTuple  # the change in the value for each seat
    before: Any  # the position before the throw
    roll: Roll

    @property
    def luck(self) -> Number:
        """The value after the throw minus the mean over all throws, for the seat that threw."""
        return self.delta[self.seat]


@dataclass(frozen=True, slots=True)
class ReviewedChoice:
    """A choice, and its cost, in `Review.unit`. The first five fields are as in `ReviewedThrow`."""

    number: int
    seat: int
    turn: int | None
    delta: NumberTuple
    before: Any
    choice: str  # in notation
    cost: Number  # compared with the best choice, for the seat that chose: 0 or more
    value: Number | None  # of the choice for that seat; None if it is not known
    grade: Grade | None  # None if it is not graded: forced, all equally good, or unknown
    ranking: Ranking[Any] = Ranking()
    """The best choices, the best first. The choice that was made is always included. Empty if the
    values are not known."""

    @property
    def best(self) -> Option[Any] | None:
        """The first of the best choices; None if they are not known."""
        return self.ranking[0] if self.ranking else None


ReviewedEvent = ReviewedThrow | ReviewedChoice


@dataclass(frozen=True, slots=True)
class SeatReview:
    """The figures of one seat in a review: start, result, total luck and cost, in `Review.unit`."""

    name: str
    start: Number  # the expected result, see docs/review.md
    result: Number
    luck: Number  # of its own throws, signed as they changed the value
    cost: Number  # of its own choices: 0 or more
    decisions: int  # all choices
    counted: int  # graded choices
    grades: dict[Grade, int]  # the number of choices of each grade; all grades in order


@dataclass(frozen=True, slots=True, repr=False)
class Review(Result):
    """The review of a record. For every seat, `result` is `start` plus the sum of its deltas.

    >>> import shutbox
    >>> from shutbox.engine.play import Chosen, Play, Rolled
    >>> six = shutbox.find("six")
    >>> play = Play(six)
    >>> for said in ("5", "2 3", "2"):
    ...     awaited = play.awaits
    ...     rolls = isinstance(awaited, shutbox.Throw)
    ...     play.happen(
    ...         Rolled(awaited.dice.read(said)) if rolls
    ...         else Chosen(six.parse_choice(play.position, said)))
    >>> found = shutbox.review(play)
    >>> found
    Review(six: Player 1 16, luck 2.8192, cost 4.3295)
    >>> choice = found.events[1]
    >>> round(float(choice.cost), 4), choice.best.text, choice.grade
    (4.3295, '5', Grade.BLUNDER)
    >>> [seat] = found.seats
    >>> seat.result == seat.start + sum(event.delta[0] for event in found.events)
    True
    """

    COLUMNS = COLUMNS[2:]

    game: Game[Any, Any]
    over: bool  # whether it was played to its end
    unit: Unit
    seats: tuple[SeatReview, ...]
    events: tuple[ReviewedEvent, ...]
    turns: int  # that were finished; events of a later turn are of one that was given up
    winners: tuple[int, ...] = ()  # the seats that have won; empty before the end
    why_points: str = ""
    """The reason why a match of several players is not reviewed for the share of the win, as a
    sentence without its full stop; else empty."""

    @property
    def low_is_good(self) -> bool:
        """Whether less is better: the unit is points, and the lower score wins the game."""
        scoring = turn_game(self.game).scoring
        assert scoring is not None  # a game without scores is not reviewed
        return self.unit is Unit.POINTS and scoring.low_is_good

    @property
    def margin(self) -> float | None:
        """The points by which the only winner leads; None if points did not decide."""
        has_one_winner = len(self.winners) == 1 and len(self.seats) > 1
        if self.unit is Unit.SHARE or not has_one_winner or not isinstance(self.game, Match):
            return None
        format = self.game.format
        if format.most_rounds > 1 and (format.stake or format.counts_wins or format.until):
            return None  # something else than the sums of points decided
        [winner] = self.winners
        own = float(self.seats[winner].result)
        others = (float(other.result) for seat, other in enumerate(self.seats) if seat != winner)
        lead = min(others) - own if self.low_is_good else own - max(others)
        return lead if lead > 0 else None

    @property
    def choices(self) -> tuple[ReviewedChoice, ...]:
        """The choices among the events."""
        return tuple(event for event in self.events if isinstance(event, ReviewedChoice))

    def finished_events(self, seat: int | str) -> list[ReviewedEvent]:
        """Return the events of a seat (number or name), without those of an unfinished turn.

        Raises BadName for others.
        """
        seat = seat_number(seat, [known.name for known in self.seats])
        own = (event for event in self.events if event.seat == seat)
        return [event for event in own if event.turn is None or event.turn <= self.turns]

    def change_by_others(self, seat: int | str) -> Number:
        """Return the change in a seat's value by all other players, in `Review.unit`.

        That is the sum over their throws and choices. The seat is its number, from 0, or a name.
        Raises BadName for others.
        """
        seat = seat_number(seat, [known.name for known in self.seats])
        others = (event.delta[seat] for event in self.events if event.seat != seat)
        return sum(others, start=Fraction(0))

    def costliest(self) -> tuple[ReviewedChoice, ...]:
        """Return up to three choices with a cost, the worst first, ties in order of play."""
        costly = (choice for choice in self.choices if choice.cost)
        return tuple(sorted(costly, key=lambda choice: -choice.cost)[:3])

    def _summary(self) -> str:
        seats = (
            f"{seat.name} {figure(seat.result)}, luck {figure(seat.luck)}, cost {figure(seat.cost)}"
            for seat in self.seats
        )
        return f"{self.game.name}: {'; '.join(seats)}"

    def _rows(self) -> Iterator[Row]:
        return (row[2:] for row in self.rows())

    def report(self) -> dict[str, Any]:
        """Return the review as a value for `json.dumps`, see docs/review.md.

        >>> import shutbox
        >>> from shutbox.engine.play import Play
        >>> found = shutbox.review(Play(shutbox.find("six"))).report()
        >>> found["unit"], found["seats"][0]["cost"], found["events"]
        ('points', 0.0, [])
        """
        return {
            "game": self.game.name,
            "unit": self.unit.value,
            "over": self.over,
            "why": self.why_points or None,
            "seats": [_seat_report(seat) for seat in self.seats],
            "events": [_event_report(event) for event in self.events],
        }

    def rows(self, *, record: str = "", begun: str = "") -> Iterator[tuple[object, ...]]:
        """Yield a row for each event under the module's COLUMNS.

        `record` and `begun` are the values of these two columns in every row.
        """
        for event in self.events:
            data = _event_report(event)
            row = dict.fromkeys(column.name for column in COLUMNS)
            row |= {"record": record, "begun": begun, "game": self.game.name}
            row |= {"unit": self.unit.value, "name": self.seats[event.seat].name}
            row |= {"turn": event.turn, "position": position_text(self.game, event.before)}
            row |= {key: data[key] for key in row.keys() & data.keys()}
            if isinstance(event, ReviewedThrow):
                row["did"] = str(event.roll)
            else:
                row |= {"did": event.choice, "best": event.best and event.best.text}
                row["worth"] = None if event.value is None else float(event.value)
            row["deltas"] = " ".join(map(str, data["delta"]))
            yield tuple(row.values())


def _seat_report(seat: SeatReview) -> dict[str, Any]:
    numbers = ("start", "result", "luck", "cost")
    return {
        "name": seat.name,
        **{key: float(getattr(seat, key)) for key in numbers},
        "decisions": seat.decisions,
        "counted": seat.counted,
        "grades": grades_report(seat.grades),
    }


def grades_report(grades: Mapping[Grade, int]) -> dict[str, int]:
    """Return the number of choices of each grade, by the name of the grade."""
    return {str(grade.value): number for grade, number in grades.items()}


def _event_report(event: ReviewedEvent) -> dict[str, Any]:
    data: dict[str, Any] = {
        "number": event.number,
        "seat": event.seat,
        "kind": "throw" if isinstance(event, ReviewedThrow) else "choice",
        "delta": [float(number) for number in event.delta],
    }
    if isinstance(event, ReviewedThrow):
        return {**data, "luck": float(event.luck)}
    grade = None if event.grade is None else event.grade.value
    best = None
    if event.best:
        best = {"choice": event.best.text, "value": float(event.best.value)}
    return {**data, "cost": float(event.cost), "best": best, "grade": grade}


# The verdict on a finished game: a line of figures that add up exactly as printed. All but luck are
# rounded to a tenth; luck absorbs the rounding, since a tenth of it goes unnoticed.

MOST_BARS = 64  # a distribution with more scores is not drawn


@dataclass(frozen=True, slots=True)
class SeatVerdict:
    """The figures of one seat: `expected`, `luck`, `mistakes` and `others` add up to `result`.

    They are whole tenths of a point, or of a percent of the win, signed as they change the result.
    """

    seat: int  # the number of the seat, from 0
    name: str  # the player's name
    expected: float  # the expected result at the start
    luck: float  # the change by the player's own throws, and all rounding
    mistakes: float  # the change by the player's own choices
    others: float  # throws and choices of the other players; 0 if points are counted
    result: float  # the result of the game
    count: int  # the number of choices that cost something
    score: int | None  # of a game alone; None in a match


@dataclass(frozen=True, slots=True)
class Verdict:
    """The figures of all seats of a finished game."""

    unit: str  # points, or share: percent of the win
    low_is_good: bool  # whether lower scores are better
    seats: tuple[SeatVerdict, ...]  # the figures of each seat
    distribution: tuple[tuple[int, float], ...]
    """The scores of perfect play with their chances, ascending. Empty in a match, and if they are
    too many to draw or not known."""
    winners: tuple[int, ...] = ()  # the seats that have won the match
    margin: float | None = None  # the points by which the only winner leads; None if others decided
    over: bool = True  # whether the game is over


def verdict(review: Review, chances: Mapping[int, Number] | None = None) -> Verdict:
    """Return the figures of all seats of a review, also of a game that is not over.

    `chances` are those of the scores of perfect play, ascending, for a game alone.
    """
    seats = tuple(seat_verdict(review, seat) for seat in range(len(review.seats)))
    bars: tuple[tuple[int, float], ...] = ()
    if chances and len(chances) <= MOST_BARS:
        bars = tuple((score, float(chance)) for score, chance in chances.items())
    return Verdict(
        unit=str(review.unit.value),
        low_is_good=review.low_is_good,
        seats=seats,
        distribution=bars,
        winners=review.winners,
        margin=review.margin,
        over=review.over,
    )


def seat_verdict(review: Review, number: int) -> SeatVerdict:
    """Return the figures of a seat, by its number from 0."""
    seat = review.seats[number]
    cost = seat.cost if review.low_is_good else -seat.cost
    scale = 100 if review.unit is Unit.SHARE else 1
    parts = (seat.start, cost, review.change_by_others(number), seat.result)
    expected, mistakes, others, result = (tenths(part * scale) for part in parts)
    return SeatVerdict(
        seat=number,
        name=seat.name,
        expected=expected / 10,
        luck=(result - expected - mistakes - others) / 10,
        mistakes=mistakes / 10,
        others=others / 10,
        result=result / 10,
        count=sum(count for grade, count in seat.grades.items() if grade is not Grade.BEST),
        score=None if isinstance(review.game, Match) else int(seat.result),
    )
