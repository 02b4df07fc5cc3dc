"""Statistics over many reviews: the loss per turn of each player, by game.

Loss measures skill and needs only few turns to do so; luck does not, so it is only added up.
The turn is the sampling unit: the intervals are plain normal ones over turns. The interval of the
loss per choice is that of a ratio of two sums over turns, since the choices of one turn are
correlated (W. G. Cochran, Sampling Techniques, 3rd edition, 1977, chapter 6).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from math import fsum, sqrt
from typing import Any

from shutbox.engine.english import localized
from shutbox.engine.messages import gettext
from shutbox.match import Match, full_title
from shutbox.record import Header
from shutbox.solving.review.report import (
    Grade,
    Review,
    ReviewedChoice,
    ReviewedThrow,
    Unit,
    grades_report,
)
from shutbox.solving.review.review_text import amount_words
from shutbox.solving.value_text import cost_only

WIDE = 1.959963984540054  # standard errors to each side of a 95 % interval
FEWEST_CHOICES = 5  # graded choices; from fewer, no interval is given


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and the ends of its 95 % interval, which are None if too little was played."""

    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """The cost and luck of one player over many turns, in total and on average, in one unit.

    A turn that was given up does not count, nor does a record in which no turn was finished.
    """

    records: int
    turns: int
    decisions: int  # all choices
    counted: int  # graded choices in turns
    cost: float  # of the choices in turns
    luck: float  # signed as it changed the value
    grades: dict[Grade, int]  # the number of choices of each grade, also outside turns
    per_turn: Estimate | None  # the cost; None without turns
    per_decision: Estimate | None  # the cost per graded choice; None without such choices


@dataclass(frozen=True, slots=True)
class Group:
    """The loss of one player in one game and unit."""

    player: str
    game: str  # the name; for a match, without what a rematch changes
    unit: Unit
    low_is_good: bool
    loss: Loss
    title: str  # of the game, and for a match its terms in words


def sum_reviews(
    reviews: Iterable[tuple[Header, Review]], player: str | None = None
) -> tuple[Group, ...]:
    """Return the losses of all people, or of `player`, even a computer, in every game and unit.

    They are in the order in which they were first played.
    """
    parts: dict[tuple[str, str, Unit, bool], list[tuple[Review, int]]] = {}
    for header, review in reviews:
        game = review.game
        if isinstance(game, Match):
            game = Match(game.game, game.format.lasting, game.players)
        for seat, name in names_by_seat(header, player).items():
            group = name, game.name, review.unit, review.low_is_good
            parts.setdefault(group, []).append((review, seat))
    return tuple(
        Group(*group, _loss(seated), full_title(seated[0][0].game))
        for group, seated in parts.items()
    )


def group_report(group: Group) -> dict[str, Any]:
    """Return a group for `json.dumps`; `low` to `high` is a 95 % interval."""
    return {
        "player": group.player,
        "game": group.game,
        "unit": group.unit.value,
        **asdict(group.loss),
        "grades": grades_report(group.loss.grades),
    }


def names_by_seat(header: Header, player: str | None = None) -> dict[int, str]:
    """Return the names of all people by seat, or only `player`, who can be a computer."""
    if player is None:
        return {n: each.name for n, each in enumerate(header.players) if not each.computer}
    return {n: player for n, each in enumerate(header.players) if each.name == player}


def _turns(review: Review, seat: int) -> Iterable[tuple[float, int]]:
    """Return the cost and the number of graded choices of each turn of a seat."""
    turns: dict[int, tuple[float, int]] = {}
    for event in review.finished_events(seat):
        if event.turn is not None:
            cost, counted = turns.get(event.turn, (0.0, 0))
            if isinstance(event, ReviewedChoice):
                cost, counted = cost + float(event.cost), counted + (event.grade is not None)
            turns[event.turn] = cost, counted
    return turns.values()


def _loss(parts: Sequence[tuple[Review, int]]) -> Loss:
    """Return the loss of a player, given each review with the player's seat."""
    records = [[*_turns(review, seat)] for review, seat in parts]
    events = [event for review, seat in parts for event in review.finished_events(seat)]
    choices = [event for event in events if isinstance(event, ReviewedChoice)]
    grades = Counter(choice.grade for choice in choices)
    turns = [*chain(*records)]
    costs, counts = [cost for cost, _ in turns], [counted for _, counted in turns]
    return Loss(
        records=sum(map(bool, records)),
        turns=len(turns),
        decisions=len(choices),
        counted=sum(counts),
        cost=fsum(costs),
        luck=fsum(float(event.luck) for event in events if isinstance(event, ReviewedThrow)),
        grades={grade: grades[grade] for grade in Grade},
        per_turn=mean_per_count(costs, [1] * len(turns), sum(counts)),
        per_decision=mean_per_count(costs, counts, sum(counts)),
    )


def mean_per_count(costs: Sequence[float], counts: Sequence[int], choices: int) -> Estimate | None:
    """Return the mean cost per count over turns, with its interval; None if the counts sum to 0.

    `costs` and `counts` are by turn. The interval is None for a single turn, or if `choices`, the
    number of graded choices in all, is below FEWEST_CHOICES.

    >>> found = mean_per_count([1.0, 0.0, 2.0, 1.0], [1, 1, 1, 1], 5)
    >>> found.mean, round(found.low, 4), round(found.high, 4)
    (1.0, 0.1998, 1.8002)
    >>> mean_per_count([3.0, 0.0], [2, 1], 3)
    Estimate(mean=1.0, low=None, high=None)
    """
    if not (total := sum(counts)):
        return None
    number = len(costs)
    mean = fsum(costs) / total
    if number < 2 or choices < FEWEST_CHOICES:
        return Estimate(mean)
    rest = fsum((c - mean * n) ** 2 for c, n in zip(costs, counts, strict=True)) / (number - 1)
    wide = WIDE * sqrt(rest / number) / (total / number)
    return Estimate(mean, mean - wide, mean + wide)


# In sentences


def sums_sentences(sums: Iterable[Group]) -> Iterator[str]:
    """Yield sentences on the loss of every player in every game, and on their luck.

    >>> list(sums_sentences(sum_reviews([])))
    ['No person has had a turn in these games; a computer player counts if you name it.']
    """
    if not (groups := [group for group in sums if group.loss.turns]):
        yield gettext(
            "No person has had a turn in these games; a computer player counts if you name it."
        )
        return
    for group in groups:
        yield from _group_sentences(group)
    per_turn = (group.loss.per_turn for group in groups if group.loss.cost)
    if any(turn and turn.low is not None for turn in per_turn):
        yield gettext(
            "The ranges in brackets are 95 % intervals. From few turns they are too narrow."
        )


def _group_sentences(group: Group) -> Iterator[str]:
    facts, loss = {"name": group.player, "game": group.title}, group.loss
    says = gettext("{name} at {game}: nothing lost.", **facts)
    if loss.per_turn is not None and loss.per_decision is not None and loss.cost:
        says = gettext(
            "{name} at {game}: {a_turn} lost per turn and {a_choice} per real choice.",
            a_turn=_estimate_words(group.unit, loss.per_turn),
            a_choice=_estimate_words(group.unit, loss.per_decision),
            **facts,
        )
    counted = gettext("Turns: {turns}; games: {games}.", turns=loss.turns, games=loss.records)
    yield f"{says} {counted}"
    if luck := group.loss.luck:
        facts["amount"] = amount_words(group.unit, abs(luck), 2)
        if (luck > 0) != group.low_is_good:
            yield gettext("{name} at {game}: lucky by {amount} in all.", **facts)
        else:
            yield gettext("{name} at {game}: unlucky by {amount} in all.", **facts)


def _estimate_words(unit: Unit, estimate: Estimate) -> str:
    mean = amount_words(unit, estimate.mean, 2)
    if estimate.low is None or estimate.high is None:
        return mean
    ends = max(0.0, estimate.low), estimate.high
    low, high = (cost_only("win", n) if unit is Unit.SHARE else localized(f"{n:.2f}") for n in ends)
    return gettext("{mean} ({low} to {high})", mean=mean, low=low, high=high)
