"""A review in sentences for players: their luck, their mistakes, and the costliest choices.

Luck is the player's: where low scores are good, who scores less than expected was lucky.
"""

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from shutbox.analysis.review.grades import Grade, Unit
from shutbox.analysis.review.report import (
    Review,
    ReviewedChoice,
    ReviewedEvent,
    ReviewedThrow,
    SeatReview,
)
from shutbox.analysis.review.sums import Estimate, Group, Loss, Sums
from shutbox.analysis.wording import cost_only
from shutbox.english import listed, percent
from shutbox.game import position_text
from shutbox.match.game import turn_at
from shutbox.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.solver.options import Number, apart

_COSTS = {
    Grade.GOOD: gettext_noop("costs {cost}, hardly anything"),
    Grade.INACCURACY: gettext_noop("costs {cost}, an inaccuracy"),
    Grade.MISTAKE: gettext_noop("costs {cost}, a mistake"),
    Grade.BLUNDER: gettext_noop("costs {cost}, a blunder"),
}
"""Templates for the cost of a choice that is not the best, by its grade."""
_SCORED = {
    True: gettext_noop("{name} could expect a score of {start} and ended with {result}."),
    False: gettext_noop("{name} could expect a score of {start} and can now expect {result}."),
}
_WON = {
    True: gettext_noop("{name} began with a chance of {start} and ended with {result} of the win."),
    False: gettext_noop("{name} began with a chance of {start} and has {result} now."),
}
"""Templates for the start and the result of a seat, by whether the game is over."""


def sentences(review: Review) -> Iterator[str]:
    """Yield the summary of a review: the sums of every seat, and the costliest choices.

    >>> import shutbox
    >>> for line in sentences(shutbox.review(shutbox.Play(shutbox.find("six")))):
    ...     print(line)
    Six: six, measured in points.
    The game is not over; it is reviewed as far as it goes.
    Player 1 could expect a score of 8.85 and can now expect 8.85.
    Player 1 was neither lucky nor unlucky.
    Player 1 had no real choice.
    """
    facts = {"title": review.game.card().title, "game": review.game.name}
    if review.unit is Unit.SHARE:
        yield gettext("{title}: {game}, measured by the chance to win.", **facts)
    else:
        yield gettext("{title}: {game}, measured in points.", **facts)
    if review.why_points:
        reason = review.why_points
        yield gettext(
            "Each turn is judged by its score, not by the chance to win: {reason}.", reason=reason
        )
    if not review.over:
        yield gettext("The game is not over; it is reviewed as far as it goes.")
    for place, seat in enumerate(review.seats):
        yield from _seat(review, place, seat)
    yield from _costliest(review)


def _seat(review: Review, place: int, seat: SeatReview) -> Iterator[str]:
    name = seat.name
    says, share = _SCORED[review.over], review.unit is Unit.SHARE
    if share:
        says = _WON[review.over]
        if review.over and seat.result in (0, 1):
            says = gettext_noop("{name} began with a chance of {start} and lost.")
            if seat.result:
                says = gettext_noop("{name} began with a chance of {start} and won.")
    start, end = (percent(n) if share else _points(n) for n in (seat.start, seat.result))
    yield gettext(says, name=name, start=start, result=end)
    yield luck_words(review.unit, seat.luck, name, low_is_good=review.low_is_good)
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
        cost = amount(review.unit, seat.cost)
        yield " ".join([says, gettext("What was not best cost {cost}.", cost=cost)])
    others = review.by_others(place)
    if not others:
        return
    facts = {"name": name, "amount": amount(review.unit, apart(others, 0))}
    if (others > 0) != review.low_is_good:
        yield gettext("{name} gained {amount} by opponents' dice and choices.", **facts)
    else:
        yield gettext("{name} lost {amount} by opponents' dice and choices.", **facts)


def luck_words(unit: Unit, luck: Number, name: str, *, low_is_good: bool) -> str:
    """Return how lucky the player `name` was; `luck` is signed as it changed the value.

    >>> luck_words(Unit.POINTS, -2, "Ann", low_is_good=True)
    'Ann was lucky by 2 points.'
    """
    if not luck:
        return gettext("{name} was neither lucky nor unlucky.", name=name)
    facts = {"amount": amount(unit, apart(luck, 0)), "name": name}
    if (luck > 0) != low_is_good:
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
    moments = review.costliest()
    if not moments:
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
        if command := try_again(review, moment):
            yield gettext("Try it again: {command}", command=command)


def try_again(review: Review, choice: ReviewedChoice) -> str:
    """Return the shell command that ranks the choices again; empty for a choice outside a turn.

    If a match is reviewed turn by turn, the command names the position of the single turn.
    """
    turn = turn_at(review.game, choice.before)
    if turn is None:
        return ""
    alone = review.unit is Unit.POINTS
    text = position_text(*turn) if alone else position_text(review.game, choice.before)
    return f"shutbox advise {shlex.quote(text)}"


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
    verdict = _verdict(review, event)
    value = _value(review, event.value)
    return gettext(
        "{number}. {name} chooses {choice}, worth {worth}: {verdict}.",
        worth=value,
        verdict=verdict,
        **facts,
    )


def _verdict(review: Review, choice: ReviewedChoice) -> str:
    if choice.grade is None:
        awaited = review.game.awaits(choice.before)
        alone = len(getattr(awaited, "choices", ())) == 1
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


def sums_sentences(sums: Sums) -> Iterator[str]:
    """Yield sentences on the loss of every player in every game, and on their luck.

    >>> import shutbox
    >>> sums = Sums()
    >>> sums.add(shutbox.review(shutbox.Play(shutbox.find("six"))), {0: "Ann"}, "2026-11")
    >>> list(sums_sentences(sums))
    ['No person has had a turn in these games; --player NAME counts a computer player.']
    """
    for group in sums.groups:
        if group.loss.turns:
            yield from _group(group)
    if not any(group.loss.turns for group in sums.groups):
        yield gettext(
            "No person has had a turn in these games; --player NAME counts a computer player."
        )
        return
    yield gettext(
        "The intervals are 95 % normal ones over turns; from few turns they are too narrow."
    )


def _group(group: Group) -> Iterator[str]:
    facts = {"name": group.player, "game": group.game}
    yield _loss(group.unit, group.loss, **facts)
    if luck := group.loss.luck:
        facts["amount"] = amount(group.unit, abs(luck))
        if (luck > 0) != group.low_is_good:
            yield gettext("{name} at {game}: lucky by {amount} in all.", **facts)
        else:
            yield gettext("{name} at {game}: unlucky by {amount} in all.", **facts)
    if group.months[1:]:
        for month, loss in group.months:
            told = _loss(group.unit, loss, name=group.player, game=group.game)
            yield gettext("{month}. {loss}", month=month, loss=told)


def _loss(unit: Unit, loss: Loss, **facts: str) -> str:
    says = gettext("{name} at {game}: nothing lost.", **facts)
    if loss.per_turn is not None and loss.per_decision is not None and loss.cost:
        says = gettext(
            "{name} at {game}: {a_turn} lost per turn and {a_choice} per real choice.",
            a_turn=_estimate(unit, loss.per_turn),
            a_choice=_estimate(unit, loss.per_decision),
            **facts,
        )
    counted = gettext("Turns: {turns}; records: {records}.", turns=loss.turns, records=loss.records)
    return f"{says} {counted}"


def _estimate(unit: Unit, estimate: Estimate) -> str:
    mean = amount(unit, estimate.mean)
    if estimate.low is None or estimate.high is None:
        return mean
    low, high = _bare(unit, max(0.0, estimate.low)), _bare(unit, estimate.high)
    return gettext("{mean} ({low} to {high})", mean=mean, low=low, high=high)


def _bare(unit: Unit, number: float) -> str:
    return cost_only("win", number) if unit is Unit.SHARE else f"{number:.2f}"
