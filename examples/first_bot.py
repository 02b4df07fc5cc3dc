"""A first bot: it keeps the box open, by the chance that the next throw can be covered.

It asks the protocol and nothing else, so it plays any game that ends well by going on. Run it:
`python examples/first_bot.py` plays classic four hundred times, against taking the first choice.
"""

from shutbox import FirstChoice, Over, Player, SeededCup, Throw, find, play_out
from shutbox.game import C, Choose, Game, P


class KeepOpen:
    """Picks the choice after which the next throw most often goes on."""

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Of equally good choices the first: fewest tiles, highest tile."""
        return max(choices, key=lambda choice: goes_on(game, game.chosen(position, choice)))


def goes_on(game: Game[P, C], position: P) -> float:
    """The chance that the turn is not lost with the next throw."""
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
    """The mean over plays with the seeds 0, 1, 2 and so on."""
    overs = [play_out(game, player, SeededCup(str(seed))) for seed in range(plays)]
    return sum(over.scores[0] for over in overs) / plays


if __name__ == "__main__":
    classic = find("classic")
    print(f"Keeps the box open: {mean_score(KeepOpen(), classic)} points on average.")
    print(f"Takes the first choice: {mean_score(FirstChoice(), classic)} points on average.")
