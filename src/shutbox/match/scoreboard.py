"""The figures of a match: its scoreboard, and the sheet of its rounds.

The sheet is made from the steps of a play, so it has no round that was taken back.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from shutbox.engine.game import C, Game, P
from shutbox.engine.messages import gettext, gettext_noop, pgettext
from shutbox.engine.play import Step
from shutbox.match.game import Choice, Match
from shutbox.match.race import Race
from shutbox.match.standing import Ended, RoundResult, Standing, Turn


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The totals, goals and leaders of a match at a settled position; those of players by seat."""

    players: tuple[str, ...]  # the names
    totals: tuple[int, ...]  # including scores of this round; with `wins` the rounds won
    seat: int | None  # whose turn it is; None outside turns
    round: int  # from 1
    rounds: int | None  # the most rounds; None if the format sets no number
    target: int | None  # the total that wins
    limit: int | None  # the total that puts a player out
    scores: tuple[int | None, ...] = ()  # of this round; None before the end of the turn
    chips: tuple[int, ...] = ()  # empty without a stake
    needs: tuple[int | None, ...] = ()
    """The worst score that puts a player to come ahead of all scores so far; otherwise None."""
    leaders: tuple[int, ...] = ()  # the seats that lead or have won; empty if that is open
    wins: int | None = None  # the number of rounds to win; None if sums of scores are totals
    decided: int | None = None  # the seat that can no longer be caught

    def report(self) -> dict[str, Any]:
        """Return the fields by name, as a value for `json.dumps`."""
        return asdict(self)

    def words(self, players: Sequence[str] | None = None) -> str:
        """Return totals and goal, to begin a sentence; `players` are other names for it.

        >>> Scoreboard(("Ann", "Player 2"), (20, 31), 0, 4, 5, None, None).words()
        'Ann 20, Player 2 has 31, round 4 of 5: to win'
        """
        parts = [*map(_has, players or self.players, self.totals)]
        if self.limit is not None:
            parts.append(gettext("out at {limit}", limit=self.limit))
        if self.wins:
            parts.append(gettext("first to win {wins} rounds", wins=self.wins))
        elif self.rounds:
            parts.append(gettext("round {round} of {rounds}", round=self.round, rounds=self.rounds))
        facts = {"standing": pgettext("list separator", ", ").join(parts), "target": self.target}
        # Translators: {standing} is such as "Ann 20, Bob 31, round 4 of 5"; to win is the aim of
        # the advice that follows.
        says = gettext_noop("{standing}: to win")
        if self.target is not None:
            says = gettext_noop("{standing}: to win at {target}")
        return gettext(says, **facts)


def _has(name: str, total: int) -> str:
    if name[-1:].isdigit():  # two numbers in a row sound like one
        return gettext("{name} has {total}", name=name, total=total)
    return gettext("{name} {total}", name=name, total=total)


def scoreboard(match: Match[Any, Any], position: Any) -> Scoreboard:
    """Return the scoreboard of a match at a position, after all automatic steps."""
    standing, format = match.settled(position).position, match.format
    race, doing = Race(match.rules, standing), standing.doing
    leaders = doing.winners if isinstance(doing, Ended) else race.leaders
    if standing.rows and isinstance(doing, Turn):  # a player who is out is behind some still in
        leaders = ()
    return Scoreboard(
        players=match.players,
        totals=race.totals,
        seat=doing.seat if isinstance(doing, Turn) else None,
        round=standing.round,
        rounds=format.rounds,
        target=format.target,
        limit=format.limit,
        scores=tuple(tally.score for tally in standing.tallies),
        chips=tuple(tally.chips for tally in standing.tallies) if format.stake else (),
        needs=tuple(race.score_needed(seat) for seat in range(len(match.players))),
        leaders=leaders,
        wins=format.wins if format.counts_wins else None,
        decided=race.sure_winner,
    )


def scoreboard_of_totals(game: Game[Any, Any], position: Any) -> Scoreboard | None:
    """Return the scoreboard if totals decide; None if not, or if no turn is in progress.

    Totals do not decide a single game, a match of one round or of a lone player, or a match that
    only a shut box ends.
    """
    if not isinstance(game, Match) or len(game.players) == 1 or game.format.most_rounds == 1:
        return None
    board = scoreboard(game, position)
    has_end = (board.target, board.limit, board.rounds, board.wins) != (None,) * 4
    return board if has_end and board.seat is not None else None


def sheet(
    match: Match[P, C], steps: Iterable[Step[Standing[P], Choice[C]]]
) -> tuple[RoundResult, ...]:
    """Return the results of the rounds that are over after these steps of a play, in order."""
    results = (match.settled(step.after).result for step in steps)
    return tuple(result for result in results if result is not None)
