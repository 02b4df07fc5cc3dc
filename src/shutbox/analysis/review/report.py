"""The results of a review: every event with its luck or cost, and the sums of each seat."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import add
from typing import Any

from shutbox.analysis.plots import draw_review
from shutbox.analysis.review.grades import VERSION, Grade, Unit
from shutbox.dice import Roll
from shutbox.english import figure
from shutbox.game import Game, position_text
from shutbox.results import Column, Result, Row
from shutbox.solver.options import Number, Vector
from shutbox.solver.score_plot import axes_with

_NUMBERS = ("luck", "worth", "cost")
COLUMNS = (
    *(Column(name) for name in ("record", "begun", "game", "unit")),
    *(Column("version", int), Column("number", int), Column("seat", int), Column("name")),
    *(Column("turn", int), Column("kind"), Column("did"), Column("position")),
    *(Column(name, float) for name in _NUMBERS),
    *(Column(name) for name in ("best", "grade", "deltas")),
)
"""The columns of the rows of a review, one row for each event. Seats count from 0, as in JSON. The
deltas of all seats are separated by spaces. A column that does not apply to an event is None."""
EXACT_COLUMNS = tuple(Column(one.name) if one.name in _NUMBERS else one for one in COLUMNS)
"""The columns if luck, worth and cost are exact fractions as text."""


@dataclass(frozen=True, slots=True)
class ReviewedThrow:
    """A throw, and its luck, in `Review.unit`."""

    number: int  # of the event in the record, from 1
    seat: int  # of the player who threw, from 0
    turn: int | None  # the turn it belongs to, from 1; None if to none
    delta: Vector  # the change in the value for each seat
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
    delta: Vector
    before: Any
    choice: str  # in notation
    cost: Number  # compared with the best choice, for the seat that chose: 0 or more
    value: Number | None  # of the choice for that seat; None if it is not known
    best: str | None  # the first of the best choices; None if they are not known
    grade: Grade | None  # None if it is not graded: forced, all equally good, or unknown
    ranking: tuple[tuple[str, Number], ...] = ()
    """The best choices with their values, the best first. The choice that was made is always
    included. Empty if the values are not known."""


ReviewedEvent = ReviewedThrow | ReviewedChoice


@dataclass(frozen=True, slots=True)
class SeatReview:
    """The start, the result, and the summed luck and cost of one seat, in `Review.unit`."""

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
    >>> six = shutbox.find("six")
    >>> play = shutbox.Play(six)
    >>> for said in ("5", "2 3", "2"):
    ...     awaited = play.awaits
    ...     rolls = isinstance(awaited, shutbox.Throw)
    ...     play.happen(
    ...         shutbox.Rolled(awaited.dice.read(said)) if rolls
    ...         else shutbox.Chosen(six.parse_choice(play.position, said)))
    >>> found = shutbox.review(play)
    >>> found
    Review(six: Player 1 16, luck 2.8192, cost 4.3295)
    >>> choice = found.events[1]
    >>> round(float(choice.cost), 4), choice.best, choice.grade
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
    why_points: str = ""
    """The reason why a match of several players is not reviewed for the share of the win, as a
    sentence without its full stop; else empty."""
    version: int = VERSION  # of the table of grades

    @property
    def low_is_good(self) -> bool:
        """Whether less is better: the unit is points, and the lower score wins the game."""
        scoring = self.game.scoring
        assert scoring is not None  # a game without scores is not reviewed
        return self.unit is Unit.POINTS and scoring.low_is_good

    @property
    def choices(self) -> tuple[ReviewedChoice, ...]:
        """The choices among the events."""
        return tuple(event for event in self.events if isinstance(event, ReviewedChoice))

    @property
    def course(self) -> tuple[Vector, ...]:
        """The expected result at the start and after each event, a vector by seat for each."""
        deltas = (event.delta for event in self.events)
        start: Vector = tuple(seat.start for seat in self.seats)
        return tuple(accumulate(deltas, lambda *both: tuple(map(add, *both)), initial=start))

    def by_others(self, seat: int) -> Number:
        """Return the change for a seat by the throws and choices of all other players."""
        others = (event.delta[seat] for event in self.events if event.seat != seat)
        return sum(others, start=Fraction(0))

    def costliest(self, most: int = 3) -> tuple[ReviewedChoice, ...]:
        """Return up to `most` choices with a cost, the worst first, ties in order of play."""
        costly = (choice for choice in self.choices if choice.cost)
        return tuple(sorted(costly, key=lambda choice: -choice.cost)[:most])

    def _summary(self) -> str:
        seats = (
            f"{seat.name} {figure(seat.result)}, luck {figure(seat.luck)}, cost {figure(seat.cost)}"
            for seat in self.seats
        )
        return f"{self.game.name}: {'; '.join(seats)}"

    def _rows(self) -> Iterator[Row]:
        return (row[2:] for row in self.rows())

    def plot(self, ax: Any = None) -> Any:
        """Draw the expected results by event on matplotlib axes, by default new ones; return them.

        Raises NotInstalled without matplotlib.
        """
        ax = axes_with(ax, self.game.card().title)
        draw_review(ax, self)
        return ax

    def report(self, *, exact: bool = False) -> dict[str, Any]:
        """Return the review as a value for `json.dumps`, see docs/review.md.

        Numbers are floats; with `exact`, fractions are written as text.

        >>> import shutbox
        >>> found = shutbox.review(shutbox.Play(shutbox.find("six"))).report(exact=True)
        >>> found["unit"], found["version"], found["seats"][0]["cost"], found["events"]
        ('points', 1, '0', [])
        """
        return {
            "game": self.game.name,
            "unit": self.unit.value,
            "version": self.version,
            "over": self.over,
            "why": self.why_points or None,
            "seats": [_seat(seat, exact=exact) for seat in self.seats],
            "events": [_event(event, exact=exact) for event in self.events],
        }

    def rows(
        self, *, record: str = "", begun: str = "", exact: bool = False
    ) -> Iterator[tuple[object, ...]]:
        """Yield a row for each event, as in COLUMNS; with `exact`, as in EXACT_COLUMNS.

        `record` and `begun` are repeated in the first two columns of each row.
        """
        same = (record, begun, self.game.name, self.unit.value, self.version)
        for event in self.events:
            data = _event(event, exact=exact)
            if isinstance(event, ReviewedThrow):
                did, value = str(event.roll), None
            else:
                did, value = event.choice, event.value
            yield (
                *same,
                *(event.number, event.seat, self.seats[event.seat].name, event.turn, data["kind"]),
                *(did, position_text(self.game, event.before), data.get("luck")),
                None if value is None else as_written(value, exact=exact),
                *(data.get(key) for key in ("cost", "best", "grade")),
                " ".join(map(str, data["delta"])),
            )


def _seat(seat: SeatReview, *, exact: bool) -> dict[str, Any]:
    numbers = {key: getattr(seat, key) for key in ("start", "result", "luck", "cost")}
    return {
        "name": seat.name,
        **{key: as_written(number, exact=exact) for key, number in numbers.items()},
        "decisions": seat.decisions,
        "counted": seat.counted,
        "grades": grades_report(seat.grades),
    }


def grades_report(grades: Mapping[Grade, int]) -> dict[str, int]:
    """Return the number of choices of each grade, by the name of the grade."""
    return {str(grade.value): number for grade, number in grades.items()}


def _event(event: ReviewedEvent, *, exact: bool) -> dict[str, Any]:
    throws = isinstance(event, ReviewedThrow)
    found: dict[str, Any] = {
        "number": event.number,
        "seat": event.seat,
        "kind": "throw" if throws else "choice",
        "delta": [as_written(number, exact=exact) for number in event.delta],
    }
    if isinstance(event, ReviewedThrow):
        return {**found, "luck": as_written(event.luck, exact=exact)}
    grade = None if event.grade is None else event.grade.value
    return {
        **found,
        "cost": as_written(event.cost, exact=exact),
        "best": event.best,
        "grade": grade,
    }


def as_written(number: Number, *, exact: bool) -> float | str:
    """Return a number for JSON and CSV: a float; with `exact`, a Fraction becomes text instead."""
    return str(number) if exact and isinstance(number, Fraction) else float(number)
