"""A match, every standing of it solved: what a turn is worth is looked up.

The share of the win is worked out in floats, see `sweep`; for the kernel that does it NumPy is
needed, and numba makes it ten times as fast. Within a turn whole fractions are used again. The
values of all standings are worked out once and kept in a book.
"""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, cast

from shutbox.analysis.equity.cost import check_whole, in_one_round, whole_turn
from shutbox.analysis.equity.last_round import (
    Answers,
    Outlook,
    Place,
    check_answers,
    seconds_of_answers,
)
from shutbox.analysis.named import match_named
from shutbox.errors import NotUnderstood, TooLarge
from shutbox.game import Choose, Game
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.match.standing import Ended, Status, Turn
from shutbox.messages import gettext
from shutbox.solver import tablebase
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.meant import position_meant
from shutbox.solver.solution import GraphSolution

if TYPE_CHECKING:
    from shutbox.analysis.equity.standings import Floats, Standings

VERSION = 2  # of the books, counted up whenever the same match may have other values
STEPS = 1 << 44  # shares are rounded to so many parts, so that fractions stay short
NEAR = Fraction(1, 10**11)  # choices whose shares differ by no more are ties


class NearSolution(GraphSolution[Any, Any]):
    """A turn whose ends are worth what is known within NEAR."""

    near = NEAR


class Equity(Answers):
    """A match without chips, solved: everybody plays for his share of the win in every round.

    >>> from shutbox.lookup import find_any
    >>> equity = Equity(find_any("six[seats=2,rounds=3,order=rotate]"))
    >>> [round(share, 6) for share in equity.shares]
    [0.499789, 0.500211]
    >>> here = equity.match.position_at("3;0;0;20=9,18;t1;1-6/3")
    >>> round(equity.share(here, 1), 6), equity.match.choice_text(equity.best(here))
    (0.62037, '3')

    Shares are within 1e-9 of the exact ones. A value: equal where the matches are; it can be
    pickled. Ties in a throw-off are won equally often, and the most rounds of a match that is not
    played for a number of rounds are left out: docs/odds.md tells how little that is.

    Choices whose shares are within 1e-11 are equally good, and the first is made, in canonical
    order. With three players and more that is a rule of its own: what is the same to the player who
    chooses need not be to the others.

    Raises TooLarge for a match for chips, beyond the limits (unless `anyway`), and where NumPy is
    not installed; of more than two players a match of one round needs none, and is solved in whole
    fractions.
    """

    _solution = NearSolution

    def __init__(
        self,
        match: "Match[Any, Any]",
        *,
        anyway: bool = False,
        progress: Progress = unheard,
        values: "Floats | None" = None,
    ) -> None:
        """`values` are those that another one of the same match has worked out."""
        check_whole(match, anyway=anyway or values is not None)
        super().__init__(match, "win", progress)
        # What is one round of more than two is worked out in whole fractions, where it is asked.
        self._standings = None if in_one_round(match) else whole_turn(match)[0]
        self._values = values
        if self._standings is not None and values is None:
            self._values = _values_of(match, progress)

    def again(self, match: "Match[Any, Any]") -> "Equity":
        """Return the solution of a match that differs only in who begins, from the same values."""
        return Equity(match, anyway=True, progress=self._progress, values=self._values)

    @property
    def standings(self) -> "Standings":
        """The standings of a match of two. Raises TooLarge for more."""
        if self._standings is None or self._standings.seats > 2:
            raise TooLarge(
                "{name}: a table of all standings is made for two players", name=self.match.name
            )
        return self._standings

    @property
    def values(self) -> "Floats":
        """The values of all standings of a match of two. Raises TooLarge for more."""
        assert self.standings.seats == 2
        assert self._values is not None  # two have them
        return self._values

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Equity, values=self._values), (self.match,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equity) and self.match == other.match

    def __hash__(self) -> int:
        return hash((Equity, self.match))

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the win at the start; they sum to 1."""
        return tuple(map(float, self.outlook().shares))

    def share(self, position: Any = None, seat: int = 0) -> float:
        """Return the share of the win of a seat at a position of the match, or at its start.

        The position may be its text or a view of it. Raises NotUnderstood for one of another match.
        """
        return float(self.outlook(position).shares[seat])

    def best(self, position: Any) -> Any:
        """Return the best choice of a position; of equally good ones the first.

        Raises ValueError where no choice is due.
        """
        position = position_meant(self.match, position)
        here = self.match.settled(position).position
        if not isinstance(self.match.awaits(position), Choose) or not isinstance(here.doing, Turn):
            id = self.match.position_id(position)
            raise ValueError(gettext("no choice is due at {position}", position=id))
        return self.turn(position).best(here.doing.at)

    def table(
        self, round: int = 1, *, second: bool = False, score: int | None = None, shut: bool = False
    ) -> "Floats":
        """Return the shares of the win of the player who is due, for a whole turn to come.

        The turn is the first of a round, or the `second`; then the other's total has the score of
        the first, and `score` and `shut` say how that ended, where it matters. Rounds that are not
        counted are all round 1. float64[mine, theirs], by the totals, where a target or a limit
        ends the match; float64[apart] where rounds do, the middle of it for equal totals and
        more mine after it; one number where only a shut box does. NaN for what cannot come up.
        """
        end = (score, shut) if second else None
        return self.standings.table(self.values, round, end)

    def _of_whole_turn(self, here: Place, seat: int) -> Outlook:
        if self._standings is None:
            return super()._of_whole_turn(here, seat)
        left_out = any(t.sits_out or t.status is Status.LEFT for t in here.tallies)
        found = None if left_out else self._standings.number(here)
        known = [0.0] * self._standings.seats  # a player who is out has nothing
        if found is not None and self._values is not None:
            state, number, seats = found
            for row, at in enumerate(seats):
                known[at] = float(self._values[number + row * self._standings.size(state)])
        if found is None or any(share != share for share in known):  # NaN: it cannot be
            raise NotUnderstood(
                "{position}: no match of {name} comes to this",
                position=self.match.position_id(here),
                name=self.match.name,
            )
        shares = [Fraction(round(share * STEPS), STEPS) for share in known]
        shares[seat] += 1 - sum(shares)
        return Outlook(tuple(shares), (Fraction(0),) * len(shares))


def _values_of(match: "Match[Any, Any]", progress: Progress) -> "Floats":
    """Return the values of all standings: from a book, or worked out and kept."""
    from shutbox.analysis.equity.sweep import Sweep, read_only
    from shutbox.solver import compiled

    standings, turn = whole_turn(match)
    title, lasting = _title(match), traits_of(match.game).lasting
    if lasting and (book := tablebase.read(**title)) is not None:
        with suppress(tablebase.Damaged):
            if len(book) == standings.numbers:
                return read_only(book.values())
    values: Floats = compiled.called(
        lambda: Sweep(standings, turn, compiled.columns(), float(NEAR), progress).values
    )
    if lasting:
        tablebase.write(answers={}, values=cast(Any, values), **title)
    return values


def are_kept(match: "Match[Any, Any]") -> bool:
    """Whether there is a book of all standings, as far as can be seen without opening it.

    The turn is made for it, so `check_whole` is asked before.
    """
    lasting = traits_of(match.game).lasting and not in_one_round(match)
    return lasting and tablebase.exists(**_title(match))


def _title(match: "Match[Any, Any]") -> tablebase.Title:
    # Who begins the first round is not a question of what a standing is worth.
    alike = str(replace(match.format, begins=1))
    asked: list[object] = ["standings", VERSION, match.game.name, alike, len(match.players)]
    asked += [match.game.card().options, list(whole_turn(match)[0].ends)]
    return tablebase.title("match", match.game.name, *asked)


def equity(
    match: Game[Any, Any] | str, *, anyway: bool = False, progress: Progress = unheard
) -> Equity:
    """Solve a match without chips, or the one of a name; see `Equity`.

    `anyway`: beyond the limits too. `progress` hears how many standings are done, of how many.

    >>> import shutbox
    >>> solved = shutbox.equity("lucky-seven[seats=2,until=shut,shut=wins]")
    >>> round(solved.share(), 6)  # six to five: who begins has the first chance in six
    0.545455

    Raises NotUnderstood for what is no match, and TooLarge.
    """
    return Equity(match_named(match), anyway=anyway, progress=progress)


def answers_at(
    match: "Match[Any, Any]",
    position: Place,
    aim: str = "win",
    *,
    anyway: bool = False,
    progress: Progress = unheard,
) -> Answers:
    """Return a match solved from a position on, by the solver that suits it.

    The last round of a match that totals decide in whole fractions, for any number of players;
    every other standing by `Equity`. Raises TooLarge where neither can.
    """
    if aim == "win" and needs_whole(match, position):
        return Equity(match, anyway=anyway, progress=progress)
    check_answers(match, anyway=anyway)
    return Answers(match, aim, progress)


def needs_whole(match: "Match[Any, Any]", position: Place) -> bool:
    """Whether `Answers` does not know what a position of a match is worth."""
    if len(match.players) < 2 or match.format.stake:
        return False
    here = match.settled(position).position
    if isinstance(here.doing, Ended):
        return False
    return seconds_of_answers(match) == inf or here.round < match.format.most_rounds
