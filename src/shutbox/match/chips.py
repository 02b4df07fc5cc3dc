"""Chips that move between accounts: a purse for each seat, the pot, and the bank.

Amounts are whole numbers. The bank fills the purses, and owes what it has given.
"""

from dataclasses import dataclass
from typing import TypeAlias

from shutbox.english import Word


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
