"""A first bot: it keeps the box open by maximising the chance that the next throw can be covered.

It uses only the protocol, so it plays any game in which lasting longer is better. Run `python
examples/first_bot.py` to play classic four hundred times with it, and with a player that always
takes the first choice.
"""

from shutbox import Over, Throw, find, play_out
from shutbox.engine.cups import SeededCup
from shutbox.engine.game import C, Choose, Game, P
from shutbox.engine.play import FirstChoice, Player


class KeepOpen:
    """A player that picks the choice with the best chance of surviving the next throw."""

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the best choice. Of equal ones, return the first: fewest tiles, highest tile."""
        return max(choices, key=lambda choice: goes_on(game, game.chosen(position, choice)))


def goes_on(game: Game[P, C], position: P) -> float:
    """Return the chance that the next throw does not end the turn."""
    match game.awaits(position):
        case Throw(dice=dice):
            after = [(game.awaits(game.rolled(position, r)), w) for r, w in dice.outcomes()]
            stays = sum(w for awaited, w in after if not isinstance(awaited, Over))
            return stays / dice.total_weight
        case Choose(choices=choices):
            return max(goes_on(game, game.chosen(position, choice)) for choice in choices)
        case Over(shut=shut):
            return float(shut)


def mean_score(player: Player[P, C], game: Game[P, C], plays: int = 400) -> float:
    """Return the mean score over plays with the seeds 0, 1, 2 and so on."""
    overs = [play_out(game, player, SeededCup(str(seed))) for seed in range(plays)]
    return sum(over.scores[0] for over in overs) / plays


if __name__ == "__main__":
    classic = find("classic")
    print(f"Keeps the box open: {mean_score(KeepOpen(), classic)} points on average.")
    print(f"Takes the first choice: {mean_score(FirstChoice(), classic)} points on average.")
