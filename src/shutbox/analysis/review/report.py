"""What a review found: every event with its luck or cost, and what each seat's come to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import add
from typing import Any

from shutbox.analysis.review.grades import VERSION, Grade, Unit
from shutbox.data_file import Column, frame_of
from shutbox.dice import Roll
from shutbox.game import Game, position_text
from shutbox.solver.solution import Number, Vector

_NUMBERS = ("luck", "worth", "cost")
COLUMNS = (
    *(Column(name) for name in ("record", "begun", "game", "unit")),
    *(Column("version", int), Column("number", int), Column("seat", int), Column("name")),
    *(Column("turn", int), Column("kind"), Column("did"), Column("position")),
    *(Column(name, float) for name in _NUMBERS),
    *(Column(name) for name in ("best", "grade", "deltas")),
)
"""Of the rows of a review: one for each event. Seats count from 0, as in JSON; the deltas of all
seats have a space between them. What an event has not is None."""
EXACT_COLUMNS = tuple(Column(one.name) if one.name in _NUMBERS else one for one in COLUMNS)
"""The same where luck, worth and cost are whole fractions as text."""


@dataclass(frozen=True, slots=True)
class ReviewedThrow:
    """A throw, and its luck."""

    number: int  # of the event in the record, from 1
    seat: int  # who threw, from 0
    turn: int | None  # the turn it belongs to, from 1; None: to no turn
    delta: Vector  # by how much it changed what each seat may hope for
    before: Any  # the position
    roll: Roll  # what fell

    @property
    def luck(self) -> Number:
        """The value after it less the mean over all throws, for the seat that threw."""
        return self.delta[self.seat]


@dataclass(frozen=True, slots=True)
class ReviewedChoice:
    """A choice, and its cost."""

    number: int
    seat: int
    turn: int | None
    delta: Vector
    before: Any
    choice: str  # what was chosen, as the game writes it
    cost: Number  # against the best choice, for the seat that chose: 0 or more
    value: Number | None  # what it was worth to that seat; None where nobody knows
    best: str | None  # the best choice, of equally good ones the first; None where nobody knows
    grade: Grade | None  # None for what is not counted: forced, equally good, or unknown
    ranking: tuple[tuple[str, Number], ...] = ()
    """The best choices with what each was worth, the best first, and among them what was chosen;
    empty where nobody knows."""


ReviewedEvent = ReviewedThrow | ReviewedChoice


@dataclass(frozen=True, slots=True)
class SeatReview:
    """What one seat began with, what it came to, and by what. Luck and cost are sums."""

    name: str
    start: Number  # what was to be expected, see docs/review.md
    result: Number  # what came of it
    luck: Number  # of its own throws; it has the sign of what they changed
    cost: Number  # of its own choices: 0 or more
    decisions: int  # choices
    counted: int  # those of them that are graded
    grades: dict[Grade, int]  # how many of them have each grade, all grades in their order


@dataclass(frozen=True, slots=True)
class Review:
    """A record reviewed. For every seat, `result` is `start` and the sum of all its deltas.

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
    >>> choice = found.events[1]
    >>> round(float(choice.cost), 4), choice.best, choice.grade
    (4.3295, '5', Grade.BLUNDER)
    >>> [seat] = found.seats
    >>> seat.result == seat.start + sum(event.delta[0] for event in found.events)
    True
    """

    game: Game[Any, Any]
    over: bool  # whether it was played to its end
    unit: Unit
    seats: tuple[SeatReview, ...]
    events: tuple[ReviewedEvent, ...]
    why_points: str = ""
    """Why a match of several is not reviewed for the share of the win, a sentence without its full
    stop; else empty."""
    version: int = VERSION  # of the table of grades

    @property
    def low_is_good(self) -> bool:
        """Whether less is better: points of a game where the lower score wins."""
        scoring = self.game.scoring
        assert scoring is not None  # or it would have been refused
        return self.unit is Unit.POINTS and scoring.low_is_good

    @property
    def choices(self) -> tuple[ReviewedChoice, ...]:
        """The choices among the events."""
        return tuple(event for event in self.events if isinstance(event, ReviewedChoice))

    @property
    def course(self) -> tuple[Vector, ...]:
        """What was to be expected for each seat: at the start, and after each event."""
        deltas = (event.delta for event in self.events)
        start: Vector = tuple(seat.start for seat in self.seats)
        return tuple(accumulate(deltas, lambda *both: tuple(map(add, *both)), initial=start))

    def by_others(self, seat: int) -> Number:
        """Return what everybody else's throws and choices changed for a seat."""
        others = (event.delta[seat] for event in self.events if event.seat != seat)
        return sum(others, start=Fraction(0))

    def costliest(self, most: int = 3) -> tuple[ReviewedChoice, ...]:
        """The choices that cost most, the worst first; of equal ones the first."""
        costly = (choice for choice in self.choices if choice.cost)
        return tuple(sorted(costly, key=lambda choice: -choice.cost)[:most])

    def report(self, *, exact: bool = False) -> dict[str, Any]:
        """The review as a value for `json.dumps`, see docs/review.md.

        Numbers are floats; `exact`: whole fractions as text, where they are.

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
        """A row for each event, under COLUMNS; with `exact` under EXACT_COLUMNS."""
        same = (record, begun, self.game.name, self.unit.value, self.version)
        for event in self.events:
            told = _event(event, exact=exact)
            if isinstance(event, ReviewedThrow):
                did, worth = str(event.roll), None
            else:
                did, worth = event.choice, event.value
            yield (
                *same,
                *(event.number, event.seat, self.seats[event.seat].name, event.turn, told["kind"]),
                *(did, position_text(self.game, event.before), told.get("luck")),
                None if worth is None else as_written(worth, exact=exact),
                *(told.get(key) for key in ("cost", "best", "grade")),
                " ".join(map(str, told["delta"])),
            )

    def to_frame(self) -> Any:
        """The events as a `pandas.DataFrame`, under COLUMNS but those of the record.

        Raises NotInstalled without pandas.
        """
        return frame_of(COLUMNS[2:], (row[2:] for row in self.rows()))


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
    """How many choices have each grade, by its name."""
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
    """A number as JSON and CSV have it; `exact`: a whole fraction as text."""
    return str(number) if exact and isinstance(number, Fraction) else float(number)
