"""A review in sentences for players: their results, luck, mistakes, and the costliest choices.

Throws are lucky if they improve the player's result: lower it, where low scores are good.
"""

import shlex
from collections.abc import Callable, Collection, Iterator
from typing import Any

from shutbox.engine.english import (
    capital,
    command,
    counted,
    decimal,
    listed,
    localized,
    percent,
    tenths,
)
from shutbox.engine.game import position_text
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.match.game import full_title, turn_at
from shutbox.solving.options import Number, apart
from shutbox.solving.review.account_text import account_sentence
from shutbox.solving.review.report import (
    Grade,
    Review,
    ReviewedChoice,
    ReviewedEvent,
    ReviewedThrow,
    Unit,
    verdict,
)
from shutbox.solving.value_text import cost_only

_COSTS = {  # templates for the cost of a choice that is not the best
    Grade.GOOD: gettext_noop("costs {cost}, hardly anything"),
    Grade.INACCURACY: gettext_noop("costs {cost}, an inaccuracy"),
    Grade.MISTAKE: gettext_noop("costs {cost}, a mistake"),
    Grade.BLUNDER: gettext_noop("costs {cost}, a blunder"),
}
_CHOSE = gettext_noop("{name} chose {choice} and lost {cost}; {best} was better.")
_YOU_CHOSE = gettext_noop("You chose {choice} and lost {cost}; {best} was better.")
_NUMBERED = gettext_noop("Event {number}, {name}: {choice} cost {cost}; best was {best}.")


def summary(review: Review, mine: Collection[int] = ()) -> Iterator[str]:
    """Yield the title of a game, its account, and a heading for `moments` if choices were graded.

    `mine` are the seats of the reader.

    >>> import shutbox
    >>> from shutbox.engine.play import Play
    >>> for line in summary(shutbox.review(Play(shutbox.find("six")))):
    ...     print(line)
    Six. The game is not over; it is reviewed as far as it goes.
    Player 1 made no mistake. Perfect play came to 8.9, and now comes to 8.9.
    """
    title = full_title(review.game)
    if review.over:
        yield gettext("{title}.", title=title)
    else:
        unfinished = gettext("The game is not over; it is reviewed as far as it goes.")
        yield gettext("{title}. {words}", title=title, words=unfinished)
    if review.why_points:
        yield gettext("Each turn is judged by its score, not by the chance to win.")
    yield account_sentence(verdict(review), mine)
    if costly := review.costliest():
        yield choices_that_mattered(len(costly))
    elif any(choice.grade for choice in review.choices):
        yield gettext("Every choice was best.")


def moments(
    review: Review,
    mine: Collection[int] = (),
    why: Callable[[ReviewedChoice], str] = lambda choice: "",
    *,
    numbered: bool = False,
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield for each of `Review.costliest` the sentences on it, and one with its `try_again`.

    The sentences tell the board, the dice, what was chosen and what was best. `mine` are the seats
    of the reader, who is "you" if it is one. `why` returns a further sentence on a choice, or "".
    If `numbered`, choices have the numbers of their events, to be found in a list of all. The
    second part is "" for a choice outside a turn.
    """
    for moment in review.costliest():
        scene, words = review.game.scene(moment.before), _choice_words(review, moment)
        chose = _YOU_CHOSE if {*mine} == {moment.seat} else _CHOSE
        template = _NUMBERED if numbered else chose
        says = gettext(
            template,
            number=moment.number,
            name=review.seats[moment.seat].name,
            choice=words[moment.choice],
            cost=amount_words(review.unit, moment.cost),
            best=words[_best_text(moment)],
        )
        retry = try_again(review, moment)
        yield (
            tuple(filter(None, (scene.board, scene.dice, says, why(moment)))),
            retry and gettext("Try it again: {command}", command=retry),
        )


def choices_that_mattered(number: int) -> str:
    """Return the heading above the costliest choices.

    >>> choices_that_mattered(1), choices_that_mattered(3)
    ('One choice that mattered', 'Three choices that mattered')
    """
    says = counted("{number} choice that mattered", "{number} choices that mattered", number)
    return capital(says)


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
    yield from (_event_line(review, event) for event in review.events)


def _event_line(review: Review, event: ReviewedEvent) -> str:
    facts: dict[str, Any] = {"number": event.number, "name": review.seats[event.seat].name}
    if isinstance(event, ReviewedThrow):
        roll = listed(event.roll.pips)
        if not event.luck:
            return gettext("{number}. {name} throws {roll}.", roll=roll, **facts)
        facts |= {"roll": roll, "amount": amount_words(review.unit, apart(event.luck, 0))}
        if (event.luck > 0) != review.low_is_good:
            return gettext("{number}. {name} throws {roll}: lucky by {amount}.", **facts)
        return gettext("{number}. {name} throws {roll}: unlucky by {amount}.", **facts)
    facts["choice"] = _choice_words(review, event)[event.choice]
    if event.value is None:
        return gettext("{number}. {name} chooses {choice}, which is not graded.", **facts)
    return gettext(
        "{number}. {name} chooses {choice}, worth {worth}: {verdict}.",
        worth=_value_words(review, event.value),
        verdict=_verdict_words(review, event),
        **facts,
    )


def _verdict_words(review: Review, choice: ReviewedChoice) -> str:
    if choice.grade is None:
        is_forced = len(review.game.scene(choice.before).offers) == 1
        return gettext("the only choice") if is_forced else gettext("all are as good")
    if choice.grade is Grade.BEST:
        return pgettext("verdict on a choice", "best")
    costs = gettext(_COSTS[choice.grade], cost=amount_words(review.unit, choice.cost))
    best = _choice_words(review, choice)[_best_text(choice)]
    return gettext("{costs}; best was {best}", costs=costs, best=best)


def _best_text(choice: ReviewedChoice) -> str:
    return choice.best.text if choice.best else choice.choice


def _choice_words(review: Review, choice: ReviewedChoice) -> dict[str, str]:
    """Return the spoken names of the choices of a position, by their texts."""
    return {offer.text: offer.says for offer in review.game.scene(choice.before).offers}


def amount_words(unit: Unit, number: Number, digits: int = 1) -> str:
    """Return an amount with its unit in words; `number` is 0 or more, points have `digits`.

    Each amount is as short and as precise as it can be by itself. The amounts of an account add up,
    so `account_text` writes its own.

    >>> [amount_words(Unit.POINTS, number) for number in (0, 1, 0.4321, 0.001)]
    ['0 points', '1 point', '0.4 points', 'less than 0.1 points']
    >>> amount_words(Unit.SHARE, 0.0125)
    '1.2 % of the win'
    """
    if unit is Unit.SHARE:
        return gettext("{share} of the win", share=cost_only("win", number))
    if number and not tenths(number * 10 ** (digits - 1)):
        return gettext("less than {least} points", least=localized(str(10**-digits)))
    if number == int(number):
        return ngettext("{number} point", "{number} points", int(number))
    written = localized(f"{float(number):.{digits}f}") if digits > 1 else decimal(number)
    # Translators: of a fraction; English says 1.5 points, French 1,5 point but 2,5 points.
    return ngettext("{number} points", "{number} points", int(number), number=written)


def _value_words(review: Review, value: Number) -> str:
    """Return a value with its unit in words; points can be less than 0."""
    if review.unit is Unit.SHARE:
        return gettext("{share} of the win", share=percent(value))
    if value < 0:
        return gettext("minus {amount}", amount=amount_words(review.unit, -value))
    return amount_words(review.unit, value)
