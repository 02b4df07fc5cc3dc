"""Chips that move between accounts: a purse for each seat, the pot, and the bank.

Amounts are whole numbers. The bank fills the purses, and its balance is minus what it has given.
"""

from dataclasses import dataclass
from typing import TypeAlias

from shutbox.english import Word
from shutbox.messages import gettext, gettext_noop, ngettext


class House(Word):
    """The accounts that do not belong to a player."""

    POT = "pot"
    BANK = "bank"


Account: TypeAlias = int | House
"""A seat's purse, the pot, or the bank."""


class Purpose(Word):
    """The reason for a movement of chips, as the ledger names it."""

    PURSE = "purse"
    STAKE = "stake"
    BOUGHT = "bought"
    DOUBLE = "double"  # the extra that others pay for a shut box
    POT = "pot"
    LEFT = "left"  # the rest of the pot when the match ended


_SAYS = {
    Purpose.PURSE: gettext_noop("purse"),
    Purpose.STAKE: gettext_noop("stake of round {round}"),
    Purpose.BOUGHT: gettext_noop("bought before round {round}"),
    Purpose.DOUBLE: gettext_noop("double of round {round}"),
    Purpose.POT: gettext_noop("pot of round {round}"),
    Purpose.LEFT: gettext_noop("left in the pot"),
}


class WithoutChips(Word):
    """The choices of a player who cannot pay for a round."""

    BUY = "buy"
    SIT_OUT = "sit out"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Movement:
    """A movement of chips from one account to another."""

    source: Account
    target: Account
    chips: int  # at least 1
    purpose: Purpose
    round: int = 1  # the round in which they move

    @property
    def says(self) -> str:
        """The purpose, to follow the number of chips.

        >>> Movement(0, House.POT, 1, Purpose.STAKE, 2).says
        'stake of round 2'
        """
        return gettext(_SAYS[self.purpose], round=self.round)


def chips_words(number: int) -> str:
    """Return a number of chips as text, such as `1 chip`."""
    return ngettext("{number} chip", "{number} chips", number)
