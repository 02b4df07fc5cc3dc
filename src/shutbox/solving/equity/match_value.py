"""Matches with all standings solved, so that the value of a turn is looked up.

Shares of the win are computed in floats with NumPy, see `sweep`, and within a turn in fractions.
The values of all standings (the positions in which a turn begins) are kept in a file of the cache.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import inf, isnan
from typing import TYPE_CHECKING, Any, cast

from shutbox.engine.english import figure
from shutbox.engine.errors import NothingDue, TooLarge
from shutbox.engine.game import Game, due_choices, position_meant
from shutbox.engine.seats import seat_number
from shutbox.engine.typed_text import check_type
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.match.standing import Status, Turn
from shutbox.output.results import Column, Result
from shutbox.solving import compiled
from shutbox.solving.cache import is_stored, read_or_make
from shutbox.solving.equity.cost import check_whole, cost_of_whole, in_one_round, whole_turn
from shutbox.solving.equity.last_round import LastRound, Outlook, Place, never_comes
from shutbox.solving.equity.last_round_limits import seconds_of_last_round
from shutbox.solving.equity.rows import RowTurn, file_of_rows, pairs_of
from shutbox.solving.objectives import WIN_SECONDS
from shutbox.solving.options import Option, Ranking
from shutbox.solving.progress import Progress, no_progress, progress_meant
from shutbox.solving.solvers import is_within_limits
from shutbox.table.solver_input import match_meant

if TYPE_CHECKING:
    from shutbox.solving.equity.numbering import Floats

VERSION = 2  # of the files; raised whenever the values of a match can change
DENOMINATOR = 1 << 44  # to which shares are rounded, so that fractions stay short
NEAR = Fraction(1, 10**11)  # choices whose shares differ by no more are ties


class Equity(Result, LastRound):
    """A solved match without chips: each player maximises the share of the win in every round.

    >>> from shutbox.table.lookup import find_any
    >>> equity = Equity(find_any("six[seats=2,rounds=3,order=rotate]"))
    >>> equity
    Equity(six[seats=2,rounds=3,order=rotate], Player 1 0.4998, Player 2 0.5002)
    >>> here = "3;0;0;20=9,18;t1;1-6/3"
    >>> round(equity.share(here, "Player 2"), 6), equity.best(here)
    (0.62037, Option(3, value = 0.6204, cost = 0))

    Shares are within 1e-9 of the exact ones. Players tied in a throw-off are assumed to win it
    equally often, and the cap on rounds of a match without a fixed number of rounds is ignored:
    docs/odds.md bounds these effects.

    Choices whose shares are within 1e-11 count as equally good, and the first in canonical order
    is made. With three or more players this convention matters: choices that are equal for the
    player who chooses can differ for the others.

    With one throw each, a match is solved for two players and one round, by tables of their rows:

    >>> Equity(find_any("two-dice(tiles=1-6)[seats=2,turns=throw]"))
    Equity(two-dice(tiles=1-6)[seats=2,rounds=1,turns=throw], Player 1 0.4996, Player 2 0.5004)

    Raises TooLarge for a match for chips or of one player, for one beyond the limits (unless
    `anyway`), and for one that might never come nearer to its end; NotInstalled without NumPy;
    NotUnderstood for anything but a match, even its name. A one-round match of more than two
    players needs no NumPy, and is solved in exact fractions.
    """

    COLUMNS = (Column("player"), Column("share", float))

    def __init__(
        self,
        match: Match[Any, Any],
        *,
        anyway: bool = False,
        progress: Progress = no_progress,
    ) -> None:
        check_type(match, Match)
        check_whole(match, anyway=anyway)
        super().__init__(match, "win", progress)
        # One round of more than two players is solved in exact fractions, on demand.
        has_standings = not (in_one_round(match) or match.rules.rows)
        self._numbering = whole_turn(match)[0] if has_standings else None
        self._pairs = pairs_of(match, progress) if match.rules.rows else None
        self._values = None if self._numbering is None else _values_of(match, progress)
        # Only values that are rounded need it; fractions tie if they are equal.
        self._near = Fraction(0) if self._numbering is None else NEAR

    def load(self, *, make: bool) -> None:
        """Do nothing: the values of standings have a file of their own."""

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
        return float(self.outlook(position).shares[seat_number(seat, self.match.players)])

    def best(self, position: Any = None) -> Option[Any]:
        """Return the best choice of a position, the first if several are equally good.

        Its value is the share of the win of the player who chooses. The position can be its text
        or a `Position`. Raises NothingDue if no choice of a turn is due, and what `share` raises.
        """
        return self.ranked(position)[0]

    def ranked(self, position: Any = None) -> Ranking[Any]:
        """Return the choices of a position with values and costs, best first; see `best`."""
        position = position_meant(self.match, position)
        due_choices(self.match, position)  # raises NothingDue
        doing = self.match.settled(position).position.doing
        if not isinstance(doing, Turn):
            text = self.match.position_id(position)
            raise NothingDue("no choice is due at {position}: it is about chips", position=text)
        return cast(Ranking[Any], self.turn(position).ranked(doing.at))

    def turn(self, position: Place) -> Any:
        """Return the turn under way, solved, as `LastRound.turn` does."""
        standing = self.match.settled(position_meant(self.match, position)).position
        return RowTurn(self._pairs, standing) if self._pairs else super().turn(standing)

    def _outlook(self, standing: Place) -> Outlook:
        if self._pairs is None or not isinstance(standing.doing, Turn):
            return super()._outlook(standing)
        share = Fraction(round(self._pairs.share(standing) * DENOMINATOR), DENOMINATOR)
        return Outlook((share, 1 - share), (Fraction(0),) * 2)

    def _of_whole_turn(self, standing: Place, seat: int) -> Outlook:
        if self._numbering is None or self._values is None:
            return super()._of_whole_turn(standing, seat)
        # Without chips nobody leaves or sits out, so these standings have no number.
        left_out = any(t.sits_out or t.status is Status.LEFT for t in standing.tallies)
        located = None if left_out else self._numbering.locate(standing)
        number = None if located is None else self._numbering.number(located)
        if located is None or number is None:
            raise never_comes(self.match, standing)
        size = self._numbering.size(located.state)
        floats = [0.0] * self._numbering.memory.seats  # a player who is out has no share
        for row, sharer in enumerate(located.seats):
            floats[sharer] = float(self._values[number + row * size])
        if any(map(isnan, floats)):
            raise never_comes(self.match, standing)
        shares = [Fraction(round(share * DENOMINATOR), DENOMINATOR) for share in floats]
        shares[seat] += 1 - sum(shares)  # what rounding has left, so that they sum to 1
        return Outlook(tuple(shares), (Fraction(0),) * len(shares))


def _values_of(match: Match[Any, Any], progress: Progress) -> "Floats":
    """Return the values of all standings, read from their file or else computed and stored."""
    from shutbox.solving.equity.sweep import Sweep

    (numbering, turn), columns = whole_turn(match), compiled.import_columns()

    def make() -> tuple[None, Any]:
        return None, Sweep(numbering, turn, columns, float(NEAR), progress).values

    lasting = traits_of(match.game).lasting  # a name that can mean other rules has no file
    values = (read_or_make(*_file_of_standings(match), make) if lasting else make())[1]
    return cast("Floats", columns.np.frombuffer(values))


def values_are_stored(match: Match[Any, Any]) -> bool:
    """Whether the file of a match exists, unopened; the caller has called `check_whole`."""
    lasting = traits_of(match.game).lasting and not in_one_round(match)
    file_of = file_of_rows if match.rules.rows else _file_of_standings
    return lasting and is_stored(*file_of(match))


def _file_of_standings(match: Match[Any, Any]) -> tuple[str, str]:
    """Return what `read_or_make` needs for the standings of a match; who begins does not matter."""
    game, canonical = match.game, str(replace(match.format, begins=1))
    rules = game.card().options, list(whole_turn(match)[0].memory.ends)
    key = "standings", VERSION, game.name, canonical, len(match.players), *rules
    return f"match-{game.name.partition('(')[0]}", json.dumps(key)


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
    return Equity(match_meant(match), anyway=anyway, progress=progress_meant(progress))


def check_wins(
    match: Match[Any, Any], seconds: float = WIN_SECONDS, *, every_round: bool = True
) -> None:
    """Raise TooLarge unless each round of a match can be solved for the win in so many seconds.

    The estimate decides, or a file with the values. Without `every_round`, only a match of one
    round is solved.
    """
    needed = seconds_of_last_round(match)
    in_exact = match.format.most_rounds == 1 and needed < inf
    if in_exact and needed <= seconds:
        return
    if in_exact and match.format.stake:
        takes = needed
    elif every_round or match.rules.rows:
        cost = cost_of_whole(match)
        if cost.seconds <= seconds or (is_within_limits(cost) and values_are_stored(match)):
            return
        takes = cost.seconds
    else:
        raise TooLarge(
            "to judge this match by the share of the win would take too long here, so points count"
        )
    raise TooLarge(
        "to solve all rounds takes about {seconds:,.0f} seconds; the option anyway allows that",
        costly=True,
        seconds=takes,
    )


def first_round_for_win(
    match: Match[Any, Any], seconds: float = WIN_SECONDS, *, every_round: bool = True
) -> int | None:
    """Return the first round in which the aim is the win; None if it is the score of each turn.

    From it on, perfect players and hints maximise the share of the win. Reviews measure that share
    if it is the first round, and the scores of the rounds before it otherwise. It is the last round
    if only that can be solved in time. The arguments are as in `check_wins`.
    """
    if len(match.players) < 2:
        return None
    with suppress(TooLarge):
        check_wins(match, seconds, every_round=every_round)
        return 1
    with suppress(TooLarge):
        if _is_last_round_quick(match, seconds):
            return match.format.most_rounds
    return None


def solver_for_win(
    match: Match[Any, Any],
    round: int,
    seconds: float = WIN_SECONDS,
    progress: Progress = no_progress,
) -> LastRound:
    """Return a solver of a match from a round on, in which the aim is the win.

    Raises TooLarge for a match that might never come nearer to its end.
    """
    if round >= match.format.most_rounds and _is_last_round_quick(match, seconds):
        return LastRound(match, progress=progress)
    return Equity(match, anyway=True, progress=progress)


def _is_last_round_quick(match: Match[Any, Any], seconds: float) -> bool:
    needed = seconds_of_last_round(match)
    return needed < inf and needed <= seconds
