"""The automatic steps of a match with one throw each, in which everybody has a row.

A turn is a throw and its cover; then the next player is due, in the row of that player. Once a
throw counts for all, so is everybody who has yet to cover it.
"""

from dataclasses import replace

from shutbox.engine.dice import Roll
from shutbox.engine.game import C, Game, Over, P, Rows, rows_of
from shutbox.match.format import Format, Stuck, TurnLength
from shutbox.match.standing import Settled, Standing, Turn, TurnResult
from shutbox.match.transitions import MatchRules


class RowRules(MatchRules[P, C]):
    """The rules of a match with one throw each."""

    rows: Rows

    def __init__(self, game: Game[P, C], format: Format, seat_count: int) -> None:
        super().__init__(game, format, seat_count)
        rows = rows_of(game)
        assert rows is not None  # `find_misfits` refuses games without rows
        self.rows = rows

    def rolled(self, position: Standing[P], roll: Roll) -> Standing[P]:
        """Return the position after a roll, also in the rows for which it counts."""
        rows = list(position.rows)
        for seat in position.waiting if self._counts_for_all(position) else ():
            rows[seat] = self.game.rolled(rows[seat], roll)
        return replace(super().rolled(position, roll), rows=tuple(rows))

    def turns_of_throw(self, position: Standing[P]) -> dict[int, P]:
        """Return the position of each seat for which the throw that is due counts; else {}."""
        if self._counts_for_all(position):
            return {seat: position.rows[seat] for seat in position.waiting}
        return super().turns_of_throw(position)

    def begins_turn(self, position: Standing[P]) -> bool:
        """Whether the throw in a row is due, or the cover of a throw that another has made."""
        if not isinstance(turn := position.doing, Turn) or turn.at != position.rows[turn.seat]:
            return False
        return turn.thrower is not None or self.rows.rested(turn.at) == turn.at

    def worst_score(self, position: Standing[P], seat: int) -> int:
        """Return the score of a row as it is."""
        if not position.rows:
            return super().worst_score(position, seat)
        return self.rows.score(position.rows[seat]) * (1 + self.doubles)

    def _counts_for_all(self, position: Standing[P]) -> bool:
        """Whether the throw that is due counts for everybody, as all have had their own first."""
        if self.format.turns is not TurnLength.COMMON or not isinstance(position.doing, Turn):
            return False
        start = self.game.start()
        return not any(position.rows[seat] == start for seat in position.waiting)

    def _begin_round(self, so_far: Settled[P], seat: int) -> Settled[P]:
        rows = (self.game.start(),) * self.seat_count
        return super()._begin_round(so_far.with_position(rows=rows), seat)

    def _end_turn_if_over(self, so_far: Settled[P], turn: Turn[P]) -> Settled[P] | None:
        """End a turn that is over, or one in which the player has covered."""
        ended = super()._end_turn_if_over(so_far, turn)
        if ended or not turn.at == self.rows.rested(turn.at) != so_far.position.rows[turn.seat]:
            return ended
        return self._begin_next_turn(self._with_row(so_far, turn), turn)

    def _end_turn(self, so_far: Settled[P], turn: Turn[P], over: Over) -> Settled[P]:
        if self.format.stuck is Stuck.PASSES and not over.shut:
            return self._pass(so_far, turn)
        return super()._end_turn(self._with_row(so_far, turn), turn, over)

    def _begin_next_turn(self, so_far: Settled[P], turn: Turn[P]) -> Settled[P]:
        """Begin the next turn: after a throw for all, that of a player who has to cover it."""
        rows, waiting = so_far.position.rows, so_far.position.waiting
        thrower = turn.seat if turn.thrower is None else turn.thrower
        for seat in self._clockwise_after(turn.seat, waiting):
            if self.rows.rested(rows[seat]) != rows[seat]:
                return so_far.with_position(doing=Turn(seat, rows[seat], thrower))
        seat = self._clockwise_after(thrower, waiting)[0]
        return so_far.with_position(doing=Turn(seat, rows[seat]))

    def _clockwise_after(self, seat: int, seats: list[int]) -> list[int]:
        """Return these seats clockwise from the one after `seat`."""
        return sorted(seats, key=lambda other: (other - seat - 1) % self.seat_count)

    def _with_row(self, so_far: Settled[P], turn: Turn[P]) -> Settled[P]:
        """Return the result with the row of a turn that is over, unless passed; passes are past."""
        rows = list(so_far.position.rows)
        rows[turn.seat] = self.rows.rested(turn.at)
        tallies = tuple(replace(tally, passed=False) for tally in so_far.position.tallies)
        return so_far.with_position(rows=tuple(rows), tallies=tallies)

    def _pass(self, so_far: Settled[P], turn: Turn[P]) -> Settled[P]:
        """Let a stuck player stay in; once all have passed one after the other, end the round."""
        before = so_far.position
        tally = replace(before.tallies[turn.seat], passed=True)
        so_far, waiting = so_far.with_tally(turn.seat, tally), before.waiting
        if not all(so_far.position.tallies[seat].passed for seat in waiting):
            return self._begin_next_turn(so_far, turn)
        for seat in waiting:
            score = self.rows.score(before.rows[seat])
            tally = replace(before.tallies[seat], score=score, passed=False)
            turns = *so_far.turns, TurnResult(seat, score, shut=False)
            so_far = replace(so_far.with_tally(seat, tally), turns=turns)
        return self._win_round(so_far, self.round_leaders(so_far.position))
