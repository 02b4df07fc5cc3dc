"""The rule card of a box, made by asking the engine wherever a sentence makes a claim."""

from collections.abc import Iterator

from shutbox.dice import Dice
from shutbox.english import counted, dice_words, is_or_are, listed, runs
from shutbox.game import Choose
from shutbox.games.box.atoms import COVERS, FEWER, SCORES
from shutbox.games.box.notation import said, spoken
from shutbox.games.box.position import Position
from shutbox.games.box.rules import Rules


def lines(rules: Rules) -> tuple[str, ...]:
    """The rules, one complete sentence or two a line."""
    return tuple(_lines(rules))


def _lines(rules: Rules) -> Iterator[str]:
    variant = rules.variant
    yield _tiles(rules)
    if variant.down:
        tiles = "Tile" if len(variant.down) == 1 else "Tiles"
        yield f"{tiles} {_are(variant.down)} down from the start."
    yield from _dice(rules)
    yield COVERS[variant.cover].says
    if example := _example(rules):
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
        yield _weights(rules)
    shut = f"A shut box scores {rules.score(0)}"
    yield f"{shut}; with nothing covered the score is {rules.score(rules.start)}."


def _tiles(rules: Rules) -> str:
    variant = rules.variant
    row = f"The box has {counted(len(rules.tiles), 'tile')}: {_in_order(variant.tiles)}"
    if not variant.behind:
        return f"{row}."
    return f"{row} in front, and behind them {_in_order(variant.behind)}, in that order."


def _in_order(numbers: tuple[int, ...]) -> str:
    if len(numbers) > 2 and numbers == tuple(range(numbers[0], numbers[-1] - 1, -1)):
        return f"{numbers[0]} down to {numbers[-1]}"
    return runs(numbers) if list(numbers) == sorted(numbers) else listed(numbers)


def _are(numbers: tuple[int, ...]) -> str:
    return f"{runs(numbers)} {is_or_are(len(numbers))}"


def _named(dice: Dice) -> str:
    return dice.words if dice.sides[0] != 6 else f"{dice.words} of six sides"


def _dice(rules: Rules) -> Iterator[str]:
    dice, row = rules.variant.dice, FEWER[rules.variant.fewer]
    seen = " that can be seen" if rules.variant.behind else ""
    says = row.says.format(seen=seen)
    condition = f"You {_may_throw(rules, 1)} {says}." if says else _by_top(rules)
    if len(dice) == 1 or not condition:
        yield f"Always throw {_named(dice)}."
    else:
        yield f"Throw {_named(dice)}."
        yield condition


def _may_throw(rules: Rules, fewest: int) -> str:
    if not FEWER[rules.variant.fewer].may:
        return f"must throw {dice_words(fewest)}"
    more = " or more" if len(rules.variant.dice) > fewest + 1 else ""
    return f"may throw {dice_words(fewest)}{more}"


def _by_top(rules: Rules) -> str:
    """The fewest dice for each highest tile, as the engine answers for that tile alone.

    Empty if all dice are always thrown.
    """
    tops: dict[int, set[int]] = {}
    for place, tile in enumerate(rules.tiles):
        tops.setdefault(rules.dice_open(1 << place)[0], set()).add(tile.number)
    fewest, *more = sorted(tops)
    if fewest == len(rules.variant.dice):
        return ""
    if not more:
        return f"You {_may_throw(rules, fewest)} at any time."
    if len(more) == 1:
        top = max(tops[fewest])
        return f"You {_may_throw(rules, fewest)} once every tile above {top} is down."
    steps = listed(f"{dice_words(needed)} for {runs(tops[needed])}" for needed in (fewest, *more))
    at_least = " at least" if FEWER[rules.variant.fewer].may else ""
    return f"The highest tile up says how many dice you throw{at_least}: {steps}."


def _example(rules: Rules) -> str:
    """What a roll near the middle covers at the start, as the engine answers."""
    sides = rules.variant.dice.sides[0]
    dice = Dice.of(rules.dice_open(rules.start)[-1], sides)
    middle = [min((sides + 1) // 2 + index % 2, sides) for index in range(len(dice))]
    for face in dict.fromkeys([middle[0], *range(sides, 0, -1)]):
        roll = dice.read([face, *middle[1:]])
        awaited = rules.awaits(Position(rules.start, None, roll))
        if isinstance(awaited, Choose):
            named = [said(rules, cover) for cover in awaited.choices[:6]]
            if more := len(awaited.choices) - len(named):
                named.append(f"{more} more")
            return (
                f"For example, a first throw of {listed(roll.pips)} can cover {'; '.join(named)}."
            )
    return ""


def _weights(rules: Rules) -> str:
    front = {tile.weight for tile in rules.tiles[: rules.front]}
    behind = {tile.weight for tile in rules.tiles[rules.front :]}
    if len(front) == len(behind) == 1:
        return f"Tiles in front count {_times(front)}, those behind {_times(behind)}."
    by_weight: dict[int, int] = {}
    for place, tile in enumerate(rules.tiles):
        by_weight[tile.weight] = by_weight.get(tile.weight, 0) | 1 << place
    parts = (f"{spoken(rules, tiles)} {_times({weight})}" for weight, tiles in by_weight.items())
    return f"Tiles count: {'; '.join(parts)}."


def _times(weights: set[int]) -> str:
    [weight] = weights
    return {1: "once", 2: "double"}.get(weight, f"{weight} times")


def typing(rules: Rules) -> str:
    """How a choice is typed."""
    front, behind = rules.variant.tiles, rules.variant.behind
    says = ["Type tiles with spaces, commas or plus signs between them, such as "]
    says += [" ".join(map(str, dict.fromkeys([min(front), max(front)])))]
    if behind:
        says += [f"; a tile behind as b{max(behind)} or {max(behind)} behind"]
    if FEWER[rules.variant.fewer].may:
        says += ["; dice as one die, or 1"]
    return f"{''.join(says)}."
