"""The books of a match in double entry: every movement has two sides, and all sums to zero.

They are made from the steps of a play, so a choice that was taken back has moved nothing, and a
throw that was corrected what its correction moves.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shutbox.game import C, P
from shutbox.match.chips import Account, House, Movement, Purpose, WithoutChips
from shutbox.match.game import Choice, Match
from shutbox.match.standing import Standing
from shutbox.play import Chosen, Step


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an account."""

    event: int
    """The number of the event that moved the chips; 0: the match had not begun."""
    other: Account
    """The account on the other side."""
    chips: int
    """What the account got, or below zero what it gave."""
    balance: int
    """What it has then."""
    why: str
    """What for: `stake of round 2`."""


class Ledger:
    """Every account, line by line.

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
        """`entries` are movements with the number of the event that caused each."""
        self.accounts: tuple[Account, ...] = (*range(seats), House.POT, House.BANK)
        self.entries = tuple(entries)

    def balance(self, account: Account) -> int:
        """What an account has in the end."""
        lines = self.lines(account)
        return lines[-1].balance if lines else 0

    def lines(self, account: Account) -> tuple[Line, ...]:
        """All that moved on an account, in order."""
        return tuple(self._lines(account))

    def _lines(self, account: Account) -> Iterator[Line]:
        balance = 0
        for event, movement in self.entries:
            if movement.target == account:
                chips, other = movement.chips, movement.source
            elif movement.source == account:
                chips, other = -movement.chips, movement.target
            else:
                continue
            balance += chips
            yield Line(event, other, chips, balance, movement.says)


def ledger(match: Match[P, C], steps: Iterable[Step[Standing[P], Choice[C]]]) -> Ledger:
    """Every account of a match after these steps of a play.

    >>> from shutbox import Chosen, Play, Roll, Rolled, find
    >>> from shutbox.match import Format, House
    >>> match = Match(find("lucky-seven"), Format.parse("stake=1"), ["Ann", "Bob"])
    >>> seven = match.parse_choice(match.rolled(match.start(), Roll((3, 4))), "7")
    >>> play = Play(match, [Rolled(Roll((3, 4))), Chosen(seven), Rolled(Roll((1, 1)))])
    >>> played = ledger(match, play.steps)
    >>> played.balance(0), played.balance(1), played.balance(House.POT)
    (22, 18, 0)

    Ann has shut the box: she takes the pot, and Bob pays one more chip into it.
    """
    return Ledger(len(match.players), _entries(match, steps))


def _entries(
    match: Match[P, C], steps: Iterable[Step[Standing[P], Choice[C]]]
) -> Iterator[tuple[int, Movement]]:
    for seat, chips in enumerate(match.rules.purses):
        if chips:
            yield 0, Movement(House.BANK, seat, chips, Purpose.PURSE)
    yield from ((0, movement) for movement in match.settled(match.start()).movements)
    # What follows from an event by itself is settled at the position it leads to.
    for step in steps:
        moved = match.settled(step.after).movements
        if isinstance(step.event, Chosen) and isinstance(step.event.choice, WithoutChips):
            moved = (*match.answered(step.before, step.event.choice).movements, *moved)
        yield from ((step.number, movement) for movement in moved)
