"""Tables of the shares of the win in a solved match of two players, by the totals.

Turns are of one kind if only the totals differ. All functions raise TooLarge for more players.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shutbox.errors import NotUnderstood
from shutbox.results import Column, Result, Row

if TYPE_CHECKING:
    from shutbox.analysis.equity.standings import TurnState


Solved = Any  # an Equity, which imports this module


@dataclass(frozen=True, slots=True, repr=False)
class ShareTable(Result):
    """The shares of the player who is about to begin one kind of turn, by the totals."""

    COLUMNS = (Column("mine", int), Column("theirs", int), Column("share", float))

    round: int | None  # from 1; None if rounds are not counted
    second: bool  # whether it is the second turn of its round, if that differs from the first
    score: int | None  # of the previous turn, if it matters apart from the total
    shut: bool  # whether the previous turn shut the box, if that matters
    mine: range
    """The totals of the player; if `theirs` is None, the leads over the other player."""
    theirs: range | None
    """The totals of the other, including the previous turn; None if only the difference counts."""
    shares: tuple[tuple[float, ...], ...]
    """A row for each of `mine`, with a share for each of `theirs`, or only one share."""

    @property
    def counts(self) -> bool:
        """Whether totals count at all; they do not if only a shut box decides."""
        return self.theirs is not None or self.round is not None

    def report(self) -> dict[str, Any]:
        """Return the table as a value for `json.dumps`."""
        names = ("round", "second", "score", "shut")
        theirs = None if self.theirs is None else list(self.theirs)
        totals = {"mine": list(self.mine), "theirs": theirs, "shares": self.shares}
        return {name: getattr(self, name) for name in names} | totals

    def _summary(self) -> str:
        turn = "second" if self.second else "first"
        return f"{turn} turn, round {self.round}, {len(self.mine)} x {len(self.shares[0])} shares"

    def _rows(self) -> Iterator[Row]:
        others = (None,) if self.theirs is None else self.theirs
        for mine in self.mine:
            yield from ((mine, theirs, self.at(mine, theirs or 0)) for theirs in others)

    def at(self, mine: int, theirs: int = 0) -> float | None:
        """Return the share at these totals, or at a lead (see `mine`); None for impossible ones.

        >>> import shutbox
        >>> [table] = shutbox.equity("race-200").tables()
        >>> table
        ShareTable(first turn, round None, 200 x 200 shares)
        >>> round(table.at(103, 132), 4), table.at(200, 0)
        (0.3077, None)
        """
        others = range(1) if self.theirs is None else self.theirs
        if mine not in self.mine or theirs not in others:
            return None
        return self.shares[self.mine.index(mine)][others.index(theirs)]


def every_table(equity: Solved) -> Iterator[ShareTable]:
    """Return the tables of all kinds of turns, round by round, the first turns first."""
    return (table_of(equity, state) for state in equity.standings.states)


def shown_tables(
    equity: Solved,
    round: int | None = None,
    *,
    second: bool = False,
    score: int | None = None,
    shut: bool = False,
) -> list[ShareTable]:
    """Return the tables of one kind of turn, for one round, or for all if `round` is None.

    The turn is the first of a round, or the `second`; then `score` and `shut` are the end of the
    first, if it matters. Raises NotUnderstood if there is no such turn.
    """
    standings, name = equity.standings, equity.match.name
    most = standings.format.most_rounds
    if round is not None and not standings.counts_rounds:
        raise NotUnderstood("--round: all rounds of {match} are alike", match=name)
    if round is not None and not 1 <= round <= most:
        raise NotUnderstood(
            "--round: there is no round {round}; 1 to {most}", round=round, most=most
        )
    if not second and (score is not None or shut):
        raise NotUnderstood("--score and --shut are about the turn before; add --second")
    if standings.alike and (score is not None or shut):
        raise NotUnderstood(
            "--score, --shut: both turns of a round of {match} are alike", match=name
        )
    after = second and not standings.alike
    before = _turn_before(equity, score, shut=shut) if after else (None, False)
    return [
        table_of(equity, state)
        for state in standings.states
        if (bool(state.due), *_end_of(equity, state)) == (after, *before)
        and round in (None, state.round)
    ]


def _turn_before(equity: Solved, score: int | None, *, shut: bool) -> tuple[int | None, bool]:
    """Return score and shut of the first turn. Raises NotUnderstood unless just one kind fits."""
    name = equity.match.name
    ends = dict.fromkeys(_end_of(equity, state) for state in equity.standings.states if state.due)
    if score is not None and all(known is None for known, _ in ends):
        raise NotUnderstood("--score: in {match} it matters in the total only", match=name)
    if shut and not any(known for _, known in ends):
        raise NotUnderstood("--shut: in {match} it matters in the total only", match=name)
    found = [end for end in ends if end[1] == shut and score in (None, end[0])]
    if not found:
        raise NotUnderstood(
            "--score: no turn of {match} ends with {score}", match=name, score=score
        )
    if len(found) > 1:
        raise NotUnderstood("--second: add --score; in {match} it decides who begins", match=name)
    return found[0]


def _end_of(equity: Solved, state: "TurnState") -> tuple[int | None, bool]:
    """Return the score and shut of the previous turn; (None, False) where they do not matter."""
    score, shut = state.history.best, bool(state.history.shut)
    if shut and score is None:  # only one score shuts the box
        [score] = {score for score, shut in equity.standings.ends if shut}
    return score, shut


def table_of(equity: Solved, state: "TurnState") -> ShareTable:
    """Return the table of the turns of one kind, a state of `equity.standings`."""
    standings = equity.standings
    mine, theirs, shares = standings.square(equity.values, state)
    return ShareTable(
        state.round if standings.counts_rounds else None,
        bool(state.due),
        *_end_of(equity, state),
        mine,
        None if standings.bound is None else theirs,
        tuple(map(tuple, shares.tolist())),
    )
