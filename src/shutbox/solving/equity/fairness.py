"""The fairness of rules: the share of each seat, and the payout that would make a round even.

The payout is for a single round. A match of several rounds is examined for every order of play.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any

from shutbox.engine.english import figure, localized, number_word
from shutbox.engine.errors import BadFormat
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.seats import MOST_SEATS
from shutbox.match import Match, Order, full_title
from shutbox.match.format import Begins, Payment
from shutbox.output.results import Column, Result, Row
from shutbox.solving.equity.cost import check_whole
from shutbox.solving.equity.last_round import LastRound
from shutbox.solving.equity.last_round_limits import (
    check_last_round,
    check_seconds,
    seconds_of_last_round,
)
from shutbox.solving.equity.match_value import Equity
from shutbox.solving.progress import Progress, progress_meant
from shutbox.solving.value_text import precise_percent, signed_chips
from shutbox.table.lookup import game_meant, match_of, names_meant

ROUNDS = ("shut=scores", "shut=wins")  # the formats of a round that are compared by default


@dataclass(frozen=True, slots=True, repr=False)
class Fair(Result):
    """The fairness of a round or match in one format: shares and gains, if all play to win."""

    COLUMNS = (
        *(Column("match"), Column("seat", int)),
        *(Column(name, float) for name in ("share", "gain", "payout")),
    )

    played: Match[Any, Any]  # without its stake
    shares: tuple[Fraction, ...]  # each seat's expected share of the win; they sum to 1
    gains: tuple[Fraction, ...]  # each seat's expected gain in stakes; they sum to 0
    payouts: tuple[Fraction | None, ...]
    """For each seat, the fair payout for a shut box: the stakes that each of the others would have
    to pay on top of their own, so that the seat expects neither gain nor loss while all still play
    to win. None if no payout does that; an empty tuple for a match of several rounds."""

    def _summary(self) -> str:
        return f"{self.match}, {', '.join(map(figure, self.shares))}"

    def _rows(self) -> Iterator[Row]:
        payouts = self.payouts or (None,) * len(self.shares)
        for seat, numbers in enumerate(zip(self.shares, self.gains, payouts, strict=True)):
            yield self.match, seat, *(None if n is None else float(n) for n in numbers)

    @property
    def match(self) -> str:
        """The name of the match, without its stake."""
        return self.played.name

    @property
    def apart(self) -> Fraction:
        """The largest difference between the shares of the win of two seats.

        >>> [found] = fair("lucky-seven", 2, "shut=wins")
        >>> found.apart
        Fraction(1, 36)
        """
        return max(self.shares) - min(self.shares)


def fair(
    game: Game[Any, Any] | str,
    seats: int | str | Sequence[str] | None = None,
    format: str | None = None,
    *,
    anyway: bool = False,
    progress: Progress | None = None,
) -> list[Fair]:
    """Return how fair a game or match is for `seats`, a number or names, in each format examined.

    >>> import shutbox
    >>> found = shutbox.fair("six", 2, "shut=wins")
    >>> found
    [Fair(six[seats=2,rounds=1,shut=wins], 0.5024, 0.4976)]
    >>> [round(float(payout), 4) for payout in found[0].payouts]
    [-0.876, -0.876]

    A single round is examined in `format`, or without it in both of ROUNDS; with one throw each, as
    it is, and without payouts. A negative payout is one that the player who shuts the box would
    have to pay. The stake, the bonus, the purses and `pays` of the format are ignored: all amounts
    are in stakes.

    A match of several rounds is examined for every `order` with player 1 beginning, and once with
    a throw deciding who begins. If `game` or `format` names an order, or who begins, the result is
    limited to that.

    >>> [one.match for one in shutbox.fair("cargo-night", 3, "order=rotate,begins=1")]
    ['cargo[seats=3,rounds=3,order=rotate]']

    Without `seats`, they are those of the match, or two. Raises what `match_of` raises, BadFormat
    unless 2 to 12 play, and TooLarge if a match cannot be solved, or, unless `anyway`, not in time.
    """
    if seats is None:
        known = game_meant(game)
        seats = len(known.players) if isinstance(known, Match) else 2
    number = len(names_meant(seats))
    if not 2 <= number <= MOST_SEATS:
        problem = ngettext(
            "{count} player; 2 to {most} can play in turn",
            "{count} players; 2 to {most} can play in turn",
            number,
            count=number_word(number),
            most=MOST_SEATS,
        )
        raise BadFormat("seats", (problem,))
    match, progress = match_of(game, number, format or ""), progress_meant(progress)
    if match.rules.one_round and not match.rules.rows:
        formats = ROUNDS if format is None else (format,)
        rounds = [match_of(game, number, atoms) for atoms in formats]
        return list(_fair_rounds(rounds, anyway=anyway, progress=progress))
    text = f"{game if isinstance(game, str) else game.name},{format}"
    named = {part.partition("=")[0].strip() for part in re.split(r"[][,]", text)}
    named |= {"order", "begins"} if match.rules.one_round else set()
    matches = list(_in_each_order(match, named))
    for each in matches:
        check_whole(each, anyway=anyway)
    return list(_fair_matches(matches, progress))


def _in_each_order(match: Match[Any, Any], named: set[str]) -> Iterator[Match[Any, Any]]:
    """Yield the match without chips in each order, player 1 beginning; last, a throw decides that.

    If `order` or `begins` is in `named`, that setting stays as it is.
    """
    plain = _with_stake(match, 0, 1).format
    orders = [plain.order] if "order" in named else list(Order)
    formats = [replace(plain, order=order) for order in orders]
    if "begins" not in named:
        # If a throw decides who begins, all seats are even, whatever the order.
        formats = [replace(format, begins=1) for format in formats]
        formats.append(replace(formats[0], begins=Begins.HIGH_ROLL))
    for format in formats:
        yield Match(match.game, format, match.players)


def _fair_matches(matches: Iterable[Match[Any, Any]], progress: Progress) -> Iterator[Fair]:
    """Yield how fair each match is."""
    for match in matches:
        shares = Equity(match, anyway=True, progress=progress).outlook().shares
        yield Fair(match, shares, tuple(len(shares) * share - 1 for share in shares), ())


def _fair_rounds(
    rounds: Sequence[Match[Any, Any]], *, anyway: bool, progress: Progress
) -> Iterator[Fair]:
    """Yield how fair each round is. Raises TooLarge, unless `anyway`, if they take too long."""
    for match in rounds:
        # Any number of winners can share this stake, and purses can pay it.
        stake = lcm(*range(1, len(match.players) + 1))
        check_last_round(match, anyway=anyway)
        if not anyway:  # each round is solved without a bonus and with one
            plain = _with_stake(match, stake, 0)
            check_seconds(match, 2 * len(rounds) * seconds_of_last_round(plain))
        yield _fair_round(match, stake, progress)


def _fair_round(match: Match[Any, Any], stake: int, progress: Progress) -> Fair:
    """Return how fair a round is, from the gains without a bonus for a shut box and with one."""
    plain, paid = (_with_stake(match, stake, bonus) for bonus in (0, 1))
    outlook = LastRound(plain, progress=progress).outlook()
    gains = tuple(chips / stake for chips in outlook.gains(plain))
    with_bonus = LastRound(paid, progress=progress).outlook().gains(paid)
    # All play to win, whatever is paid, so the gain is linear in the payout.
    steps = [more / stake - gain for more, gain in zip(with_bonus, gains, strict=True)]
    payouts = tuple(-gain / step if step else None for gain, step in zip(gains, steps, strict=True))
    return Fair(_with_stake(plain, 0, 1), outlook.shares, gains, payouts)


def _with_stake(match: Match[Any, Any], stake: int, bonus: int) -> Match[Any, Any]:
    """Return the match with a stake in chips, a bonus in stakes, and purses of 20 stakes."""
    format = replace(match.format, stake=stake, bonus=bonus, pays=Payment.POT, purse=())
    return Match(match.game, format, match.players)


# In sentences


def fair_lines(fairs: Sequence[Fair]) -> Iterator[str]:
    """Yield lines on the shares and gains under each set of rules, and on the fairest order."""
    for fair in fairs:
        yield from _seat_lines(fair)
    orders = [fair for fair in fairs if not fair.payouts and fair.apart]
    if len(orders) > 1:
        best = min(orders, key=lambda fair: fair.apart)
        yield gettext(
            "Fairest without a throw for the start: {match}. Its shares are at most {points} "
            "percentage points apart.",
            match=full_title(best.played),
            points=localized(figure(100 * best.apart)),
        )


def _seat_lines(fair: Fair) -> Iterator[str]:
    yield gettext("{match}:", match=full_title(fair.played))
    payouts = zip(fair.gains, fair.payouts, strict=False)
    even = [_even_words(*payout, fair.played.card().shuts) for payout in payouts]
    same = len({*even}) == 1  # then it is said once
    for seat, (share, gain) in enumerate(zip(fair.shares, fair.gains, strict=True)):
        facts = {"seat": seat + 1, "share": precise_percent(share), "gain": signed_chips(gain)}
        if not fair.payouts:
            yield gettext("Player {seat}: wins {share}, {gain} stakes a match.", **facts)
            continue
        says = gettext("Player {seat}: wins {share}, {gain} stakes a round.", **facts)
        yield says if same else f"{says} {even[seat]}"
    if same:
        yield even[0]


def _even_words(gain: Fraction, payout: Fraction | None, shuts: str) -> str:
    if not gain:
        return gettext("That is even.")
    if payout is None:
        return gettext("No payout to the player who {shuts} makes that even.", shuts=shuts)
    stakes = 1 if abs(payout) == 1 else 2
    facts = {"number": localized(figure(abs(payout))), "shuts": shuts}
    if payout > 0:
        return ngettext(
            "It is even if each of the others pays {number} stake to the player who {shuts}.",
            "It is even if each of the others pays {number} stakes to the player who {shuts}.",
            stakes,
            **facts,
        )
    return ngettext(
        "It is even if the player who {shuts} pays {number} stake to each of the others.",
        "It is even if the player who {shuts} pays {number} stakes to each of the others.",
        stakes,
        **facts,
    )
