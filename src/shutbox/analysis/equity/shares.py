"""The shares of the win of a solved match, kind of turn by kind of turn, with their totals."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shutbox.analysis.equity.match_value import Equity
from shutbox.errors import NotUnderstood

if TYPE_CHECKING:
    from shutbox.analysis.equity.standings import TurnKind


@dataclass(frozen=True, slots=True)
class ShareTable:
    """The shares of the player who is about to begin a turn of one kind, by the totals."""

    round: int | None  # from 1; None where rounds are not counted
    second: bool  # whether it is the second turn of its round, and that is not the same
    score: int | None  # of the turn before, where it matters apart from the total
    shut: bool  # whether the turn before shut the box, where that matters
    mine: range
    """The totals of the player; where `theirs` is None, how far they are above the other's."""
    theirs: range | None
    """The totals of the other, the turn before included; None where only the difference counts."""
    shares: tuple[tuple[float, ...], ...]
    """A row for each of `mine`, and in it a share for each of `theirs`, or only one."""

    @property
    def counts(self) -> bool:
        """Whether totals count at all; they do not where only a shut box decides."""
        return self.theirs is not None or self.round is not None

    def at(self, mine: int, theirs: int = 0) -> float | None:
        """The share at these totals; None for such as cannot come up.

        >>> from shutbox.lookup import find_any
        >>> [table] = shown_tables(Equity(find_any("race-200")))
        >>> round(table.at(103, 132), 4), table.at(200, 0)
        (0.3077, None)
        """
        others = range(1) if self.theirs is None else self.theirs
        if mine not in self.mine or theirs not in others:
            return None
        return self.shares[self.mine.index(mine)][others.index(theirs)]


def every_table(equity: Equity) -> Iterator[ShareTable]:
    """The tables of all kinds of turns, in the order in which turns are played."""
    return (_table(equity, kind) for kind in equity.standings.kinds)


def shown_tables(
    equity: Equity,
    round: int | None = None,
    *,
    second: bool = False,
    score: int | None = None,
    shut: bool = False,
) -> list[ShareTable]:
    """The tables of one kind of turn: of one round, or of all of them.

    The first turn of a round, or the `second`; then `score` and `shut` say how the first one
    ended, where it matters. Raises NotUnderstood where no turn is such.
    """
    standings, name = equity.standings, equity.match.name
    most = standings.format.most_rounds
    if round is not None and not standings.counts_rounds:
        raise NotUnderstood("--round: all rounds of {name} are alike", name=name)
    if round is not None and not 1 <= round <= most:
        raise NotUnderstood(
            "--round: there is no round {round}; 1 to {most}", round=round, most=most
        )
    if not second and (score is not None or shut):
        raise NotUnderstood("--score and --shut are about the turn before; add --second")
    if standings.alike and (score is not None or shut):
        raise NotUnderstood("--score, --shut: both turns of a round of {name} are alike", name=name)
    rounds = range(1, most + 1) if standings.counts_rounds else range(1, 2)
    before = _before(equity, score, shut=shut) if second and not standings.alike else None
    kinds = (kind for kind in standings.kinds if kind.before == before)
    return [
        _table(equity, kind)
        for kind in kinds
        if kind.round in (rounds if round is None else [round])
    ]


def _before(equity: Equity, score: int | None, *, shut: bool) -> object:
    """What is kept of a first turn that ended so."""
    befores, name = equity.standings.befores, equity.match.name
    if score is not None and all(before.score is None for before in befores):
        raise NotUnderstood("--score: in {name} it matters in the total only", name=name)
    if shut and not any(before.shut for before in befores):
        raise NotUnderstood("--shut: in {name} it matters in the total only", name=name)
    found = [b for b in befores if b.shut == shut and score in (None, b.score)]
    if not found:
        raise NotUnderstood("--score: no turn of {name} ends with {score}", name=name, score=score)
    if len(found) > 1:
        raise NotUnderstood("--second: add --score; in {name} it decides who begins", name=name)
    return found[0]


def _table(equity: Equity, kind: "TurnKind") -> ShareTable:
    standings = equity.standings
    mine, theirs = standings.ranges(kind)
    values = equity.values[standings.place(kind, standings.cells(kind))]
    rows: list[list[float]] = values.reshape(len(mine), len(theirs)).tolist()
    return ShareTable(
        kind.round if standings.counts_rounds else None,
        kind.before is not None,
        kind.before.score if kind.before else None,
        kind.before.shut if kind.before else False,
        mine,
        None if standings.bound is None else theirs,
        tuple(map(tuple, rows)),
    )
