"""Which rules of a round are fair: what each seat may expect, and what would make it even."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any

from shutbox.analysis.equity.last_round import Answers, check_answers
from shutbox.english import number_word
from shutbox.errors import BadFormat
from shutbox.lookup import match_of
from shutbox.match import Match
from shutbox.messages import gettext, ngettext
from shutbox.seats import MOST_SEATS, unnamed
from shutbox.solver.graph import Progress, unheard

ROUNDS = ("shut=scores", "shut=wins")
"""The formats that are compared where none is given: whether a shut box wins at once."""


@dataclass(frozen=True, slots=True)
class Fair:
    """One way to play a round for a stake, everybody playing to win."""

    match: str  # the name of the match, without its stake
    shares: tuple[Fraction, ...]  # each seat's expected share of the win; they sum to 1
    gains: tuple[Fraction, ...]  # each seat's expected gain in stakes; they sum to 0
    payouts: tuple[Fraction | None, ...]
    """The stakes that each of the others would have to pay for a shut box, besides their own, so
    that the seat expects neither gain nor loss while all still play for the win; None where no
    payout does that."""


def fair_rules(
    game: str,
    seats: int = 2,
    format: str | None = None,
    *,
    anyway: bool = False,
    progress: Progress = unheard,
) -> list[Fair]:
    """How fair a game is in turn for so many seats, under one format or the usual ones.

    >>> [fair] = fair_rules("six", 2, "shut=wins")
    >>> [round(float(share), 4) for share in fair.shares]
    [0.5024, 0.4976]
    >>> [round(float(payout), 4) for payout in fair.payouts]
    [-0.876, -0.876]

    A payout below 0 is one that whoever shuts the box would have to pay. A stake, a bonus and
    purses of the format are left out: all is told in stakes. Raises what `match_of` raises,
    BadFormat for more than one round, and TooLarge.
    """
    if not 2 <= seats <= MOST_SEATS:
        problem = ngettext(
            "{count} player; 2 to {most} can play in turn",
            "{count} players; 2 to {most} can play in turn",
            seats,
            count=number_word(seats),
            most=MOST_SEATS,
        )
        raise BadFormat("seats", (problem,))
    found = []
    for atoms in ROUNDS if format is None else (format,):
        match = match_of(game, unnamed(seats), atoms)
        if match.format.most_rounds > 1:
            problem = gettext("rules are compared for one round; write rounds=1")
            raise BadFormat("format", (problem,))
        # A stake that any number of winners can share, and a purse that can pay for it.
        stake = lcm(*range(1, seats + 1))
        plain, paid = (_paying(match, stake, bonus) for bonus in (0, 1))
        check_answers(plain, anyway=anyway)
        found.append(_fair(plain, paid, stake, progress))
    return found


def _fair(plain: Match[Any, Any], paid: Match[Any, Any], stake: int, progress: Progress) -> Fair:
    answers = Answers(plain, progress=progress)
    outlook = answers.outlook()
    gains = tuple(chips / stake for chips in outlook.gains(plain))
    with_bonus = answers.again(paid).outlook().gains(paid)
    # Everybody plays for the win, whatever is paid, so the gain goes up evenly with the payout.
    steps = [more / stake - gain for more, gain in zip(with_bonus, gains, strict=True)]
    payouts = tuple(-gain / step if step else None for gain, step in zip(gains, steps, strict=True))
    return Fair(_paying(plain, 0, 1).name, outlook.shares, gains, payouts)


def _paying(match: Match[Any, Any], stake: int, bonus: int) -> Match[Any, Any]:
    """The match for another stake, with purses that can pay for it."""
    format = replace(match.format, stake=stake, bonus=bonus, purse=())
    return Match(match.game, format, match.players)
