"""The rule card of a box, made by asking the engine wherever a sentence makes a claim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shutbox.box.atoms import COVERS, FEWER, SCORES, Fewer
from shutbox.box.notation import spoken
from shutbox.box.position import Position
from shutbox.dice import Dice
from shutbox.game import Choose
from shutbox.words import counted, dice_words, listed, runs

if TYPE_CHECKING:
    from shutbox.box.game import Box


def lines(box: Box) -> tuple[str, ...]:
    """The rules, one complete sentence or two a line."""
    return tuple(_lines(box))


def _lines(box: Box) -> Iterator[str]:
    variant = box.variant
    yield _tiles(box)
    if variant.down:
        yield f"{_are(variant.down)} down from the start."
    yield f"Throw {_named(variant.dice)}."
    if len(variant.dice) > 1:
        yield _fewer(box)
    yield COVERS[variant.cover].says
    if example := _example(box):
        yield example
    if variant.behind:
        yield "A tile behind can be covered once the one in front of it is down, or with it."
    if variant.first:
        yield f"The first cover must include {listed(variant.first)}; if it cannot, the turn ends."
    for totals, throw in ((variant.stop_first, "the first throw"), (variant.stop_on, "any throw")):
        if totals:
            yield f"A total of {listed(totals, last='or')} on {throw} ends the turn."
    yield "If any cover is legal, one must be taken; if none is, the turn ends."
    yield SCORES[variant.score].says
    if variant.weights:
        yield _weights(box)
    shut = f"A shut box scores {box.score(0)}"
    yield f"{shut}; with nothing covered the score is {box.score(box.start().up)}."


def _tiles(box: Box) -> str:
    variant = box.variant
    row = f"The box has {counted(box.front, 'tile')}: {_in_order(variant.tiles)}"
    if not variant.behind:
        return f"{row}."
    return f"{row} in front, and behind them {_in_order(variant.behind)}, in that order."


def _in_order(numbers: tuple[int, ...]) -> str:
    if len(numbers) > 2 and numbers == tuple(range(numbers[0], numbers[-1] - 1, -1)):
        return f"{numbers[0]} down to {numbers[-1]}"
    return runs(numbers) if list(numbers) == sorted(numbers) else listed(numbers)


def _are(numbers: tuple[int, ...]) -> str:
    return f"{runs(numbers)} {'is' if len(numbers) == 1 else 'are'}"


def _named(dice: Dice) -> str:
    return dice.words if dice.sides[0] != 6 else f"{dice.words} of six sides"


def _fewer(box: Box) -> str:
    row = FEWER[box.variant.fewer]
    if box.variant.fewer is Fewer.NEVER:
        return f"Always throw {box.variant.dice.words}."
    may = "may" if row.may else "must"
    if row.says:
        return f"You {may} throw one die {row.says}."
    return _by_top(box, may)


def _by_top(box: Box, may: str) -> str:
    """The fewest dice for each highest tile, as the engine answers for that tile alone."""
    tops: dict[int, set[int]] = {}
    for place, tile in enumerate(box.tiles):
        tops.setdefault(box.dice_open(1 << place)[0], set()).add(tile.number)
    fewest, *more = sorted(tops)
    if fewest == len(box.variant.dice):
        return f"Always throw {box.variant.dice.words}."
    if not more:
        return f"You {may} throw {dice_words(fewest)} at any time."
    if len(more) == 1:
        top = max(tops[fewest])
        return f"You {may} throw {dice_words(fewest)} once every tile above {top} is down."
    steps = listed(f"{dice_words(needed)} for {runs(tops[needed])}" for needed in (fewest, *more))
    at_least = " at least" if may == "may" else ""
    return f"The highest tile up says how many dice you throw{at_least}: {steps}."


def _example(box: Box) -> str:
    """What a roll near the middle covers at the start, as the engine answers."""
    dice, up = box.variant.dice, box.start().up
    middle = [(dice.sides[0] + 1) // 2 + index % 2 for index in range(len(dice))]
    for face in dict.fromkeys([middle[0], *range(dice.sides[0], 0, -1)]):
        roll = dice.read([face, *(min(other, dice.sides[0]) for other in middle[1:])])
        awaited = box.awaits(Position(up, None, roll))
        if isinstance(awaited, Choose):
            texts = [box.choice_text(cover) for cover in awaited.choices[:6]]
            more = len(awaited.choices) - len(texts)
            says = listed(texts, last="or") if not more else f"{', '.join(texts)} or {more} more"
            return f"For example, {roll} at the start covers {says}."
    return ""


def _weights(box: Box) -> str:
    front = {tile.weight for tile in box.tiles[: box.front]}
    behind = {tile.weight for tile in box.tiles[box.front :]}
    if len(front) == len(behind) == 1:
        return f"Tiles in front count {_times(front)}, those behind {_times(behind)}."
    by_weight: dict[int, int] = {}
    for place, tile in enumerate(box.tiles):
        by_weight[tile.weight] = by_weight.get(tile.weight, 0) | 1 << place
    parts = (f"{spoken(box, tiles)} {_times({weight})}" for weight, tiles in by_weight.items())
    return f"Tiles count: {'; '.join(parts)}."


def _times(weights: set[int]) -> str:
    [weight] = weights
    return {1: "once", 2: "double"}.get(weight, f"{weight} times")
