"""Chips that move between accounts: a purse for each seat, the pot, and the bank.

Amounts are whole numbers. The bank fills the purses, and its balance is minus what it has given.
"""

from dataclasses import dataclass
from typing import TypeAlias

from shutbox.english import Word
from shutbox.messages import pgettext, pgettext_noop


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
    Purpose.PURSE: pgettext_noop("why chips move", "purse"),
    Purpose.STAKE: pgettext_noop("why chips move", "stake of round {round}"),
    Purpose.BOUGHT: pgettext_noop("why chips move", "bought before round {round}"),
    Purpose.DOUBLE: pgettext_noop("why chips move", "double of round {round}"),
    Purpose.POT: pgettext_noop("why chips move", "pot of round {round}"),
    Purpose.LEFT: pgettext_noop("why chips move", "left in the pot"),
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
        return pgettext("why chips move", _SAYS[self.purpose], round=self.round)
