"""The scoreboard of a match: the figures of every player, for front ends and for advice."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from shutbox.game import Game
from shutbox.match.game import Match
from shutbox.match.race import Race
from shutbox.match.standing import About, Contest, Ended, Turn
from shutbox.messages import gettext, gettext_noop, pgettext

_PLAYED_TO = {
    (True, False, False): gettext_noop("{totals}: to win at {target}"),
    (True, False, True): gettext_noop("{totals}, round {round} of {rounds}: to win at {target}"),
    (False, True, False): gettext_noop("{totals}, out at {limit}: to win"),
    (False, True, True): gettext_noop(
        "{totals}, out at {limit}, round {round} of {rounds}: to win"
    ),
    (False, False, True): gettext_noop("{totals}, round {round} of {rounds}: to win"),
}
"""The templates, by whether there is a target, a limit, and a number of rounds."""


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The figures of a match at a settled position; those of players are by seat."""

    players: tuple[str, ...]  # the names
    totals: tuple[int, ...]  # including scores of this round
    seat: int | None  # whose turn it is; None outside turns
    round: int  # from 1
    rounds: int | None  # the number of rounds, if they are counted
    target: int | None  # the total that wins
    limit: int | None  # the total that puts a player out
    scores: tuple[int | None, ...] = ()  # of this round; None before the end of the turn
    chips: tuple[int, ...] = ()  # empty without a stake
    needs: tuple[int | None, ...] = ()
    """The worst score of this round with which a player to come gets ahead of all scores so far;
    None if there is none."""
    leaders: tuple[int, ...] = ()  # the seats that lead or have won; empty if that is open
    decided: int | None = None  # the seat that can no longer be caught

    def of(self, players: Sequence[str] | None) -> "Scoreboard":
        """Return a copy with other names of the players; None leaves them unchanged."""
        return self if players is None else replace(self, players=tuple(players))

    def report(self) -> dict[str, Any]:
        """Return the scoreboard as a value for `json.dumps`."""
        facts = asdict(self).items()
        return {name: list(fact) if isinstance(fact, tuple) else fact for name, fact in facts}

    def words(self) -> str:
        """Return the totals and the goal of the match, as the beginning of a sentence.

        >>> Scoreboard(("Ann", "Bob"), (103, 132), 0, 6, None, 200, None).words()
        'Ann 103, Bob 132: to win at 200'
        >>> Scoreboard(("Ann", "Player 2"), (20, 31), 0, 4, 5, None, None).words()
        'Ann 20, Player 2 has 31, round 4 of 5: to win'
        """
        each = map(_has, self.players, self.totals)
        known = self.target is not None, self.limit is not None, self.rounds is not None
        facts = {name: getattr(self, name) for name in ("round", "rounds", "target", "limit")}
        return gettext(
            _PLAYED_TO[known], totals=pgettext("list separator", ", ").join(each), **facts
        )


def _has(name: str, total: int) -> str:
    # Two numbers in a row sound like one.
    template = (
        gettext_noop("{name} has {total}")
        if name[-1:].isdigit()
        else gettext_noop("{name} {total}")
    )
    return gettext(template, name=name, total=total)


def scoreboard(match: Match[Any, Any], position: Any) -> Scoreboard:
    """Return the scoreboard of a match at a position.

    >>> from shutbox.lookup import find_any
    >>> match = find_any("race-200")
    >>> board = scoreboard(match, match.position_at("6;0;0;103=7,132;t1;1-9"))
    >>> board.totals, board.scores
    ((110, 132), (7, None))
    """
    here, format = match.settled(position).position, match.format
    race, leaders, added_up = Race(match.rules, here), None, False
    match here.doing:
        case Ended(winners=winners):
            leaders, added_up = winners, True
        case Contest(about=About.MATCH):
            added_up = True
    # By then, the totals include the scores of the last round.
    totals = (t.total + (0 if added_up else t.score or 0) for t in here.tallies)
    return Scoreboard(
        players=match.players,
        totals=tuple(totals),
        seat=here.doing.seat if isinstance(here.doing, Turn) else None,
        round=here.round,
        rounds=format.rounds,
        target=format.target,
        limit=format.limit,
        scores=tuple(tally.score for tally in here.tallies),
        chips=tuple(tally.chips for tally in here.tallies) if format.stake else (),
        needs=tuple(race.needs(seat) for seat in range(len(match.players))),
        leaders=race.leaders if leaders is None else leaders,
        decided=race.decided,
    )


def scoreboard_of_totals(game: Game[Any, Any], position: Any) -> Scoreboard | None:
    """Return the scoreboard if totals decide; None if they do not, or without a turn.

    Totals do not decide a single game, a match of one round or of a lone player, or a match that
    only a shut box ends.
    """
    if not isinstance(game, Match) or len(game.players) == 1 or game.format.most_rounds == 1:
        return None
    board = scoreboard(game, position)
    has_end = (board.target, board.limit, board.rounds) != (None, None, None)
    return board if has_end and board.seat is not None else None
