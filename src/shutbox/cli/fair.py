"""`shutbox fair`: which rules are fair to every seat."""

import argparse
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from shutbox.analysis.equity.fairness import Fair, fair_rules
from shutbox.analysis.wording import gained, precise
from shutbox.cli.output import answer
from shutbox.cli.progress import Told
from shutbox.english import figure
from shutbox.lookup import find_any
from shutbox.messages import gettext, ngettext


def fair(arguments: argparse.Namespace) -> None:
    """Each seat's share under the rules that a round may have."""
    game, format, anyway = arguments.game, arguments.format, arguments.anyway
    seats = 2 if arguments.seats is None else arguments.seats
    told = Told(gettext("Solving {game}", game=game))
    found = fair_rules(game, seats, format, anyway=anyway, progress=told)
    lines = (line for each in found for line in _lines(each))
    answer(arguments, lines, lambda: [_as_json(each) for each in found])


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
    facts = zip(fair.shares, fair.gains, fair.payouts, strict=True)
    for seat, (share, gain, payout) in enumerate(facts, start=1):
        yield gettext(
            "Player {seat}: wins {share}, {gain} stakes a round; {even}.",
            seat=seat,
            share=precise(share),
            gain=gained(gain),
            even=_even(gain, payout, card.shuts),
        )


def _even(gain: Fraction, payout: Fraction | None, shuts: str) -> str:
    if not gain:
        return gettext("that is even")
    if payout is None:
        return gettext("no payout to whoever {shuts} makes that even", shuts=shuts)
    stakes = 1 if abs(payout) == 1 else 2
    words = ngettext("{number} stake", "{number} stakes", stakes, number=figure(abs(payout)))
    facts = {"stakes": words, "shuts": shuts}
    if payout > 0:
        return gettext("even if each of the others pays {stakes} to whoever {shuts}", **facts)
    return gettext("even if whoever {shuts} pays {stakes} to each of the others", **facts)
