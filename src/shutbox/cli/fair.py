"""`shutbox fair`: which rules are fair to every seat."""

import argparse
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from shutbox.analysis.equity.fairness import Fair, fair_rules
from shutbox.analysis.wording import gained, precise
from shutbox.cli.output import print_json
from shutbox.cli.progress import Told
from shutbox.english import figure
from shutbox.lookup import find_any


def fair(arguments: argparse.Namespace) -> None:
    """Each seat's share under the rules that a round may have."""
    found = fair_rules(
        arguments.game,
        2 if arguments.seats is None else arguments.seats,
        arguments.format,
        anyway=arguments.anyway,
        progress=Told(f"Solving {arguments.game}"),
    )
    if arguments.json:
        print_json([_as_json(each) for each in found])
        return
    for each in found:
        print(*_lines(each), sep="\n")


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
    for seat, (share, gain, payout) in enumerate(
        zip(fair.shares, fair.gains, fair.payouts, strict=True), start=1
    ):
        yield (
            f"Player {seat}: wins {precise(share)}, {gained(gain)} stakes a round; "
            f"{_even(gain, payout, f'whoever {card.shuts}')}."
        )


def _even(gain: Fraction, payout: Fraction | None, whoever: str) -> str:
    if not gain:
        return "that is even"
    if payout is None:
        return f"no payout to {whoever} makes that even"
    stakes = f"{figure(abs(payout))} {'stake' if abs(payout) == 1 else 'stakes'}"
    if payout > 0:
        return f"even if each of the others pays {stakes} to {whoever}"
    return f"even if {whoever} pays {stakes} to each of the others"
