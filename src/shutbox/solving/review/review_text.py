"""A review in sentences for players: their results, luck, mistakes, and the costliest choices.

Throws are lucky if they improve the player's result: lower it, where low scores are good.
"""

import shlex
from collections.abc import Callable, Collection, Iterator
from typing import Any

from shutbox.engine.english import capital, command, counted, decimal, listed, percent, tenths
from shutbox.engine.game import position_text
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.match.game import full_title, turn_at
from shutbox.solving.options import Number, apart
from shutbox.solving.review.report import (
    Grade,
    Review,
    ReviewedChoice,
    ReviewedEvent,
    ReviewedThrow,
    SeatVerdict,
    Unit,
    Verdict,
    verdict,
)
from shutbox.solving.value_text import cost_only

# Who had more of two: the listener, somebody else, or both had as much.
_LUCK = (
    gettext_noop("You had {amount} more luck"),
    gettext_noop("{name} had {amount} more luck"),
    gettext_noop("Both had the same luck"),
)
_PLAY = (
    gettext_noop("You played {amount} better"),
    gettext_noop("{name} played {amount} better"),
    gettext_noop("Both played equally well"),
)
_COSTS = {  # templates for the cost of a choice that is not the best
    Grade.GOOD: gettext_noop("costs {cost}, hardly anything"),
    Grade.INACCURACY: gettext_noop("costs {cost}, an inaccuracy"),
    Grade.MISTAKE: gettext_noop("costs {cost}, a mistake"),
    Grade.BLUNDER: gettext_noop("costs {cost}, a blunder"),
}


def sentences(review: Review, mine: Collection[int] = ()) -> Iterator[str]:
    """Yield the title of a game and its account; `mine` are the seats of the reader.

    >>> import shutbox
    >>> from shutbox.engine.play import Play
    >>> for line in sentences(shutbox.review(Play(shutbox.find("six")))):
    ...     print(line)
    Six. The game is not over; it is reviewed as far as it goes.
    Player 1 made no mistake. Perfect play came to 8.9, and now comes to 8.9.
    """
    title = full_title(review.game)
    if not review.over:
        unfinished = gettext("The game is not over; it is reviewed as far as it goes.")
        yield gettext("{title}. {words}", title=title, words=unfinished)
    else:
        yield gettext("{title}.", title=title)
    if review.why_points:
        yield gettext("Each turn is judged by its score, not by the chance to win.")
    yield account_sentence(verdict(review), mine)


def moments(
    review: Review, why: Callable[[ReviewedChoice], str] | None = None
) -> Iterator[tuple[str, ...]]:
    """Yield a heading, then for each of the costliest choices what lay there, and what was best.

    Each part can be read by itself. `why` returns a further sentence on a choice.
    """
    costly = review.costliest()
    if costly:
        yield (choices_that_mattered(len(costly)),)
    elif any(choice.grade for choice in review.choices):
        yield (gettext("Every choice was best."),)
    for moment in costly:
        scene, words = review.game.scene(moment.before), _choice_words(review, moment)
        says = gettext(
            "Event {number}, {name}: {choice} cost {cost}; best was {best}.",
            number=moment.number,
            name=review.seats[moment.seat].name,
            choice=words[moment.choice],
            cost=amount(review.unit, moment.cost),
            best=words[moment.best or moment.choice],
        )
        again = try_again(review, moment)
        again = again and gettext("Try it again: {command}", command=again)
        reason = why(moment) if why and review.unit is Unit.POINTS else ""
        yield (*filter(None, (scene.board, scene.dice, says, reason, again)),)


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


def amount(unit: Unit, number: Number, digits: int = 1) -> str:
    """Return an amount with its unit in words; `number` is 0 or more, points have `digits`.

    >>> [amount(Unit.POINTS, number) for number in (0, 1, 0.4321, 0.001)]
    ['0 points', '1 point', '0.4 points', 'less than 0.1 points']
    >>> amount(Unit.SHARE, 0.0125)
    '1.2 % of the win'
    """
    if unit is Unit.SHARE:
        return gettext("{share} of the win", share=cost_only("win", number))
    if number and not tenths(number * 10 ** (digits - 1)):
        return gettext("less than {least} points", least=10**-digits)
    if number == int(number):
        return ngettext("{number} point", "{number} points", int(number))
    return gettext(
        "{number} points", number=f"{float(number):.{digits}f}" if digits > 1 else decimal(number)
    )


def _value(review: Review, value: Number) -> str:
    """Return a value with its unit in words; points can be less than 0."""
    if review.unit is Unit.SHARE:
        return gettext("{share} of the win", share=percent(value))
    if value < 0:
        return gettext("minus {amount}", amount=amount(review.unit, -value))
    return amount(review.unit, value)


# The account of a game: how luck and play made its result, in numbers that add up as printed


def account_words(found: Verdict, mine: Collection[int] = ()) -> Iterator[str]:
    """Yield a heading without a full stop, then sentences; `mine` are the seats of the listener.

    >>> ann = SeatVerdict(0, "Ann", 11.0, -0.9, 3.9, 0.0, 14.0, count=3, score=14)
    >>> for words in account_words(Verdict("points", True, (ann,), ()), {0}):
    ...     print(words)
    Three choices cost you 3.9 points
    The dice gave 0.9 back.
    Perfect play leaves 11.0, so you left 14.
    """
    if found.seats[1:]:
        yield from _account_of_match(found, mine)
    elif found.seats:
        yield from _account_alone(found, found.seats[0], is_own=0 in mine)


def account_sentence(found: Verdict, mine: Collection[int] = ()) -> str:
    """Return the words of an account on one line, its heading as a sentence."""
    heading, *rest = account_words(found, mine)
    return " ".join([gettext("{words}.", words=heading), *rest])


def _account_alone(found: Verdict, seat: SeatVerdict, *, is_own: bool) -> Iterator[str]:
    cost, luck = abs(seat.mistakes), seat.luck * (-1 if found.low_is_good else 1)
    facts = {"name": seat.name, "amount": in_unit(found.unit, cost)}
    if not cost and is_own:
        yield gettext("You made no mistake")
    elif not cost:
        yield gettext("{name} made no mistake", **facts)
    elif is_own:
        says = counted(
            "{number} choice cost you {amount}",
            "{number} choices cost you {amount}",
            seat.count,
            **facts,
        )
        yield capital(says)
    else:
        says = counted(
            "{name} lost {amount} by {number} choice",
            "{name} lost {amount} by {number} choices",
            seat.count,
            **facts,
        )
        yield says
    dice = {"number": decimal(abs(luck))}
    if luck > 0 and cost:
        yield gettext("The dice gave {number} back.", **dice)
    elif luck > 0:
        yield gettext("The dice gave {number}.", **dice)
    elif luck:
        yield gettext("The dice took {number}.", **dice)
    facts |= {"expected": decimal(seat.expected), "result": whole(seat.result)}
    if not found.over:
        yield gettext("Perfect play came to {expected}, and now comes to {result}.", **facts)
    elif found.low_is_good and is_own:
        yield gettext("Perfect play leaves {expected}, so you left {result}.", **facts)
    elif found.low_is_good:
        yield gettext("Perfect play leaves {expected}, so {name} left {result}.", **facts)
    elif is_own:
        yield gettext("Perfect play scores {expected}, so you scored {result}.", **facts)
    else:
        yield gettext("Perfect play scores {expected}, so {name} scored {result}.", **facts)


def _account_of_match(found: Verdict, mine: Collection[int]) -> Iterator[str]:
    you = next(iter(mine)) if len(mine) == 1 else None
    yield from (_account_of_many if found.seats[2:] else _account_of_two)(found, you)
    yield from _conclusion(found, you)


def _account_of_two(found: Verdict, you: int | None) -> Iterator[str]:
    # The seat that lost less by mistakes played better. Luck is the rest of the difference.
    first, second = sorted(found.seats, key=lambda seat: abs(seat.mistakes))
    play, ahead = abs(second.mistakes) - abs(first.mistakes), first.result - first.expected
    if found.unit == Unit.POINTS.value:
        ahead = (first.result - second.result) * (-1 if found.low_is_good else 1)
    luck = abs(ahead - play)
    parts = [(_PLAY, first, play), (_LUCK, first if ahead > play else second, luck)]
    if tenths(luck) > tenths(play):
        parts.reverse()
    (more, seat, amount), (less, other, rest) = parts
    yield _more(more, seat, you, in_unit(found.unit, amount) if tenths(amount) else "")
    words = _more(less, other, you, decimal(rest) if tenths(rest) else "")
    yield gettext("{words}.", words=words)


def _account_of_many(found: Verdict, you: int | None) -> Iterator[str]:
    least = min(tenths(abs(seat.mistakes)) for seat in found.seats)
    best = [seat for seat in found.seats if tenths(abs(seat.mistakes)) == least]
    sign = -1 if found.low_is_good else 1
    lucky = max(found.seats, key=lambda seat: sign * (seat.result - seat.mistakes))
    if len(best) == len(found.seats):
        yield gettext("All played equally well")
    elif best[1:]:
        yield capital(counted("{number} played best", "{number} played best", len(best)))
    elif best[0].seat == you:
        yield gettext("You played best")
    else:
        yield gettext("{name} played best", name=best[0].name)
    if lucky.seat == you:
        yield gettext("You had the most luck.")
    else:
        yield gettext("{name} had the most luck.", name=lucky.name)


def _conclusion(found: Verdict, you: int | None) -> Iterator[str]:
    """Yield who won, and by how many points; nothing before the end."""
    names = {seat.seat: seat.name for seat in found.seats}
    if found.winners[1:]:
        yield gettext("So it is a draw.")
    for winner in found.winners if len(found.winners) == 1 else ():
        facts = {"name": names[winner], "number": whole(found.margin or 0)}
        if found.margin and winner == you:
            yield gettext("So you win by {number}.", **facts)
        elif found.margin:
            yield gettext("So {name} wins by {number}.", **facts)
        elif winner == you:
            yield pgettext("said", "You win.")
        else:
            yield gettext("{name} wins.", **facts)


def _more(templates: tuple[str, ...], seat: SeatVerdict, you: int | None, amount: str) -> str:
    """Return how much more one of two had; `amount` is empty if both had as much."""
    template = 2 if not amount else 0 if seat.seat == you else 1
    return gettext(templates[template], name=seat.name, amount=amount)


def in_unit(unit: str, number: float) -> str:
    """Return an amount with one decimal in points, or in percent of the win.

    >>> in_unit("points", 5.6), in_unit("share", 12.04)
    ('5.6 points', '12.0 %')
    """
    if unit == Unit.SHARE.value:
        return gettext("{number} %", number=decimal(number))
    return gettext("{number} points", number=decimal(number))


def whole(number: float) -> str:
    """Return a number with one decimal, without it if it is 0.

    >>> whole(14.0), whole(33.3)
    ('14', '33.3')
    """
    return decimal(number).removesuffix(".0")
