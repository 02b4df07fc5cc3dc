"""The account of a game: how luck and play made its result, in numbers that add up as printed.

A game alone is compared with perfect play. In a match of two the account says how much more luck
and skill one player had, and in a larger match who played best and who was luckiest.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from shutbox.engine.english import capital, counted, decimal, decimal_or_whole, listed, tenths
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.solving.review.report import SeatVerdict, Unit, Verdict

# Templates for an Advantage: of the listener, of another player, and if both had as much.
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


def account_words(verdict: Verdict, mine: Collection[int] = ()) -> Iterator[str]:
    """Yield a heading without a full stop, then sentences; `mine` are the seats of the listener.

    A game alone:

    >>> ann = SeatVerdict(0, "Ann", 11.0, -0.9, 3.9, 0.0, 14.0, count=3, score=14)
    >>> for words in account_words(Verdict("points", True, (ann,), ()), {0}):
    ...     print(words)
    Three choices cost you 3.9 points
    The dice gave 0.9 back.
    Perfect play leaves 11.0, so you left 14.

    In a match of two the larger of the two differences comes first, with its unit:

    >>> ann = SeatVerdict(0, "Ann", 11.0, -4.0, 1.0, 0.0, 8.0, count=1, score=None)
    >>> bob = SeatVerdict(1, "Bob", 11.0, 1.6, 0.4, 0.0, 13.0, count=1, score=None)
    >>> for words in account_words(Verdict("points", True, (ann, bob), (), (0,), 5.0), {0}):
    ...     print(words)
    You had 5.6 points more luck
    Bob played 0.6 better.
    So you win by 5.
    """
    if len(verdict.seats) > 1:
        yield from _account_of_match(verdict, mine)
    elif verdict.seats:
        yield from _account_alone(verdict, verdict.seats[0], is_own=0 in mine)


def account_sentence(verdict: Verdict, mine: Collection[int] = ()) -> str:
    """Return the words of an account on one line, its heading as a sentence."""
    heading, *rest = account_words(verdict, mine)
    return " ".join([gettext("{words}.", words=heading), *rest])


def _account_alone(verdict: Verdict, seat: SeatVerdict, *, is_own: bool) -> Iterator[str]:
    yield _mistakes_words(seat, verdict.unit, is_own=is_own)
    luck = -seat.luck if verdict.low_is_good else seat.luck  # above 0 if the dice helped
    size = abs(luck)
    # The unit is named once.
    dice = {"number": decimal(size) if seat.mistakes else _in_unit(verdict.unit, size)}
    if luck > 0 and seat.mistakes:
        yield gettext("The dice gave {number} back.", **dice)
    elif luck > 0:
        yield gettext("The dice gave {number}.", **dice)
    elif luck:
        yield gettext("The dice took {number}.", **dice)
    expected, result = decimal(seat.expected), decimal_or_whole(seat.result)
    facts = {"name": seat.name, "expected": expected, "result": result}
    if not verdict.over:
        yield gettext("Perfect play came to {expected}, and now comes to {result}.", **facts)
    elif verdict.low_is_good and is_own:
        yield gettext("Perfect play leaves {expected}, so you left {result}.", **facts)
    elif verdict.low_is_good:
        yield gettext("Perfect play leaves {expected}, so {name} left {result}.", **facts)
    elif is_own:
        yield gettext("Perfect play scores {expected}, so you scored {result}.", **facts)
    else:
        yield gettext("Perfect play scores {expected}, so {name} scored {result}.", **facts)


def _mistakes_words(seat: SeatVerdict, unit: str, *, is_own: bool) -> str:
    """Return what the choices of a game alone cost, as a clause that begins a sentence."""
    facts = {"name": seat.name, "amount": _in_unit(unit, abs(seat.mistakes))}
    if not seat.mistakes and is_own:
        return gettext("You made no mistake")
    if not seat.mistakes:
        return gettext("{name} made no mistake", **facts)
    if not is_own:
        return counted(
            "{name} lost {amount} by {number} choice",
            "{name} lost {amount} by {number} choices",
            seat.count,
            **facts,
        )
    says = counted(
        "{number} choice cost you {amount}",
        "{number} choices cost you {amount}",
        seat.count,
        **facts,
    )
    return capital(says)


def _account_of_match(verdict: Verdict, mine: Collection[int]) -> Iterator[str]:
    you = next(iter(mine)) if len(mine) == 1 else None  # several listeners are named
    if len(verdict.seats) > 2:
        yield from _account_of_many(verdict, you)
    else:
        yield from _account_of_two(verdict, you)
    yield from _conclusion(verdict, you)


class Advantage(NamedTuple):
    """How much more luck or skill one of two players had than the other."""

    templates: tuple[str, str, str]  # _LUCK or _PLAY
    seat: SeatVerdict  # the player who had more
    size: float  # in the unit of the verdict; 0 or more

    def words(self, you: int | None, size: str) -> str:
        """Return a clause with the size as it is written; `you` is the seat of the listener."""
        yours, of_another, of_both = self.templates
        template = yours if self.seat.seat == you else of_another
        if not tenths(self.size):
            template = of_both
        return gettext(template, name=self.seat.name, amount=size)


def _account_of_two(verdict: Verdict, you: int | None) -> Iterator[str]:
    """Yield the larger advantage, then the smaller one. Luck is all that play does not explain."""
    better, worse = sorted(verdict.seats, key=lambda seat: abs(seat.mistakes))
    play = abs(worse.mistakes) - abs(better.mistakes)
    rest = _lead(verdict, better, worse) - play
    skill = Advantage(_PLAY, better, play)
    luck = Advantage(_LUCK, better if rest > 0 else worse, abs(rest))
    larger, smaller = skill, luck
    if tenths(luck.size) > tenths(skill.size):
        larger, smaller = luck, skill
    yield larger.words(you, _in_unit(verdict.unit, larger.size))
    yield gettext("{words}.", words=smaller.words(you, decimal(smaller.size)))


def _lead(verdict: Verdict, seat: SeatVerdict, other: SeatVerdict) -> float:
    """Return by how much one of two players did better than the other, below 0 for worse."""
    if verdict.unit == Unit.SHARE.value:
        # One player's gain is the other's loss, so it is counted once, from the share at the start.
        return seat.result - seat.expected
    return (seat.result - other.result) * (-1 if verdict.low_is_good else 1)


def _account_of_many(verdict: Verdict, you: int | None) -> Iterator[str]:
    least = min(tenths(abs(seat.mistakes)) for seat in verdict.seats)
    best = [seat for seat in verdict.seats if tenths(abs(seat.mistakes)) == least]
    sign = -1 if verdict.low_is_good else 1
    # The luckiest player would have the best result if nobody had made a mistake.
    lucky = max(verdict.seats, key=lambda seat: sign * (seat.result - seat.mistakes))
    if len(best) == len(verdict.seats):
        yield gettext("All played equally well")
    elif [seat.seat for seat in best] == [you]:
        yield gettext("You played best")
    else:
        own = pgettext("the player who is asked", "you")
        best.sort(key=lambda seat: seat.seat != you)
        names = capital(listed(own if seat.seat == you else seat.name for seat in best))
        yield ngettext("{names} played best", "{names} played best", len(best), names=names)
    if lucky.seat == you:
        yield gettext("You had the most luck.")
    else:
        yield gettext("{name} had the most luck.", name=lucky.name)


def _conclusion(verdict: Verdict, you: int | None) -> Iterator[str]:
    """Yield who won, and by how many points; nothing before the end."""
    if not verdict.winners:
        return
    winner, *others = verdict.winners
    if others:
        yield gettext("So it is a draw.")
        return
    name = next(seat.name for seat in verdict.seats if seat.seat == winner)
    facts = {"name": name, "number": decimal_or_whole(verdict.margin or 0)}
    if verdict.margin and winner == you:
        yield gettext("So you win by {number}.", **facts)
    elif verdict.margin:
        yield gettext("So {name} wins by {number}.", **facts)
    elif winner == you:
        yield pgettext("said", "You win.")
    else:
        yield gettext("{name} wins.", **facts)


def _in_unit(unit: str, number: float) -> str:
    """Return an amount with its unit, always with one decimal, so that amounts add up as printed.

    >>> _in_unit("points", 5.6), _in_unit("share", 12.04)
    ('5.6 points', '12.0 %')
    """
    if unit == Unit.SHARE.value:
        return gettext("{number} %", number=decimal(number))
    whole, written = tenths(number) // 10, decimal(number)
    return ngettext("{number} points", "{number} points", whole, number=written)
