"""Chips in double entry: every movement has two sides, so over all accounts they sum to zero.

The accounts are a purse for each seat, the pot, and the bank, which fills the purses and owes
what it has given. Amounts are whole numbers.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from shutbox.words import Word


class House(Word):
    """The accounts that are no player's."""

    POT = "pot"
    BANK = "bank"


Account: TypeAlias = int | House
"""A seat's purse, the pot, or the bank."""


@dataclass(frozen=True, slots=True)
class Movement:
    """Chips that go from one account to another."""

    source: Account
    target: Account
    chips: int
    """At least 1."""
    why: str
    """What for, to follow the number of chips: `stake of round 2`."""


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


class Ledger:
    """Every account, line by line.

    >>> ledger = Ledger(2, [(0, Movement(House.BANK, 0, 20, "purse")),
    ...                     (1, Movement(0, House.POT, 1, "stake of round 1"))])
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
            yield Line(event, other, chips, balance, movement.why)
