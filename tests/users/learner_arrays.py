"""A learner scores a policy of her own exactly. Needs: gymnasium, numpy."""

import numpy as np

from shutbox.rl import TurnArrays

six = TurnArrays.of("six", "shut")
first = np.zeros(len(six.positions), np.int32)
regret = six.regret(first)
assert regret.total >= six.regret(six.best).total
worst = int((regret.costs * regret.visits).argmax())
print(six.game.position_id(six.positions[worst]), regret)
