"""A summary of a finished game in one line of figures that add up exactly as printed.

The expected result, the effect of luck and of mistakes, and in a match the effect of the other
players add up to the result. All but luck are rounded to a tenth; luck absorbs the rounding, since
a tenth of it goes unnoticed. If a seat had just one turn, its score is compared with perfect play.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from shutbox.analysis.review.grades import MISTAKES, Unit
from shutbox.analysis.review.report import Review
from shutbox.analysis.review.wording import counts
from shutbox.english import tenths
from shutbox.game import Scoring
from shutbox.match import Match
from shutbox.messages import gettext, gettext_noop, pgettext
from shutbox.solver.options import Number

MOST_BARS = 64  # a distribution with more scores is not drawn


@dataclass(frozen=True, slots=True)
class SeatVerdict:
    """The figures of one seat: `expected`, `luck`, `mistakes` and `others` add up to `result`.

    They are whole tenths of a point, or of a percent of the win, signed as they change the result.
    """

    seat: int  # the number of the seat, from 0
    name: str  # the player's name
    expected: float  # the expected result at the start
    luck: float  # the part of the dice
    mistakes: float  # the part of the choices
    others: float  # throws and choices of the other players; 0 if points are counted
    result: float  # the result of the game
    count: int  # the number of mistakes, inaccuracies included
    score: int | None  # of its only turn; None in several rounds, without a turn, or if not given
    better: int | None  # the percentage of perfect play that the score beats
    grades: dict[str, int] = field(default_factory=dict, hash=False)
    """The number of mistakes of each grade, by its name; grades without mistakes are left out."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The figures of all seats of a finished game."""

    unit: str  # points, or share: percent of the win
    low_is_good: bool  # whether lower scores are better
    seats: tuple[SeatVerdict, ...]  # the figures of each seat
    distribution: tuple[tuple[int, float], ...]
    """The scores of perfect play in one turn with their chances, ascending. Empty if they are too
    many to draw, or no seat has a score to compare with them."""
    points: tuple[SeatVerdict, ...] = ()
    """The figures of the seats of a match in points, even if it is judged by the win; empty if they
    are not known, and for a single seat."""


def verdict(
    review: Review,
    position: Any,
    chances: Mapping[int, Number] | None,
    in_points: Review | None = None,
) -> Verdict:
    """Return the verdict on a game that ended at a position.

    `chances` are the scores of perfect play in one turn with their probabilities; with None, no
    score is compared with them. `in_points` is the review of the same match in points, if known.
    """
    scoring = review.game.scoring
    assert scoring is not None  # a game without scores is not reviewed
    scores = _scores(review, position)
    seats = tuple(
        seat_verdict(review, seat, scores.get(seat), chances) for seat in range(len(review.seats))
    )
    drawn = chances if any(seat.better is not None for seat in seats) else None
    few = drawn is not None and len(drawn) <= MOST_BARS
    bars = tuple((score, float(chance)) for score, chance in drawn.items()) if drawn and few else ()
    all_seats = range(len(seats)) if in_points and seats[1:] else ()
    points = tuple(seat_verdict(in_points or review, seat) for seat in all_seats)
    return Verdict(str(review.unit.value), review.low_is_good, seats, bars, points)


def seat_verdict(
    review: Review,
    place: int,
    score: int | None = None,
    chances: Mapping[int, Number] | None = None,
) -> SeatVerdict:
    """Return the figures of the seat `place`.

    `score`, of its only turn, is compared with `chances`, see `verdict`, if both are given.
    """
    seat = review.seats[place]
    cost = seat.cost if review.low_is_good else -seat.cost
    scale = 100 if review.unit is Unit.SHARE else 1
    parts = (seat.start, cost, review.by_others(place), seat.result)
    expected, mistakes, rest, result = (tenths(part * scale) for part in parts)
    placed = None
    if score is not None and chances is not None and review.game.scoring is not None:
        placed = _better(review.game.scoring, score, chances)
    return SeatVerdict(
        seat=place,
        name=seat.name,
        expected=expected / 10,
        luck=(result - expected - mistakes - rest) / 10,
        mistakes=mistakes / 10,
        others=rest / 10,
        result=result / 10,
        count=sum(seat.grades[grade] for grade in MISTAKES),
        grades={str(g.value): seat.grades[g] for g in MISTAKES if seat.grades[g]},
        score=score,
        better=placed,
    )


def _better(scoring: Scoring, score: int, chances: Mapping[int, Number]) -> int:
    """Return the percentage of perfect play that a score beats; 0 and 100 only if exact."""
    worse = (chance for other, chance in chances.items() if scoring.better(score, other))
    share = sum(worse, start=Fraction(0))
    if share in (0, 1):
        return 100 * int(share)
    return min(99, max(1, round(100 * float(share))))


def _scores(review: Review, position: Any) -> dict[int, int]:
    """Return the score of each seat that has played, by seat; empty for several rounds."""
    game = review.game
    if not isinstance(game, Match):
        return {0: int(review.seats[0].result)}
    if game.format.most_rounds != 1:
        return {}
    tallies = game.settled(position).position.tallies
    played = {event.seat for event in review.events if event.turn is not None}
    return {seat: tallies[seat].total for seat in sorted(played)}


def verdict_sentences(found: Verdict) -> Iterator[str]:
    """Yield a line for each seat with its result, luck and mistakes, in the order of the seats.

    >>> seat = SeatVerdict(0, "Ann", 11.0, 0.0, 3.0, 0.0, 14.0, count=2, score=14, better=28)
    >>> print(*verdict_sentences(Verdict("points", True, (seat,), ())))
    Your 14 beats 28 in 100 perfectly played turns. You could expect 11.0. Mistakes cost 3.0.
    """
    for seat in found.seats:
        facts: dict[str, Any] = {
            **{key: signed(getattr(seat, key)) for key in ("luck", "mistakes", "others")},
            **{key: getattr(seat, key) for key in ("name", "score", "better")},
            "expected": _level(seat.expected),
            "result": _level(seat.result).removesuffix(".0"),
        }
        if found.unit == Unit.SHARE.value:
            sentence = gettext(
                "{name}: expected {expected} %, luck {luck} %, mistakes {mistakes} %, opponents "
                "{others} %, result {result} % of the win.",
                **facts,
            )
        elif found.seats[1:]:
            sentence = gettext(
                "{name}: expected {expected}, luck {luck}, mistakes {mistakes}, result {result}.",
                **facts,
            )
        else:
            sentence = " ".join(_alone(seat, low_is_good=found.low_is_good))
        if seat.better and found.seats[1:]:
            scored = gettext(
                "{name} scored {score} and beats {better} in 100 perfectly played turns.", **facts
            )
            sentence = f"{scored} {sentence}"
        yield sentence


def _alone(seat: SeatVerdict, *, low_is_good: bool) -> Iterator[str]:
    """Yield sentences on the result, luck and mistakes of a lone player, who is called "you"."""
    score, better = _level(seat.result).removesuffix(".0"), seat.better
    if better:
        beats = gettext_noop("Your {score} beats {better} in 100 perfectly played turns.")
        yield gettext(beats, score=score, better=better)
    else:
        yield gettext("You scored {score}.", score=score)
    yield gettext("You could expect {expected}.", expected=_level(seat.expected))
    if seat.luck:
        helped = (seat.luck < 0) == low_is_good
        says = gettext_noop("The dice cost {number}.")
        if helped:
            says = gettext_noop("The dice helped by {number}.")
        yield gettext(says, number=f"{abs(seat.luck):.1f}")
    if seat.mistakes:
        yield gettext("Mistakes cost {number}.", number=f"{abs(seat.mistakes):.1f}")
    else:
        yield gettext("You made no mistake.")


def mistakes_words(seat: SeatVerdict) -> str:
    """Return in words how many mistakes of the worst grade a seat made, and how many others.

    >>> mistakes_words(SeatVerdict(0, "Ann", 11.0, 0.0, 3.0, 0.0, 14.0, 1, 14, 28, {"blunder": 1}))
    '1 blunder'
    """
    worst = next((grade for grade in reversed(MISTAKES) if grade.value in seat.grades), None)
    if worst is None:
        return (
            gettext("hardly any mistakes")
            if seat.mistakes
            else pgettext("in a review", "no mistakes")
        )
    number = seat.grades[str(worst.value)]
    [words] = counts(Counter({worst: number}))
    if more := seat.count - number:
        return gettext("{mistakes}, {number} smaller", mistakes=words, number=more)
    return words


def _level(number: float) -> str:
    """Return a value (not a change) as text, without "plus"; points can be less than 0."""
    return signed(number) if number < 0 else f"{number:.1f}"


def signed(number: float) -> str:
    """Return a change with its sign in words, since screen readers skip a hyphen.

    >>> signed(3.0), signed(-6.04), signed(0.04)
    ('plus 3.0', 'minus 6.0', '0.0')
    """
    amount = f"{abs(number):.1f}"
    if amount == "0.0":
        return amount
    if number > 0:
        return gettext("plus {number}", number=amount)
    return gettext("minus {number}", number=amount)
