"""The loss of a policy in a turn, and of the choices that were made in a match."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shutbox.engine.english import figure
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.play import Play
from shutbox.engine.typed_text import check_type
from shutbox.match import Match
from shutbox.output.results import Column, Result, Row
from shutbox.solving.equity.match_value import Equity
from shutbox.solving.review.review import Record, open_record, review_play
from shutbox.solving.review.valuation import ShareValuation

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Regret(Result):
    """The exact loss of a policy against best play in a turn; for a match see `match_regret`."""

    COLUMNS = (Column("state", int), Column("cost", float), Column("visits", float))

    total: float
    """The value of best play minus the value of the policy."""
    costs: Floats
    """float64[S]: the loss in each state when it comes up, with best play after it."""
    visits: Floats
    """float64[S]: how often each state comes up in a turn under the policy, on average."""

    def _summary(self) -> str:
        return f"total = {figure(self.total)}, per step = {figure(self.per_step)}"

    def _rows(self) -> Iterator[Row]:
        pairs = zip(self.costs.tolist(), self.visits.tolist(), strict=True)
        return ((state, *pair) for state, pair in enumerate(pairs))

    @property
    def per_step(self) -> float:
        """The mean loss of a step; 0 if no choice was made."""
        return self.total / max(1.0, float(self.visits.sum()))


def match_regret(equity: Equity, record: Record) -> tuple[Regret, ...]:
    """Return the losses of each seat's choices in a play or a record of a solved match.

    Losses are shares of the win: 0.01 is one win in a hundred. `costs` has those of the seat's
    choices in the order of play, if everybody plays best after each, within 1e-9 of the exact ones.
    Each choice was made once: all `visits` are 1. `total` is the sum of costs, `per_step` the mean.

    >>> import shutbox
    >>> from shutbox.engine.cups import SeededCup
    >>> from shutbox.engine.play import Chosen, Play, Rolled
    >>> solved = shutbox.equity("six[seats=2,rounds=2]")
    >>> play, cup = Play(solved.match), SeededCup("pub")
    >>> while not isinstance(awaited := play.awaits, shutbox.Over):
    ...     throws = isinstance(awaited, shutbox.Throw)
    ...     play.happen(
    ...         Rolled(cup.throw(awaited.dice)) if throws
    ...         else Chosen(awaited.choices[-1]))
    >>> for regret in match_regret(solved, play):
    ...     print(round(regret.total, 4), regret.costs.round(4).tolist())
    0.4514 [0.1391, 0.0, 0.0, 0.3123]
    0.7275 [0.2645, 0.463]

    `record` is anything that `shutbox.review` takes, over or not; undone choices do not count.
    Raises what `shutbox.review` raises for a record, and NotUnderstood for one of another game.
    """
    check_type(equity, Equity)
    played = open_record(record)
    play = played if isinstance(played, Play) else played.play
    game, match = play.game, equity.match
    if not isinstance(game, Match) or (game.game, game.name) != (match.game, match.name):
        raise NotUnderstood(
            "{played} was played, and {solved} was solved", played=game.name, solved=match.name
        )
    review = review_play(play, ShareValuation(match, equity))
    regrets = []
    for seat, totals in enumerate(review.seats):
        lost = [float(choice.cost) for choice in review.choices if choice.seat == seat]
        regrets.append(Regret(float(totals.cost), np.array(lost), np.ones(len(lost))))
    return tuple(regrets)
