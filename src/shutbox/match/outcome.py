"""Where a position of a match leads by itself, and what happens on the way."""

from dataclasses import dataclass, replace
from typing import Any, Generic

from shutbox.game import P
from shutbox.match.chips import Account, House, Movement, Purpose
from shutbox.match.standing import Standing, Tally


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round ended."""

    round: int
    winners: tuple[int, ...]  # the seats that have won it, in the order of play
    paid: int  # the chips that each of them took
    payers: tuple[int, ...]  # the seats that paid more for a shut box, in the order of play
    left: int  # the chips that stay in the pot
    tallies: tuple[Tally, ...]  # at its end, its scores not yet in the totals


@dataclass(frozen=True, slots=True)
class TurnResult:
    """How a turn ended."""

    seat: int
    score: int
    shut: bool  # whether it did what a turn is for


@dataclass(frozen=True, slots=True)
class Settled(Generic[P]):
    """Where a position leads by itself, and what happens on the way."""

    position: Standing[P]  # somebody is due here, or the match is over
    movements: tuple[Movement, ...] = ()
    turn: TurnResult | None = None  # the turn that ended
    result: RoundResult | None = None  # the round that ended

    def at(self, **changes: Any) -> "Settled[P]":
        """The same with something else at its position."""
        here = replace(self.position, **changes)
        return Settled(here, self.movements, self.turn, self.result)

    def moved(self, source: Account, target: Account, chips: int, purpose: Purpose) -> "Settled[P]":
        """The same once chips went from one account to another; none at all is no movement."""
        if not chips:
            return self
        here = self.position
        movement = Movement(source, target, chips, purpose, here.round)
        for account, change in ((source, -chips), (target, chips)):
            if isinstance(account, int):
                tally = here.tallies[account]
                here = here.with_tally(account, replace(tally, chips=tally.chips + change))
            elif account is House.POT:
                here = replace(here, pot=here.pot + change)
        return Settled(here, (*self.movements, movement), self.turn, self.result)
