"""Legal covers per second against a plain filter over `itertools.combinations`.

The baseline is what one writes first: every set of the tiles that are up, kept if it adds up to
the throw. Both answer the same questions, seeded positions of a real turn with their rolls; both
answers are compared before anything is timed.
"""

import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations

from bench import times
from shutbox.dice import Roll
from shutbox.games.box import Box
from shutbox.games.box.tile_sets import places
from shutbox.games.catalogue import find

Question = tuple[int, Roll]

BOXES = {"1-9": "classic", "1-12": "full-house", "1-24": "the-300"}
QUESTIONS = 200
"""Asked of the fast side; the baseline gets as many of them as fit into its time."""
BASELINE_SECONDS = 3.0
ROUNDS = 5
"""Timed in turn; the median counts."""


def combinations_filter(numbers: list[int], total: int) -> list[tuple[int, ...]]:
    """The baseline: test every set."""
    return [
        tiles
        for size in range(1, len(numbers) + 1)
        for tiles in combinations(numbers, size)
        if sum(tiles) == total
    ]


def questions(box: Box, chance: random.Random) -> list[Question]:
    """Tiles up and a roll: half the tiles of a box up on average, a third of the time all."""
    start = box.rules.start
    found = []
    for _ in range(QUESTIONS):
        up = start if chance.random() < 1 / 3 else start & chance.getrandbits(len(box.rules.tiles))
        number = chance.choice(box.rules.dice_open(up)) if up else 1
        found.append((up, Roll(tuple(sorted(chance.randint(1, 6) for _ in range(number))))))
    return found


def numbers_up(box: Box, up: int) -> list[int]:
    """The numbers of the tiles up."""
    return [box.rules.tiles[place].number for place in places(up)]


def seconds(ask: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    ask()
    return time.perf_counter() - start


def main() -> None:
    """Print covers per second and the ratio for each box."""
    print("legal covers, answers per second; baseline: itertools.combinations filter")
    print(f"{'box':>6} {'shutbox':>12} {'baseline':>12} {'ratio':>9}")
    for label, name in BOXES.items():
        box = find(name)
        assert isinstance(box, Box)
        asked = questions(box, random.Random(label))
        few = affordable(box, asked)
        compare(box, few)
        fast, slow = [], []
        for _ in range(times(ROUNDS)):
            fast.append(len(asked) / seconds(partial(answer, box, asked)))
            slow.append(len(few) / seconds(partial(answer_plainly, box, few)))
        ratio = statistics.median(a / b for a, b in zip(fast, slow, strict=True))
        print(
            f"{label:>6} {statistics.median(fast):>12,.0f} {statistics.median(slow):>12,.1f} "
            f"{ratio:>9,.0f}"
        )


def affordable(box: Box, asked: list[Question]) -> list[Question]:
    """As many of the questions as the baseline answers in its time, at least one."""
    few: list[Question] = []
    spent = 0.0
    for question in asked:
        few.append(question)
        spent += seconds(partial(answer_plainly, box, [question]))
        if spent > BASELINE_SECONDS / ROUNDS:
            break
    return few


def answer(box: Box, asked: list[Question]) -> None:
    """Ask the engine."""
    for up, roll in asked:
        box.rules.legal_covers(up, roll)


def answer_plainly(box: Box, asked: list[Question]) -> None:
    """Ask the baseline."""
    for up, roll in asked:
        combinations_filter(numbers_up(box, up), roll.total)


def compare(box: Box, asked: list[Question]) -> None:
    """Both sides must find the same covers."""
    for up, roll in asked:
        ours = {tuple(numbers_up(box, cover.tiles)) for cover in box.rules.legal_covers(up, roll)}
        assert ours == set(combinations_filter(numbers_up(box, up), roll.total)), (up, roll)
