"""`shutbox fair`: which rules are fair to every seat."""

import argparse
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from shutbox.analysis.equity.fairness import Fair, fair_rules
from shutbox.analysis.wording import gained, precise
from shutbox.cli.options import add_anyway, add_format, add_json, add_seats
from shutbox.cli.output import Told, answer
from shutbox.cli.parser import Parser
from shutbox.english import figure
from shutbox.lookup import find_any
from shutbox.match import Match
from shutbox.messages import gettext, ngettext


def add_fair(parser: Parser) -> None:
    """Add the arguments of `shutbox fair`."""
    about = gettext("a game, or a match such as cargo-night")
    parser.add_argument("game", metavar="GAME", help=about)
    add_seats(parser)
    add_format(parser)
    add_anyway(parser)
    add_json(parser)
    parser.runs(fair, "fair cargo-night", "fair classic --seats 3")


def fair(arguments: argparse.Namespace) -> None:
    """Each seat's share under the rules that a round or a match may have."""
    game, format, anyway = arguments.game, arguments.format, arguments.anyway
    told = Told(gettext("Solving {game}", game=game))
    found = fair_rules(game, _seats_of(arguments), format, anyway=anyway, progress=told)
    lines = chain.from_iterable(map(_lines, found))
    answer(arguments, chain(lines, _fairest(found)), lambda: [_as_json(each) for each in found])


def _seats_of(arguments: argparse.Namespace) -> int:
    """The seats that are asked for, or those of the match, or two."""
    if arguments.seats is not None:
        seats: int = arguments.seats
        return seats
    there = find_any(arguments.game)
    return len(there.players) if isinstance(there, Match) else 2


def _as_json(fair: Fair) -> dict[str, Any]:
    return {
        "game": fair.match,
        "shares": [float(share) for share in fair.shares],
        "gains": [float(gain) for gain in fair.gains],
        "payouts": [None if p is None else float(p) for p in fair.payouts],
    }


def _lines(fair: Fair) -> Iterator[str]:
    yield f"{fair.match}:"
    card = find_any(fair.match).card()
    for seat, (share, gain) in enumerate(zip(fair.shares, fair.gains, strict=True)):
        facts = {"seat": seat + 1, "share": precise(share), "gain": gained(gain)}
        if not fair.payouts:
            yield gettext("Player {seat}: wins {share}, {gain} stakes a match.", **facts)
            continue
        even = _even(gain, fair.payouts[seat], card.shuts)
        yield gettext(
            "Player {seat}: wins {share}, {gain} stakes a round; {even}.", **facts, even=even
        )


def _fairest(found: Sequence[Fair]) -> Iterator[str]:
    """Of several orders the one in which it matters least where one sits."""
    orders = [fair for fair in found if not fair.payouts and fair.apart]
    if len(orders) > 1:
        best = min(orders, key=lambda fair: fair.apart)
        yield gettext(
            "Fairest without a throw for the start: {match}. Its shares are at most {points} "
            "percentage points apart.",
            match=best.match,
            points=figure(100 * best.apart),
        )


def _even(gain: Fraction, payout: Fraction | None, shuts: str) -> str:
    if not gain:
        return gettext("that is even")
    if payout is None:
        return gettext("no payout to the player who {shuts} makes that even", shuts=shuts)
    stakes = 1 if abs(payout) == 1 else 2
    words = ngettext("{number} stake", "{number} stakes", stakes, number=figure(abs(payout)))
    facts = {"stakes": words, "shuts": shuts}
    if payout > 0:
        return gettext(
            "even if each of the others pays {stakes} to the player who {shuts}", **facts
        )
    return gettext("even if the player who {shuts} pays {stakes} to each of the others", **facts)
