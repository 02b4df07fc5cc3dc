"""The facts of the past that decide who wins a match, as far as its format lets them matter."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from shutbox.engine.game import Scoring
from shutbox.match import Format, Match, WhenShut
from shutbox.match.format import End, Order, Ties, Until
from shutbox.solving.graph import Ending


class RoundHistory(NamedTuple):
    """The facts kept about the finished turns of a round; empty in `Memory.is_one_long_round`."""

    turns: int = 0  # the number of finished turns
    best: int | None = None  # the best score; None if it does not matter
    leading: tuple[int, ...] = ()  # the places that have it
    shut: tuple[int, ...] = ()  # the places that shut the box, if that ends the match


@dataclass(frozen=True)
class Memory:
    """What of a match must be remembered when a turn begins, by its format and its turns' ends.

    An end is a pair (score, shut), named by its index in `ends`. A place is a player's index in the
    order of play of a round.
    """

    format: Format
    seats: int
    ends: tuple[Ending, ...]
    scoring: Scoring
    one_round: bool  # whether the winner of the only round wins the match

    @classmethod
    def of(cls, match: Match[Any, Any], ends: Sequence[Ending]) -> "Memory":
        """Return the memory of a match; `ends` are the ends (score, shut) of its turns."""
        rules = match.rules
        return cls(match.format, len(match.players), tuple(ends), rules.scoring, rules.one_round)

    # From one round to the next

    @property
    def deciding_total(self) -> int | None:
        """The total that ends the match, or that puts a player out; None if there is none."""
        return self.format.limit if self.format.goal is None else self.format.goal

    @property
    def turns_add(self) -> bool:
        """Whether turns add to totals that end the match, so that it comes nearer to its end."""
        return self.deciding_total is not None and not self.format.counts_wins

    @property
    def counts_rounds(self) -> bool:
        """Whether the match ends after a number of rounds."""
        return self.format.rounds is not None

    @property
    def stops(self) -> bool:
        """Whether a round never goes on after a total reaches `deciding_total`.

        The match stops at once, or rounds won decide instead of totals.
        """
        at_once = self.format.end is End.STOP or self.format.counts_wins
        return at_once and self.deciding_total is not None

    @cached_property
    def is_one_long_round(self) -> bool:
        """Whether the match is like one round without end: only totals matter, and who is due.

        So its turns have no history, and the place of the player who is due is always 0.
        """
        seats_in_order = self.format.order is Order.SEATS and self.format.shut is WhenShut.SCORES
        return self.stops and self.turns_add and seats_in_order and not self.counts_rounds

    @cached_property
    def gain(self) -> int:
        """The least that a turn adds to the totals; 0 if totals do not end the match."""
        return min(score for score, _ in self.ends) if self.turns_add else 0

    @property
    def can_loop(self) -> bool:
        """Whether a standing can lead back to itself, since a turn can add nothing."""
        return not self.counts_rounds and not self.gain

    @cached_property
    def idle_ends(self) -> list[int]:
        """The indices of the ends that change no total that is kept, so that the match can loop."""
        ends = enumerate(self.ends)
        return [index for index, (score, _) in ends if not self.turns_add or score == 0]

    # Within a round

    @cached_property
    def _keeps_shut(self) -> bool:
        """Whether a player who has shut the box wins the match once the round is over."""
        # With WhenShut.WINS, a shut box ends the round itself.
        decides = self.format.until is Until.SHUT and self.format.shut is WhenShut.SCORES
        return decides and not self.one_round

    @cached_property
    def winner_matters(self) -> bool:
        """Whether rounds won count, or the winner of a round begins a next one."""
        winner_begins = self.format.order is Order.WINNER and self.format.rounds != 1
        return winner_begins or self.format.counts_wins

    @cached_property
    def _ranks_shut(self) -> bool:
        """Whether a shut box wins, and players who have shut it can differ in their scores."""
        best = self.scoring.best_of(score for score, _ in self.ends)
        return self._keeps_shut and any(shut and score != best for score, shut in self.ends)

    @cached_property
    def _keeps_tied(self) -> bool:
        """Whether all players with the best score matter, not only the first of them."""
        throws_off = self.format.ties is Ties.THROW_OFF
        return self._keeps_shut or self.format.counts_wins or throws_off

    def after_turn(self, history: RoundHistory, end: tuple[int | None, bool]) -> RoundHistory:
        """Return the history after one more turn with this end (score, shut)."""
        if self.is_one_long_round:
            return RoundHistory()
        score, shut = end
        place = history.turns
        who_shut = (*history.shut, place) if shut and self._keeps_shut else history.shut
        # If no player has shut the box yet, scores matter only if two players still can.
        players_left = self.seats - place - 1
        ranks_shut = self._ranks_shut and (who_shut or players_left >= 2)
        if not (self.winner_matters or ranks_shut):
            return RoundHistory(place + 1, shut=who_shut)
        best, leading = history.best, history.leading
        if best is None or score is None or self.scoring.better(score, best):
            best, leading = score, (place,)
        elif score == best and self._keeps_tied:
            leading = (*leading, place)
        return RoundHistory(place + 1, best, leading, who_shut)

    @cached_property
    def histories(self) -> tuple[RoundHistory, ...]:
        """The possible histories, the fewest turns first."""
        return self._histories_with(self.ends)

    @cached_property
    def idle_histories(self) -> tuple[RoundHistory, ...]:
        """The possible histories whose turns have all left the totals unchanged."""
        return self._histories_with([self.ends[index] for index in self.idle_ends])

    def _histories_with(self, ends: Sequence[Ending]) -> tuple[RoundHistory, ...]:
        if self.is_one_long_round:
            return (RoundHistory(),)
        latest = [RoundHistory()]
        histories = list(latest)
        for _ in range(self.seats - 1):
            after = (self.after_turn(history, end) for history in latest for end in ends)
            latest = list(dict.fromkeys(after))
            histories += latest
        return tuple(histories)

    def most_histories(self, turns: int) -> int:
        """Return an upper bound on the number of histories of `turns` finished turns."""
        if turns and self.is_one_long_round:
            return 0
        count = 2**turns if self._keeps_shut else 1  # any of them can have shut the box
        if turns and (self.winner_matters or self._ranks_shut):
            count *= len({score for score, _ in self.ends})  # the best score
            count *= 2**turns - 1 if self._keeps_tied else turns  # who has it: some, or the first
        return count
