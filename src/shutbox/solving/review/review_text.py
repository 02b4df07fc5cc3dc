"""A review in sentences for players: their results, luck, mistakes, and the costliest choices.

Throws are lucky if they improve the player's result: lower it, where low scores are good.
"""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from shutbox.engine.english import command, listed, percent
from shutbox.engine.game import position_text
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.match.game import full_title, turn_at
from shutbox.solving.options import Number, apart
from shutbox.solving.review.report import (
    MISTAKES,
    Grade,
    Review,
    ReviewedChoice,
    ReviewedEvent,
    ReviewedThrow,
    SeatReview,
    SeatVerdict,
    Unit,
    Verdict,
)
from shutbox.solving.value_text import cost_only

_COSTS = {  # templates for the cost of a choice that is not the best
    Grade.GOOD: gettext_noop("costs {cost}, hardly anything"),
    Grade.INACCURACY: gettext_noop("costs {cost}, an inaccuracy"),
    Grade.MISTAKE: gettext_noop("costs {cost}, a mistake"),
    Grade.BLUNDER: gettext_noop("costs {cost}, a blunder"),
}
_SCORED = {  # templates for the start and the result of a seat, by whether the game is over
    True: gettext_noop("{name} could expect a score of {start} and ended with {result}."),
    False: gettext_noop("{name} could expect a score of {start} and can now expect {result}."),
}
_WON = {
    True: gettext_noop("{name} began with a chance of {start} and ended with {result} of the win."),
    False: gettext_noop("{name} began with a chance of {start} and has {result} now."),
}


def sentences(review: Review) -> Iterator[str]:
    """Yield the summary of a review: the sums of every seat, and the costliest choices.

    >>> import shutbox
    >>> from shutbox.engine.play import Play
    >>> for line in sentences(shutbox.review(Play(shutbox.find("six")))):
    ...     print(line)
    Six. Measured in points.
    The game is not over; it is reviewed as far as it goes.
    Player 1 could expect a score of 8.85 and can now expect 8.85.
    Player 1 was neither lucky nor unlucky.
    Player 1 had no real choice.
    """
    title = full_title(review.game)
    if review.unit is Unit.SHARE:
        yield gettext("{title}. Measured by the chance to win.", title=title)
    else:
        yield gettext("{title}. Measured in points.", title=title)
    if review.why_points:
        yield gettext("Each turn is judged by its score, not by the chance to win.")
    if not review.over:
        yield gettext("The game is not over; it is reviewed as far as it goes.")
    for place, seat in enumerate(review.seats):
        yield from _seat(review, place, seat)
    yield from _costliest(review)


def _seat(review: Review, place: int, seat: SeatReview) -> Iterator[str]:
    name, share = seat.name, review.unit is Unit.SHARE
    says = (_WON if share else _SCORED)[review.over]
    if share and review.over and seat.result == 0:
        says = gettext_noop("{name} began with a chance of {start} and lost.")
    if share and review.over and seat.result == 1:
        says = gettext_noop("{name} began with a chance of {start} and won.")
    start, end = (percent(n) if share else _points(n) for n in (seat.start, seat.result))
    yield gettext(says, name=name, start=start, result=end)
    yield _luck(review, seat)
    grades = listed(counts(seat.grades))
    if not seat.counted:
        yield gettext("{name} had no real choice.", name=name)
    elif not seat.cost:
        yield ngettext(
            "{name} had {number} real choice and lost nothing: {grades}.",
            "{name} had {number} real choices and lost nothing: {grades}.",
            seat.counted,
            name=name,
            grades=grades,
        )
    else:
        says = ngettext(
            "{name} had {number} real choice: {grades}.",
            "{name} had {number} real choices: {grades}.",
            seat.counted,
            name=name,
            grades=grades,
        )
        cost = gettext("Mistakes cost {cost}.", cost=amount(review.unit, seat.cost))
        yield f"{says} {cost}"
    if not (others := review.by_others(place)):
        return
    facts = {"name": name, "amount": amount(review.unit, apart(others, 0))}
    if (others > 0) != review.low_is_good:
        yield gettext("{name} gained {amount} from opponents' dice and choices.", **facts)
    else:
        yield gettext("{name} lost {amount} to opponents' dice and choices.", **facts)


def _luck(review: Review, seat: SeatReview) -> str:
    if not seat.luck:
        return gettext("{name} was neither lucky nor unlucky.", name=seat.name)
    facts = {"amount": amount(review.unit, apart(seat.luck, 0)), "name": seat.name}
    if (seat.luck > 0) != review.low_is_good:
        return gettext("{name} was lucky by {amount}.", **facts)
    return gettext("{name} was unlucky by {amount}.", **facts)


def counts(grades: Mapping[Grade, int]) -> Iterator[str]:
    """Yield in words the number of each grade that was given, the best first."""
    if best := grades[Grade.BEST]:
        yield gettext("{number} best", number=best)
    if good := grades[Grade.GOOD]:
        yield gettext("{number} good", number=good)
    if number := grades[Grade.INACCURACY]:
        yield ngettext("{number} inaccuracy", "{number} inaccuracies", number)
    if number := grades[Grade.MISTAKE]:
        yield ngettext("{number} mistake", "{number} mistakes", number)
    if number := grades[Grade.BLUNDER]:
        yield ngettext("{number} blunder", "{number} blunders", number)


def _costliest(review: Review) -> Iterator[str]:
    if not (moments := review.costliest()):
        return
    yield ngettext(
        "The choice that cost most:", "The {number} choices that cost most:", len(moments)
    )
    for moment in moments:
        words = _choice_words(review, moment)
        yield gettext(
            "Event {number}, {name}: {choice} cost {cost}; best was {best}.",
            number=moment.number,
            name=review.seats[moment.seat].name,
            choice=words[moment.choice],
            cost=amount(review.unit, moment.cost),
            best=words[moment.best or moment.choice],
        )
        if advise := try_again(review, moment):
            yield gettext("Try it again: {command}", command=advise)


def try_again(review: Review, choice: ReviewedChoice) -> str:
    """Return the shell command that ranks the choices again; empty for a choice outside a turn."""
    turn = turn_at(review.game, choice.before)
    if turn is None:
        return ""
    place = turn if review.unit is Unit.POINTS else (review.game, choice.before)
    return command(f"advise {shlex.quote(position_text(*place))}")


def events(review: Review) -> Iterator[str]:
    """Yield a heading and a sentence for every event; nothing without events."""
    if review.events:
        yield gettext("Event by event:")
    yield from (_event(review, event) for event in review.events)


def _event(review: Review, event: ReviewedEvent) -> str:
    facts: dict[str, Any] = {"number": event.number, "name": review.seats[event.seat].name}
    if isinstance(event, ReviewedThrow):
        roll = listed(event.roll.pips)
        if not event.luck:
            return gettext("{number}. {name} throws {roll}.", roll=roll, **facts)
        facts |= {"roll": roll, "amount": amount(review.unit, apart(event.luck, 0))}
        if (event.luck > 0) != review.low_is_good:
            return gettext("{number}. {name} throws {roll}: lucky by {amount}.", **facts)
        return gettext("{number}. {name} throws {roll}: unlucky by {amount}.", **facts)
    facts["choice"] = _choice_words(review, event)[event.choice]
    if event.value is None:
        return gettext("{number}. {name} chooses {choice}, which is not graded.", **facts)
    return gettext(
        "{number}. {name} chooses {choice}, worth {worth}: {verdict}.",
        worth=_value(review, event.value),
        verdict=_verdict(review, event),
        **facts,
    )


def _verdict(review: Review, choice: ReviewedChoice) -> str:
    if choice.grade is None:
        alone = len(_choice_words(review, choice)) == 1
        return gettext("the only choice") if alone else gettext("all are as good")
    if choice.grade is Grade.BEST:
        return pgettext("verdict on a choice", "best")
    costs = gettext(_COSTS[choice.grade], cost=amount(review.unit, choice.cost))
    best = _choice_words(review, choice)[choice.best or choice.choice]
    return gettext("{costs}; best was {best}", costs=costs, best=best)


def _choice_words(review: Review, choice: ReviewedChoice) -> dict[str, str]:
    """Return the spoken names of the choices of a position, by their texts."""
    return {offer.text: offer.says for offer in review.game.scene(choice.before).offers}


def amount(unit: Unit, number: Number) -> str:
    """Return an amount with its unit in words; `number` is 0 or more.

    >>> [amount(Unit.POINTS, number) for number in (0, 1, 0.4321, 0.001)]
    ['0 points', '1 point', '0.43 points', 'less than 0.01 points']
    >>> amount(Unit.SHARE, 0.0125)
    '1.2 % of the win'
    """
    if unit is Unit.SHARE:
        return gettext("{share} of the win", share=cost_only("win", number))
    if 0 < number < 0.005:
        return gettext("less than 0.01 points")
    if number == int(number):
        return ngettext("{number} point", "{number} points", int(number))
    return gettext("{number} points", number=f"{float(number):.2f}")


def _points(number: Number) -> str:
    """Return points without their unit, with two decimals unless they are whole."""
    return str(int(number)) if number == int(number) else f"{float(number):.2f}"


def _value(review: Review, value: Number) -> str:
    """Return a value with its unit in words; points can be less than 0."""
    if review.unit is Unit.SHARE:
        return gettext("{share} of the win", share=percent(value))
    if value < 0:
        return gettext("minus {amount}", amount=amount(review.unit, -value))
    return amount(review.unit, value)


# The verdict on a finished game


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
                "{name}, judged by points: expected {expected}, luck {luck}, mistakes {mistakes}, "
                "result {result}.",
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
    facts = {"score": _level(seat.result).removesuffix(".0"), "better": seat.better}
    if seat.better:
        yield gettext("Your {score} beats {better} in 100 perfectly played turns.", **facts)
    else:
        yield gettext("You scored {score}.", **facts)
    yield gettext("You could expect {expected}.", expected=_level(seat.expected))
    if seat.luck:
        luck = f"{abs(seat.luck):.1f}"
        if (seat.luck < 0) == low_is_good:
            yield gettext("The dice helped by {number}.", number=luck)
        else:
            yield gettext("The dice cost {number}.", number=luck)
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
    if worst is None and seat.mistakes:
        return gettext("hardly any mistakes")
    if worst is None:
        return pgettext("in a review", "no mistakes")
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
