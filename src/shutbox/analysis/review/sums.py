"""Statistics over many reviews: the loss per turn of each player, by game and by month.

Loss measures skill and needs only few turns to do so; luck does not, so it is only added up.
The turn is the sampling unit: the intervals are plain normal ones over turns. The interval of the
loss per choice is that of a ratio of two sums over turns, since the choices of one turn are
correlated (W. G. Cochran, Sampling Techniques, 3rd edition, 1977, chapter 6).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from math import fsum, sqrt
from typing import Any

from shutbox.analysis.review.grades import VERSION, Grade, Unit
from shutbox.analysis.review.report import Review, ReviewedChoice, grades_report
from shutbox.english import listed, shown
from shutbox.errors import BadName
from shutbox.match import Match
from shutbox.messages import gettext_noop
from shutbox.record import Header

WIDE = 1.959963984540054  # standard errors to each side of a 95 % interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and the ends of its 95 % interval, which are None with fewer than two turns."""

    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """The totals and means over the turns of one player, in one unit."""

    records: int
    turns: int
    decisions: int  # all choices
    counted: int  # graded choices in turns
    cost: float  # of the choices in turns
    luck: float  # signed as it changed the value
    grades: dict[Grade, int]
    per_turn: Estimate | None  # the cost; None without turns
    per_decision: Estimate | None  # the cost per graded choice; None without such choices


@dataclass(frozen=True, slots=True)
class Group:
    """The loss of one player in one game and unit, in all and month by month."""

    player: str
    game: str  # the name; for a match, without what a rematch changes
    unit: Unit
    low_is_good: bool
    loss: Loss
    months: tuple[tuple[str, Loss], ...]  # such as 2026-11, ascending


@dataclass(frozen=True, slots=True)
class _Part:
    """The figures of one seat of one record: the cost and the graded choices of each turn."""

    month: str
    turns: tuple[tuple[float, int], ...]
    luck: float
    grades: Counter[Grade]
    decisions: int


@dataclass
class Sums:
    """An accumulator of reviews, grouped by player, game and unit."""

    version: int = VERSION
    _parts: dict[tuple[str, str, Unit, bool], list[_Part]] = field(default_factory=dict)

    @classmethod
    def of_records(
        cls, found: Iterable[tuple[Header, Review]], player: str | None = None
    ) -> "Sums":
        """Sum up all people, or one player, even a computer. Raises BadName for an unknown one."""
        sums, names = cls(), dict[str, None]()
        for header, each in found:
            seats = {
                seat: who.name
                for seat, who in enumerate(header.players)
                if player == who.name or (player is None and not who.computer)
            }
            names |= dict.fromkeys(header.names)
            sums.add(each, seats, header.begun[:7])
        if player is not None and player not in names:
            facts = {"player": shown(player), "names": listed(names)}
            says = gettext_noop("{player} has played none of these games")
            if names:
                says = gettext_noop(
                    "{player} has played none of these games; those who have are {names}"
                )
            raise BadName(says, **facts)
        return sums

    def add(self, review: Review, people: dict[int, str], month: str) -> None:
        """Add the seats of a review that are in `people`, which has the names by seat.

        `month` is the month in which the record began, such as 2026-11.
        """
        game = review.game
        if isinstance(game, Match):
            game = Match(game.game, game.format.lasting, game.players)
        for seat, name in people.items():
            group = name, game.name, review.unit, review.low_is_good
            self._parts.setdefault(group, []).append(_part(review, seat, month))

    @property
    def groups(self) -> tuple[Group, ...]:
        """The losses of every player in every game, in the order in which they were first added."""
        return tuple(
            Group(*group, _loss(parts), _by_month(parts)) for group, parts in self._parts.items()
        )

    def report(self) -> dict[str, Any]:
        """Return `groups` for `json.dumps`; `low` and `high` are the ends of 95 % intervals."""
        return {
            "version": self.version,
            "groups": [
                {
                    "player": group.player,
                    "game": group.game,
                    "unit": group.unit.value,
                    **_reported(group.loss),
                    "months": [{"month": month, **_reported(loss)} for month, loss in group.months],
                }
                for group in self.groups
            ],
        }


def _reported(loss: Loss) -> dict[str, Any]:
    return {**asdict(loss), "grades": grades_report(loss.grades)}


def _part(review: Review, seat: int, month: str) -> _Part:
    turns: dict[int, tuple[float, int]] = {}
    for event in review.events:
        if event.seat == seat and event.turn is not None:
            cost, counted = turns.get(event.turn, (0.0, 0))
            if isinstance(event, ReviewedChoice):
                cost, counted = cost + float(event.cost), counted + (event.grade is not None)
            turns[event.turn] = cost, counted
    of = review.seats[seat]
    return _Part(month, tuple(turns.values()), float(of.luck), Counter(of.grades), of.decisions)


def _by_month(parts: Sequence[_Part]) -> tuple[tuple[str, Loss], ...]:
    months = sorted({part.month for part in parts})
    return tuple((month, _loss([p for p in parts if p.month == month])) for month in months)


def _loss(parts: Sequence[_Part]) -> Loss:
    turns = [turn for part in parts for turn in part.turns]
    costs, counts = [cost for cost, _ in turns], [counted for _, counted in turns]
    grades = sum((part.grades for part in parts), start=Counter[Grade]())
    return Loss(
        len(parts),
        len(turns),
        sum(part.decisions for part in parts),
        sum(counts),
        fsum(costs),
        fsum(part.luck for part in parts),
        {grade: grades[grade] for grade in Grade},
        ratio(costs, [1] * len(turns)),
        ratio(costs, counts),
    )


def ratio(costs: Sequence[float], counts: Iterable[int]) -> Estimate | None:
    """Return the mean cost per count over turns, with its interval; None if the counts sum to 0.

    >>> found = ratio([1.0, 0.0, 2.0, 1.0], [1, 1, 1, 1])
    >>> found.mean, round(found.low, 4), round(found.high, 4)
    (1.0, 0.1998, 1.8002)
    >>> ratio([3.0], [2])
    Estimate(mean=1.5, low=None, high=None)
    """
    counted = list(counts)
    if not (total := sum(counted)):
        return None
    number = len(costs)
    mean = fsum(costs) / total
    if number < 2:
        return Estimate(mean)
    rest = fsum((c - mean * n) ** 2 for c, n in zip(costs, counted, strict=True)) / (number - 1)
    wide = WIDE * sqrt(rest / number) / (total / number)
    return Estimate(mean, mean - wide, mean + wide)
