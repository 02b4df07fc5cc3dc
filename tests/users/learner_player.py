"""A learner writes a player, with names of her own for what it is given."""

import shutbox
from shutbox import Game


class Cautious:
    """A player that covers the most tiles."""

    def pick(self, rules: Game[object, object], board: object, moves: tuple[object, ...]) -> object:
        """Return the last of the moves."""
        return moves[-1]


def eager(rules: object, board: object, moves: tuple[object, ...]) -> object:
    """Return the first move."""
    return moves[0]


found = shutbox.compare("six", players=[Cautious(), eager, "hobbs"])
assert {one.name for one in found.strategies} == {"Cautious", "eager", "hobbs"}
assert shutbox.evaluate("six", "hobbs").loss == shutbox.evaluate("six", "careful").loss
assert shutbox.simulate("six", eager, turns=1e3, seed=7).turns == 1000
over = shutbox.play_out("six", Cautious(), 7)
print(found, over.scores)
