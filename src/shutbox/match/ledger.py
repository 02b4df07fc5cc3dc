"""The double-entry ledger of a match, whose balances sum to zero, and the sheet of its scores.

Both are made from the steps of a play. A choice that was taken back has therefore moved no chips,
and a corrected throw moves the chips of its correction.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from shutbox.game import C, P
from shutbox.match.game import Choice, Match
from shutbox.match.standing import (
    Account,
    House,
    Movement,
    Purpose,
    RoundResult,
    Standing,
    WithoutChips,
)
from shutbox.play import Chosen, Step


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an account."""

    event: int  # the number of the event that moved the chips; 0: before the match began
    other: Account  # the account on the other side
    chips: int  # the chips received, or below zero the chips paid
    balance: int  # the balance after this line
    why: str  # the purpose: `stake of round 2`


class Ledger:
    """All accounts of a match, line by line.

    >>> ledger = Ledger(2, [(0, Movement(House.BANK, 0, 20, Purpose.PURSE)),
    ...                     (1, Movement(0, House.POT, 1, Purpose.STAKE))])
    >>> ledger.balance(0), ledger.balance(House.POT), ledger.balance(House.BANK)
    (19, 1, -20)
    >>> sum(map(ledger.balance, ledger.accounts))
    0
    >>> [(line.chips, line.balance, line.why) for line in ledger.lines(0)]
    [(20, 20, 'purse'), (-1, 19, 'stake of round 1')]
    """

    def __init__(self, seats: int, entries: Iterable[tuple[int, Movement]]) -> None:
        """Take movements in order, each with the number of the event that caused it."""
        self.accounts: tuple[Account, ...] = (*range(seats), House.POT, House.BANK)
        self.entries = tuple(entries)

    def balance(self, account: Account) -> int:
        """Return the final balance of an account."""
        return sum(line.chips for line in self.lines(account))

    def lines(self, account: Account) -> tuple[Line, ...]:
        """Return the lines of an account, in order."""
        lines: list[Line] = []
        balance = 0
        for event, moved in self.entries:
            if account in (moved.source, moved.target):
                got = moved.target == account
                chips, other = (moved.chips, moved.source) if got else (-moved.chips, moved.target)
                balance += chips
                lines.append(Line(event, other, chips, balance, moved.says))
        return tuple(lines)


def ledger(match: Match[P, C], steps: Iterable[Step[Standing[P], Choice[C]]]) -> Ledger:
    """Return the ledger of a match after these steps of a play.

    >>> from shutbox import Chosen, Play, Roll, Rolled, find
    >>> from shutbox.match import Format, House
    >>> match = Match(find("lucky-seven"), Format.parse("stake=1"), ["Ann", "Bob"])
    >>> seven = match.parse_choice(match.rolled(match.start(), Roll((3, 4))), "7")
    >>> play = Play(match, [Rolled(Roll((3, 4))), Chosen(seven), Rolled(Roll((1, 1)))])
    >>> played = ledger(match, play.steps)
    >>> played.balance(0), played.balance(1), played.balance(House.POT)
    (22, 18, 0)

    Ann has shut the box: Bob pays one more chip into the pot, and Ann takes it.
    """
    purses = enumerate(match.rules.purses)
    begun = [Movement(House.BANK, seat, chips, Purpose.PURSE) for seat, chips in purses if chips]
    entries = [(0, moved) for moved in (*begun, *match.settled(match.start()).movements)]
    # Movements that follow from an event come from settling the position after it.
    for step in steps:
        if isinstance(step.event, Chosen) and isinstance(step.event.choice, WithoutChips):
            asked = match.answered(step.before, step.event.choice)
            entries += [(step.number, moved) for moved in asked.movements]
        entries += [(step.number, moved) for moved in match.settled(step.after).movements]
    return Ledger(len(match.players), entries)


def sheet(
    match: Match[P, C], steps: Iterable[Step[Standing[P], Choice[C]]]
) -> tuple[RoundResult, ...]:
    """Return the results of the rounds that are over after these steps of a play, in order.

    >>> from shutbox import Play, Roll, Rolled, find
    >>> from shutbox.match import Format
    >>> match = Match(find("lucky-seven"), Format.parse("rounds=2"), ["Ann", "Bob"])
    >>> play = Play(match, [Rolled(Roll((1, 1))), Rolled(Roll((1, 2)))])
    >>> [first] = sheet(match, play.steps)
    >>> first.winners, [tally.score for tally in first.tallies]
    ((0, 1), [7, 7])
    """
    results = (match.settled(step.after).result for step in steps)
    return tuple(result for result in results if result is not None)
