"""Random playable boxes, for tests and for the fuzzer.

Everything is drawn from the given `random.Random`, so a seed always gives the same box, and the
name of a box is enough to build it again. Most boxes are small, so that plays are short and rules
interact. About every seventh is at a limit for variants: 30 tiles, 12 dice, 100 sides, numbers up
to 999.
"""

import random
from collections.abc import Sequence

from shutbox.engine.dice import Dice
from shutbox.engine.errors import BadVariant
from shutbox.engine.typed_text import write_name
from shutbox.games.box import BOXES
from shutbox.games.box.rule_tables import COVERS, SCORES, CoverRule, Fewer, ScoreRule
from shutbox.games.box.rules import Variant

SMALL_BOXES = (
    "six",
    "against-all-odds",
    "classic(tiles=1-6)",  # a choice of dice from the start
    "two-dice(tiles=1-5.500,fewer=may-any)",  # dice are chosen where no cover is left
    "two-dice(tiles=1-6,dice=3d3,fewer=may-any)",  # up to three numbers of dice
    "markers(tiles=1-6)",  # both dice or their total
    "thai-style(tiles=1-6)",
    "three-to-go-pub(tiles=1-6)",
    "unlucky-seven(tiles=1-6)",  # the first throw has rules of its own
    "digital(tiles=1-6)",
    "covered(tiles=1-6)",  # high is good
    "lucky-seven",  # nothing to choose
    "double-shutter(tiles=1-4,behind=4-1,weights=2x4.1x4)",
)
SMALL = (
    *SMALL_BOXES,
    *("cargo(dice=4d6,rolls=3)", "cargo(dice=5d6,rolls=2,hold=each)", "cargo(rolls=1)"),
)
"""Small games in which every rule has its effect."""

BASE = "two-dice"
"""The catalogue box whose rules are the defaults of a variant."""


def random_name(chance: random.Random) -> str:
    """Return the name of a random box, which `shutbox.find` can read."""
    return write_name(BASE, BOXES.differences(random_variant(chance), Variant()))


def random_variant(chance: random.Random) -> Variant:
    """Return a random box. Boxes beyond the limit on covers are drawn again."""
    while True:
        try:
            return _drawn(chance)
        except BadVariant as error:
            if not all("covers, and at most" in problem for problem in error.problems):
                raise


def _drawn(chance: random.Random) -> Variant:
    at_a_limit = chance.random() < 0.15
    two_rows = chance.random() < 0.2
    tiles, behind = _rows(chance, at_a_limit, two_rows)
    down = _some(chance, tiles, most=min(3, len(tiles) - 1))
    dice = _dice(chance, at_a_limit)
    cover = chance.choice(
        [rule for rule in CoverRule if len(dice) <= (COVERS[rule].most_dice or len(dice))]
    )
    score = chance.choice(list(ScoreRule))
    fewer = chance.choice(list(Fewer))
    totals = range(len(dice) if fewer is Fewer.NEVER else 1, sum(dice.sides) + 1)
    weighed = SCORES[score].weighs and chance.random() < 0.3
    return Variant(
        tiles=tiles,
        behind=behind,
        down=down,
        dice=dice,
        fewer=fewer,
        cover=cover,
        first=_some(chance, [n for n in tiles if n not in down], most=2),
        stop_first=_some(chance, totals, most=2),
        stop_on=_some(chance, totals, most=2),
        shut_at=_shut_at(tiles, behind, down),
        score=score,
        weights=tuple(chance.randint(1, 99) for _ in tiles + behind) if weighed else (),
    )


def _rows(
    chance: random.Random, at_a_limit: bool, two_rows: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    rows = 2 if two_rows else 1
    size = 30 // rows if at_a_limit else chance.randint(1, 12 // rows)
    highest = chance.choice([size, size, size + 3, 999 if at_a_limit else 40])
    tiles = chance.sample(range(1, highest + 1), size)
    if chance.random() < 0.8:
        tiles.sort()
    return tuple(tiles), tuple(chance.sample(range(1, highest + 1), size)) if two_rows else ()


def _dice(chance: random.Random, at_a_limit: bool) -> Dice:
    if at_a_limit and chance.random() < 0.5:
        return Dice.of(*chance.choice([(12, 2), (12, 6), (12, 100), (1, 100), (2, 100)]))
    return Dice.of(chance.choice([1, 2, 2, 2, 3, 4]), chance.choice([2, 4, 6, 6, 6, 8, 20]))


def _shut_at(tiles: tuple[int, ...], behind: tuple[int, ...], down: tuple[int, ...]) -> int:
    """Return a total of tiles that wins the turn, in a few boxes.

    It uses its own random numbers, so that the other rules of a seed stay as they were.
    """
    chance, up = random.Random(f"{tiles} {behind}"), sum(tiles) + sum(behind) - sum(down)
    return chance.randint(1, min(12, up - 1)) if up > 1 and chance.random() < 0.15 else 0


def _some(chance: random.Random, numbers: Sequence[int], most: int) -> tuple[int, ...]:
    """Return up to `most` of the numbers, ascending. Empty in most boxes."""
    if chance.random() < 0.7:
        return ()
    return tuple(sorted(chance.sample(numbers, chance.randint(0, min(most, len(numbers))))))
