"""Matches with all standings solved, so that the value of a turn is looked up.

Shares of the win are computed in floats with NumPy, see `sweep`, and within a turn in fractions.
The values of all standings (the positions in which a turn begins) are kept in a file of the cache.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf, isnan
from typing import TYPE_CHECKING, Any

from shutbox.engine.english import figure
from shutbox.engine.errors import NothingDue, NotUnderstood, TooLarge
from shutbox.engine.game import Game, due, position_meant
from shutbox.engine.seats import seat_meant
from shutbox.engine.typed_text import check_is
from shutbox.games.traits import traits_of
from shutbox.match import Match, full_title
from shutbox.match.standing import Ended, Status, Turn
from shutbox.output.results import Column, Result
from shutbox.solving import compiled
from shutbox.solving.cache import cached, is_cached
from shutbox.solving.equity.cost import check_whole, in_one_round, whole_turn
from shutbox.solving.equity.last_round import (
    Answers,
    Outlook,
    Place,
    check_answers,
    seconds_of_answers,
)
from shutbox.solving.equity.rows import RowTurn, name_and_key, pairs_of
from shutbox.solving.graph import Progress, no_progress, or_silent
from shutbox.solving.options import Option, Ranking
from shutbox.solving.solvers import match_named

if TYPE_CHECKING:
    from shutbox.solving.equity.standings import Floats

VERSION = 2  # of the files; raised whenever the values of a match can change
STEPS = 1 << 44  # the denominator to which shares are rounded, so that fractions stay short
NEAR = Fraction(1, 10**11)  # choices whose shares differ by no more are ties


class Equity(Result, Answers):
    """A solved match without chips: each player maximises the share of the win in every round.

    >>> from shutbox.table.lookup import find_any
    >>> equity = Equity(find_any("six[seats=2,rounds=3,order=rotate]"))
    >>> equity
    Equity(six[seats=2,rounds=3,order=rotate], Player 1 0.4998, Player 2 0.5002)
    >>> here = "3;0;0;20=9,18;t1;1-6/3"
    >>> round(equity.share(here, "Player 2"), 6), equity.best(here)
    (0.62037, Option(3, value = 0.6204, cost = 0))

    Shares are within 1e-9 of the exact ones. Objects are equal if their matches are, and can be
    pickled. Players tied in a throw-off are assumed to win it equally often, and the cap on rounds
    of a match without a fixed number of rounds is ignored: docs/equity.md bounds these effects.

    Choices whose shares are within 1e-11 count as equally good, and the first in canonical order
    is made. With three or more players this convention matters: choices that are equal for the
    player who chooses can differ for the others.

    With one throw each, a match is solved for two players and one round, by tables of their rows:

    >>> Equity(find_any("two-dice(tiles=1-6)[seats=2,turns=throw]"))
    Equity(two-dice(tiles=1-6)[seats=2,rounds=1,turns=throw], Player 1 0.4996, Player 2 0.5004)

    Raises TooLarge for a match for chips or of one player, for one beyond the limits (unless
    `anyway`), and for one that might never come nearer to its end; NotInstalled without NumPy. A
    one-round match of more than two players needs no NumPy, and is solved in exact fractions.
    """

    COLUMNS = (Column("player"), Column("share", float))
    _near = NEAR

    def __init__(
        self,
        match: Game[Any, Any] | str,
        *,
        anyway: bool = False,
        progress: Progress = no_progress,
        values: "Floats | None" = None,
    ) -> None:
        """Solve the match, or take the `values` of one that differs at most in who begins."""
        match = match_named(match)
        check_whole(match, anyway=anyway or values is not None)
        super().__init__(match, "win", progress)
        # One round of more than two players is solved in exact fractions, on demand.
        in_fractions = in_one_round(match) or match.rules.rows
        self._standings = None if in_fractions else whole_turn(match)[0]
        self._pairs = pairs_of(match, progress) if match.rules.rows else None
        if self._standings is not None and values is None:
            values = _values_of(match, progress)
        self._values = values

    def again(self, match: "Match[Any, Any]") -> "Equity":
        """Return the Equity of a match that differs only in who begins, from these values."""
        return Equity(match, anyway=True, progress=self._progress, values=self._values)

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

    def _summary(self) -> str:
        return f"{self.match.name}, {', '.join(f'{n} {figure(s)}' for n, s in self._rows())}"

    def _rows(self) -> Iterator[tuple[str, float]]:
        return zip(self.match.players, self.shares, strict=True)

    def share(self, position: Any = None, seat: int | str = 0) -> float:
        """Return the share of the win of a seat at a position of the match, or at its start.

        The position can be its text or a `Position`, and the seat its number, from 0, or a name.
        Raises NotUnderstood for a position of another match or one that cannot come up, the errors
        of `Game.position_at` for a text, and BadName for a seat that does not exist.
        """
        return float(self.outlook(position).shares[seat_meant(seat, self.match.players)])

    def best(self, position: Any = None) -> Option[Any]:
        """Return the best choice of a position, the first if several are equally good.

        Its value is the share of the win of the player who chooses. The position can be its text
        or a `Position`. Raises NothingDue if no choice of a turn is due, and what `share` raises.
        """
        return self.ranked(position)[0]

    def ranked(self, position: Any = None) -> Ranking[Any]:
        """Return the choices of a position with values and costs, best first; see `best`."""
        position = position_meant(self.match, position)
        due(self.match, position)
        here = self.match.settled(position).position
        if not isinstance(here.doing, Turn):
            id = self.match.position_id(position)
            raise NothingDue("no choice is due at {position}: it is about chips", position=id)
        ranking: Ranking[Any] = self.turn(position).ranked(here.doing.at)
        return ranking

    def table(
        self, round: int = 1, *, second: bool = False, score: int | None = None, shut: bool = False
    ) -> "Floats":
        """Return the shares of the win of the player who is about to begin a turn.

        The turn is the first of a round, or the `second`. For the second, the other's total
        includes the score of the first, and `score` and `shut` are the end of the first, if it
        matters. If rounds are not counted, `round` is 1. The result is float64[mine, theirs], by
        the totals, if a target, a limit or rounds won end the match; float64[difference] if the
        number of rounds does, with equal totals in the middle and a lead of mine after it; or
        float64[1] if only a shut box does. NaN marks totals that cannot occur. Raises TooLarge for
        more than two players, and NotUnderstood if there is no such turn.
        """
        if self._standings is None or self._standings.seats > 2:
            raise TooLarge(
                "{name}: a table of all standings is made for two players with whole turns",
                name=full_title(self.match),
            )
        assert self._values is not None  # always set with the numbering
        check_is(round, int)
        return self._standings.table(self._values, round, (score, shut) if second else None)

    def turn(self, position: Place) -> Any:
        """Return the turn under way, solved, as `Answers.turn` does."""
        here = self.match.settled(position_meant(self.match, position)).position
        return RowTurn(self._pairs, here) if self._pairs else super().turn(here)

    def _outlook(self, here: Place) -> Outlook:
        if self._pairs is None or not isinstance(here.doing, Turn):
            return super()._outlook(here)
        share = Fraction(round(self._pairs.share(here) * STEPS), STEPS)
        return Outlook((share, 1 - share), (Fraction(0),) * 2)

    def _of_whole_turn(self, here: Place, seat: int) -> Outlook:
        if self._standings is None:
            return super()._of_whole_turn(here, seat)
        left_out = any(t.sits_out or t.status is Status.LEFT for t in here.tallies)
        found = None if left_out else self._standings.number(here)
        known = [0.0] * self._standings.seats  # a player who is out has no share
        if found is not None and self._values is not None:
            state, number, seats = found
            for row, at in enumerate(seats):
                known[at] = float(self._values[number + row * self._standings.size(state)])
        if found is None or any(map(isnan, known)):  # it cannot occur
            raise NotUnderstood(
                "{position}: no match of {match} comes to this",
                position=self.match.position_id(here),
                match=full_title(self.match),
            )
        shares = [Fraction(round(share * STEPS), STEPS) for share in known]
        shares[seat] += 1 - sum(shares)
        return Outlook(tuple(shares), (Fraction(0),) * len(shares))


def _values_of(match: "Match[Any, Any]", progress: Progress) -> "Floats":
    """Return the values of all standings: from their file, or computed, and then kept."""
    from shutbox.solving.equity.sweep import Sweep

    (standings, turn), columns = whole_turn(match), compiled.columns()

    def make() -> tuple[None, Any]:
        sweep = compiled.with_recompile(Sweep, standings, turn, columns, float(NEAR), progress)
        return None, sweep.values

    keeps = traits_of(match.game).lasting
    values = (cached(*_name_and_key(match), make) if keeps else make())[1]
    found: Floats = columns.np.frombuffer(values)
    return found


def are_stored(match: "Match[Any, Any]") -> bool:
    """Whether the file of a match exists, unopened; the caller has called `check_whole`."""
    lasting = traits_of(match.game).lasting and not in_one_round(match)
    found = name_and_key if match.rules.rows else _name_and_key
    return lasting and is_cached(*found(match))


def _name_and_key(match: "Match[Any, Any]") -> tuple[str, str]:
    # The values of the standings do not depend on who begins the first round.
    canonical = str(replace(match.format, begins=1))
    asked: list[object] = ["standings", VERSION, match.game.name, canonical, len(match.players)]
    asked += [match.game.card().options, list(whole_turn(match)[0].ends)]
    return f"match-{match.game.name.partition('(')[0]}", json.dumps(asked)


def equity(
    match: Game[Any, Any] | str, *, anyway: bool = False, progress: Progress | None = None
) -> Equity:
    """Solve a match without chips, given as an object or by its name; see `Equity`.

    `anyway` ignores the limits. `progress` is called with standings done and in all (0: unknown).
    The values of standings are kept in a file of the user's cache, and read from it.

    >>> import shutbox
    >>> solved = shutbox.equity("lucky-seven[seats=2,until=shut,shut=wins]")
    >>> round(solved.share(), 6)  # six to five: who begins has the first chance in six
    0.545455

    Raises what `find` and `Equity` raise, and NotUnderstood for anything but a match.
    """
    return Equity(match, anyway=anyway, progress=or_silent(progress))


def answers_at(
    match: "Match[Any, Any]",
    position: Place,
    aim: str = "win",
    *,
    anyway: bool = False,
    progress: Progress = no_progress,
) -> Answers:
    """Return a solver of a match from a position on, for the `aim` "win" or "chips".

    It is an `Equity` for "win" if `needs_whole`, else an `Answers`. Raises TooLarge as `Equity`,
    or as `check_answers` for `Answers`.
    """
    if aim == "win" and needs_whole(match, position):
        return Equity(match, anyway=anyway, progress=progress)
    check_answers(match, anyway=anyway)
    return Answers(match, aim, progress)


def needs_whole(match: "Match[Any, Any]", position: Place) -> bool:
    """Whether the win at a position is found by `Equity` (all rounds), not `Answers` (the last).

    False after the match, and for a lone player or chips, which `Equity` does not solve. True even
    in the last round if `Answers` cannot solve the format.
    """
    if len(match.players) < 2 or match.format.stake:
        return False
    here = match.settled(position).position
    if isinstance(here.doing, Ended):
        return False
    return seconds_of_answers(match) == inf or here.round < match.format.most_rounds
