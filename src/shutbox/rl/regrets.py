"""The losses of the choices in a played match, in shares of the win."""

import numpy as np

from shutbox.analysis.equity.match_value import Equity
from shutbox.analysis.review.review import Record, opened, reviewed
from shutbox.analysis.review.valuation import ShareValuation
from shutbox.errors import NotUnderstood
from shutbox.match import Match
from shutbox.play import Play
from shutbox.rl.turn_arrays import Regret


def match_regret(equity: Equity, record: Record) -> tuple[Regret, ...]:
    """Return the losses of each seat's choices in a play or a record of a solved match.

    Losses are shares of the win: 0.01 is one win in a hundred. `costs` has the losses of the seat's
    choices in the order of play, if everybody plays best after each; they are within 1e-9 of the
    exact ones. Each choice was made once, so all `visits` are 1; `total` is the sum of the costs,
    and `per_step` their mean.

    >>> import shutbox
    >>> solved = shutbox.equity("six[seats=2,rounds=2]")
    >>> play, cup = shutbox.Play(solved.match), shutbox.SeededCup("pub")
    >>> while not isinstance(awaited := play.awaits, shutbox.Over):
    ...     throws = isinstance(awaited, shutbox.Throw)
    ...     play.happen(
    ...         shutbox.Rolled(cup.throw(awaited.dice)) if throws
    ...         else shutbox.Chosen(awaited.choices[-1]))
    >>> for regret in match_regret(solved, play):
    ...     print(round(regret.total, 4), regret.costs.round(4).tolist())
    0.4514 [0.1391, 0.0, 0.0, 0.3123]
    0.7275 [0.2645, 0.463]

    `record` is anything that `shutbox.review` takes, over or not; undone choices do not count.
    Raises what `shutbox.review` raises for a record, and NotUnderstood for one of another game.
    """
    found = opened(record)
    play = found if isinstance(found, Play) else found.play
    game, match = play.game, equity.match
    if not isinstance(game, Match) or (game.game, game.name) != (match.game, match.name):
        raise NotUnderstood(
            "{played} was played, and {solved} was solved", played=game.name, solved=match.name
        )
    review = reviewed(play, ShareValuation(match, equity))
    return tuple(
        Regret(float(seat.cost), costs, np.ones(len(costs)))
        for place, seat in enumerate(review.seats)
        for costs in [np.array([float(c.cost) for c in review.choices if c.seat == place])]
    )
