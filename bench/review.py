"""Reviews of records against the replay of the same records.

The baseline replays the logs, and reviews nothing: what is more is the price of values, costs and
sums. The games are solved before, once for all records, as they are for those of one player.
"""

import statistics
from collections.abc import Iterator
from typing import Any

from bench import note, seconds, times
from shutbox.analysis.review.review import Reviewer
from shutbox.bots import bot
from shutbox.cups import SeededCup
from shutbox.game import Choose, Game, Throw
from shutbox.lookup import find_any
from shutbox.play import Chosen, Event, Play, Rolled

ROUNDS = 5
"""Timed in turn; the median counts."""
TIMED = [
    ("classic", 1000),
    ("markers[seats=4,rounds=5]", 1),
    ("classic[seats=2,shut=wins]", 20),
]
"""A game or match, and how many records of it."""


def log_of(game: Game[Any, Any], seed: int) -> Iterator[Event[Any]]:
    """The events of a game of bots who take few tiles."""
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
    """Print seconds and ratios."""
    print("records reviewed, seconds; baseline: their logs replayed")
    print(f"{'':>27} {'records':>8} {'shutbox':>9} {'baseline':>9} {'times as long':>14}")
    for name, number in TIMED:
        game, reviewer = find_any(name), Reviewer()
        logs = [list(log_of(game, seed)) for seed in range(number)]
        reviewer.review(Play(game))  # solves it

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
