"""How luck and play made the result of a game, as the podium and its review both show it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shutbox.engine.english import localized, tenths
from shutbox.engine.messages import gettext, pgettext
from shutbox.solving.review.account_text import account_words
from shutbox.solving.review.report import SeatVerdict, Unit, Verdict
from shutbox.web.rooms.number_text import signed, tenth, with_unit


@dataclass(frozen=True, slots=True)
class AccountRow:
    """The figures of a seat as its row of the chart prints them.

    `perfect`, `play` and `end` are places between 0 and 1 on the scale of all rows: of perfect play
    with average dice, of the result by play alone, and of the result.
    """

    name: str  # of the player; "You" for the caller
    perfect: float  # the place of perfect play
    play: float  # the place of the result by play alone
    end: float  # the place of the result
    mistakes: str  # what they cost, without a sign; empty for nothing
    luck: str  # what else changed the result, without a sign; empty for nothing
    result: str  # the result as text
    spoken: str  # the whole row in words, with whole numbers


@dataclass(frozen=True, slots=True)
class AccountView:
    """How luck and play made the result of a game, in words and as a chart."""

    heading: str  # what decided, without a full stop
    says: tuple[str, ...]  # the other sentences
    perfect: str  # the expected result, if it is the same for all; else empty
    least: str  # the word at the beginning of the scale; empty if it does not begin with 0
    most: str  # the word above the results
    rows: tuple[AccountRow, ...]  # a row of the chart for each seat


def account(verdict: Verdict, mine: Sequence[int] = ()) -> AccountView:
    """Return the account of a game; a caller with one seat, in `mine`, reads "You" for its name."""
    heading, *says = account_words(verdict, mine)
    share = verdict.unit == Unit.SHARE.value
    spots = [(seat.expected, seat.expected + seat.mistakes, seat.result) for seat in verdict.seats]
    low, high = min(map(min, spots)), max(map(max, spots))
    low = min(low, 0) if share or verdict.low_is_good else low
    span = (high - low) * 1.12 or 1
    you = mine[0] if len(mine) == 1 else None
    rows = tuple(
        _account_row(seat, [(spot - low) / span for spot in spots[seat.seat]], you, share=share)
        for seat in verdict.seats
    )
    expected = {seat.expected for seat in verdict.seats}
    most = pgettext("result", "left") if verdict.low_is_good else pgettext("result", "scored")
    return AccountView(
        heading=heading,
        says=tuple(says),
        perfect=with_unit(tenth(expected.pop()), chance=share) if len(expected) == 1 else "",
        least=pgettext("result", "shut") if verdict.low_is_good and not low else "",
        most=gettext("of the win") if share else most,
        rows=rows,
    )


def _account_row(
    seat: SeatVerdict, places: Sequence[float], you: int | None, *, share: bool
) -> AccountRow:
    luck = seat.luck + seat.others
    lost, changed = (tenth(abs(part)) if tenths(part) else "" for part in (seat.mistakes, luck))
    name = pgettext("said", "You") if seat.seat == you else seat.name
    result = with_unit(tenth(seat.result), chance=share).replace(localized(".0"), "")
    says = gettext(
        "{name}: {expected} expected, {mistakes} by mistakes, {luck} by luck, result {result}",
        name=name,
        expected=_whole(tenth, seat.expected, share=share),
        mistakes=_whole(signed, seat.mistakes, share=share),
        luck=_whole(signed, luck, share=share),
        result=result,
    )
    perfect, play, end = places
    return AccountRow(name, perfect, play, end, lost, changed, result, says)


def _whole(shown: Callable[[float], str], number: float, *, share: bool) -> str:
    """Return a figure as it is heard, where decimals only take time.

    >>> _whole(signed, 12.3, share=False)
    '+12'
    """
    return with_unit(shown(round(number)).removesuffix(localized(".0")), chance=share)
