"""The positions of a match: the tallies of all players, and the current activity.

A finished turn, or a contest in which all have thrown, stays in the position until the next event,
so that it can be seen and heard. `transitions` works out what follows from it.
"""

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias

from shutbox.engine.dice import Roll
from shutbox.engine.english import Word
from shutbox.engine.game import P


class WithoutChips(Word):
    """The choices of a player who cannot pay for a round."""

    BUY = "buy"
    SIT_OUT = "sit out"
    LEAVE = "leave"


class Status(Word):
    """The state of a player: still in the match, out at its limit, or gone."""

    IN = "in"
    OUT = "out"  # the total has reached the limit
    LEFT = "left"  # the player has left the match


@dataclass(frozen=True, slots=True)
class Tally:
    """The total, the status, the score of this round and the chips of one player."""

    total: int = 0  # the sum of the scores of the rounds that are over, or how many were won
    status: Status = Status.IN
    score: int | None = None  # the score of this round's turn, once it is over
    shut: bool = False  # whether this round's turn shut the box
    sits_out: bool = False  # whether the player sits this round out
    chips: int = 0
    passed: bool = False  # whether the player has passed since a row was last covered


class About(Word):
    """The question that a contest of single throws decides."""

    START = "start"  # who throws first
    ROUND = "round"  # which of the tied players wins the round
    MATCH = "match"  # which of the tied players wins the match


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a round. Players who cannot pay for it are asked what to do, one by one."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest: some players throw once each, the highest wins, and tied players throw again."""

    about: About
    among: tuple[int, ...]  # the seats, in the order in which they throw
    rolls: tuple[Roll, ...] = ()  # the rolls so far, in that order
    repeats: int = 0  # how many times tied players have thrown again

    @property
    def highest(self) -> tuple[int, ...]:
        """The seats with the highest throw so far, in the order of `among`; empty without rolls."""
        best = max((roll.total for roll in self.rolls), default=0)
        thrown = zip(self.among, self.rolls, strict=False)
        return tuple(seat for seat, roll in thrown if roll.total == best)


@dataclass(frozen=True, slots=True)
class Turn(Generic[P]):
    """A player's turn as the activity of a match: the seat, and the position of the game."""

    seat: int
    at: P  # the position of the game that is played
    thrower: int | None = None  # the seat that threw for all; None if it is the player's own throw


@dataclass(frozen=True, slots=True)
class Ended:
    """The activity once the match is over, with its winners; no player is due."""

    winners: tuple[int, ...]  # the seats that have won, ascending


Doing: TypeAlias = Opening | Contest | Turn[P] | Ended


@dataclass(frozen=True, slots=True)
class Standing(Generic[P]):
    """A position of a match: the current activity, the tallies, the round and the pot."""

    doing: Doing[P]
    tallies: tuple[Tally, ...]  # one for each seat
    round: int = 1  # the round, from 1
    first: int = 0  # the seat that throws first in it
    pot: int = 0
    rows: tuple[P, ...] = ()
    """The position in which each seat's row rests, or has to cover a throw for all; with one throw
    each only."""

    @property
    def is_added_up(self) -> bool:
        """Whether the totals have the scores of this round: at the end, and in a contest for it."""
        match self.doing:
            case Ended() | Contest(about=About.MATCH):
                return True
        return False

    @property
    def has_shut(self) -> bool:
        """Whether a turn of this round has reached its goal."""
        return any(tally.shut for tally in self.tallies)

    @property
    def clockwise(self) -> list[int]:
        """Every seat, clockwise from the one that throws first."""
        seats = len(self.tallies)
        return [(self.first + index) % seats for index in range(seats)]

    @property
    def staying(self) -> list[int]:
        """The seats that are still in the match, in the order of play."""
        return [s for s in self.clockwise if self.tallies[s].status is Status.IN]

    @property
    def waiting(self) -> list[int]:
        """The seats that play this round and whose turn is not over, in the order of play."""
        tallies = self.tallies
        return [s for s in self.staying if tallies[s].score is None and not tallies[s].sits_out]

    @property
    def finished(self) -> list[int]:
        """The seats whose turn of this round is over, in the order of play."""
        return [s for s in self.clockwise if self.tallies[s].score is not None]

    @property
    def playing(self) -> list[int]:
        """The seats that play this round: those whose turn is over, then those who wait."""
        return self.finished + self.waiting

    def with_tally(self, seat: int, tally: Tally) -> "Standing[P]":
        """Return a copy of this position with another tally for one seat."""
        return replace(self, tallies=(*self.tallies[:seat], tally, *self.tallies[seat + 1 :]))


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The result of a round: who won it, the chips that were paid, and the tallies at its end."""

    round: int
    winners: tuple[int, ...]  # the seats that have won it, in the order of play
    paid: int  # the chips that each of them took
    payers: tuple[int, ...]  # the seats that paid more for a shut box, in the order of play
    points: tuple[tuple[int, int], ...]  # (seat, chips) of each loser who paid for points
    left: int  # the chips that stay in the pot
    tallies: tuple[Tally, ...]  # at its end, before its scores are added to the totals


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The result of a turn: its score, and whether it reached its goal."""

    seat: int
    score: int
    shut: bool  # whether it reached its goal: shut the box, or completed the crew


@dataclass(frozen=True, slots=True)
class Settled(Generic[P]):
    """The result of automatic steps: the position after them, and what happens in them."""

    position: Standing[P]  # once settled, a player is due here or the match is over
    turns: tuple[TurnResult, ...] = ()  # the turns that ended; more than one with one throw each
    result: RoundResult | None = None  # the round that ended
    last_chips: tuple[tuple[int, int], ...] = ()
    """(seat, chips) of each winner who got what was left in the pot when the match ended."""

    def with_position(self, **changes: Any) -> "Settled[P]":
        """Return a copy of this result with some fields of its position replaced."""
        return replace(self, position=replace(self.position, **changes))

    def with_tally(self, seat: int, tally: Tally) -> "Settled[P]":
        """Return a copy of this result with another tally for one seat."""
        return self.with_position(tallies=self.position.with_tally(seat, tally).tallies)

    def with_payment(self, seat: int, chips: int) -> "Settled[P]":
        """Return a copy with chips moved from a seat into the pot; negative ones move back."""
        tally, pot = self.position.tallies[seat], self.position.pot
        paid = self.with_tally(seat, replace(tally, chips=tally.chips - chips))
        return paid.with_position(pot=pot + chips)
