"""Reviews of records, compared with replays of the same records.

The baseline replays the logs and reviews nothing: the difference is the cost of values, costs and
sums. The games are solved once before timing, as they are when a player reviews several records.
"""

import statistics
from collections.abc import Iterator
from typing import Any

from bench import note, seconds, times
from shutbox.engine.cups import SeededCup
from shutbox.engine.game import Choose, Game, Throw
from shutbox.engine.play import Chosen, Event, Play, Rolled
from shutbox.solving.review.review import Reviewer
from shutbox.table.bots import bot
from shutbox.table.lookup import find_any

ROUNDS = 5
"""Both sides are timed in turn this many times, and the medians are compared."""
TIMED = [
    ("classic", 1000),
    ("markers[seats=4,rounds=5]", 1),
    ("classic[seats=2,shut=wins]", 20),
]
"""Each game or match, and the number of its records."""


def log_of(game: Game[Any, Any], seed: int) -> Iterator[Event[Any]]:
    """Yield the events of a game between bots that cover the fewest tiles."""
    cup, fewest, position = SeededCup(str(seed)), bot("fewest"), game.start()
    while True:
        match game.awaits(position):
            case Throw(dice=dice):
                roll = cup.throw(dice)
                position = game.rolled(position, roll)
                yield Rolled(roll)
            case Choose(choices=choices):
                choice = fewest.pick(game, position, choices)
                position = game.chosen(position, choice)
                yield Chosen(choice)
            case _:
                return


def main() -> None:
    """Print times and ratios."""
    print("records reviewed, seconds; baseline: their logs replayed")
    print(f"{'':>27} {'records':>8} {'shutbox':>9} {'baseline':>9} {'times as long':>14}")
    for name, number in TIMED:
        game, reviewer = find_any(name), Reviewer()
        logs = [list(log_of(game, seed)) for seed in range(number)]
        reviewer.review(Play(game))  # solves the game

        def replayed(game: Any = game, logs: Any = logs) -> list[Play[Any, Any]]:
            return [Play(game, log) for log in logs]

        def reviewed(reviewer: Reviewer = reviewer, replayed: Any = replayed) -> None:
            for play in replayed():
                reviewer.review(play)

        pairs = [(seconds(reviewed), seconds(replayed)) for _ in range(times(ROUNDS))]
        ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        print(f"{name:>27} {number:>8,} {ours:>9.3f} {bare:>9.3f} {ratio:>14.1f}")
        note(f"{number:,} of {name} reviewed", ours, "s", bare, ratio)


if __name__ == "__main__":
    main()
