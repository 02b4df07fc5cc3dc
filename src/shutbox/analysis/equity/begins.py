"""The edge of the player who begins a match of two, and the order or stakes that make it fair."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from shutbox.analysis.equity.fairness import fair
from shutbox.analysis.equity.match_value import Equity
from shutbox.match import Match, Order
from shutbox.solver.graph import Progress, unheard


def share_of_first(match: Match[Any, Any], progress: Progress = unheard) -> Fraction:
    """Return the share of the win of the player who begins, if both play perfectly.

    If a throw decides who begins, it is the share of whoever that is. Raises TooLarge.
    """
    first = match.format.first
    begun = Match(match.game, replace(match.format, begins=first + 1), match.players)
    return Equity(begun, progress=progress).outlook().shares[first]


def even_stake(share: Fraction) -> Fraction:
    """Return the stake that makes a game even for this share of the win, for 1 of the other player.

    >>> even_stake(Fraction(3, 4)), even_stake(Fraction(2, 5))
    (Fraction(3, 1), Fraction(2, 3))

    It is what `Fair.payouts` is for one round: a player who puts in 3 pays 2 on top of a stake of 1
    whenever the other wins.
    """
    return share / (1 - share)


def fairest_order(match: Match[Any, Any], progress: Progress = unheard) -> Order:
    """Return the order in which the shares of two players are closest, if player 1 begins.

    Only the game, the target and the end of the match count. Raises TooLarge.
    """
    ends = f"target={match.format.target},end={match.format.end.value},begins=1"
    found = zip(fair(match.game, 2, ends, progress=progress), Order, strict=True)
    return min(found, key=lambda one: one[0].apart)[1]
