"""The totals of a match, which are the context of advice for the win."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from shutbox.game import Game
from shutbox.match import Match
from shutbox.match.standing import Turn
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
    """The totals in a match that totals decide, and the conditions that end it."""

    players: tuple[str, ...]  # the names, by seat
    totals: tuple[int, ...]  # by seat, including scores of this round
    seat: int  # whose turn it is
    round: int  # from 1
    rounds: int | None  # the number of rounds, if they are counted
    target: int | None  # the total that wins
    limit: int | None  # the total that puts a player out

    def of(self, players: Sequence[str] | None) -> "Scoreboard":
        """Return a copy with other names of the players; None leaves them unchanged."""
        return self if players is None else replace(self, players=tuple(players))

    def report(self) -> dict[str, Any]:
        """Return the scoreboard as a value for `json.dumps`."""
        return {**asdict(self), "players": list(self.players), "totals": list(self.totals)}

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


def scoreboard(game: Game[Any, Any], position: Any) -> Scoreboard | None:
    """Return the scoreboard at a position; None without a turn, or if totals do not decide.

    >>> from shutbox.lookup import find_any
    >>> match = find_any("race-200")
    >>> scoreboard(match, match.position_at("6;0;0;103=7,132;t1;1-9")).totals
    (110, 132)
    >>> scoreboard(match.game, match.game.start())

    Totals do not decide a single game, a match of one round or of a lone player, or a match that
    only a shut box ends.
    """
    if not isinstance(game, Match) or len(game.players) == 1:
        return None
    here, format = game.settled(position).position, game.format
    ends = format.target, format.limit, format.rounds
    if not isinstance(here.doing, Turn) or format.most_rounds == 1 or ends == (None, None, None):
        return None
    return Scoreboard(
        players=game.players,
        totals=tuple(tally.total + (tally.score or 0) for tally in here.tallies),
        seat=here.doing.seat,
        round=here.round,
        rounds=format.rounds,
        target=format.target,
        limit=format.limit,
    )
